"""A match forfeited by a ruling is played after all if the ruling is undone (`docs/tournaments.md` 2)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.tables.state.snapshots import Status
from bot.tournaments.desk.ruling_preview import ProposedRuling, ProposedRulingKind
from bot.tournaments.event.match_state import MatchStage, MatchState, RoundStage
from bot.tournaments.event.plan import Duplicate
from bot.tournaments.event.refusals import TournamentCode
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.format_traits import FormatKind
from tests.support.tournaments import Evening, open_evening, pairs, refusal_of, standing_figures, usual_plan


async def end_by_ruling(evening: Evening, tournament_number: int, match: MatchState) -> int:
    """Rule that the second side forfeits the match; return the ruling's number."""
    director = evening.director
    after = await evening.events.desk.forfeit_match(
        director, tournament_number, match.id, sides=[1], reason="wrong table"
    )
    await evening.wait_until_idle()
    return after.rulings[-1].number


def match_at_first_table(tournament: Tournament) -> MatchState:
    return next(one for one in tournament.matches_of(1) if one.table == 1)


async def test_an_undone_forfeit_of_the_running_round_gets_a_new_table(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(rounds=2), pairs(4))
        before = await evening.events.overview.get_tournament(number)
        match = match_at_first_table(before)
        ruling = await end_by_ruling(evening, number, match)
        preview = await evening.events.desk_views.preview(
            evening.director, number, ProposedRuling(does=ProposedRulingKind.UNDO, ruling=ruling)
        )
        assert ((match.id,), ()) == (preview.again, preview.voided)
        await evening.events.desk.undo_ruling(evening.director, number, ruling=ruling)
        await evening.give_matches_channels(number)
        view = await evening.events.overview.get_tournament(number)
        assert standing_figures(before) == standing_figures(view)
        replayed = match_at_first_table(view)
        assert (match.sides, MatchStage.PLAYING) == (replayed.sides, replayed.stage)
        assert replayed.tables[0].table != match.tables[0].table
        assert Status.PLAYING is not (await evening.world.service.reading.snapshot(match.tables[0].table)).status
        assert Stage.CLOSED is (await evening.play_all_rounds(number)).stage


@pytest.mark.parametrize("kind", [FormatKind.SWISS, FormatKind.SINGLE, FormatKind.DUPLICATE])
async def test_an_undone_forfeit_of_a_drawn_round_is_called_with_the_others(tmp_path: Path, kind: FormatKind) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        boards = Duplicate(boards=6, in_a_round=2) if kind is FormatKind.DUPLICATE else None
        number = await evening.begin_tournament(usual_plan(kind=kind, rounds=2, duplicate=boards), pairs(4))
        before = await evening.events.overview.get_tournament(number)
        ruling = await end_by_ruling(evening, number, match_at_first_table(before))
        undoing = ProposedRuling(does=ProposedRulingKind.UNDO, ruling=ruling)
        preview = await evening.events.desk_views.preview(evening.director, number, undoing)
        assert ((match_at_first_table(before).id,), ()) == (preview.again, preview.voided)
        after = await evening.events.desk.undo_ruling(evening.director, number, ruling=ruling)
        assert before.rounds == after.rounds
        assert before.matches == after.matches
        view = await evening.call_next_round(number)
        assert [MatchStage.PLAYING] * 2 == [one.stage for one in view.matches_of(1)]


@pytest.mark.parametrize("kind", [FormatKind.SWISS, FormatKind.SINGLE, FormatKind.INDIVIDUAL])
async def test_a_drawn_next_round_waits_for_an_undone_forfeit(tmp_path: Path, kind: FormatKind) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        entries = [(one,) for one in range(1, 9)] if kind is FormatKind.INDIVIDUAL else pairs(4)
        number = await evening.begin_round(usual_plan(kind=kind, rounds=3), entries)
        view = await evening.events.overview.get_tournament(number)
        match = match_at_first_table(view)
        for other in view.matches_of(1):
            if other.id != match.id:
                await evening.play_match(number, other.id)
        planned = len((await evening.events.overview.get_tournament(number)).schedule)
        ruling = await end_by_ruling(evening, number, match)
        assert RoundStage.DRAWN is (await evening.events.overview.get_tournament(number)).rounds[1].stage
        view = await evening.events.desk.undo_ruling(evening.director, number, ruling=ruling)
        assert [RoundStage.CALLED] == [one.stage for one in view.rounds]
        assert planned == len(view.schedule)
        await evening.give_matches_channels(number)
        view = await evening.play_all_rounds(number)
        assert Stage.CLOSED is view.stage
        result = match_at_first_table(view).result
        assert result is not None
        assert ((), False) == (result.forfeited, result.ruled)


async def test_after_the_last_round_the_tournament_continues_with_an_undone_forfeit(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(rounds=1), pairs(2))
        ruling = await end_by_ruling(
            evening, number, match_at_first_table(await evening.events.overview.get_tournament(number))
        )
        assert Stage.CLOSING is (await evening.events.overview.get_tournament(number)).stage
        view = await evening.events.desk.undo_ruling(evening.director, number, ruling=ruling)
        assert (Stage.RUNNING, RoundStage.CALLED) == (view.stage, view.rounds[-1].stage)


async def test_a_later_ruling_on_the_match_takes_precedence(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(rounds=1), pairs(2))
        match = match_at_first_table(await evening.events.overview.get_tournament(number))
        first = await end_by_ruling(evening, number, match)
        await evening.events.desk.give_points(evening.director, number, match.id, points=[1, 1], reason="a storm")
        view = await evening.events.desk.undo_ruling(evening.director, number, ruling=first)
        assert match.id == match_at_first_table(view).id
        view = await evening.events.desk.undo_ruling(evening.director, number, ruling=first + 1)
        assert match.id != match_at_first_table(view).id


BOARDS: dict[str, Any] = {"kind": FormatKind.DUPLICATE, "duplicate": Duplicate(boards=6, in_a_round=2), "deals": None}


async def test_a_forfeit_stays_once_the_next_round_is_called_or_boards_are_known(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(rounds=2), pairs(4))
        view = await evening.events.overview.get_tournament(number)
        ruling = await end_by_ruling(evening, number, match_at_first_table(view))
        await evening.play_called_matches(number)
        await evening.call_next_round(number)
        stays = (TournamentCode.NOT_PLAYABLE, {"round": 1, "table": 1})
        assert stays == await refusal_of(evening.events.desk.undo_ruling(evening.director, number, ruling=ruling))
        number = await evening.begin_round(usual_plan(**BOARDS), pairs(4, first=21))
        ruling = await end_by_ruling(
            evening, number, match_at_first_table(await evening.events.overview.get_tournament(number))
        )
        assert stays == await refusal_of(evening.events.desk.undo_ruling(evening.director, number, ruling=ruling))
