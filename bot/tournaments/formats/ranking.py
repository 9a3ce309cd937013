"""The ranking of a tournament, the same for every format (`docs/tournaments.md` 3, 4)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

from bot.tournaments.event.course import course_of
from bot.tournaments.event.match_state import RoundStage
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.standings.rows import standings
from bot.tournaments.standings.tie_breaks import TieBreaks


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """An entry in a ranking. Entries that share a place have the same `first`.

    `first` is None for unranked entries. `last` is greater than `first` if entries share a range of places.
    `points` are match points, or the mean per cent or IMPs of a duplicate; None without points. `list_name`
    separates lists that are never joined: the directions of a duplicate, ``second`` for the second chance.
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
    """The places after a round by list, best first; `figures` are the tie-breaks used, in order."""

    after_round: int
    places: tuple[Place, ...]
    figures: tuple[str, ...] = field(default=())


def newest_round(tournament: Tournament, after_round: int | None) -> int:
    """Return the number of the requested round; None means the newest."""
    return len(tournament.rounds) if after_round is None else after_round


def ranking_by_points(tournament: Tournament, after_round: int | None) -> Ranking:
    """Return the places by match points and tie-breaks, from the results known so far.

    A round that is only drawn gives no figures yet.
    """
    called = sum(one.stage is not RoundStage.DRAWN for one in tournament.rounds)
    last = called if after_round is None else min(after_round, called)
    rows = standings(course_of(tournament, running=True), last)
    shared = Counter(row.place for row in rows)
    hundredths = 100 if tournament.plan.for_teams else 1
    return Ranking(
        newest_round(tournament, after_round),
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
