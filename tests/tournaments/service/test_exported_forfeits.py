"""Forfeits in the export: rooms of teams, and what is not rated."""

from __future__ import annotations

from pathlib import Path

from bot.tournaments.event.counted_results import match_as_counted
from bot.tournaments.event.plan import BoardScoring, Duplicate
from bot.tournaments.export.document import tournament_document
from bot.tournaments.format_traits import FormatKind
from tests.support.tournaments import open_evening, pairs, usual_plan


async def test_a_forfeited_match_of_teams_exports_its_boards_at_both_tables(tmp_path: Path) -> None:
    teams = [tuple(range(4 * one + 1, 4 * one + 5)) for one in range(4)]
    duplicate = Duplicate(boards=3, in_a_round=1, scoring=BoardScoring.VICTORY_POINTS)
    plan = usual_plan(kind=FormatKind.DUPLICATE, duplicate=duplicate, entry_size=4)
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(plan, teams)
        await evening.play_round(number)
        await evening.events.entering.leave(evening.caller(1), number)
        view = await evening.play_all_rounds(number)
        exported = tournament_document(await evening.events.exports.export_input_of(view))
        for board in exported["boards"]:
            assert [1, 2, 3, 4] == [one["table"] for one in board["results"]]
        tables = [match["tables"] for one in exported["rounds"] for match in one["matches"]]
        assert [[1, 2], [3, 4]] * 3 == tables


async def test_an_adjusted_forfeit_is_not_rated(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(rounds=1), pairs(2))
        desk = evening.events.desk
        await desk.forfeit_match(evening.director, number, 1, sides=(0,), reason="late")
        view = await desk.adjust_scores(evening.director, number, 1, scores=((100, 200),), reason="was there")
        assert match_as_counted(view, view.match(1)).unrated
