"""No-shows, and the director's options (`docs/tournaments.md` 2, table of deadlines; 1.5)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import PRESETS
from bot.tables.state.clocks import TableSettings
from bot.tables.state.snapshots import Status
from bot.tournaments.event import matches
from bot.tournaments.event.match_state import MatchStage, MatchState
from bot.tournaments.event.plan import SLOW, Duplicate
from bot.tournaments.event.refusals import TournamentCode
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.format_traits import FormatKind
from tests.support.tournaments import (
    Evening,
    news_codes,
    open_evening,
    pairs,
    refusal_of,
    rules_with_endless_deals,
    usual_plan,
)


def first_match(tournament: Tournament) -> MatchState:
    return tournament.matches_of(len(tournament.rounds))[0]


async def bring_players_to_table(
    evening: Evening, tournament_number: int, match: MatchState, *, absent_seat: int
) -> None:
    """Mark all players of a match as arrived, except the one in seat `absent_seat`."""
    for seat, person in enumerate(match.seats):
        if person is not None and seat != absent_seat:
            await evening.events.entering.mark_arrived(person, tournament_number, match.id)


@pytest.mark.parametrize(("chosen", "told", "over"), [({}, 5 * MINUTE, 10 * MINUTE), (SLOW, 48 * HOUR, 72 * HOUR)])
async def test_a_no_show_is_announced_and_forfeits(
    tmp_path: Path, chosen: dict[str, Any], told: int, over: int
) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        starts = evening.clock.now() + 100 * HOUR
        number = await evening.begin_round(usual_plan(**chosen, starts_at=starts), pairs(2))
        match = first_match(await evening.events.overview.get_tournament(number))
        await bring_players_to_table(evening, number, match, absent_seat=0)
        opened = match.opened_at or 0
        await evening.advance_to(opened + told - 1)
        assert "table_waits" not in news_codes(await evening.events.overview.get_tournament(number))
        await evening.advance_to(opened + told)
        view = await evening.events.overview.get_tournament(number)
        waits = [one for one in view.news if one.code == "table_waits"]
        assert [((match.seats[0],), {"table": 1, "until": opened + over, "round": 1})] * 2 == [
            (one.persons, one.numbers) for one in waits
        ]
        assert [True, False] == [one.pings for one in waits]
        await evening.advance_to(opened + over)
        view = await evening.events.overview.get_tournament(number)
        result = view.match(match.id).result
        assert result is not None
        assert ((0,), 1) == (result.forfeited, result.winner)
        assert "no_show" in news_codes(view)
        assert Status.FINISHED is (await evening.world.service.reading.snapshot(match.tables[0].table)).status


async def test_when_neither_side_comes_both_forfeit(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(), pairs(2))
        await evening.pass_time(10 * MINUTE)
        result = first_match(await evening.events.overview.get_tournament(number)).result
        assert result is not None
        assert ((0, 1), None) == (result.forfeited, result.winner)


async def test_8_52_only_an_absent_player_in_turn_is_awaited_and_costs_the_match(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(rules=rules_with_endless_deals()), pairs(2))
        match = first_match(await evening.events.overview.get_tournament(number))
        opened, table = match.opened_at or 0, match.tables[0].table
        await evening.events.entering.mark_arrived(match.seats[1] or 0, number, match.id)
        await evening.pass_time(5 * MINUTE)
        view = await evening.events.overview.get_tournament(number)
        told = next(one for one in view.news if one.code == "table_waits")
        assert (match.seats[0], match.seats[2], match.seats[3]) == told.persons
        await evening.pass_time(4 * MINUTE)
        await evening.play_idle_turn(table)
        view = await evening.events.overview.get_tournament(number)
        assert () == matches.awaited_persons(view, first_match(view)), "the next player has given a sign"
        await evening.play_idle_turn(table)
        view = await evening.events.overview.get_tournament(number)
        turn = matches.awaited_turn(view, first_match(view))
        assert turn is not None
        assert (2, opened + 9 * MINUTE, 0) == (turn.seat, turn.since, turn.waited), "from that person's first turn"
        await evening.advance_to(opened + 19 * MINUTE)
        result = first_match(await evening.events.overview.get_tournament(number)).result
        assert result is not None
        assert ((0,), 1) == (result.forfeited, result.winner), "the other side has given a sign, not all of it"


async def test_8_52_without_a_sign_of_the_other_side_both_forfeit(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(), pairs(2))
        match = first_match(await evening.events.overview.get_tournament(number))
        await evening.events.entering.mark_arrived(match.seats[2] or 0, number, match.id)
        await evening.pass_time(10 * MINUTE)
        result = first_match(await evening.events.overview.get_tournament(number)).result
        assert result is not None
        assert ((0, 1), None) == (result.forfeited, result.winner)


async def test_8_52_a_director_cannot_wait_longer_at_a_table_where_all_have_come(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(rules=rules_with_endless_deals()), pairs(2))
        match = first_match(await evening.events.overview.get_tournament(number))
        await bring_players_to_table(evening, number, match, absent_seat=-1)
        nobody = await refusal_of(evening.events.desk.wait_longer(evening.director, number, match.id))
        assert (TournamentCode.NOBODY_AWAITED, {"match": match.id}) == nobody


@pytest.mark.parametrize(("chosen", "told", "then"), [({}, 5 * MINUTE, 10 * MINUTE), (SLOW, 48 * HOUR, 48 * HOUR)])
async def test_a_director_lets_a_table_wait_longer(
    tmp_path: Path, chosen: dict[str, Any], told: int, then: int
) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        starts = evening.clock.now() + 100 * HOUR
        number = await evening.begin_round(usual_plan(**chosen, starts_at=starts), pairs(2))
        match = first_match(await evening.events.overview.get_tournament(number))
        await bring_players_to_table(evening, number, match, absent_seat=0)
        await evening.pass_time(told)
        await evening.events.desk.wait_longer(evening.director, number, match.id)
        await evening.pass_time(then - 1)
        assert first_match(await evening.events.overview.get_tournament(number)).result is None
        await evening.pass_time(1)
        assert first_match(await evening.events.overview.get_tournament(number)).result is not None


async def test_acting_at_the_table_counts_as_coming(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(rules=rules_with_endless_deals()), pairs(2))
        table = first_match(await evening.events.overview.get_tournament(number)).tables[0].table
        view, seat, _ = await evening.world.current_turn(table)
        await evening.take_step(table)
        await evening.wait_until_idle()
        assert (view.seats[seat].person,) == first_match(await evening.events.overview.get_tournament(number)).arrived


async def test_opening_the_hand_counts_as_coming_and_starts_the_clock(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(), pairs(2))
        match = first_match(await evening.events.overview.get_tournament(number))
        await evening.pass_time(4 * MINUTE)
        await bring_players_to_table(evening, number, match, absent_seat=-1)
        await evening.wait_until_idle()
        table = await evening.world.service.reading.snapshot(match.tables[0].table)
        assert table.contest is not None
        assert (0, 1, 2, 3) == tuple(sorted(table.contest.came))
        await evening.pass_time(10 * MINUTE)
        result = first_match(await evening.events.overview.get_tournament(number)).result
        assert result is not None
        assert (0,) == result.forfeited, "who is there and does nothing uses up the clock"


async def test_computer_players_replace_no_shows_where_allowed(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(computers=True), pairs(2))
        match = first_match(await evening.events.overview.get_tournament(number))
        await evening.pass_time(20 * MINUTE)
        table = await evening.world.service.reading.snapshot(match.tables[0].table)
        assert "computer" in {one.kind for one in table.seats}


async def test_clocks_run_at_a_matchs_second_table_if_all_came_to_the_first(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        plan = usual_plan(kind=FormatKind.DUPLICATE, duplicate=Duplicate(boards=6, in_a_round=2), deals=None)
        number = await evening.begin_round(plan, pairs(4))
        match = first_match(await evening.events.overview.get_tournament(number))
        await bring_players_to_table(evening, number, match, absent_seat=-1)
        await evening.wait_until_idle()
        await evening.play_table(match.tables[0].table)
        await evening.wait_until_idle()
        match = first_match(await evening.events.overview.get_tournament(number))
        assert 2 == len(match.tables)
        table = await evening.world.service.reading.snapshot(match.tables[1].table)
        assert table.clocks is not None
        assert table.clocks.owes is not None


async def test_a_substitute_for_a_no_show_sits_down_at_once_and_is_waited_for(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(), pairs(2))
        match = first_match(await evening.events.overview.get_tournament(number))
        await bring_players_to_table(evening, number, match, absent_seat=0)
        await evening.pass_time(9 * MINUTE)
        await evening.events.desk.substitute(evening.director, number, match.id, seat=0, person=77, name="Sub")
        await evening.wait_until_idle()
        assert 77 == (await evening.world.service.reading.snapshot(match.tables[0].table)).seats[0].person
        await evening.pass_time(9 * MINUTE)
        assert first_match(await evening.events.overview.get_tournament(number)).result is None, (
            "his ten minutes are not over"
        )
        view = await evening.play_called_matches(number)
        result = view.match(match.id).result
        assert result is not None
        assert ((), {77}) == (result.forfeited, {one.person for one in result.seated if one.seat == 0})
        assert 1 == view.entrant(match.sides[0][0]).substituted


async def test_a_substitute_joins_with_the_next_deal_and_has_not_lost_by_absence(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        patient = TableSettings(clock=PRESETS["tournament"], vacation=0)
        number = await evening.begin_round(
            usual_plan(rules=rules_with_endless_deals(), deals=2, settings=patient), pairs(2)
        )
        match = first_match(await evening.events.overview.get_tournament(number))
        await bring_players_to_table(evening, number, match, absent_seat=-1)
        await evening.pass_time(20 * MINUTE)
        table = match.tables[0].table
        await evening.take_step(table)
        await evening.events.desk.substitute(evening.director, number, match.id, seat=1, person=77, name="Sub")
        await evening.wait_until_idle()
        assert match.seats[1] == (await evening.world.service.reading.snapshot(table)).seats[1].person, (
            "not in the middle"
        )
        await evening.pass_time(1)
        assert first_match(await evening.events.overview.get_tournament(number)).result is None
        view = await evening.play_called_matches(number)
        result = view.match(match.id).result
        assert result is not None
        assert [(match.seats[1], 1), (77, 1)] == sorted(
            (one.person, one.deals) for one in result.seated if one.seat == 1
        )


async def test_substitutes_play_at_most_half_of_the_matches_and_are_no_entrants(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(rounds=3), pairs(4))
        match = first_match(await evening.events.overview.get_tournament(number))
        person = match.seats[0]
        inside = evening.events.desk.substitute(evening.director, number, match.id, seat=0, person=8, name="P8")
        assert TournamentCode.SUBSTITUTE_PLAYS is (await refusal_of(inside))[0]
        await evening.events.desk.substitute(evening.director, number, match.id, seat=0, person=77, name="Sub")
        await evening.events.desk.substitute(evening.director, number, match.id, seat=2, person=78, name="Sub 2")
        await evening.play_called_matches(number)
        view = await evening.call_next_round(number)
        again = next(one for one in view.matches_of(2) if person in one.seats)
        seat = again.seats.index(person)
        code, detail = await refusal_of(
            evening.events.desk.substitute(evening.director, number, again.id, seat=seat, person=77, name="Sub")
        )
        assert (TournamentCode.SUBSTITUTE_TOO_OFTEN, {"matches": 1}) == (code, detail)


async def test_8_37_a_substitute_who_wins_a_bracket_match_lets_the_entry_advance(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(kind=FormatKind.SINGLE, third_place=False), pairs(4))
        for match in (await evening.events.overview.get_tournament(number)).matches:
            for seat in range(4):
                sub = 100 + 10 * match.id + seat
                if seat < 2:
                    await evening.events.desk.substitute(
                        evening.director, number, match.id, seat=seat, person=sub, name="S"
                    )
        view = await evening.play_called_matches(number)
        winners = {one.sides[one.result.winner or 0][0] for one in view.matches_of(1) if one.result is not None}
        (final,) = view.matches_of(2)
        assert winners == {entry for side in final.sides for entry in side}
        view = await evening.call_next_round(number)
        entered = {person for entry in winners for person in view.entrant(entry).people}
        assert entered == set(view.matches_of(2)[0].seats)


async def test_8_42_after_a_double_forfeit_in_a_bracket_the_next_entry_advances(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(kind=FormatKind.SINGLE), pairs(4))
        view = await evening.events.overview.get_tournament(number)
        _, other = view.matches
        await evening.play_match(number, other.id)
        await evening.pass_time(10 * MINUTE)
        view = await evening.play_all_rounds(number)
        winner = view.match(other.id).result
        assert winner is not None
        ranking = await evening.events.overview.ranking(number)
        assert [(1, other.sides[winner.winner or 0][0])] == [(p.first, p.entry) for p in ranking.places if p.first == 1]
        assert 2 == len(view.matches), "nobody is left to play the final against"


async def test_8_40_of_two_rulings_at_once_the_second_builds_on_the_first(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(), pairs(3))
        await evening.play_called_matches(number)
        events, director = evening.events, evening.director
        await events.desk.adjust_scores(director, number, 1, scores=[[10, 900]], reason="first")
        await events.desk.adjust_scores(evening.director, number, 1, scores=[[900, 10]], reason="second")
        view = await events.overview.get_tournament(number)
        assert [(1, "first"), (2, "second")] == [(one.number, one.reason) for one in view.rulings]
        await events.desk.undo_ruling(evening.director, number, ruling=2)
        assert MatchStage.DONE is (await events.overview.get_tournament(number)).match(1).stage
        second = await refusal_of(events.desk.undo_ruling(evening.director, number, ruling=2))
        assert TournamentCode.NO_SUCH_RULING is second[0]


async def test_a_round_under_ten_minutes_gets_no_ten_minute_warning(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(round_time=8 * MINUTE), pairs(2))
        await evening.pass_time(2 * MINUTE)
        assert "ten_minutes" not in news_codes(await evening.events.overview.get_tournament(number))
