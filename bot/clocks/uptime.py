"""Uptime: when the bot was available to its players, and when not.

While the bot is ready, it records a heartbeat every few seconds. After a crash the time since the last heartbeat is an
outage, however short. A lost connection to Discord is an outage from the moment it was lost. Durations come from a
clock that never jumps: if the wall clock is set forward, the skipped hours are an outage too. No player is charged for
outages.
"""

from __future__ import annotations

from typing import Final

from bot.clocks.clock import MINUTE, SECOND, Clock, Spans, merge_spans
from bot.store.timers_and_uptime import Outage, TimeStore

HEARTBEAT_INTERVAL: Final = 15 * SECOND
"""Time between two records that the bot is ready, in milliseconds."""

LONGEST_SILENCE: Final = MINUTE
"""The longest time without a heartbeat that is not an outage, unless another one is given."""

LEAST_JUMP: Final = SECOND
"""The least gain of the wall clock on the steady one that means that it was set forward."""


class Uptime:
    """Records when the bot was ready; one instance per process.

    A gap of more than `silence` milliseconds in the records was an outage.
    """

    def __init__(self, times: TimeStore, clock: Clock, *, silence: int = LONGEST_SILENCE) -> None:
        self._times = times
        self._clock = clock
        self._silence = silence
        self._outages: Spans = ()
        self._first_start = 0
        self._lost_at: int | None = None
        self._wall: int | None = None
        self._steady = 0
        self._noted: int | None = None

    @property
    def last_outage_end(self) -> int:
        """The instant at which the bot last came back; 0 if it was never away."""
        return self._outages[-1][1] if self._outages else 0

    def get_last_outage_end(self) -> int:
        """Return the instant at which the bot last came back; 0 if it was never away."""
        return self.last_outage_end

    @property
    def first_start(self) -> int:
        """The instant at which the bot was first ready; 0 if it has never been ready."""
        return self._first_start

    async def load(self) -> None:
        """Load the records of earlier processes; the time since the last record is an outage."""
        self._outages = merge_spans((one.start_at, one.end_at) for one in await self._times.outages())
        self._lost_at = await self._times.last_heartbeat()
        self._first_start = await self._times.first_heartbeat() or 0

    def outages(self) -> Spans:
        """Return the spans in which the bot was away, up to now."""
        running = self._outage_start()
        return self._outages if running is None else merge_spans(self._outages, ((running, self._clock.now()),))

    def note_connection_lost(self) -> None:
        """Record that the connection to Discord is lost."""
        if self._lost_at is None and self._wall is not None:
            self._lost_at = self._outage_start() or self._clock.now()

    def note_not_ready(self) -> None:
        """Record that the bot is found not ready.

        All time since the last record is an outage, as after a crash: a database may have been away before the first
        write that noticed it.
        """
        if self._lost_at is None:
            self._lost_at = self._outage_start() or self._noted

    async def note_ready(self) -> None:
        """Record that the bot is ready; time missed before is stored as one outage."""
        now, steady, away_from = self._clock.now(), self._clock.monotonic(), self._outage_start()
        outage = None if away_from is None or away_from >= now else Outage(away_from, now)
        due = self._noted is None or now - self._noted >= HEARTBEAT_INTERVAL or now < self._noted
        if outage is not None or due:
            await self._times.note_heartbeat(now, outage)
            self._noted, self._first_start = now, self._first_start or now
        if outage is not None:
            self._outages = merge_spans(self._outages, ((outage.start_at, outage.end_at),))
        self._lost_at, self._wall, self._steady = None, now, steady

    def _outage_start(self) -> int | None:
        """Return the start of the current outage; None if there is none."""
        if self._lost_at is not None or self._wall is None:
            return self._lost_at
        now = self._clock.now()
        ran = self._clock.monotonic() - self._steady
        if now - self._wall - ran > LEAST_JUMP:
            return self._wall if ran > self._silence else self._wall + ran
        return self._wall if ran > self._silence else None
