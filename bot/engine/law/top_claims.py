"""Claims: at which melds the top of the pile may be laid.

The question is asked where the pile is taken (`bot.engine.law.pile`), and before, where a side that opens from the hand
has to be able to take it afterwards (`bot.engine.law.hand_first`, `bot.engine.law.melding`).

Decides `docs/law/classic.md 1.12` and `docs/law/variants.md 3.1`. Reads `canasta_size`, `take_add_canasta`,
`take_open`, `take_pair_canasta`.

Taking a pile with a two on top for two twos of its colour, which are shown.

A house rule (`take_twos`, asked by `bot.engine.law.pile`). Three twos make no meld under most rules, so nothing is
laid: the twos stay in the hand, and the whole pile comes to it with its top. Only a side that has opened may do so,
since no initial meld is made by it. A two that lies alone is not taken: two players might pass it on for ever.

Decides `docs/law/classic.md 1.12, H41`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.cards.cards import TWO, Card, Kind, is_red
from bot.engine.cards.places import Place, family_of, is_run, run_of
from bot.engine.moves.actions import TAKE_SHOWING, Take
from bot.engine.moves.refusals import Code, Refusal, kind_name
from bot.engine.reach.runs import why_not_run
from bot.engine.reach.sets import why_not_join
from bot.engine.reach.standing import Standing
from bot.engine.table.queries import below_top, minimum
from bot.engine.table.state import State


def why_not_with_cards(standing: Standing, kind: Kind, place: Place) -> Refusal | None:
    """Why a top card of that kind, with cards from the hand, is not laid at that place."""
    if family_of(place) != kind:
        return Refusal(Code.MELD_WRONG_TARGET, {"number": _number_of(standing, place)})
    if not standing.rules.take_pair_canasta and standing.is_canasta(place):
        return Refusal(Code.TAKE_ONTO_CANASTA, {"kind": kind_name(kind)})
    return None


def why_not_add(standing: Standing, top: Card, place: Place) -> Refusal | None:
    """Why the top card alone may not join what lies at that place."""
    kind = top >> 2
    rules = standing.rules
    lying = standing.melds.get(place)
    if lying is None:
        code = Code.TAKE_NO_MELD_OR_RUN if "add_seq" in rules.take_open else Code.TAKE_NO_MELD
        return Refusal(code, {"kind": kind_name(kind)})
    if is_run(place):
        refusal = Refusal(Code.RUN_SUITS) if family_of(place) != run_of(top & 3) else None
        refusal = refusal or why_not_run(standing, place, kind, kind)
        if refusal is not None:
            return refusal
    elif family_of(place) != kind:
        return Refusal(Code.MELD_WRONG_TARGET, {"number": _number_of(standing, place)})
    if not rules.take_add_canasta and lying.size >= rules.canasta_size:
        return Refusal(Code.TAKE_ONTO_CANASTA, {"kind": kind_name(kind)})
    return None if is_run(place) else why_not_join(standing, place, 1, 0, 0)


def _number_of(standing: Standing, place: Place) -> int:
    """The number of the side's meld at that place, from 0; -1 where none lies there."""
    places = list(standing.melds)
    return places.index(place) if place in places else -1


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
