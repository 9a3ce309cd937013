"""Facts taken from tables and results, for the directors' lists of unusual play."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.tables.contest.table_results import ContestResult, PileTaken, PlayedDeal
from bot.tables.state.contest import ContestBoard, ContestTable
from bot.tables.state.snapshots import SeatHolder, Status
from bot.tournaments.desk import unusual_play
from bot.tournaments.desk.unusual_play import UnusualPlayKind
from bot.tournaments.event.tournament import BoardStage, BoardState, Tournament
from bot.tournaments.service import TournamentService
from tests.support.clock import ManualClock
from tests.support.directed_tournament import DirectedEvening
from tests.support.tables import CHANNEL, GUILD, open_world


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[DirectedEvening]:
    clock = ManualClock()
    async with open_world(tmp_path / "canasta.db", clock=clock) as world:
        service = TournamentService(world.store, clock, world.service, away=world.readiness.outages)
        yield DirectedEvening(service, clock, GUILD, CHANNEL)
        await service.playing.finish()


def table_result(
    *piles: PileTaken, points: tuple[int, int] = (100, 50), went_out: int | None = None, board: int | None = None
) -> ContestResult:
    holders = tuple(SeatHolder("person", 11 + seat, "") for seat in range(4))
    deal = PlayedDeal(1, points, holders, went_out, piles, first_discards=(4, 5, None, 7))
    place = None if board is None else ContestBoard(board, 50, 0)
    return ContestResult(
        table=1,
        contest=ContestTable(tournament=1, match=1, board=place),
        status=Status.FINISHED,
        how="played",
        winner=0,
        last=None,
        deals=(deal,),
        totals=points,
        thought=(0, 0),
        finished_at=9,
        in_play=False,
        opened_at=3,
    )


async def test_only_avoidable_piles_given_to_opponents_are_noted(evening: DirectedEvening) -> None:
    tournament = await evening.draw_first_round()
    kept, free = PileTaken(1, 3, 1, 12, 0, held_back=True), PileTaken(1, 5, 3, 12, 2)
    own = PileTaken(1, 7, 2, 12, 0, held_back=True)
    match = tournament.matches[0].id
    noted = list(unusual_play.suspicious_events_at_tables(tournament, {match: [table_result(kept, free, own)]}))
    assert [(UnusualPlayKind.PILES, (11,), (12,))] == [(one.what, one.persons, one.others) for one in noted]


async def test_going_out_with_fewer_points_is_flagged_as_self_harm(evening: DirectedEvening) -> None:
    tournament = await evening.draw_first_round()
    match = tournament.matches[0].id
    noted = list(
        unusual_play.suspicious_events_at_tables(
            tournament, {match: [table_result(went_out=1), table_result(went_out=0)]}
        )
    )
    assert [(UnusualPlayKind.HARM, (12,))] == [(one.what, one.persons) for one in noted]


async def test_first_discards_are_noted_only_on_open_boards(evening: DirectedEvening) -> None:
    tournament = await evening.draw_first_round()
    match = tournament.matches[0].id
    results = {match: [table_result(board=1)]}

    def tournament_with_board_at_stage(stage: BoardStage) -> Tournament:
        return replace(tournament, boards=(BoardState(number=1, minimum=50, dealer=0, commitment="", stage=stage),))

    assert [] == list(unusual_play.first_discards_on_boards(tournament_with_board_at_stage(BoardStage.PLAYED), results))
    told = list(unusual_play.first_discards_on_boards(tournament_with_board_at_stage(BoardStage.OPEN), results))
    assert [(0, 4, 3, 9), (1, 5, 3, 9), (3, 7, 3, 9)] == [(one.seat, one.chosen, one.began, one.ended) for one in told]


async def test_forfeits_and_rated_meetings_of_a_tournament_are_listed(evening: DirectedEvening) -> None:
    await evening.draw_first_round()
    tournament = await evening.begin_round()
    one, two = tournament.matches_of(1)
    await evening.service.desk.forfeit_match(evening.caller(), evening.number, one.id, sides=(0,), reason="gone")
    after = await evening.finish_match(two.id, (500, 300))
    lost = [(set(noted.persons), set(noted.others)) for noted in unusual_play.forfeited_matches(after)]
    assert [({one.seats[0], one.seats[2]}, {one.seats[1], one.seats[3]})] == lost
    assert [frozenset(two.seats)] == [meeting.persons for meeting in unusual_play.rated_meetings(after)]
    unrated = replace(after, plan=replace(after.plan, rated=False))
    assert [] == list(unusual_play.rated_meetings(unrated))


async def test_the_lists_are_ordered_and_include_other_games_of_the_server(evening: DirectedEvening) -> None:
    await evening.draw_first_round()
    tournament = await evening.begin_round()
    for one in tournament.matches_of(1):
        await evening.service.desk.forfeit_match(evening.caller(), evening.number, one.id, sides=(0,), reason="gone")
    after = await evening.tournament()
    lists = unusual_play.unusual_play_lists(after, {}, [after])
    assert list(UnusualPlayKind) == [one.what for one in lists]
    assert [2, 2] == [row.count for row in lists[1].rows]
    assert () == unusual_play.unusual_play_lists(after, {}, [])[1].rows
