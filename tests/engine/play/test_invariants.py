"""The checker of invariants gives each of its messages for some broken state."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import replace
from typing import Any, Final

import pytest

from bot.engine.cards.cards import KING
from bot.engine.cards.notation import parse_cards
from bot.engine.melds.table_meld import TableMeld
from bot.engine.moves.phases import Phase
from bot.engine.play import invariants
from bot.engine.play.invariants import broken_invariants
from bot.engine.positions.position_reading import read_position
from bot.engine.rules.sets import rule_set
from bot.engine.table.charged_penalties import Penalties
from bot.engine.table.state import State, new_game
from tests.support.random_play import deal_with_minimum

BrokenState = tuple[str, State]
"""A state, and the messages of the checker about it."""

MOST_OF_A_POSITION: Final = 3
"""Positions have a short stock, so that their cards are no pack."""

KINGS: Final = parse_cards("Ks Kh Kd")


def position(rules: str = "classic", **more: Any) -> State:
    """Return a valid position in which seat 0 of four has drawn."""
    hands = {"0": "4s 5h 9c Td", "1": "8c", "2": "8d", "3": "8s"}
    place = {
        "turn": 0,
        "phase": "play",
        "stock": "9c 8d 4h",
        "pile": "4c",
        "hands": hands,
        "melds": {"0": ["Ks Kh Kd"]},
    }
    return read_position({"rules": rules, "position": {**place, **more}})


def with_wrong_fields(state: State, **wrong: Any) -> State:
    """Return the state with wrong values in fields that otherwise follow from others."""
    changed = copy(state)
    vars(changed).update(wrong)
    return changed


def with_first_value(state: State, field: str, value: object) -> State:
    """Return the state with `value` as the first one in the field, that of seat or side 0."""
    changed: dict[str, Any] = {field: (value, *getattr(state, field)[1:])}
    return replace(state, **changed)


def with_impossible_penalty(**wrong: Any) -> State:
    """Return a state with an impossible penalty."""
    none: dict[str, Any] = {"points": (0,) * 4, "raised": (0,) * 2, "exposed": ((),) * 4}
    return replace(position(), penalties=Penalties(**{**none, **wrong}))


def with_kept_threes(hand: str, **more: Any) -> State:
    """Return a state in which seat 0 holds `hand` and may keep two threes.

    One is for a special hand, the other stays as the last card.
    """
    return with_first_value(replace(position("modern-american"), **more), "hands", parse_cards(hand))


def states_with_a_broken_table() -> Iterator[BrokenState]:
    classic = deal_with_minimum(rule_set("classic", 4), 1)
    yield "the cards in play are not the pack", replace(classic, stock=classic.stock[1:])
    yield "a score is no multiple of five", replace(position(), scores=(0, 12))
    yield "seat 0 has nothing it may do", with_first_value(position(), "hands", ())
    over = replace(position(), phase=Phase.OVER)
    yield "the game is over without a winner", over


def states_with_broken_hands() -> Iterator[BrokenState]:
    rotating = deal_with_minimum(rule_set("bicycle-rotating", 6), 1)
    resting = next(seat for seat in range(6) if seat not in rotating.seating.seats)
    hands = list(rotating.hands)
    hands[resting] = parse_cards("9s")
    yield f"seat {resting} rests and holds cards", replace(rotating, hands=tuple(hands))
    yield "the hand of seat 0 is not in order", with_first_value(position(), "hands", position().hands[0][::-1])
    counts = position().packed
    yield (
        "the counts of seat 0 are not those of its hand",
        with_wrong_fields(position(), packed=(counts[1], *counts[1:])),
    )
    yield "seat 0 holds a three that is laid out", with_first_value(position(), "hands", parse_cards("4s 9c 3h"))
    first_turn = replace(position(), rules=replace(rule_set("classic", 4), red3_timing="first_turn"), turns=0)
    yield "seat 0 holds a three that is laid out", with_first_value(first_turn, "hands", parse_cards("4s 9c 3h"))
    yield "seat 0 holds a three that is laid out", with_kept_threes("4s 3h 3d")
    feet = position("hand-and-foot", feet={"0": "4s 5h"})
    yield "the foot of seat 0 is not in order", with_first_value(feet, "feet", parse_cards("5h 4s"))
    yield "the foot of seat 0 is not in order", replace(position(), feet=(parse_cards("4s"),))


def states_with_broken_melds() -> Iterator[BrokenState]:
    state = position()
    lies = state.melds[0][0]
    other = position(melds={"0": ["Qs Qh Qd"]}).spreads
    yield (
        "the spread of side 0 is not that of its melds",
        with_wrong_fields(state, spreads=(other[0], state.spreads[1])),
    )
    yield "side 0 has two melds of one rank", with_first_value(state, "melds", (lies, lies))
    yield "a meld of side 0 is miscounted", with_first_value(state, "melds", (replace(lies, naturals=2, wilds=1),))
    yield (
        "a meld of side 0 is miscounted",
        with_first_value(state, "melds", (TableMeld(KING, 3, 0, (*KINGS, KINGS[0])),)),
    )
    yield "a meld of side 0 is none", with_first_value(state, "melds", (TableMeld(KING, 2, 0, KINGS[:2]),))
    yield "side 0 has melds and has not opened", replace(state, opened=(False, False))


def states_with_broken_penalties() -> Iterator[BrokenState]:
    hand = position().hands[0]
    one_not_held = tuple(sorted((hand[0], *parse_cards("Qs"))))
    yield "a penalty card of seat 0 is not in its hand", with_impossible_penalty(exposed=(one_not_held, (), (), ()))
    yield "the penalty cards of seat 0 are not in order", with_impossible_penalty(exposed=(hand[1::-1], (), (), ()))
    yield "a penalty is no multiple of five", with_impossible_penalty(points=(12, 0, 0, 0))
    yield "a penalty is no multiple of five", with_impossible_penalty(points=(-100, 0, 0, 0))
    yield "a penalty is no multiple of five", with_impossible_penalty(raised=(0, 7))


def states_with_broken_streams() -> Iterator[BrokenState]:
    yield "the streams have fewer cards than the stock", replace(position(), streams=(1, 1, 0, 0))


BROKEN: Final = [
    broken
    for kind in (
        states_with_a_broken_table,
        states_with_broken_hands,
        states_with_broken_melds,
        states_with_broken_penalties,
        states_with_broken_streams,
    )
    for broken in kind()
]


@pytest.mark.parametrize(("message", "state"), BROKEN, ids=[f"{number}-{one[0]}" for number, one in enumerate(BROKEN)])
def test_a_broken_state_reports_exactly_its_errors(message: str, state: State) -> None:
    assert (message,) == broken_invariants(state, complete="pack" in message)


@pytest.mark.parametrize(
    "sound",
    [
        position,
        lambda: with_kept_threes("4s 9c 3h"),
        lambda: with_kept_threes("4s 3h 3d", stock=(), stock_out=0, turn=1, phase=Phase.DRAW),
        lambda: deal_with_minimum(rule_set("classic", 4), 1),
        lambda: new_game(rule_set("classic", 4), dealer=0),
    ],
)
def test_a_valid_state_has_no_problem(sound: Callable[[], State]) -> None:
    state = sound()
    assert () == broken_invariants(state, complete=len(state.stock) > MOST_OF_A_POSITION)


def checker_messages() -> Iterator[str]:
    """Yield each message of the checker as a regular expression."""
    for node in ast.walk(ast.parse(inspect.getsource(invariants))):
        if isinstance(node, ast.Yield) and isinstance(node.value, ast.Constant):
            yield re.escape(str(node.value.value))
        elif isinstance(node, ast.Yield) and isinstance(node.value, ast.JoinedStr):
            parts = node.value.values
            yield "".join(re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"\d+" for part in parts)


def test_every_message_has_a_broken_state() -> None:
    texts = [message for message, _ in BROKEN]
    assert [] == [pattern for pattern in checker_messages() if not any(re.fullmatch(pattern, one) for one in texts)]
    assert len(set(checker_messages())) == len(set(texts))
