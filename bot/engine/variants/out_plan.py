"""The plan of going out: for a hand that has to be laid down, which sets can be laid first.

The other ranks are the same after every step of one rank, so what they come to together is worked out once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.engine.actions import Meld
from bot.engine.cards import Card, counts_of
from bot.engine.variants.finishing import sums_for
from bot.engine.variants.laying_out import Laying
from bot.engine.variants.leaving import may_be_left
from bot.engine.variants.openings import Goal
from bot.engine.variants.run_plans import MOST_PLANS, left_by, run_plans
from bot.engine.variants.standing import Standing


class OutPlan:
    """For an open side whose hand has to be laid down."""

    def __init__(self, standing: Standing, hand: tuple[Card, ...]) -> None:
        held = counts_of(hand)
        left = () if standing.rules.theme else may_be_left(standing, held, spare=1)
        plans = run_plans(standing, hand, going_out=True)
        sums = sums_for(standing, held, Goal(0))
        self._layings: list[tuple[Sequence[int], Laying[Any]]] = [
            (plan.used, Laying(standing, left_by(plan, held), left, sums, runs=plan.canastas, regrouping=True))
            for plan in plans
        ]
        self._tells = bool(left)
        self._all_plans = len(plans) < MOST_PLANS

    def allows(self, step: Meld) -> bool | None:
        """Whether the rest can be laid down after it; None where that is not told.

        Of a rank from which cards go into runs the step may take the very cards that those need.
        """
        if not self._tells:
            return None
        kind = step.kind
        free = [laying for used, laying in self._layings if kind >= len(used) or not used[kind]]
        if any(laying.allows(step) for laying in free):
            return True
        return False if self._all_plans and len(free) == len(self._layings) else None
