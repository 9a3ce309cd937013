"""How long each side of a table has thought: for how long its clocks have run, as the table's log tells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.clocks.spans import length
from bot.tables.events import AnyEvent, ClockRuns, ClockStopped, SeatChanged
from bot.tables.record import TableState
from bot.tables.timing.timekeeping import FOR_EVER, Keeper


@dataclass(frozen=True, slots=True)
class _Run:
    """A person's clock that ran from one instant to another; `until` is None while it runs."""

    seat: int
    person: int | None
    since: int
    until: int | None = None


class ThinkingTime:
    """Reads a table's log, change by change."""

    def __init__(self, record: TableState) -> None:
        self._record = record
        self._seats: dict[int, int | None] = {}
        self._runs: list[_Run] = []
        self._open: _Run | None = None

    def read(self, at: int, events: Iterable[AnyEvent]) -> None:
        """What happened at that instant (UTC milliseconds)."""
        for event in events:
            if isinstance(event, SeatChanged):
                self._seats[event.seat] = event.holder.person
            elif isinstance(event, ClockRuns):
                self._stop(at)
                self._open = _Run(event.seat, self._seats.get(event.seat), event.since)
            elif isinstance(event, ClockStopped):
                self._stop(at)

    def _stop(self, at: int) -> None:
        if self._open is not None:
            self._runs.append(_Run(self._open.seat, self._open.person, self._open.since, at))
        self._open = None

    async def by_side(self, keeper: Keeper, now: int) -> tuple[int, ...]:
        """Milliseconds by side, up to now where a clock still runs; outages, quiet hours and vacations do not count."""
        self._stop(now)
        rules, terms = self._record.rules, self._record.settings.clock
        sums = [0] * rules.sides
        for run in self._runs:
            end = now if run.until is None else run.until
            if terms is None or run.person is None or end <= run.since:
                continue
            standing = await keeper.standing(run.person, run.since, end, terms=terms, off_until=FOR_EVER)
            sums[rules.side_of(run.seat)] += max(0, end - run.since - length(standing, run.since, end))
        return tuple(sums)
