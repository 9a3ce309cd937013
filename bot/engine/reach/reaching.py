"""Reaching: the points that a hand can still add to an initial meld.

A step is legal only when some line of play after it ends the turn lawfully. Runs are tried first, since they take cards
of several ranks; what is left is laid family by family, and of ways that come to the same only the best is kept. Where
neither the number of cards that stay nor a theme matters, families share nothing but wild cards, and what they come to
adds up (`Sums`). Whether the hand can go out is asked of `bot.engine.reach.finishing`.

Decides `docs/law/classic.md 1.11, 1.23`. Reads `canasta_size`, `meld_kinds`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from itertools import accumulate
from operator import add
from typing import Final, TypeAlias

from bot.engine.cards.cards import JOKER, NATURAL_KINDS, TWO, Card, counts_of
from bot.engine.cards.counts import KINDS_OF, RANKS
from bot.engine.cards.places import DEUCE_MELD, WILD_MELD, Family
from bot.engine.reach.bounds import SWITCHED_OFF
from bot.engine.reach.laying_last import freed
from bot.engine.reach.openings import Demand, Goal
from bot.engine.reach.parting import (
    WildDeal,
    families_for,
    free_wilds,
    lying_of,
    meets_demand,
    sought_of,
    ways_to_lay,
    wild_deals,
)
from bot.engine.reach.runs import RunPlan, left_by, run_plans
from bot.engine.reach.sought import demand_met
from bot.engine.reach.standing import Standing
from bot.engine.reach.ways import Lying, alike, ways_of
from bot.engine.rules.rule_set import RuleSet

NEVER: Final = -(10**6)
"""The points of what cannot be laid: with whatever is added, they are less than any minimum."""

Points: TypeAlias = tuple[int, ...]
"""The most points of the naturals that lie with exactly so many wild cards, by that number."""

Own: TypeAlias = tuple[Points, Points]
"""The points of a family twice: of any way to lay it, then of those ways alone that meet what is demanded."""

Gone: TypeAlias = tuple[int, int, int]
"""How many twos and jokers a step lays, and how many of the other cards are kept."""


def most_points(standing: Standing, hand: Sequence[Card], goal: Goal, *, keep: int) -> int:
    """Return the most points the hand can add while meeting the demand and keeping so many cards; -1 where it cannot.

    The search ends as soon as the goal is reached; the answer is then the points of the way found, not the most.
    """
    return _most_points(standing, hand, goal, -1, keep=keep)


def reaches(standing: Standing, hand: Sequence[Card], goal: Goal, *, keep: int) -> bool:
    """Return whether the hand can add the goal's points while meeting its demand and keeping so many cards."""
    return _most_points(standing, hand, goal, goal.points - 1, keep=keep) >= goal.points


def _most_points(standing: Standing, hand: Sequence[Card], goal: Goal, best: int, *, keep: int) -> int:
    """Return the most points the hand can add, where they are more than `best`; otherwise `best`."""
    most_cards = len(hand) - keep
    if most_cards < 0:
        return best
    values = standing.rules.card_values
    held = counts_of(hand)
    for plan in run_plans(standing, hand):
        if plan.cards <= most_cards:
            in_runs = plan.points(values)
            left = left_by(plan, held)
            best = max(best, in_runs + _of_plan(standing, left, plan, goal, best - in_runs, most_cards - plan.cards))
        if best >= goal.points:
            return best
    for after, rest, points in freed(standing, tuple(hand)):
        best = max(best, points + _most_points(after, rest, goal.less(points), best - points, keep=keep))
    return best


def _of_plan(standing: Standing, held: Sequence[int], plan: RunPlan, goal: Goal, best: int, most_cards: int) -> int:
    """Return the most points of the cards that the runs of a plan leave, where they are more than `best`.

    Otherwise `best`.
    """
    met = bool(demand_met(goal.demand, plan)) or (goal.demand == "wild" and any(standing.of_family(WILD_MELD)))
    for deal in wild_deals(standing, *free_wilds(standing, held), wilds=goal.wilds):
        if "sums" not in SWITCHED_OFF:
            sums = Sums(standing, held, "none" if met else goal.demand, deal)
            if sums.high <= best:
                continue
            free = sums.usable <= most_cards and standing.limits is None and not goal.groups
            if free and sums.surely_but((), goal.points):
                return max(best, goal.points)
            most = sums.most()
            if most <= best:
                continue  # it cannot be more when cards have to stay, or a theme asks for more
            if free:
                best = most
                continue
        best = max(best, _dearest(standing, held, plan, goal, deal, met=met, most_cards=most_cards))
    return best


def _dearest(
    standing: Standing,
    held: Sequence[int],
    plan: RunPlan,
    goal: Goal,
    deal: WildDeal,
    *,
    met: bool,
    most_cards: int,
) -> int:
    """Return the most points of sets and wild cards that at most so many cards make; `NEVER` where none do."""
    values = standing.rules.card_values
    sought = sought_of(standing, goal)
    if sought is not None and not sought.may_make(plan):
        return NEVER
    # (naturals laid, wild cards laid, what is reached) → points of the naturals
    best = {(0, 0, int(met) if sought is None else int(met) | sought.begun(plan)): 0}
    families = families_for(standing, held, deal)
    if not met:  # what lies there may be what is demanded, as long as nothing spoils it
        families += [kind for kind in NATURAL_KINDS if kind not in families and kind in standing.spread.families]
    for family in families:
        worth_of_one = values[TWO if family == DEUCE_MELD else family] if family != WILD_MELD else 0
        grown: dict[tuple[int, int, int], int] = {}
        for way in ways_to_lay(standing, family, held, deal):
            meets_now = meets_demand(goal.demand, family, way)
            for (laid, used, done), points in best.items():
                reached = done | meets_now if sought is None else sought.join(done, family, way, met=meets_now)
                if reached is None:
                    continue
                key = (laid + way.naturals, used + way.wilds, reached)
                if key[1] > deal.most or key[0] + key[1] > most_cards:
                    continue
                grown[key] = max(grown.get(key, 0), points + way.naturals * worth_of_one)
        best = grown
    twos, jokers = free_wilds(standing, held)
    wilds = _values_of(standing.rules, twos - deal.deuces, jokers)
    return max(
        (
            points + wilds[used]
            for (_, used, done), points in best.items()
            if (done if sought is None else sought.accepts(done, out=False))
        ),
        default=NEVER,
    )


class Sums:
    """What the families of a hand come to together, for one demand and one way to part the wild cards.

    `usable` is how many cards could be laid at all. As long as that is no more than may leave the hand, the cards to be
    kept limit nothing. `high` is a number of points that no way exceeds.
    """

    def __init__(self, standing: Standing, held: Sequence[int], demand: Demand, deal: WildDeal) -> None:
        rules, spread, closed = standing.rules, standing.spread, standing.closed
        twos, jokers = free_wilds(standing, held)
        enough = spread.wild if deal.spare else spread.plain
        asked: list[tuple[Family, int, int]] = [
            (kind, 0, 0) if kind in closed else (kind, held[kind], deal.spare)
            for kind in KINDS_OF[int.from_bytes(held, "little") + enough & RANKS | spread.melded]
        ]
        if deal.alone:
            asked.append((WILD_MELD, 0, deal.most))
        if "deuce" in rules.meld_kinds:
            asked.append((DEUCE_MELD, deal.deuces, min(jokers, deal.most)))
        self.deal = deal
        self.table = _table_of(rules, demand, opening=standing.opening)
        self.usable, self.high = deal.most, _values_of(rules, twos - deal.deuces, jokers)[-1]
        self._wilds = twos - deal.deuces, jokers
        self._rules = rules
        self._demanding = demand != "none"
        self._low = 0
        self._own: dict[Family, Own] = {}
        self._holders: list[Family] = []
        self._others: dict[Family | None, Own] = {}
        self._with_wilds: dict[tuple[Family | None, Gone], Own] = {}
        for family, naturals, wilds in asked:
            own = self.table[family, lying_of(standing, family), naturals, wilds, family == deal.finish]
            self._own[family] = own
            self._low += own[0][0]
            self.high += max(own[0])
            self.usable += naturals
            if own[1][0] == own[0][0]:
                self._holders.append(family)

    def surely_but(self, families: Collection[Family], points: int) -> bool:
        """Return whether all families but those certainly come to so many points, without any wild card."""
        if self._low < points or (self._demanding and all(family in families for family in self._holders)):
            return False
        return self._low - sum([self._own[family][0][0] for family in families if family in self._own]) >= points

    def most(self, but: Family | None = None, own: Own = ((0,), (NEVER,)), gone: Gone = (0, 0, 0)) -> int:
        """The most points of all families, when `own` takes the place of what the sums have for the family `but`.

        `gone` are the wild cards that a step lays, and how many stay. Far below zero where the demand is not met.
        """
        others = self._with_wilds.get((but, gone))
        if others is None:
            others = self._with_wilds[but, gone] = self._others_with_wilds(but, gone)
        most = max(map(add, own[0], others[1]), default=NEVER)
        return max(most, max(map(add, own[1], others[0]), default=NEVER)) if self._demanding else most

    def _others_with_wilds(self, but: Family | None, gone: Gone) -> Own:
        """What all families apart from `but` come to, wild cards included, by how many wild cards lie in `but`."""
        twos, jokers = self._wilds[0] - gone[0], self._wilds[1] - gone[1]
        if twos < 0 or jokers < 0:
            return (), ()
        values = _values_of(self._rules, twos, jokers)[: max(0, min(twos + jokers, self.deal.most) + 1 - gone[2])]
        if but not in self._others:
            self._others[but] = self._all_but(but)
        whatever, holding = [
            tuple([max(map(add, points, values[used:])) for used in range(len(values))]) for points in self._others[but]
        ]
        return whatever, holding

    def _all_but(self, but: Family | None) -> Own:
        """What all families but that one come to."""
        points: Points = (0, *[NEVER] * self.deal.most)
        holding: Points = (NEVER,) * len(points)
        for family, (own, demanded) in self._own.items():
            if family != but:
                if self._demanding:
                    holding = _sum(own, holding)
                    if max(demanded) > NEVER:
                        holding = tuple(map(max, holding, _sum(demanded, points)))
                points = _sum(own, points)
        return points, holding if self._demanding else points


def _sum(own: Points, others: Points) -> Points:
    """What a family and others come to together, for as many wild cards as the others are told for."""
    if len(own) == 1:
        return tuple([points + own[0] for points in others])
    return tuple([max(map(add, own, others[used::-1])) for used in range(len(others))])


@cache
def _values_of(rules: RuleSet, twos: int, jokers: int) -> Points:
    """What the dearest of so many twos and jokers count together, by how many are laid."""
    dearest_first = sorted([rules.card_values[TWO]] * twos + [rules.card_values[JOKER]] * jokers, reverse=True)
    return tuple(accumulate(dearest_first, initial=0))


_Asked: TypeAlias = tuple[Family, Lying, int, int, bool]
"""A family, its melds that lie there, how many naturals and wild cards there are, and whether it has to be a
canasta."""


class _Table(dict[_Asked, Own]):
    """What single families come to; filled in as they are asked for."""

    def __init__(self, rules: RuleSet, demand: Demand, *, opening: bool) -> None:
        self._rules = rules
        self._demand = demand
        self._opening = opening

    def __missing__(self, key: _Asked) -> Own:
        family, lying, naturals, wilds, finish = key
        whatever, demanded = [NEVER] * (wilds + 1), [NEVER] * (wilds + 1)
        worth = 0 if family == WILD_MELD else self._rules.card_values[TWO if family == DEUCE_MELD else family]
        closed = sum([sum(meld) >= self._rules.canasta_size for meld in lying])
        for way in ways_of(self._rules, alike(self._rules, family), lying, (naturals, wilds), opening=self._opening):
            if (finish and way.canastas <= closed) or (family == DEUCE_MELD and way.naturals != naturals):
                continue
            points = way.naturals * worth
            whatever[way.wilds] = max(whatever[way.wilds], points)
            if meets_demand(self._demand, family, way):
                demanded[way.wilds] = max(demanded[way.wilds], points)
        self[key] = tuple(whatever), tuple(demanded)
        return self[key]


_table_of = cache(_Table)
