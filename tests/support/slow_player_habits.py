"""Habits of people who play slow games: when they sleep, forget, are on vacation, leave and return."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from random import Random
from zoneinfo import ZoneInfo

from bot.clocks.clock import MINUTE
from bot.clocks.quiet_hours import QuietWindow
from bot.clocks.time_rules import DAY
from tests.support.clock import START

ZONES = ("Europe/Rome", "America/New_York", "Asia/Jakarta", "America/Montevideo", "Africa/Johannesburg")
STEP = 15 * MINUTE
NEVER = START + 10_000 * DAY


@dataclass(slots=True)
class Habits:
    """A person's habits of play; `looks` is the number of visits per day while awake.

    There are spans in which the person forgets all games, is on planned vacation (`away`) or outside the server
    (`gone`). From `leaves_at` on the person gives up every seat for good.
    """

    person: int
    window: QuietWindow | None
    looks: int
    forgets: tuple[int, int] | None = None
    leaves_at: int | None = None
    away: tuple[int, int] | None = None
    gone: tuple[int, int] | None = None

    def is_quiet(self, instant: int) -> bool:
        """Return whether the instant is in the person's quiet hours, by the clock of their time zone."""
        window = self.window
        if window is None:
            return False
        local = datetime.fromtimestamp(instant / 1000, ZoneInfo(window.zone))
        into = (local.hour * 60 + local.minute - window.start) % (24 * 60)
        return into < 60 * window.hours

    def is_outside_server(self, instant: int) -> bool:
        """Return whether the person is outside the server at that instant."""
        return _is_within(self.gone, instant)

    def has_given_up_seats(self, instant: int) -> bool:
        """Return whether the person has given up every seat by that instant."""
        return self.leaves_at is not None and instant >= self.leaves_at

    def is_visiting(self, instant: int) -> bool:
        """Return whether the person can visit games at that instant."""
        if self.has_given_up_seats(instant) or self.is_outside_server(instant):
            return False
        return not (self.is_quiet(instant) or _is_within(self.forgets, instant) or _is_within(self.away, instant))


def _is_within(span: tuple[int, int] | None, instant: int) -> bool:
    """Return whether the instant lies in the span."""
    return span is not None and span[0] <= instant < span[1]


SORTS = ("forgets", "away", "leaves", "gone", "gone for good", "vanishes", "plain", "plain", "plain", "plain")
"""The sorts of ten people: one each forgets, goes on vacation and so on; four are ordinary."""


def random_people(random: Random, count: int) -> dict[int, Habits]:
    """Return that many people by number; every ten of them include each sort of `SORTS`."""
    return {person: _random_habits(random, person) for person in range(1, count + 1)}


def _random_habits(random: Random, person: int) -> Habits:
    window = QuietWindow(random.choice(ZONES), random.randrange(20, 26) % 24 * 60, random.randrange(6, 11))
    found = Habits(person, None if random.random() < 0.2 else window, random.choice((2, 3, 4, 8)))
    sort, start = SORTS[person % len(SORTS)], START + random.randrange(2, 20) * DAY
    span = start, start + random.randrange(3, 12) * DAY
    if sort == "forgets":
        found.forgets = span
    elif sort == "away":
        found.away = span
    elif sort == "leaves":
        found.leaves_at = start
    elif sort == "vanishes":
        found.forgets = start, NEVER
    elif sort == "gone":
        found.gone = span
    elif sort == "gone for good":
        found.gone = start, NEVER
    return found


def chargeable_time(habits: Habits, stopped_spans: Iterable[tuple[int, int]], *, since: int, until: int) -> int:
    """Return how much time, in milliseconds, counts against a person who owes an action.

    Quiet hours do not count, nor do `stopped_spans`: the outages of the bot, and the person's days of vacation.
    """
    spans = [span for span in stopped_spans if span[0] < until and span[1] > since]
    cuts = {since, until} | {one for span in spans for one in span if since < one < until}
    cuts |= {instant for instant in range(since - since % STEP, until, STEP) if since < instant}
    stretches = pairwise(sorted(cuts))
    return sum(
        end - start
        for start, end in stretches
        if not habits.is_quiet(start) and not any(one <= start < other for one, other in spans)
    )
