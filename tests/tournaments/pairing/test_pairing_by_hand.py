"""Pairings that a director makes by hand (`docs/tournaments.md` 8, case 12)."""

from __future__ import annotations

import pytest

from bot.tournaments.pairing.by_hand import (
    HandPairingCode,
    HandPairingProblem,
    hand_paired_round,
    problem_of_hand_pairing,
)
from bot.tournaments.pairing.standing_order import OrderedEntry
from bot.tournaments.seeded_draw import SeededDraw
from tests.support.brute_force_pairing import new_course


@pytest.mark.parametrize(
    ("tables", "byes", "expected"),
    [
        ([(1, 2), (3, 4)], [5], None),
        ([(1, 2), (3, 4)], [], HandPairingProblem(HandPairingCode.LEFT_OUT, (5,))),
        ([(1, 2), (3, 4)], [5, 1], HandPairingProblem(HandPairingCode.TWICE, (1,))),
        ([(1, 2), (3, 3)], [5], HandPairingProblem(HandPairingCode.TWICE, (3,))),
        ([(1, 2), (3, 6)], [4, 5], HandPairingProblem(HandPairingCode.NOT_HERE, (6,))),
        ([(1, 2, 3), (5, 4)], [], HandPairingProblem(HandPairingCode.WRONG_SIDES, (1, 2, 3))),
        ([(1, 2), (4,)], [3, 5], HandPairingProblem(HandPairingCode.WRONG_SIDES, (4,))),
    ],
)
def test_every_present_entry_is_paired_exactly_once(
    tables: list[tuple[int, ...]], byes: list[int], expected: HandPairingProblem | None
) -> None:
    assert expected == problem_of_hand_pairing(tables, byes, present=range(1, 6), sides=2)


def test_a_three_sided_pairing_by_hand_may_have_tables_of_two() -> None:
    assert None is problem_of_hand_pairing([(1, 2, 3), (5, 4)], [], present=range(1, 6), sides=3)


def test_a_pairing_by_hand_shows_its_cost() -> None:
    standing = [OrderedEntry(1, 4), OrderedEntry(2, 2), OrderedEntry(3, 0)]
    drawn_round = hand_paired_round(new_course(3), standing, tables=[(3, 1)], byes=[2], draws=SeededDraw(b"hand"))
    assert (0, 0, 2, 16, 1, 0) == drawn_round.cost
    assert [{1, 3}] == [set(match.entries) for match in drawn_round.matches]
