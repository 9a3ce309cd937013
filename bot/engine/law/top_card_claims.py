"""Claims: the melds that the pile's top card may join; and taking a pile with two twos.

Used when the pile is taken (`bot.engine.law.drawing_or_taking`), and before, when a side that opens from the hand must
be able to take it afterwards (`bot.engine.law.opening_from_hand`, `bot.engine.law.meld_refusals`).

With the house rule `take_twos`, a pile with a two on top is taken by showing two twos of its colour. Three twos make no
meld under most rules, so nothing is melded: the twos stay in the hand, and the whole pile comes to it with its top.
Only an open side may do so, since this makes no initial meld. A pile of one two cannot be taken: two players might pass
it on for ever.

Decides `docs/law/classic.md 1.12, H41` and `docs/law/variants.md 3.1`. Reads `canasta_size`, `take_add_canasta`,
`take_open`, `take_pair_canasta`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.cards.cards import TWO, Card, Kind, is_red
from bot.engine.cards.meld_places import Place, family_of, is_run, run_place
from bot.engine.moves.actions import TAKE_SHOWING, Take
from bot.engine.moves.refusals import Code, Refusal, kind_name
from bot.engine.reach.refusals_of_set_melds import why_not_join
from bot.engine.reach.runs import why_not_run
from bot.engine.reach.turn_outlook import Standing
from bot.engine.table.state import State
from bot.engine.table.state_queries import cards_below_top, opening_minimum


def why_not_meld_top(standing: Standing, kind: Kind, place: Place) -> Refusal | None:
    """Return the refusal if a top card of that kind may not be melded there with cards from the hand."""
    if family_of(place) != kind:
        return Refusal(Code.MELD_WRONG_TARGET, {"number": _index_of_meld(standing, place)})
    if not standing.rules.take_pair_canasta and standing.is_canasta(place):
        return Refusal(Code.TAKE_ONTO_CANASTA, {"kind": kind_name(kind)})
    return None


def why_not_add_top(standing: Standing, top: Card, place: Place) -> Refusal | None:
    """Return the refusal if the top card alone may not join the meld at that place, else None."""
    kind = top >> 2
    rules = standing.rules
    lying = standing.melds.get(place)
    if lying is None:
        code = Code.TAKE_NO_MELD_OR_RUN if "add_seq" in rules.take_open else Code.TAKE_NO_MELD
        return Refusal(code, {"kind": kind_name(kind)})
    if is_run(place):
        refusal = Refusal(Code.RUN_SUITS) if family_of(place) != run_place(top & 3) else None
        refusal = refusal or why_not_run(standing, place, kind, kind)
        if refusal is not None:
            return refusal
    elif family_of(place) != kind:
        return Refusal(Code.MELD_WRONG_TARGET, {"number": _index_of_meld(standing, place)})
    if not rules.take_add_canasta and lying.size >= rules.canasta_size:
        return Refusal(Code.TAKE_ONTO_CANASTA, {"kind": kind_name(kind)})
    return None if is_run(place) else why_not_join(standing, place, 1, 0, 0)


def _index_of_meld(standing: Standing, place: Place) -> int:
    """Return the number of the side's meld at that place, from 0; -1 if there is none."""
    places = list(standing.melds)
    return places.index(place) if place in places else -1


TWOS_SHOWN: Final = 2
"""The number of twos that take the pile."""


def twos_matching_top(state: State) -> tuple[Card, ...]:
    """Return the twos in the hand of the seat in turn that have the colour of the pile's top card."""
    red = is_red(state.pile[-1])
    return tuple([card for card in state.hands[state.turn] if card >> 2 == TWO and is_red(card) == red])


def why_pile_untakeable_with_two(state: State) -> Refusal | None:
    """Return the refusal if the seat in turn could not take a pile with a two on top, else None."""
    side = state.side
    if not state.opened[side]:
        return Refusal(Code.PILE_CLOSED_UNOPENED, {"required": opening_minimum(state, side)})
    return None if cards_below_top(state) else Refusal(Code.TAKE_TWO_ALONE)


def why_not_take_with_twos(state: State, step: Take) -> Refusal | None:
    """Return the refusal if the step does not take the pile, or the hand lacks the twos, else None."""
    held = len(twos_matching_top(state))
    return None if step == TAKE_SHOWING and held >= TWOS_SHOWN else _needs_twos_refusal(state, held)


def _needs_twos_refusal(state: State, held: int) -> Refusal:
    """Return the refusal for a hand with too few twos of the top card's colour."""
    colour = "red" if is_red(state.pile[-1]) else "black"
    return Refusal(Code.TAKE_NEEDS_TWOS, {"colour": colour, "held": held, "required": TWOS_SHOWN})


def why_shown_cards_take_nothing(state: State, cards: Sequence[Card]) -> Refusal | None:
    """Return the refusal if the cards shown are not the two twos that take the pile, else None."""
    found = [card for card in cards if card in twos_matching_top(state)]
    return None if len(found) == len(cards) == TWOS_SHOWN else _needs_twos_refusal(state, len(found))


def takes_with_twos(state: State) -> Sequence[Take]:
    """Return the step that takes the pile with twos, if the hand allows it, as a tuple."""
    return (TAKE_SHOWING,) if len(twos_matching_top(state)) >= TWOS_SHOWN else ()
