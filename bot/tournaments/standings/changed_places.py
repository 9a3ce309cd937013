"""Compare two versions of a tournament's results: changed results and places, to preview rulings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.tournaments.counted_results import Course, Match, ResultKind
from bot.tournaments.standings.rows import standings


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceChange:
    """An entry whose place has changed. `before` or `after` is None if it was or is not in the standings."""

    entry: int
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReversedResult:
    """A match whose order of sides has changed.

    `groups` is the new order: groups of entries, the leading group first, equal sides in one group. One group is a tie;
    no group means that the match no longer counts.
    """

    match: int
    groups: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultChanges:
    """The differences between two versions of a tournament's results.

    Matches are in the order of their numbers, entries whose place changed in the order of the later standings.
    """

    turned: tuple[ReversedResult, ...]
    moved: tuple[PlaceChange, ...]


def changes_between(before: Course, after: Course) -> ResultChanges:
    """Return the differences in results and in the standings after the last round of each.

    Raises `ValueError` for tournaments without standings by points.
    """
    return ResultChanges(turned=changed_results(before, after), moved=place_changes(before, after))


def place_changes(before: Course, after: Course) -> tuple[PlaceChange, ...]:
    """Return the entries whose place differs, in the order of the later standings.

    Entries that are no longer in the standings come last.
    """
    old = {row.entry: row.place for row in standings(before)}
    new = {row.entry: row.place for row in standings(after)}
    return tuple(
        PlaceChange(entry=entry, before=old.get(entry), after=new.get(entry))
        for entry in {**new, **old}
        if old.get(entry) != new.get(entry)
    )


def changed_results(before: Course, after: Course) -> tuple[ReversedResult, ...]:
    """Return the matches whose order of sides differs between `before` and `after`, by number.

    New and removed matches are included.
    """
    old, new = dict(_grouped_results(before)), dict(_grouped_results(after))
    return tuple(
        ReversedResult(match=match, groups=new.get(match, ()))
        for match in sorted({*old, *new})
        if old.get(match, ()) != new.get(match, ())
    )


def _grouped_results(course: Course) -> Iterator[tuple[int, tuple[tuple[int, ...], ...]]]:
    """Yield each match that counts, with its entries in groups of equal match points, the highest first."""
    for one in course.rounds:
        for match in one.matches:
            if match.kind is not ResultKind.VOID:
                yield match.id, _groups_by_points(match)


def _groups_by_points(match: Match) -> tuple[tuple[int, ...], ...]:
    """Return the entries of a match in groups of equal match points, the highest first."""
    worths = sorted({side.points for side in match.sides}, reverse=True)
    return tuple(
        tuple(entry for side in match.sides if side.points == worth for entry in side.entries) for worth in worths
    )
