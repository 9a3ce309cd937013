"""Reclaiming: taking back the wild cards of a canasta whose naturals alone are a canasta.

A house rule. No wild card joins such a canasta any more, so each gives back its wild cards at most once, and no turn
lasts for ever. A turn must be able to end without it.

Decides `docs/law/classic.md 1.10, H43`. Reads `canasta_size`, `seq_rule`, `wild_reclaim`.
"""

from __future__ import annotations

from bot.engine.cards.cards import JOKER, TWO, Card
from bot.engine.cards.meld_places import DEUCE_MELD, family_of
from bot.engine.law.going_out_refusals import must_go_out_refusal, opening_too_low_refusal
from bot.engine.law.turn_end import can_obliged_seat_go_out
from bot.engine.melds.table_meld import TableMeld
from bot.engine.moves import phases
from bot.engine.moves.actions import Reclaim
from bot.engine.moves.events import Reclaimed
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.applying_events import evolve
from bot.engine.table.state import State
from bot.engine.table.state_queries import going_out_obligation, has_run_grown

LEAST_CARDS_HELD = 2
"""The least number of cards in the hand before reclaiming.

A seat with one card left is going out, and may have made melds that only going out allows.
"""


def wild_cards_in(meld: TableMeld) -> tuple[Card, ...]:
    """Return the wild cards of a meld; in a meld of twos as a rank only the jokers."""
    kinds = (JOKER,) if family_of(meld.place) == DEUCE_MELD else (TWO, JOKER)
    return tuple([card for card in meld.cards if card >> 2 in kinds]) if meld.wilds else ()


def is_reclaimable(rules: RuleSet, meld: TableMeld) -> bool:
    """Return whether the wild cards of a meld may be reclaimed, because its naturals alone are a canasta."""
    return meld.wilds > 0 and meld.naturals >= rules.canasta_size


def why_not_reclaim(state: State, step: Reclaim) -> Refusal | None:
    """Return the refusal if the seat in turn may not reclaim the wild cards at that place, else None."""
    rules = state.rules
    if rules.wild_reclaim == "none":
        return Refusal(Code.RECLAIM_OFF)
    if state.phase is not phases.PLAY:
        return Refusal(Code.DRAW_FIRST)
    side = state.side
    meld = state.spreads[side].by_place.get(step.place)
    if meld is None:
        return Refusal(Code.MELD_WRONG_TARGET, {"number": -1})
    if not is_reclaimable(rules, meld):
        detail = {"wilds": meld.wilds, "naturals": meld.naturals, "required": rules.canasta_size}
        return Refusal(Code.RECLAIM_TOO_EARLY, detail)
    if not state.opened[side]:
        return opening_too_low_refusal(state)
    if len(state.hands[state.turn]) < LEAST_CARDS_HELD or (rules.runs_grow and has_run_grown(state)):
        return Refusal(Code.RECLAIM_GOING_OUT)
    if (
        going_out_obligation(state) is True
        and can_obliged_seat_go_out(state)
        and not can_obliged_seat_go_out(evolve(state, reclaim_event(state, step)))
    ):
        return must_go_out_refusal(state)
    return None


def reclaim_steps(state: State) -> list[Reclaim]:
    """Return every legal reclaim step of the seat in turn, in the order of the melds."""
    melds = state.spreads[state.side].by_place.values()
    steps = [Reclaim(meld.place) for meld in melds if is_reclaimable(state.rules, meld)]
    return [step for step in steps if why_not_reclaim(state, step) is None]


def reclaim_event(state: State, step: Reclaim) -> Reclaimed:
    """Return the event of taking back the wild cards of the meld that the step names."""
    return Reclaimed(state.turn, step.place, wild_cards_in(state.spreads[state.side].by_place[step.place]))
