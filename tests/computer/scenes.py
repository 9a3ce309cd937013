"""Positions for computer players: set up by hand, seen from the seat that is to act, played to the end of the turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from bot.computer.casual import CasualPlayer
from bot.engine.actions import Step
from bot.engine.cards import RED_THREE, Card
from bot.engine.decide import decide
from bot.engine.evolve import fold
from bot.engine.phases import Phase
from bot.engine.positions import read_position
from bot.engine.state import State, actor
from bot.engine.viewing import seat_view

FILLER = "4s 5h 6d 7c 8s 9h Td Js"


def scene(
    hand: str, *, rules: str = "classic", scores: Sequence[int] = (0, 0), players: int = 4, **position: Any
) -> State:
    """Seat 0 is to act in `hand`; the other hands have eight cards unless `hands` says otherwise."""
    others: Mapping[str, str] = position.pop("hands", {})
    hands = {str(seat): FILLER for seat in range(1, players)} | dict(others) | {"0": hand}
    placed = {"turn": 0, "phase": "play", "stock": " ".join([FILLER] * 4), "hands": hands, **position}
    return read_position({"rules": rules, "players": players, "scores": list(scores), "position": placed})


def chosen(state: State) -> Step:
    """What the casual player does next."""
    seat = actor(state)
    assert seat is not None
    return CasualPlayer().choose(seat_view(state, seat))


def play_turn(state: State) -> tuple[list[Step], State]:
    """Everything the casual player does, answers included, until the turn passes on or the deal is over."""
    turn, deals = state.turns, len(state.results)
    steps = []
    while state.turns == turn and len(state.results) == deals:
        step = chosen(state)
        steps.append(step)
        state = fold(state, decide(state, actor(state), step))
    return steps, state


def with_hidden_cards_redealt(state: State, seat: int, chance: Random) -> State:
    """The same table to that seat: the other hands and the stock hold other cards, as many each.

    Red threes stay in the stock, because no hand ever holds one.
    """
    others = [other for other in range(state.rules.players) if other != seat]
    hidden = [card for other in others for card in state.hands[other]]
    hidden += [card for card in state.stock if card >> 2 != RED_THREE]
    red_threes = [card for card in state.stock if card >> 2 == RED_THREE]
    chance.shuffle(hidden)
    hands = list(state.hands)
    for other in others:
        size = len(hands[other])
        hands[other] = tuple(sorted(hidden[:size]))
        hidden = hidden[size:]
    stock: list[Card] = hidden + red_threes
    chance.shuffle(stock)
    return replace(state, hands=tuple(hands), stock=tuple(stock))


def is_choice(state: State) -> bool:
    """Whether somebody is to act in the deal."""
    return state.phase in (Phase.DRAW, Phase.PLAY, Phase.ANSWER)
