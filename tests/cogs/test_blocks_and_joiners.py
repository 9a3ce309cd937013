"""Blocked people and joiners: who may join a host's tables, and the notices about it."""

from __future__ import annotations

from bot.profiles.blocks import MOST_BLOCKED
from cogs.profile.blocks import MOST_LISTED
from cogs.shared.reading.input_problems import InputCode
from tests.support.discord import (
    Discord,
    control_arguments,
    controls,
    enabled_actions,
    input_error_text,
    press_stale_control,
    text_of,
)


async def test_a_blocked_person_cannot_join_and_gets_no_reason(discord: Discord) -> None:
    you, other = discord.person(0), discord.person(1)
    await you.run("table new")
    said = await you.run("me block", person=other.actor)
    assert said.ephemeral
    assert f"Blocked: <@{other.id}>" in text_of(said)
    assert "This table is not open to you." == text_of(await other.run("table join"))
    assert "This table is not open to you." == text_of(await other.click(await discord.board(), "sit"))
    assert (you.id,) == (await discord.snapshot()).persons


async def test_a_block_can_be_removed(discord: Discord) -> None:
    you, other = discord.person(0), discord.person(1)
    await you.run("table new")
    await you.run("me block", person=other.actor)
    text = text_of(await you.run("me unblock", person=other.actor))
    assert "may join your tables again" in text
    assert "You have not blocked anyone." in text
    await other.run("table join")
    assert (you.id, other.id) == (await discord.snapshot()).persons


async def test_a_blocked_person_who_is_seated_plays_on(discord: Discord) -> None:
    you, other = discord.person(0), discord.person(1)
    await you.run("table new", players=2)
    await other.run("table join")
    await you.run("me block", person=other.actor)
    await you.run("table start")
    assert (you.id, other.id) == (await discord.snapshot()).persons


async def block_people(discord: Discord, count: int) -> list[int]:
    """Let the first person block `count` people, and return their ids."""
    persons = list(range(1_000, 1_000 + count))
    for person in persons:
        await discord.application.client.context.blocks.block(discord.person(0).id, person)
    return persons


async def test_blocking_oneself_and_unlimited_blocks_are_refused(discord: Discord) -> None:
    you = discord.person(0)
    assert "You cannot choose yourself." == text_of(await you.run("me block", person=you.actor))
    await block_people(discord, MOST_BLOCKED)
    one_more = await you.run("me block", person=discord.person(1).actor)
    assert input_error_text(InputCode.TOO_MANY_BLOCKED, most=200) == text_of(one_more)


async def test_a_long_list_of_blocked_people_is_cut(discord: Discord) -> None:
    listed = await block_people(discord, MOST_LISTED)
    text = text_of(await discord.person(0).run("me block", person=discord.person(1).actor))
    assert f"<@{listed[-1]}>, … and 1 more." in text


async def test_the_host_chooses_joiners_and_they_are_notified(discord: Discord) -> None:
    you, other = discord.person(0), discord.person(1)
    assert "**Everyone except people you have blocked**" in text_of(await you.run("me joiners"))
    assert "**Everyone, including people you have blocked**" in text_of(await you.run("me joiners", who="all"))
    await you.run("me block", person=other.actor)
    await you.run("table new")
    await other.run("table join")
    assert (you.id, other.id) == (await discord.snapshot()).persons


async def test_a_host_admits_a_waiting_person_at_the_table(discord: Discord) -> None:
    you, guest, friend = (discord.person(index) for index in range(3))
    await you.run("me joiners", who="asked")
    await you.run("table new")
    said = await guest.run("table join")
    assert "decides who joins table 1" in text_of(said)
    await friend.click(await discord.board(), "sit")
    board = await discord.board()
    snapshot = await discord.snapshot()
    assert [guest.id, friend.id] == [one.person for one in snapshot.wishes]
    assert "would like to join;" in text_of(board)
    assert [str(guest.id), str(friend.id)] == control_arguments(board, "let_in")
    refused = await friend.press_exact_button(board, "let_in", str(friend.id))
    assert "Only" in text_of(refused)
    await you.press_exact_button(board, "let_in", str(friend.id))
    assert (you.id, friend.id) == (await discord.snapshot()).persons
    await you.click(await discord.board(), "turn_away")
    assert "let_in" not in controls(await discord.board())
    assert (you.id, friend.id) == (await discord.snapshot()).persons


async def test_a_repeated_request_to_join_is_announced_once_and_can_be_withdrawn(discord: Discord) -> None:
    you, guest = discord.person(0), discord.person(1)
    await you.run("me joiners", who="asked")
    await you.run("table new")
    await guest.run("table join")
    assert "has been asked already" in text_of(await guest.run("table join"))
    await guest.run("table leave", table="1")
    assert () == (await discord.snapshot()).wishes


async def test_an_old_button_does_not_admit_a_person_who_stopped_waiting(discord: Discord) -> None:
    you, guest = discord.person(0), discord.person(1)
    await you.run("me joiners", who="asked")
    await you.run("table new")
    await guest.run("table join")
    board = await discord.board()
    assert "let_in" in enabled_actions(board)
    await guest.run("table leave", table="1")
    assert "is no longer waiting" in text_of(
        await press_stale_control(discord, you, board, f"cn:1:1:let_in:{guest.id}")
    )
    assert "out of date" in text_of(await press_stale_control(discord, you, board, "cn:1:1:let_in:x"))
