"""Choices of the casual player in positions that are easy for a person who knows the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.computer.heuristics.planning import going_out_plan
from bot.engine.cards.cards import ACE, BLACK_THREE, FOUR, JACK, KING, NINE, QUEEN, RED_THREE, SIX, TEN, TWO, counts_of
from bot.engine.moves.actions import (
    ANNOUNCE,
    ASK,
    DRAW,
    NO,
    PASS,
    TAKE_ADD,
    TAKE_PAIR,
    TAKE_WITH_JOKER,
    TAKE_WITH_TWO,
    YES,
    Discard,
    Meld,
    Step,
    discard_step,
    meld_step,
)
from bot.engine.moves.events import DealEnd
from bot.engine.rules.case_fields import read_cards
from bot.engine.rules.sets import rule_set
from tests.computer.positions import casual_step, make_state, play_turn

KINGS = "Ks Kh Kd Kc Ks Kh Kd"
SIX_KINGS = "Ks Kh Kd Kc Ks Kh"
ONE_CARD = {"1": "4s", "3": "4h"}


def melds(steps: Sequence[Step]) -> list[Meld]:
    return [step for step in steps if isinstance(step, Meld)]


# --- the initial meld ------------------------------------------------------------------------------------------------


def test_a_casual_player_opens_at_120_with_two_melds_and_no_more_wild_cards_than_needed() -> None:
    steps, state = play_turn(make_state("As Ah Ad Ks Kh 2s JK 5s 6h 8d 9c", scores=(3000, 3000)))
    assert [meld_step(KING, 2, 0, 1), meld_step(ACE, 3)] == sorted(melds(steps), key=lambda step: step.kind)
    assert state.opened[0]


def test_a_casual_player_opens_with_natural_sets_when_they_are_enough() -> None:
    steps, state = play_turn(make_state("Qs Qh Qd Ks Kh Kd 2s JK 5s 6h 8d 9c"))
    assert {meld_step(QUEEN, 3), meld_step(KING, 3)} == set(melds(steps))
    assert state.opened[0]


def test_a_casual_player_adds_a_wild_card_where_the_sets_are_a_little_short() -> None:
    steps, state = play_turn(make_state("4s 4h 4d Ks Kh Kd 2s 2h JK 6h 8d 9c"))
    assert 1 == sum(step.twos for step in melds(steps))
    assert 0 == sum(step.jokers for step in melds(steps))
    assert state.opened[0]


def test_a_casual_player_keeps_pairs_and_wild_cards_when_it_cannot_open() -> None:
    step = casual_step(make_state("As Ah Ks Kh 2s 5s 5h 6d 8d 9c", scores=(3000, 3000)))
    assert step == discard_step(SIX)


def test_a_casual_player_opens_by_taking_the_pile() -> None:
    state = make_state("Ks Kh As Ah 2s 4d 6h 8d 9c Tc", phase="draw", pile="5s 7h 9d Kd")
    steps, after = play_turn(state)
    assert steps[0] == TAKE_PAIR
    assert after.opened[0]


# --- melding ---------------------------------------------------------------------------------------------------------


def test_a_casual_player_completes_a_canasta_with_wild_cards_before_anything_else() -> None:
    state = make_state("Kc 2s 4s 4h 4d 9c 6h 8d", melds={"0": ["Ks Kh Kd Kc Ks"]})
    assert casual_step(state) == meld_step(KING, 1, 1)


def test_a_casual_player_keeps_wild_cards_that_complete_nothing() -> None:
    steps, _ = play_turn(make_state("2s 2h 5c 9c 6h 8d", melds={"0": ["Ks Kh Kd Kc"], "1": ["5s 5h 5d"]}))
    assert [] == melds(steps)


def test_a_casual_player_keeps_enough_cards_to_continue() -> None:
    steps, _ = play_turn(make_state("Qs Qh Qd 9c 6h 8d", melds={"0": ["Ks Kh Kd Kc"]}))
    assert [] == melds(steps)


def test_a_casual_player_melds_a_long_set_even_if_few_cards_are_left() -> None:
    steps, _ = play_turn(make_state("Qs Qh Qd Qc Qs 6h 8d", melds={"0": ["Ks Kh Kd Kc"]}))
    assert [meld_step(QUEEN, 5)] == melds(steps)


def test_a_casual_player_lays_all_it_can_when_opponents_are_about_to_go_out() -> None:
    state = make_state("Qs Qh Qd 9c 9h 2s 6h 8d", melds={"0": ["Ks Kh Kd Kc"], "1": ["As " * 7]}, hands=ONE_CARD)
    steps, _ = play_turn(state)
    assert {meld_step(QUEEN, 3), meld_step(NINE, 2, 1)} == set(melds(steps))


# --- going out -------------------------------------------------------------------------------------------------------


def test_a_casual_player_goes_out_when_it_can() -> None:
    _, state = play_turn(make_state("Qs Qh Qd 9c 9h 2s 6h", melds={"0": [KINGS]}, hands={"2": "4s 5s"}))
    assert state.results[-1].reason is DealEnd.OUT
    assert state.results[-1].went_out == 0


def test_a_casual_player_goes_out_by_completing_its_first_canasta_in_the_same_turn() -> None:
    _, state = play_turn(make_state("Qs Qh Qd 2h JK 4c", melds={"0": ["Ks Kh Kd Kc Ks"]}, hands={"2": "4s 5s"}))
    assert state.results[-1].went_out == 0
    assert 1 == sum(line.mixed_canastas for line in state.results[-1].lines) // 300


def test_a_casual_player_goes_out_with_black_threes_last() -> None:
    steps, state = play_turn(make_state("3s 3c 3s Qs Qh Qd", melds={"0": [KINGS]}, hands={"2": "4s 5s"}))
    assert melds(steps)[-1] == meld_step(BLACK_THREE, 3)
    assert state.results[-1].went_out == 0


def test_a_casual_player_asks_a_partner_who_holds_many_cards_first() -> None:
    assert casual_step(make_state("Qs Qh Qd 6h", melds={"0": [KINGS]})) == ASK


def test_a_casual_player_does_not_ask_a_partner_with_few_cards_to_go_out() -> None:
    assert casual_step(make_state("Qs Qh Qd 6h", melds={"0": [KINGS]}, hands={"2": "4s 5s"})) == meld_step(QUEEN, 3)


def test_a_casual_player_plays_on_after_a_no() -> None:
    state = make_state("Qs Qh Qd 6h", melds={"0": [KINGS]}, hands={"2": "As Ah Ad Ac As Ah Ad 9c"})
    steps, after = play_turn(state)
    assert steps[:2] == [ASK, NO]
    assert not after.results
    assert after.hands[0]


def test_a_casual_player_goes_out_after_a_yes() -> None:
    steps, after = play_turn(make_state("Qs Qh Qd 6h", melds={"0": [KINGS]}))
    assert steps[:2] == [ASK, YES]
    assert after.results[-1].went_out == 0


def test_a_casual_player_announces_and_goes_out_with_a_pile_of_one_card() -> None:
    state = make_state("9h 9d 4d", rules="italian-club", phase="draw", pile="9c", melds={"0": [KINGS]})
    steps, after = play_turn(state)
    assert steps == [ANNOUNCE, TAKE_PAIR, discard_step(FOUR)]
    assert after.results[-1].went_out == 0


def test_a_casual_player_announces_when_the_pile_allows_going_out() -> None:
    melds = {"0": [KINGS, "Jd Js Jc"]}
    steps, after = play_turn(make_state("9h 9d 4d", rules="italian-club", phase="draw", pile="Jh 9c", melds=melds))
    assert steps[:2] == [TAKE_PAIR, ANNOUNCE]
    assert after.results[-1].went_out == 0


def test_a_casual_player_asks_if_required_and_goes_out_with_a_pile_of_one_card() -> None:
    queens = KINGS.replace("K", "Q")
    state = make_state("9h 9d 4d", rules="brazilian", phase="draw", pile="9c", melds={"0": [KINGS, queens]})
    steps, after = play_turn(state)
    assert steps == [ASK, YES, TAKE_PAIR, discard_step(FOUR)]
    assert after.results[-1].went_out == 0


def test_a_casual_player_does_not_ask_a_partner_whose_cards_may_change_before_the_draw() -> None:
    assert casual_step(make_state("Kc 4d", phase="draw", melds={"0": [KINGS]})) == DRAW


def test_a_casual_player_lets_the_partner_go_out_when_opponents_are_about_to() -> None:
    hands = {"2": "As Ah Ad Ac As Ah Ad 9c", **ONE_CARD}
    steps, _ = play_turn(make_state("Qs Qh Qd 6h", melds={"0": [KINGS], "1": ["Js " * 7]}, hands=hands))
    assert steps[:2] == [ASK, YES]


def test_a_casual_player_does_not_go_out_if_that_would_lose_the_game() -> None:
    _, state = play_turn(make_state("Qs Qh Qd 6h", melds={"0": [KINGS], "1": ["Js " * 7]}, scores=(2000, 4800)))
    assert not state.results


# --- the pile --------------------------------------------------------------------------------------------------------


def test_a_casual_player_takes_a_pile_that_costs_nothing() -> None:
    state = make_state("4s 5h 6d 9s", phase="draw", pile="7h Kd", melds={"0": ["Ks Kh Kd"]})
    assert casual_step(state) == TAKE_ADD


def test_a_casual_player_takes_a_frozen_pile_with_a_pair() -> None:
    state = make_state("Qs Qh 6d 9s", phase="draw", pile="2s 7h Qd", frozen=True, melds={"0": ["Ks Kh Kd"]})
    assert casual_step(state) == TAKE_PAIR


def test_a_casual_player_pays_a_two_for_a_pile_that_is_worth_it_and_not_for_less() -> None:
    melded = {"0": ["Ks Kh Kd"]}
    assert casual_step(make_state("Qs 2h 6d 9s", phase="draw", pile="7h 8h 9h Qd", melds=melded)) == TAKE_WITH_TWO
    assert casual_step(make_state("Qs 2h 6d 9s", phase="draw", pile="7h Qd", melds=melded)) == DRAW


def test_a_casual_player_pays_a_joker_only_for_a_larger_pile() -> None:
    melded = {"0": ["Ks Kh Kd"]}
    assert casual_step(make_state("Qs JK 6d 9s", phase="draw", pile="7h 8h 9h Td Qd", melds=melded)) == TAKE_WITH_JOKER
    assert casual_step(make_state("Qs JK 6d 9s", phase="draw", pile="7h 8h Qd", melds=melded)) == DRAW


# --- discarding ------------------------------------------------------------------------------------------------------


def test_a_casual_player_does_not_discard_a_card_useful_to_the_next_player() -> None:
    state = make_state("9c 4h 6d 6h Qs Qh", pile="7h 8h 5s", melds={"0": ["Ks Kh Kd"], "1": ["9s 9h 9d", "4s 4c 4d"]})
    step = casual_step(state)
    assert isinstance(step, Discard)
    assert step.kind not in (NINE, FOUR)


def test_a_casual_player_discards_a_black_three_when_everything_else_is_dangerous() -> None:
    state = make_state(
        "3s 9c 9h Ts Th", pile="7h 8h 5s 5d 6c", melds={"0": ["Ks Kh Kd"], "1": ["9s 9h 9d", "Ts Th Td"]}
    )
    assert casual_step(state) == discard_step(BLACK_THREE)


@pytest.mark.parametrize("rules", ["hand-and-foot", "hand-and-foot-us"])
def test_a_casual_player_discards_a_red_three_that_costs_points_before_anything_else(rules: str) -> None:
    state = make_state("3h 3s 2s JK 4s 6h 8d 8c Jh Tc", rules=rules, melds={"0": ["Ks Kh Kd"]}, pile="4d 5d 6d 7d")
    assert casual_step(state) == discard_step(RED_THREE)
    shut = make_state("3d JK 4s 4h", rules=rules, pile="JK", scores=(3000, 3000))
    assert casual_step(shut) == discard_step(RED_THREE)


def test_a_casual_player_does_not_meld_everything_if_only_a_red_three_would_be_left() -> None:
    rules = replace(rule_set("classic", 4), red3_role="penalty")
    plan = going_out_plan(rules, counts_of(read_cards("Qs Qh Qd 3h 3d", "")), {}, canastas_missing=0)
    assert plan is None
    assert going_out_plan(rules, counts_of(read_cards("Qs Qh Qd 3h", "")), {}, canastas_missing=0) == (
        meld_step(QUEEN, 3),
    )


def test_a_casual_player_keeps_a_black_three_while_there_is_a_harmless_card() -> None:
    dead = {"0": ["Ks Kh Kd"], "1": ["Js Jh Jd Jc Js 2h 2c"]}
    state = make_state("3s Jc Qs Qh Qd Tc Td", pile="7h", frozen=True, melds=dead)
    assert casual_step(state) == discard_step(JACK)


def test_a_casual_player_freezes_a_large_pile_when_behind() -> None:
    theirs = ["9s 9h 9d 9c", "Ts Th Td", "As Ah Ad Ac As Ah Ad"]
    state = make_state("2s 2h 9c Th", pile="7h 8h 5s 5d 6c 6h 7s Js", melds={"0": ["Ks Kh Kd"], "1": theirs})
    assert casual_step(state) == discard_step(TWO)


def test_a_casual_player_keeps_wild_cards_from_a_small_pile() -> None:
    state = make_state("2s 2h 9c Th", pile="7h", melds={"0": ["Ks Kh Kd"], "1": ["9s 9h 9d 9c", "Ts Th Td"]})
    assert casual_step(state) in (discard_step(NINE), discard_step(TEN))


# --- two players, and the end of the stock ---------------------------------------------------------------------------


def test_a_casual_player_needs_two_canastas_to_go_out_against_one_opponent() -> None:
    hand = "Qs Qh Qd 6h"
    _, state = play_turn(make_state(hand, players=2, melds={"0": [KINGS]}))
    assert not state.results
    _, state = play_turn(make_state(hand, players=2, melds={"0": [KINGS, "As " * 7]}))
    assert state.results[-1].went_out == 0


def test_a_casual_player_lets_the_deal_end_when_the_stock_is_out_and_the_pile_useless() -> None:
    state = make_state("Qs JK 6d 9s", phase="draw", pile="7h 8h Qd", melds={"0": ["Ks Kh Kd"]}, stock="")
    assert casual_step(state) == PASS
