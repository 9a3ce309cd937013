"""The points that a hand can still add to an initial meld.

A step is legal only if some line of play after it ends the turn legally. Runs are tried first, since they use cards of
several ranks; the other cards are melded family by family, and of equivalent ways only the best is kept. If neither the
number of cards to keep nor a theme matters, families share only wild cards, and their points can be added
(`FamilySums`). Whether the hand can go out is decided by `bot.engine.reach.going_out_search`.

Decides `docs/law/classic.md 1.11, 1.23`. Reads `canasta_size`, `meld_kinds`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from itertools import accumulate
from operator import add
from typing import Final, TypeAlias

from bot.engine.cards.cards import JOKER, NATURAL_KINDS, TWO, Card, counts_of
from bot.engine.cards.meld_places import DEUCE_MELD, WILD_MELD, Family
from bot.engine.cards.packed_counts import KINDS_OF, RANKS
from bot.engine.reach.dividing_wild_cards import (
    WildCardDivision,
    divisions_of_wilds,
    families_for,
    is_demand_met_by,
    meldable_wilds,
    melds_of_family,
    theme_demands_of,
    ways_to_lay,
)
from bot.engine.reach.opening_goals import Demand, Goal
from bot.engine.reach.quick_bounds import SWITCHED_OFF
from bot.engine.reach.runs import RunPlan, cards_left_by, run_plans
from bot.engine.reach.search_demands import bits_met_by_runs
from bot.engine.reach.step_search import canastas_that_unlock
from bot.engine.reach.turn_outlook import Standing
from bot.engine.reach.ways_to_meld import MeldSizes, family_with_same_ways, ways_of
from bot.engine.rules.rule_set import RuleSet

IMPOSSIBLE: Final = -(10**6)
"""The points of an impossible way: whatever is added, the sum is below any minimum."""

Points: TypeAlias = tuple[int, ...]
"""The most points of the naturals, indexed by the exact number of wild cards melded with them."""

Own: TypeAlias = tuple[Points, Points]
"""The points of a family twice: by any way, then only by the ways that meet the demand."""

Gone: TypeAlias = tuple[int, int, int]
"""The wild cards unavailable to other families: the twos and jokers that a step melds, and others to be kept."""


def most_points(standing: Standing, hand: Sequence[Card], goal: Goal, *, keep: int) -> int:
    """Return the most points the hand can add while meeting the demand; -1 if impossible.

    `keep` cards stay in the hand.

    The search ends when the goal is reached; the result is then the points of the way found, not the most.
    """
    return _most_points(standing, hand, goal, -1, keep=keep)


def can_reach_goal(standing: Standing, hand: Sequence[Card], goal: Goal, *, keep: int) -> bool:
    """Return whether the hand can add the goal's points, meet its demand and keep `keep` cards."""
    return _most_points(standing, hand, goal, goal.points - 1, keep=keep) >= goal.points


def _most_points(standing: Standing, hand: Sequence[Card], goal: Goal, best: int, *, keep: int) -> int:
    """Return the most points that the hand can add, or `best` if it cannot add more than that."""
    most_cards = len(hand) - keep
    if most_cards < 0:
        return best
    values = standing.rules.card_values
    held = counts_of(hand)
    for plan in run_plans(standing, hand):
        if plan.cards <= most_cards:
            in_runs = plan.points(values)
            left = cards_left_by(plan, held)
            best = max(
                best,
                in_runs + _most_after_runs(standing, left, plan, goal, best - in_runs, most_cards - plan.cards),
            )
        if best >= goal.points:
            return best
    for after, rest, points in canastas_that_unlock(standing, tuple(hand)):
        best = max(best, points + _most_points(after, rest, goal.reduced_by(points), best - points, keep=keep))
    return best


def _most_after_runs(
    standing: Standing, held: Sequence[int], plan: RunPlan, goal: Goal, best: int, most_cards: int
) -> int:
    """Return the most points that the cards can add which a plan's runs leave in the hand.

    Return `best` if it is not exceeded.
    """
    met = bool(bits_met_by_runs(goal.demand, plan)) or (
        goal.demand == "wild" and any(standing.melds_of_family(WILD_MELD))
    )
    for deal in divisions_of_wilds(standing, *meldable_wilds(standing, held), wilds=goal.wilds):
        if "sums" not in SWITCHED_OFF:
            sums = FamilySums(standing, held, "none" if met else goal.demand, deal)
            if sums.high <= best:
                continue
            free = sums.usable <= most_cards and standing.limits is None and not goal.groups
            if free and sums.surely_reaches_points((), goal.points):
                return max(best, goal.points)
            most = sums.most_points()
            if most <= best:
                continue  # if cards must be kept, or a theme limits melds, the points are even lower
            if free:
                best = most
                continue
        best = max(best, _most_of_sets(standing, held, plan, goal, deal, met=met, most_cards=most_cards))
    return best


def _most_of_sets(
    standing: Standing,
    held: Sequence[int],
    plan: RunPlan,
    goal: Goal,
    division: WildCardDivision,
    *,
    met: bool,
    most_cards: int,
) -> int:
    """Return the most points of sets and wild cards that use at most `most_cards` cards.

    Return `IMPOSSIBLE` if the demand cannot be met.
    """
    values = standing.rules.card_values
    sought = theme_demands_of(standing, goal)
    if sought is not None and not sought.may_make_run_canastas(plan):
        return IMPOSSIBLE
    # (naturals laid, wild cards laid, the demand reached) → points of the naturals
    best = {(0, 0, int(met) if sought is None else int(met) | sought.bits_met_at_start(plan)): 0}
    families = families_for(standing, held, division)
    if not met:  # a meld on the table may meet the demand, unless further cards spoil it
        families += [kind for kind in NATURAL_KINDS if kind not in families and kind in standing.spread.families]
    for family in families:
        worth_of_one = values[TWO if family == DEUCE_MELD else family] if family != WILD_MELD else 0
        grown: dict[tuple[int, int, int], int] = {}
        for way in ways_to_lay(standing, family, held, division):
            meets_now = is_demand_met_by(goal.demand, family, way)
            for (laid, used, done), points in best.items():
                reached = (
                    done | meets_now if sought is None else sought.bits_after_melding(done, family, way, met=meets_now)
                )
                if reached is None:
                    continue
                key = (laid + way.naturals, used + way.wilds, reached)
                if key[1] > division.most or key[0] + key[1] > most_cards:
                    continue
                grown[key] = max(grown.get(key, 0), points + way.naturals * worth_of_one)
        best = grown
    twos, jokers = meldable_wilds(standing, held)
    wilds = _points_of_best_wilds(standing.rules, twos - division.deuces, jokers)
    return max(
        (
            points + wilds[used]
            for (_, used, done), points in best.items()
            if (done if sought is None else sought.are_bits_enough(done, out=False))
        ),
        default=IMPOSSIBLE,
    )


class FamilySums:
    """The total points of a hand's families, for one demand and one division of the wild cards.

    `usable` is the number of cards that could be melded. If no more than that may leave the hand, the number of cards
    to keep has no effect. `high` is an upper bound of the points.
    """

    def __init__(self, standing: Standing, held: Sequence[int], demand: Demand, division: WildCardDivision) -> None:
        rules, spread, closed = standing.rules, standing.spread, standing.closed
        twos, jokers = meldable_wilds(standing, held)
        enough = spread.wild if division.spare else spread.plain
        asked: list[tuple[Family, int, int]] = [
            (kind, 0, 0) if kind in closed else (kind, held[kind], division.spare)
            for kind in KINDS_OF[int.from_bytes(held, "little") + enough & RANKS | spread.melded]
        ]
        if division.alone:
            asked.append((WILD_MELD, 0, division.most))
        if "deuce" in rules.meld_kinds:
            asked.append((DEUCE_MELD, division.deuces, min(jokers, division.most)))
        self.deal = division
        self.table = _table_of(rules, demand, opening=standing.opening)
        self.usable, self.high = division.most, _points_of_best_wilds(rules, twos - division.deuces, jokers)[-1]
        self._wilds = twos - division.deuces, jokers
        self._rules = rules
        self._demanding = demand != "none"
        self._low = 0
        self._own: dict[Family, Own] = {}
        self._holders: list[Family] = []
        self._others: dict[Family | None, Own] = {}
        self._with_wilds: dict[tuple[Family | None, Gone], Own] = {}
        for family, naturals, wilds in asked:
            own = self.table[family, melds_of_family(standing, family), naturals, wilds, family == division.finish]
            self._own[family] = own
            self._low += own[0][0]
            self.high += max(own[0])
            self.usable += naturals
            if own[1][0] == own[0][0]:
                self._holders.append(family)

    def surely_reaches_points(self, families: Collection[Family], points: int) -> bool:
        """Return whether the families other than these certainly total `points`, without any wild card."""
        if self._low < points or (self._demanding and all(family in families for family in self._holders)):
            return False
        return self._low - sum([self._own[family][0][0] for family in families if family in self._own]) >= points

    def most_points(
        self, replaced: Family | None = None, own: Own = ((0,), (IMPOSSIBLE,)), gone: Gone = (0, 0, 0)
    ) -> int:
        """Return the most points that all melds can have, with `own` as the points of the family `replaced`.

        `gone` are the twos and jokers that a step melds, and the number of cards to keep. The result is far below zero
        if the demand is not met.
        """
        others = self._with_wilds.get((replaced, gone))
        if others is None:
            others = self._with_wilds[replaced, gone] = self._others_with_wilds(replaced, gone)
        most = max(map(add, own[0], others[1]), default=IMPOSSIBLE)
        return max(most, max(map(add, own[1], others[0]), default=IMPOSSIBLE)) if self._demanding else most

    def _others_with_wilds(self, replaced: Family | None, gone: Gone) -> Own:
        """Return the most points of all families but `replaced`, wild cards included.

        They are indexed by the number of wild cards that `replaced` gets.
        """
        twos, jokers = self._wilds[0] - gone[0], self._wilds[1] - gone[1]
        if twos < 0 or jokers < 0:
            return (), ()
        values = _points_of_best_wilds(self._rules, twos, jokers)[
            : max(0, min(twos + jokers, self.deal.most) + 1 - gone[2])
        ]
        if replaced not in self._others:
            self._others[replaced] = self._points_without(replaced)
        whatever, holding = [
            tuple([max(map(add, points, values[used:])) for used in range(len(values))])
            for points in self._others[replaced]
        ]
        return whatever, holding

    def _points_without(self, left_out: Family | None) -> Own:
        """Return the points of all families except `left_out`."""
        points: Points = (0, *[IMPOSSIBLE] * self.deal.most)
        holding: Points = (IMPOSSIBLE,) * len(points)
        for family, (own, demanded) in self._own.items():
            if family != left_out:
                if self._demanding:
                    holding = _total_points(own, holding)
                    if max(demanded) > IMPOSSIBLE:
                        holding = tuple(map(max, holding, _total_points(demanded, points)))
                points = _total_points(own, points)
        return points, holding if self._demanding else points


def _total_points(own: Points, others: Points) -> Points:
    """Return the most points of a family and all others together.

    `own` are the family's points by its number of wild cards; `others` and the result are indexed by the number of wild
    cards used in all.
    """
    if len(own) == 1:
        return tuple([points + own[0] for points in others])
    return tuple([max(map(add, own, others[used::-1])) for used in range(len(others))])


@cache
def _points_of_best_wilds(rules: RuleSet, twos: int, jokers: int) -> Points:
    """Return the points of the most valuable of these wild cards, indexed by how many are melded."""
    dearest_first = sorted([rules.card_values[TWO]] * twos + [rules.card_values[JOKER]] * jokers, reverse=True)
    return tuple(accumulate(dearest_first, initial=0))


_FamilyKey: TypeAlias = tuple[Family, MeldSizes, int, int, bool]
"""A family, its melds, the numbers of naturals and wild cards available, whether it must be a canasta."""


class _FamilyPointsCache(dict[_FamilyKey, Own]):
    """Cache of the points that each family can get with its cards."""

    def __init__(self, rules: RuleSet, demand: Demand, *, opening: bool) -> None:
        self._rules = rules
        self._demand = demand
        self._opening = opening

    def __missing__(self, key: _FamilyKey) -> Own:
        family, lying, naturals, wilds, finish = key
        whatever, demanded = [IMPOSSIBLE] * (wilds + 1), [IMPOSSIBLE] * (wilds + 1)
        worth = 0 if family == WILD_MELD else self._rules.card_values[TWO if family == DEUCE_MELD else family]
        closed = sum([sum(meld) >= self._rules.canasta_size for meld in lying])
        for way in ways_of(
            self._rules, family_with_same_ways(self._rules, family), lying, (naturals, wilds), opening=self._opening
        ):
            if (finish and way.canastas <= closed) or (family == DEUCE_MELD and way.naturals != naturals):
                continue
            points = way.naturals * worth
            whatever[way.wilds] = max(whatever[way.wilds], points)
            if is_demand_met_by(self._demand, family, way):
                demanded[way.wilds] = max(demanded[way.wilds], points)
        self[key] = tuple(whatever), tuple(demanded)
        return self[key]


_table_of = cache(_FamilyPointsCache)
