"""Duplicate boards are sealed until their last table has finished.

Source: `docs/tournaments.md` 1.3, 3, 7; 8, case 36; 9.4.
"""

from __future__ import annotations

import shutil
from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.clocks.clock import HOUR
from bot.clocks.time_rules import DAY, PRESETS
from bot.tables.state.clocks import TableSettings
from bot.tables.state.refusals import TableRefusal
from bot.tables.state.snapshots import Status
from bot.tournaments.event.counted_results import course_of, match_as_counted
from bot.tournaments.event.match_state import RoundStage
from bot.tournaments.event.plan import SLOW, BoardScoring, Duplicate
from bot.tournaments.event.refusals import TournamentCode
from bot.tournaments.event.teams import compare_rooms
from bot.tournaments.event.tournament import BoardStage, RulingKind, Stage, Tournament
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.formats.duplicate import board_scores, boards_of
from tests.support.clock import ManualClock
from tests.support.tables import GUILD
from tests.support.tournaments import (
    Evening,
    news_codes,
    open_evening,
    pairs,
    refusal_of,
    rules_with_endless_deals,
    usual_plan,
)

LIVE: dict[str, Any] = {"kind": FormatKind.DUPLICATE, "duplicate": Duplicate(boards=6, in_a_round=2)}
SLOWLY: dict[str, Any] = {**SLOW, **LIVE, "round_time": 40 * DAY, "deals": None}


async def call_first_round_of_duplicate(evening: Evening, chosen: dict[str, Any], entries: int = 4) -> int:
    starts = evening.clock.now() + 100 * HOUR
    return await evening.begin_round(usual_plan(**chosen, starts_at=starts), pairs(entries))


async def play_board(evening: Evening, tournament_number: int, match: int, *, worse: bool = False) -> int:
    """Play the current board of a match and return its table.

    With `worse`, all players take random steps.
    """
    table = (await evening.events.overview.get_tournament(tournament_number)).match(match).tables[-1].table
    if worse:
        evening.world.names.update({person: f"P{person}" for person in range(1, 20)})
        while (await evening.world.service.reading.snapshot(table)).status is Status.PLAYING:
            await evening.world.take_random_step(table, evening.chance)
    else:
        await evening.play_table(table)
    await evening.wait_until_idle()
    return table


def public_data(tournament: Tournament) -> dict[str, Any]:
    """Return what people at other tables may know: boards, scores, rounds, entries and news."""
    return {
        "news": tournament.news,
        "boards": tournament.boards,
        "course": course_of(tournament, running=True),
        "scores": board_scores(tournament),
        "compared": boards_of(tournament),
        "rounds": tournament.rounds,
        "entrants": tournament.entrants,
    }


@pytest.mark.parametrize("chosen", [LIVE, SLOWLY], ids=["live", "slow"])
async def test_9_4_another_tables_result_changes_nothing_public_before_a_board_is_open(
    tmp_path: Path, chosen: dict[str, Any]
) -> None:
    """One evening continues in four ways, which differ only in one table's result of board 1."""
    path, clock = tmp_path / "canasta.db", ManualClock()
    async with open_evening(path, clock=clock) as evening:
        number = await call_first_round_of_duplicate(evening, chosen)
    seen, made = [], []
    for way in range(4):
        copied = shutil.copy(path, tmp_path / f"{way}.db")
        async with open_evening(Path(copied), clock=ManualClock(clock.now()), first_request=7_000_000) as evening:
            evening.chance = Random(way)
            table = await play_board(evening, number, 1, worse=way > 0)
            view = await evening.events.overview.get_tournament(number)
            made.append(view.match(1).played)
            assert BoardStage.PLAYED is view.boards[0].stage
            other = (await evening.world.service.reading.snapshot(view.match(2).tables[0].table)).persons[0]
            with pytest.raises(TableRefusal):
                await evening.world.service.past.deal_log(table, 1, person=other, guild=GUILD)
            seen.append((public_data(view), await evening.events.overview.ranking(number)))
    assert any(one != made[0] for one in made)
    assert all(one == seen[0] for one in seen)


async def test_a_board_opens_when_its_last_table_is_done(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await call_first_round_of_duplicate(evening, LIVE)
        first = await play_board(evening, number, 1)
        assert "board_open" not in news_codes(await evening.events.overview.get_tournament(number))
        assert (await evening.world.service.reading.snapshot(first)).id == first
        await play_board(evening, number, 2)
        view = await evening.events.overview.get_tournament(number)
        assert [BoardStage.OPEN, *[BoardStage.CLOSED] * 5] == [one.stage for one in view.boards]
        assert "board_open" in news_codes(view)
        assert 4 == len(board_scores(view).rows)


async def test_a_slow_board_starts_when_the_last_table_finishes_the_previous_one(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await call_first_round_of_duplicate(evening, SLOWLY)
        await play_board(evening, number, 1)
        assert [1] == [one.board for one in (await evening.events.overview.get_tournament(number)).match(1).tables]
        await play_board(evening, number, 2)
        view = await evening.events.overview.get_tournament(number)
        assert [[1, 2], [1, 2]] == [[one.board for one in match.tables] for match in view.matches]


async def test_a_slow_board_waits_ten_days_at_most(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        slowly = {
            **SLOWLY,
            "rules": rules_with_endless_deals(),
            "settings": TableSettings(clock=PRESETS["daily"], vacation=0),
        }
        number = await call_first_round_of_duplicate(evening, slowly)
        for person in range(1, 9):
            for match in (1, 2):
                await evening.events.entering.mark_arrived(person, number, match)
        await evening.wait_until_idle()
        await play_board(evening, number, 1)
        view = await evening.events.overview.get_tournament(number)
        late = view.match(2).tables[0].table
        began = view.boards[0].began_at or 0
        await evening.events.desk.pause(evening.director, number)  # for a day no clock runs
        await evening.pass_time(DAY)
        await evening.events.desk.resume(evening.director, number)
        await evening.wait_until_idle()
        while evening.clock.now() < began + 11 * DAY:
            await evening.play_idle_turn(late)
            await evening.advance_to(min(evening.clock.now() + 20 * HOUR, began + 11 * DAY))
            if evening.clock.now() < began + 11 * DAY:
                assert BoardStage.PLAYED is (await evening.events.overview.get_tournament(number)).boards[0].stage
        view = await evening.events.overview.get_tournament(number)
        (ruling,) = view.rulings
        assert (RulingKind.BOARD, 1, 2, 0) == (ruling.what, ruling.board, ruling.match, ruling.by)
        assert BoardStage.OPEN is view.boards[0].stage
        assert Status.CLOSED is (await evening.world.service.reading.snapshot(late)).status
        assert [[1, 2], [1, 2]] == [[one.board for one in match.tables] for match in view.matches]
        assert "board_over" in news_codes(view)
        view = await evening.play_called_matches(number)
        assert all(one.result is not None for one in view.matches_of(1))
        assert all(one.stage is BoardStage.OPEN for one in view.boards[:2])


async def test_unplayed_boards_of_a_slow_round_count_against_the_slower_side(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await call_first_round_of_duplicate(evening, {**SLOWLY, "round_time": 40 * HOUR})
        view = await evening.events.overview.get_tournament(number)
        match = view.matches[0]
        _, seat, _ = await evening.world.current_turn(match.tables[0].table)
        for one in view.matches:
            for person in one.seats:
                await evening.events.entering.mark_arrived(person or 0, number, one.id)
        await evening.advance_to(match.due or 0)
        view = await evening.events.overview.get_tournament(number)
        assert [(1, (seat % 2,)), (2, ())] == [(one.board, one.sides) for one in view.rulings if one.match == match.id]
        assert RoundStage.COMPLETE is view.rounds[0].stage


async def test_8_36_a_substitute_who_has_seen_a_board_is_refused(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await call_first_round_of_duplicate(evening, LIVE)
        substitute = evening.events.desk.substitute
        await substitute(evening.director, number, 1, seat=0, person=77, name="Knows")
        await evening.wait_until_idle()
        await substitute(evening.director, number, 1, seat=0, person=78, name="Stays")
        await evening.wait_until_idle()
        knows = await refusal_of(substitute(evening.director, number, 2, seat=0, person=77, name="Knows"))
        assert (TournamentCode.SUBSTITUTE_KNOWS, {"board": 1}) == knows


async def test_a_round_whose_boards_were_dealt_cannot_be_paired_again_or_void(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await call_first_round_of_duplicate(evening, LIVE)
        events = evening.events
        for asked in (
            events.desk.pair_again(evening.director, number),
            events.desk.void_round(evening.director, number, reason=""),
        ):
            assert TournamentCode.CARD_PLAYED is (await refusal_of(asked))[0]


async def test_a_board_score_given_by_a_director_overrides_play(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await call_first_round_of_duplicate(evening, LIVE)
        await evening.events.desk.adjust_board(evening.director, number, 2, board=1, sides=[1], reason="talked")
        await evening.wait_until_idle()
        view = await evening.play_called_matches(number)
        given = next(one for one in boards_of(view)[0].results if one.table == 2)
        assert ((60, 40), None) == (given.adjusted, given.scores)
        view = await evening.play_all_rounds(number)
        assert Stage.CLOSED is view.stage


async def test_an_adjusted_board_score_holds_until_it_is_undone(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await call_first_round_of_duplicate(evening, LIVE)
        view = await evening.play_called_matches(number)
        first = boards_of(view)
        seen = await evening.events.desk_views.finished_deals(evening.director, number, 1)
        assert [1, 2] == [one.number for one in seen]
        scores = [seen[0].scores, (5_000, -5_000)]
        view = await evening.events.desk.adjust_scores(evening.director, number, 1, scores=scores, reason="wrong count")
        board = boards_of(view)[1]
        assert 10_000 == board.results[0].net
        assert first[0] == boards_of(view)[0]
        assert 2 == (board_scores(view).boards[1].tables or ())[0].mp[0]
        for count in (1, 3):
            wrong = evening.events.desk.adjust_scores(
                evening.director, number, 1, scores=[(9, 0)] * count, reason="wrong count"
            )
            assert (TournamentCode.SCORES_WRONG, {"needed": 2, "given": count}) == await refusal_of(wrong)
        assert (5_000, -5_000) == (await evening.events.desk_views.finished_deals(evening.director, number, 1))[
            1
        ].scores
        voided = await evening.events.desk.void_match(evening.director, number, 1, reason="wrong table")
        assert [(50, 50), (50, 50)] == [one.results[0].adjusted for one in boards_of(voided)[:2]]
        await evening.events.desk.undo_ruling(evening.director, number, ruling=2)
        assert first == boards_of(await evening.events.desk.undo_ruling(evening.director, number, ruling=1))


async def test_both_rooms_of_teams_can_be_adjusted(tmp_path: Path) -> None:
    chosen = Duplicate(boards=2, in_a_round=2, scoring=BoardScoring.VICTORY_POINTS)
    async with open_evening(tmp_path / "canasta.db") as evening:
        wanted = usual_plan(kind=FormatKind.DUPLICATE, duplicate=chosen, entry_size=4)
        number = await evening.begin_round(wanted, [(1, 2, 3, 4), (5, 6, 7, 8)])
        view = await evening.play_called_matches(number)
        seen = await evening.events.desk_views.finished_deals(evening.director, number, 1)
        assert [1, 1, 2, 2] == [one.number for one in seen]
        before = compare_rooms(view, view.match(1))
        for side in (0, 1):
            given = (9_000, -9_000) if side == 0 else (-9_000, 9_000)
            scores = [seen[0].scores, given, seen[2].scores, given]
            view = await evening.events.desk.adjust_scores(
                evening.director, number, 1, scores=scores, reason="wrong count"
            )
            points = compare_rooms(view, view.match(1)).points
            assert points[side] > 1_900
            assert points == tuple(one.points for one in match_as_counted(view, view.match(1)).sides)
        for ruling in (1, 2):
            view = await evening.events.desk.undo_ruling(evening.director, number, ruling=ruling)
        assert before == compare_rooms(view, view.match(1))


def test_every_field_of_a_tournament_is_compared_or_left_out_on_purpose() -> None:
    """A new field must be added to `public_data`, or here to those that are left out."""
    apart = {"plan", "directors", "created_at", "since", "id", "version", "guild", "channel", "stage", "paused_at"}
    apart |= {"commitment", "matches", "rulings", "cases", "schedule", "ladder", "rounds_planned", "closed_at"}
    apart |= {"lot_shown", "names", "movement", "night"}
    assert {one.name for one in fields(Tournament)} == apart | {"news", "boards", "rounds", "entrants"}
