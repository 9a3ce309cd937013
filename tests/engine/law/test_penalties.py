"""Penalties that no referee case can express (`docs/law/classic.md 1.22`)."""

from __future__ import annotations

from typing import Any

import pytest

from bot.computer.player import player_for
from bot.engine.cards.cards import CLUBS, FIVE, KING, SEVEN, TWO
from bot.engine.cards.meld_places import run_place
from bot.engine.cards.notation import parse_card, parse_cards
from bot.engine.moves.actions import (
    DRAW,
    TAKE_BACK,
    Act,
    Attempt,
    Discard,
    DiscardCard,
    Lay,
    LayMelds,
    LayRun,
    Meld,
    StartDeal,
    Step,
    meld_step,
)
from bot.engine.moves.events import Discarded, Melded, Penalized
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.play.building_views import public_view, seat_view
from bot.engine.play.decide import decide, why_not_allowed
from bot.engine.play.invariants import broken_invariants
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_reading import PositionError, read_position
from bot.engine.rules.irregularities import REGIMES, Irregularity
from bot.engine.rules.parameters import BY_NAME
from bot.engine.rules.rule_options import read_options
from bot.engine.rules.sets import rule_set
from bot.engine.table.charged_penalties import penalty_cards
from bot.engine.table.state import State, seat_to_act
from bot.engine.table.state_queries import opening_minimum
from bot.store.game_forms import STATE
from tests.engine.law.test_deals_with_penalties import TABLES, irregular_deal, name_of
from tests.support.random_play import apply_action, deal_with_minimum, seeded_pack, steps_of_a_deal

HANDS = {"0": "Ks Kh Kd Kc 4s 5s 9h 2c", "1": "4c 6d", "2": "5c 6h", "3": "6c 7d"}


def position(regime: str = "laws", options: dict[str, Any] | None = None, **fields: Any) -> State:
    """Return a state in which seat 0 has drawn, at a table with that regime of penalties."""
    told = {"turn": 0, "phase": "play", "hands": HANDS, "stock": "9c 8d 7c 6h", "pile": "6d 8c"}
    return read_position({"options": {"penalties": regime, **(options or {})}, "position": {**told, **fields}})


def with_penalty_cards(cards: str, **fields: Any) -> State:
    """Return the state of `position` in which these cards of seat 0 are exposed."""
    return position(melds={"0": ["Jh Js Jd"]}, penalties={"exposed": {"0": cards}}, **fields)


def state_after_attempt(state: State, seat: int, illegal: Step | Act) -> State:
    return apply_action(state, seat, Attempt(illegal))


def refusal_code(state: State, seat: int, action: Step | Act) -> Code:
    refusal = why_not_allowed(state, seat, action)
    assert refusal is not None
    return refusal.code


def lay_meld_from_text(cards: str) -> LayMelds:
    return LayMelds((Lay(parse_cards(cards)),))


def test_every_penalty_setting_of_a_table_has_its_prices() -> None:
    assert set(BY_NAME["penalties"].words) == set(REGIMES)
    for regime in REGIMES.values():
        assert all(cost.points or cost.raised or cost.exposes != "nothing" or cost.binds for cost in regime.values())


def test_a_penalty_card_taken_back_is_a_penalty_card_again() -> None:
    state = with_penalty_cards("Ks")
    laid = apply_action(state, 0, lay_meld_from_text("Ks Kh Kd"))
    assert () == penalty_cards(laid, 0)
    assert state.penalties == apply_action(laid, 0, TAKE_BACK).penalties


def test_a_penalty_paid_before_taking_back_is_not_refunded() -> None:
    laid = apply_action(with_penalty_cards("Ks"), 0, lay_meld_from_text("Ks Kh Kd"))
    paid = state_after_attempt(laid, 0, lay_meld_from_text("4s 5s 9h"))
    back = apply_action(paid, 0, TAKE_BACK)
    assert back.penalties is not None
    assert (100, 0, 0, 0) == back.penalties.points
    assert parse_cards("Ks") == penalty_cards(back, 0)


def test_steps_without_named_cards_use_penalty_cards_first() -> None:
    (discarded,) = decide(with_penalty_cards("Kd"), 0, Discard(KING))
    assert Discarded(0, parse_card("Kd")) == discarded
    (melded,) = decide(with_penalty_cards("Kd Kc"), 0, meld_step(KING, 3))
    assert isinstance(melded, Melded)
    assert set(parse_cards("Kd Kc")) < set(melded.cards)


def test_only_penalty_cards_are_listed_as_discards() -> None:
    discards = [step for step in legal_actions(with_penalty_cards("Kd 9h")) if isinstance(step, Discard)]
    assert {KING, parse_card("9h") >> 2} == {step.kind for step in discards}


def test_other_cards_may_be_discarded_if_no_penalty_card_may_be() -> None:
    fields: dict[str, Any] = {"melds": {"0": ["Jh Js Jd"]}, "penalties": {"exposed": {"0": "2c"}}}
    state = position(options={"discard_bans": ["wilds"]}, **fields)
    kinds = {step.kind for step in legal_actions(state) if isinstance(step, Discard)}
    assert TWO not in kinds
    assert {KING, parse_card("4s") >> 2, parse_card("5s") >> 2, parse_card("9h") >> 2} == kinds
    assert isinstance(decide(state, 0, DiscardCard(parse_card("4s")))[0], Discarded)


def test_a_short_opening_takes_back_the_melds_step_by_step() -> None:
    hands = {**HANDS, "0": "Ks Kh Kd Kc 9s 9h 9d 5s"}
    begun = position(hands=hands)
    state = apply_action(begun, 0, meld_step(KING, 3))
    assert 30 == state.laid_points
    assert Code.INITIAL_MELD_TOO_LOW is refusal_code(state, 0, Discard(parse_card("5s") >> 2))
    after = state_after_attempt(state, 0, Discard(parse_card("5s") >> 2))
    assert 0 == after.laid_points
    assert ((), ()) == after.melds
    assert begun.hands == after.hands
    assert 60 == opening_minimum(after, 0)
    assert () == broken_invariants(after, complete=False)


def test_the_next_deal_begins_without_penalties() -> None:
    rules = read_options(rule_set("classic", 4), {"penalties": "laws"})
    state = state_after_attempt(
        apply_action(deal_with_minimum(rules, 1), 1, DRAW), 1, meld_of_too_few_points(deal_with_minimum(rules, 1))
    )
    assert 60 == opening_minimum(state, 1)
    for played in steps_of_a_deal(state, lambda _state, _seat, legal: legal[-1]):
        state = played.after
    assert state.penalties is not None
    assert {opening_minimum(state, side) for side in (0, 1)} <= {15, 50, 90, 120}
    following = apply_action(state, None, StartDeal(seeded_pack(rules, 2)))
    assert following.penalties is None
    assert {0} == {side.raised for side in public_view(following).sides}


def meld_of_too_few_points(state: State) -> LayMelds:
    """Return a meld of a pair and a two from seat 1's hand, whose points are too few to open."""
    hand = state.hands[1]
    kind = next(card >> 2 for card in hand if sum(one >> 2 == card >> 2 for one in hand) == 2 and card >> 2 < KING)
    pair = [card for card in hand if card >> 2 == kind]
    return LayMelds((Lay((*pair, next(card for card in hand if card >> 2 == TWO))),))


@pytest.mark.parametrize("of", [StartDeal(()), Attempt(DRAW)])
def test_a_seat_can_only_attempt_actions_that_are_possible_for_it(of: Any) -> None:
    with pytest.raises(Refusal) as caught:
        decide(position(), 0, Attempt(of))
    assert caught.value.code is Code.NOT_YOUR_TURN


def test_resting_or_missing_seats_pay_nothing() -> None:
    rules = read_options(rule_set("classic", 5), {"penalties": "singkep"})
    state = deal_with_minimum(rules, 3)
    (resting,) = public_view(state).resting_seats
    for seat in (resting, 7, -1, None):
        refusal = why_not_allowed(state, seat, Attempt(DRAW))
        assert refusal is not None
        assert refusal.penalty is None


def test_no_penalty_is_paid_between_deals() -> None:
    rules = read_options(rule_set("classic", 4), {"penalties": "singkep"})
    state = deal_with_minimum(rules, 1)
    for played in steps_of_a_deal(state, lambda _state, _seat, legal: legal[-1]):
        state = played.after
    for seat in range(4):
        refusal = why_not_allowed(state, seat, DRAW)
        assert refusal is not None
        assert refusal.penalty is None


def test_the_refusal_names_the_price_that_is_paid() -> None:
    state = position("italian-club")
    refusal = why_not_allowed(state, 0, lay_meld_from_text("Ks Kh Kd"))
    assert refusal is not None
    assert refusal.penalty is not None
    (event,) = decide(state, 0, Attempt(lay_meld_from_text("Ks Kh Kd")))
    assert isinstance(event, Penalized)
    assert Irregularity.SHORT_OPENING is event.irregularity is refusal.penalty.irregularity
    assert (100, 0, parse_cards("Ks Kh Kd"), True) == (event.points, event.raised, event.exposed, event.until_opened)
    assert event.exposed == refusal.penalty.exposed


@pytest.mark.parametrize("rules", TABLES, ids=name_of)
def test_a_state_with_penalties_is_stored_and_read_back(rules: Any) -> None:
    for _, _, state in irregular_deal(rules, 5):
        assert state == STATE.read(STATE.write(state))


@pytest.mark.parametrize("level", ["casual", "random"])
@pytest.mark.parametrize("rules", TABLES, ids=name_of)
def test_computer_players_play_on_with_penalty_cards(rules: Any, level: str) -> None:
    """Computer players attempt no irregularity, and take only legal steps."""
    states = [after for _, _, after in irregular_deal(rules, 11)]
    some = [state for state in states if seat_to_act(state) is not None and state.penalties is not None][:1]
    for begun in some:
        state, player = begun, player_for(level, 3)
        while (seat := seat_to_act(state)) is not None:
            step = player.choose(seat_view(state, seat)).step
            assert step in legal_actions(state)
            state = apply_action(state, seat, step)


@pytest.mark.parametrize(
    ("penalties", "field"),
    [
        ({"points": {"0": 3}}, "position.penalties.points.0"),
        ({"points": {"4": 5}}, "position.penalties.points.4"),
        ({"raised": {"0": -5}}, "position.penalties.raised.0"),
        ({"exposed": {"0": "As"}}, "position.penalties.exposed.0"),
        ({"until_opened": [9]}, "position.penalties.until_opened.0"),
        ({"more": 1}, "position.penalties.more"),
    ],
)
def test_a_position_with_impossible_penalties_is_refused(penalties: dict[str, Any], field: str) -> None:
    with pytest.raises(PositionError) as caught:
        position(penalties=penalties)
    assert field == caught.value.field


def test_a_position_has_no_penalties_if_the_rules_have_none() -> None:
    with pytest.raises(PositionError) as caught:
        position("off", penalties={"points": {"0": 100}})
    assert "position.penalties" == caught.value.field


def test_a_penalty_card_that_a_run_needs_stays_in_the_hand_for_it() -> None:
    """A set of fives would use the penalty card, without which the run of clubs cannot be laid."""
    told: dict[str, Any] = {
        "rules": "samba",
        "options": {"penalties": "laws", "out_canastas": 1},
        "position": {
            "turn": 0,
            "phase": "play",
            "permission": True,
            "hands": HANDS | {"0": "5s 5h 5d 5c 6c 7c Kd"},
            "stock": "9c 8d 7c 6h",
            "pile": "6d 8c",
            "melds": {"0": ["8s 9s Ts Js Qs Ks As"]},
            "penalties": {"exposed": {"0": "5c"}},
        },
    }
    state = read_position(told)
    assert [LayRun(run_place(CLUBS), FIVE, SEVEN)] == [
        step for step in legal_actions(state) if isinstance(step, Meld | LayRun)
    ]
