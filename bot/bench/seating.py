"""Measure how long the tables of a large round wait for their threads and calls.

Two processes talk over real sockets on this machine: the loopback Discord with its people (this one), and the bot with
a Swiss of drawn pairs who check in by a button. `last_called_s` are the seconds from the instant of the call until the
last table has its thread with the message that calls its players. Discord does not publish its limit for new threads in
a channel. `--limit` sets how many requests per route and channel the loopback allows in 5 seconds; 0, the default, sets
no limit.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import time
from typing import Any, Final

from bot.bench.discord import processor_seconds
from bot.bench.discord_profile import milliseconds_by_part
from bot.clocks.clock import MINUTE, SECOND, SystemClock
from bot.engine.rules.sets import rule_set
from bot.loopback.people import Person
from bot.loopback.process import PROGRAM, run_bot
from bot.loopback.rate_limits import OF_A_CHANNEL, RateLimits
from bot.loopback.rest import THREAD_CREATED, RestServer
from bot.loopback.server import loopback_discord
from bot.loopback.world import Channel, Json, World, all_components
from bot.store.store import open_store
from bot.tables.service import TableService
from bot.tables.state.snapshots import Caller
from bot.tournaments.event.plan import Plan
from bot.tournaments.service import TournamentService

TABLES: Final = 64
DELAY: Final = 100
BEFORE_CHECK_IN_ENDS: Final = 30 * SECOND
A_PERSON: Final = SECOND // 5
CLOSED_BEFORE: Final = 8 * SECOND
"""Milliseconds between the end of check-in and the call; the first round is drawn meanwhile."""

AT_ONCE: Final = 20
"""People who press the button of check-in at the same time."""

PATIENCE: Final = 300
POLLING: Final = 0.02

DIRECTOR: Final = 10**9


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this measurement."""
    parser.add_argument("--tables", type=int, default=TABLES, help=f"tables of the round (default: {TABLES})")
    parser.add_argument(
        "--delay", type=int, default=DELAY, help=f"milliseconds that Discord takes to answer (default: {DELAY})"
    )
    parser.add_argument(
        "--limit",
        type=int,
        default=0,
        help=f"requests a route and channel in 5 seconds, such as {OF_A_CHANNEL} (default: 0, no such limit)",
    )
    parser.add_argument("--profile", action="store_true", help="also tell where the bot's processor time goes")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(arguments: argparse.Namespace) -> int:
    """Measure how a large round is seated and print the figures."""
    if arguments.tables < 2 or arguments.delay < 0 or arguments.limit < 0:
        print("canasta-bot bench seating: at least two tables, and no negative numbers")
        return 2
    with TemporaryDirectory() as folder:
        figures = asyncio.run(_measure_seating(Path(folder), arguments))
    if arguments.json:
        print(json.dumps(figures))
        return 0
    for name, value in figures.items():
        print(f"{name.replace('_', ' ')}: {value}")
    return 0


@dataclass(frozen=True, slots=True)
class _Round:
    """A tournament's round: its people, its channel, and when its tables are called (UTC ms)."""

    rest: RestServer
    channel: Channel
    people: Sequence[Person]
    call_at: int

    def count_called_tables(self) -> int:
        """Return the number of tables with a thread in which their players have been called."""
        return sum(
            any(_find_control(one, "t_hand") for one in thread.messages.values()) for thread in self.rest.world.threads
        )

    def count_thread_messages(self) -> int:
        """Return how many of Discord's own messages about new threads are in the channel."""
        return sum(one["type"] == THREAD_CREATED for one in self.channel.messages.values())

    async def press_check_in_for_everybody(self) -> None:
        """Let all people click the button for checking in, several at a time."""
        left = iter(self.people)
        message = await self._wait_for_message_with("t_here")

        async def press() -> None:
            for one in left:
                await one.use_control(message, _find_control(message, "t_here") or {})

        await asyncio.gather(*(press() for _ in range(AT_ONCE)))

    async def _wait_for_message_with(self, action: str) -> Json:
        """Wait until the channel has a message with the control of this action, and return the message."""
        while True:
            for one in self.channel.messages.values():
                if _find_control(one, action):
                    return one
            self.rest.posted.clear()
            await self.rest.posted.wait()


def _find_control(message: Json, action: str) -> Json | None:
    """Return the control of a message whose custom id has this action; None if there is none."""
    found = (one for one in all_components(message["components"]) if action in str(one.get("custom_id", "")).split(":"))
    return next(found, None)


async def _measure_seating(folder: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    """Let the bot seat a round, and return the figures by name."""
    world, told = World(), folder / "profile.jsonl"
    program = ("bot.loopback.profiled_bot", str(told)) if arguments.profile else PROGRAM
    async with loopback_discord(world) as rest:
        rest.faults.delay = arguments.delay / 1000
        rest.limits = RateLimits(of_a_channel=arguments.limit or 10**9)
        channel = world.add_channel("tournaments")
        people = [Person(rest, channel, f"Player {number}") for number in range(4 * arguments.tables)]
        call_at = SystemClock().now() + BEFORE_CHECK_IN_ENDS + A_PERSON * len(people) + CLOSED_BEFORE
        await _store_swiss_tournament(folder / "canasta.db", channel, people, call_at)
        turn = _Round(rest, channel, people, call_at)
        async with run_bot(rest, folder, program=program) as bot:
            await turn.press_check_in_for_everybody()
            checked_in = len(rest.requests)
            await asyncio.sleep(max(0.0, call_at / 1000 - time() - 1))
            if arguments.profile:
                bot.process.send_signal(signal.SIGUSR1)
            before, spent = len(rest.requests), processor_seconds(bot.process.pid)
            figures = await _wait_for_calls(turn, arguments.tables)
            figures["processor_ms_a_table"] = round(
                1000 * (processor_seconds(bot.process.pid) - spent) / arguments.tables, 1
            )
            figures["requests"] = _requests_by_route(rest, before)
            figures["channel_tidy_s"] = await _wait_until_notices_deleted(turn)
            figures["requests_in_all"] = _requests_by_route(rest, before)
            figures["requests_before_the_call"] = before - checked_in
            if arguments.profile:
                bot.process.send_signal(signal.SIGUSR1)
                await asyncio.sleep(1)
        figures["limits_broken"] = len(rest.limits.broken)
        if arguments.profile:
            figures["processor_ms_a_table_by_part"] = milliseconds_by_part(told.read_text("utf-8"), arguments.tables)
    return figures


async def _wait_for_calls(tournament_round: _Round, tables: int) -> dict[str, Any]:
    """Wait until all tables are called; return the times of the first, median and last call."""
    seconds: list[float] = []
    while len(seconds) < tables:
        after = time() - tournament_round.call_at / 1000
        if after > PATIENCE:
            break
        seconds += [after] * (tournament_round.count_called_tables() - len(seconds))
        await asyncio.sleep(POLLING)
    seconds = [round(one, 2) for one in seconds]
    return {
        "tables": tables,
        "called": len(seconds),
        "first_called_s": seconds[0] if seconds else None,
        "median_called_s": seconds[len(seconds) // 2] if seconds else None,
        "last_called_s": seconds[-1] if seconds else None,
    }


async def _wait_until_notices_deleted(tournament_round: _Round) -> float:
    """Wait until Discord's own messages are deleted; return the seconds from the call until then."""
    for _ in range(round(PATIENCE / POLLING)):
        if not tournament_round.count_thread_messages():
            break
        await asyncio.sleep(POLLING)
    return round(time() - tournament_round.call_at / 1000, 2)


def _requests_by_route(rest: RestServer, since: int) -> Mapping[str, int]:
    """Return the number of requests by route, without the first `since` requests."""
    found = Counter(
        f"{one.method} {'/'.join(_mask_id(part) for part in one.path.split('/'))}" for one in rest.requests[since:]
    )
    return dict(found.most_common())


def _mask_id(part: str) -> str:
    return "#" if part.isdecimal() else part


async def _store_swiss_tournament(database: Path, channel: Channel, people: Sequence[Person], call_at: int) -> None:
    """Store a Swiss of pairs in that channel, whose round is called at the instant `call_at`.

    All people have entered it.
    """
    async with open_store(database) as store:
        clock = SystemClock()
        tables = TableService(store, clock)
        events = TournamentService(store, clock, tables, away=lambda: ())
        plan = Plan(
            name="A large cup",
            rules=rule_set("classic", 4),
            rounds=5,
            drawn=True,  # drawn pairs, so that the bot posts no questions to partners meanwhile
            places=len(people),
            starts_at=call_at,
            check_in_from=call_at - clock.now() + MINUTE,
            check_in_until=CLOSED_BEFORE,
        )
        made = iter(range(1, 10**6))

        def caller(person: int, name: str) -> Caller:
            return Caller(person, name, channel.guild, next(made))

        number = (await events.entering.create(caller(DIRECTOR, "Vera"), channel=channel.id, plan=plan)).id
        await events.entering.publish(caller(DIRECTOR, "Vera"), number)
        for one in people:
            await events.entering.enter(caller(one.id, one.name), number)
        await events.playing.finish()
        await tables.finish()
