"""Bounds of an initial meld: what most hands are far from, told from their counts before anything is tried."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.cards import ACE, JOKER, NATURAL_KINDS, TWO, Card
from bot.engine.counts import KINDS_OF, RANKS, Counts
from bot.engine.places import WILD_MELD, Family
from bot.engine.variants.bounds import cards_for_runs
from bot.engine.variants.openings import CLEAN, Demand, Goal
from bot.engine.variants.standing import Standing


def never_adds(standing: Standing, hand: Sequence[Card], counts: Counts, held: Sequence[int], points: int) -> bool:
    """Whether the hand certainly cannot add so many points: not even with a wild card for every rank that needs one."""
    rules = standing.rules
    values = rules.card_values
    twos, jokers = held[TWO], held[JOKER]
    lacking = points - twos * values[TWO] - jokers * values[JOKER]
    if lacking <= 0:
        return False
    spread = standing.spread
    usable = (counts + (spread.wild if twos or jokers else spread.plain)) & RANKS
    for kind in KINDS_OF[usable]:
        lacking -= held[kind] * values[kind]
    if lacking <= 0 or "seq" not in rules.meld_kinds:
        return lacking > 0
    in_runs = cards_for_runs(standing, hand)
    return sum([values[card >> 2] for card in hand if card in in_runs]) < lacking


def never_meets(standing: Standing, counts: Counts, held: Sequence[int], goal: Goal) -> bool:
    """Whether what the goal demands beside its points certainly cannot lie there."""
    if goal.groups and not all(any(_may_lie(standing, held, family) for family in group) for group in goal.groups):
        return True
    if goal.demand == "clean":
        return not ((counts + _CLEAN_OR_MORE) & RANKS or standing.spread.melded)
    return goal.demand != "none" and not _may_be_met(standing, held, goal.demand)


_CLEAN_OR_MORE: Final = sum([128 - CLEAN << 8 * kind for kind in NATURAL_KINDS])
"""Added to counts, it marks the ranks that make a clean meld."""


def _may_lie(standing: Standing, held: Sequence[int], family: Family) -> bool:
    """Whether a meld of that rank lies there or could be begun, as far as its naturals tell."""
    if family in standing.spread.families:
        return True
    return family not in standing.surely_closed and held[family] >= standing.rules.min_naturals


def _may_be_met(standing: Standing, held: Sequence[int], demand: Demand) -> bool:
    rules = standing.rules
    families = standing.spread.families
    naturals = held[: ACE + 1]
    wilds = held[TWO] + held[JOKER]
    if demand == "wild":
        return WILD_MELD in families or wilds >= rules.meld_min
    # some canasta: of one rank, of wild cards, a run, or of what lies there
    size = rules.canasta_size
    most = max(naturals) + (0 if demand == "splash" else wilds)
    return bool(families) or max(most, wilds) >= size or ("seq" in rules.meld_kinds and sum(naturals) >= size)
