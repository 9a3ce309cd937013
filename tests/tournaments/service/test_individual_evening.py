"""Changing partners (`docs/tournaments.md` 1.4, 3; 9.5): the plan of all rounds, and its changes."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

from bot.tournaments.event.counted_results import course_of
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.standings.rows import standings
from tests.support.tournaments import open_evening, usual_plan


def single_entries(count: int) -> list[tuple[int, ...]]:
    return [(one,) for one in range(1, count + 1)]


def partners_of_all_rounds(tournament: Tournament) -> list[tuple[int, ...]]:
    """Return the partners in all rounds, drawn or planned; void matches are left out."""
    played = [side for match in tournament.matches if not match.voided for side in match.sides]
    return [*played, *(side for one in tournament.schedule for fixture in one.fixtures for side in fixture.sides)]


def coming_partners(tournament: Tournament, first: int) -> list[tuple[int, ...]]:
    """Return the partners in round `first` and in all planned rounds after it."""
    drawn = [side for match in tournament.matches_of(first) for side in match.sides]
    return [*drawn, *(side for one in tournament.schedule for fixture in one.fixtures for side in fixture.sides)]


async def test_9_5_of_twelve_in_eleven_rounds_everybody_is_everybodys_partner_once(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(kind=FormatKind.INDIVIDUAL, rounds=11), single_entries(12))
        view = await evening.events.overview.get_tournament(number)
        assert (1, 10) == (len(view.rounds), len(view.schedule))
        partners = Counter(tuple(sorted(side)) for side in partners_of_all_rounds(view))
        assert dict.fromkeys(combinations(range(1, 13), 2), 1) == partners
        view = await evening.play_round(number)
        assert 9 == len(view.schedule)
        assert 6 * 2 == sum(row.points for row in standings(course_of(view)))


async def test_9_5_of_thirteen_one_leaves_and_only_changed_tables_are_notified(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(kind=FormatKind.INDIVIDUAL, rounds=5), single_entries(13))
        await evening.call_next_round(number)
        before = await evening.play_called_matches(number)
        assert [1] == [one.points for one in before.rounds[0].away]
        after = await evening.events.entering.leave(evening.caller(1), number)
        gone = next(one.number for one in after.entrants if 1 in one.people)
        assert not any(gone in side for side in coming_partners(after, 2))
        told = {person for one in after.news if one.code == "planned_anew" for person in one.persons}
        kept = set(coming_partners(before, 2)) & set(coming_partners(after, 2))
        changed = {entry for side in set(coming_partners(after, 2)) - kept for entry in side}
        assert {person for one in after.entrants if one.number in changed for person in one.people} <= told
        assert 1 not in told
        assert len(kept) >= len(coming_partners(after, 2)) // 2, "most of the plan stands"
        view = await evening.play_all_rounds(number)
        assert (Stage.CLOSED, 5) == (view.stage, len(view.rounds))
        partners = Counter(tuple(sorted(side)) for side in partners_of_all_rounds(view))
        assert {1} == set(partners.values()), "no partner twice"


async def test_an_individual_who_leaves_a_called_round_loses_it_with_the_partner(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(kind=FormatKind.INDIVIDUAL, rounds=3), single_entries(8))
        view = await evening.events.overview.get_tournament(number)
        match = view.matches[0]
        await evening.events.entering.leave(evening.caller(match.seats[1] or 0), number)
        result = (await evening.events.overview.get_tournament(number)).match(match.id).result
        assert result is not None
        assert (1,) == result.forfeited
