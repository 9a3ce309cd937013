"""The number of requests per turn when many games are played at once."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from bot.loopback.people import Person
from bot.loopback.process import BotProcess
from bot.loopback.rest import RestServer
from bot.loopback.world import WITHOUT_THREADS
from tests.support.forked_processes import running_forked_bot
from tests.wire.board_player import DatabaseReader, Player, wait_until_boards_are_right, wait_until_computers_have_moved

TABLES = int(os.environ.get("WIRE_TABLES", "12"))
"""How many tables play at once; 200 in the long run of it."""

TURNS = 1


async def start_player(rest: RestServer, bot: BotProcess, number: int) -> Player:
    """Return a person in turn with three computer players, at a table in a channel of its own.

    A few people arrive at a time.
    """
    person = Person(rest, rest.world.add_channel(f"table-{number}", WITHOUT_THREADS), f"player-{number}")
    await person.use_command("table new", computers=3)
    stored = DatabaseReader(bot.database)
    (table,) = [
        one for (one,) in stored.query_database("SELECT id FROM tables WHERE channel_id = ?", person.channel.id)
    ]
    player = Player(person, table, stored)
    await player.start_game()
    await wait_until_computers_have_moved(stored, computers_done=table)
    return player


async def play_turns(player: Player, random: Random) -> None:
    """Play several turns with the pauses of a person who thinks."""
    for _ in range(TURNS):
        await asyncio.sleep(random.uniform(0, TABLES / 10))
        await player.play_turn(thinking=random.uniform(1, 2))


async def test_a_turn_costs_at_most_three_requests_and_many_tables_stay_in_the_limit(
    rest: RestServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each player takes twelve turns against three computer players, as quickly as people play."""
    async with running_forked_bot(rest, tmp_path, tables_per_server=str(TABLES)) as bot:
        stored = DatabaseReader(bot.database)
        door = asyncio.Semaphore(8)

        async def let_player_arrive(number: int) -> Player:
            async with door:
                return await start_player(rest, bot, number)

        players = await asyncio.gather(*map(let_player_arrive, range(TABLES)))
        await wait_until_boards_are_right(rest, stored, seconds=60)
        begun = time.monotonic()
        await asyncio.gather(*(play_turns(player, Random(player.table)) for player in players))
        stopped = time.monotonic()
        await wait_until_boards_are_right(rest, stored, seconds=60)
        took, made = time.monotonic() - stopped, rest.channel_requests(begun)
        each, kinds = len(made) / (TABLES * TURNS), dict(Counter(one.method for one in made))
        with capsys.disabled():
            sys.stdout.write(
                f"\n{TABLES} tables: {each:.2f} requests to channels a turn {kinds}, busiest second"
                f" {rest.limits.busiest}, right {took:.1f} s after the last move\n"
            )
        assert each <= 3
        assert [] == rest.limits.broken
        assert " ERROR " not in bot.log
