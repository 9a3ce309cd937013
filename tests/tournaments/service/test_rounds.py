"""Rounds that are drawn again, called, ended by the clock, void or paused.

Source: `docs/tournaments.md` 2; 8, cases 7 to 22.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY, PRESETS
from bot.engine.rules.themes.named_themes import theme_names
from bot.tables.state.clocks import TableSettings
from bot.tables.state.snapshots import Status
from bot.tournaments.counted_results import Span, UnpairedReason
from bot.tournaments.event.counted_results import course_of
from bot.tournaments.event.entries import EntryStage
from bot.tournaments.event.match_state import MatchState, Result, RoundStage
from bot.tournaments.event.plan import SLOW
from bot.tournaments.event.refusals import TournamentCode
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.standings.rows import standings
from tests.support.tournaments import (
    Evening,
    news_codes,
    open_evening,
    pairs,
    refusal_of,
    rules_with_endless_deals,
    standing_figures,
    usual_plan,
)


def sides_met(tournament: Tournament) -> list[tuple[tuple[int, ...], ...]]:
    """Return the sides of each match in the current round; empty between rounds."""
    turn = tournament.current_round
    return [] if turn is None else [one.sides for one in tournament.matches_of(turn.number)]


def result_of(match: MatchState) -> Result:
    assert match.result is not None
    return match.result


async def bring_all_to_tables(evening: Evening, tournament_number: int) -> Tournament:
    """Mark all players of the called tables as arrived; return the tournament."""
    for match in (await evening.events.overview.get_tournament(tournament_number)).matches:
        for person in match.seats if match.result is None else ():
            if person is not None:
                await evening.events.entering.mark_arrived(person, tournament_number, match.id)
    await evening.wait_until_idle()
    return await evening.events.overview.get_tournament(tournament_number)


async def test_each_round_is_played_with_its_themes_and_further_rounds_with_the_last_ones(tmp_path: Path) -> None:
    by_round = (("keep-aces",), ("keep-aces", "keep-faces"))
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(rounds=3, themes_by_round=by_round), pairs(4))
        for _ in range(3):
            await evening.play_round(number)
        view = await evening.events.overview.get_tournament(number)
        tables = [next(one for one in view.matches if one.round == turn).tables[0].table for turn in (1, 2, 3)]
        snapshots = [await evening.world.service.reading.snapshot(table) for table in tables]
        assert [by_round[0], by_round[1], by_round[1]] == [theme_names(one.terms) for one in snapshots]


async def test_8_7_a_drawn_round_is_drawn_again_if_an_entry_leaves(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(), pairs(6))
        await evening.events.entering.leave(evening.caller(1), number)
        view = await evening.events.overview.get_tournament(number)
        assert {2, 3, 4, 5, 6} == {entry for sides in sides_met(view) for side in sides for entry in side} | {
            one.entry for one in view.rounds[0].away
        }
        assert ((EntryStage.LEFT, (Span(1, 0),)), 1) == (
            (view.entrant(1).stage, view.entrant(1).spans),
            len(view.rounds),
        )


async def test_8_7_leaving_a_called_round_forfeits_the_match(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(), pairs(6))
        before = sides_met(await evening.events.overview.get_tournament(number))
        await evening.events.entering.leave(evening.caller(1), number)
        await evening.wait_until_idle()
        view = await evening.events.overview.get_tournament(number)
        match = next(one for one in view.matches if (1,) in one.sides)
        assert (before, (match.sides.index((1,)),)) == (sides_met(view), result_of(match).forfeited)
        assert Status.FINISHED is (await evening.world.service.reading.snapshot(match.tables[0].table)).status


async def test_8_8_an_entry_that_leaves_after_a_result_is_not_paired(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(), pairs(4))
        await evening.play_match(number, 1)
        gone = (await evening.events.overview.get_tournament(number)).match(1).sides[0][0]
        await evening.events.entering.leave(evening.caller(2 * gone), number)
        view = await evening.play_called_matches(number)
        assert all(gone not in side and sides[0] != sides[1] for sides in sides_met(view) for side in sides)
        assert gone not in {one.entry for one in view.rounds[1].away}
        assert gone in {row.entry for row in standings(course_of(view))}


async def test_8_11_an_entry_that_leaves_and_returns_scores_nothing_for_missed_rounds(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(rounds=4), pairs(6))
        await evening.events.entering.leave(evening.caller(1), number)
        await evening.call_next_round(number)
        await evening.play_called_matches(number)
        await evening.events.desk_entries.bring_back_entry(evening.director, number, 1)
        view = await evening.events.overview.get_tournament(number)
        assert 1 in {entry for sides in sides_met(view) for side in sides for entry in side}
        assert 0 == next(row.points for row in standings(course_of(view)) if row.entry == 1)


async def test_sitting_out_gives_a_point_once_and_never_in_the_last_round(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(rounds=4), pairs(6))
        for _ in range(2):
            await evening.events.entering.skip_next_round(evening.caller(1), number)
            await evening.play_called_matches(number)
            await evening.call_next_round(number)
        view = await evening.events.overview.get_tournament(number)
        away = [one for turn in view.rounds for one in turn.away if one.entry == 1]
        assert [(UnpairedReason.HALF, 1), (UnpairedReason.ABSENT, 0)] == [(one.code, one.points) for one in away]
        last = await refusal_of(evening.events.entering.skip_next_round(evening.caller(1), number))
        assert (TournamentCode.LAST_ROUND, {"round": 4}) == last


async def test_in_a_round_robin_no_entry_sits_out(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(kind=FormatKind.ROUND_ROBIN), pairs(4))
        code, _ = await refusal_of(evening.events.entering.skip_next_round(evening.caller(1), number))
        assert TournamentCode.WRONG_STAGE is code


async def test_8_12_an_incomplete_pairing_by_hand_is_refused(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(), pairs(5))
        events = evening.events
        code, detail = await refusal_of(
            events.desk.pair_by_hand(evening.director, number, tables=[(1, 2), (3, 4)], byes=[])
        )
        assert (TournamentCode.LEFT_OUT, 5) == (code, detail["entry"])
        view = await events.desk.pair_by_hand(evening.director, number, tables=[(1, 2), (3, 4)], byes=[5])
        assert [[1, 2], [3, 4]] == sorted(
            sorted(entry for side in sides for entry in side) for sides in sides_met(view)
        )
        await evening.call_next_round(number)
        view = await evening.play_called_matches(number)
        assert view.rounds[0].by_hand
        assert 2 == course_of(view).rounds[0].unpaired[0].points


async def test_an_entry_that_announced_sitting_out_does_so_when_paired_by_hand(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(), pairs(5))
        await evening.events.entering.skip_next_round(evening.caller(9), number)
        await evening.play_called_matches(number)
        view = await evening.events.desk.pair_by_hand(evening.director, number, tables=[(1, 2), (3, 4)], byes=[])
        assert [(5, 1)] == [(one.entry, one.points) for one in view.rounds[1].away]


async def test_a_pairing_by_hand_whose_entry_leaves_is_drawn_again(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(), pairs(5))
        await evening.events.desk.pair_by_hand(evening.director, number, tables=[(1, 2), (3, 4)], byes=[5])
        await evening.events.entering.leave(evening.caller(1), number)
        view = await evening.events.overview.get_tournament(number)
        assert {2, 3, 4, 5} == {entry for sides in sides_met(view) for side in sides for entry in side}


async def test_8_13_an_entry_removed_and_restored_in_one_round_plays_the_same_match(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(), pairs(4))
        drawn = sides_met(await evening.events.overview.get_tournament(number))
        await evening.events.desk_entries.remove_entry(evening.director, number, 1)
        await evening.events.desk_entries.bring_back_entry(evening.director, number, 1)
        assert drawn == sides_met(await evening.events.overview.get_tournament(number))

        await evening.call_next_round(number)
        await evening.events.desk_entries.remove_entry(evening.director, number, 1)
        await evening.wait_until_idle()
        await evening.events.desk_entries.bring_back_entry(evening.director, number, 1)
        await evening.give_matches_channels(number)
        view = await evening.play_called_matches(number)
        assert sorted(drawn) == sorted(one.sides for one in view.matches_of(1))
        assert all(not result_of(one).forfeited for one in view.matches_of(1))


async def test_8_19_and_8_20_a_round_is_drawn_and_called_once_and_never_over_open_results(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(), pairs(4))
        asked = (evening.events.desk.call_round(evening.director, number) for _ in range(2))
        first, second = await asyncio.gather(*asked, return_exceptions=True)
        assert [False, True] == [isinstance(one, Exception) for one in (first, second)]
        await evening.give_matches_channels(number)
        await evening.play_match(number, 2)
        code, detail = await refusal_of(evening.events.desk.call_round(evening.director, number))
        assert (TournamentCode.RESULTS_OPEN, {"tables": "1"}) == (code, detail)
        view = await evening.play_called_matches(number)
        assert (2, RoundStage.DRAWN) == (len(view.rounds), view.rounds[1].stage)


async def test_a_round_is_paired_again_until_a_card_is_played(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(rules=rules_with_endless_deals()), pairs(4))
        old = (await evening.events.overview.get_tournament(number)).matches_of(1)[0].tables[0].table
        await evening.events.desk.pair_again(evening.director, number)
        await evening.wait_until_idle()
        assert Status.CLOSED is (await evening.world.service.reading.snapshot(old)).status
        view = await evening.call_next_round(number)
        match = view.matches_of(1)[0]
        await evening.take_step(match.tables[0].table)
        code, detail = await refusal_of(evening.events.desk.pair_again(evening.director, number))
        assert (TournamentCode.CARD_PLAYED, {"match": match.id}) == (code, detail)


async def test_a_void_round_is_played_again_although_the_next_one_is_drawn(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(), pairs(4))
        before = sides_met(await evening.events.overview.get_tournament(number))
        view = await evening.play_called_matches(number)
        assert 2 == len(view.rounds)
        view = await evening.events.desk.void_round(evening.director, number, reason="the target was wrong")
        assert (before, 1) == (sides_met(view), len(view.rounds))
        assert "round_void" == news_codes(view)[-1]
        assert [0] * 4 == [row.points for row in standings(course_of(view))]
        view = await evening.play_all_rounds(number)
        assert (Stage.CLOSED, 3) == (view.stage, len(view.rounds))
        assert 3 * 2 * 2 == sum(row.points for row in standings(course_of(view)))


async def test_the_last_round_can_be_void_before_the_close(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(), pairs(2))
        view = await evening.play_called_matches(number)
        assert Stage.CLOSING is view.stage
        view = await evening.events.desk.void_round(evening.director, number, reason="again")
        assert Stage.RUNNING is view.stage
        assert Stage.CLOSED is (await evening.play_all_rounds(number)).stage


PATIENT = TableSettings(clock=PRESETS["tournament"], vacation=0)
"""A clock by which no player's time runs out in an evening."""


async def test_a_live_round_ends_with_the_deal_in_progress(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(deals=3, settings=PATIENT), pairs(3))
        view = await bring_all_to_tables(evening, number)
        match = view.matches_of(1)[0]
        await evening.advance_to((match.due or 0) - 10 * MINUTE)
        assert "ten_minutes" == news_codes(await evening.events.overview.get_tournament(number))[-1]
        await evening.advance_to(match.due or 0)
        view = await evening.play_called_matches(number)
        assert 1 == len(result_of(view.match(match.id)).deals)


async def test_8_22_a_live_round_waits_fifteen_minutes_for_a_deal_then_the_totals_count(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(deals=3, settings=PATIENT), pairs(3))
        tournament = await bring_all_to_tables(evening, number)
        match = tournament.matches_of(1)[0]
        table = match.tables[0].table
        while (view := (await evening.world.service.reading.snapshot(table)).view) is not None and view.deal < 2:
            if view.actor is None:
                await evening.world.service.play.begin_next_deal(evening.caller(match.seats[0] or 0), table)
            else:
                await evening.take_step(table)
        await evening.advance_to((match.due or 0) + 15 * MINUTE - 1)
        assert (await evening.events.overview.get_tournament(number)).match(match.id).result is None
        await evening.pass_time(1)
        tournament = await evening.events.overview.get_tournament(number)
        assert 1 == len(result_of(tournament.match(match.id)).deals)
        assert Status.FINISHED is (await evening.world.service.reading.snapshot(table)).status


async def test_a_live_match_without_a_finished_deal_is_a_tie_without_figures(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(settings=PATIENT), pairs(3))
        match = (await bring_all_to_tables(evening, number)).matches_of(1)[0]
        await evening.advance_to((match.due or 0) + 15 * MINUTE)
        view = await evening.events.overview.get_tournament(number)
        assert () == result_of(view.match(match.id)).deals
        counted = course_of(view).rounds[0].matches[0]
        assert [1, 1] == [side.points for side in counted.sides]


async def test_a_match_whose_time_has_already_ended_can_be_given_more_time(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(deals=3, settings=PATIENT), pairs(2))
        match = (await bring_all_to_tables(evening, number)).matches_of(1)[0]
        due = match.due or 0
        await evening.advance_to(due + 5 * MINUTE)
        await evening.events.desk.extend_match(evening.director, number, match.id, amount=10 * MINUTE)
        await evening.advance_to(due + 20 * MINUTE)
        assert (await evening.events.overview.get_tournament(number)).match(match.id).result is None
        assert Status.PLAYING is (await evening.world.service.reading.snapshot(match.tables[0].table)).status
        await evening.advance_to(due + 25 * MINUTE)
        assert (await evening.events.overview.get_tournament(number)).match(match.id).result is not None


SLOWLY: dict[str, Any] = {**SLOW, "rules": rules_with_endless_deals(), "deals": 3, "round_time": 10 * DAY}


async def call_slow_match(evening: Evening, **chosen: Any) -> tuple[int, MatchState]:
    starts = evening.clock.now() + 100 * HOUR
    number = await evening.begin_round(usual_plan(**{**SLOWLY, **chosen}, starts_at=starts), pairs(2))
    return number, (await bring_all_to_tables(evening, number)).matches_of(1)[0]


async def test_a_slow_match_with_half_of_its_deals_counts_by_totals(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number, match = await call_slow_match(evening, deals=2)
        table = match.tables[0].table
        while (
            view := (await evening.world.service.reading.snapshot(table)).view
        ) is not None and view.actor is not None:
            await evening.take_step(table)
        await evening.world.service.play.begin_next_deal(evening.caller(match.seats[0] or 0), table)
        await evening.events.desk.pause(evening.director, number)  # the pause keeps the table's clocks from running out
        await evening.pass_time(DAY)
        await evening.events.desk.resume(evening.director, number)
        match = (await evening.events.overview.get_tournament(number)).match(match.id)
        tournament = await end_round(evening, number, match)
        assert 1 == len(result_of(tournament.match(match.id)).deals)
        assert () == result_of(tournament.match(match.id)).forfeited


async def end_round(evening: Evening, tournament_number: int, match: MatchState) -> Tournament:
    """Let the time of a match's round run out with almost no moves; all players show presence."""
    while (await evening.events.overview.get_tournament(tournament_number)).match(match.id).result is None:
        await evening.world.record_activity(*(person for person in match.seats if person is not None))
        due = (await evening.events.overview.get_tournament(tournament_number)).match(match.id).due or 0
        await evening.pass_time(min(30 * HOUR, max(1, due - evening.clock.now())))
        await evening.play_idle_turn(match.tables[-1].table)
    return await evening.events.overview.get_tournament(tournament_number)


async def test_a_slow_match_delayed_by_both_sides_is_a_tie(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number, match = await call_slow_match(evening)
        view = await end_round(evening, number, match)
        assert () == result_of(view.match(match.id)).forfeited
        assert [1, 1] == [side.points for side in course_of(view).rounds[0].matches[0].sides]


async def test_a_slow_match_that_one_side_has_held_up_is_forfeited_by_it(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number, match = await call_slow_match(evening, round_time=40 * HOUR)
        table = match.tables[0].table
        _, seat, _ = await evening.world.current_turn(table)
        await evening.advance_to(match.due or 0)
        after = await evening.events.overview.get_tournament(number)
        assert (seat % 2,) == result_of(after.match(match.id)).forfeited


async def test_in_elimination_the_side_with_less_time_used_advances(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number, match = await call_slow_match(evening, kind=FormatKind.SINGLE)
        view = await end_round(evening, number, match)
        assert result_of(view.match(match.id)).winner is not None
        assert view.stage in (Stage.CLOSING, Stage.CLOSED)  # the round may have closed the tournament already


async def test_a_slow_match_can_be_extended_once_and_the_round_waits_for_it(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number, match = await call_slow_match(evening, round_time=40 * HOUR)
        extend = evening.events.desk.extend_match
        too_long = await refusal_of(extend(evening.director, number, match.id, amount=73 * HOUR))
        await extend(evening.director, number, match.id, amount=10 * HOUR)
        again = await refusal_of(extend(evening.director, number, match.id, amount=HOUR))
        assert (TournamentCode.EXTENDED_ONCE, {"hours": 72}) == too_long == again
        await evening.world.record_activity(*(person for person in match.seats if person is not None))
        await evening.advance_to((match.due or 0) + 10 * HOUR - 1)
        view = await evening.events.overview.get_tournament(number)
        assert (RoundStage.CALLED, None) == (view.rounds[0].stage, view.match(match.id).result)


async def test_a_pause_stops_tables_and_moves_all_instants_to_come(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(), pairs(3))
        before = (await evening.events.overview.get_tournament(number)).matches_of(1)[0]
        await evening.events.desk.pause(evening.director, number)
        await evening.wait_until_idle()
        assert (await evening.world.service.reading.snapshot(before.tables[0].table)).pause is not None
        await evening.pass_time(3 * HOUR)
        assert (await evening.events.overview.get_tournament(number)).match(before.id).result is None
        await evening.events.desk.resume(evening.director, number)
        await evening.wait_until_idle()
        after = (await evening.events.overview.get_tournament(number)).match(before.id)
        assert [(one or 0) + 3 * HOUR for one in (before.due, before.opened_at)] == [after.due, after.opened_at]
        assert (await evening.world.service.reading.snapshot(before.tables[0].table)).pause is None


async def test_a_postponed_round_is_called_later(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(), pairs(4))
        call_at = (await evening.events.overview.get_tournament(number)).rounds[0].call_at
        await evening.events.desk.postpone(evening.director, number, amount=20 * MINUTE)
        await evening.advance_to(call_at + 20 * MINUTE - 1)
        assert RoundStage.DRAWN is (await evening.events.overview.get_tournament(number)).rounds[0].stage
        await evening.pass_time(1)
        assert RoundStage.CALLED is (await evening.events.overview.get_tournament(number)).rounds[0].stage


async def test_an_entry_that_leaves_a_round_robin_before_half_is_annulled(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(kind=FormatKind.ROUND_ROBIN), pairs(5))
        await evening.play_called_matches(number)
        await evening.events.entering.leave(evening.caller(1), number)
        view = await evening.play_all_rounds(number)
        rows = standings(course_of(view))
        assert (view.entrant(1).annulled, 1) == (True, rows[-1].entry)
        assert 4 * 3 == sum(row.points for row in rows), "four play each other, and nothing against the fifth counts"
        assert Stage.CLOSED is view.stage


async def test_an_entry_that_leaves_a_round_robin_later_forfeits_the_rest(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(kind=FormatKind.ROUND_ROBIN), pairs(4))
        await evening.play_called_matches(number)
        await evening.call_next_round(number)
        await evening.play_called_matches(number)
        await evening.events.entering.leave(evening.caller(1), number)
        view = await evening.play_all_rounds(number)
        last = next(one for one in view.matches_of(3) if (1,) in one.sides)
        assert (False, (last.sides.index((1,)),)) == (view.entrant(1).annulled, result_of(last).forfeited)
        assert 4 * 3 == sum(row.points for row in standings(course_of(view)))


async def test_a_forfeit_in_a_swiss_counts_as_won_but_not_as_a_meeting(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(), pairs(4))
        match = (await evening.events.overview.get_tournament(number)).matches_of(1)[0]
        await evening.events.desk.forfeit_match(evening.director, number, match.id, sides=[1], reason="did not come")
        view = await evening.play_called_matches(number)
        counted = next(one for one in course_of(view).rounds[0].matches if one.id == match.id)
        assert ([2, 0], False) == ([side.points for side in counted.sides], counted.is_played)


async def test_only_finished_matches_change_the_standings(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(rules=rules_with_endless_deals()), pairs(4))
        before = standing_figures(await evening.events.overview.get_tournament(number))
        table = (await evening.events.overview.get_tournament(number)).matches[0].tables[0].table
        await evening.play_idle_turn(table)
        assert before == standing_figures(await evening.events.overview.get_tournament(number))
