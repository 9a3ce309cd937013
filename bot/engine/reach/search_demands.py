"""Demands on a search: the demand of an initial meld, and demands of themes on ranks and canastas.

A search stores all of it as one number. Bit 0 is set if the demand is met. If themes demand something, one bit for each
group of ranks follows, then one bit for whether a canasta has been made, then the numbers of canastas of each counted
sort.
"""

from __future__ import annotations

from bot.engine.cards.meld_places import Family, is_run
from bot.engine.melds.canastas import is_canasta_of
from bot.engine.reach.opening_goals import Demand, Goal
from bot.engine.reach.runs import RunPlan
from bot.engine.reach.turn_outlook import Standing
from bot.engine.reach.ways_to_meld import Way
from bot.engine.rules.themes.conditions import RANK_FAMILIES, Condition, families_of

DEMAND_MET = 1
_BITS = 6
"""The number of bits for a number of canastas."""


def bits_met_by_runs(demand: Demand, plan: RunPlan) -> int:
    """Return 1 if the runs of the plan alone meet the demand, or nothing is demanded; else 0."""
    return DEMAND_MET if demand == "none" or (demand in ("canasta", "natural_canasta") and plan.canastas > 0) else 0


class ThemeDemands:
    """The themes' demands on a search for one goal: ranks, and canastas if the standing has limits."""

    def __init__(self, standing: Standing, goal: Goal) -> None:
        limits = standing.limits
        self._standing = standing
        self._groups = goal.groups
        self._first = limits.first if limits else None
        self._never = limits.never if limits else frozenset()
        self._out = limits.out if limits else ()
        self._other_canasta = DEMAND_MET << 1 + len(self._groups)
        """The bit that is set once the turn has made a canasta other than those that must come first."""
        self._flags = (self._other_canasta << 1) - 1
        self._low = self._flags.bit_length()
        self._counted = (*((self._first,) if self._first else ()), *self._out)

    def bits_met_at_start(self, plan: RunPlan) -> int:
        """Return the bits for the demands that the existing melds and the runs of a plan meet."""
        standing = self._standing
        families = standing.spread.families
        found = 0
        for number, group in enumerate(self._groups):
            if any(family in group for family in families):
                found |= DEMAND_MET << 1 + number
        runs = sum(meld.size >= standing.rules.canasta_size for meld in standing.melds.values() if is_run(meld.place))
        if plan.canastas > runs and not (self._first and "run" in self._first.ranks):
            found |= self._other_canasta
        for number, condition in enumerate(self._counted):
            wanted = families_of(condition.ranks)
            held = sum(
                is_canasta_of(standing.rules, meld, wanted, condition.canasta) for meld in standing.melds.values()
            )
            if condition.canasta == "any" and (not condition.ranks or "run" in condition.ranks):
                held += plan.canastas - runs
            found += held << self._low + _BITS * number
        return found

    def may_make_run_canastas(self, plan: RunPlan) -> bool:
        """Return whether themes allow the canastas that the runs of the plan make; True if they make none."""
        return not plan.canastas or not any(is_run(family) for family in self._never)

    def bits_after_melding(self, before: int, family: Family, way: Way, *, met: bool) -> int | None:
        """Return the demands met, as bits, once a family is melded in that way; None if a theme forbids it.

        `before` are the bits before; `met` says that the way meets the demand of the initial meld.
        """
        standing = self._standing
        flags = before & self._flags
        if met:
            flags |= DEMAND_MET
        if way.naturals + way.wilds:
            for number, group in enumerate(self._groups):
                if family in group:
                    flags |= DEMAND_MET << 1 + number
        rest = before & ~self._flags
        lying = standing.melds_of_family(family)
        size = standing.rules.canasta_size
        new = way.canastas - sum(meld.size >= size for meld in lying)
        if new > 0 and family in self._never:
            return None
        if new > 0 and self._first and family not in families_of(self._first.ranks):
            flags |= self._other_canasta
        for number, condition in enumerate(self._counted):
            wanted = families_of(condition.ranks)
            if family in wanted:
                held = sum(is_canasta_of(standing.rules, meld, wanted, condition.canasta) for meld in lying)
                rest += _matching_canastas(condition, family, way) - held << self._low + _BITS * number
        return flags | rest

    def are_bits_enough(self, reached: int, *, out: bool) -> bool:
        """Return whether enough demands are met, as bits, to open; with `out`, to go out."""
        groups = (DEMAND_MET << 1 + len(self._groups)) - 1
        if reached & groups != groups:
            return False
        counts = [reached >> self._low + _BITS * number & (1 << _BITS) - 1 for number in range(len(self._counted))]
        if self._first is not None and reached & self._other_canasta and not counts[0]:
            return False
        needed = counts[len(counts) - len(self._out) :]
        return not out or all(
            held >= max(1, condition.number) for held, condition in zip(needed, self._out, strict=True)
        )


def _matching_canastas(condition: Condition, family: Family, way: Way) -> int:
    """Return the number of canastas that meet a condition, once the family is melded in that way."""
    if condition.canasta == "any":
        return way.canastas
    if family not in RANK_FAMILIES:
        return 0
    return way.natural_canastas if condition.canasta == "natural" else way.mixed_canastas
