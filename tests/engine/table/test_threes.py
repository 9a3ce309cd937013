"""Threes of both colours that are laid out or kept in the hand (`docs/law/variants.md 3.10`)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bot.engine.cards.cards import BLACK_THREE, RED_THREE, full_pack
from bot.engine.cards.notation import parse_card, parse_cards
from bot.engine.moves.actions import DRAW, DRAW_KEEPING, Discard, DiscardCard, Show, StartDeal
from bot.engine.moves.events import DealEnd, DealEnded, Drew, LaidOut
from bot.engine.moves.phases import Phase
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.play.decide import decide, why_not_allowed
from bot.engine.play.invariants import broken_invariants
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_reading import PositionError, read_position, write_position
from bot.engine.rules.rule_options import with_options
from bot.engine.rules.sets import rule_set
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, new_game

OPTIONS: dict[str, Any] = {
    "black3_role": "bonus",
    "black3_values": [100, 300, 500, 1000],
    "black3_in_hand": -100,
    "red3_in_hand": -100,
    "black3_meld": "never",
    "discard_bans": ["threes"],
    "special_hands": ["straight", "pairs"],
    "last_three": -5,
}
ALMOST_STRAIGHT = "As Kh Qd Jc Ts 9h 8d 7c 6s 5h 4d 2c"


def position(hand: str, stock: str, *, options: dict[str, Any] | None = None, **more: Any) -> State:
    """Return a state in which seat 0 begins its turn with that hand."""
    place: dict[str, Any] = {"turn": 0, "hands": {"0": hand, "1": "Kc 5c"}, "stock": stock, "pile": "6d 8c", **more}
    return read_position({"options": OPTIONS | (options or {}), "position": place})


def test_3_10_threes_of_both_colours_are_laid_out_and_replaced() -> None:
    state = position("4s 5s", "3s 3h 9c 8d")
    assert (Drew(0, parse_cards("9c"), parse_cards("3s 3h"), 1),) == decide(state, 0, DRAW)
    after = fold(state, decide(state, 0, DRAW))
    assert parse_cards("3s 3h") == after.red_threes[0]
    assert {"0": "3s 3h", "1": ""} == write_position(after)["position"]["threes"]


def test_3_10_threes_dealt_are_laid_out_and_replaced() -> None:
    rules = with_options(rule_set("classic", 4), OPTIONS)
    pack = list(full_pack(2, 2))
    Random(6).shuffle(pack)
    state = new_game(rules, dealer=3)
    state = fold(state, decide(state, None, StartDeal(tuple(pack))))
    held = {card >> 2 for hand in state.hands for card in hand}
    assert not held & {BLACK_THREE, RED_THREE}
    assert {BLACK_THREE, RED_THREE} == {card >> 2 for side in state.red_threes for card in side}
    assert () == broken_invariants(state)


@pytest.mark.parametrize("three", ["3s", "3h"])
def test_3_10_one_three_is_kept_by_a_side_that_has_not_opened(three: str) -> None:
    state = position(ALMOST_STRAIGHT, f"{three} JK 9c 8d")
    assert (DRAW, DRAW_KEEPING) == legal_actions(state)
    assert (Drew(0, parse_cards(three), (), 1),) == decide(state, 0, DRAW_KEEPING)
    kept = fold(state, decide(state, 0, DRAW_KEEPING))
    assert parse_card(three) in kept.hands[0]
    assert () == broken_invariants(kept, complete=False)
    assert Code.DISCARD_THREE == getattr(why_not_allowed(kept, 0, DiscardCard(parse_card(three))), "code", None)


@pytest.mark.parametrize("three", ["3s", "3h"])
def test_3_10_the_kept_three_makes_the_straight(three: str) -> None:
    state = position(f"{ALMOST_STRAIGHT} {three}", "JK 9c 8d")
    drawn = fold(state, decide(state, 0, DRAW_KEEPING))
    ended = decide(drawn, 0, Show("straight"))[-1]
    assert isinstance(ended, DealEnded)
    assert 3000 == ended.scores[0]


@pytest.mark.parametrize("three", ["3s", "3h"])
def test_3_10_an_ordinary_draw_lays_the_kept_three_out(three: str) -> None:
    state = position(f"4s 5s {three}", "9c 8d 7c")
    events = decide(state, 0, DRAW)
    assert (LaidOut(0, parse_cards("9c"), parse_cards(three), 1), Drew(0, parse_cards("8d"), (), 1)) == events
    assert () == broken_invariants(fold(state, events), complete=False)


def test_3_10_a_second_three_is_laid_out() -> None:
    state = position("4s 5s 3s", "3h 9c 8d")
    assert (Drew(0, parse_cards("9c"), parse_cards("3h"), 1),) == decide(state, 0, DRAW_KEEPING)


def test_3_10_drawing_to_keep_a_three_is_refused_once_the_side_has_opened() -> None:
    state = position("4s 5s", "3h 9c 8d", melds={"0": ["Qs Qh Qd"]})
    assert Refusal(Code.KEEP_TOO_LATE) == why_not_allowed(state, 0, DRAW_KEEPING)
    assert DRAW_KEEPING not in legal_actions(state)
    assert Refusal(Code.KEEP_OFF) == why_not_allowed(
        read_position({"position": {"hands": {"0": "4s"}, "stock": "5s"}}), 0, DRAW_KEEPING
    )


@pytest.mark.parametrize("three", ["3s", "3h"])
def test_3_10_a_three_still_kept_when_the_side_has_opened_is_laid_out_at_the_next_turn(three: str) -> None:
    state = position(
        "4s 5s 9d", "9c 8d 7c 6h", melds={"1": ["Qs Qh Qd"]}, turn=0, hands={"0": "4s 5s 9d", "1": f"Kc {three}"}
    )
    events = decide(fold(state, decide(state, 0, DRAW)), 0, Discard(parse_card("9d") >> 2))
    assert LaidOut(1, parse_cards("8d"), parse_cards(three), 1) == events[1]


@pytest.mark.parametrize(("three", "points"), [("3s", -5), ("3h", -5)])
def test_3_10_a_three_as_the_last_card_stays_in_the_hand_at_a_low_cost_and_ends_play(three: str, points: int) -> None:
    state = position("4s 5s", three)
    drew, ended = decide(state, 0, DRAW)
    assert Drew(0, parse_cards(three), (), 1) == drew
    assert isinstance(ended, DealEnded)
    assert (DealEnd.LAST_RED_THREE, -10 + points) == (ended.reason, ended.lines[0].in_hand)
    over = fold(state, (drew, ended))
    assert () == broken_invariants(over, complete=False)
    again = read_position(write_position(over))
    assert (over.results, Phase.BETWEEN) == (again.results, again.phase)


@pytest.mark.parametrize("three", ["3s", "3h"])
def test_3_10_a_three_kept_to_the_end_costs_a_hundred(three: str) -> None:
    state = position(f"4s 5s {three}", "9c", turn=0)
    ended = decide(fold(state, decide(state, 0, DRAW_KEEPING)), 0, Discard(parse_card("9c") >> 2))[-1]
    assert isinstance(ended, DealEnded)
    assert -110 == ended.lines[0].in_hand


def test_a_three_as_the_last_card_is_laid_out_unless_a_parameter_keeps_it() -> None:
    state = position("4s 5s", "3h", options={"last_three": None})
    drew, ended = decide(state, 0, DRAW)
    assert Drew(0, (), parse_cards("3h"), 0) == drew
    assert isinstance(ended, DealEnded)
    assert -10 == ended.lines[0].in_hand


def test_3_10_a_kept_three_and_the_last_card_may_both_be_held_at_the_end() -> None:
    state = position("4s 5s 3h", "3s")
    over = fold(state, decide(state, 0, DRAW_KEEPING))
    assert -115 == over.results[0].lines[0].in_hand
    again = read_position(write_position(over))
    assert over.results == again.results


def test_a_hand_holds_at_most_one_kept_three() -> None:
    with pytest.raises(PositionError, match="threes are laid out at once, and it holds 1: no three may stay"):
        position("4s 3s", "9c", options={"special_hands": [], "last_three": None})
    with pytest.raises(PositionError, match="threes are laid out at once, and it holds 2: at most 1 of them may stay"):
        position("4s 3s 3h", "9c", options={"last_three": None})
