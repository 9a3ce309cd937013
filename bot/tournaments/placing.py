"""Where everybody stands, in any format: one list of rows, whatever they follow from (`docs/tournaments.md` 4)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from bot.tournaments.course import Kind
from bot.tournaments.event.course_of import course_of
from bot.tournaments.event.drawing import bracket_of
from bot.tournaments.event.values import Tournament
from bot.tournaments.lot import Lot
from bot.tournaments.standings.rows import standings

BY_BRACKET = (Kind.SINGLE, Kind.DOUBLE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """An entry's place, shared where `last` is behind `first`. Without `points` places come from a bracket.

    `second_chance` rows are those of the second draw, which has places of its own.
    """

    first: int
    last: int
    entry: int
    points: int | None = None
    net: Fraction | None = None
    second_chance: bool = False


def places_of(tournament: Tournament, lot: Lot, *, after_round: int | None = None) -> tuple[Place, ...]:
    """All places as things stand, best first; None counts the results of the round that is played too."""
    if tournament.plan.kind in BY_BRACKET:
        return _of_bracket(tournament, lot)
    if tournament.plan.kind is Kind.LADDER:
        return ()
    rows = standings(course_of(tournament, running=True), after_round)
    shared = {row.place: sum(one.place == row.place for one in rows) for row in rows}
    return tuple(
        Place(
            first=row.place,
            last=row.place + shared[row.place] - 1,
            entry=row.entry,
            points=row.points,
            net=row.figures.net,
        )
        for row in rows
    )


def _of_bracket(tournament: Tournament, lot: Lot) -> tuple[Place, ...]:
    found = bracket_of(tournament, lot)
    second = () if found.second is None else found.second.places
    return (
        *(Place(first=one.first, last=one.last, entry=one.entry) for one in found.main.places),
        *(Place(first=one.first, last=one.last, entry=one.entry, second_chance=True) for one in second),
    )
