"""The rules of game clocks: a player's time, charges to it, and when it runs out. Pure arithmetic.

Amounts are milliseconds, instants UTC milliseconds. A clock runs while its person must move or answer, and stops during
the given spans: outages of the bot, quiet hours, days of vacation (`docs/long-games.md`, 3).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from bot.clocks.clock import HOUR, MINUTE, SECOND, Span, Spans, instant_after, running_time

DAY: Final = 24 * HOUR
LEAST_SLOW_BANK: Final = 12 * HOUR
"""The least bank of a slow clock, which stops in quiet hours and on vacation, and sends reminders."""

SLOW_AFTER_OUTAGE: Final = 15 * MINUTE

PRESENT_FOR: Final = 72 * HOUR
"""How long a person counts as present after being seen, without outages and times in which the table stood."""

MOST_DAYS_A_TURN: Final = 2
"""The most days of vacation taken automatically in one turn."""

GRACE: Final = 5 * SECOND
"""Time between the end of a clock and its effect, so that a move made in time is stored first."""


class ClockProblem(StrEnum):
    """Reasons why clock terms are invalid; the value is the stable name."""

    BANK = "clock_bank"  # the bank must be 30 s to 14 days
    INCREMENT = "clock_increment"  # the increment must not exceed the bank
    CAP = "clock_cap"  # the cap must be one to two banks


@dataclass(frozen=True, slots=True)
class ClockTerms:
    """The terms of a game clock: the starting bank, the increment after each turn, the largest bank."""

    name: str
    bank: int
    increment: int
    cap: int

    @property
    def is_slow(self) -> bool:
        """Whether a turn may take days."""
        return self.bank >= LEAST_SLOW_BANK

    @property
    def extension_time(self) -> int:
        """The length of the one extension that each seat gets in a game."""
        return DAY if self.is_slow else MINUTE

    @property
    def grace_after_outage(self) -> int:
        """The time after an outage or a halt of the table in which no deadline may pass."""
        return SLOW_AFTER_OUTAGE if self.is_slow else 30 * SECOND


PRESETS: Final[Mapping[str, ClockTerms]] = {
    one.name: one
    for one in (
        ClockTerms("live", 5 * MINUTE, MINUTE, 10 * MINUTE),
        ClockTerms("daily", 72 * HOUR, 12 * HOUR, 72 * HOUR),
        ClockTerms("tournament", 48 * HOUR, 8 * HOUR, 48 * HOUR),
    )
}
"""The clocks that have names; "none" is no clock."""


def terms_problems(terms: ClockTerms) -> tuple[ClockProblem, ...]:
    """Return the rules for custom clock terms that these terms break."""
    wrong = {
        ClockProblem.BANK: not 30 * SECOND <= terms.bank <= 14 * DAY,
        ClockProblem.INCREMENT: not 0 <= terms.increment <= terms.bank,
        ClockProblem.CAP: not terms.bank <= terms.cap <= 2 * terms.bank,
    }
    return tuple(problem for problem, found in wrong.items() if found)


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The time left to a seat's person.

    `allowance` is what an answer may take before the bank is touched. `extension` is what is left of the extension that
    runs; `extended` whether the seat has had its only one. `vacation_days` were spent in this game, `lapses` counts how
    often the time ran out. `counted_until` is the end of the last planned day of vacation among the days spent.
    `worked` is the rest of a planned day after the move that ended the vacation: the clock of this table runs in it.
    """

    bank: int
    allowance: int = 0
    extension: int = 0
    extended: bool = False
    vacation_days: int = 0
    lapses: int = 0
    counted_until: int = 0
    worked: Span = (0, 0)

    @property
    def time_left(self) -> int:
        """The time left before vacation or expiry."""
        return self.allowance + self.bank + self.extension

    def charge(self, amount: int) -> SeatClock:
        """Return the clock after `amount` milliseconds were charged to it.

        They are charged to the allowance first, then to the bank, then to the extension. No part falls below zero.
        """
        allowance = min(self.allowance, amount)
        bank = min(self.bank, amount - allowance)
        extension = min(self.extension, amount - allowance - bank)
        return replace(
            self,
            allowance=self.allowance - allowance,
            bank=self.bank - bank,
            extension=self.extension - extension,
        )


class Stage(StrEnum):
    """The stages of a person's time in a turn, from first to last; the value is the stable name."""

    RUNNING = "running"
    HALF = "half"  # half of the time is used up
    LAST = "last"  # a tenth of the time is left, or an hour
    EXTENDED = "extended"  # the seat's one extension runs
    VACATION = "vacation"  # a day of vacation was taken
    LAPSED = "lapsed"  # no time is left


def initial_clock(terms: ClockTerms) -> SeatClock:
    """Return a seat's clock at the start of a game, or for a new person in the seat."""
    return SeatClock(min(terms.bank, terms.cap))


def clock_for_return(clock: SeatClock, terms: ClockTerms) -> SeatClock:
    """Return the clock of a person who takes the seat back, with at least a quarter of the bank."""
    return replace(clock, bank=max(clock.bank, terms.bank // 4), allowance=0, extension=0, extended=True)


def clock_for_answer(clock: SeatClock, terms: ClockTerms) -> SeatClock:
    """Return the clock of a partner who must answer a question, with an increment for the answer."""
    return replace(clock, allowance=terms.increment)


def clock_after_turn(clock: SeatClock, terms: ClockTerms) -> SeatClock:
    """Return the clock after a turn: increment added, unused allowance and extension dropped."""
    return replace(clock, bank=max(clock.bank, min(terms.cap, clock.bank + terms.increment)), allowance=0, extension=0)


def clock_after_answer(clock: SeatClock) -> SeatClock:
    """Return the clock after an answer: no increment, unused allowance dropped."""
    return replace(clock, allowance=0)


def charge_time(clock: SeatClock, *, since: int, until: int, stopped_spans: Spans) -> SeatClock:
    """Return the clock after it ran from one instant to another, stopped in `stopped_spans`."""
    return clock.charge(running_time(stopped_spans, since, until))


def instant_when_time_runs_out(clock: SeatClock, *, since: int, stopped_spans: Spans) -> int:
    """Return the instant at which all time will be used up, if the clock stops only in `stopped_spans`."""
    return instant_after(stopped_spans, since, clock.time_left)


def reminder_instants(clock: SeatClock, terms: ClockTerms, *, since: int, stopped_spans: Spans) -> Mapping[Stage, int]:
    """Return when a slow clock sends reminders in a turn: at half of the time, and when a tenth is left.

    The second one is at least an hour before the end. If the bank is less than two hours it is the only one; if it is
    less than one hour there is none.
    """
    whole = clock.bank
    if not terms.is_slow or whole < HOUR:
        return {}
    last = whole - max(whole // 10, HOUR)
    amounts = (
        {Stage.LAST: last} if whole < 2 * HOUR or whole // 2 >= last else {Stage.HALF: whole // 2, Stage.LAST: last}
    )
    return {stage: instant_after(stopped_spans, since, clock.allowance + amount) for stage, amount in amounts.items()}
