"""The clock, the only code that reads the system time; also arithmetic with spans of time.

A span is half-open between two instants in UTC milliseconds. Sets of spans are ordered tuples of spans that do not
touch. They are the times in which a player's clock does not run.
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
    """The interface of a clock, which returns the time and sleeps."""

    def now(self) -> int:
        """Return the current instant in UTC milliseconds."""

    def monotonic(self) -> int:
        """Return the milliseconds of a clock that is never adjusted, to measure durations."""

    async def sleep(self, milliseconds: int) -> None:
        """Sleep for that many milliseconds; zero only yields to the event loop."""


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
    """Return one set of spans that covers the time of all the sets.

    Empty spans are removed, and touching ones merged.
    """
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


def running_time(stopped_spans: Spans, start: int, end: int) -> int:
    """Return for how many milliseconds a clock runs between two instants, stopped in `stopped_spans`."""
    return max(0, end - start) - covered_time(stopped_spans, start, end)


def instant_after(stopped_spans: Spans, start: int, amount: int) -> int:
    """Return the instant at which a clock has run for `amount` milliseconds since `start`.

    The clock stops during `stopped_spans`. If it has run so long exactly when it stops, the result is the instant
    at which it runs again (`docs/long-games.md`, 3).
    """
    instant, left = start, amount
    for one, other in stopped_spans:
        if other <= instant:
            continue
        if instant + left < one:
            break
        left -= max(0, one - instant)
        instant = other
    return instant + left
