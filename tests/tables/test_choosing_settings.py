"""Settings of a table: at its opening, by its host, and invalid ones."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.clocks.clock import HOUR
from bot.clocks.clock_notation import read_clock
from bot.clocks.time_rules import DAY, PRESETS
from bot.tables.state.clocks import AbsencePolicy, TableSettings
from bot.tables.state.refusals import TableCode
from bot.tables.state.snapshots import Status
from tests.support.tables import CHANNEL, EAST, GUILD, NORTH, World, open_world, refusal_of

DAILY = TableSettings(clock=PRESETS["daily"], deals=3)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with open_world(tmp_path / "canasta.db") as opened:
        yield opened


async def test_a_table_is_opened_with_its_settings(world: World) -> None:
    snapshot = await world.service.lobby.create(world.caller(NORTH), channel=CHANNEL, settings=DAILY)
    assert DAILY == snapshot.settings
    assert world.clock.now() + 7 * DAY == snapshot.expires_at


async def test_a_host_sets_the_clock_and_a_slow_table_waits_longer(world: World) -> None:
    snapshot = await world.open_lobby(NORTH, EAST)
    assert world.clock.now() + 24 * HOUR == snapshot.expires_at
    snapshot = await world.service.lobby.choose_settings(world.caller(NORTH), snapshot.id, DAILY)
    assert (DAILY, world.clock.now() + 7 * DAY) == (snapshot.settings, snapshot.expires_at)
    fast = replace(DAILY, clock=PRESETS["live"], absent=AbsencePolicy.VOTE)
    snapshot = await world.service.lobby.choose_settings(world.caller(NORTH), snapshot.id, fast)
    assert (fast, world.clock.now() + 24 * HOUR) == (snapshot.settings, snapshot.expires_at)


async def test_choosing_the_current_settings_does_not_move_the_expiry(world: World) -> None:
    snapshot = await world.open_lobby(NORTH)
    world.clock.advance(HOUR)
    again = await world.service.lobby.choose_settings(world.caller(NORTH), snapshot.id, snapshot.settings)
    assert snapshot.expires_at == again.expires_at


async def test_only_the_host_chooses_and_only_before_the_start(world: World) -> None:
    snapshot = await world.open_lobby(NORTH, EAST)
    asked = world.service.lobby.choose_settings(world.caller(EAST), snapshot.id, DAILY)
    assert TableCode.NOT_HOST is (await refusal_of(asked))[0]
    await world.service.lobby.start(world.caller(NORTH), snapshot.id, fill=True)
    asked = world.service.lobby.choose_settings(world.caller(NORTH), snapshot.id, DAILY)
    assert TableCode.ALREADY_STARTED is (await refusal_of(asked))[0]


@pytest.mark.parametrize(
    ("values", "code", "detail"),
    [
        ({"clock": read_clock("10s")}, TableCode.CLOCK_BANK, {}),
        ({"clock": read_clock("1h+2h")}, TableCode.CLOCK_INCREMENT, {}),
        ({"clock": read_clock("1h max 3h")}, TableCode.CLOCK_CAP, {}),
        ({"deals": 21}, TableCode.SETTING_OUT_OF_RANGE, {"setting": "deals", "lowest": 1, "highest": 20}),
        ({"vacation": 15}, TableCode.SETTING_OUT_OF_RANGE, {"setting": "vacation", "lowest": 0, "highest": 14}),
        ({"idle": 6}, TableCode.SETTING_OUT_OF_RANGE, {"setting": "idle", "lowest": 7, "highest": 90}),
        ({"latest_end": 13}, TableCode.SETTING_OUT_OF_RANGE, {"setting": "latest_end", "lowest": 14, "highest": 180}),
    ],
)
async def test_invalid_settings_are_refused(
    world: World, values: dict[str, Any], code: TableCode, detail: dict[str, Any]
) -> None:
    settings = TableSettings(**values)
    opening = world.service.lobby.create(world.caller(NORTH), channel=CHANNEL, settings=settings)
    assert (code, detail) == await refusal_of(opening)
    snapshot = await world.open_lobby(NORTH)
    choosing = world.service.lobby.choose_settings(world.caller(NORTH), snapshot.id, settings)
    assert (code, detail) == await refusal_of(choosing)


async def test_a_start_waits_if_the_clock_was_changed_unseen(world: World) -> None:
    snapshot = await world.open_lobby(NORTH, EAST)
    await world.service.lobby.choose_settings(world.caller(NORTH), snapshot.id, DAILY)
    start = world.service.lobby.start(world.caller(NORTH), snapshot.id, fill=True, expected_version=snapshot.version)
    assert TableCode.STALE_REQUEST is (await refusal_of(start))[0]


async def test_only_tables_played_in_the_last_week_fill_a_server(tmp_path: Path) -> None:
    class TwoTablesAllowed:
        async def open_table_limit(self, guild: int) -> int | None:
            return 2 if guild == GUILD else None

    async with open_world(tmp_path / "canasta.db", servers=TwoTablesAllowed()) as world:
        assert (2, 50) == (
            await world.service.opening.table_limit_of(GUILD),
            await world.service.opening.table_limit_of(GUILD + 1),
        )
        first = await world.start_game(NORTH)
        await world.service.lobby.leave(world.caller(NORTH), first.id)
        await world.open_lobby(NORTH)
        third = world.service.lobby.create(world.caller(EAST), channel=CHANNEL)
        assert (TableCode.TOO_MANY_TABLES, {"open": 2, "allowed": 2}) == await refusal_of(third)
        world.clock.advance(7 * DAY + 1)
        snapshot = await world.open_lobby(EAST)
        assert Status.LOBBY is snapshot.status
