"""The standings in an export: after each round where points make them, else those of now."""

from __future__ import annotations

from typing import Any, Final

from bot.tournaments.event.tournament import Tournament
from bot.tournaments.export.boards import number
from bot.tournaments.export.material import Material
from bot.tournaments.formats.ranking import Place
from bot.tournaments.standings.rows import Row, standings, tiebreaks

Json = dict[str, Any]

FIGURES: Final = ("h2h", "bc1", "sb", "net", "wins")


def by_points(tournament: Tournament) -> bool:
    """Whether match points and what parts them make the places, and so places after each round."""
    plan = tournament.plan
    return bool(plan.traits.ties) and (plan.duplicate is None or plan.for_teams)


def tiebreaks_of(material: Material) -> list[str]:
    """The figures that part equal points, in their order; none where places come from a bracket, rungs or boards."""
    return list(tiebreaks(material.course)) if by_points(material.tournament) else []


def standings_told(material: Material) -> list[Json]:
    """The standings after each round; of brackets, ladders, and pairs compared board by board those of now."""
    course = material.course
    last = len(course.rounds)
    if not by_points(material.tournament):
        return [{"after_round": last, "rows": [_placed(one) for one in material.ranking.places]}]
    return [
        {"after_round": after, "rows": [_row(one) for one in standings(course, after)]} for after in range(1, last + 1)
    ]


def _row(row: Row) -> Json:
    figures = {name: getattr(row.figures, name) for name in FIGURES}
    return {
        "place": row.place,
        "entry": row.entry,
        "points": row.points,
        "list": row.list_name,
        "figures": {name: None if value is None else number(value) for name, value in figures.items()},
    }


def _placed(place: Place) -> Json:
    """A place of a bracket, which may reach to a `last`; a rung; or a pair, with how many boards it has played."""
    figures = {"boards": place.boards} if place.boards is not None else {"last": place.last}
    return {
        "place": place.first,
        "entry": place.entry,
        "points": None if place.points is None else number(place.points),
        "list": place.list_name,
        "figures": figures,
    }
