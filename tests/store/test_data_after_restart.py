"""A bot that is started again reads all data that was stored before."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.support.tables import CHANNEL, EAST, GUILD, NORTH, open_world


@pytest.mark.parametrize("rules", ["classic", "hand-and-foot", "samba"])
async def test_a_stored_game_is_read_after_a_restart(tmp_path: Path, rules: str) -> None:
    path, random = tmp_path / "canasta.db", Random(7)
    async with open_world(path) as world:
        table = (await world.service.lobby.create(world.caller(NORTH), channel=CHANNEL, rules=rules, players=4)).id
        await world.service.lobby.join(world.caller(EAST), table)
        await world.service.lobby.start(world.caller(NORTH), table, fill=True)
        await world.finish_deal(table, random)
        await world.service.play.begin_next_deal(world.caller(NORTH), table)
        for _ in range(30):
            await world.take_random_step(table, random)
        shown = await world.service.reading.snapshot(table)
        seats = [await world.service.reading.seat_snapshot(table, person=one, guild=GUILD) for one in (NORTH, EAST)]
    async with open_world(path, first_request=7_000_000) as world:
        assert shown == await world.service.reading.snapshot(table)
        assert seats == [
            await world.service.reading.seat_snapshot(table, person=one, guild=GUILD) for one in (NORTH, EAST)
        ]
        await world.take_random_step(table, random)
        assert shown.version < (await world.service.reading.snapshot(table)).version
