"""The pool: persons who got no partner in the draw of partners (`docs/tournaments.md` 2, 3)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.clocks.clock import MINUTE
from bot.tournaments.core.repository import TournamentRequest
from bot.tournaments.event.counted_results import course_of
from bot.tournaments.event.entries import EntryStage
from bot.tournaments.event.refusals import TournamentCode
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.event.tournament_changes import with_entrant
from bot.tournaments.format_traits import FormatKind
from tests.support.tournaments import Evening, open_evening, refusal_of, usual_plan


def entries_of_one_person(*people: int) -> list[tuple[int, ...]]:
    return [(one,) for one in people]


def recipients_of(tournament: Tournament, code: str) -> list[tuple[int, ...]]:
    """Return the recipients of each item of the tournament's news that has this code."""
    return [one.persons for one in tournament.news if one.code == code]


def entry_sizes(tournament: Tournament) -> set[int]:
    return {len(one.people) for one in tournament.entrants if one.is_active}


async def enter_late(evening: Evening, tournament_number: int, *people: int) -> Tournament:
    for one in people:
        await evening.events.entering.enter(evening.caller(one), tournament_number)
    return await evening.events.overview.get_tournament(tournament_number)


async def test_8_43_a_single_who_comes_late_waits_for_a_partner_and_plays_from_the_next_round(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(drawn=True, rounds=3), entries_of_one_person(*range(1, 9)))
        await evening.call_next_round(number)
        view = await enter_late(evening, number, 20)
        assert EntryStage.WAITING is next(one.stage for one in view.entrants if 20 in one.people)
        view = await evening.play_round(number)
        assert {2} == entry_sizes(view), "the single is in no draw"
        assert {9, 10, 11, 12} == {entry for one in view.matches_of(2) for side in one.sides for entry in side}
        view = await enter_late(evening, number, 21)
        (made,) = [one for one in view.entrants if 20 in one.people]
        assert ((20, 21), 13, 5, 2) == (made.people, made.number, made.rank, made.from_round), "round 2 is drawn again"
        assert [(20,), (21,)] == recipients_of(view, "partner_found")
        view = await evening.play_round(number)
        assert any(13 in side for one in view.matches_of(2) for side in one.sides) or 13 in view.rounds[1].order
        points = {one.entry: one.points for one in await evening.events.overview.places(number, after_round=2)}
        bye = 2 * sum(one.entry == 13 for one in view.rounds[1].away)
        assert 1 + bye + points_at_tables(view, 13) == points[13], "one point for the one round that was missed"
        assert Stage.CLOSED is (await evening.play_all_rounds(number)).stage


def points_at_tables(tournament: Tournament, entry: int) -> int:
    """Return the match points that an entry won in its matches, without byes."""
    matches = [match for one in course_of(tournament).rounds for match in one.matches]
    return sum(side.points for one in matches for side in one.sides if entry in side.entries)


async def test_8_43_the_person_left_without_a_partner_by_the_draw_is_first_in_the_pool(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(drawn=True, rounds=4), entries_of_one_person(1, 2, 3, 4, 5))
        view = await evening.events.overview.get_tournament(number)
        assert [(5,)] == recipients_of(view, "odd_one_waits")
        view = await enter_late(evening, number, 9)
        made = next(one for one in view.entrants if 9 in one.people)
        assert ((5, 9), 1) == (made.people, made.from_round), "round 1 is only drawn"
        assert made.shares == next(one for one in view.entrants if 5 in one.people).shares != ()


async def test_8_43_leaving_the_pool_is_free(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(drawn=True, rounds=4), entries_of_one_person(1, 2, 3, 4, 5))
        before = await evening.events.overview.places(number)
        await evening.events.entering.leave(evening.caller(5), number)
        view = await enter_late(evening, number, 9)
        assert EntryStage.WAITING is next(one.stage for one in view.entrants if 9 in one.people)
        assert before == await evening.events.overview.places(number)
        view = await enter_late(evening, number, 5)
        assert (9, 5) == next(one.people for one in view.entrants if 5 in one.people), "who left may come again"


async def test_8_44_when_late_entry_ends_persons_in_the_pool_hear_that_nobody_came(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(drawn=True, rounds=3), entries_of_one_person(*range(1, 10)))
        await evening.play_round(number)
        view = await evening.events.overview.get_tournament(number)
        assert any(9 in one.people for one in view.entrants)
        view = await evening.call_next_round(number)
        assert [(9,)] == recipients_of(view, "nobody_came")
        assert not any(9 in one.people for one in view.entrants)
        closed = await refusal_of(evening.events.entering.enter(evening.caller(10), number))
        assert (TournamentCode.ENTRY_CLOSED, {"round": 2}) == closed
        assert Stage.CLOSED is (await evening.play_all_rounds(number)).stage


@pytest.mark.parametrize("chosen", [{"kind": FormatKind.ROUND_ROBIN}, {"late_entry": False, "rounds": 3}])
async def test_8_44_without_late_entry_the_person_without_a_partner_is_told_at_once(
    tmp_path: Path, chosen: dict[str, Any]
) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(drawn=True, **chosen), entries_of_one_person(1, 2, 3, 4, 5))
        view = await evening.events.overview.get_tournament(number)
        assert ([], [(5,)]) == (recipients_of(view, "odd_one_waits"), recipients_of(view, "nobody_came"))
        assert 2 == len(view.entrants)


async def test_the_pool_of_a_ladder_never_closes(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = (await evening.publish(usual_plan(kind=FormatKind.LADDER, drawn=True))).id
        for one in range(1, 6):
            await evening.enter(number, (one,))
        await evening.advance_to((await evening.events.overview.get_tournament(number)).plan.starts_at)
        await evening.pass_time(10 * 24 * 60 * MINUTE)
        view = await enter_late(evening, number, 9)
        made = next(one for one in view.entrants if 9 in one.people)
        assert (5, 9) == made.people
        assert view.ladder is not None
        assert made.number == view.ladder.entries[-1]
        assert {2} == {len(view.entrant(one).people) for one in view.ladder.entries}


async def test_the_pool_has_no_more_persons_than_there_are_places(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(
            usual_plan(drawn=True, rounds=4, places=5), entries_of_one_person(1, 2, 3, 4, 5)
        )
        full = await refusal_of(evening.events.entering.enter(evening.caller(6), number))
        assert (TournamentCode.NO_PLACE, {"places": 5}) == full


async def remove_all_but_one_person(evening: Evening, tournament_number: int, entry: int) -> None:
    """Remove all but one person from an entry, which no step of the program does."""

    async def drop_partner(tournament: Tournament, _now: int) -> Tournament:
        one = tournament.entrant(entry)
        return with_entrant(tournament, replace(one, people=one.people[:1]))

    await evening.events.repository.change(tournament_number, TournamentRequest("test"), drop_partner)


async def test_an_entry_of_the_wrong_size_cannot_be_paired_or_challenged(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(rounds=3), [(1, 2), (3, 4), (5, 6), (7, 8)])
        await remove_all_but_one_person(evening, number, 2)
        wrong = (TournamentCode.ENTRY_SIZE, {"entry": 2, "needed": 2, "given": 1})
        assert wrong == await refusal_of(evening.events.desk.pair_again(evening.director, number))
        by_hand = evening.events.desk.pair_by_hand(evening.director, number, tables=[(1, 2), (3, 4)], byes=[])
        assert wrong == await refusal_of(by_hand)
    async with open_evening(tmp_path / "ladder.db") as evening:
        number = (await evening.publish(usual_plan(kind=FormatKind.LADDER))).id
        for people in ((1, 2), (3, 4)):
            await evening.enter(number, people)
        await evening.advance_to((await evening.events.overview.get_tournament(number)).plan.starts_at)
        view = await evening.events.overview.get_tournament(number)
        assert view.ladder is not None
        top, last = view.ladder.entries
        await remove_all_but_one_person(evening, number, top)
        captain = evening.caller(view.entrant(last).captain)
        code, detail = await refusal_of(evening.events.entering.challenge(captain, number, entry=top))
        assert (TournamentCode.ENTRY_SIZE, top) == (code, detail["entry"])
