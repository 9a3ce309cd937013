"""Runs: cards of one suit in sequence, from four to ace, without wild cards.

A run has at least three cards. With `canasta_size` cards it is a canasta and full. Only if the rules let it grow when
going out (`seq_rule`) may more cards be added. Run plans list which runs can be melded together from a hand, suit by
suit.

Decides `docs/law/classic.md 1.10` and `docs/law/variants.md 3.1, 3.3`. Reads `canasta_size`, `meld_kinds`, `seq_rule`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import mul, sub
from typing import Final

from bot.engine.cards.cards import ACE, FOUR, NATURAL_KINDS, Card, Kind, Suit, value_class
from bot.engine.cards.meld_places import RUN, Place, is_run
from bot.engine.cards.packed_counts import OF_ONE_SUIT, Counts, distinct_card_bits, numbers_by_kind
from bot.engine.melds.side_melds import Spread
from bot.engine.melds.table_meld import TableMeld
from bot.engine.moves.actions import LayRun, run_step
from bot.engine.moves.refusals import Code, Refusal, kind_name
from bot.engine.reach.turn_outlook import Standing, may_begin_another_meld
from bot.engine.rules.rule_set import RuleSet

SMALLEST_RUN = 3


def suit_of_run(place: Place) -> Suit:
    """Return the suit of a run at that place."""
    return place & 3


def ends_of_run(meld: TableMeld) -> tuple[Kind, Kind]:
    """Return the lowest and the highest rank of a run."""
    return meld.cards[0] >> 2, meld.cards[-1] >> 2


def most_cards_of_run(rules: RuleSet) -> int:
    """Return the most cards that a run may ever have."""
    return ACE + 1 if rules.seq_rule == "grows_going_out" else rules.canasta_size


def why_not_run(standing: Standing, place: Place, low: Kind, high: Kind) -> Refusal | None:
    """Return the refusal if the cards from `low` to `high` make or extend no run at that place, else None."""
    rules = standing.rules
    if rules.seq_rule == "none" or "seq" not in rules.meld_kinds or not is_run(place):
        return Refusal(Code.RUNS_OFF)
    if not FOUR <= low <= high <= ACE:
        return Refusal(Code.RUN_RANKS, {"low": kind_name(low), "high": kind_name(high)})
    closed = next((kind for kind in range(low, high + 1) if kind in standing.closed), None)
    if closed is not None:
        return Refusal(Code.RANK_CLOSED, {"kind": kind_name(closed)})
    lying = standing.melds.get(place)
    count = high - low + 1
    if lying is None:
        if not SMALLEST_RUN <= count <= rules.canasta_size:
            return Refusal(Code.RUN_SIZE, {"count": count, "least": SMALLEST_RUN, "most": rules.canasta_size})
        return None
    first, last = ends_of_run(lying)
    if high != first - 1 and low != last + 1:
        return Refusal(Code.RUN_NOT_AT_END, {"low": kind_name(first), "high": kind_name(last)})
    most = most_cards_of_run(rules) if lying.size >= rules.canasta_size else rules.canasta_size
    if lying.size >= most:
        return Refusal(Code.RUN_FULL, {"size": lying.size, "low": kind_name(first), "high": kind_name(last)})
    if lying.size + count > most:
        return Refusal(Code.RUN_SIZE, {"count": lying.size + count, "least": SMALLEST_RUN, "most": most})
    return None


def card_bits_usable_in_runs(spread: Spread, hand: tuple[Card, ...]) -> int:
    """Return the cards of a hand that could be in some run, one bit each (`distinct_card_bits`)."""
    held = distinct_card_bits(hand)
    there = held | spread.in_runs
    threes = there & there >> 4 & there >> 8
    return held & (threes | threes << 4 | threes << 8)


def run_steps(standing: Standing, hand: tuple[Card, ...]) -> list[LayRun]:
    """Return every way to begin a run from the hand, or to add to one.

    Suit by suit, existing runs come before new ones. Lower cards come before higher ones, fewer before more.
    """
    rules = standing.rules
    if "seq" not in rules.meld_kinds or rules.seq_rule == "none":
        return []
    usable = card_bits_usable_in_runs(standing.spread, hand)
    steps: list[LayRun] = []
    for suit in range(4):
        held = usable >> suit & OF_ONE_SUIT
        if not held:
            continue
        family = RUN + suit
        for run in standing.melds_of_family(family):
            steps += _run_extensions(rules, run, held)
        if standing.may_begin_meld(family):
            steps += _new_runs(rules, standing.new_place(family), held)
    if standing.closed:
        return [step for step in steps if why_not_run(standing, step.place, step.low, step.high) is None]
    return steps


def _run_extensions(rules: RuleSet, run: TableMeld, held: int) -> Iterator[LayRun]:
    """Yield the steps that extend a run at either end.

    `held` has a bit for each card of its suit in the hand, four apart.
    """
    low, high = ends_of_run(run)
    room = (most_cards_of_run(rules) if run.size >= rules.canasta_size else rules.canasta_size) - run.size
    for count in range(1, min(room, low) + 1):
        if not held >> 4 * (low - count) & 1:
            break
        yield run_step(run.place, low - count, low - 1)
    for count in range(1, min(room, ACE - high) + 1):
        if not held >> 4 * (high + count) & 1:
            break
        yield run_step(run.place, high + 1, high + count)


def _new_runs(rules: RuleSet, place: Place, held: int) -> Iterator[LayRun]:
    """Yield the steps that begin a run at a place.

    `held` has a bit for each card of its suit in the hand, four apart.
    """
    for low in NATURAL_KINDS:
        high = low
        while high <= ACE and high - low < rules.canasta_size and held >> 4 * high & 1:
            if high - low + 1 >= SMALLEST_RUN:
                yield run_step(place, low, high)
            high += 1


MOST_PLANS: Final = 600
"""The most plans to examine. A hand with more of them can meld nearly anything."""


@value_class
class RunPlan:
    """Runs melded together: the cards used of each rank, and how many of the runs are canastas."""

    used: Counts
    canastas: int

    @property
    def cards(self) -> int:
        """The number of cards that the plan uses."""
        return sum(numbers_by_kind(self.used)) if self.used else 0

    def points(self, values: Sequence[int]) -> int:
        """Return the points of the plan's cards, given the values of the kinds."""
        return sum(map(mul, numbers_by_kind(self.used), values)) if self.used else 0


NO_RUNS: Final = RunPlan(0, 0)


def cards_left_by(plan: RunPlan, held: Sequence[int]) -> Sequence[int]:
    """Return the numbers of cards left, by kind, after the runs of a plan."""
    return tuple(map(sub, held, numbers_by_kind(plan.used))) if plan.used else held


def run_plans(standing: Standing, hand: Sequence[Card], *, going_out: bool = False) -> list[RunPlan]:
    """Return every plan of runs, the empty one included; of plans with equal cards, only the best one.

    That is the one with most canastas. If themes limit canastas, plans with fewer canastas are kept too, since fewer
    may be better.
    """
    rules = standing.rules
    if "seq" not in rules.meld_kinds:
        return [NO_RUNS]
    apart = standing.limits is not None
    plans: _Plans = {(0, 0): 0}
    families = standing.spread.families
    free = [card for card in hand if card >> 2 not in standing.closed] if standing.closed else hand
    cards = card_bits_usable_in_runs(standing.spread, tuple(free))
    for suit in range(4):
        lying = families.get(RUN + suit, ())
        of_suit = cards >> suit & OF_ONE_SUIT
        if not of_suit:
            closed = sum([len(meld.cards) >= rules.canasta_size for meld in lying])
            if closed:
                plans = {key: canastas + closed for key, canastas in plans.items()}
            continue
        held = tuple([free.count(kind << 2 | suit) if of_suit >> 4 * kind & 1 else 0 for kind in NATURAL_KINDS])
        ends = tuple(sorted([ends_of_run(meld) for meld in lying]))
        plans = _combine_plans(plans, _plans_of_suit(rules, held, ends, going_out=going_out, apart=apart), apart=apart)
    return [RunPlan(used, canastas) for (used, _), canastas in plans.items()]


_Plans = dict[tuple[Counts, int], int]
"""The number of canastas of each plan, by the cards it uses and 0.

If plans with fewer canastas are kept too, the key has the number of canastas in place of the 0.
"""


def _combine_plans(plans: _Plans, found: Sequence[RunPlan], *, apart: bool) -> _Plans:
    joined: _Plans = {}
    for (used, _), canastas in plans.items():
        for more in found:
            most = canastas + more.canastas
            key = used + more.used, most * apart
            joined[key] = max(joined.get(key, 0), most)
            if len(joined) >= MOST_PLANS:
                return joined
    return joined


_Ends = tuple[tuple[int, int], ...]


@lru_cache(maxsize=1 << 14)
def _plans_of_suit(
    rules: RuleSet, held: tuple[int, ...], lying: _Ends, *, going_out: bool, apart: bool
) -> tuple[RunPlan, ...]:
    """Return the ways to lay runs of one suit, found card by card.

    `lying` holds the ends of the runs on the table. With `apart`, ways with the same cards but fewer canastas are kept.
    """
    best: _Plans = {}
    seen = {(held, lying)}
    queue = [(held, lying)]
    for left, runs in queue:
        used = sum([one - other << 8 * kind for kind, (one, other) in enumerate(zip(held, left, strict=True))])
        canastas = sum(1 for low, high in runs if high - low + 1 >= rules.canasta_size)
        key = used, canastas * apart
        best[key] = max(best.get(key, 0), canastas)
        if len(queue) >= MOST_PLANS:
            continue
        for following in _hands_and_runs_after_card(rules, left, runs, going_out=going_out):
            if following not in seen:
                seen.add(following)
                queue.append(following)
    return tuple(RunPlan(used, canastas) for (used, _), canastas in best.items())


def _hands_and_runs_after_card(
    rules: RuleSet, left: tuple[int, ...], runs: _Ends, *, going_out: bool
) -> list[tuple[tuple[int, ...], _Ends]]:
    """Return the hand and runs after each way to add one card to a run or to begin the smallest run."""
    found = []
    for place, (low, high) in enumerate(runs):
        closed = high - low + 1 >= rules.canasta_size
        if high - low + 1 >= (most_cards_of_run(rules) if going_out or not closed else rules.canasta_size):
            continue
        for card, ends in ((low - 1, (low - 1, high)), (high + 1, (low, high + 1))):
            if 0 <= card <= ACE and left[card]:
                found.append(
                    (_counts_without_run(left, card, card), tuple(sorted((*runs[:place], ends, *runs[place + 1 :]))))
                )
    begins = may_begin_another_meld(rules, RUN, [high - low + 1 for low, high in runs])
    for low in range(ACE - SMALLEST_RUN + 2) if begins else ():
        high = low + SMALLEST_RUN - 1
        if all(left[low : high + 1]):
            found.append((_counts_without_run(left, low, high), tuple(sorted((*runs, (low, high))))))
    return found


def _counts_without_run(left: tuple[int, ...], low: int, high: int) -> tuple[int, ...]:
    return tuple([count - (low <= kind <= high) for kind, count in enumerate(left)])
