"""The ranking of a tournament, the same for every format (`docs/tournaments.md` 3, 4)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

from bot.tournaments.event.counted_results import course_of
from bot.tournaments.event.match_state import RoundStage
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.standings.rows import standings
from bot.tournaments.standings.tie_breaks import TieBreaks


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """An entry in a ranking. Entries that share a place have the same `first`.

    `first` is None for entries without a place, `last` greater than `first` if entries share a range of places.
    `points` are match points, or the mean per cent or IMPs of a duplicate; None if places do not come from points.
    `list_name` is the list that the place belongs to: one for each direction of a duplicate, ``second`` for the second
    chance, else empty.
    """

    first: int | None
    last: int | None
    entry: int
    points: Fraction | None = None
    figures: TieBreaks | None = None
    boards: int | None = None
    list_name: str = ""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The places after a round, list by list, best first; `figures` names the tie-breaks in order."""

    after_round: int
    places: tuple[Place, ...]
    figures: tuple[str, ...] = field(default=())


def round_number_or_newest(tournament: Tournament, after_round: int | None) -> int:
    """Return `after_round`, or the number of the newest round if it is None."""
    return len(tournament.rounds) if after_round is None else after_round


def ranking_by_points(tournament: Tournament, after_round: int | None) -> Ranking:
    """Return the ranking by match points and tie-breaks, from the results so far.

    A round that is only drawn does not count yet.
    """
    called = sum(one.stage is not RoundStage.DRAWN for one in tournament.rounds)
    last = called if after_round is None else min(after_round, called)
    rows = standings(course_of(tournament, running=True), last)
    shared = Counter(row.place for row in rows)
    hundredths = 100 if tournament.plan.is_for_teams else 1
    return Ranking(
        round_number_or_newest(tournament, after_round),
        tuple(
            Place(
                first=row.place,
                last=row.place + shared[row.place] - 1,
                entry=row.entry,
                points=Fraction(row.points, hundredths),
                figures=row.figures,
                list_name=row.list_name,
            )
            for row in rows
        ),
        ("h2h", "bc1", "sb", "net", "wins"),
    )
