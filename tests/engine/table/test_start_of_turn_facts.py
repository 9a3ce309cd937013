"""The facts stored at the start of a turn are those of the seat in turn."""

from __future__ import annotations

import pytest

from bot.engine.moves.phases import Phase
from bot.engine.positions.position_reading import read_position
from bot.engine.table.applying_events import state_at_turn_of

KINGS = "Ks Ks Kh Kh Kd Kd Kc"


@pytest.mark.parametrize(("rules", "players"), [("pennies", 6), ("hand-and-foot-us", 4)])
def test_a_turn_begins_with_the_canastas_of_its_own_side(rules: str, players: int) -> None:
    position = {"turn": 0, "phase": "play", "hands": {"0": "4c 5d", "1": "4d 5c"}, "melds": {"0": [KINGS]}}
    position |= {"feet": {"0": "4s 4h", "1": "6s 6h"}, "stock": "8d 7c"}
    state = read_position({"rules": rules, "players": players, "position": position})
    assert 1 == state.canastas_before
    begun = state_at_turn_of(state, 1)
    assert (1, 1, Phase.DRAW, None, 0) == (begun.turn, begun.side, begun.phase, begun.drew, begun.canastas_before)
    assert 0 == state.turn
