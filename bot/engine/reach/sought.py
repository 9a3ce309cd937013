"""What a search has to reach: the demand of an initial meld, and what themes ask of ranks and canastas.

A search carries all of it as one number. Its first bit tells whether the demand is met. Where themes ask for something,
a bit for each group of ranks follows, then a bit for whether a canasta has been made, then how many canastas of each
kind that counts lie there.
"""

from __future__ import annotations

from bot.engine.cards.places import Family, is_run
from bot.engine.melds.canastas import is_canasta_of
from bot.engine.reach.openings import Demand, Goal
from bot.engine.reach.runs import RunPlan
from bot.engine.reach.standing import Standing
from bot.engine.reach.ways import Way
from bot.engine.rules.themes.conditions import RANK_FAMILIES, Condition, families_of

MET = 1
_COUNT = 6
"""How many bits a number of canastas takes."""


def demand_met(demand: Demand, plan: RunPlan) -> int:
    """Return the first bit: whether the runs alone meet the demand, or nothing is demanded."""
    return MET if demand == "none" or (demand in ("canasta", "natural_canasta") and plan.canastas > 0) else 0


class Sought:
    """What themes ask of a search for one goal: ranks, and canastas where the standing has limits."""

    def __init__(self, standing: Standing, goal: Goal) -> None:
        limits = standing.limits
        self._standing = standing
        self._groups = goal.groups
        self._first = limits.first if limits else None
        self._never = limits.never if limits else frozenset()
        self._out = limits.out if limits else ()
        self._made = MET << 1 + len(self._groups)
        """The bit for a canasta made in this turn that is none of those that have to come first."""
        self._flags = (self._made << 1) - 1
        self._low = self._flags.bit_length()
        self._counted = (*((self._first,) if self._first else ()), *self._out)

    def begun(self, plan: RunPlan) -> int:
        """What is reached by what lies there and the runs of a plan, before anything else is laid."""
        standing = self._standing
        families = standing.spread.families
        found = 0
        for number, group in enumerate(self._groups):
            if any(family in group for family in families):
                found |= MET << 1 + number
        runs = sum(meld.size >= standing.rules.canasta_size for meld in standing.melds.values() if is_run(meld.place))
        if plan.canastas > runs and not (self._first and "run" in self._first.ranks):
            found |= self._made
        for number, condition in enumerate(self._counted):
            wanted = families_of(condition.ranks)
            held = sum(
                is_canasta_of(standing.rules, meld, wanted, condition.canasta) for meld in standing.melds.values()
            )
            if condition.canasta == "any" and (not condition.ranks or "run" in condition.ranks):
                held += plan.canastas - runs
            found += held << self._low + _COUNT * number
        return found

    def may_make(self, plan: RunPlan) -> bool:
        """Return whether themes allow the canastas that the runs of a plan make."""
        return not plan.canastas or not any(is_run(family) for family in self._never)

    def join(self, before: int, family: Family, way: Way, *, met: bool) -> int | None:
        """What is reached when the family is laid that way too; None where a theme does not let it be laid so."""
        standing = self._standing
        flags = before & self._flags
        if met:
            flags |= MET
        if way.naturals + way.wilds:
            for number, group in enumerate(self._groups):
                if family in group:
                    flags |= MET << 1 + number
        rest = before & ~self._flags
        lying = standing.of_family(family)
        size = standing.rules.canasta_size
        new = way.canastas - sum(meld.size >= size for meld in lying)
        if new > 0 and family in self._never:
            return None
        if new > 0 and self._first and family not in families_of(self._first.ranks):
            flags |= self._made
        for number, condition in enumerate(self._counted):
            wanted = families_of(condition.ranks)
            if family in wanted:
                held = sum(is_canasta_of(standing.rules, meld, wanted, condition.canasta) for meld in lying)
                rest += _made(condition, family, way) - held << self._low + _COUNT * number
        return flags | rest

    def accepts(self, reached: int, *, out: bool) -> bool:
        """Return whether enough is reached: to open, or to go out."""
        groups = (MET << 1 + len(self._groups)) - 1
        if reached & groups != groups:
            return False
        counts = [reached >> self._low + _COUNT * number & (1 << _COUNT) - 1 for number in range(len(self._counted))]
        if self._first is not None and reached & self._made and not counts[0]:
            return False
        needed = counts[len(counts) - len(self._out) :]
        return not out or all(
            held >= max(1, condition.number) for held, condition in zip(needed, self._out, strict=True)
        )


def _made(condition: Condition, family: Family, way: Way) -> int:
    """Return how many canastas that a condition means lie there of that family once it is laid that way."""
    if condition.canasta == "any":
        return way.canastas
    if family not in RANK_FAMILIES:
        return 0
    return way.natural_canastas if condition.canasta == "natural" else way.mixed_canastas
