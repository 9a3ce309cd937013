"""When Discord fails, a request is repaired, learned from or skipped, and the games go on."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import discord as library
import pytest

from bot.clocks.clock import HOUR, MINUTE, SECOND
from bot.engine.moves.actions import DRAW
from bot.engine.moves.phases import Phase
from bot.tables.state.snapshots import BoardMessage
from cogs.shared.discord_api.discord_calls import CallTrouble
from tests.cogs.test_table_messages import (
    RecordedRequests,
    caller,
    play_turn,
    start_game_of_two,
    start_game_without_panels,
)
from tests.support.clock import ManualClock
from tests.support.discord import Discord, Person, discord_world, enabled_actions, text_of

MESSAGES = "/channels/*/messages*"
EDITS = "/channels/*/messages/*"


@pytest.fixture
async def discord_and_clock(tmp_path: Path) -> AsyncIterator[tuple[Discord, ManualClock]]:
    clock = ManualClock()
    async with discord_world(tmp_path, clock=clock) as world:
        yield world, clock


async def let_time_pass(discord: Discord, clock: ManualClock, milliseconds: int) -> None:
    """Let that time pass, and wait for all its consequences."""
    for _ in range(4):
        clock.advance(milliseconds // 4)
        for _ in range(20):
            await asyncio.sleep(0)
        await discord.environment.settle()
        await discord.wait_until_boards_shown()


async def press_draw(discord: Discord, person: Person) -> None:
    """Press Draw; the panel that comes is not looked at."""
    await discord.application.tables.play.act(caller(discord, person), 1, DRAW)
    await discord.wait_until_boards_shown()


async def is_board_up_to_date(discord: Discord, table: int = 1) -> bool:
    """Return whether the table's message shows the current state."""
    row = await discord.application.tables.places.board_message(table)
    return row is not None and row.version == (await discord.snapshot(table)).version


# --- repairs by a new message -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "code"),
    [(404, 10008), (429, 30046), (400, 50083), (400, 50035)],
    ids=["gone", "old", "archived", "media"],
)
async def test_a_refused_edit_becomes_a_new_message(discord: Discord, status: int, code: int) -> None:
    first, _ = await start_game_of_two(discord)
    before = await discord.board()
    discord.environment.inject_error("PATCH", EDITS, status=status, code=code)
    await first.run("draw")
    after = await discord.board()
    assert before.id != after.id
    assert await is_board_up_to_date(discord)
    assert discord.application.client.board_updater.board_trouble(1) is None


async def test_a_deleted_board_is_posted_again(discord: Discord) -> None:
    first, _ = await start_game_of_two(discord)
    board = await discord.board()
    discord.environment.backend.delete_message(board.channel.id, board.id)
    await first.run("draw")
    assert await is_board_up_to_date(discord)
    assert board.id != (await discord.board()).id


async def test_a_deleted_thread_moves_the_table_into_its_channel(discord: Discord) -> None:
    channel = discord.world.tables
    first, _ = await start_game_of_two(discord, channel)
    (thread,) = channel.threads
    assert (await discord.snapshot()).thread == thread.id
    discord.environment.backend.delete_channel(thread.id)
    answer = await first.run("draw", table="1")
    assert "You drew" in text_of(answer)
    assert (await discord.snapshot()).thread is None
    assert (await discord.board()).channel.id == channel.id


async def test_a_deleted_channel_is_reported_and_the_table_can_be_shown_elsewhere(discord: Discord) -> None:
    first, _ = await start_game_of_two(discord)
    discord.environment.backend.delete_channel(discord.world.canasta.id)
    await discord.environment.settle()
    assert (await discord.snapshot()).place_lost is not None, "clocks stand"
    requests = RecordedRequests(discord)
    elsewhere = Person(first.actor, discord.world.tables)
    text = text_of(await elsewhere.run("draw", table="1"))
    assert "channel of this table was deleted" in text
    assert [] == requests.requests_about_messages()
    await elsewhere.run("table show", table="1")
    assert (await discord.board()).channel.id == discord.world.tables.id
    assert (await discord.snapshot()).place_lost is None
    assert "deleted" not in text_of(await elsewhere.run("hand", table="1"))


# --- lasting refusals -------------------------------------------------------------------------------------------------


async def test_a_lost_permission_is_reported_and_the_game_goes_on(discord: Discord) -> None:
    first, _ = await start_game_of_two(discord)
    discord.environment.inject_error("*", MESSAGES, status=403, code=50013, times=None)
    await first.run("draw")
    text = text_of(await first.run("hand"))
    assert f"I may not write in <#{discord.world.canasta.id}>" in text
    assert "Attach Files" in text


async def test_a_refused_board_is_retried_rarely_and_repaired_at_a_press(
    discord_and_clock: tuple[Discord, ManualClock],
) -> None:
    discord, clock = discord_and_clock
    first = await start_game_without_panels(discord)
    board_updater = discord.application.client.board_updater
    await let_time_pass(discord, clock, 10 * SECOND)
    discord.environment.inject_error("*", MESSAGES, status=403, code=50013, times=None)
    requests = RecordedRequests(discord)
    await press_draw(discord, first)
    for _ in range(3):
        board_updater.retry_board(1)
        await board_updater.wait_until_idle()
    assert board_updater.board_trouble(1) is CallTrouble.NO_PERMISSION
    assert ["PATCH"] == requests.methods()
    discord.environment.backend.faults.clear()
    await let_time_pass(discord, clock, 11 * SECOND)
    assert not await is_board_up_to_date(discord)
    board_updater.retry_board(1)
    await board_updater.wait_until_idle()
    assert await is_board_up_to_date(discord)
    assert board_updater.board_trouble(1) is None


async def test_a_table_is_not_opened_in_a_channel_where_the_bot_cannot_post(discord: Discord) -> None:
    server = discord.world.server
    deny = library.PermissionOverwrite(attach_files=False, send_messages=False)
    channel = server.create_text_channel("quiet", overwrites={server.default_role: deny})
    answer = await discord.person(0, channel).run("table new")
    assert answer.ephemeral
    assert f"allow me in <#{channel.id}>: Send Messages, Attach Files" in text_of(answer)
    assert () == await discord.application.tables.reading.open_tables_in(server.id)


async def test_requests_are_retried_by_themselves_after_an_outage_of_discord(
    discord_and_clock: tuple[Discord, ManualClock],
) -> None:
    discord, clock = discord_and_clock
    first = await start_game_without_panels(discord)
    await let_time_pass(discord, clock, 10 * SECOND)
    discord.environment.inject_error("PATCH", EDITS, status=503, code=0, times=2)
    requests = RecordedRequests(discord)
    await press_draw(discord, first)
    assert not await is_board_up_to_date(discord)
    assert ["PATCH"] == requests.methods()
    await let_time_pass(discord, clock, 6 * SECOND)
    assert not await is_board_up_to_date(discord)
    await let_time_pass(discord, clock, 11 * SECOND)
    assert await is_board_up_to_date(discord)
    assert ["PATCH", "PATCH"] == requests.methods()


@pytest.mark.parametrize("status", [503, 403])
async def test_an_old_board_that_cannot_be_deleted_is_deleted_later(
    discord_and_clock: tuple[Discord, ManualClock], status: int
) -> None:
    discord, clock = discord_and_clock
    await start_game_without_panels(discord)
    before = await discord.board()
    discord.environment.inject_error("DELETE", EDITS, status=status, code=0)
    discord.application.client.board_updater.request_update(1, repost=True)
    await discord.wait_until_boards_shown()
    assert before.id != (await discord.board()).id
    assert before.id in [message.id for message in discord.world.canasta.history()]
    await let_time_pass(discord, clock, HOUR + MINUTE)
    assert before.id not in [message.id for message in discord.world.canasta.history()]
    assert () == await discord.application.tables._context.store.outbox.all_promises()


async def test_an_old_board_that_is_gone_is_looked_for_once(discord: Discord) -> None:
    first, _ = await start_game_of_two(discord)
    discord.environment.inject_error("DELETE", EDITS, status=404, code=10008)
    await play_turn(discord, first)
    assert () == await discord.application.tables._context.store.outbox.all_promises()


async def test_the_bot_sends_nothing_for_a_while_once_discord_blocks_it(
    discord_and_clock: tuple[Discord, ManualClock],
) -> None:
    discord, clock = discord_and_clock
    first = await start_game_without_panels(discord)
    await let_time_pass(discord, clock, 10 * SECOND)
    discord.environment.inject_error("PATCH", EDITS, status=429, code=0)
    requests = RecordedRequests(discord)
    await press_draw(discord, first)
    assert ["PATCH"] == requests.methods()
    await let_time_pass(discord, clock, 50 * SECOND)
    discord.application.client.board_updater.retry_board(1)
    await let_time_pass(discord, clock, SECOND)
    assert [] == requests.methods()
    await let_time_pass(discord, clock, 20 * SECOND)
    assert await is_board_up_to_date(discord)


async def test_after_several_refused_edits_boards_are_posted_again(
    discord: Discord, caplog: pytest.LogCaptureFixture
) -> None:
    """From then on a board is posted again at every turn, without trying to edit it."""
    first, second = await start_game_of_two(discord)
    discord.environment.inject_error("PATCH", EDITS, status=400, code=50035, times=None)
    person, other = first, second
    for _ in range(4):
        await play_turn(discord, person)
        person, other = other, person
    warnings = [one for one in caplog.records if one.levelno == logging.WARNING]
    assert ["Discord takes no edits with pictures"] == [one.getMessage().partition(":")[0] for one in warnings]
    requests = RecordedRequests(discord)
    for _ in range(4):
        await play_turn(discord, person)
        person, other = other, person
    assert ["POST", "DELETE"] * 4 == requests.methods()
    assert await is_board_up_to_date(discord)
    await person.run("draw")
    assert [] == requests.methods()
    lobby = discord.person(2)
    await lobby.run("table new")
    requests.requests_about_messages()
    await discord.person(3).run("table join", table="2")
    assert "PATCH" in requests.methods(), "an edit without a picture is still one"


# --- deletions and crashes --------------------------------------------------------------------------------------------


async def test_an_outdated_board_after_a_crash_is_mended(discord: Discord) -> None:
    first, _ = await start_game_of_two(discord)
    discord.environment.inject_error("*", MESSAGES, status=503, code=0, times=None)
    await first.run("draw")
    assert not await is_board_up_to_date(discord)
    discord.environment.backend.faults.clear()
    await discord.restart()
    assert await is_board_up_to_date(discord)


async def test_a_board_that_discord_refuses_is_left_alone_for_an_hour(
    discord_and_clock: tuple[Discord, ManualClock],
) -> None:
    discord, clock = discord_and_clock
    await start_game_without_panels(discord)
    discord.environment.inject_error("*", MESSAGES, status=403, code=50001, times=None)
    discord.application.client.board_updater.request_update(1, repost=True)
    await discord.environment.settle()
    await discord.application.tables.places.record_board_message(await outdated_message(discord))
    await discord.application.tables.places.record_refused_post(1)
    await discord.restart()
    requests = RecordedRequests(discord)
    await discord.application.client.board_updater.repair_boards()
    assert [] == requests.requests_about_messages()
    clock.advance(HOUR)
    discord.environment.backend.faults.clear()
    await discord.application.client.board_updater.repair_boards()
    assert await is_board_up_to_date(discord)


async def test_tables_of_a_server_without_the_bot_are_kept_and_not_posted(
    discord_and_clock: tuple[Discord, ManualClock],
) -> None:
    discord, clock = discord_and_clock
    await start_game_without_panels(discord)
    board_updater, tables = discord.application.client.board_updater, discord.application.tables
    guild = discord.application.client.get_guild(discord.world.server.id)
    assert guild is not None
    await tables.places.record_board_message(await outdated_message(discord))
    discord.application.client.dispatch("guild_remove", guild)
    while await tables.places.outdated_boards(departed_before=clock.now() + 1):
        await discord.environment.settle()
    clock.advance(48 * HOUR)
    requests = RecordedRequests(discord)
    await board_updater.repair_boards()
    await discord.environment.settle()
    assert [] == requests.requests_about_messages()
    assert 1 == len(await tables.reading.open_tables_in(guild.id))
    discord.application.client.dispatch("guild_join", guild)
    while not await is_board_up_to_date(discord):
        await let_time_pass(discord, clock, SECOND)


async def outdated_message(discord: Discord) -> BoardMessage:
    """Return the record of the table's message with an earlier version in it."""
    row = await discord.application.tables.places.board_message(1)
    assert row is not None
    return replace(row, version=row.version - 1)


async def test_a_move_stays_done_if_discord_refuses_its_answer(discord: Discord) -> None:
    first, _ = await start_game_of_two(discord)
    version = (await discord.snapshot()).version
    discord.environment.inject_error("POST", "/interactions/*/*/callback", status=404, code=10062)
    await first.actor.slash(first.channel, "draw")
    assert version + 1 == (await discord.snapshot()).version
    assert "discard" in enabled_actions(await first.run("hand"))
    assert (await discord.game_state()).phase is Phase.PLAY
