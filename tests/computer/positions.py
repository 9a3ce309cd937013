"""Positions for computer players: making them, playing a turn, exchanging hidden cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from bot.computer.heuristics.rule_of_thumb_player import RuleOfThumbPlayer
from bot.engine.cards.cards import Card
from bot.engine.moves.actions import Step
from bot.engine.moves.phases import Phase
from bot.engine.play.building_views import seat_view
from bot.engine.play.decide import decide
from bot.engine.positions.position_reading import read_position
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, seat_to_act

FILLER = "4s 5h 6d 7c 8s 9h Td Js"


def make_state(
    hand: str, *, rules: str = "classic", scores: Sequence[int] = (0, 0), players: int = 4, **position: Any
) -> State:
    """Return a state in which seat 0 is in turn and holds `hand`.

    Other hands have eight cards unless `hands` says otherwise.
    """
    others: Mapping[str, str] = position.pop("hands", {})
    hands = {str(seat): FILLER for seat in range(1, players)} | dict(others) | {"0": hand}
    placed = {"turn": 0, "phase": "play", "stock": " ".join([FILLER] * 4), "hands": hands, **position}
    return read_position({"rules": rules, "players": players, "scores": list(scores), "position": placed})


def casual_step(state: State) -> Step:
    """Return the step that the casual player chooses."""
    seat = seat_to_act(state)
    assert seat is not None
    return RuleOfThumbPlayer().choose(seat_view(state, seat)).step


def play_turn(state: State) -> tuple[list[Step], State]:
    """Let the casual player play for all seats until the turn or the deal ends.

    Return the steps, answers included, and the state after them.
    """
    turn, deals = state.turns, len(state.results)
    steps = []
    while state.turns == turn and len(state.results) == deals:
        step = casual_step(state)
        steps.append(step)
        state = fold(state, decide(state, seat_to_act(state), step))
    return steps, state


def with_hidden_cards_redealt(
    state: State, seat: int, random: Random, *, known: Sequence[Sequence[Card]] = ()
) -> State:
    """Return the state with cards hidden from the seat exchanged; each place keeps its number.

    Cards `known` to be in a hand, by seat, stay there.

    Hidden are the other hands, every foot and the bonus cards set aside, the stock, and the pile's face-down cards.
    Threes that are laid out wherever they turn up stay where they are, since a hand that holds one shows it.
    """
    size = len(state.hands)
    unseen = [*[hand for other, hand in enumerate(state.hands) if other != seat], *state.feet, *state.talons]
    places = [*unseen, state.stock, state.pile[: state.hidden]]
    stays = state.rules.laid_out
    fixed = [Counter(known[other]) for other in range(size) if other != seat] if known else []
    fixed += [Counter() for _ in range(len(places) - len(fixed))]
    free = [_redealt_places(place, Counter(one), stays) for place, one in zip(places, fixed, strict=True)]
    cards = [place[at] for place, where in zip(places, free, strict=True) for at in where]
    random.shuffle(cards)
    redealt = [
        tuple([cards.pop() if at in where else card for at, card in enumerate(place)])
        for place, where in zip(places, free, strict=True)
    ]
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


def _redealt_places(place: Sequence[Card], fixed: Counter[Card], stays: frozenset[int]) -> set[int]:
    """Return the indexes of the cards in a place that are dealt again."""
    free: set[int] = set()
    for at, card in enumerate(place):
        if fixed[card]:
            fixed[card] -= 1
        elif card >> 2 not in stays:
            free.add(at)
    return free


def is_seat_to_act(state: State) -> bool:
    """Return whether a seat is to act in the deal."""
    return state.phase in (Phase.DRAW, Phase.PLAY, Phase.ANSWER)
