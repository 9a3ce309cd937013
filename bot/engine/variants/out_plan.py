"""The plan of going out: for a hand that has to be laid down, which sets can be laid first.

The other ranks are the same after every step of one rank, so what they come to together is worked out once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bot.engine.actions import Meld
from bot.engine.cards import ACE, Card, counts_of
from bot.engine.counts import Counts, pack
from bot.engine.variants.evident import room_left, spare_room
from bot.engine.variants.finishing import FREE, sums_for
from bot.engine.variants.laying_out import Laying
from bot.engine.variants.leaving import may_be_left
from bot.engine.variants.run_plans import MOST_PLANS, RunPlan, leaves_lonely, left_by, plans_for_going_out
from bot.engine.variants.standing import Standing


class OutPlan:
    """For an open side whose hand has to be laid down."""

    def __init__(self, standing: Standing, hand: tuple[Card, ...]) -> None:
        held = counts_of(hand)
        self._standing = standing
        self._spare_room = _spare_room(standing, hand)
        left = () if standing.rules.theme else may_be_left(standing, held, spare=1)
        sums = sums_for(standing, held, FREE[0])
        self._tells = bool(left)
        self._counts = pack(hand)
        self._plans = plans_for_going_out(standing, hand)
        self._looked_at = 0
        self._layings: list[tuple[Counts, Laying[Any]]] = []

        def laying(plan: RunPlan) -> Laying[Any]:
            return Laying(standing, left_by(plan, held), left, sums, runs=plan.canastas, regrouping=True)

        self._laying = laying

    def allows(self, step: Meld) -> bool | None:
        """Whether the rest can be laid down after it; None where that is not told.

        Of a rank from which cards go into runs the step may take the very cards that those need.
        """
        room = self._spare_room
        if room is not None and step.kind <= ACE and room_left(self._standing, step, room) >= 0:
            return True
        if not self._tells:
            return None
        kind = step.kind
        told = True
        for used, laying in self._tried():
            if used >> 8 * kind & 127:
                told = False
            elif laying.allows(step):
                return True
        return False if told and self._looked_at < MOST_PLANS else None

    def _tried(self) -> Iterator[tuple[Counts, Laying[Any]]]:
        """The plans of runs with what they leave; each is worked out when the ones before it do not do."""
        yield from self._layings
        for plan in self._plans:
            self._looked_at += 1
            if leaves_lonely(self._standing, self._counts, plan, spare=1):
                continue
            self._layings.append((plan.used, self._laying(plan)))
            yield self._layings[-1]


def _spare_room(standing: Standing, hand: tuple[Card, ...]) -> int | None:
    """The room to spare of a hand that evidently goes out, and does after any step that leaves enough of it."""
    rules = standing.rules
    if standing.spread.canastas < rules.out_canastas or rules.out_discard == "mandatory":
        return None
    return spare_room(standing, pack(hand), spare=1)
