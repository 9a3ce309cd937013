"""Claims: at which melds the top of the pile may be laid.

The question is asked where the pile is taken (`bot.engine.law.pile`), and before, where a side that opens from the hand
has to be able to take it afterwards (`bot.engine.law.hand_first`, `bot.engine.law.claiming`).

Decides `docs/law/classic.md 1.12` and `docs/law/variants.md 3.1`. Reads `canasta_size`, `take_add_canasta`,
`take_open`, `take_pair_canasta`.
"""

from __future__ import annotations

from bot.engine.cards.cards import Card, Kind
from bot.engine.cards.places import Place, family_of, is_run, run_of
from bot.engine.moves.refusals import Code, Refusal, kind_name
from bot.engine.reach.runs import why_not_run
from bot.engine.reach.sets import why_not_join
from bot.engine.reach.standing import Standing


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
