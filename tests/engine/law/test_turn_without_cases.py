"""Parts of a turn that no case file can express, such as taking back and exact cards."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.engine.cards.cards import ACE, BLACK_THREE, JOKER, KING, NINE, QUEEN, RED_THREE, TEN, TWO
from bot.engine.cards.notation import cards_text, parse_card, parse_cards
from bot.engine.moves.actions import (
    ASK,
    DRAW,
    NO,
    PASS,
    TAKE_ADD,
    TAKE_BACK,
    TAKE_PAIR,
    YES,
    Action,
    Discard,
    DiscardCard,
    Lay,
    LayMelds,
    Meld,
    Take,
    TakePile,
    discard_step,
    meld_step,
)
from bot.engine.moves.events import Gathered, Melded, Opened, Reshuffled, TookTop
from bot.engine.moves.phases import Phase
from bot.engine.moves.refusals import Code
from bot.engine.play.decide import decide, why_not_allowed
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_reading import read_position
from bot.engine.table.state import State, seat_to_act
from tests.support.random_play import apply_action

KINGS = "Ks Ks Kh Kh Kd Kd Kc"


def position(hand: str, *, phase: str = "play", score: int = 0, players: int = 4, **more: Any) -> State:
    """Return a state in which seat 0 is to act with that hand."""
    plain = {"turn": 0, "phase": phase, "hands": {"0": hand, "1": "4c 5c"}, "stock": "9c 8d 7c 6h", "pile": "6d 8c"}
    return read_position({"players": players, "scores": [score, 0], "position": {**plain, **more}})


def lay_melds_from_text(*texts: str) -> LayMelds:
    return LayMelds(tuple(Lay(parse_cards(text)) for text in texts))


def refusal_code(state: State, action: Action, seat: int | None = None) -> Code | None:
    refusal = why_not_allowed(state, seat_to_act(state) if seat is None else seat, action)
    return None if refusal is None else refusal.code


# --- taking back -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "action"),
    [
        (position("9s 9h 9d 4s 5s", melds={"0": ["Ts Th Td"]}), lay_melds_from_text("9s 9h 9d")),
        (position("Tc 4s 5s", melds={"0": ["Ts Th Td"]}), lay_melds_from_text("Tc")),
        (position("As Ah Ad 4s 5s"), lay_melds_from_text("As Ah Ad")),
        (position("As Ah Ad Ts Th Td 4s 5s", score=1500), meld_step(ACE, 3)),
        (position("As Ah 2s Ks Kh Kd 4s 5s", score=1500), meld_step(KING, 3)),
        (position("Ts Th As Ah Ad 4s 5s", phase="draw", pile="6d Tc"), TAKE_PAIR),
    ],
)
def test_1_9_melds_of_the_turn_can_be_taken_back(before: State, action: Action) -> None:
    after = apply_action(before, 0, action)
    assert before != after
    assert before == apply_action(after, 0, TAKE_BACK)


def test_1_9_melds_are_taken_back_one_by_one_last_first() -> None:
    start = position("9s 9h 9d Js Jh Jd 4s 5s", melds={"0": ["Ts Th Td"]})
    nines = apply_action(start, 0, lay_melds_from_text("9s 9h 9d"))
    both = apply_action(nines, 0, lay_melds_from_text("Js Jh Jd"))
    assert nines == apply_action(both, 0, TAKE_BACK)
    assert start == apply_action(apply_action(both, 0, TAKE_BACK), 0, TAKE_BACK)
    assert refusal_code(start, TAKE_BACK) is Code.NOTHING_TO_TAKE_BACK


def test_1_9_nothing_can_be_taken_back_once_the_pile_was_seen() -> None:
    state = apply_action(position("Ts Th 4s 5s", phase="draw", pile="6d Tc", melds={"0": ["9s 9h 9d"]}), 0, TAKE_PAIR)
    assert refusal_code(state, TAKE_BACK) is Code.NOTHING_TO_TAKE_BACK
    opened = apply_action(
        apply_action(position("Ts Th As Ah Ad 4s", phase="draw", pile="6d Tc"), 0, TAKE_PAIR), 0, meld_step(ACE, 3)
    )
    assert "4s 6d" == cards_text(opened.hands[0])
    assert refusal_code(opened, TAKE_BACK) is Code.NOTHING_TO_TAKE_BACK


def test_1_9_melds_after_taking_the_pile_can_be_taken_back() -> None:
    taken = apply_action(
        position("Ts Th Qs 4s 5s", phase="draw", pile="Qh Qd Tc", melds={"0": ["9s 9h 9d"]}), 0, TAKE_PAIR
    )
    laid = apply_action(taken, 0, meld_step(QUEEN, 3))
    assert taken == apply_action(laid, 0, TAKE_BACK)


def test_1_9_a_draw_cannot_be_taken_back() -> None:
    drawn = apply_action(position("4s 5s", phase="draw"), 0, DRAW)
    assert refusal_code(drawn, TAKE_BACK) is Code.NOTHING_TO_TAKE_BACK


def test_4_11_nothing_is_taken_back_or_moved_in_a_later_turn() -> None:
    start = position(
        "9s 9h 9d 9c 4s 5s 6s", melds={"0": ["Ts Th Td"]}, hands={"0": "9s 9h 9d 9c 4s 5s 6s", "1": "Jc Qc"}
    )
    after = apply_action(apply_action(start, 0, lay_melds_from_text("9s 9h 9d")), 0, DiscardCard(parse_card("4s")))
    assert refusal_code(after, TAKE_BACK, 0) is Code.NOT_YOUR_TURN
    assert refusal_code(after, TAKE_BACK, 1) is Code.NOTHING_TO_TAKE_BACK
    drawn = apply_action(after, 1, DRAW)
    assert refusal_code(drawn, lay_melds_from_text("9s 9h 9d"), 1) is Code.CARD_NOT_HELD
    assert refusal_code(start, lay_melds_from_text("Ts 9s 9h"), 0) is Code.CARD_NOT_HELD


# --- the staged initial meld -----------------------------------------------------------------------------------------


def test_1_11_an_initial_meld_may_be_staged_step_by_step() -> None:
    state = position("Qs Qh Qd Ks Kh Kd As Ah Ad 4s 5s", score=1600)
    state = apply_action(state, 0, meld_step(QUEEN, 3))
    assert (False, 30) == (state.opened[0], state.laid_points)
    assert refusal_code(state, Discard(parse_card("4s") >> 2)) is Code.INITIAL_MELD_TOO_LOW
    state = apply_action(state, 0, meld_step(ACE, 3))
    assert (True, 90) == (state.opened[0], state.laid_points)
    assert refusal_code(state, Discard(parse_card("4s") >> 2)) is None


def test_1_11_a_step_from_which_the_minimum_cannot_be_reached_is_refused() -> None:
    state = position("Qs Qh Qd 4s 4h 4d 5s", score=1600)
    refusal = why_not_allowed(state, 0, meld_step(QUEEN, 3))
    assert refusal is not None
    assert (Code.INITIAL_MELD_UNREACHABLE, {"count": 30, "required": 90, "best": 45}) == (refusal.code, refusal.detail)


def test_1_11_a_refusal_counts_the_melded_points_and_lists_legal_steps() -> None:
    state = position("7s 7h 7d Qs Qh Qd As Ah Ad 2c 4s 5s", score=1600)
    refusal = why_not_allowed(state, 0, lay_melds_from_text("7s 7h 7d", "Qs Qh Qd 2c"))
    assert refusal is not None
    assert (Code.INITIAL_MELD_TOO_LOW, {"count": 65, "required": 90}) == (refusal.code, refusal.detail)
    assert legal_actions(state) == refusal.legal


def test_1_12_a_side_opening_with_the_pile_gets_the_rest_once_it_has_the_minimum() -> None:
    start = position("Ts Th As Ah Ad 4s", phase="draw", pile="6d 7h Tc")
    waiting = apply_action(start, 0, TAKE_PAIR)
    assert (True, "6d 7h", False) == (waiting.aside, cards_text(waiting.pile), waiting.opened[0])
    assert "4s As Ah Ad" == cards_text(waiting.hands[0])
    assert refusal_code(waiting, discard_step(parse_card("4s") >> 2)) is Code.INITIAL_MELD_TOO_LOW
    events = decide(waiting, 0, meld_step(ACE, 3))
    assert [Melded, Opened, Gathered] == [type(event) for event in events]
    opened = apply_action(waiting, 0, meld_step(ACE, 3))
    assert (False, (), True) == (opened.aside, opened.pile, opened.opened[0])
    assert "4s 6d 7h" == cards_text(opened.hands[0])


def test_1_12_melds_laid_while_taking_the_pile_use_only_cards_of_the_hand() -> None:
    state = position("Ts Th 9s 9h 4s", phase="draw", pile="9d Tc", score=1500)
    assert refusal_code(state, TakePile(parse_cards("Ts Th"), (Lay(parse_cards("9s 9h 9d")),))) is Code.CARD_NOT_HELD


def test_1_12_further_cards_of_the_rank_may_go_with_the_pair() -> None:
    state = position("Ts Th Td 2s 4s 5s", phase="draw", pile="6d Tc", melds={"0": ["9s 9h 9d"]})
    events = decide(state, 0, TakePile(parse_cards("Ts Th Td 2s")))
    assert [TookTop, Gathered, Melded] == [type(event) for event in events]


def test_4_18_the_minimum_does_not_change_while_the_deal_is_played() -> None:
    state = position("4s 5s", score=1495, melds={"0": [KINGS]})
    assert 50 == state.rules.initial_meld_minimum(state.scores[0])


# --- exact cards -----------------------------------------------------------------------------------------------------


def test_1_10_an_act_lays_exactly_the_cards_named() -> None:
    state = apply_action(position("9s 9s 9h 9d 9c 4s", melds={"0": ["Ts Th Td"]}), 0, lay_melds_from_text("9s 9d 9c"))
    assert ("4s 9s 9h", "9s 9d 9c") == (cards_text(state.hands[0]), cards_text(state.melds[0][1].cards))


def test_1_9_exactly_the_card_named_is_discarded() -> None:
    state = apply_action(position("9s 9h 9c"), 0, DiscardCard(parse_card("9h")))
    assert ("9s 9c", "9h") == (cards_text(state.hands[0]), cards_text(state.pile[-1:]))


def test_1_10_the_order_of_the_melds_in_an_act_does_not_matter() -> None:
    for order in (("9s 9h 9d", "9c"), ("9c", "9s 9h 9d")):
        state = apply_action(position("9s 9h 9d 9c 4s 5s", melds={"0": ["Ts Th Td"]}), 0, lay_melds_from_text(*order))
        assert "9s 9h 9d 9c" == cards_text(state.melds[0][1].cards)


def test_1_10_wild_cards_need_the_name_of_the_meld_they_join() -> None:
    state = position("2s 4s 5s", melds={"0": ["Ts Th Td", "9s 9h 9d"]})
    assert refusal_code(state, lay_melds_from_text("2s")) is Code.MELD_NO_RANK
    assert refusal_code(state, LayMelds((Lay(parse_cards("2s"), 2),))) is Code.MELD_WRONG_TARGET
    assert "9s 9h 9d 2s" == cards_text(apply_action(state, 0, LayMelds((Lay(parse_cards("2s"), 1),))).melds[0][1].cards)


def test_1_9_an_act_without_cards_is_refused() -> None:
    state = position("4s 5s")
    assert refusal_code(state, LayMelds(())) is Code.NO_CARDS
    assert refusal_code(state, LayMelds((Lay(()),))) is Code.NO_CARDS
    assert refusal_code(state, Meld(KING)) is Code.NO_CARDS


# --- what is legal ---------------------------------------------------------------------------------------------------


def test_1_23_legal_steps_are_listed_at_the_start_of_a_turn() -> None:
    state = position("Ts Th 2s JK 4s 5s", phase="draw", pile="6d Tc", melds={"0": ["Ts Td Tc", "9s 9h 9d"]})
    assert (DRAW, TAKE_PAIR, Take(1, 1, 0), Take(1, 0, 1), TAKE_ADD, ASK) == legal_actions(state)


def test_1_23_legal_steps_are_listed_with_the_stock_out() -> None:
    declinable = position("9s 9h 4s 5s", phase="draw", stock="", pile="6d 9c", melds={"0": ["Ts Th Td"]})
    assert (TAKE_PAIR, PASS) == legal_actions(declinable)
    forced = position("4s 5s", phase="draw", stock="", pile="6d Tc", melds={"0": ["Ts Th Td"]})
    assert (TAKE_ADD,) == legal_actions(forced)


def test_1_18_the_partner_says_yes_or_no() -> None:
    state = apply_action(position("Kc 4s", melds={"0": [KINGS]}), 0, ASK)
    assert (Phase.ANSWER, 2, (YES, NO)) == (state.phase, seat_to_act(state), legal_actions(state))


@pytest.mark.parametrize(("turns", "goes_on"), [(1198, True), (1199, False)])
def test_1_19_the_pile_becomes_the_stock_until_1200_turns_have_been_played(turns: int, *, goes_on: bool) -> None:
    """Required by H9 of `docs/law/classic.md`; the number 1200 is in `docs/law/variants.md 2`."""
    state = read_position(
        {
            "options": {"stock_end": "reshuffle"},
            "position": {
                "turn": 0,
                "phase": "draw",
                "hands": {"0": "Kc 4s 5s", "1": "4c 4d 8s", "2": "5c", "3": "6c"},
                "stock": "9c",
                "pile": "6d Tc Qd",
                "melds": {"0": ["Jh Js Jd"]},
            },
        }
    )
    drawn = apply_action(replace(state, turns=turns), 0, DRAW)
    assert goes_on == any(isinstance(event, Reshuffled) for event in decide(drawn, 0, discard_step(KING)))


def test_1_23_legal_steps_are_listed_with_two_cards_and_a_canasta() -> None:
    state = position("Kc 4s", melds={"0": [KINGS]})
    assert (meld_step(KING, 1), discard_step(0), discard_step(KING), ASK) == legal_actions(state)


def test_1_8_black_threes_are_listed_only_where_they_end_the_deal() -> None:
    assert meld_step(BLACK_THREE, 3) in legal_actions(position("3s 3c 3s 4s", melds={"0": [KINGS]}))
    assert meld_step(BLACK_THREE, 3) not in legal_actions(position("3s 3c 3s 4s 5s", melds={"0": [KINGS]}))


def test_1_23_steps_never_name_single_cards_of_a_hand() -> None:
    state = position("9s 9h 9d 4s 5s", melds={"0": ["Ts Th Td"]})
    assert refusal_code(state, Discard(RED_THREE)) is Code.CARD_NOT_HELD
    assert refusal_code(state, Meld(RED_THREE, 3)) is Code.MELD_RED_THREE
    assert refusal_code(state, Meld(TWO, 0, 3)) is Code.MELD_NO_RANK
    assert refusal_code(state, Meld(JOKER, 0, 0, 3)) is Code.MELD_NO_RANK
    assert refusal_code(state, Meld(NINE, -1, 2, 2)) is not None
    assert refusal_code(state, Meld(TEN, 1)) is Code.CARD_NOT_HELD
    assert refusal_code(state, YES) is Code.NO_QUESTION
    assert refusal_code(state, DRAW, 7) is Code.NOT_A_PLAYER
    assert refusal_code(state, DRAW, -1) is Code.NOT_A_PLAYER
