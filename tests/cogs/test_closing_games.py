"""Ending a running game needs the consent of everyone seated.

Leaving it keeps the seat, and tells the table.
"""

from __future__ import annotations

from pathlib import Path

import discord as library

from bot.clocks.clock import HOUR
from bot.tables.state.snapshots import Status
from tests.support.clock import ShiftedClock
from tests.support.discord import Discord, Person, discord_world, enabled_actions, labels, press_stale_control, text_of


async def start_game(discord: Discord, persons: int) -> list[Person]:
    """Start a game for two or three with that many people, and return them."""
    those = [discord.person(index) for index in range(persons)]
    await those[0].run("table new", players=max(2, persons))
    for person in those[1:]:
        await person.click(await discord.board(), "sit")
    await those[0].run("table start", fill=True)
    return those


async def answer_deadline(discord: Discord) -> str:
    """Return the deadline for an answer to the open question, as Discord shows it to each reader."""
    ends = (await discord.snapshot()).proposal_until
    assert ends is not None
    return f"<t:{ends // 1000}:f>"


async def test_everyone_seated_is_asked_and_the_last_yes_ends_the_game(discord: Discord) -> None:
    you, friend, neighbour = await start_game(discord, 3)
    asked = await friend.run("table close")
    assert "now asks Anna & Carla" in text_of(asked)
    board = await discord.board()
    offers = "Ben offers to end the game at 0 to 0 to 0; deal 1 does not count. All must agree until"
    assert f"{offers} {await answer_deadline(discord)}." in text_of(board)
    assert "Anna & Carla have not answered yet." in text_of(board)
    assert {"Agree", "Play on"} <= set(labels(board))
    assert {"close_yes", "close_no"} <= enabled_actions(board)
    assert "You agree. Carla has not answered yet." in text_of(await you.click(board, "close_yes"))
    assert "Carla has not answered yet." in text_of(await discord.board())
    assert "have already agreed" in text_of(await you.click(await discord.board(), "close_yes"))
    assert "by agreement" in text_of(await neighbour.click(await discord.board(), "close_yes"))
    board = await discord.board()
    assert "Table 1: the game is over before a deal was finished" in text_of(board)
    assert "The game was ended by agreement." in text_of(board)
    assert "Anna 0 · Ben 0 · Carla 0" in text_of(board)
    assert {"rematch", "more"} == enabled_actions(board)
    assert "open for the rematch" in text_of(await neighbour.click(board, "rematch"))


async def test_a_player_who_plays_on_ends_the_question(discord: Discord) -> None:
    you, friend = await start_game(discord, 2)
    await you.run("table close")
    board = await discord.board()
    assert "goes on" in text_of(await friend.click(board, "close_no"))
    assert "offers to end" not in text_of(await discord.board())
    assert not {"close_yes", "close_no"} & enabled_actions(await discord.board())
    assert Status.PLAYING is (await discord.snapshot()).status


async def test_an_answer_to_an_earlier_question_is_ignored(discord: Discord) -> None:
    you, friend = await start_game(discord, 2)
    await you.run("table close")
    old = (await discord.snapshot()).proposal
    assert old is not None
    await you.click(await discord.board(), "close_no")
    await you.run("table close")
    answer = await press_stale_control(discord, friend, await discord.board(), f"cn:1:1:close_yes:{old.at - 1}")
    assert "Already decided: Anna does not agree." in text_of(answer)
    assert Status.PLAYING is (await discord.snapshot()).status


async def test_a_person_without_a_seat_cannot_answer(discord: Discord) -> None:
    you, _ = await start_game(discord, 2)
    await you.run("table close")
    stranger = discord.person(2)
    for action in ("close_yes", "close_no"):
        assert "have no seat" in text_of(await stranger.click(await discord.board(), action))
    assert "have no seat" in text_of(await stranger.run("table close", table="1"))


async def test_a_lone_player_confirms_closing_once(discord: Discord) -> None:
    (you,) = await start_game(discord, 1)
    asked = await you.run("table close")
    assert "You are alone with computer players" in text_of(asked)
    assert Status.PLAYING is (await discord.snapshot()).status
    kept = await you.click(asked, "close_keep")
    assert "goes on" in text_of(kept)
    closed = await you.click(await you.run("table close"), "close_alone")
    assert "by agreement" in text_of(closed)
    assert Status.FINISHED is (await discord.snapshot()).status


async def test_a_moderator_can_close_a_game_only_after_a_day_of_silence(tmp_path: Path) -> None:
    clock = ShiftedClock()
    async with discord_world(tmp_path, clock=clock) as discord:
        await start_game(discord, 2)
        role = discord.world.server.create_role("Keeper", permissions=library.Permissions(manage_guild=True))
        keeper = discord.world.server.add_member(discord.environment.create_user("keeper"), roles=[role])
        moderator = Person(keeper, discord.world.canasta)
        since = (await discord.snapshot()).updated_at
        refused = text_of(await moderator.run("table close", table="1"))
        assert f"<t:{(since + 24 * HOUR) // 1000}:f>" in refused
        clock.forward = 24 * HOUR
        assert "closed" in text_of(await moderator.run("table close", table="1"))
