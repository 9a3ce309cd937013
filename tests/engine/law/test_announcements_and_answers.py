"""Announcing and asking to go out: what players see, answers that expire, reasons of refusals."""

from __future__ import annotations

from typing import Any

import pytest

from bot.engine.cards.cards import FOUR, NINE
from bot.engine.cards.notation import parse_cards
from bot.engine.moves.actions import (
    ANNOUNCE,
    ASK,
    DRAW,
    NO,
    TAKE_BACK,
    TAKE_PAIR,
    YES,
    Lay,
    LayMelds,
    Step,
    discard_step,
)
from bot.engine.moves.events import Drew, Event, Penalized, PermissionLapsed
from bot.engine.moves.refusals import Code
from bot.engine.play.building_views import seat_view
from bot.engine.play.decide import decide, why_not_allowed
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_reading import read_position, write_position
from bot.engine.rules.irregularities import Irregularity
from bot.engine.rules.sets import rule_set
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State
from bot.store.game_forms import STATE
from tests.support.random_play import apply_action, deal_with_minimum, play_scripted_steps

KINGS = "Ks Ks Kh Kh Kd Kd Kc"
JACKS = "Jd Js Jc"
STOCK = "8d 7c 6h 5d 4c"


def position(hand: str, *, rules: str = "classic", options: dict[str, Any] | None = None, **fields: Any) -> State:
    """Return a state in which seat 0 begins its turn; its side has a canasta of kings.

    `fields` replace parts of the position, such as `melds`.
    """
    hands = {"0": hand, "1": "4c 6d", "2": "5c 6h", "3": "6c 7d"}
    told = {"turn": 0, "phase": "draw", "hands": hands, "stock": STOCK, "pile": "4d", "melds": {"0": [KINGS]}}
    return read_position({"rules": rules, "options": options or {}, "position": {**told, **fields}})


def act_and_collect(state: State, *actions: tuple[int, Step]) -> tuple[State, tuple[Event, ...]]:
    """Return the state after these actions, and the events caused by the last one."""
    events: tuple[Event, ...] = ()
    for seat, action in actions:
        events = decide(state, seat, action)
        state = apply_action(state, seat, action)
    return state, events


def refusal_code(state: State, action: Any) -> Code:
    refusal = why_not_allowed(state, 0, action)
    assert refusal is not None
    return refusal.code


# --- required announcements -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "word"), [("italian-club", "announce"), ("brazilian", "ask"), ("hand-and-foot", "ask"), ("classic", "")]
)
def test_a_seat_sees_the_required_announcement_before_going_out(rules: str, word: str) -> None:
    state = position("Kc 4s", rules=rules, phase="play")
    assert word == seat_view(state, 0).must_say
    assert not seat_view(state, 1).must_say


def test_no_announcement_is_required_twice() -> None:
    state = apply_action(
        position("Jh 4s", rules="italian-club", phase="play", melds={"0": [KINGS, JACKS]}), 0, ANNOUNCE
    )
    assert not seat_view(state, 0).must_say


def test_no_announcement_is_required_between_deals() -> None:
    state = deal_with_minimum(rule_set("italian-club", 4), 1)
    for played in play_scripted_steps(state, 1, 3000):
        state = played.after
    assert {""} == {seat_view(state, seat).must_say for seat in range(4)}


# --- answers that expire ----------------------------------------------------------------------------------------------


def test_1_18_all_players_see_when_a_yes_expires() -> None:
    state, events = act_and_collect(position("Kc 4s 4h"), (0, ASK), (2, YES), (0, DRAW))
    assert [Drew, PermissionLapsed] == [type(event) for event in events]
    assert (None, True) == (state.permission, state.lapsed)
    assert ASK not in legal_actions(state)


def test_1_15_all_players_see_when_an_announcement_expires() -> None:
    state, events = act_and_collect(position("9h 9d 4d", rules="italian-club", pile="9c"), (0, ANNOUNCE), (0, DRAW))
    assert PermissionLapsed(0) == events[-1]
    assert refusal_code(state, ANNOUNCE) is Code.ANNOUNCE_TOO_LATE


def test_1_18_a_yes_may_expire_once_the_rest_of_the_pile_is_in_the_hand() -> None:
    state = position("9s 9h 4s 5s", pile="8c 7c 9c", permission=True)
    _, events = act_and_collect(state, (0, TAKE_PAIR))
    assert PermissionLapsed(0) == events[-1]


def test_1_18_a_yes_does_not_expire_while_going_out_is_possible() -> None:
    state, events = act_and_collect(position("Kc 4s"), (0, ASK), (2, YES), (0, DRAW))
    assert PermissionLapsed(0) == events[-1]
    state, events = act_and_collect(position("Qh Qd 4s", stock="Qs 7c"), (0, ASK), (2, YES), (0, DRAW))
    assert [Drew] == [type(event) for event in events]
    assert state.permission


def test_1_18_a_no_does_not_expire() -> None:
    state, _ = act_and_collect(position("Kc 4s 4h"), (0, ASK), (2, NO), (0, DRAW))
    assert (False, False) == (state.permission, state.lapsed)


def test_an_expired_answer_has_no_effect_on_the_next_turn() -> None:
    state, _ = act_and_collect(position("Kc 4s 4h"), (0, ASK), (2, YES), (0, DRAW), (0, discard_step(FOUR)))
    assert not state.lapsed


def test_1_22_failing_to_go_out_after_a_yes_costs_100_at_once() -> None:
    state, events = act_and_collect(position("Kc 4s 4h", options={"penalties": "laws"}), (0, ASK), (2, YES), (0, DRAW))
    paid = events[-1]
    assert isinstance(paid, Penalized)
    assert (Irregularity.COULD_NOT_GO_OUT, 100, ()) == (paid.irregularity, paid.points, paid.exposed)
    assert refusal_code(state, ASK) is Code.ASKED_IN_TURN


def test_s0_1_4_l_i_failing_to_go_out_after_a_yes_exposes_the_hand() -> None:
    state = position("Kc 4s 4h", rules="singkep", options={"penalties": "singkep"}, phase="play")
    state, events = act_and_collect(state, (0, ASK), (2, YES))
    paid = events[-1]
    assert isinstance(paid, Penalized)
    assert parse_cards("4s 4h Kc") == paid.exposed
    assert state.lapsed


def test_1_22_nothing_is_paid_for_an_announcement() -> None:
    options = {"out_announce": True, "ask_partner": "none", "penalties": "laws"}
    _, events = act_and_collect(position("9h 9d 4d", pile="9c", options=options), (0, ANNOUNCE), (0, DRAW))
    assert PermissionLapsed(0) == events[-1]


def test_an_expired_answer_is_stored_written_and_replayed() -> None:
    state, _ = act_and_collect(position("Kc 4s 4h"), (0, ASK), (2, YES), (0, DRAW))
    assert state == STATE.read(STATE.write(state))
    assert read_position(write_position(state)).lapsed
    old = STATE.write(state)
    del old["lapsed"]
    assert not STATE.read(old).lapsed


def test_a_log_with_expired_answers_replays_to_the_live_state() -> None:
    lapsed = 0
    for seed in range(6):
        begun = state = deal_with_minimum(rule_set("classic", 4), seed)
        log: list[Event] = []
        for played in play_scripted_steps(state, seed, 3000):
            log += played.events
            state = played.after
        lapsed += sum(isinstance(event, PermissionLapsed) for event in log)
        assert state == fold(begun, log)
    assert lapsed


# --- reasons of refusals ----------------------------------------------------------------------------------------------


def test_the_refusal_asks_for_an_announcement_only_where_one_is_possible() -> None:
    state = position("9h 9d 4d", rules="italian-club", pile="9c")
    assert refusal_code(state, TAKE_PAIR) is Code.OUT_NOT_ANNOUNCED
    assert ANNOUNCE in legal_actions(state)
    lapsed, _ = act_and_collect(state, (0, ANNOUNCE), (0, DRAW))
    whole = LayMelds((Lay(parse_cards("9h 9d 8d")),))
    assert refusal_code(lapsed, whole) is not Code.OUT_NOT_ANNOUNCED


def test_the_refusal_says_that_the_seat_may_ask_only_once_a_deal() -> None:
    once = {"ask_partner": "mandatory", "ask_once": True}
    state = position("9s 9h 9d", phase="play", options=once, asked=[0])
    whole = LayMelds((Lay(parse_cards("9s 9h 9d")),))
    assert refusal_code(state, whole) is Code.ASKED_BEFORE
    assert refusal_code(position("9s 9h 9d", phase="play", options=once), whole) is Code.OUT_NOT_ASKED


def test_melds_before_the_announcement_may_still_be_taken_back() -> None:
    state = position("9s 9h 9d Jh 4d", rules="italian-club", phase="play", melds={"0": [KINGS, JACKS]})
    laid = apply_action(state, 0, LayMelds((Lay(parse_cards("9s 9h 9d")),)))
    said = apply_action(laid, 0, ANNOUNCE)
    assert state.hands == apply_action(said, 0, TAKE_BACK).hands
    assert refusal_code(apply_action(said, 0, TAKE_BACK), discard_step(NINE)) is Code.OUT_ANNOUNCED


def test_no_announcement_if_the_minimum_prevents_going_out_with_the_pile() -> None:
    def unopened_position(minimum: int) -> State:
        options = {"ask_partner": "mandatory", "open_table": [["neg", minimum]]}
        return position("7s 7s 7h 7h 7d 7d 4s", pile="7c", melds={}, options=options)

    assert ASK in legal_actions(unopened_position(30))
    assert refusal_code(unopened_position(120), ASK) is Code.OUT_CARDS_STAY


def test_the_refusal_names_the_missing_kind_of_canasta_if_the_cards_could_be_melded() -> None:
    def position_with_hand(hand: str) -> State:
        kings_and_sevens = ["Ks Ks Kh Kh Kd Kd Kc", "7s 7s 7h 7h 7d 7c 7c", "8s 8h 8c"]
        return position(hand, rules="hand-and-foot-us", phase="play", melds={"0": kings_and_sevens})

    assert refusal_code(position_with_hand("8d 9d"), ASK) is Code.NEEDS_CANASTA_KIND
    assert refusal_code(position_with_hand("8d 9d 4s"), ASK) is Code.OUT_CARDS_STAY
    assert ASK in legal_actions(position_with_hand("8s 8h 2s 2d 9s"))
