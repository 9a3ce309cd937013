"""Only one task writes a message at a time, by editing it, and the newest version remains."""

from __future__ import annotations

import asyncio

import pytest

from bot.engine.moves.actions import DRAW
from bot.tables.state.snapshots import BoardMessage
from tests.cogs.test_discord_failures import is_board_up_to_date
from tests.cogs.test_table_messages import RecordedRequests, caller, start_game_without_panels
from tests.support.discord import Discord, Person, controls, enabled_actions, text_of


async def open_lobby(discord: Discord) -> Person:
    """Open a lobby for four, and return its host."""
    host = discord.person(0)
    await host.run("table new")
    return host


def answer_kinds(discord: Discord) -> list[int]:
    """Return Discord's type numbers of the answers to interactions, in order."""
    answers = [one.json for one in discord.environment.http_requests if one.path.endswith("/callback")]
    return [int(answer["type"]) for answer in answers if isinstance(answer, dict)]


async def test_a_press_on_the_lobby_is_answered_only_by_its_update(discord: Discord) -> None:
    await open_lobby(discord)
    board = await discord.board()
    requests = RecordedRequests(discord)
    await discord.person(1).click(board, "sit")
    assert 7 == answer_kinds(discord)[-1]
    assert [] == requests.requests_about_messages()
    assert "Ben" in text_of(await discord.board())
    assert await is_board_up_to_date(discord)


async def test_the_lobby_shows_all_simultaneous_presses(discord: Discord) -> None:
    await open_lobby(discord)
    board = await discord.board()
    sit = controls(board)["sit"]["custom_id"]
    async with discord.hold_requests():
        people = [discord.person(number) for number in (1, 2, 3)]
        await asyncio.gather(*(person.actor.click(board, custom_id=sit) for person in people))
    assert 3 <= len((await discord.snapshot()).persons)
    assert await is_board_up_to_date(discord)
    text = text_of(await discord.board())
    assert all(holder.name in text for holder in (await discord.snapshot()).seats if holder.person)


async def test_a_delayed_press_is_answered_in_private_and_shown_in_the_lobby(discord: Discord) -> None:
    await open_lobby(discord)
    discord.application.client.patience = 0
    answer = await discord.person(1).click(await discord.board(), "sit")
    assert 5 == answer_kinds(discord)[-1]
    assert answer.ephemeral
    assert "You have seat" in text_of(answer)
    assert "Ben" in text_of(await discord.board())
    assert await is_board_up_to_date(discord)


async def test_a_table_whose_start_is_slow_is_answered_in_time_and_begins_once(discord: Discord) -> None:
    host = await open_lobby(discord)
    discord.application.client.patience = 0
    panel = await host.click(await discord.board(), "start")
    assert 5 == answer_kinds(discord)[-1]
    assert panel.ephemeral
    assert (await discord.snapshot()).view is not None
    assert enabled_actions(panel)


# The three tests below patch a method of a service, because nothing else slows it down or has another request come
# between: the simulation's time passes only while the bot itself waits for a timer.


async def test_a_lobby_is_shown_though_its_press_is_acknowledged_while_the_board_is_read(
    discord: Discord, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A press that comes late, as after a lost connection, is acknowledged at any moment of its answer."""
    await open_lobby(discord)
    places, board = discord.application.tables.places, await discord.board()
    message = places.board_message

    async def read_message_slowly(table: int) -> BoardMessage | None:
        await asyncio.sleep(0.05)
        return await message(table)

    monkeypatch.setattr(places, "board_message", read_message_slowly)
    discord.application.client.patience = 0.01
    answer = await discord.person(1).click(board, "sit")
    assert 5 == answer_kinds(discord)[-1]
    assert "You have seat" in text_of(answer)
    assert board.id == (await discord.board()).id
    assert "Ben" in text_of(await discord.board())
    assert await is_board_up_to_date(discord)


async def test_a_table_in_a_thread_is_announced_even_if_that_takes_long(
    discord: Discord, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = discord.application.tables
    created = tables.lobby.create

    async def create_table_slowly(*given: object, **named: object) -> object:
        await asyncio.sleep(0.05)
        return await created(*given, **named)  # type: ignore[arg-type]  # the arguments of the patched call

    monkeypatch.setattr(tables.lobby, "create", create_table_slowly)
    discord.application.client.patience = 0.01
    announced = await discord.person(0, discord.world.tables).run("table new")
    assert 5 in answer_kinds(discord)
    assert not announced.ephemeral
    (thread,) = discord.world.tables.threads
    assert f"<#{thread.id}>" in text_of(announced)
    assert "GET" not in {one.method for one in discord.environment.http_requests if "@original" in one.path}


async def test_changes_during_a_read_of_the_table_are_shown_too(
    discord: Discord, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await start_game_without_panels(discord)
    tables, board_updater = discord.application.tables, discord.application.client.board_updater
    message = tables.places.board_message
    meanwhile = iter((DRAW,))

    async def act_then_read_message(table: int) -> BoardMessage | None:
        for action in meanwhile:
            await tables.play.act(caller(discord, first), table, action)
        return await message(table)

    monkeypatch.setattr(tables.places, "board_message", act_then_read_message)
    board_updater.request_update(1)
    await board_updater.wait_until_idle()
    assert await is_board_up_to_date(discord)
