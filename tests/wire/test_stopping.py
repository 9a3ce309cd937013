"""On SIGTERM during play the bot ends with status 0 in time, and acknowledged actions are stored.

The next bot goes on with them.
"""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from random import Random

import pytest

from bot.heartbeat_file import read_heartbeat
from bot.loopback.people import Person
from bot.loopback.process import BotProcess
from bot.loopback.rest import RestServer
from bot.loopback.world import WITHOUT_THREADS
from bot.operations.table_rebuilding import table_fault
from bot.store.upkeep.offline_databases import open_file_for_reading
from tests.support.forked_processes import running_forked_bot
from tests.support.seeds import SEARCHING, seeds
from tests.wire.board_player import DatabaseReader, Player, wait_until_boards_are_right

SECONDS_TO_STOP = 20.0

STOPS = 2
"""Number of signals in a game, a hundred by night; a fourth short start in a day would be delayed."""


async def end_bot(bot: BotProcess) -> int:
    """Send SIGTERM and return the status with which the bot ends."""
    bot.process.send_signal(signal.SIGTERM)
    return await asyncio.wait_for(bot.process.wait(), SECONDS_TO_STOP)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("seed", seeds(2 if SEARCHING else 1))
async def test_a_signal_in_play_loses_nothing(seed: int, rest: RestServer, tmp_path: Path) -> None:
    random = Random(seed)
    host = Person(rest, rest.world.add_channel("canasta", WITHOUT_THREADS), "host")
    acknowledged = 0
    for start in range(STOPS):
        async with running_forked_bot(rest, tmp_path, computer_pace="0.05") as bot:
            stored = DatabaseReader(bot.database)
            player = Player(host, 1, stored)
            if start == 0:
                await host.use_command("table new", players=2, computers=1)
                await player.start_game()
            assert acknowledged <= stored.version(1), "an acknowledged move is gone"
            playing = asyncio.create_task(player.play_turn())
            await asyncio.sleep(random.uniform(0.1, 0.8))
            acknowledged = stored.version(1)
            assert 0 == await end_bot(bot)
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            assert " ERROR " not in bot.log
        sign = read_heartbeat(tmp_path / "canasta.db")
        assert sign is not None
        assert "stopping" == sign.state
        with open_file_for_reading(tmp_path / "canasta.db") as file:
            assert "" == table_fault(file, 1)
    async with running_forked_bot(rest, tmp_path) as bot:
        await wait_until_boards_are_right(rest, DatabaseReader(bot.database), seconds=20)


async def test_stopping_finishes_a_slow_board_without_reporting_a_fault(rest: RestServer, tmp_path: Path) -> None:
    """Parts that end because the bot stops are no faults, however long the last requests take."""
    host = Person(rest, rest.world.add_channel("canasta", WITHOUT_THREADS), "host")
    async with running_forked_bot(rest, tmp_path) as bot:
        await host.use_command("table new", players=2)
        await wait_until_boards_are_right(rest, DatabaseReader(bot.database), seconds=20)
        rest.faults.delay = 1.0
        closing = asyncio.create_task(host.use_command("table close"))
        async with asyncio.timeout(20):
            while not [one for one in rest.requests if one.method in ("PATCH", "DELETE")]:
                await asyncio.sleep(0.01)
        assert 0 == await end_bot(bot)
        closing.cancel()
        assert "has ended" not in bot.log


async def test_a_second_signal_ends_the_bot_at_once(rest: RestServer, tmp_path: Path) -> None:
    host = Person(rest, rest.world.add_channel("canasta", WITHOUT_THREADS), "host")
    async with running_forked_bot(rest, tmp_path) as bot:
        await host.use_command("table new", players=2)
        bot.process.send_signal(signal.SIGTERM)
        bot.process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(bot.process.wait(), SECONDS_TO_STOP) in (0, 1)
    with open_file_for_reading(tmp_path / "canasta.db") as file:
        assert "" == table_fault(file, 1)
