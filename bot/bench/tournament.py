"""Measure a large Swiss tournament.

The figures are the bytes written by a step, the time to place a table and to build its pages, the time of draws, and
stalls of the event loop. Entries are pairs. In every round some tables are opened for real; results are made up. Bytes
are those of the rows that a step writes: the tournament's own, its parts, people and log.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter, process_time, thread_time

from bot.clocks.clock import HOUR, SystemClock
from bot.engine.rules.sets import rule_set
from bot.i18n import words
from bot.store.database import open_database
from bot.store.store import Store
from bot.store.tournaments import TournamentChange, TournamentStore
from bot.tables.service import TableService
from bot.tables.state.snapshots import Caller
from bot.tournaments.core.repository import TournamentRequest
from bot.tournaments.counted_results import Deal
from bot.tournaments.event import matches
from bot.tournaments.event.match_state import MatchState, Result
from bot.tournaments.event.plan import Plan
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.event.tournament_changes import with_match
from bot.tournaments.service import TournamentService
from cogs.tournament.wanted_messages import rounds_with_standings, wanted_messages

GUILD, CHANNEL, DIRECTOR = 1, 2, 10**9
PLACED = 12
"""Tables that are opened in each round."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this measurement."""
    parser.add_argument("--entries", type=int, default=1000, help="how many pairs play (default: 1000)")
    parser.add_argument("--rounds", type=int, default=11, help="rounds to play (default: 11)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the results (default: 1)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(arguments: argparse.Namespace) -> int:
    """Measure a large Swiss tournament and print the figures."""
    if arguments.entries < 4 or arguments.rounds < 1:
        print("canasta-bot bench tournament: at least four entries and one round")
        return 2
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(_measure_tournament(Path(folder) / "bench.db", arguments))
    if arguments.json:
        print(json.dumps(figures), flush=True)
        return 0
    print(f"{arguments.entries} entries, {arguments.rounds} rounds, seed {arguments.seed}")
    for name, value in figures.items():
        print(f"{name.replace('_', ' ')}: {value}")
    return 0


class _CountingStore(TournamentStore):
    """A store of tournaments that counts the bytes of its last write, as `written`."""

    written = 0

    async def commit(self, change: TournamentChange) -> bool:
        """Write a change of a tournament, and count its bytes."""
        self.written = (
            len(change.snapshot)
            + sum(len(one.value) for one in change.parts)
            + sum(len(one.name) + 16 for one in change.people)
            + len(change.step.detail)
        )
        return await super().commit(change)


class _Clock(SystemClock):
    """A clock that can be set forward."""

    def __init__(self) -> None:
        super().__init__()
        self.ahead = 0

    def now(self) -> int:
        return super().now() + self.ahead


class _StallWatch:
    """Measures the longest time for which the event loop did not switch tasks, in processor time.

    Processor time is used because other programs do not count in it.
    """

    def __init__(self) -> None:
        self.longest = 0.0

    async def watch(self) -> None:
        while True:
            began = thread_time()
            await asyncio.sleep(0.001)
            self.longest = max(self.longest, thread_time() - began)

    def take_longest_stall(self) -> float:
        """Return the longest stall since the last call of this method, in milliseconds."""
        found, self.longest = 1000 * self.longest, 0.0
        return round(found, 1)


async def _measure_tournament(path: Path, arguments: argparse.Namespace) -> Mapping[str, object]:
    database = await open_database(path)
    store, clock = Store(database), _Clock()
    store.tournaments = counting = _CountingStore(database)
    tables = TableService(store, clock)
    events = TournamentService(store, clock, tables, away=lambda: ())
    stalls = _StallWatch()
    watch = asyncio.create_task(stalls.watch())
    try:
        bench = _TournamentBench(events, clock, counting, stalls, random.Random(arguments.seed))
        return await bench.play(arguments.entries, arguments.rounds)
    finally:
        watch.cancel()
        with suppress(asyncio.CancelledError):
            await watch
        await events.playing.finish()
        await tables.finish()
        await store.close()


class _TournamentBench:
    """The measurement of one tournament, which it creates and plays."""

    def __init__(
        self,
        events: TournamentService,
        clock: _Clock,
        store: _CountingStore,
        stalls: _StallWatch,
        generator: random.Random,
    ) -> None:
        self._events = events
        self._clock = clock
        self._store = store
        self._stalls = stalls
        self._chance = generator
        self._requests = 0
        self._number = 0

    def _caller(self, person: int) -> Caller:
        self._requests += 1
        return Caller(person, f"Player {person}", GUILD, self._requests)

    async def play(self, entries: int, rounds: int) -> Mapping[str, object]:
        """Create and play the tournament, and return the figures of every round by name."""
        events, clock = self._events, self._clock
        plan = Plan(
            name="A large cup",
            rules=rule_set("classic", 4),
            deals=1,
            rounds=rounds,
            places=2 * entries,
            rated=False,
            starts_at=clock.now() + HOUR,
        )
        self._number = (await events.entering.create(self._caller(DIRECTOR), channel=CHANNEL, plan=plan)).id
        await events.entering.publish(self._caller(DIRECTOR), self._number)
        for one in range(1, 2 * entries, 2):
            partner = {one + 1: f"Player {one + 1}"}
            await events.entering.enter(self._caller(one), self._number, partners=partner)
            await events.entering.answer_partner_invitation(self._caller(one + 1), self._number, yes=True)
        entering = self._stalls.take_longest_stall()
        await self._run_until((await self._load_tournament()).plan.starts_at - plan.check_in_from)
        for one in range(1, 2 * entries + 1):
            await events.entering.check_in(self._caller(one), self._number)
        checking_in = self._stalls.take_longest_stall()
        seconds = await self._time_run_until((await self._load_tournament()).plan.starts_at - plan.check_in_until)
        rows = [await self._play_round() for _ in range(rounds)]
        return {
            "draw_seconds": [round(seconds, 2), *(row["draw_seconds"] for row in rows[:-1])],
            **{name: [row[name] for row in rows] for name in rows[0] if name != "draw_seconds"},
            "stall_entering_ms": entering,
            "stall_check_in_ms": checking_in,
        }

    async def _load_tournament(self) -> Tournament:
        return await self._events.overview.get_tournament(self._number)

    async def _run_until(self, instant: int) -> None:
        """Set the clock forward to the instant, and handle every alarm of the tournament due by then."""
        self._clock.ahead += max(0, instant - self._clock.now()) + 1
        for timer in await self._events.alarms.due_timers(self._clock.now(), 10):
            await self._events.alarms.fire_deadline(timer.table, timer.kind)
        await self._events.playing.finish()

    async def _time_run_until(self, instant: int) -> float:
        began = perf_counter()
        await self._run_until(instant)
        return perf_counter() - began

    async def _play_round(self) -> dict[str, float]:
        """Play the current round and return its figures by name, most of them in milliseconds."""
        turn = (await self._load_tournament()).current_round
        if turn is None:
            raise LookupError("no round is drawn")
        await self._run_until(turn.call_at)
        called = self._stalls.take_longest_stall()
        found = [one for one in (await self._load_tournament()).matches_of(turn.number) if one.result is None]
        placing, written = [], []
        for match in found[:PLACED]:
            began = process_time()
            await self._events.playing.set_match_channel(self._number, match.id, CHANNEL)
            await self._events.playing.finish()
            placing.append(1000 * (process_time() - began))
        placed = self._stalls.take_longest_stall()
        for match in found[:-1]:
            await self._end_match(match)
            written.append(self._store.written)
        results = self._stalls.take_longest_stall()
        pages = await self._time_pages(found[-2])
        await asyncio.sleep(0.01)  # the program builds pages in a thread, so the time above is no stall
        self._stalls.take_longest_stall()
        began = perf_counter()
        await self._end_match(found[-1])
        seconds = perf_counter() - began
        await self._events.playing.finish()
        return {
            "bytes_a_step": round(median(written)),
            "most_bytes_a_step": max(written),
            "place_cpu_ms": round(median(placing), 2),
            "draw_seconds": round(seconds, 2),
            "stall_call_ms": called,
            "stall_place_ms": placed,
            "stall_results_ms": results,
            "stall_draw_ms": self._stalls.take_longest_stall(),
            **pages,
        }

    async def _time_pages(self, match: MatchState) -> dict[str, float]:
        """Return the processor times of building the tournament's messages, in milliseconds.

        They are built twice: as after a start, and as after a step that changed one match. The places are computed
        before, outside the measured time.
        """
        view = await self._load_tournament()
        rounds = rounds_with_standings(view)
        places = {rounds[-1]: await self._events.overview.places(self._number, after_round=rounds[-1])}
        began = process_time()
        shown = wanted_messages(words(), view, places)
        first = 1000 * (process_time() - began)
        changed = replace(match, warned=match.warned + 1)
        after = with_match(view, changed)
        began = process_time()
        wanted_messages(words(), after, places, previous=view, posted={one.name for one in shown})
        return {"pages_cpu_ms": round(first, 1), "pages_after_step_cpu_ms": round(1000 * (process_time() - began), 1)}

    async def _end_match(self, match: MatchState) -> None:
        """Give a match a made-up result, as its table would."""
        net = self._chance.choice((900, 300, 0, -300, -900))
        deals = (Deal(number=1, scores=(1000 + net, 1000)),)
        winner = None if net == 0 else int(net < 0)

        async def give_result(tournament: Tournament, now: int) -> Tournament:
            result = Result(deals=deals, winner=winner, finished_at=now)
            return matches.set_result(tournament, match=match.id, result=result)

        asked = TournamentRequest("result", None, {"match": match.id, "table": match.id})
        await self._events.playing.change(self._number, asked, give_result)
