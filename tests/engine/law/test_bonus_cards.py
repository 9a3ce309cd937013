"""Bonus cards, the talon: cards set aside for sides that open (`docs/law/variants.md 3.10`)."""

from __future__ import annotations

from typing import Any

from bot.engine.cards.cards import NINE
from bot.engine.cards.notation import parse_card, parse_cards
from bot.engine.moves.actions import DRAW, SHOW, Action, Discard, DiscardCard, Lay, LayMelds
from bot.engine.moves.events import DealEnd, DealEnded, SetTalon, TookTalon
from bot.engine.moves.refusals import Code
from bot.engine.play.building_views import public_view, seat_view
from bot.engine.play.decide import decide, why_not_allowed
from bot.engine.play.invariants import broken_invariants
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_reading import read_position, write_position
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State
from bot.engine.table.views import public_event

OPENING = "Ks Kh Kd Kc As Ah 2s JK"
STOCK = "4c 5d 3h 9c 8d 7c 6h 6d Qs Qh Qd Qc"


def position(more: str = "9s 8h", *, stock: str = STOCK, **place: Any) -> State:
    """Return a position in which seat 0 has drawn and can open with 150 points."""
    hands = {"0": f"{OPENING} {more}", "1": "4s 4h", "2": "5s 5c", "3": "6s 6c"}
    return read_position(
        {
            "rules": "modern-american",
            "position": {"turn": 0, "phase": "play", "hands": hands, "stock": stock, "pile": "Jc", **place},
        }
    )


def lay_melds_from_text(*texts: str) -> LayMelds:
    return LayMelds(tuple(Lay(parse_cards(text)) for text in texts))


def act_and_collect(state: State, *actions: Action) -> tuple[State, tuple[object, ...]]:
    """Return the state after these actions, and the events of the last one."""
    happened: tuple[Any, ...] = ()
    for action in actions:
        happened = decide(state, state.turn, action)
        state = fold(state, happened)
    return state, happened


def open_side(state: State) -> State:
    return act_and_collect(state, lay_melds_from_text("Ks Kh Kd Kc", "As Ah 2s JK"))[0]


def test_3_10_the_first_side_to_open_gets_four_cards_after_the_discard() -> None:
    state, events = act_and_collect(open_side(position()), Discard(NINE))
    assert SetTalon(0, parse_cards("4c 5d 3h 9c"), 4) == events[1]
    assert (8, parse_cards("4c 5d 3h 9c")) == (len(state.stock), state.talons[0])
    assert () == broken_invariants(state, complete=False)


def test_3_10_the_second_side_to_open_gets_three_bonus_cards() -> None:
    state = position(melds={"1": ["Qs Qh Qd"]})
    _, events = act_and_collect(open_side(state), Discard(NINE))
    assert SetTalon(0, parse_cards("4c 5d 3h"), 3) == events[1]


def test_3_10_bonus_cards_come_at_the_next_turn_and_their_threes_are_replaced() -> None:
    state, events = act_and_collect(open_side(position()), Discard(NINE))
    for _ in range(3):
        state, _ = act_and_collect(state, DRAW)
        state, events = act_and_collect(state, DiscardCard(state.hands[state.turn][0]))
    assert TookTalon(0, parse_cards("4c 5d 9c 6d"), parse_cards("3h"), 4) == events[1]
    assert sorted(parse_cards("8h 4c 5d 9c 6d")) == list(state.hands[0])
    assert (parse_cards("3h"), ()) == (state.red_threes[0], state.talons[0])


def test_3_10_there_are_no_bonus_cards_with_fewer_than_nine_cards_in_the_stock() -> None:
    nine = " ".join(STOCK.split()[:9])
    assert isinstance(act_and_collect(open_side(position(stock=nine)), Discard(NINE))[1][1], SetTalon)
    eight = " ".join(STOCK.split()[:8])
    assert 1 == len(act_and_collect(open_side(position(stock=eight)), Discard(NINE))[1])


def test_3_10_there_are_no_bonus_cards_if_the_opening_turn_took_the_pile() -> None:
    state = open_side(position(drew="pile"))
    assert 1 == len(act_and_collect(state, Discard(NINE))[1])


def test_3_10_there_are_no_bonus_cards_in_a_later_turn() -> None:
    state = position("9s 8h", melds={"0": ["Ts Th Td"]})
    assert 1 == len(act_and_collect(state, Discard(NINE))[1])


def test_3_10_with_bonus_cards_due_the_last_card_may_be_discarded() -> None:
    state = open_side(position("9s"))
    assert [Discard(NINE)] == [step for step in legal_actions(state) if isinstance(step, Discard)]
    after, events = act_and_collect(state, Discard(NINE))
    assert not any(isinstance(event, DealEnded) for event in events)
    assert () == after.hands[0]
    for _ in range(3):
        after, _ = act_and_collect(after, DRAW)
        after, events = act_and_collect(after, DiscardCard(after.hands[after.turn][0]))
    assert 4 == len(after.hands[0])


def test_3_10_without_bonus_cards_the_opener_keeps_a_card_besides_the_discard() -> None:
    state = position("9s", drew="pile")
    refusal = why_not_allowed(state, 0, lay_melds_from_text("Ks Kh Kd Kc", "As Ah 2s JK"))
    assert refusal is not None
    assert Code.NEEDS_CANASTA == refusal.code


def test_with_two_canastas_discarding_the_last_card_goes_out() -> None:
    hand = "Ks Ks Kh Kh Kd Kd Kc As As Ah Ah Ad Ad Ac"
    hands = {"0": f"{hand} 9s", "1": "4s 4h", "2": "5s 5c", "3": "6s 6c"}
    state = position(hands=hands)
    *_, ended = act_and_collect(
        state, lay_melds_from_text("Ks Ks Kh Kh Kd Kd Kc", "As As Ah Ah Ad Ad Ac"), Discard(NINE)
    )[1]
    assert isinstance(ended, DealEnded)
    assert DealEnd.OUT == ended.reason


def test_the_bonus_cards_are_hidden_before_they_come() -> None:
    state, events = act_and_collect(open_side(position()), Discard(NINE))
    other = open_side(position(stock="Td Tc 3s Ts 8d 7c 6h 6d Qs Qh Qd Qc"))
    other, hidden = act_and_collect(other, Discard(NINE))
    assert public_view(state) == public_view(other)
    assert [seat_view(state, seat) for seat in range(4)] == [seat_view(other, seat) for seat in range(4)]
    assert [public_event(event) for event in events] == [public_event(event) for event in hidden]  # type: ignore[arg-type]
    assert SetTalon(0, (), 4) == public_event(events[1])  # type: ignore[arg-type]
    took = TookTalon(0, parse_cards("4c 5d"), parse_cards("3h"), 2)
    assert TookTalon(0, (), parse_cards("3h"), 2) == public_event(took)


def test_bonus_cards_are_written_and_read_back() -> None:
    state, _ = act_and_collect(open_side(position()), Discard(NINE))
    assert state == read_position(write_position(state))
    assert (4, 0) == (public_view(state).seats[0].talon, public_view(state).seats[1].talon)
    assert parse_card("9s") == state.pile[-1]


def test_bonus_cards_count_nothing_if_the_deal_ends_first() -> None:
    hands = {"0": f"{OPENING} 9s 8h", "1": "4s 4h 5s 5h 6s 6h 8s 8d 9h 9d Ts Th Js"}
    state, _ = act_and_collect(open_side(position(stock=f"{STOCK[:11]} Jh {STOCK}", hands=hands)), Discard(NINE), DRAW)
    _, events = act_and_collect(state, SHOW)
    ended = events[-1]
    assert isinstance(ended, DealEnded)
    assert -10 == ended.lines[0].in_hand
