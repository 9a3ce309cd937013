"""The standings in an export: after each round if points decide them, else only the current ones."""

from __future__ import annotations

from typing import Any, Final

from bot.tournaments.event.tournament import Tournament
from bot.tournaments.export.boards import json_number
from bot.tournaments.export.export_input import ExportInput
from bot.tournaments.formats.ranking import Place
from bot.tournaments.standings.rows import StandingsRow, standings, tiebreaks

Json = dict[str, Any]

FIGURES: Final = ("h2h", "bc1", "sb", "net", "wins")


def is_ranked_by_points(tournament: Tournament) -> bool:
    """Return whether match points decide the places, so that each round has standings."""
    plan = tournament.plan
    return bool(plan.traits.ties) and (plan.duplicate is None or plan.is_for_teams)


def tiebreaks_of(export_input: ExportInput) -> list[str]:
    """Return the names of the tie-breaks in order.

    It is empty if a bracket, rungs or boards decide the places.
    """
    return list(tiebreaks(export_input.course)) if is_ranked_by_points(export_input.tournament) else []


def standings_json(export_input: ExportInput) -> list[Json]:
    """Return the standings as JSON: after each round if points decide them, else only the current ones."""
    course = export_input.course
    last = len(course.rounds)
    if not is_ranked_by_points(export_input.tournament):
        return [{"after_round": last, "rows": [_place_json(one) for one in export_input.ranking.places]}]
    return [
        {"after_round": after, "rows": [_standings_row_json(one) for one in standings(course, after)]}
        for after in range(1, last + 1)
    ]


def _standings_row_json(row: StandingsRow) -> Json:
    figures = {name: getattr(row.figures, name) for name in FIGURES}
    return {
        "place": row.place,
        "entry": row.entry,
        "points": row.points,
        "list": row.list_name,
        "figures": {name: None if value is None else json_number(value) for name, value in figures.items()},
    }


def _place_json(place: Place) -> Json:
    """Return a place as JSON: in a bracket with its last place, for a pair with its boards played."""
    figures = {"boards": place.boards} if place.boards is not None else {"last": place.last}
    return {
        "place": place.first,
        "entry": place.entry,
        "points": None if place.points is None else json_number(place.points),
        "list": place.list_name,
        "figures": figures,
    }
