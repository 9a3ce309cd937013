"""Reclaiming: the wild cards of a canasta that has become natural without them go back to a hand.

A house rule: the wild cards of a mixed canasta may be taken back as soon as its naturals alone are a canasta. No wild
card joins such a canasta any more, so each gives back once at most, and no turn goes on for ever. A turn must be able
to end without it.

Decides `docs/law/classic.md 1.10, H43`. Reads `canasta_size`, `seq_rule`, `wild_reclaim`.
"""

from __future__ import annotations

from bot.engine.cards.cards import JOKER, TWO, Card
from bot.engine.cards.places import DEUCE_MELD, family_of
from bot.engine.law.out_refusals import said_yes, too_low
from bot.engine.law.turn_end import could_finish
from bot.engine.melds.melds import TableMeld
from bot.engine.moves import phases
from bot.engine.moves.actions import Reclaim
from bot.engine.moves.events import Reclaimed
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.evolve import evolve
from bot.engine.table.queries import has_grown, obligation
from bot.engine.table.state import State

LEAST_HELD = 2
"""Cards that a hand has to hold before.

A seat with one card left is going out, and may have laid what only that allows.
"""


def wild_cards_in(meld: TableMeld) -> tuple[Card, ...]:
    """The wild cards of a meld; in a meld of twos as a rank they are the jokers alone."""
    kinds = (JOKER,) if family_of(meld.place) == DEUCE_MELD else (TWO, JOKER)
    return tuple([card for card in meld.cards if card >> 2 in kinds]) if meld.wilds else ()


def gives_back(rules: RuleSet, meld: TableMeld) -> bool:
    """Whether the wild cards of a meld may be reclaimed, because its naturals alone are a canasta."""
    return meld.wilds > 0 and meld.naturals >= rules.canasta_size


def why_not_reclaim(state: State, step: Reclaim) -> Refusal | None:
    """Why the seat in turn may not take back the wild cards that lie at that place; None where it may."""
    rules = state.rules
    if rules.wild_reclaim == "none":
        return Refusal(Code.RECLAIM_OFF)
    if state.phase is not phases.PLAY:
        return Refusal(Code.DRAW_FIRST)
    side = state.side
    meld = state.spreads[side].by_place.get(step.place)
    if meld is None:
        return Refusal(Code.MELD_WRONG_TARGET, {"number": -1})
    if not gives_back(rules, meld):
        detail = {"wilds": meld.wilds, "naturals": meld.naturals, "required": rules.canasta_size}
        return Refusal(Code.RECLAIM_TOO_EARLY, detail)
    if not state.opened[side]:
        return too_low(state)
    if len(state.hands[state.turn]) < LEAST_HELD or (rules.runs_grow and has_grown(state)):
        return Refusal(Code.RECLAIM_GOING_OUT)
    if obligation(state) is True and could_finish(state) and not could_finish(evolve(state, reclaimed(state, step))):
        return said_yes(state)
    return None


def reclaims(state: State) -> list[Reclaim]:
    """Every meld whose wild cards the seat in turn may take back, in the order in which the melds lie there."""
    melds = state.spreads[state.side].by_place.values()
    steps = [Reclaim(meld.place) for meld in melds if gives_back(state.rules, meld)]
    return [step for step in steps if why_not_reclaim(state, step) is None]


def reclaimed(state: State, step: Reclaim) -> Reclaimed:
    """What happens when the wild cards of that meld are taken back."""
    return Reclaimed(state.turn, step.place, wild_cards_in(state.spreads[state.side].by_place[step.place]))
