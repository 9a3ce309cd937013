"""Search for whether a hand can go out.

All cards must be melded except one that may be discarded, and the melds must then include the canastas that going out
requires. Runs are tried plan by plan; the other cards are melded family by family, and of equivalent ways only one is
followed. Hands certainly too far from going out are found by their counts (`bot.engine.reach.quick_bounds`).

Decides `docs/law/classic.md 1.15, 1.23` and `docs/law/variants.md 3.10, 3.12`. Reads `discard_bans`, `out_canastas`,
`out_discard`, `out_excludes`, `out_need`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from operator import mul
from typing import Final

from bot.engine.cards.cards import BLACK_THREE, JOKER, NATURAL_KINDS, RED_THREE, SEVEN, TWO, Card, Kind, counts_of
from bot.engine.cards.meld_places import DEUCE_MELD, WILD_MELD, Family
from bot.engine.cards.packed_counts import Counts, pack_counts
from bot.engine.melds.canastas import CanastaTally, is_enough_to_go_out
from bot.engine.melds.meld_shapes import number_of_unmeldable_black_threes
from bot.engine.reach import plain_rules
from bot.engine.reach.dividing_wild_cards import (
    WildCardDivision,
    divisions_of_wilds,
    families_for,
    is_demand_met_by,
    meldable_wilds,
    theme_demands_of,
    ways_to_lay_all_naturals,
)
from bot.engine.reach.merging_melds import standings_after_mergers
from bot.engine.reach.opening_goals import Goal, remaining_goals
from bot.engine.reach.quick_bounds import is_far_from_out, lacks_canastas_for_out
from bot.engine.reach.runs import RunPlan, cards_left_by, run_plans
from bot.engine.reach.search_demands import DEMAND_MET, ThemeDemands, bits_met_by_runs
from bot.engine.reach.step_search import canastas_that_unlock
from bot.engine.reach.turn_outlook import Standing
from bot.engine.reach.ways_to_meld import Way
from bot.engine.rules.parameter_declarations import DiscardBan
from bot.engine.rules.rule_set import RuleSet

NO_DEMANDS: Final = (Goal(0),)
"""The goals of a side that has opened: no demands."""


def can_finish(
    standing: Standing,
    hand: tuple[Card, ...],
    goals: Sequence[Goal] = NO_DEMANDS,
    *,
    spare: int = 1,
    regrouping: bool = True,
) -> bool:
    """Return whether the seat can meld its hand down to at most `spare` cards and go out.

    The canastas for going out must be there then, and one of the goals must be reached. If a discard is required and
    one card may be left, exactly one is left. With `regrouping`, melds may be merged first.
    """
    counts = pack_counts(hand)
    if is_far_from_out(standing.rules, standing.spread, hand, counts):
        return False
    return can_lay_down(standing, hand, counts, goals, spare=spare, regrouping=regrouping)


def can_lay_down(
    standing: Standing,
    hand: tuple[Card, ...],
    counts: Counts,
    goals: Sequence[Goal],
    *,
    spare: int,
    regrouping: bool,
) -> bool:
    """Return the answer of `can_finish` for a hand that is not too far from going out.

    `quick_bounds.is_far_from_out` must be false. `counts` are the hand's counts.
    """
    known = plain_rules.can_finish_plainly(standing, counts, goals, spare=spare)
    if known is not None:
        return known
    if lacks_canastas_for_out(standing, hand, counts):
        return False
    ways = standings_after_mergers(standing) if regrouping else (standing,)
    return any(_can_lay_down_unmerged(one, hand, goals, spare=spare) for one in ways)


def _can_lay_down_unmerged(standing: Standing, hand: tuple[Card, ...], goals: Sequence[Goal], *, spare: int) -> bool:
    """Return whether the hand can be melded and one of the goals reached, without merging melds first."""
    held = counts_of(hand)
    left = possible_last_kinds(standing, held, spare=spare)
    if left and any(_can_reach_goal(standing, hand, held, left, goal) for goal in goals):
        return True
    return any(
        _can_lay_down_unmerged(after, rest, remaining_goals(goals, points), spare=spare)
        for after, rest, points in canastas_that_unlock(standing, hand)
    )


def _can_reach_goal(
    standing: Standing, hand: tuple[Card, ...], held: Sequence[int], left: Sequence[Kind | None], goal: Goal
) -> bool:
    """Return whether all cards but one can be melded such that the goal is reached.

    The card left over is of one of the kinds `left`; None stands for no card. The plan of runs decides which card of
    that kind it is. A wild card is removed before the search; a natural card is found by the search.
    """
    values = standing.rules.card_values
    worth = sum(map(mul, held, values))
    wilds = held[TWO] + held[JOKER]
    left = [kind for kind in left if worth - (0 if kind is None else values[kind]) >= goal.points]
    if not goal.wilds:
        left = [kind for kind in left if wilds == (kind in _WILDS)]
    if not left:
        return False
    plans = run_plans(standing, hand, going_out=True)
    others = [kind for kind in left if kind not in _WILDS]
    if others and any(_can_meld_all_besides_runs(standing, held, plan, goal, others) for plan in plans):
        return True
    return any(
        kind in left
        and any(
            _can_meld_all_besides_runs(standing, _counts_without_one(held, kind), plan, goal, (None,)) for plan in plans
        )
        for kind in _WILDS
    )


_WILDS: Final = (TWO, JOKER)


def _counts_without_one(held: Sequence[int], kind: Kind) -> Sequence[int]:
    """Return the numbers of cards by kind, with one card of that kind less."""
    return (*held[:kind], held[kind] - 1, *held[kind + 1 :])


def _can_meld_all_besides_runs(
    standing: Standing, laid: Sequence[int], plan: RunPlan, goal: Goal, left: Sequence[Kind | None]
) -> bool:
    """Return whether all these cards but one can be melded, together with the runs of a plan.

    The card left over is of one of the kinds `left`; None stands for no card.
    """
    held = cards_left_by(plan, laid)
    sought = theme_demands_of(standing, goal)
    if sought is not None and not sought.may_make_run_canastas(plan):
        return False
    met = bits_met_by_runs(goal.demand, plan)
    if goal.demand == "wild" and standing.melds_of_family(WILD_MELD):
        met = DEMAND_MET
    met |= 0 if sought is None else sought.bits_met_at_start(plan)
    every = held[TWO] + held[JOKER]
    runs = CanastaTally(0, 0, 0, plan.canastas, 0, 0, 0 if "seq" in standing.rules.out_excludes else plan.canastas)
    whole = any(kind not in NATURAL_KINDS for kind in left)  # then the naturals need not keep a card for the discard
    for deal in divisions_of_wilds(standing, *meldable_wilds(standing, held)):
        if deal.deuces + deal.most < every:
            continue
        options = _family_options(standing, held, deal, left)
        if options is not None:
            search = _WayOutSearch(standing.rules, goal, sought, options, whole=whole)
            if search.can_succeed(0, every - deal.deuces, 0, met, runs):
                return True
    return False


_Options = list[tuple[Family, Sequence[Way], Sequence[Way]]]
"""Each family with the ways to meld all its cards, and the ways to meld all but one."""


def _family_options(
    standing: Standing, held: Sequence[int], division: WildCardDivision, left: Sequence[Kind | None]
) -> _Options | None:
    """Return, for each family, the ways to meld all its cards, and the ways to meld all but one.

    None if more than one card could not be melded.
    """
    found: _Options = []
    stuck = 0
    for family in _all_families(standing, held, division):
        whole = ways_to_lay_all_naturals(standing, family, held, division)
        less: Sequence[Way] = ()
        if family in left and held[family]:
            less = ways_to_lay_all_naturals(standing, family, _counts_without_one(held, family), division)
        if not whole:
            stuck += 1
            if stuck > 1 or not less:
                return None
        found.append((family, whole, less))
    return found


class _WayOutSearch:
    """A search for a way to meld each family so that the seat may go out, families with few ways first."""

    def __init__(
        self, rules: RuleSet, goal: Goal, sought: ThemeDemands | None, options: _Options, *, whole: bool
    ) -> None:
        self._rules = rules
        self._demand = goal.demand
        self._sought = sought
        self._options = sorted(options, key=lambda option: len(option[1]) + len(option[2]))
        self._whole = whole
        self._seen: set[tuple[int, int, int, int, CanastaTally]] = set()

    def can_succeed(self, number: int, wilds: int, left: int, done: int, held: CanastaTally) -> bool:
        """Return whether exactly `wilds` wild cards can be melded with the families from `number` on.

        `left` is the number of naturals left over so far, `done` the demands met (`bot.engine.reach.search_demands`),
        `held` the canastas so far.
        """
        if number == len(self._options):
            return (
                not wilds
                and bool(left or self._whole)
                and self._is_goal_met(done)
                and is_enough_to_go_out(self._rules, held)
            )
        key = number, wilds, left, done, held
        if key in self._seen:
            return False
        self._seen.add(key)
        family, whole, less = self._options[number]
        for leaving, ways in ((left, whole), (1, () if left else less)):
            for way in ways:
                now = self._bits_after_melding(done, family, way) if way.wilds <= wilds else None
                if now is not None:
                    more = _tally_with_way(self._rules, held, family, way)
                    if self.can_succeed(number + 1, wilds - way.wilds, leaving, now, more):
                        return True
        return False

    def _is_goal_met(self, done: int) -> bool:
        return bool(done) if self._sought is None else self._sought.are_bits_enough(done, out=True)

    def _bits_after_melding(self, done: int, family: Family, way: Way) -> int | None:
        met = self._demand != "none" and is_demand_met_by(self._demand, family, way)
        return done | met if self._sought is None else self._sought.bits_after_melding(done, family, way, met=met)


def _tally_with_way(rules: RuleSet, held: CanastaTally, family: Family, way: Way) -> CanastaTally:
    """Return the canastas `held`, with those that melding the family in this way adds."""
    natural, mixed, wild = way.natural_canastas, way.mixed_canastas, way.wild_canastas
    if family == DEUCE_MELD:
        natural, mixed, wild = 0, 0, natural + mixed
    if not (natural or mixed or wild):
        return held
    made = (("natural", natural), ("mixed", mixed), ("wild", wild))
    of_sevens = family == SEVEN
    return CanastaTally(
        held.natural + natural,
        held.mixed + mixed,
        held.wild + wild,
        held.seq,
        held.natural_sevens + natural * of_sevens,
        held.mixed_sevens + mixed * of_sevens,
        held.counting + sum([count for kind, count in made if kind not in rules.out_excludes]),
    )


def _all_families(standing: Standing, held: Sequence[int], division: WildCardDivision) -> list[Family]:
    """Return every family with cards to meld, with room for wild cards, or with existing melds."""
    found = families_for(standing, held, division)
    for kind in NATURAL_KINDS:
        if kind not in found and (held[kind] or kind in standing.spread.families):
            found.append(kind)
    return found


# --- the one card that is left to discard -----------------------------------------------------------------------------


BANNED_AS_LAST: Final[Mapping[DiscardBan, frozenset[Kind]]] = {
    "7_last": frozenset({SEVEN}),
    "J": frozenset({JOKER}),
    "threes": frozenset({BLACK_THREE, RED_THREE}),
}


@cache
def kinds_never_last(rules: RuleSet) -> frozenset[Kind]:
    """Return the kinds of cards that may not be the last discard when going out."""
    return frozenset().union(*[kinds for ban, kinds in BANNED_AS_LAST.items() if ban in rules.discard_bans])


def possible_last_kinds(standing: Standing, held: Sequence[int], *, spare: int) -> list[Kind | None]:
    """Return the kinds of the card that may be the only one left in the hand; None stands for no card.

    Threes and cards of closed kinds, which cannot be melded, must be among the cards left.
    """
    rules = standing.rules
    if rules.out_discard == "forbidden":
        spare = 0
    stuck = _unplayable_kinds(standing, held)
    if stuck is None:
        found: list[Kind | None] = [None] if not spare or rules.out_discard != "mandatory" else []
        kinds = [kind for kind, count in enumerate(held) if count] if spare else []
        if BLACK_THREE in kinds and number_of_unmeldable_black_threes(rules, held[BLACK_THREE] - 1):
            kinds.remove(BLACK_THREE)
    elif len(stuck) == 1 and spare:
        found, kinds = [], stuck
    else:
        return []
    if rules.discard_bans:
        banned = kinds_never_last(rules)
        kinds = [kind for kind in kinds if kind not in banned]
    return [*found, *kinds]


def _unplayable_kinds(standing: Standing, held: Sequence[int]) -> list[Kind] | None:
    """Return the kinds of the cards that cannot be melded, or None if there are none.

    They are threes that make no meld, and closed kinds.
    """
    closed = standing.closed
    found = [RED_THREE] * held[RED_THREE]
    if closed:
        found += [kind for kind in closed for _ in range(held[kind])]
    if BLACK_THREE not in closed:
        found += [BLACK_THREE] * number_of_unmeldable_black_threes(standing.rules, held[BLACK_THREE])
    return found or None
