"""A ladder as a tournament: challenges make matches, and missed deadlines cost rungs."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.clocks.clock import HOUR
from bot.tournaments.core.repository import TournamentRequest
from bot.tournaments.counted_results import Deal
from bot.tournaments.event import matches
from bot.tournaments.event.match_state import Result
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.format_traits import FormatKind
from tests.support.tournaments import Evening, open_evening, pairs, refusal_of, usual_plan


async def begin_ladder(evening: Evening, entries: int) -> int:
    number = (await evening.publish(usual_plan(kind=FormatKind.LADDER))).id
    for people in pairs(entries):
        await evening.enter(number, people)
    view = await evening.events.overview.get_tournament(number)
    await evening.advance_to(view.plan.starts_at)
    return number


async def entries_by_rung(evening: Evening, tournament_number: int) -> tuple[int, ...]:
    ranking = await evening.events.overview.ranking(tournament_number)
    return tuple(place.entry for place in ranking.places)


async def test_beating_a_higher_entry_climbs_half_the_way_and_silence_costs_a_rung(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await begin_ladder(evening, 5)
        start = await entries_by_rung(evening, number)
        view = await evening.events.overview.get_tournament(number)
        last, top = view.entrant(start[-1]), view.entrant(start[0])
        await evening.events.entering.challenge(evening.caller(last.captain), number, entry=top.number)
        await evening.events.entering.answer_challenge(evening.caller(top.captain), number, yes=True)
        await evening.give_matches_channels(number)
        view = await evening.events.overview.get_tournament(number)
        await evening.play_table(view.matches[0].tables[0].table)
        await evening.wait_until_idle()
        view = await evening.events.overview.get_tournament(number)
        assert view.matches[0].result is not None
        won = view.matches[0].result.winner == 0
        climbed = (start[0], start[1], last.number, start[2], start[3])
        assert (climbed if won else start) == await entries_by_rung(evening, number)

        before = await entries_by_rung(evening, number)
        challenger = view.entrant(before[2])
        await evening.events.entering.challenge(evening.caller(challenger.captain), number, entry=before[1])
        await evening.pass_time(72 * HOUR)
        assert (before[0], before[2], before[1], *before[3:]) == await entries_by_rung(evening, number)


async def test_a_ladder_places_new_entries_last_and_enforces_its_rules(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await begin_ladder(evening, 3)
        await evening.enter(number, (50, 51))
        assert 4 == (await entries_by_rung(evening, number))[-1]
        view = await evening.events.overview.get_tournament(number)
        top = view.entrant((await entries_by_rung(evening, number))[0])
        with pytest.raises(TournamentRefusal) as caught:
            await evening.events.entering.challenge(evening.caller(top.captain), number, entry=4)
        assert (TournamentCode.LADDER, "not_above") == (caught.value.code, caught.value.detail["problem"])
        await evening.events.entering.leave(evening.caller(50), number)
        assert 4 not in await entries_by_rung(evening, number)
        assert Stage.CLOSED is (await evening.events.desk.close_ladder(evening.director, number)).stage


async def test_a_ladder_has_no_rounds_that_a_director_could_call(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await begin_ladder(evening, 3)
        code, detail = await refusal_of(evening.events.desk.call_round(evening.director, number))
        assert (TournamentCode.NO_ROUND_DRAWN, {}) == (code, detail)
        view = await evening.events.overview.get_tournament(number)
        order = await entries_by_rung(evening, number)
        challenger, above = view.entrant(order[1]), view.entrant(order[0])
        await evening.events.entering.challenge(evening.caller(challenger.captain), number, entry=above.number)
        await evening.events.entering.answer_challenge(evening.caller(above.captain), number, yes=True)
        code, detail = await refusal_of(evening.events.desk.call_round(evening.director, number))
        assert (TournamentCode.NO_ROUND_DRAWN, {}) == (code, detail)


async def beat_higher_entry(evening: Evening, tournament_number: int, upper: int, lower: int) -> int:
    """Let `lower` challenge and beat `upper`; return the number of their match."""
    view = await evening.events.overview.get_tournament(tournament_number)
    await evening.events.entering.challenge(evening.caller(view.entrant(lower).captain), tournament_number, entry=upper)
    await evening.events.entering.answer_challenge(
        evening.caller(view.entrant(upper).captain), tournament_number, yes=True
    )
    view = await evening.events.overview.get_tournament(tournament_number)
    match = view.matches[-1].id
    await evening.pass_time(60_000)

    async def record_result(tournament: Tournament, now: int) -> Tournament:
        deals = (Deal(number=1, scores=(500, 100)),)
        return matches.set_result(tournament, match=match, result=Result(deals=deals, winner=0, finished_at=now))

    await evening.events.playing.change(tournament_number, TournamentRequest("result"), record_result)
    return match


async def test_8_51_a_changed_result_replays_all_later_ones(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await begin_ladder(evening, 5)
        a, b, c, d, e = await entries_by_rung(evening, number)
        first = await beat_higher_entry(evening, number, a, e)
        assert (a, b, e, c, d) == await entries_by_rung(evening, number)
        await beat_higher_entry(evening, number, b, d)
        assert (a, b, d, e, c) == await entries_by_rung(evening, number)
        desk = evening.events.desk
        await desk.void_match(evening.director, number, first, reason="wrong rules")
        assert (a, b, d, c, e) == await entries_by_rung(evening, number)
        view = await desk.forfeit_match(evening.director, number, first, sides=(0, 1), reason="nobody was there")
        assert (a, b, d, c, e) == await entries_by_rung(evening, number)
        for made in reversed(view.rulings):
            await desk.undo_ruling(evening.director, number, ruling=made.number)
        assert (a, b, d, e, c) == await entries_by_rung(evening, number)
        await desk.give_points(evening.director, number, first, points=(0, 2), winner=1, reason="wrong count")
        assert (a, b, d, c, e) == await entries_by_rung(evening, number)


async def test_8_51_a_director_sets_a_rung_and_takes_it_back(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await begin_ladder(evening, 4)
        a, b, c, d = await entries_by_rung(evening, number)
        ask = evening.events.desk_entries
        for wrong in (0, 5, -1):
            moved = ask.set_rung(evening.director, number, a, rung=wrong, reason="r")
            assert (TournamentCode.RUNG, {"rungs": 4}) == await refusal_of(moved)
        await ask.set_rung(evening.director, number, d, rung=1, reason="champion of last year")
        assert (d, a, b, c) == await entries_by_rung(evening, number)
        await beat_higher_entry(evening, number, d, b)
        assert (d, b, a, c) == await entries_by_rung(evening, number)
        await evening.events.desk.undo_ruling(evening.director, number, ruling=1)
        assert (a, b, c, d) == await entries_by_rung(evening, number), "without it the winner stood above"
        captain = (await evening.events.overview.get_tournament(number)).entrant(c).captain
        await evening.events.entering.leave(evening.caller(captain), number)
        gone = ask.set_rung(evening.director, number, c, rung=1, reason="r")
        assert TournamentCode.LADDER is (await refusal_of(gone))[0]
        other = await evening.begin_tournament(usual_plan("Another"), pairs(2, first=40))
        swiss = ask.set_rung(evening.director, other, 1, rung=1, reason="r")
        assert TournamentCode.WRONG_STAGE is (await refusal_of(swiss))[0]
