"""Taking a pile with a two on top for two twos of its colour, which are shown (`docs/law/classic.md H41`).

Three twos make no meld under most rules, so nothing is laid: the twos stay in the hand, and the whole pile comes to it
with its top. Only a side that has opened may do so, since an initial meld is not made by it. A two that lies alone is
not taken: two players might pass it on for ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.cards.cards import TWO, Card, is_red
from bot.engine.moves.actions import TAKE_SHOWING, Take
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.table.queries import below_top, minimum
from bot.engine.table.state import State

SHOWN: Final = 2
"""Twos that take the pile."""


def twos_of(state: State) -> tuple[Card, ...]:
    """The twos in the hand of the seat in turn that have the colour of the pile's top."""
    red = is_red(state.pile[-1])
    return tuple([card for card in state.hands[state.turn] if card >> 2 == TWO and is_red(card) == red])


def why_not_pile(state: State) -> Refusal | None:
    """Whether the seat in turn could take a pile with a two on top, if it held the twos."""
    side = state.side
    if not state.opened[side]:
        return Refusal(Code.PILE_CLOSED_UNOPENED, {"required": minimum(state, side)})
    return None if below_top(state) else Refusal(Code.TAKE_TWO_ALONE)


def why_not_twos(state: State, step: Take) -> Refusal | None:
    """Whether that way takes the pile, and the hand has the twos."""
    held = len(twos_of(state))
    return None if step == TAKE_SHOWING and held >= SHOWN else _lacking(state, held)


def _lacking(state: State, held: int) -> Refusal:
    colour = "red" if is_red(state.pile[-1]) else "black"
    return Refusal(Code.TAKE_NEEDS_TWOS, {"colour": colour, "held": held, "required": SHOWN})


def why_not_shown(state: State, cards: Sequence[Card]) -> Refusal | None:
    """Whether these cards of the hand are the twos that take the pile."""
    found = [card for card in cards if card in twos_of(state)]
    return None if len(found) == len(cards) == SHOWN else _lacking(state, len(found))


def candidates(state: State) -> Sequence[Take]:
    """The way to take the pile that the hand could allow, if there is one."""
    return (TAKE_SHOWING,) if len(twos_of(state)) >= SHOWN else ()
