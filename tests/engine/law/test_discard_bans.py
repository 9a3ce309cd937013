"""Banned discards, and bans that are lifted where no discard would be legal.

Source: `docs/law/variants.md 3.5, 3.10, 3.12`.
"""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import pytest

from bot.engine.cards.cards import ACE, BLACK_THREE, JOKER, KING, NINE, RANK_LETTERS, SEVEN, TWO, full_pack
from bot.engine.cards.notation import parse_card
from bot.engine.law.discard_bans import GIVES_WAY, discardable_kinds
from bot.engine.moves.actions import Discard, DiscardCard
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.play.decide import why_not_allowed
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_reading import read_position
from bot.engine.reach.going_out_search import kinds_never_last
from bot.engine.table.state import State

KINGS = "Ks Ks Kh Kh Kd Kd Kc"
SEVENS = "7s 7s 7h 7h 7d 7d 7c"


def position(hand: str, *bans: str, pile: str = "6d 8c", **more: Any) -> State:
    """Return a state in which seat 0 is to discard from that hand, under these bans."""
    place = {"turn": 0, "phase": "play", "hands": {"0": hand, "1": "4c 5c"}, "stock": "9c 8d 7c", "pile": pile}
    return read_position({"options": {"discard_bans": list(bans)}, "position": {**place, **more}})


def discard_refusal(state: State, kind: int) -> Refusal | None:
    return why_not_allowed(state, 0, Discard(kind))


def listed_discards(state: State) -> set[int]:
    return {step.kind for step in legal_actions(state) if isinstance(step, Discard)}


def test_3_10_wild_cards_are_discarded_only_from_a_hand_of_wild_cards() -> None:
    mixed = position("9s 9h 2s JK", "wilds")
    assert {NINE} == discardable_kinds(mixed) == listed_discards(mixed)
    assert Refusal(Code.DISCARD_WILD, {"others": 2}) == discard_refusal(mixed, TWO)
    assert Refusal(Code.DISCARD_WILD, {"others": 2}) == discard_refusal(mixed, JOKER)
    wild = position("2s 2h JK", "wilds")
    assert {TWO, JOKER} == listed_discards(wild)
    assert discard_refusal(wild, JOKER) is None


def test_3_10_a_wild_card_may_be_the_card_that_goes_out() -> None:
    last = position("2s", "wilds", "threes", melds={"0": [KINGS]})
    assert discard_refusal(last, TWO) is None


def test_3_10_threes_are_never_discarded_not_even_in_going_out() -> None:
    held = position("3s 9h", "threes")
    assert {NINE} == listed_discards(held)
    assert Refusal(Code.DISCARD_THREE, {"others": 1}) == discard_refusal(held, BLACK_THREE)
    last = position("3s", "threes", melds={"0": [KINGS]})
    assert Refusal(Code.DISCARD_THREE, {"others": 0}) == discard_refusal(last, BLACK_THREE)


@pytest.mark.parametrize(("kind", "card"), [(SEVEN, "7s"), (TWO, "2s"), (ACE, "As"), (KING, "Kc")])
def test_3_10_on_an_empty_pile_no_seven_wild_ace_or_closed_rank_is_discarded(kind: int, card: str) -> None:
    hand = "7s 2s As Kc 9h 8s"
    empty = position(hand, "swad", pile="", melds={"1": [KINGS]})
    assert Refusal(Code.DISCARD_ON_EMPTY_PILE, {"others": 2}) == discard_refusal(empty, kind)
    assert discard_refusal(empty, NINE) is None
    assert Refusal(Code.DISCARD_ON_EMPTY_PILE, {"others": 2}) == why_not_allowed(
        empty, 0, DiscardCard(parse_card(card))
    )
    assert discard_refusal(position(hand, "swad", melds={"1": [KINGS]}), kind) is None


def test_3_10_a_card_of_an_open_rank_may_be_discarded_on_an_empty_pile() -> None:
    assert discard_refusal(position("7s Kc 9h", "swad", pile="", melds={"1": ["Ks Kh Kd"]}), KING) is None


def test_3_10_the_bans_of_the_empty_pile_are_lifted_first_and_wild_cards_stay_banned() -> None:
    state = position("7s As 2s 2h", "swad", "wilds", "threes", pile="")
    assert {SEVEN, ACE} == listed_discards(state)
    assert Code.DISCARD_WILD is getattr(discard_refusal(state, TWO), "code", None)


def test_3_12_no_seven_is_discarded_before_both_sides_have_a_canasta_of_them() -> None:
    hand = "7h 9s"
    one = position(hand, "7_until_both", melds={"0": [SEVENS]})
    assert Refusal(Code.DISCARD_SEVEN, {"canastas": 1, "required": 2}) == discard_refusal(one, SEVEN)
    assert {NINE} == listed_discards(one)
    both = position(hand, "7_until_both", melds={"0": [SEVENS], "1": ["7s 7h 7h 7d 7d 7c 2s"]})
    assert discard_refusal(both, SEVEN) is None
    assert discard_refusal(position("7h 7d", "7_until_both"), SEVEN) is None


def test_3_12_a_seven_is_never_the_card_that_goes_out() -> None:
    last = position("7c", "7_last", melds={"0": [KINGS]})
    assert Refusal(Code.DISCARD_LAST_SEVEN, {"others": 0}) == discard_refusal(last, SEVEN)
    assert discard_refusal(position("7c 9s", "7_last", melds={"0": [KINGS]}), SEVEN) is None


def test_3_5_no_black_three_is_discarded_before_everybody_has_had_a_turn() -> None:
    hand = "3s 9s"
    third = position(hand, "black3_first_round", turns_played=3)
    assert Refusal(Code.DISCARD_BLACK_THREE, {"turns": 3, "required": 4}) == discard_refusal(third, BLACK_THREE)
    assert discard_refusal(position(hand, "black3_first_round", turns_played=4), BLACK_THREE) is None
    assert discard_refusal(position("3s 3c", "black3_first_round", turns_played=0), BLACK_THREE) is None


def test_2_jokers_are_not_discarded_while_another_card_may_be() -> None:
    assert Refusal(Code.DISCARD_JOKER, {"others": 2}) == discard_refusal(position("2s JK 9s", "J"), JOKER)
    assert discard_refusal(position("JK JK", "J"), JOKER) is None
    assert {JOKER} == kinds_never_last(position("JK JK", "J").rules)


def test_the_weakest_ban_is_lifted_first() -> None:
    state = position("7s 3s 2s", *GIVES_WAY, pile="", turns_played=0)
    assert {SEVEN} == listed_discards(state)


def test_no_hand_is_left_without_a_discard() -> None:
    random = Random(310)
    pack = [card for card in full_pack(2, 2) if card >> 2 < len(RANK_LETTERS) - 1]
    bans = [set(some) for count in range(8) for some in combinations((*GIVES_WAY, "7_last"), count)]
    for banned in bans:
        hand = random.sample([card for card in pack if card >> 2 in (SEVEN, ACE, BLACK_THREE, TWO, JOKER)], 3)
        state = position("4s 4h 4d", *banned, pile=random.choice(("", "8c")), turns_played=random.choice((0, 9)))
        state.hands = (tuple(sorted(hand)), *state.hands[1:])
        assert discardable_kinds(state)
