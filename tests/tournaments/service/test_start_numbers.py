"""Persons with a start number keep their entry; removed persons stay out (`docs/tournaments.md` 2)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.tournaments.counted_results import Span
from bot.tournaments.event.entries import EntryStage
from bot.tournaments.event.refusals import TournamentCode
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.format_traits import FormatKind
from tests.support.tournaments import Evening, open_evening, pairs, refusal_of, standing_figures, usual_plan

OWN, OTHER = {"own": 1}, {"own": 0}


def entry_number_of_person(tournament: Tournament, person: int) -> int:
    return next(one.number for one in tournament.entrants if person in one.people)


async def loser_of_round_1(evening: Evening, tournament_number: int) -> int:
    """Return an entry that lost its match in round 1."""
    view = await evening.events.overview.get_tournament(tournament_number)
    match = view.matches_of(1)[0]
    assert match.result is not None
    return match.sides[1 - (match.result.winner or 0)][0]


async def test_8_45_a_person_who_leaves_and_enters_again_has_the_old_entry_with_its_meetings(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(rounds=5), pairs(6))
        await evening.play_called_matches(number)
        await evening.call_next_round(number)
        entry = await loser_of_round_1(evening, number)
        first, second = (await evening.events.overview.get_tournament(number)).entrant(entry).people
        await evening.events.entering.leave(evening.caller(first), number)
        await evening.enter(number, (second, first))
        view = await evening.events.overview.get_tournament(number)
        assert 6 == len(view.entrants), "no entry is new"
        assert (EntryStage.PLAYING, entry) == (view.entrant(entry).stage, entry_number_of_person(view, first))
        assert (Span(),) == view.entrant(entry).spans, "round 2 was forfeited, not missed"
        assert 0 == next(one.points for one in await evening.events.overview.places(number) if one.entry == entry)


async def test_8_45_an_entry_that_returns_between_two_rounds_has_missed_none(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(rounds=4), pairs(6))
        await evening.play_called_matches(number)
        before = standing_figures(await evening.events.overview.get_tournament(number))
        first, second = pairs(6)[2]
        await evening.events.entering.leave(evening.caller(first), number)
        await evening.enter(number, (first, second))
        view = await evening.events.overview.get_tournament(number)
        assert ((Span(),), before) == (view.entrant(3).spans, standing_figures(view))


async def test_8_46_a_person_who_left_may_not_enter_with_anybody_else(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(rounds=4), pairs(6))
        await evening.play_called_matches(number)
        await evening.events.entering.leave(evening.caller(1), number)
        mine = await refusal_of(evening.events.entering.enter(evening.caller(1), number, partners={30: "P30"}))
        assert (TournamentCode.WAS_IN_ENTRY, {"entry": 1, "names": "P2", **OWN}) == mine
        theirs = await refusal_of(evening.events.entering.enter(evening.caller(30), number, partners={2: "P2"}))
        assert (TournamentCode.WAS_IN_ENTRY, {"entry": 1, "names": "P1", **OTHER}) == theirs


async def test_8_46_a_person_who_left_a_drawn_pair_may_not_enter_without_the_partner(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(drawn=True, rounds=4), [(one,) for one in range(1, 9)])
        await evening.play_round(number)
        view = await evening.events.overview.get_tournament(number)
        entry = entry_number_of_person(view, 1)
        (partner,) = [one for one in view.entrant(entry).people if one != 1]
        await evening.events.entering.leave(evening.caller(1), number)
        code, detail = await refusal_of(evening.events.entering.enter(evening.caller(1), number))
        assert (TournamentCode.WAS_IN_ENTRY, f"P{partner}") == (code, detail["names"])
        await evening.enter(number, (1, partner))
        assert (await evening.events.overview.get_tournament(number)).entrant(entry).is_active


async def test_8_45_after_the_first_half_only_a_director_brings_back_an_entry_that_left(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(rounds=3, late_entry=False), pairs(6))
        await evening.events.entering.leave(evening.caller(1), number)
        await evening.events.entering.enter(evening.caller(1), number, partners={2: "P2"})
        await evening.play_called_matches(number)
        await evening.call_next_round(number)
        late = await refusal_of(evening.events.entering.answer_partner_invitation(evening.caller(2), number, yes=True))
        assert (TournamentCode.ENTRY_CLOSED, {"round": 2}) == late
        view = await evening.events.desk_entries.bring_back_entry(evening.director, number, 1)
        assert ((Span(1, 1), Span(3)), 6) == (view.entrant(1).spans, len(view.entrants)), "the question is gone"


async def test_8_45_in_other_formats_only_a_director_brings_back_an_entry_that_left(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(kind=FormatKind.DOUBLE), pairs(4))
        await evening.events.entering.leave(evening.caller(1), number)
        closed = await refusal_of(evening.events.entering.enter(evening.caller(1), number, partners={2: "P2"}))
        assert (TournamentCode.ENTRY_CLOSED, {"round": 0}) == closed
        assert (await evening.events.desk_entries.bring_back_entry(evening.director, number, 1)).entrant(1).is_active


async def test_a_person_who_returns_to_a_ladder_is_on_the_last_rung_with_the_same_meetings(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = (await evening.publish(usual_plan(kind=FormatKind.LADDER))).id
        for people in pairs(3):
            await evening.enter(number, people)
        view = await evening.events.overview.get_tournament(number)
        await evening.advance_to(view.plan.starts_at)
        view = await evening.events.overview.get_tournament(number)
        assert view.ladder is not None
        top, middle, last = view.ladder.entries
        await evening.events.entering.challenge(evening.caller(view.entrant(middle).captain), number, entry=top)
        await evening.events.entering.answer_challenge(evening.caller(view.entrant(top).captain), number, yes=False)
        first, second = view.entrant(middle).people
        await evening.events.entering.leave(evening.caller(first), number)
        await evening.enter(number, (first, second))
        view = await evening.events.overview.get_tournament(number)
        assert view.ladder is not None
        assert ((top, last, middle), 1) == (view.ladder.entries, len(view.ladder.meetings))


@pytest.mark.parametrize("stage", [EntryStage.ENTERED, EntryStage.PLAYING])
async def test_8_47_a_person_who_was_removed_does_not_come_back_by_himself(tmp_path: Path, stage: EntryStage) -> None:
    begun = stage is EntryStage.PLAYING
    async with open_evening(tmp_path / "canasta.db") as evening:
        if begun:
            number = await evening.begin_round(usual_plan(rounds=4), pairs(4))
        else:
            number = (await evening.publish(usual_plan())).id
            for people in pairs(4):
                await evening.enter(number, people)
        await evening.events.desk_entries.remove_entry(evening.director, number, 1)
        ask = evening.events.entering
        removed = TournamentCode.WAS_REMOVED
        assert (removed, OWN) == await refusal_of(ask.enter(evening.caller(1), number, partners={2: "P2"}))
        assert (removed, OTHER) == await refusal_of(ask.enter(evening.caller(30), number, partners={2: "P2"}))
        if begun:
            view = await evening.events.overview.get_tournament(number)
            match = next(one for one in view.matches_of(1) if one.result is None)
            named = evening.events.desk.substitute(evening.director, number, match.id, seat=0, person=1, name="P1")
            assert (removed, OTHER) == await refusal_of(named)
        view = await evening.events.desk_entries.bring_back_entry(evening.director, number, 1)
        assert view.entry_of(1) is not None
        assert stage is view.entrant(1).stage


async def test_8_47_an_unanswering_partner_of_a_removed_person_may_enter_elsewhere(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = (await evening.publish(usual_plan())).id
        await evening.events.entering.enter(evening.caller(1), number, partners={2: "P2"})
        await evening.events.desk_entries.remove_entry(evening.director, number, 1)
        await evening.enter(number, (2, 3))
        view = await evening.events.desk_entries.bring_back_entry(evening.director, number, 1)
        assert "may_enter" == view.news[-1].code
        await evening.enter(number, (1, 4))


async def test_8_47_removed_persons_play_again_once_the_penalty_is_undone(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(rounds=4), pairs(4))
        await evening.events.desk_entries.penalise_entry(
            evening.director, number, 1, category="conduct", level=5, reason="cheating"
        )
        assert (
            TournamentCode.WAS_REMOVED
            is (await refusal_of(evening.events.entering.enter(evening.caller(2), number, partners={1: "P1"})))[0]
        )
        assert (await evening.events.desk.undo_ruling(evening.director, number, ruling=1)).entrant(1).is_active


async def test_a_person_who_plays_for_another_enters_once_that_match_is_over(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(rounds=4), pairs(4))
        match = (await evening.events.overview.get_tournament(number)).matches_of(1)[0]
        await evening.events.desk.substitute(evening.director, number, match.id, seat=0, person=30, name="P30")
        ask = evening.events.entering
        busy = await refusal_of(ask.enter(evening.caller(30), number, partners={31: "P31"}))
        assert (TournamentCode.SITS_IN, {"match": match.id, **OWN}) == busy
        other = await refusal_of(ask.enter(evening.caller(31), number, partners={30: "P30"}))
        assert (TournamentCode.SITS_IN, {"match": match.id, **OTHER}) == other
        await evening.play_called_matches(number)
        await evening.enter(number, (30, 31))


async def test_8_48_only_entries_with_a_start_number_can_be_penalised(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(rounds=2), pairs(3), missing=[1])
        before = standing_figures(await evening.events.overview.get_tournament(number))
        penalise = evening.events.desk_entries.penalise_entry(
            evening.director, number, 1, category="late", level=3, reason="did not come"
        )
        assert (TournamentCode.NOT_PLACED, {"entry": 1}) == await refusal_of(penalise)
        assert before == standing_figures(await evening.events.overview.get_tournament(number))
