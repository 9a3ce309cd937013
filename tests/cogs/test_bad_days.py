"""Failures of Discord: a refused request is repaired, learned or skipped, and the games go on."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import discord as library
import pytest

from bot.clocks.clock import HOUR, SECOND
from bot.engine.moves.actions import DRAW
from bot.engine.moves.phases import Phase
from bot.tables.state.snapshots import BoardMessage
from cogs.shared.door.calls import Trouble
from tests.cogs.test_presenter import Requests, caller, game_of_two, game_without_panels, whole_turn
from tests.support.clock import ManualClock
from tests.support.discord import Discord, Person, discord_world, enabled, text_of

MESSAGES = "/channels/*/messages*"
EDITS = "/channels/*/messages/*"


@pytest.fixture
async def clocked(tmp_path: Path) -> AsyncIterator[tuple[Discord, ManualClock]]:
    clock = ManualClock()
    async with discord_world(tmp_path, clock=clock) as world:
        yield world, clock


async def later(discord: Discord, clock: ManualClock, milliseconds: int) -> None:
    """Let that time pass, and everything happen that comes of it."""
    for _ in range(4):
        clock.advance(milliseconds // 4)
        for _ in range(20):
            await asyncio.sleep(0)
        await discord.environment.settle()
        await discord.application.client.presenter.idle()


async def draws(discord: Discord, person: Person) -> None:
    """Draw without looking at the cards."""
    await discord.application.tables.play.act(caller(discord, person), 1, DRAW)
    await discord.application.client.presenter.idle()


async def is_right(discord: Discord, table: int = 1) -> bool:
    """Whether the table's message shows it as it is."""
    row = await discord.application.tables.places.message(table)
    return row is not None and row.version == (await discord.look(table)).version


# --- what a new message mends -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "code"),
    [(404, 10008), (429, 30046), (400, 50083), (400, 50035)],
    ids=["gone", "old", "archived", "media"],
)
async def test_an_edit_that_is_not_taken_becomes_a_new_message(discord: Discord, status: int, code: int) -> None:
    first, _ = await game_of_two(discord)
    before = await discord.board()
    discord.environment.inject_error("PATCH", EDITS, status=status, code=code)
    await first.types("draw")
    after = await discord.board()
    assert before.id != after.id
    assert await is_right(discord)
    assert discord.application.client.presenter.trouble(1) is None


async def test_a_deleted_board_is_posted_again(discord: Discord) -> None:
    first, _ = await game_of_two(discord)
    board = await discord.board()
    discord.environment.backend.delete_message(board.channel.id, board.id)
    await first.types("draw")
    assert await is_right(discord)
    assert board.id != (await discord.board()).id


async def test_a_deleted_thread_moves_the_table_into_its_channel(discord: Discord) -> None:
    channel = discord.world.tables
    first, _ = await game_of_two(discord, channel)
    (thread,) = channel.threads
    assert (await discord.look()).thread == thread.id
    discord.environment.backend.delete_channel(thread.id)
    answer = await first.types("draw", table="1")
    assert "You drew" in text_of(answer)
    assert (await discord.look()).thread is None
    assert (await discord.board()).channel.id == channel.id


async def test_a_deleted_channel_is_reported_and_the_table_can_be_shown_elsewhere(discord: Discord) -> None:
    first, _ = await game_of_two(discord)
    discord.environment.backend.delete_channel(discord.world.canasta.id)
    await discord.environment.settle()
    assert (await discord.look()).place_lost is not None, "clocks stand"
    requests = Requests(discord)
    elsewhere = Person(first.actor, discord.world.tables)
    said = text_of(await elsewhere.types("draw", table="1"))
    assert "channel of this table was deleted" in said
    assert [] == requests.made()
    await elsewhere.types("table show", table="1")
    assert (await discord.board()).channel.id == discord.world.tables.id
    assert (await discord.look()).place_lost is None
    assert "deleted" not in text_of(await elsewhere.types("hand", table="1"))


# --- what is refused for longer ---------------------------------------------------------------------------------------


async def test_a_lost_permission_is_reported_and_the_game_goes_on(discord: Discord) -> None:
    first, _ = await game_of_two(discord)
    discord.environment.inject_error("*", MESSAGES, status=403, code=50013, times=None)
    await first.types("draw")
    said = text_of(await first.types("hand"))
    assert f"I may not write in <#{discord.world.canasta.id}>" in said
    assert "Attach Files" in said


async def test_a_refused_board_is_asked_for_seldom_and_mended_at_a_touch(clocked: tuple[Discord, ManualClock]) -> None:
    discord, clock = clocked
    first = await game_without_panels(discord)
    presenter = discord.application.client.presenter
    await later(discord, clock, 10 * SECOND)
    discord.environment.inject_error("*", MESSAGES, status=403, code=50013, times=None)
    requests = Requests(discord)
    await draws(discord, first)
    for _ in range(3):
        presenter.touched(1)
        await presenter.idle()
    assert presenter.trouble(1) is Trouble.NO_PERMISSION
    assert ["PATCH"] == requests.methods()
    discord.environment.backend.faults.clear()
    await later(discord, clock, 11 * SECOND)
    assert not await is_right(discord)
    presenter.touched(1)
    await presenter.idle()
    assert await is_right(discord)
    assert presenter.trouble(1) is None


async def test_a_table_is_not_opened_where_the_bot_could_not_show_it(discord: Discord) -> None:
    server = discord.world.server
    deny = library.PermissionOverwrite(attach_files=False, send_messages=False)
    channel = server.create_text_channel("quiet", overwrites={server.default_role: deny})
    answer = await discord.person(0, channel).types("table new")
    assert answer.ephemeral
    assert f"allow me in <#{channel.id}>: Send Messages, Attach Files" in text_of(answer)
    assert () == await discord.application.tables.reading.open_tables_in(server.id)


async def test_a_discord_that_is_down_is_asked_again_without_anybody_asking_for_it(
    clocked: tuple[Discord, ManualClock],
) -> None:
    discord, clock = clocked
    first = await game_without_panels(discord)
    await later(discord, clock, 10 * SECOND)
    discord.environment.inject_error("PATCH", EDITS, status=503, code=0, times=2)
    requests = Requests(discord)
    await draws(discord, first)
    assert not await is_right(discord)
    assert ["PATCH"] == requests.methods()
    await later(discord, clock, 6 * SECOND)
    assert not await is_right(discord)
    await later(discord, clock, 11 * SECOND)
    assert await is_right(discord)
    assert ["PATCH", "PATCH"] == requests.methods()


async def test_a_machine_that_is_shut_out_says_nothing_for_a_while(clocked: tuple[Discord, ManualClock]) -> None:
    discord, clock = clocked
    first = await game_without_panels(discord)
    await later(discord, clock, 10 * SECOND)
    discord.environment.inject_error("PATCH", EDITS, status=429, code=0)
    requests = Requests(discord)
    await draws(discord, first)
    assert ["PATCH"] == requests.methods()
    await later(discord, clock, 50 * SECOND)
    discord.application.client.presenter.touched(1)
    await later(discord, clock, SECOND)
    assert [] == requests.methods()
    await later(discord, clock, 20 * SECOND)
    assert await is_right(discord)


async def test_edits_that_are_always_refused_are_learned(discord: Discord, caplog: pytest.LogCaptureFixture) -> None:
    """From then on a board comes anew with every turn, and no edit is tried."""
    first, second = await game_of_two(discord)
    discord.environment.inject_error("PATCH", EDITS, status=400, code=50035, times=None)
    person, other = first, second
    for _ in range(4):
        await whole_turn(discord, person)
        person, other = other, person
    warnings = [one for one in caplog.records if one.levelno == logging.WARNING]
    assert ["Discord takes no edits with pictures"] == [one.getMessage().partition(":")[0] for one in warnings]
    requests = Requests(discord)
    for _ in range(4):
        await whole_turn(discord, person)
        person, other = other, person
    assert ["POST", "DELETE"] * 4 == requests.methods()
    assert await is_right(discord)
    await person.types("draw")
    assert [] == requests.methods()
    lobby = discord.person(2)
    await lobby.types("table new")
    requests.made()
    await discord.person(3).types("table join", table="2")
    assert "PATCH" in requests.methods(), "an edit without a picture is still one"


# --- what goes away ---------------------------------------------------------------------------------------------------


async def test_a_board_left_behind_by_a_crash_is_mended_by_the_sweep(discord: Discord) -> None:
    first, _ = await game_of_two(discord)
    discord.environment.inject_error("*", MESSAGES, status=403, code=50001, times=None)
    await first.types("draw")
    assert not await is_right(discord)
    discord.environment.backend.faults.clear()
    await discord.restart()
    assert await is_right(discord)


async def test_a_server_that_removes_the_bot_keeps_its_tables_and_is_left_alone(
    clocked: tuple[Discord, ManualClock],
) -> None:
    discord, clock = clocked
    await game_without_panels(discord)
    presenter, tables = discord.application.client.presenter, discord.application.tables
    guild = discord.application.client.get_guild(discord.world.server.id)
    assert guild is not None
    await tables.places.record_message(await behind(discord))
    discord.application.client.dispatch("guild_remove", guild)
    while await tables.places.boards_behind(departed_before=clock.now() + 1):
        await discord.environment.settle()
    clock.advance(48 * HOUR)
    requests = Requests(discord)
    await presenter.sweep()
    await discord.environment.settle()
    assert [] == requests.made()
    assert 1 == len(await tables.reading.open_tables_in(guild.id))
    discord.application.client.dispatch("guild_join", guild)
    while not await is_right(discord):
        await later(discord, clock, SECOND)


async def behind(discord: Discord) -> BoardMessage:
    """The table's message, as if it showed the version before."""
    row = await discord.application.tables.places.message(1)
    assert row is not None
    return replace(row, version=row.version - 1)


async def test_an_answer_that_discord_does_not_take_leaves_the_move_done(discord: Discord) -> None:
    first, _ = await game_of_two(discord)
    version = (await discord.look()).version
    discord.environment.inject_error("POST", "/interactions/*/*/callback", status=404, code=10062)
    await first.actor.slash(first.channel, "draw")
    assert version + 1 == (await discord.look()).version
    assert "discard" in enabled(await first.types("hand"))
    assert (await discord.state()).phase is Phase.PLAY
