"""The worked example B of `docs/tournaments.md` 4 gives every printed figure."""

from __future__ import annotations

from bot.tournaments.boards.board import BoardResult
from bot.tournaments.boards.scoring import BoardScores, RankingMethod, imps_of_difference, score_boards, victory_points
from bot.tournaments.boards.teams import TeamMatch, compare_team_tables
from tests.support.tournament_examples import (
    B_CROSS_IMPS,
    B_IMPS_A_BOARD,
    B_MATCHPOINTS,
    B_PER_CENT,
    B_UNIT,
    duplicate_example,
    format_figure,
)


def score_example(method: RankingMethod = RankingMethod.MATCHPOINTS) -> BoardScores:
    return score_boards(duplicate_example(), unit=B_UNIT, method=method, winners=2)


def test_boards_have_the_matchpoints_published_in_example_b() -> None:
    for board in score_example().boards:
        assert board.tables is not None
        assert list(B_MATCHPOINTS[board.number]) == [format_figure(table.mp[0], 2) for table in board.tables]
        assert {6} == {sum(table.mp) for table in board.tables}


def test_boards_have_the_cross_imps_published_in_example_b() -> None:
    for board in score_example().boards:
        assert board.tables is not None
        assert list(B_CROSS_IMPS[board.number]) == [format_figure(table.ximp[0], 2) for table in board.tables]
        assert {0} == {sum(table.ximp) for table in board.tables}


def test_both_directions_have_the_per_cents_published_in_example_b() -> None:
    rows = score_example().rows
    assert B_PER_CENT == {row.entry: format_figure(row.mean or 0, 2) for row in sorted(rows, key=lambda row: row.entry)}
    assert [("ns", 1, 3), ("ns", 2, 1), ("ns", 3, 4), ("ns", 4, 2)] == [
        (row.list_name, row.place, row.entry) for row in rows[:4]
    ]
    assert [("ew", 1, 6), ("ew", 2, 8), ("ew", 3, 5), ("ew", 4, 7)] == [
        (row.list_name, row.place, row.entry) for row in rows[4:]
    ]


def test_entries_have_the_imps_per_board_published_in_example_b() -> None:
    rows = score_example(RankingMethod.CROSS_IMPS).rows
    assert (
        B_IMPS_A_BOARD
        == {row.entry: format_figure(row.mean or 0, 3) for row in rows if row.entry < 5}
        == {row.entry - 4: format_figure(-(row.mean or 0), 3) for row in rows if row.entry > 4}
    )
    assert [3, 2, 1, 4] == [row.entry for row in rows[:4]]


def team_match_at(first: int, second: int) -> TeamMatch:
    results = [board.results for board in duplicate_example()]
    pairs: list[tuple[BoardResult, BoardResult]] = [(tables[first - 1], tables[second - 1]) for tables in results]
    return compare_team_tables(pairs, unit=B_UNIT)


def test_two_team_matches_have_the_results_published_in_example_b() -> None:
    first, second = team_match_at(1, 2), team_match_at(3, 4)
    assert (6, -6, 7, 5, -8, -3) == first.imps
    assert (1, 6, (1050, 950)) == (first.margin, first.boards, first.points)
    assert (3, -10, 10, 5, None, -2) == second.imps
    assert (6, 5, (1298, 702)) == (second.margin, second.boards, second.points)


def test_six_boards_give_the_published_victory_points() -> None:
    assert (1425, 575) == victory_points(10, 6)
    assert (1712, 288) == victory_points(20, 6)
    assert (288, 1712) == victory_points(-20, 6)
    assert (1000, 1000) == victory_points(0, 6)
    assert (2000, 0) == victory_points(200, 6)
    assert (1000, 1000) == victory_points(0, 0)


def test_imps_grow_at_the_published_steps_of_units() -> None:
    assert [0, 1, 1, 2, -2, 24] == [imps_of_difference(points, 2) for points in (39, 40, 99, 100, -100, 8000)]
    assert [0, 1] == [imps_of_difference(points, 7) for points in (139, 140)]
