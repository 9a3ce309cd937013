"""Refusals that no other test of tournaments causes, before the start and in the first round."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.tournaments.event import rounds
from bot.tournaments.event.plan_check import PlanError
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.format_traits import FormatKind
from tests.support.tournaments import DIRECTOR, open_evening, pairs, refusal_of, usual_plan


async def test_impossible_requests_before_the_start_are_refused(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        events = evening.events
        past = await refusal_of(
            events.entering.publish(evening.director, (await evening.make_draft(usual_plan(starts_at=1))).id)
        )
        assert (TournamentCode.PLAN_UNFIT, {"problem": PlanError.STARTS_BEFORE_NOW.value}) == past
        number = (await evening.publish(usual_plan())).id
        twice = await refusal_of(events.entering.enter(evening.caller(1), number, partners={1: "P1"}))
        assert (TournamentCode.PARTNERS_WRONG, {"needed": 2, "given": 1}) == twice
        assert (TournamentCode.NOT_ENTERED, {}) == await refusal_of(events.entering.leave(evening.caller(9), number))
        assert (TournamentCode.NOT_PAUSED, {}) == await refusal_of(events.desk.resume(evening.director, number))
        await events.desk.pause(evening.director, number)
        assert (TournamentCode.ALREADY_PAUSED, {}) == await refusal_of(events.desk.pause(evening.director, number))
        assert (TournamentCode.BOARD_NOT_OPEN, {"board": 1}) == await refusal_of(events.exports.board_seed(number, 1))


async def test_a_request_id_served_by_one_tournament_is_refused_by_another(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        first = (await evening.publish(usual_plan(drawn=True))).id
        second = (await evening.publish(usual_plan(drawn=True))).id
        caller = evening.caller(1)
        await evening.events.entering.enter(caller, first)
        again = await refusal_of(evening.events.entering.enter(caller, second))
        assert (TournamentCode.REQUEST_SERVED, {}) == again
        assert () == (await evening.events.overview.get_tournament(second)).entrants


async def test_a_started_round_robin_takes_no_entries(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(kind=FormatKind.ROUND_ROBIN), pairs(4))
        code, _ = await refusal_of(evening.events.entering.enter(evening.caller(20), number, partners={21: "P21"}))
        assert TournamentCode.ENTRY_CLOSED is code


async def test_calling_a_round_is_refused_if_there_is_none(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        view = await evening.events.overview.get_tournament(await evening.begin_tournament(usual_plan(), pairs(4)))
        with pytest.raises(TournamentRefusal) as caught:
            rounds.call_round_now(replace(view, rounds=()), director=DIRECTOR, now=evening.clock.now())
        assert (TournamentCode.NO_SUCH_ROUND, {"round": 0}) == (caught.value.code, caught.value.detail)


async def test_impossible_requests_in_the_first_round_are_refused(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        events = evening.events
        number = await evening.begin_round(usual_plan(rounds=4), pairs(6))
        match = (await events.overview.get_tournament(number)).matches_of(1)[0].id
        scores = [[500, 0]]
        assert (TournamentCode.NO_SUCH_MATCH, {"match": 99}) == await refusal_of(
            events.desk.adjust_scores(evening.director, number, 99, scores=scores, reason="wrong count")
        )
        assert (TournamentCode.MATCH_OPEN, {"match": match}) == await refusal_of(
            events.desk.adjust_scores(evening.director, number, match, scores=scores, reason="wrong count")
        )
        assert (TournamentCode.NO_SUCH_ENTRY, {"entry": 99}) == await refusal_of(
            events.desk_entries.penalise_entry(evening.director, number, 99, category="conduct", level=1, reason="late")
        )
        await events.entering.skip_next_round(evening.caller(1), number)
        assert (TournamentCode.ALREADY_SAT_OUT, {"round": 2}) == await refusal_of(
            events.entering.skip_next_round(evening.caller(2), number)
        )
        assert (TournamentCode.NO_CASE, {"case": 3}) == await refusal_of(
            events.desk_entries.answer_director_call(evening.director, number, case=3, text="play on")
        )
        await evening.play_match(number, match)
        assert (TournamentCode.MATCH_OVER, {"match": match}) == await refusal_of(
            events.desk.wait_longer(evening.director, number, match)
        )
