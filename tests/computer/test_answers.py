"""Answers of computer players to a partner who asks: each rule, and the order of the rules."""

from __future__ import annotations

from typing import Any

import pytest

from bot.computer.chosen_step import Reason
from bot.computer.player import player_for
from bot.engine.moves.actions import ASK, NO, YES, Answer
from bot.engine.play.building_views import seat_view
from bot.engine.play.decide import decide
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State
from tests.computer.positions import make_state

SEVENS, EIGHTS = "7s 7s 7h 7h 7d 7d 7c", "8s 8s 8h 8h 8d 8d 8c"
POOR = "4s 5s 6d Jc 9s"
RICH = "Ks Kh Kd Kc Qs Qh Qd Qc As Ah Ad Ac"
"""A hand that gains more than 300 points in its next turn."""


def question_to_seat_2(hand: str, *, scores: tuple[int, int] = (0, 0), theirs: bool = False, cards: int = 8) -> State:
    """Return a state in which seat 2 holds `hand` and is to answer seat 0's question.

    With `theirs` the opponents have a canasta. Seat 1 holds `cards` cards.
    """
    held = " ".join(["4c", "5c", "6c", "Jd", "9d", "Tc", "Jc", "Qh"][:cards])
    melds = {"0": [SEVENS], **({"1": [EIGHTS]} if theirs else {})}
    state = make_state("Ts Th Td 4h", scores=scores, melds=melds, pile="9c", hands={"1": held, "2": hand})
    return fold(state, decide(state, 0, ASK))


@pytest.mark.parametrize(
    ("hand", "table", "wanted", "reason"),
    [
        (RICH, {}, NO, Reason.ANSWER_NO),
        (POOR, {}, YES, Reason.ANSWER_YES),
        (RICH, {"theirs": True, "cards": 3}, YES, Reason.ANSWER_YES),
        (RICH, {"theirs": True, "cards": 4}, NO, Reason.ANSWER_NO),
        (RICH, {"scores": (4900, 0)}, YES, Reason.ANSWER_YES),
        (POOR, {"scores": (3000, 4990), "theirs": True}, NO, Reason.OUT_WAIT),
        (RICH, {"scores": (3000, 4990), "theirs": True, "cards": 1}, NO, Reason.OUT_WAIT),
        (POOR, {"scores": (4990, 4990), "theirs": True}, YES, Reason.ANSWER_YES),
    ],
)
@pytest.mark.parametrize("level", ["easy", "casual", "strong", "expert"])
def test_computer_players_answer_by_the_first_rule_that_applies(
    level: str, hand: str, table: dict[str, Any], wanted: Answer, reason: Reason
) -> None:
    choice = player_for(level).choose(seat_view(question_to_seat_2(hand, **table), 2))
    assert (wanted, reason) == (choice.step, choice.reason)
