"""Blocks and joiners: people who may join a host's tables, and the notices about it."""

from __future__ import annotations

from bot.profiles.blocks import MOST_BLOCKED
from cogs.profile.blocks import MOST_LISTED
from cogs.shared.reading.input_problems import InputCode
from tests.support.discord import Discord, arguments, controls, enabled, press, problem, text_of


async def test_a_blocked_person_cannot_join_and_gets_no_reason(discord: Discord) -> None:
    you, other = discord.person(0), discord.person(1)
    await you.types("table new")
    said = await you.types("me block", person=other.actor)
    assert said.ephemeral
    assert f"Blocked: <@{other.id}>" in text_of(said)
    assert "This table is not open to you." == text_of(await other.types("table join"))
    assert "This table is not open to you." == text_of(await other.clicks(await discord.board(), "sit"))
    assert (you.id,) == (await discord.look()).persons


async def test_a_block_can_be_removed(discord: Discord) -> None:
    you, other = discord.person(0), discord.person(1)
    await you.types("table new")
    await you.types("me block", person=other.actor)
    said = text_of(await you.types("me unblock", person=other.actor))
    assert "may join your tables again" in said
    assert "You have not blocked anyone." in said
    await other.types("table join")
    assert (you.id, other.id) == (await discord.look()).persons


async def test_a_blocked_person_who_is_seated_plays_on(discord: Discord) -> None:
    you, other = discord.person(0), discord.person(1)
    await you.types("table new", players=2)
    await other.types("table join")
    await you.types("me block", person=other.actor)
    await you.types("table start")
    assert (you.id, other.id) == (await discord.look()).persons


async def block(discord: Discord, count: int) -> list[int]:
    """Let the first person block that many people, and return them."""
    persons = list(range(1_000, 1_000 + count))
    for person in persons:
        await discord.application.client.context.circle.block(discord.person(0).id, person)
    return persons


async def test_blocking_oneself_and_unlimited_blocks_are_refused(discord: Discord) -> None:
    you = discord.person(0)
    assert "You cannot choose yourself." == text_of(await you.types("me block", person=you.actor))
    await block(discord, MOST_BLOCKED)
    one_more = await you.types("me block", person=discord.person(1).actor)
    assert problem(InputCode.TOO_MANY_BLOCKED, most=200) == text_of(one_more)


async def test_a_long_list_is_cut(discord: Discord) -> None:
    listed = await block(discord, MOST_LISTED)
    said = text_of(await discord.person(0).types("me block", person=discord.person(1).actor))
    assert f"<@{listed[-1]}>, … and 1 more." in said


async def test_the_host_chooses_joiners_and_they_are_notified(discord: Discord) -> None:
    you, other = discord.person(0), discord.person(1)
    assert "**Everyone except people you have blocked**" in text_of(await you.types("me joiners"))
    assert "**Everyone, including people you have blocked**" in text_of(await you.types("me joiners", who="all"))
    await you.types("me block", person=other.actor)
    await you.types("table new")
    await other.types("table join")
    assert (you.id, other.id) == (await discord.look()).persons


async def test_a_host_admits_a_waiting_person_at_the_table(discord: Discord) -> None:
    you, guest, friend = (discord.person(index) for index in range(3))
    await you.types("me joiners", who="asked")
    await you.types("table new")
    said = await guest.types("table join")
    assert "decides who joins table 1" in text_of(said)
    await friend.clicks(await discord.board(), "sit")
    board = await discord.board()
    look = await discord.look()
    assert [guest.id, friend.id] == [one.person for one in look.wishes]
    assert "would like to join;" in text_of(board)
    assert [str(guest.id), str(friend.id)] == arguments(board, "let_in")
    refused = await friend.presses(board, "let_in", str(friend.id))
    assert "Only" in text_of(refused)
    await you.presses(board, "let_in", str(friend.id))
    assert (you.id, friend.id) == (await discord.look()).persons
    await you.clicks(await discord.board(), "turn_away")
    assert "let_in" not in controls(await discord.board())
    assert (you.id, friend.id) == (await discord.look()).persons


async def test_a_repeated_request_to_join_is_announced_once_and_can_be_withdrawn(discord: Discord) -> None:
    you, guest = discord.person(0), discord.person(1)
    await you.types("me joiners", who="asked")
    await you.types("table new")
    await guest.types("table join")
    assert "has been asked already" in text_of(await guest.types("table join"))
    await guest.types("table leave", table="1")
    assert () == (await discord.look()).wishes


async def test_an_old_button_does_not_admit_a_person_who_stopped_waiting(discord: Discord) -> None:
    you, guest = discord.person(0), discord.person(1)
    await you.types("me joiners", who="asked")
    await you.types("table new")
    await guest.types("table join")
    board = await discord.board()
    assert "let_in" in enabled(board)
    await guest.types("table leave", table="1")
    assert "is no longer waiting" in text_of(await press(discord, you, board, f"cn:1:1:let_in:{guest.id}"))
    assert "out of date" in text_of(await press(discord, you, board, "cn:1:1:let_in:x"))
