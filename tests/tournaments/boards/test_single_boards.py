"""Single situations of boards from `docs/tournaments.md` 4, 7 and 8.

Random boards are also computed by a second implementation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from bot.tournaments.boards.board import (
    FAULT_OF_BOTH,
    FAULT_OF_EAST_WEST,
    FAULT_OF_NORTH_SOUTH,
    NOBODYS_FAULT,
    Board,
    BoardResult,
)
from bot.tournaments.boards.movement import make_movement, most_rounds_without_rematch
from bot.tournaments.boards.scoring import RankingMethod, ScoredBoard, ranking_lists, score_board, score_boards
from bot.tournaments.boards.teams import VICTORY, board_imps, compare_team_tables
from bot.tournaments.counted_results import Course, Match, ResultKind, Round, Side, UnpairedReason
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.formats.by_kind import FORMATS
from tests.support.seeds import seeds
from tests.support.tournament_courses import export_course
from tests.support.tournament_examples import B_UNIT, duplicate_example, ranked_pairs
from tests.support.tournament_figures import find_differences


def make_board(*results: BoardResult, board_number: int = 1) -> Board:
    return Board(number=board_number, minimum=50, dealer=1, results=results)


def board_result(table: int, net: int | None = None, adjusted: tuple[int, int] | None = None) -> BoardResult:
    scores = None if net is None else (max(0, net), max(0, -net))
    return BoardResult(table=table, ns=table, ew=table + 10, scores=scores, adjusted=adjusted)


def test_case_15_places_are_counted_within_each_list() -> None:
    rows = score_boards(duplicate_example(), unit=B_UNIT, winners=2).rows
    assert [("ns", 1), ("ns", 2), ("ns", 3), ("ns", 4), ("ew", 1), ("ew", 2), ("ew", 3), ("ew", 4)] == [
        (row.list_name, row.place) for row in rows
    ]


def test_case_38_a_sealed_board_has_no_scores_until_its_last_table_is_done() -> None:
    sealed = make_board(board_result(1, 300), board_result(2, -100), board_result(3))
    assert ScoredBoard(number=1, most=4, tables=None) == score_board(sealed, unit=2)
    opened = make_board(board_result(1, 300), board_result(2, -100), board_result(3, 0))
    assert None is not score_board(opened, unit=2).tables


def test_case_38_results_of_a_sealed_board_change_no_standings() -> None:
    opened = duplicate_example()[:1]
    second = duplicate_example()[1]
    results = [
        score_boards((*opened, replace(second, results=(*tables, board_result(9)))), unit=B_UNIT).rows
        for tables in (
            duplicate_example()[1].results,
            tuple(replace(r, scores=(9_000, 0)) for r in duplicate_example()[1].results),
        )
    ]
    assert results[0] == results[1]


def test_case_39_a_board_void_at_all_tables_does_not_count() -> None:
    void = make_board(
        *(replace(result, scores=None, adjusted=NOBODYS_FAULT) for result in duplicate_example()[0].results),
        board_number=7,
    )
    for method in RankingMethod:
        plain = score_boards(duplicate_example(), unit=B_UNIT, method=method)
        found = score_boards((*duplicate_example(), void), unit=B_UNIT, method=method)
        assert plain.rows == found.rows
        assert None is found.boards[-1].tables


def test_a_board_with_one_table_is_not_scored() -> None:
    assert None is score_board(make_board(board_result(1, 300)), unit=2).tables


def test_the_only_scored_table_of_a_board_has_half_the_matchpoints_and_no_imps() -> None:
    found = score_board(
        make_board(
            board_result(1, 700), board_result(2, adjusted=NOBODYS_FAULT), board_result(3, adjusted=FAULT_OF_BOTH)
        ),
        unit=2,
    ).tables
    assert found is not None
    assert [2, 2, 2, 2, Fraction(8, 5), Fraction(8, 5)] == [share for table in found for share in table.mp]
    assert [0, 0, 0, 0, -3, -3] == [mean for table in found for mean in table.ximp]


def test_an_entry_with_under_half_of_the_boards_has_no_place() -> None:
    boards = [
        make_board(board_result(1, 100), board_result(2, 50), board_result(3, 900), board_number=number)
        for number in (1, 2, 3)
    ]
    missed = [replace(one, results=(*one.results[:2], board_result(3, adjusted=NOBODYS_FAULT))) for one in boards[:2]]
    rows = score_boards([*missed, boards[2]], unit=2, winners=2).rows
    assert [(1, 1, 3), (2, 2, 3), (None, 3, 1)] == [
        (row.place, row.entry, row.boards) for row in rows if row.list_name == "ns"
    ]


def test_half_of_the_boards_is_enough_for_a_place() -> None:
    boards = [
        make_board(board_result(1, 100), board_result(2, 50), board_result(3, 900), board_number=number)
        for number in (1, 2)
    ]
    missed = replace(boards[0], results=(*boards[0].results[:2], board_result(3, adjusted=NOBODYS_FAULT)))
    rows = score_boards([missed, boards[1]], unit=2, winners=2).rows
    assert (1, 3) == next((row.place, row.entry) for row in rows)


def test_equal_pairs_share_a_place() -> None:
    rows = score_boards(
        [make_board(board_result(1, 100), board_result(2, 100), board_result(3, -50))], unit=2, winners=2
    ).rows
    assert [1, 1, 3, 1, 2, 2] == [row.place for row in rows]


def swap_directions(board: Board) -> Board:
    return replace(board, results=tuple(replace(r, ns=r.ew, ew=r.ns) for r in board.results))


def test_a_board_with_one_winner_has_one_list_whatever_the_directions() -> None:
    one = make_board(board_result(1, 100), board_result(2, 50))
    assert {1: "", 2: "", 11: "", 12: ""} == ranking_lists([one, one, swap_directions(one)], winners=1)


def test_a_board_with_two_winners_has_a_list_for_each_direction() -> None:
    one = make_board(board_result(1, 100), board_result(2, 50))
    assert {1: "ns", 2: "ns", 11: "ew", 12: "ew"} == ranking_lists([one, one], winners=2)


def test_a_pair_needs_half_of_its_boards_and_a_sit_out_is_none() -> None:
    """The movement gives pair 3 two of four boards; it plays one and has a place. Pair 4 plays none."""
    whole = make_board(board_result(1, 300), board_result(2, 100), board_result(3, -50), board_result(4, 20))
    others = replace(whole, results=whole.results[:2])
    missed = replace(whole, results=(*whole.results[:3], board_result(4, adjusted=FAULT_OF_BOTH)))
    last = replace(missed, results=(*missed.results[:2], board_result(3, adjusted=NOBODYS_FAULT), missed.results[3]))
    rows = {row.entry: row for row in score_boards([others, others, missed, last], unit=2).rows}
    assert (1, None) == (rows[3].boards, rows[4].place)
    assert rows[3].place is not None
    assert rows[1].boards == 4


def mean_score_in_per_cent(boards: Sequence[Board], entry: int) -> Fraction:
    """Return the mean score of an entry, in per cent, over the boards that it plays."""
    values = []
    for one in boards:
        scored = score_board(one, unit=2)
        for result, score in zip(one.results, scored.tables or (), strict=True):
            if entry in (result.ns, result.ew):
                values.append(100 * score.mp[(result.ns, result.ew).index(entry)] / scored.most)
    return sum(values, Fraction(0)) / len(values)


def test_pairs_are_ranked_by_the_mean_of_the_boards_they_play() -> None:
    movement = make_movement(range(1, 6), 5, two_winners=False)
    random = Random(5)
    boards = [
        make_board(
            *(
                BoardResult(table=table, ns=ns, ew=ew, scores=(50 * random.randint(0, 9), 50 * random.randint(0, 9)))
                for table, (ns, ew) in enumerate(seating, 1)
            ),
            board_number=number,
        )
        for number, seating in enumerate(movement.rounds, 1)
    ]
    rows = score_boards(boards, unit=2).rows
    assert {one: (mean_score_in_per_cent(boards, one), 4) for one in range(1, 6)} == {
        row.entry: (row.mean, row.boards) for row in rows
    }
    assert sorted(rows, key=lambda row: -(row.mean or 0)) == list(rows)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (board_result(1, 300), board_result(2, 300), 0),
        (board_result(1, 300), board_result(2, 260), 1),
        (board_result(1, 300), board_result(2, adjusted=NOBODYS_FAULT), None),
        (board_result(1, 300), board_result(2, adjusted=FAULT_OF_EAST_WEST), -3),
        (board_result(1, 300), board_result(2, adjusted=FAULT_OF_NORTH_SOUTH), 3),
        (board_result(1, adjusted=FAULT_OF_EAST_WEST), board_result(2, 900), 3),
        (board_result(1, adjusted=FAULT_OF_BOTH), board_result(2, 900), 0),
        (board_result(1, adjusted=FAULT_OF_EAST_WEST), board_result(2, adjusted=FAULT_OF_NORTH_SOUTH), 3),
        (board_result(1, adjusted=FAULT_OF_EAST_WEST), board_result(2, adjusted=FAULT_OF_EAST_WEST), 0),
        (board_result(1, adjusted=FAULT_OF_EAST_WEST), board_result(2, adjusted=NOBODYS_FAULT), 3),
        (board_result(1, adjusted=NOBODYS_FAULT), board_result(2, adjusted=NOBODYS_FAULT), None),
        (board_result(1), board_result(2, 900), None),
    ],
)
def test_a_board_of_teams_gives_imps_and_three_imps_for_a_fault(
    first: BoardResult, second: BoardResult, expected: int | None
) -> None:
    assert expected == board_imps(first, second, unit=2)


# --- recomputed ------------------------------------------------------------------------------------------------------


def random_boards(seed: int, *, pairs: int | None = None) -> tuple[Board, ...]:
    """Return the boards of a movement with random results.

    Some results are set by the director, and a few are missing.
    """
    random = Random(f"boards {seed}")
    count = pairs or random.randint(6 if has_two_winners(seed) else 4, 9)
    most = most_rounds_without_rematch(count, two_winners=has_two_winners(seed))
    movement = make_movement(range(1, count + 1), random.randint(1, most), two_winners=has_two_winners(seed))
    each = random.randint(1, 2)
    planned = [
        make_board(
            *(BoardResult(table=table, ns=ns, ew=ew) for table, (ns, ew) in enumerate(seating, 1)),
            board_number=each * place + extra + 1,
        )
        for place, seating in enumerate(movement.rounds)
        for extra in range(each)
    ]
    return tuple(
        replace(one, results=tuple(with_random_result(random, result) for result in one.results)) for one in planned
    )


def has_two_winners(seed: int) -> bool:
    """Return whether the random boards of that seed are ranked in two lists, one for each direction."""
    return seed % 4 == 3


def with_random_result(random: Random, result: BoardResult) -> BoardResult:
    what = random.random()
    if what < 0.03:
        return result
    if what < 0.25:
        given = random.choice((NOBODYS_FAULT, FAULT_OF_EAST_WEST, FAULT_OF_NORTH_SOUTH, FAULT_OF_BOTH))
        return replace(result, adjusted=given)
    return replace(result, scores=(50 * random.randint(0, 12), 50 * random.randint(0, 12)))


@pytest.mark.parametrize("method", list(RankingMethod))
def test_random_boards_equal_a_second_implementation(method: RankingMethod) -> None:
    course = Course(kind=FormatKind.DUPLICATE, entries=ranked_pairs(9))
    for seed in seeds(40):
        assert [] == find_differences(
            export_course(course, random_boards(seed), method=method.value, winners=1 + has_two_winners(seed))
        ), seed


@pytest.mark.parametrize("method", list(RankingMethod))
def test_example_b_equals_a_second_implementation(method: RankingMethod) -> None:
    course = Course(kind=FormatKind.DUPLICATE, entries=ranked_pairs(8))
    assert [] == find_differences(export_course(course, duplicate_example(), method=method.value, winners=2))


def test_a_wrong_score_of_a_board_is_found() -> None:
    export = export_course(Course(kind=FormatKind.DUPLICATE, entries=ranked_pairs(8)), duplicate_example(), method="mp")
    export["boards"][0]["results"][1]["mp"] = [1, 5]
    assert ["board 1, table 2: mp [1, 5], not [0.0, 6.0]"] == find_differences(export)


def test_matches_of_teams_equal_a_second_implementation() -> None:
    for seed in seeds(25):
        boards = random_boards(seed, pairs=4)
        opposed = {"tables": [1, 2], "boards": [one.number for one in boards]}
        found = compare_team_tables([(one.results[0], one.results[1]) for one in boards], unit=2)
        sides = tuple(Side(entries=(entry,), points=points) for entry, points in enumerate(found.points, start=1))
        match = Match(id=1, table=1, kind=ResultKind.PLAYED, sides=sides)
        course = Course(
            kind=FormatKind.DUPLICATE,
            entries=ranked_pairs(2),
            rounds=(Round(number=1, matches=(match,)),),
            scoring=VICTORY,
        )
        assert [] == find_differences(export_course(course, boards, method="imp_vp", opposed={1: opposed})), seed


def test_a_team_without_a_match_has_twelve_victory_points() -> None:
    assert 1200 == FORMATS[FormatKind.DUPLICATE].unpaired_points(VICTORY, UnpairedReason.BYE)
