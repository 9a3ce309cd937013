"""The demo's other club members: they enter tournaments, check in, and play like computer players.

A person who tries the demo is alone, and a tournament needs company. These members call the same services as people
do, so tournaments treat them like anybody else.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.clocks.clock import SECOND, Clock
from bot.computer.player import ComputerPlayer
from bot.engine.moves.refusals import Refusal
from bot.logs import record_failure
from bot.series.refusals import SeriesRefusal
from bot.series.repository import SeriesChanged
from bot.series.service import SeriesService
from bot.store.errors import StoreError
from bot.tables.service import TableService
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import Caller, TableChanged
from bot.tournaments.core.repository import TournamentChanged
from bot.tournaments.event.match_state import MatchStage
from bot.tournaments.event.matches import absent_persons
from bot.tournaments.event.refusals import TournamentRefusal
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.event.tournament_changes import places_left
from bot.tournaments.service import TournamentService

ENTRY_DELAY: Final = 2 * SECOND
"""Time from a tournament's opening until members enter, so that visitors see them come."""

CHECK_IN_DELAY: Final = SECOND
"""Time from the question until members answer that they are there."""

PLACES_LEFT_FREE: Final = 2
"""The number of entries left to the visitors of the demo."""

_ASKED: Final = "asked by tournament"
"""Prefix of the names of tasks in which members answer a tournament; in all other tasks they play."""

_LOOK_SECONDS: Final = 0.01
_PATIENCE: Final = 500
"""Most checks for tables that wait for a member: one whose play fails is not waited for."""

_REASONS_TO_RETRY: Final = frozenset({TableCode.STALE_REQUEST, TableCode.TOO_FAST})
"""Refusals after which a member looks at the table again, because no change will call it."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Member:
    """A member of the demo's club."""

    person: int
    name: str


class ClubMembers:
    """The members of a guild who enter tournaments and play automatically.

    `pace` is the pause before a step, in milliseconds. The computer `players` are assigned to them in turn: if all
    played alike, every table of a duplicate would have the same result.
    """

    def __init__(
        self,
        tables: TableService,
        tournaments: TournamentService,
        series: SeriesService,
        players: Sequence[ComputerPlayer],
        clock: Clock,
        *,
        guild: int,
        members: Sequence[Member],
        pace: int,
    ) -> None:
        self._tables = tables
        self._tournaments = tournaments
        self._series = series
        self._players = dict(zip((one.person for one in members), itertools.cycle(players), strict=False))
        self._clock = clock
        self._guild = guild
        self._members = {member.person: member for member in members}
        self._pace = pace
        self._requests = itertools.count(clock.now() << 22)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._changed: set[str] = set()
        self._playing: set[int] = set()  # tables at which members are playing now
        self._turns = Counter[int]()  # turns played by members, by table
        self._hurry = False

    def start(self) -> None:
        """Let the members take part in tournaments from now on."""
        self._tables.subscribe(self._on_table_change)
        self._tournaments.subscribe(self._on_tournament_change)
        self._series.subscribe(self._on_series_change)

    async def stop(self) -> None:
        """Cancel what the members are doing, and wait until it has ended."""
        for task in tuple(self._tasks.values()):
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def wait_until_caught_up(self) -> None:
        """Wait until members have answered every tournament and played at all tables that wait for them.

        Otherwise a visitor who lets time pass would make them miss a check-in, or lose on time.
        """
        while asked := [task for name, task in self._tasks.items() if name.startswith(_ASKED) and not task.done()]:
            await asyncio.wait(asked)
        before, self._hurry = self._turns.copy(), True
        for _ in range(_PATIENCE):
            if all(before[table] != self._turns[table] for table in self._playing):
                break
            await asyncio.sleep(_LOOK_SECONDS)
        self._hurry = False

    def _caller(self, person: int) -> Caller:
        return Caller(person, self._members[person].name, self._guild, next(self._requests))

    # --- tournaments -------------------------------------------------------------------------------------------------

    def _on_tournament_change(self, changed: TournamentChanged) -> None:
        if changed.kind in ("publish", "clock"):
            self._start_work(f"{_ASKED} {changed.tournament}", partial(self._join_tournament, changed.tournament))
        elif changed.kind == "table":
            self._start_work(
                f"{_ASKED} at tables of {changed.tournament}", partial(self._confirm_presence, changed.tournament)
            )

    async def _join_tournament(self, number: int) -> None:
        """Enter the members into a tournament, and check them in when it calls for that."""
        tournament = await self._tournaments.overview.get_tournament(number)
        wait = CHECK_IN_DELAY if tournament.stage is Stage.CHECK_IN else ENTRY_DELAY
        await asyncio.sleep(wait / SECOND)
        tournament = await self._tournaments.overview.get_tournament(number)
        if tournament.guild != self._guild:
            return
        if tournament.stage is Stage.OPEN:
            await self._enter_members(tournament)
        elif tournament.stage is Stage.CHECK_IN:
            for person in self._members:
                if tournament.entry_of(person) is not None:
                    await self._tournaments.entering.check_in(self._caller(person), number)

    async def _confirm_presence(self, number: int) -> None:
        """Mark the members as present at every table to which they are called."""
        await asyncio.sleep(CHECK_IN_DELAY / SECOND)
        tournament = await self._tournaments.overview.get_tournament(number)
        for match in tournament.matches:
            if match.stage is MatchStage.PLAYING and tournament.guild == self._guild:
                for person in absent_persons(match):
                    if person in self._members:
                        await self._tournaments.entering.mark_arrived(person, number, match.id)

    async def _enter_members(self, tournament: Tournament) -> None:
        """Enter all missing members, partners together, while places for other people stay free."""
        each = tournament.plan.persons_entering_together
        free = [person for person in self._members if tournament.entry_of(person) is None]
        for first in range(0, len(free) - each + 1, each):
            snapshot = await self._tournaments.overview.get_tournament(tournament.id)
            if places_left(snapshot) < each * (1 + PLACES_LEFT_FREE):
                return
            captain, *others = free[first : first + each]
            partners = {one: self._members[one].name for one in others}
            await self._tournaments.entering.enter(self._caller(captain), tournament.id, partners=partners)
            for one in others:
                await self._tournaments.entering.answer_partner_invitation(self._caller(one), tournament.id, yes=True)

    # --- series ------------------------------------------------------------------------------------------------------

    def _on_series_change(self, changed: SeriesChanged) -> None:
        if changed.kind in ("night", "ask", "sign_up"):
            self._start_work(f"series {changed.series}", partial(self._answer_series, changed.series))

    async def _answer_series(self, number: int) -> None:
        """Let the members accept places in a final and in the next season of divisions."""
        await asyncio.sleep(ENTRY_DELAY / SECOND)
        series = await self._series.get_series(number)
        if series.guild != self._guild:
            return
        for one in () if series.asking is None else series.asking.asked:
            if one.answer is None and one.person in self._members:
                await self._series.answer_invitation(self._caller(one.person), number, yes=True)
        for person in () if series.plan.divisions is None else self._members:
            with contextlib.suppress(TournamentRefusal):  # the partner was quicker, or the entry has just been made
                await self._series.enter_next_season(self._caller(person), number)

    # --- tables ------------------------------------------------------------------------------------------------------

    def _on_table_change(self, changed: TableChanged) -> None:
        if changed.contest is not None:
            self._start_work(f"table {changed.table}", partial(self._play_turns, changed.table))

    async def _play_turns(self, table: int) -> None:
        """Play at the table as long as it is a member's turn."""
        self._playing.add(table)
        try:
            await self._play_while_members_act(table)
        finally:
            self._playing.discard(table)

    async def _play_while_members_act(self, table: int) -> None:
        before = None
        while (person := await self._member_to_act(table)) is not None:
            self._turns[table] += person != before
            before = person
            await self._clock.sleep(0 if self._hurry else self._pace)
            snapshot = await self._tables.reading.snapshot(table)
            seen = await self._tables.reading.seat_snapshot_of(table, person)
            if seen.view is None or await self._member_to_act(table) != person:
                continue
            step = self._players[person].choose(seen.view).step
            try:
                await self._tables.play.act(self._caller(person), table, step, expected_version=snapshot.version)
            except TableRefusal as refusal:
                if refusal.code not in _REASONS_TO_RETRY:
                    raise
                await self._clock.sleep(SECOND)

    async def _member_to_act(self, table: int) -> int | None:
        """Return the member whose turn it is at the table, or None."""
        snapshot = await self._tables.reading.snapshot(table)
        actor = None if snapshot.view is None or snapshot.pause is not None else snapshot.view.actor
        person = None if actor is None else snapshot.seats[actor].person
        return person if person in self._members else None

    # --- tasks -------------------------------------------------------------------------------------------------------

    def _start_work(self, work_name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Start the work, or repeat it if it is running, since it may have missed the latest change."""
        self._changed.add(work_name)
        running = self._tasks.get(work_name)
        if running is None or running.done():
            self._tasks[work_name] = asyncio.ensure_future(self._work_until_unchanged(work_name, work))

    async def _work_until_unchanged(self, work_name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Repeat the work, which the log calls `work_name`, until nothing has changed during it."""
        while work_name in self._changed:
            self._changed.discard(work_name)
            await self._run_logged(work_name, work())

    async def _run_logged(self, work_name: str, work: Awaitable[None]) -> None:
        """Run the work once and log an error that it raises."""
        try:
            await work
        except (TableRefusal, TournamentRefusal, SeriesRefusal, Refusal) as refusal:
            logger.info("%s: %s", work_name, refusal.code.value)
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 - the club plays on elsewhere
            record_failure(logger, f"{work_name}: the club's play", error)
