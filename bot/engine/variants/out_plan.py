"""The plan of going out: for a hand that has to be laid down, which sets can be laid first.

The other ranks are the same after every step of one rank, so what they come to together is worked out once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from typing import Any

from bot.engine.actions import LayRun, Meld
from bot.engine.cards import ACE, Card, Kind
from bot.engine.counts import Counts, pack, tally
from bot.engine.variants.bounds import is_far_from_out, too_few_canastas
from bot.engine.variants.evident import (
    WayOut,
    goes_out_evidently,
    has_runs,
    keeps_making,
    makes,
    runs_lying,
    way_out,
)
from bot.engine.variants.finishing import FREE, sums_for
from bot.engine.variants.laying_out import Laying
from bot.engine.variants.leaving import may_be_left
from bot.engine.variants.run_plans import MOST_PLANS, RunPlan, leaves_lonely, plans_for_going_out
from bot.engine.variants.standing import Standing
from bot.engine.variants.sums import Sums


class OutPlan:
    """For an open side whose hand has to be laid down, where no theme is in the way."""

    def __init__(self, standing: Standing, hand: tuple[Card, ...]) -> None:
        self._standing = standing
        self._hand = hand
        self._counts = pack(hand)
        self._way = _Way(standing, self._counts, runs=0)
        self._plans = plans_for_going_out(standing, hand)
        self._looked_at = 0
        self._tried: list[_Tried] = []

    def succeeds(self) -> bool:
        """Whether the hand can be laid down."""
        standing, counts = self._standing, self._counts
        if self._way.is_found or goes_out_evidently(standing, counts, spare=1):
            return True
        if is_far_from_out(standing.rules, standing.spread, self._hand, counts):
            return False
        if too_few_canastas(standing, self._hand, counts):
            return False
        return any(tried.way.is_found or tried.laying.succeeds() for tried in self._each())

    def allows(self, step: Meld) -> bool | None:
        """Whether the rest can be laid down after it; None where that is not told.

        Of a rank from which cards go into runs the step may take the very cards that those need.
        """
        kind = step.kind
        rank = kind <= ACE
        if rank and self._way.remains(step):
            return True
        told = True
        for tried in self._each():
            if tried.used >> 8 * kind & 127:
                told = False
            elif (rank and tried.way.remains(step)) or tried.laying.allows(step):
                return True
        return False if told and self._kinds and self._looked_at < MOST_PLANS else None

    def evidently_allows(self, step: LayRun) -> bool:
        """Whether the rest evidently can be laid down once cards have been laid as a run, or have joined one."""
        standing = self._standing
        size = standing.rules.canasta_size
        lying = standing.melds.get(step.place)
        before = 0 if lying is None else lying.size
        left = self._counts
        for kind in range(step.low, step.high + 1):
            left -= 1 << 8 * kind
        return goes_out_evidently(standing, left, spare=1, runs=int(before < size <= before + step.size))

    def _each(self) -> Iterator[_Tried]:
        """The plans of runs that may do; each is worked out when the ones before it do not do."""
        yield from self._tried
        for plan in self._plans:
            self._looked_at += 1
            left = self._counts - plan.used
            if leaves_lonely(self._standing, left, spare=1):
                continue
            way = self._way
            if plan.used:
                way = _Way(self._standing, left, runs=plan.canastas - runs_lying(self._standing))
            self._tried.append(_Tried(plan.used, way, partial(self._laying, plan)))
            yield self._tried[-1]

    @cached_property
    def _kinds(self) -> list[Kind | None]:
        """Of which kinds a card may be left."""
        return may_be_left(self._standing, tally(self._counts), spare=1)

    @cached_property
    def _sums(self) -> Sums[Any]:
        return sums_for(self._standing, tally(self._counts), FREE[0])

    def _laying(self, plan: RunPlan) -> Laying[Any]:
        held = tally(self._counts - plan.used)
        return Laying(self._standing, held, self._kinds, self._sums, runs=plan.canastas, regrouping=True)


class _Way:
    """How what a plan of runs leaves evidently can be laid, if it can; `runs` more canastas lie there then."""

    def __init__(self, standing: Standing, left: Counts, *, runs: int) -> None:
        rules = standing.rules
        self._standing = standing
        self._left = left
        self._lacking = rules.out_canastas - standing.spread.canastas - runs
        self._found: WayOut | None = None
        if rules.out_discard == "mandatory" or not has_runs(standing, runs):
            return
        if self._lacking <= 0 or makes(standing, left, self._lacking, wilds=0):
            self._found = way_out(standing, left, spare=1)

    @property
    def is_found(self) -> bool:
        """Whether there is one."""
        return self._found is not None

    def remains(self, step: Meld) -> bool:
        """Whether there still is when the step has been taken, which lays cards of a rank that the plan leaves."""
        way, standing = self._found, self._standing
        if way is None or not way.remains(standing, step):
            return False
        if self._lacking <= 0 or keeps_making(standing, step):
            return True
        return makes(standing, self._left & ~(127 << 8 * step.kind), self._lacking, wilds=0)


class _Tried:
    """A plan of runs: the cards used, and how what it leaves can be laid."""

    def __init__(self, used: Counts, way: _Way, laying: Callable[[], Laying[Any]]) -> None:
        self.used = used
        self.way = way
        self._laying = laying

    @cached_property
    def laying(self) -> Laying[Any]:
        """The sums of what it leaves."""
        return self._laying()
