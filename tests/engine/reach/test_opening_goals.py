"""Shapes that an initial meld needs besides points (`docs/law/variants.md 3.3, 3.6, 3.10`)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.engine.cards.cards import ACE, JOKER_CARD, KING, NINE, TWO, card_of
from bot.engine.cards.meld_places import DEUCE_MELD, WILD_MELD, run_place
from bot.engine.cards.notation import parse_cards
from bot.engine.melds.table_meld import TableMeld
from bot.engine.moves.actions import Lay, LayMelds, Meld
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.play.decide import decide, why_not_allowed
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_reading import read_position, write_position
from bot.engine.reach.opening_goals import (
    Goal,
    goals_for_minimum,
    is_clean_meld,
    is_demand_met,
    is_goal_reached,
    why_meld_cannot_open,
    why_not_open,
)
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import rule_set
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State

CLASSIC = rule_set("classic", 4)


def rules_with_shape(shape: str, *waivers: str) -> RuleSet:
    return replace(CLASSIC, open_shape=shape, open_waiver=frozenset(waivers))  # type: ignore[arg-type]


def meld_of_rank(kind: int, naturals: int, wilds: int = 0) -> TableMeld:
    return TableMeld(kind, naturals, wilds, (card_of(kind),) * naturals + (JOKER_CARD,) * wilds)


def meld_of_wilds(count: int) -> TableMeld:
    return TableMeld(WILD_MELD, 0, count, (card_of(TWO),) * count)


CLEAN, MIXED, WILD = meld_of_rank(KING, 3), meld_of_rank(ACE, 2, 2), meld_of_wilds(3)


def test_3_10_the_initial_meld_needs_a_clean_meld() -> None:
    rules = rules_with_shape("clean3")
    goals = goals_for_minimum(rules, minimum=125)
    assert (Goal(125, "clean"),) == goals
    assert is_goal_reached(rules, goals, 130, [MIXED, CLEAN])
    assert not is_goal_reached(rules, goals, 130, [MIXED])
    assert not is_goal_reached(rules, goals, 130, [MIXED, WILD])
    assert not is_goal_reached(rules, goals, 120, [MIXED, CLEAN])
    assert Refusal(Code.OPENING_NEEDS_CLEAN, {"required": 3}) == why_not_open(rules, goals, 130, [MIXED])
    assert Refusal(Code.INITIAL_MELD_TOO_LOW, {"count": 120, "required": 125}) == why_not_open(
        rules, goals, 120, [CLEAN]
    )
    assert why_not_open(rules, goals, 130, [CLEAN]) is None


def test_3_10_wild_cards_alone_may_open() -> None:
    rules = rules_with_shape("clean3_or_wild")
    goals = goals_for_minimum(rules, minimum=125)
    assert is_goal_reached(rules, goals, 125, [WILD])
    assert is_goal_reached(rules, goals, 125, [CLEAN])
    assert Code.OPENING_NEEDS_CLEAN_OR_WILD is getattr(why_not_open(rules, goals, 125, [MIXED]), "code", None)


def test_3_10_a_splash_needs_no_points() -> None:
    goals = goals_for_minimum(rules_with_shape("clean3_or_wild", "splash"), minimum=125)
    for meld, splash in (
        (meld_of_rank(NINE, 7), True),
        (meld_of_wilds(7), True),
        (meld_of_rank(NINE, 5, 2), False),
        (CLEAN, False),
    ):
        assert splash == is_goal_reached(rules_with_shape("clean3_or_wild", "splash"), goals, 0, [meld])
    run = TableMeld(run_place(1), 7, 0, tuple(card_of(kind, 1) for kind in range(7)))
    assert not is_demand_met(CLASSIC, "splash", [run])
    assert not is_goal_reached(
        rules_with_shape("clean3"),
        goals_for_minimum(rules_with_shape("clean3"), minimum=125),
        70,
        [meld_of_rank(NINE, 7)],
    )


@pytest.mark.parametrize(
    ("score", "goal"),
    [
        (6995, Goal(120)),
        (7000, Goal(0, "canasta")),
        (7995, Goal(0, "canasta")),
        (8000, Goal(200, "canasta")),
        (9000, Goal(0, "natural_canasta")),
        (12000, Goal(0, "natural_canasta")),
    ],
)
def test_3_3_the_required_canasta_depends_on_the_score(score: int, goal: Goal) -> None:
    rules = rules_with_shape("br_ladder")
    minimum, canasta = rules.initial_meld_minimum(score), rules.initial_meld_canasta(score)
    assert (goal,) == goals_for_minimum(rules, minimum=minimum, canasta=canasta)


def test_3_3_a_natural_canasta_or_a_better_one_opens() -> None:
    assert is_demand_met(CLASSIC, "canasta", [meld_of_rank(NINE, 5, 2)])
    assert not is_demand_met(CLASSIC, "natural_canasta", [meld_of_rank(NINE, 5, 2)])
    for better in (
        meld_of_rank(NINE, 7),
        meld_of_wilds(7),
        TableMeld(DEUCE_MELD, 6, 1, (card_of(TWO),) * 6 + (JOKER_CARD,)),
    ):
        assert is_demand_met(CLASSIC, "natural_canasta", [better])
    goals = goals_for_minimum(rules_with_shape("br_ladder"), minimum=0, canasta="natural_canasta")
    refusal = why_not_open(rules_with_shape("br_ladder"), goals, 90, [meld_of_rank(NINE, 5, 2)])
    assert Refusal(Code.OPENING_NEEDS_NATURAL_CANASTA, {"count": 90, "required": 0}) == refusal


def test_3_6_an_initial_meld_of_naturals_takes_no_wild_card() -> None:
    rules = rules_with_shape("naturals")
    assert (Goal(160, wilds=False),) == goals_for_minimum(rules, minimum=160)
    assert why_meld_cannot_open(rules, KING, 3, 0) is None
    assert Refusal(Code.OPENING_WITHOUT_WILDS, {"wilds": 1}) == why_meld_cannot_open(rules, KING, 3, 1)
    assert why_meld_cannot_open(rules, WILD_MELD, 0, 3) is not None


def test_3_10_a_mixed_canasta_does_not_open() -> None:
    rules = rules_with_shape("clean3")
    assert Refusal(Code.OPENING_MIXED_CANASTA, {"size": 7}) == why_meld_cannot_open(rules, KING, 5, 2)
    assert why_meld_cannot_open(rules, KING, 7, 0) is None
    assert why_meld_cannot_open(rules, KING, 4, 2) is None
    assert why_meld_cannot_open(rules, WILD_MELD, 0, 7) is None
    assert why_meld_cannot_open(CLASSIC, KING, 5, 2) is None
    assert (True, False, False) == (is_clean_meld(CLEAN), is_clean_meld(MIXED), is_clean_meld(WILD))


# --- at the table ----------------------------------------------------------------------------------------------------


def position(hand: str, **more: Any) -> State:
    hands = {"0": hand, "1": "4s 4h", "2": "5s 5c", "3": "6s 6c"}
    plain = {"turn": 0, "phase": "play", "hands": hands, "stock": "4c 5d 3h 9c 8d 7c 6h 6d Qs Qh", "pile": "4d"}
    return read_position({"rules": "modern-american", "position": {**plain, **more}})


def lay_melds_from_text(*texts: str) -> LayMelds:
    return LayMelds(tuple(Lay(parse_cards(text)) for text in texts))


def test_3_10_all_melds_of_the_turn_belong_to_the_initial_meld() -> None:
    """After the side has opened, a wild card still joins two aces in this turn.

    In the next turn it needs five naturals.
    """
    state = position("Ks Kh Kd Kc As Ah 2s JK Qs Qh 2h 8s 9s")
    state = fold(state, decide(state, 0, lay_melds_from_text("Ks Kh Kd Kc", "As Ah 2s JK")))
    assert state.opened[0]
    assert why_not_allowed(state, 0, lay_melds_from_text("Qs Qh 2h")) is None
    later = position("Qs Qh 2h 8s 9s", melds={"0": ["Ks Kh Kd Kc", "As Ah 2s JK"]})
    assert Code.WILD_TOO_EARLY is getattr(why_not_allowed(later, 0, lay_melds_from_text("Qs Qh 2h")), "code", None)


def test_3_10_the_only_clean_meld_takes_no_wild_card_in_that_turn() -> None:
    state = position("Ks Kh Kd As Ah 2s JK 2h Qs Qh Qd 8s 9s")
    state = fold(state, decide(state, 0, lay_melds_from_text("Ks Kh Kd", "As Ah 2s JK")))
    spoiling = Meld(KING, 0, 1)
    assert Code.OPENING_NEEDS_CLEAN is getattr(why_not_allowed(state, 0, spoiling), "code", None)
    assert spoiling not in legal_actions(state)
    second = fold(state, decide(state, 0, lay_melds_from_text("Qs Qh Qd")))
    assert why_not_allowed(second, 0, spoiling) is None
    assert spoiling in legal_actions(second)


def test_3_10_another_meld_of_wild_cards_may_follow_a_canasta_of_them_and_is_read_back() -> None:
    state = position("4s 8s", melds={"0": ["2s 2s 2h 2h 2d JK JK", "2c 2c JK"]})
    assert [WILD_MELD, WILD_MELD] == [meld.kind for meld in state.melds[0]]
    assert state == read_position(write_position(state))
