"""The engine refuses steps that a rule set does not have; commands and cases cannot express these."""

from __future__ import annotations

import pytest

from bot.engine.cards.cards import ACE, NINE
from bot.engine.cards.meld_places import FAMILIES, run_place
from bot.engine.moves.actions import LayRun, Meld, Step
from bot.engine.moves.refusals import Code
from bot.engine.play.decide import why_not_allowed
from bot.engine.positions.position_reading import read_position
from bot.engine.table.state import State


def position(rules: str) -> State:
    hands = {"0": "4s 5s 6s 9s 9h 9d 9c Qh", "1": "8c"}
    place = {"turn": 0, "phase": "play", "stock": "9c 8d 4h", "pile": "4c", "hands": hands}
    return read_position({"rules": rules, "position": {**place, "melds": {"0": ["9s 9h 9d"]}}})


@pytest.mark.parametrize(
    ("rules", "step", "code"),
    [
        ("classic", LayRun(run_place(0), 0, 2), Code.RUNS_OFF),
        ("uruguay", LayRun(run_place(0), 0, 2), Code.RUNS_OFF),
        ("samba", LayRun(run_place(0), 0, 2), None),
        ("uruguay", Meld(NINE + FAMILIES, 3), Code.MELD_NO_SECOND),
        ("samba", Meld(NINE + FAMILIES, 3), None),
        ("samba", Meld(ACE + FAMILIES, 3), Code.CARD_NOT_HELD),
    ],
)
def test_a_step_that_the_rules_do_not_know_is_refused(rules: str, step: Step, code: Code | None) -> None:
    refusal = why_not_allowed(position(rules), 0, step)
    assert code is (None if refusal is None else refusal.code)
