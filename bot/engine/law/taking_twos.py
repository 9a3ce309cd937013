"""Taking a pile with a two on top for two twos of its colour, which are shown.

A house rule (`take_twos`, asked by `bot.engine.law.pile`). Three twos make no meld under most rules, so nothing is
laid: the twos stay in the hand, and the whole pile comes to it with its top. Only a side that has opened may do so,
since no initial meld is made by it. A two that lies alone is not taken: two players might pass it on for ever.

Decides `docs/law/classic.md 1.12, H41`.
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
"""How many twos take the pile."""


def twos_of(state: State) -> tuple[Card, ...]:
    """The twos in the hand of the seat in turn that have the colour of the pile's top card."""
    red = is_red(state.pile[-1])
    return tuple([card for card in state.hands[state.turn] if card >> 2 == TWO and is_red(card) == red])


def why_not_pile(state: State) -> Refusal | None:
    """Why the seat in turn could not take a pile with a two on top with any twos; None where it could."""
    side = state.side
    if not state.opened[side]:
        return Refusal(Code.PILE_CLOSED_UNOPENED, {"required": minimum(state, side)})
    return None if below_top(state) else Refusal(Code.TAKE_TWO_ALONE)


def why_not_twos(state: State, step: Take) -> Refusal | None:
    """Why the step does not take the pile, or the hand lacks the twos for it."""
    held = len(twos_of(state))
    return None if step == TAKE_SHOWING and held >= SHOWN else _lacking(state, held)


def _lacking(state: State, held: int) -> Refusal:
    colour = "red" if is_red(state.pile[-1]) else "black"
    return Refusal(Code.TAKE_NEEDS_TWOS, {"colour": colour, "held": held, "required": SHOWN})


def why_not_shown(state: State, cards: Sequence[Card]) -> Refusal | None:
    """Why these cards of the hand are not the twos that take the pile; None where they are."""
    found = [card for card in cards if card in twos_of(state)]
    return None if len(found) == len(cards) == SHOWN else _lacking(state, len(found))


def candidates(state: State) -> Sequence[Take]:
    """The way to take the pile that the hand could allow; empty where there is none."""
    return (TAKE_SHOWING,) if len(twos_of(state)) >= SHOWN else ()
