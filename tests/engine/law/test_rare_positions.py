"""Rare positions of taking the pile, going out and listing steps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.engine.cards.meld_places import run_place
from bot.engine.cards.notation import parse_cards
from bot.engine.law.drawing_or_taking import pile_taking_steps, possible_takes
from bot.engine.law.going_out import can_go_out
from bot.engine.law.rule_conflicts import most_canastas_by_sort
from bot.engine.moves.actions import Lay, LayMelds, Take
from bot.engine.play.decide import is_allowed
from bot.engine.positions.position_reading import read_position
from bot.engine.rules.sets import rule_set
from bot.engine.rules.themes.conditions import Condition, Theme
from bot.engine.table.state import State


def position(rules: str, phase: str, hand: str, *, pile: str = "6d Tc", **more: Any) -> State:
    place = {"turn": 0, "phase": phase, "hands": {"0": hand}, "stock": "7d 6h 5d 9c", "pile": pile, **more}
    return read_position({"rules": rules, "position": place})


@pytest.mark.parametrize(("top", "joins"), [("5h", True), ("Th", True), ("4h", False), ("Jh", False), ("7h", False)])
def test_the_top_card_joins_a_run_at_either_end(top: str, *, joins: bool) -> None:
    hearts = run_place(parse_cards("6h")[0] & 3)
    state = position("samba", "draw", "Ks Kd 8d 8c", pile=f"6d {top}", melds={"0": ["6h 7h 8h 9h"]})
    assert [Take(onto=hearts)] * joins == list(pile_taking_steps(state)) == list(possible_takes(state))


def test_an_opened_side_goes_out_whatever_a_theme_requires_of_each_initial_meld() -> None:
    """Seat 2 has opened with the king required of it; seat 0 then needs no four to go out."""
    state = position("classic", "play", "Kc 5d", melds={"0": ["Ks Kh Kd", "8s 8h 8d 8c 8s 8h 8d"]}, melded_before=[2])
    own = Condition("open_with", ("4", "6", "K", "9"), by_seat=True)
    state = replace(state, rules=replace(state.rules, theme=(Theme("own", ((own,),)),)))
    assert can_go_out(state)
    assert is_allowed(state, 0, LayMelds((Lay(parse_cards("Kc")),)))


@pytest.mark.parametrize(
    ("rules", "players", "wild"),
    [("uruguay", 4, 1), ("bolivia", 4, 2), ("hand-and-foot-pagat", 4, 4), ("pennies", 6, 3)],
)
def test_wild_cards_make_as_many_canastas_as_the_packs_allow(rules: str, players: int, wild: int) -> None:
    """Two packs have twelve wild cards, three have eighteen."""
    assert wild == most_canastas_by_sort(rule_set(rules, players))["wild"]
