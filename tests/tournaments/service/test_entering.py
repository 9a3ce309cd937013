"""Entering, checking in and leaving before the start: cases 1 to 6 of `docs/tournaments.md` 8, and 35."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.clocks.clock import HOUR, MINUTE
from bot.tournaments.event.entries import EntryStage
from bot.tournaments.event.plan import SLOW, Duplicate
from bot.tournaments.event.refusals import TournamentCode
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.format_traits import FormatKind
from tests.support.clock import ManualClock
from tests.support.tournaments import news_codes, open_evening, pairs, refusal_of, usual_plan


def stages_by_people(tournament: Tournament) -> dict[tuple[int, ...], EntryStage]:
    return {tuple(one.people): one.stage for one in tournament.entrants}


async def test_8_1_entering_twice_makes_one_entry(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = (await evening.publish(usual_plan())).id
        await evening.enter(number, (1, 2))
        twice = await refusal_of(evening.events.entering.enter(evening.caller(1), number, partners={3: "P3"}))
        partner = await refusal_of(evening.events.entering.enter(evening.caller(4), number, partners={2: "P2"}))
        assert (TournamentCode.ALREADY_ENTERED, {"entry": 1}) == twice == partner
        assert 1 == len((await evening.events.overview.get_tournament(number)).entrants)


async def test_8_1_a_request_that_comes_again_changes_nothing(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = (await evening.publish(usual_plan(drawn=True))).id
        caller = evening.caller(1)
        await evening.events.entering.enter(caller, number)
        before = await evening.events.overview.get_tournament(number)
        assert before == await evening.events.entering.enter(caller, number)


async def test_8_1_simultaneous_check_ins_all_count(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = (await evening.publish(usual_plan(drawn=True))).id
        for person in range(1, 5):
            await evening.events.entering.enter(evening.caller(person), number)
        view = await evening.events.overview.get_tournament(number)
        await evening.advance_to(view.plan.starts_at - view.plan.check_in_from)
        await asyncio.gather(
            *(evening.events.entering.check_in(evening.caller(person), number) for person in range(1, 5))
        )
        assert {EntryStage.HERE} == set(stages_by_people(await evening.events.overview.get_tournament(number)).values())


async def test_8_2_a_pair_completed_too_late_is_on_the_waiting_list(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = (await evening.publish(usual_plan(places=4))).id
        await evening.events.entering.enter(evening.caller(1), number, partners={2: "P2"})
        await evening.events.entering.enter(evening.caller(3), number, partners={4: "P4"})
        await evening.events.entering.enter(evening.caller(5), number, partners={6: "P6"})
        for person in (2, 4, 6):
            await evening.events.entering.answer_partner_invitation(evening.caller(person), number, yes=True)
        view = await evening.events.overview.get_tournament(number)
        assert [EntryStage.ENTERED, EntryStage.ENTERED, EntryStage.WAITING] == list(stages_by_people(view).values())
        await evening.events.entering.leave(evening.caller(1), number)
        assert {EntryStage.ENTERED} == set(
            stages_by_people(await evening.events.overview.get_tournament(number)).values()
        )


async def test_a_partner_who_does_not_answer_in_time_leaves_no_entry(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = (await evening.publish(usual_plan(starts_at=evening.clock.now() + 100 * HOUR))).id
        await evening.events.entering.enter(evening.caller(1), number, partners={2: "P2"})
        await evening.pass_time(48 * HOUR)
        view = await evening.events.overview.get_tournament(number)
        assert () == view.entrants
        assert "partner_declined" == news_codes(view)[-1]


async def test_8_3_an_odd_person_in_a_draw_of_partners_waits(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(drawn=True), [(one,) for one in (7, 3, 9, 1, 5)])
        view = await evening.events.overview.get_tournament(number)
        assert EntryStage.WAITING is stages_by_people(view)[5,]
        assert [2, 2] == [len(one.people) for one in view.entrants if one.is_active]
        assert [(5,)] == [one.persons for one in view.news if one.code == "odd_one_waits"]


async def test_8_4_a_pair_with_a_missing_player_is_replaced_from_the_waiting_list(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(places=4), pairs(3), missing=[2])
        view = await evening.events.overview.get_tournament(number)
        expected = {(1, 2): EntryStage.LEFT, (3, 4): EntryStage.PLAYING, (5, 6): EntryStage.PLAYING}
        assert expected == stages_by_people(view)
        assert {"out": 2, "in": 2} == next(one.numbers for one in view.news if one.code == "checked_in")


async def test_8_5_a_tournament_without_entrants_present_is_closed_without_a_round(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(), pairs(3), missing=range(1, 7))
        view = await evening.events.overview.get_tournament(number)
        assert (Stage.CLOSED, ()) == (view.stage, view.rounds)
        assert view.lot_shown


async def test_8_5_if_all_entrants_leave_before_the_first_round_it_is_closed(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(), pairs(3))
        for person in (1, 3):
            await evening.events.entering.leave(evening.caller(person), number)
        view = await evening.events.overview.get_tournament(number)
        assert (Stage.CLOSED, ()) == (view.stage, view.rounds)
        assert view.lot_shown


async def test_8_6_the_only_remaining_entry_wins(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(), pairs(3))
        await evening.play_called_matches(number)
        for person in (1, 3):
            await evening.events.entering.leave(evening.caller(person), number)
        view = await evening.events.overview.get_tournament(number)
        assert (Stage.CLOSING, 1) == (view.stage, len(view.rounds))
        assert [3] == [one.number for one in view.entrants if one.is_active]
        assert Stage.CLOSED is (await evening.play_all_rounds(number)).stage


async def test_8_6_if_one_of_two_entries_leaves_the_other_wins_and_it_is_closed(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(), pairs(2))
        await evening.events.entering.leave(evening.caller(1), number)
        view = await evening.events.overview.get_tournament(number)
        assert Stage.CLOSING is view.stage
        ranking = await evening.events.overview.ranking(number)
        assert 2 == ranking.places[0].entry


async def test_8_35_an_outage_over_the_whole_check_in_postpones_it(tmp_path: Path) -> None:
    clock, path = ManualClock(), tmp_path / "canasta.db"
    async with open_evening(path, clock=clock) as evening:
        number = (await evening.publish(usual_plan())).id
        for people in pairs(3):
            await evening.enter(number, people)
        starts_at = (await evening.events.overview.get_tournament(number)).plan.starts_at
        await evening.advance_to(starts_at - 40 * MINUTE)
    clock.advance(2 * HOUR)  # check-in was planned from 30 to 5 minutes before the start
    async with open_evening(path, clock=clock, first_request=6_000_000) as evening:
        await evening.ring_alarms()
        view = await evening.events.overview.get_tournament(number)
        assert Stage.CHECK_IN is view.stage
        assert clock.now() + 30 * MINUTE == view.plan.starts_at
        assert ["postponed", "check_in_open"] == news_codes(view)[-2:]
        await evening.check_in(number, range(1, 7))
        await evening.advance_to(view.plan.starts_at - 5 * MINUTE)
        assert Stage.RUNNING is (await evening.events.overview.get_tournament(number)).stage


async def test_8_35_an_outage_during_check_in_does_not_shorten_it(tmp_path: Path) -> None:
    clock, path = ManualClock(), tmp_path / "canasta.db"
    async with open_evening(path, clock=clock) as evening:
        number = (await evening.publish(usual_plan())).id
        await evening.enter(number, (1, 2))
        starts_at = (await evening.events.overview.get_tournament(number)).plan.starts_at
        await evening.advance_to(starts_at - 20 * MINUTE)
    clock.advance(25 * MINUTE)
    async with open_evening(path, clock=clock, first_request=6_000_000) as evening:
        view = await evening.events.overview.get_tournament(number)
        assert (Stage.CHECK_IN, starts_at + 25 * MINUTE) == (view.stage, view.plan.starts_at)
        assert starts_at + 20 * MINUTE == await evening.events.alarms.next_due_at()


async def test_an_outage_before_check_in_moves_nothing(tmp_path: Path) -> None:
    clock, path = ManualClock(), tmp_path / "canasta.db"
    async with open_evening(path, clock=clock) as evening:
        slow: dict[str, Any] = {**SLOW, "starts_at": clock.now() + 100 * HOUR}
        before = await evening.publish(usual_plan(**slow))
    clock.advance(60 * HOUR)
    async with open_evening(path, clock=clock, first_request=6_000_000) as evening:
        after = await evening.events.overview.get_tournament(before.id)
        assert before.plan.starts_at == after.plan.starts_at
        assert news_codes(before) == news_codes(after)


async def test_a_paused_check_in_continues_with_its_remaining_time(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = (await evening.publish(usual_plan())).id
        await evening.enter(number, (1, 2))
        starts_at = (await evening.events.overview.get_tournament(number)).plan.starts_at
        await evening.advance_to(starts_at - 40 * MINUTE)
        await evening.events.desk.pause(evening.director, number)
        await evening.pass_time(30 * MINUTE)
        assert Stage.OPEN is (await evening.events.overview.get_tournament(number)).stage
        await evening.events.desk.resume(evening.director, number)
        assert starts_at + 20 * MINUTE == (await evening.events.overview.get_tournament(number)).plan.starts_at


@pytest.mark.parametrize(
    ("chosen", "entries"),
    [
        ({"kind": FormatKind.DUPLICATE, "duplicate": Duplicate(), "deals": None}, pairs(3)),
        ({"kind": FormatKind.INDIVIDUAL, "entry_size": 1}, [(1,), (2,), (3,)]),
        ({}, pairs(1)),
    ],
)
async def test_a_tournament_with_too_few_present_is_closed(
    tmp_path: Path, chosen: dict[str, Any], entries: list[tuple[int, ...]]
) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        view = await evening.events.overview.get_tournament(
            await evening.begin_tournament(usual_plan(**chosen), entries)
        )
        assert (Stage.CLOSED, "too_few") == (view.stage, news_codes(view)[-1])


async def test_late_entrants_get_only_free_places(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(places=10, rounds=3), pairs(4))
        await evening.events.entering.enter(evening.caller(9), number, partners={10: "P10"})
        await evening.events.entering.enter(evening.caller(11), number, partners={12: "P12"})
        await evening.events.entering.answer_partner_invitation(evening.caller(10), number, yes=True)
        full = (TournamentCode.NO_PLACE, {"places": 10})
        assert full == await refusal_of(
            evening.events.entering.answer_partner_invitation(evening.caller(12), number, yes=True)
        )
        assert full == await refusal_of(evening.events.entering.enter(evening.caller(13), number, partners={14: "P14"}))
        await evening.events.entering.leave(evening.caller(1), number)
        view = await evening.events.entering.answer_partner_invitation(evening.caller(12), number, yes=True)
        assert EntryStage.PLAYING is stages_by_people(view)[11, 12]
