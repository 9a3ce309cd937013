"""The foot, taking part of the pile, and red threes in the hand (`docs/law/variants.md 3.11, 3.12`)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.engine.cards.cards import RED_THREE
from bot.engine.cards.notation import card_text, parse_card, parse_cards
from bot.engine.law import foot_and_talon
from bot.engine.law.scoring import score_deal
from bot.engine.moves.actions import DRAW, TAKE_BACK, DiscardCard, Lay, LayMelds, TakePile, discard_step
from bot.engine.moves.events import DealEnd, DealEnded, Discarded, Gathered, TookFoot
from bot.engine.moves.phases import Phase
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.play.building_views import public_view, seat_view
from bot.engine.play.decide import decide, is_allowed
from bot.engine.play.invariants import broken_invariants
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_reading import PositionError, read_position, write_position
from bot.engine.rules.rule_set import number_in_deal
from bot.engine.rules.sets import RULE_SETS, rule_set
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State
from bot.engine.table.views import public_event
from bot.tables.play.moves import visible_events
from tests.support.random_play import deal_with_minimum

FEET = {"0": "Ts Th 8s", "1": "9s 9h 9d"}
WITH_FEET = [
    pytest.param(rules, id=f"{rules.name}-{rules.players}")
    for forms in RULE_SETS.values()
    for rules in forms.values()
    if rules.foot_size
]


def position(hand: str, rules: str = "hand-and-foot", players: int = 2, **more: Any) -> State:
    """Return a state in which seat 0 has drawn and its side has a meld of three jacks."""
    hands = {str(seat): "Kc 4c 6c" for seat in range(1, players)} | {"0": hand}
    place = {"phase": "play", "hands": hands, "stock": "7d 6h 5d 9c Qc", "pile": "6d Tc", "melds": {"0": ["Js Jh Jd"]}}
    return read_position({"rules": rules, "players": players, "position": {**place, "feet": FEET, **more}})


def state_after(state: State, action: Any) -> State:
    return fold(state, decide(state, state.turn, action))


def state_after_meld(state: State, text: str) -> State:
    return state_after(state, LayMelds((Lay(parse_cards(text)),)))


def refusal_code(state: State, action: Any) -> Code:
    with pytest.raises(Refusal) as caught:
        decide(state, state.turn, action)
    return caught.value.code


# --- dealing and hidden feet ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", WITH_FEET)
def test_everybody_is_dealt_a_hand_and_then_a_foot(rules: Any) -> None:
    state = deal_with_minimum(rules, 1)
    assert [rules.foot_size] * rules.players == [len(one) for one in state.feet]
    assert [number_in_deal(rules.hand_size, 1)] * rules.players == [len(hand) for hand in state.hands]
    assert all(foot_and_talon.has_foot_waiting(state, seat) for seat in range(rules.players))
    assert () == broken_invariants(state)


def test_a_foot_is_hidden_from_all_players_including_its_owner() -> None:
    one, other = position("4s 5s"), position("4s 5s", feet={"0": "As 2h JK", "1": "9s 9h 9d"})
    for seat in (0, 1):
        assert seat_view(one, seat) == seat_view(other, seat)
    assert public_view(one) == public_view(other)
    assert [3, 3] == [info.foot for info in public_view(one).seats]
    assert 3 == seat_view(one, 0).foot_size
    assert [0, 3] == [
        info.foot for info in public_view(state_after(position("4s"), DiscardCard(parse_card("4s")))).seats
    ]
    assert None is seat_view(deal_with_minimum(rule_set("classic", 4), 1), 0).foot_size


def test_only_the_owner_sees_the_cards_of_a_foot() -> None:
    events = decide(position("4s"), 0, DiscardCard(parse_card("4s")))
    took = TookFoot(0, parse_cards("8s Ts Th"), (), 3)
    hidden = TookFoot(0, (), (), 3)
    assert (Discarded(0, parse_card("4s")), took) == events
    assert hidden == public_event(took)
    assert [took, hidden] == [visible_events(seat, events)[1] for seat in (0, 1)]


def test_a_position_with_feet_is_read_back() -> None:
    state = position("4s 5s")
    assert state == read_position(write_position(state))
    taken = state_after(position("4s"), DiscardCard(parse_card("4s")))
    assert taken == read_position(write_position(taken))
    with pytest.raises(PositionError, match="there are none in these rules"):
        position("4s 5s", rules="classic")


# --- taking up the foot ----------------------------------------------------------------------------------------------


def test_after_the_last_discard_the_foot_is_taken_up_for_the_next_turn() -> None:
    after = state_after(position("4s"), DiscardCard(parse_card("4s")))
    assert (1, Phase.DRAW) == (after.turn, after.phase)
    assert parse_cards("8s Ts Th") == after.hands[0]
    assert () == after.feet[0]
    assert () == after.fresh, "it came to another seat than the one in turn"


def test_melding_the_last_card_ends_the_turn_if_the_foot_may_not_be_played_at_once() -> None:
    after = state_after_meld(position("Jc Js"), "Jc Js")
    assert (1, Phase.DRAW) == (after.turn, after.phase)
    assert parse_cards("8s Ts Th") == after.hands[0]
    assert parse_cards("6d Tc") == after.pile, "nothing was discarded"
    assert 0 in after.melded_seats


def test_the_turn_continues_after_the_last_card_if_the_foot_may_be_played_at_once() -> None:
    after = state_after_meld(position("Jc Js", rules="hand-and-foot-us"), "Jc Js")
    assert (0, Phase.PLAY) == (after.turn, after.phase)
    assert parse_cards("8s Ts Th") == tuple(sorted(after.fresh)) == after.hands[0]
    assert Code.NOTHING_TO_TAKE_BACK == refusal_code(after, TAKE_BACK)
    assert 1 == state_after(after, DiscardCard(parse_card("8s"))).turn


def test_no_card_has_to_be_kept_while_a_foot_waits() -> None:
    state = position("Jc Js")
    assert is_allowed(state, 0, LayMelds((Lay(parse_cards("Jc Js")),)))
    taken = replace(state, feet=((), state.feet[1]))
    assert not is_allowed(taken, 0, LayMelds((Lay(parse_cards("Jc Js")),)))


def test_no_player_goes_out_while_a_foot_waits() -> None:
    canastas = [
        f"{rank}s {rank}h {rank}d {rank}c {rank}s {last}"
        for rank, last in zip("KQT", ("Ks Kh", "2s 2h", "2d 2c"), strict=True)
    ]
    state = position("5h", melds={"0": canastas})
    events = decide(state, 0, discard_step(1))
    assert not any(isinstance(event, DealEnded) for event in events)
    events = decide(replace(state, feet=((), state.feet[1])), 0, discard_step(1))
    assert any(isinstance(event, DealEnded) and event.went_out == 0 for event in events)


def test_red_threes_in_a_foot_are_laid_out_and_replaced_if_they_are_bonus_cards() -> None:
    state = position("4s", rules="hand-and-foot-pagat", feet={"0": "3h Th 3d", "1": "9s"}, stock="7d 3h 5d 9c Qc")
    (_, took) = decide(state, 0, discard_step(0))
    assert TookFoot(0, parse_cards("Th 7d 5d"), parse_cards("3h 3d 3h"), 3) == took
    after = state_after(state, discard_step(0))
    assert sorted(parse_cards("3h 3h 3d")) == list(after.red_threes[0])
    assert parse_cards("Qc 9c") == after.stock
    state = position("4s", feet={"0": "3h Th 3d", "1": "9s"})
    assert TookFoot(0, tuple(sorted(parse_cards("3h Th 3d"))), (), 3) == decide(state, 0, discard_step(0))[1]


def test_the_deal_ends_after_a_turn_without_discard_if_stock_is_out_and_no_player_can_take() -> None:
    events = decide(position("Jc Js", stock=""), 0, LayMelds((Lay(parse_cards("Jc Js")),)))
    assert DealEnd.STOCK == next(event for event in events if isinstance(event, DealEnded)).reason


# --- a foot that comes with the first canasta ------------------------------------------------------------------------

PENNIES = {str(seat): "Ts Th 8s" for seat in range(6)}
SIX_JACKS = {"0": ["Js Jh Jd Jc Js Jh"]}


def test_the_first_canasta_brings_the_foot_at_the_end_of_the_turn() -> None:
    state = state_after_meld(position("Jd 4s 5s", rules="pennies", players=6, feet=PENNIES, melds=SIX_JACKS), "Jd")
    assert 0 == state.canastas_before == read_position(write_position(state)).canastas_before
    assert parse_cards("4s 5s") == state.hands[0]
    after = state_after(state, discard_step(0))
    assert parse_cards("5s 8s Ts Th") == after.hands[0]
    assert 1 == after.turn


def test_a_canasta_taken_back_brings_no_foot() -> None:
    state = state_after_meld(position("Jd 4s 5s", rules="pennies", players=6, feet=PENNIES, melds=SIX_JACKS), "Jd")
    after = state_after(state_after(state, TAKE_BACK), discard_step(0))
    assert sorted(parse_cards("Jd 5s")) == list(after.hands[0])
    assert foot_and_talon.has_foot_waiting(after, 0)


def test_a_partner_s_canasta_brings_no_foot() -> None:
    seven = {"0": ["Js Jh Jd Jc Js Jh Jd"]}
    after = state_after(position("4s 5s", rules="pennies", players=6, feet=PENNIES, melds=seven), discard_step(0))
    assert parse_cards("5s") == after.hands[0]


# --- taking part of the pile -----------------------------------------------------------------------------------------


def test_the_given_number_of_cards_is_taken_from_the_pile_and_the_rest_stays() -> None:
    state = position("Kd Kh 4s", phase="draw", pile="4h 5h Qd 9d 8d 7d Ks")
    events = decide(state, 0, TakePile(parse_cards("Kd Kh")))
    assert Gathered(0, parse_cards("Qd 9d 8d 7d"), ()) in events
    after = fold(state, events)
    assert parse_cards("4h 5h") == after.pile
    assert after.frozen


def test_a_short_pile_is_taken_whole() -> None:
    after = state_after(position("Kd Kh 4s", phase="draw", pile="4h Ks"), TakePile(parse_cards("Kd Kh")))
    assert () == after.pile
    assert parse_cards("4s 4h") == after.hands[0]


def test_the_freezing_card_comes_or_stays_with_its_part_of_the_pile() -> None:
    options = {"pile_take": 3}

    def pile_after(pile: str) -> State:
        hands = {"0": "Kd Kh 4s", "1": "Kc"}
        place = {"hands": hands, "pile": pile, "melds": {"0": ["Js Jh Jd"]}, "stock": "9c 8d"}
        state = read_position({"players": 2, "options": options, "position": place})
        return state_after(state, TakePile(parse_cards("Kd Kh")))

    assert pile_after("2s 4h 5h 6h Ks").frozen
    assert not pile_after("4h 5h 2s 6h Ks").frozen


# --- red threes that stay in the hand --------------------------------------------------------------------------------


def test_red_threes_stay_in_the_hand_and_may_be_discarded() -> None:
    state = position("4s 5s", phase="draw", stock="3h 3d 9c")
    after = state_after(state, DRAW)
    assert parse_cards("4s 5s 3h 3d") == after.hands[0]
    assert discard_step(RED_THREE) in legal_actions(after)
    assert Code.MELD_RED_THREE_HELD == refusal_code(after, LayMelds((Lay(parse_cards("3h 3d")),)))
    assert () == broken_invariants(after, complete=False)
    blocked = state_after(after, DiscardCard(parse_card("3d")))
    assert "3d" == card_text(blocked.pile[-1])
    assert Code.PILE_BLOCKED == refusal_code(blocked, TakePile(parse_cards("Kc 4c")))


def test_red_threes_in_the_pile_come_to_the_hand() -> None:
    after = state_after(position("Kd Kh 4s", phase="draw", pile="3h 4h Ks"), TakePile(parse_cards("Kd Kh")))
    assert parse_cards("4s 4h 3h") == after.hands[0]
    assert ((), ()) == after.red_threes


def test_a_foot_not_taken_up_counts_against_its_owner_like_the_hand() -> None:
    state = position("4s", feet={"0": "3h 3s As", "1": ""})
    assert -5 - 300 - 5 - 20 == score_deal(state, None, concealed=False)[0].in_hand
