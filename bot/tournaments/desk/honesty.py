"""Lists for directors of what stands out, beside what is usual (`docs/tournaments.md` 7).

None of it proves anything, and nothing follows from it by itself. Persons are Discord accounts, instants UTC
milliseconds, means exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import groupby
from typing import Final

from bot.clocks.law import DAY

FORFEITS: Final = 2
"""So many forfeits between the same people are listed."""

MEETINGS: Final = 3
WEEK: Final = 7 * DAY
"""People who were rated together so often in so long are listed."""

TABLES: Final = 4
RARE: Final = 2
"""A choice is rare where at least so many tables have played a board and at most so many made it."""


class Suspicion(StrEnum):
    """What a list is about; the value is its stable name."""

    PILES = "piles"  # large piles given away with a safe card in hand
    FORFEITS = "forfeits"  # lost without play to the same people
    HARM = "harm"  # went out with fewer points in the deal than somebody else
    CHOICES = "choices"  # a rare choice made again later on the same board
    MEETINGS = "meetings"  # the same people, rated together again and again


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """Something that happened at a table: whose doing it was, in whose favour, and where."""

    what: Suspicion
    persons: tuple[int, ...]
    others: tuple[int, ...] = ()
    match: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """People who met in a rated match or game that ended then."""

    persons: frozenset[int]
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What a seat did first on a board at one table, which was played from one instant to another."""

    board: int
    seat: int
    chosen: int
    persons: tuple[int, ...]
    match: int
    began: int
    ended: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of a list: how often these persons did it, in favour of `others`, in which matches."""

    persons: tuple[int, ...]
    count: int
    others: tuple[int, ...] = ()
    matches: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One list, the most first. `mean` is how often it happened to each of those who could have done it."""

    what: Suspicion
    rows: tuple[Row, ...]
    mean: Fraction


def listed(what: Suspicion, noted: Iterable[Noted], *, people: int, least: int = 1) -> Listed:
    """Who did something how often, from `least` times on, among so many people or pairs of people."""
    those = [one for one in noted if one.what is what]
    count = Counter((one.persons, one.others) for one in those)
    rows = [
        Row(
            persons=persons,
            others=others,
            count=often,
            matches=tuple(sorted({one.match for one in those if (one.persons, one.others) == (persons, others)})),
        )
        for (persons, others), often in count.items()
        if often >= least
    ]
    rows.sort(key=lambda row: (-row.count, row.persons, row.others))
    return Listed(what=what, rows=tuple(rows), mean=Fraction(len(those), people) if people else Fraction(0))


def meetings(met: Iterable[Meeting]) -> Listed:
    """The people who were rated together at least three times within a week, by how often in their busiest one."""
    ordered = sorted(met, key=lambda one: (sorted(one.persons), one.at))
    rows, groups = [], 0
    for persons, those in groupby(ordered, key=lambda one: tuple(sorted(one.persons))):
        instants = [one.at for one in those]
        groups += 1
        most = busiest(instants)
        if most >= MEETINGS:
            rows.append(Row(persons=persons, count=most))
    rows.sort(key=lambda row: (-row.count, row.persons))
    mean = Fraction(len(ordered), groups) if groups else Fraction(0)
    return Listed(what=Suspicion.MEETINGS, rows=tuple(rows), mean=mean)


def busiest(instants: Sequence[int]) -> int:
    """How many of these instants, in order, fall into one week at most."""
    return max(
        (sum(1 for later in instants[first:] if later - at < WEEK) for first, at in enumerate(instants)), default=0
    )


def choices(made: Iterable[Choice]) -> Listed:
    """Who made a rare choice that was made before: on a board that was over there before their own table began it."""
    rows, asked = [], 0
    ordered = sorted(made, key=lambda one: (one.board, one.seat, one.began, one.match))
    for _, group in groupby(ordered, key=lambda one: (one.board, one.seat)):
        those = list(group)
        if len(those) < TABLES:
            continue
        asked += len(those)
        often = Counter(one.chosen for one in those)
        for one in those:
            before = [other for other in those if other.chosen == one.chosen and other.ended <= one.began]
            if before and often[one.chosen] <= RARE:
                matches = (before[0].match, one.match)
                rows.append(Row(persons=one.persons, others=before[0].persons, count=1, matches=matches))
    mean = Fraction(len(rows), asked) if asked else Fraction(0)
    return Listed(what=Suspicion.CHOICES, rows=tuple(rows), mean=mean)
