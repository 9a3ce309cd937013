"""Opening from the hand before taking the pile (`docs/law/variants.md 3.10`)."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.engine.cards.cards import ACE, KING, NINE
from bot.engine.cards.notation import parse_cards
from bot.engine.moves.actions import DRAW, PASS, TAKE_BACK, Action, Lay, LayMelds, Meld, Take, TakePile
from bot.engine.moves.events import Gathered, Melded, Opened, SetTalon, TookTop
from bot.engine.moves.phases import Phase
from bot.engine.moves.refusals import Code
from bot.engine.play.decide import decide, why_not_allowed
from bot.engine.play.invariants import broken_invariants
from bot.engine.play.legal_steps import can_take_pile, legal_actions
from bot.engine.positions.position_reading import read_position, write_position
from bot.engine.rules.themes.conditions import Condition, Theme
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State

HAND = "Ks Kh Kd Kc As Ah 2s JK 9s 9h 8s 8h 7d"
STOCK = "4c 5d 3h 9c 8d 7c 6h 6d Qs Qh Qd Qc"
RICH = "Ks Kh Kd Kc As Ah Ad 2s 2h JK JK 9s 9h 9d 8s 8h 8d Qs Qh Qd 7s 7h 7d"
PAIR = Take(naturals=2)


def position(hand: str = HAND, *, pile: str = "4d 9c", stock: str = STOCK, **place: Any) -> State:
    """Return a position in which seat 0 begins its turn."""
    hands = {"0": hand, "1": "4s 4h", "2": "5s 5c", "3": "6s 6c"}
    plain = {"turn": 0, "phase": "draw", "hands": hands, "stock": stock, "pile": pile}
    return read_position({"rules": "modern-american", "position": {**plain, **place}})


def lay_melds_from_text(*texts: str) -> LayMelds:
    return LayMelds(tuple(Lay(parse_cards(text)) for text in texts))


def take_pile_from_text(cards: str, *melds: str) -> TakePile:
    return TakePile(parse_cards(cards), tuple(Lay(parse_cards(text)) for text in melds))


def refusal_code(state: State, action: Action) -> Code | None:
    refusal = why_not_allowed(state, 0, action)
    return None if refusal is None else refusal.code


def state_after(state: State, *actions: Action) -> State:
    for action in actions:
        state = fold(state, decide(state, 0, action))
        assert () == broken_invariants(state, complete=False)
    return state


def test_3_10_the_pile_is_not_taken_before_the_initial_meld() -> None:
    assert Code.PILE_CLOSED_UNOPENED is refusal_code(position(), PAIR)
    assert Code.PILE_CLOSED_UNOPENED is refusal_code(position(), take_pile_from_text("9s 9h"))
    assert PAIR not in legal_actions(position())


def test_3_10_the_side_opens_from_the_hand_and_then_takes_the_pile() -> None:
    state = position()
    assert DRAW in legal_actions(state)
    opened = state_after(state, lay_melds_from_text("Ks Kh Kd Kc", "As Ah 2s JK"))
    assert Phase.DRAW == opened.phase
    assert PAIR in legal_actions(opened)
    taken = state_after(opened, PAIR)
    assert (Phase.PLAY, "pile", ()) == (taken.phase, taken.drew, taken.pile)
    assert sorted(parse_cards("8s 8h 7d 4d")) == list(taken.hands[0])


@pytest.mark.parametrize(("nines", "claims"), [("9s 9h", False), ("9s 9h 9d", True), ("9s 9h 9d 9c", True)])
def test_3_10_the_meld_of_the_top_card_has_room_for_it_and_a_pair(nines: str, *, claims: bool) -> None:
    """Four nines melded, a pair of nines in the hand and the top card make seven, the most allowed."""
    laid = nines if claims else "9s 9h 9d 9c 9s"
    state = position(f"Ks Kh Kd Kc As Ah Ad {laid} 9d 9c 8s 8h")
    opened = lay_melds_from_text("Ks Kh Kd Kc", "As Ah Ad", laid)
    assert (None if claims else Code.TAKE_NO_ROOM) is refusal_code(state, opened)


@pytest.mark.parametrize(("laid", "code"), [("9s 9h 9d", None), ("9s 9h 9d 9c", Code.TAKE_NO_ROOM)])
def test_3_10_a_theme_that_bans_the_canasta_leaves_room_for_six(laid: str, code: Code | None) -> None:
    state = position(f"Ks Kh Kd Kc As Ah Ad {laid} 9d 9c 8s 8h")
    ban = Condition("no_canasta", ("9",))
    state = replace(state, rules=replace(state.rules, theme=(Theme("own", ((ban,),)),)))
    assert code is refusal_code(state, lay_melds_from_text("Ks Kh Kd Kc", "As Ah Ad", laid))


def test_3_10_opening_and_taking_the_pile_may_be_one_action() -> None:
    events = decide(position(), 0, take_pile_from_text("9s 9h", "Ks Kh Kd Kc", "As Ah 2s JK"))
    assert [Melded, Melded, Opened, TookTop, Gathered] == [type(event) for event in events]
    assert Opened(0, 150) == events[2]


def test_3_10_after_opening_from_the_hand_the_seat_takes_the_pile_or_takes_back() -> None:
    begun = state_after(position(), Meld(KING, 4))
    assert Code.TAKE_AFTER_OPENING is refusal_code(begun, DRAW)
    assert not {DRAW, PASS} & set(legal_actions(begun))
    assert DRAW in legal_actions(state_after(begun, TAKE_BACK))


def test_3_10_the_top_card_does_not_count_for_the_minimum() -> None:
    hand = "Ks Kh Kd Kc As Ah 2s 9s 9h 8s 8h 7d 6d"
    state = position(hand)
    assert Code.OPENING_NOT_FROM_HAND is refusal_code(state, take_pile_from_text("9s 9h", "Ks Kh Kd Kc", "As Ah 2s"))
    assert not any(isinstance(step, Meld) for step in legal_actions(state))


def test_3_10_the_top_card_is_no_part_of_the_clean_meld() -> None:
    hand = "9s 9h As Ah 2s Ks Kh 2h JK JK 7d 6d 8d"
    assert Code.OPENING_NOT_FROM_HAND is refusal_code(position(hand), lay_melds_from_text("As Ah JK", "Ks Kh JK"))


def test_3_10_the_pair_for_the_pile_has_to_be_kept() -> None:
    hand = "9s 9h 9d Ks Kh Kd Kc As Ah 2s JK 7d 6d"
    state = position(hand)
    assert Code.TAKE_KEEP_CARDS is refusal_code(state, Meld(NINE, 3))
    assert Code.TAKE_KEEP_CARDS is refusal_code(state, Meld(NINE, 2, 1))
    assert refusal_code(state, Meld(KING, 4)) is None


def test_3_10_the_initial_meld_may_have_the_top_cards_rank_if_there_is_room() -> None:
    five = "9s 9s 9h 9d 9d As Ah 2s 2h JK 8s 8h 7d"
    opened = state_after(position(five), lay_melds_from_text("9s 9s 9h", "As Ah 2s JK"))
    assert 6 == state_after(opened, PAIR).melds[0][0].size
    with_wilds = position("9s 9s 9h 9d 9d As Ah Ad 2s 2h JK 8s 8h")
    assert Code.OPENING_NOT_FROM_HAND is refusal_code(
        with_wilds, take_pile_from_text("9d 9d", "9s 9s 9h 2s 2h", "As Ah Ad JK")
    )


def test_3_10_the_pile_is_not_taken_with_five_of_its_rank_melded() -> None:
    state = position("9s 9h Ks Kc 8d", melds={"0": ["9d 9d 9c 9s 9h"]})
    assert PAIR not in legal_actions(state)
    assert PAIR in legal_actions(position("9s 9h Ks Kc 8d", melds={"0": ["9d 9d 9c 9s"]}))


def test_3_10_a_side_that_takes_the_pile_gets_no_bonus_cards() -> None:
    state = state_after(position(), take_pile_from_text("9s 9h", "Ks Kh Kd Kc", "As Ah 2s JK"))
    events = decide(state, 0, next(step for step in legal_actions(state) if type(step).__name__ == "Discard"))
    assert not any(isinstance(event, SetTalon) for event in events)


def test_3_10_with_the_stock_out_the_deal_goes_on_while_a_player_can_open_for_the_pile() -> None:
    assert can_take_pile(position(stock=""))
    assert not can_take_pile(position("Ks Kh As Ah 2s 9s 9h", stock=""))


def test_a_started_opening_is_stored_and_loaded() -> None:
    begun = state_after(position(), Meld(KING, 4))
    again = read_position(write_position(begun))
    assert (legal_actions(begun), begun.laid_points) == (legal_actions(again), again.laid_points)
    opened = state_after(begun, Meld(ACE, 2, 1, 1))
    assert legal_actions(opened) == legal_actions(read_position(write_position(opened)))


@pytest.mark.parametrize("seed", range(40))
def test_every_listed_opening_leads_to_the_pile(seed: int) -> None:
    random = Random(seed)
    hand = random.sample(RICH.split(), 13)
    state = position(" ".join(hand))
    while state.phase is Phase.DRAW:
        steps = [step for step in legal_actions(state) if isinstance(step, Meld | Take)]
        if not steps:
            assert not state.started
            return
        state = state_after(state, random.choice(steps))
    assert legal_actions(state)
