"""Positions for computer players: set up by hand, seen from the seat that is to act, played to the end of the turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from bot.computer.casual import CasualPlayer
from bot.engine.moves.actions import Step
from bot.engine.moves.phases import Phase
from bot.engine.play.decide import decide
from bot.engine.play.viewing import seat_view
from bot.engine.record.positions import read_position
from bot.engine.table.evolve import fold
from bot.engine.table.state import State, actor

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
    """The same table to that seat: all that it does not see holds other cards, as many each.

    That are the other hands, every foot and what is set aside for a next turn, the stock, and the pile's cards that lie
    face down. Threes that are laid out wherever they turn up stay where they are, since hands that hold one show it.
    """
    size = len(state.hands)
    unseen = [*[hand for other, hand in enumerate(state.hands) if other != seat], *state.feet, *state.talons]
    places = [*unseen, state.stock, state.pile[: state.hidden]]
    stays = state.rules.laid_out
    cards = [card for place in places for card in place if card >> 2 not in stays]
    chance.shuffle(cards)
    redealt = [tuple([card if card >> 2 in stays else cards.pop() for card in place]) for place in places]
    hands = [tuple(sorted(hand)) for hand in redealt[: size - 1]]
    feet = redealt[size - 1 : size - 1 + len(state.feet)]
    talons = redealt[size - 1 + len(state.feet) : -2]
    return replace(
        state,
        hands=(*hands[:seat], state.hands[seat], *hands[seat:]),
        feet=tuple([tuple(sorted(foot)) for foot in feet]),
        talons=tuple(talons),
        stock=redealt[-2],
        pile=redealt[-1] + state.pile[state.hidden :],
    )


def is_choice(state: State) -> bool:
    """Whether somebody is to act in the deal."""
    return state.phase in (Phase.DRAW, Phase.PLAY, Phase.ANSWER)
