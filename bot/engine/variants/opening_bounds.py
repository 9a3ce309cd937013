"""Bounds of an initial meld: what most hands are far from, told from their counts before anything is tried."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.cards import ACE, JOKER, NATURAL_KINDS, TWO, Card
from bot.engine.counts import KINDS_OF, RANKS, WILD_SHIFT, WILDS, Counts
from bot.engine.places import WILD_MELD, Family
from bot.engine.rules import RuleSet
from bot.engine.spread import Spread
from bot.engine.variants.bounds import cards_for_runs
from bot.engine.variants.openings import CLEAN, Demand, Goal
from bot.engine.variants.standing import Standing


def never_adds(standing: Standing, hand: Sequence[Card], counts: Counts, points: int) -> bool:
    """Whether the hand certainly cannot add so many points: not even with a wild card for every rank that needs one."""
    rules = standing.rules
    lacking = _sets_lack(rules, standing.spread, counts, points)
    if lacking <= 0 or "seq" not in rules.meld_kinds:
        return lacking > 0
    in_runs = cards_for_runs(standing, hand)
    return sum([rules.card_values[card >> 2] for card in hand if card in in_runs]) < lacking


def is_in_sight(rules: RuleSet, spread: Spread, counts: Counts, goal: Goal, points: int) -> bool:
    """Whether sets and wild cards may add so many points, and may make the clean meld where one is demanded."""
    if goal.demand == "clean" and not _may_be_clean(spread, counts):
        return False
    return _sets_lack(rules, spread, counts, points) <= 0


def _sets_lack(rules: RuleSet, spread: Spread, counts: Counts, points: int) -> int:
    """How many points sets and wild cards certainly lack, even if every wild card lay in all ranks that need one.

    Zero or less where they may lack none.
    """
    values = rules.card_values
    wilds = counts >> WILD_SHIFT
    lacking = points - (wilds & 127) * values[TWO] - (wilds >> 8 & 127) * values[JOKER]
    if lacking > 0:
        for kind in KINDS_OF[(counts + (spread.wild if wilds & WILDS else spread.plain)) & RANKS]:
            lacking -= (counts >> 8 * kind & 127) * values[kind]
    return lacking


def never_meets(standing: Standing, counts: Counts, held: Sequence[int], goal: Goal) -> bool:
    """Whether what the goal demands beside its points certainly cannot lie there."""
    if goal.groups and not all(any(_may_lie(standing, held, family) for family in group) for group in goal.groups):
        return True
    if goal.demand == "clean":
        return not _may_be_clean(standing.spread, counts)
    return goal.demand != "none" and not _may_be_met(standing, held, goal.demand)


def _may_be_clean(spread: Spread, counts: Counts) -> bool:
    return bool((counts + _CLEAN_OR_MORE) & RANKS or spread.melded)


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
