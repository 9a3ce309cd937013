"""The clock, which is the only code that reads the system time, and spans of time.

A span is half-open between two instants in UTC milliseconds. A set of spans is an ordered tuple of spans that do not
touch. Players' clocks stop during spans and run between them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import Final, Protocol, TypeAlias

SECOND: Final = 1_000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
"""Milliseconds."""

MOST_SKEW: Final = 2 * SECOND
"""By how much the clock of a machine may differ from the database's, in milliseconds."""


class Clock(Protocol):
    """Returns the time, and sleeps."""

    def now(self) -> int:
        """Return UTC milliseconds."""

    def monotonic(self) -> int:
        """Return milliseconds of a clock that is never adjusted, for measuring durations."""

    async def sleep(self, milliseconds: int) -> None:
        """Sleep that long; zero only yields to the event loop."""


class SystemClock:
    """The machine's clock."""

    def now(self) -> int:
        return time.time_ns() // 1_000_000

    def monotonic(self) -> int:
        return time.monotonic_ns() // 1_000_000

    async def sleep(self, milliseconds: int) -> None:
        await asyncio.sleep(milliseconds / SECOND)


Span: TypeAlias = tuple[int, int]
"""From an instant up to, and without, a later one."""

Spans: TypeAlias = tuple[Span, ...]


def merge_spans(*sets: Iterable[Span]) -> Spans:
    """Return the time covered by any of the sets, with empty spans removed and touching ones merged."""
    joined: list[Span] = []
    for start, end in sorted(span for spans in sets for span in spans if span[0] < span[1]):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], end)
        else:
            joined.append((start, end))
    return tuple(joined)


def clip_spans(spans: Spans, start: int, end: int) -> Spans:
    """Return the parts of the spans between two instants."""
    cut = ((max(one, start), min(other, end)) for one, other in spans)
    return tuple((one, other) for one, other in cut if one < other)


def covered_time(spans: Spans, start: int, end: int) -> int:
    """Return how many milliseconds between two instants the spans cover."""
    return sum(other - one for one, other in clip_spans(spans, start, end))


def running_time(standing: Spans, start: int, end: int) -> int:
    """Return how long a clock runs between two instants if it stops during the spans `standing`."""
    return max(0, end - start) - covered_time(standing, start, end)


def instant_after(standing: Spans, start: int, amount: int) -> int:
    """Return the instant at which a clock has run for `amount` milliseconds since `start`.

    If that is the moment at which the clock stops, the result is when it runs again (`docs/long-games.md`, 3).
    """
    instant, left = start, amount
    for one, other in standing:
        if other <= instant:
            continue
        if instant + left < one:
            break
        left -= max(0, one - instant)
        instant = other
    return instant + left
