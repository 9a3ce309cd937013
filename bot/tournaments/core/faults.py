"""Faults: a failed task of a tournament is skipped, reported to directors and retried.

Source: `docs/tournaments.md` 2. A fault is stored as a row of its own, because the tournament itself may be what cannot
be read. A message about it is stored in the outbox in the same transaction.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeAlias
from zlib import crc32

from bot.clocks.clock import HOUR, MINUTE, Clock
from bot.logs import record_failure
from bot.store.outbox import FAULT, Promise
from bot.store.store import Store
from bot.store.tournaments import TournamentFault, TournamentOutline
from bot.tournaments.event.alarms import Alarm, AlarmKind, alarms
from bot.tournaments.event.tournament import Stage, Tournament

READ: Final = "read"
"""The stored tournament cannot be read."""

TABLES: Final = "tables"
"""The tournament's tables cannot be updated, or a result cannot be recorded."""

LONGEST_WAIT: Final = 64 * MINUTE

TOLD_AGAIN: Final = HOUR
"""Interval between two messages to directors about an ongoing fault."""

FaultKey: TypeAlias = tuple[str, int]
"""Identifies a failing task: `READ`, `TABLES` or an alarm kind, and its entry, match, board or round (0: none)."""

Fault: TypeAlias = TournamentFault
Outline: TypeAlias = TournamentOutline
"""`Fault` is a stored fault, `Outline` what is known of a tournament that cannot be read."""

logger = logging.getLogger("canasta.tournaments")


def fault_key_of(tournament: Tournament, alarm: Alarm) -> FaultKey:
    """Return the fault key of an alarm. The key of a round's call has the round's number."""
    turn = tournament.current_round
    number = turn.number if alarm.ring is AlarmKind.CALL and turn is not None else alarm.of
    return alarm.ring.value, number


class TournamentFaults:
    """The faults of all tournaments.

    `changed` is called with a tournament whose next alarm time has changed, and with that time.
    """

    def __init__(self, store: Store, clock: Clock, changed: Callable[[int, int | None], None]) -> None:
        self._store = store
        self._clock = clock
        self._changed = changed
        self._known: dict[int, dict[FaultKey, TournamentFault]] = {}
        self._loading: asyncio.Task[None] | None = None

    async def faults_of(self, tournament_number: int) -> dict[FaultKey, TournamentFault]:
        """Return the ongoing faults of a tournament by key."""
        if self._loading is None:
            self._loading = asyncio.ensure_future(self._load())
        await asyncio.shield(self._loading)
        return self._known.get(tournament_number, {})

    async def _load(self) -> None:
        for one in await self._store.tournaments.faults():
            if not one.mended:
                self._known.setdefault(one.tournament, {})[one.what, one.subject] = one

    def next_due_at(self, tournament: Tournament) -> int | None:
        """Return the instant of the tournament's next alarm or retry."""
        faults = self._known.get(tournament.id)
        found = alarms(tournament)
        if not faults:
            return found[0].at if found else None
        waits = [max(one.at, _next_attempt_at(faults.get(fault_key_of(tournament, one)))) for one in found]
        waits += [one.again_at for (what, _), one in faults.items() if what in (READ, TABLES)]
        return min(waits, default=None)

    async def record_failure(
        self, tournament_number: int, key: FaultKey, error: BaseException, tournament: Tournament | None
    ) -> None:
        """Record a failure; retry after 1, 2, 4 … 64 minutes, and report it at first and then hourly.

        `tournament` is the tournament if it can be read.
        """
        now, before = self._clock.now(), (await self.faults_of(tournament_number)).get(key)
        if before is not None and now < before.again_at:
            return  # another step met the same fault; its retry is not due yet
        tries = 1 if before is None else before.tries + 1
        wait = min(MINUTE << min(tries - 1, 10), LONGEST_WAIT)
        fault = TournamentFault(
            tournament=tournament_number,
            what=key[0],
            subject=key[1],
            code=_new_fault_code(tournament_number, key, now) if before is None else before.code,
            tries=tries,
            again_at=now + wait,
            told_at=now if before is None else before.told_at,
            mended=False,
        )
        tell = before is None or now - (before.told_at or 0) >= TOLD_AGAIN
        if before is None:
            record_failure(logger, f"{key[0]} {key[1]} (fault {fault.code})", error, tournament=tournament_number)
        await self._store_fault(replace(fault, told_at=now) if tell else fault, tournament, notify_directors=tell)

    async def record_recovery(self, tournament_number: int, key: FaultKey, tournament: Tournament) -> None:
        """Record that a task works again, and report that to the directors."""
        fault = (await self.faults_of(tournament_number)).get(key)
        if fault is not None:
            await self._store_fault(
                replace(fault, mended=True), tournament, notify_directors=tournament.stage is not Stage.CANCELLED
            )

    async def retry_now(self, tournament_number: int, key: FaultKey) -> None:
        """Make a fault due for a retry now; the waits after that keep their lengths."""
        known = await self.faults_of(tournament_number)
        if key in known:
            known[key] = replace(known[key], again_at=self._clock.now())

    async def end_obsolete_faults(self, tournament: Tournament) -> None:
        """End the faults of alarms that no longer exist.

        Their task was done by hand, or is no longer due.
        """
        faults = await self.faults_of(tournament.id)
        if not faults or tournament.is_paused:
            return
        going_on = {fault_key_of(tournament, one) for one in alarms(tournament)}
        for key in [one for one in faults if one[0] not in (READ, TABLES) and one not in going_on]:
            await self.record_recovery(tournament.id, key, tournament)

    async def _store_fault(
        self, fault: TournamentFault, tournament: Tournament | None, *, notify_directors: bool
    ) -> None:
        """Store a fault and, if `notify_directors` is set, promise a message about it to the directors."""
        key = fault.what, fault.subject
        known = self._known.setdefault(fault.tournament, {})
        if fault.mended:
            known.pop(key, None)
        else:
            known[key] = fault
        due = fault.again_at if tournament is None else self.next_due_at(tournament)
        outline = await self._store.tournaments.outline(fault.tournament)
        promise = Promise(
            kind=FAULT,
            key=f"{fault.tournament}:{fault.what}:{fault.subject}",
            guild=None if outline is None else outline.guild,
        )
        await self._store.tournaments.set_fault(fault, due, (promise,) if notify_directors else (), self._clock.now())
        self._store.outbox.notify_listener()
        self._changed(fault.tournament, due)


def _new_fault_code(tournament_number: int, key: FaultKey, now: int) -> str:
    """Return a four-digit code by which a host finds the fault in the log."""
    return f"{crc32(f'{tournament_number}:{key}:{now}'.encode()) & 0xFFFF:04x}"


def _next_attempt_at(fault: TournamentFault | None) -> int:
    """Return the instant of the fault's next attempt; 0 if there is no fault."""
    return 0 if fault is None else fault.again_at
