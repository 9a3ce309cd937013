"""What a director's step would change: results that turn round and places that move, told before it is taken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.tournaments.course import Course, Match, Played
from bot.tournaments.standings.rows import standings


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceChange:
    """An entry whose place is another; None where it was or is not listed."""

    entry: int
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReversedResult:
    """A match that ends differently: its entries now, those ahead first, equal sides together.

    One group is a tie; none at all is a match that counts for nobody any more.
    """

    match: int
    groups: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What differs between two courses: matches by number, and places by entry as they now stand."""

    turned: tuple[ReversedResult, ...]
    moved: tuple[PlaceChange, ...]


def changes(before: Course, after: Course) -> Changes:
    """What differs in results and in the standings after the last round of each.

    Raises `ValueError` for tournaments without standings by points.
    """
    return Changes(turned=turned(before, after), moved=moved(before, after))


def moved(before: Course, after: Course) -> tuple[PlaceChange, ...]:
    """The entries whose place differs, in the order of the later standings; those listed no more come last."""
    old = {row.entry: row.place for row in standings(before)}
    new = {row.entry: row.place for row in standings(after)}
    return tuple(
        PlaceChange(entry=entry, before=old.get(entry), after=new.get(entry))
        for entry in {**new, **old}
        if old.get(entry) != new.get(entry)
    )


def turned(before: Course, after: Course) -> tuple[ReversedResult, ...]:
    """The matches whose order of sides differs, by number; new ones and lost ones among them."""
    old, new = dict(_outcomes(before)), dict(_outcomes(after))
    return tuple(
        ReversedResult(match=match, groups=new.get(match, ()))
        for match in sorted({*old, *new})
        if old.get(match, ()) != new.get(match, ())
    )


def _outcomes(course: Course) -> Iterator[tuple[int, tuple[tuple[int, ...], ...]]]:
    for one in course.rounds:
        for match in one.matches:
            if match.kind is not Played.VOID:
                yield match.id, _groups(match)


def _groups(match: Match) -> tuple[tuple[int, ...], ...]:
    """The entries by the match points of their sides, the highest first."""
    worths = sorted({side.points for side in match.sides}, reverse=True)
    return tuple(
        tuple(entry for side in match.sides if side.points == worth for entry in side.entries) for worth in worths
    )
