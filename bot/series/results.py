"""The results of a closed tournament for its series: which persons have which place.

Source: `docs/series.md` 2.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from bot.series.series import Placed
from bot.tournaments.event.entries import Entrant, EntryStage, Person
from bot.tournaments.event.match_state import Result
from bot.tournaments.event.matches import side_of_seat
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.formats.ranking import Place, Ranking


def night_places(tournament: Tournament, ranking: Ranking) -> tuple[Placed, ...]:
    """Return the places of a night with the persons who get points for them.

    They are in the order of the ranking, list by list; the second chance is left out.
    """
    lists: dict[str, list[Place]] = defaultdict(list)
    for place in ranking.places:
        if place.first is not None and place.list_name != "second":
            lists[place.list_name].append(place)
    deals = _deals_by_entry(tournament)
    found = []
    for places in lists.values():
        for place in places:
            entrant = tournament.entrant(place.entry)
            found.append(
                Placed(
                    people=_persons_to_credit(entrant, *deals.get(entrant.number, (0, {}))),
                    first=place.first or 0,
                    last=place.last or place.first or 0,
                    ranked=len(places),
                    removed=entrant.stage is EntryStage.REMOVED,
                )
            )
    return tuple(found)


def _persons_to_credit(entrant: Entrant, total: int, deals: Mapping[int, int]) -> tuple[Person, ...]:
    """Return the entry's persons who played at least half of its deals; all if it played no deal.

    `deals` are by person.
    """
    if not total:
        return entrant.people
    return tuple(one for one in entrant.present_and_former_members if 2 * deals.get(one, 0) >= total)


def _deals_by_entry(tournament: Tournament) -> Mapping[int, tuple[int, Mapping[int, int]]]:
    """Return, for each entry, how many deals it had and how many each of its persons played."""
    totals: dict[int, int] = defaultdict(int)
    deals: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for match in tournament.matches:
        if match.voided or match.result is None:
            continue
        length = _deal_count(match.result)
        for side, entries in enumerate(match.sides):
            for entry in entries:
                totals[entry] += length
                for one in match.result.seated:
                    if one.person is not None and side_of_seat(tournament, match, one.seat) == side:
                        deals[entry][one.person] += one.deals
    return {entry: (total, deals[entry]) for entry, total in totals.items()}


def _deal_count(result: Result) -> int:
    """Return the number of deals of a match: the highest count of any seat."""
    by_seat: dict[int, int] = defaultdict(int)
    for one in result.seated:
        by_seat[one.seat] += one.deals
    return max(by_seat.values(), default=0)


def division_places(tournament: Tournament, ranking: Ranking) -> tuple[Placed, ...]:
    """Return the entries of a division by place, each with all its persons.

    Withdrawn and removed entries come last.
    """
    started = len(ranking.places)
    found = []
    for place in ranking.places:
        entrant = tournament.entrant(place.entry)
        found.append(
            Placed(
                people=tuple(sorted(entrant.people)),
                first=place.first or started,
                last=place.last or place.first or started,
                ranked=started,
                removed=entrant.has_left,
            )
        )
    return tuple(sorted(found, key=lambda one: (one.removed, one.first)))
