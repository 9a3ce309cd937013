"""Runs: cards of one suit in order, from four to ace, without wild cards.

A run has three to seven cards. With the seventh it is a canasta and full; only where the rules let it grow in going out
may more cards follow at its ends.

Decides `docs/law/classic.md 1.10` and `docs/law/variants.md 3.1, 3.3`. Reads `canasta_size`, `meld_kinds`, `seq_rule`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from bot.engine.cards.cards import ACE, FOUR, NATURAL_KINDS, Card, Kind, Suit
from bot.engine.cards.counts import OF_ONE_SUIT, each_once
from bot.engine.cards.places import RUN, Place, free_place, is_run
from bot.engine.melds.melds import TableMeld
from bot.engine.melds.spread import spread_of
from bot.engine.moves.actions import LayRun, lay_run
from bot.engine.moves.refusals import Code, Refusal, kind_name
from bot.engine.reach.standing import Standing, may_begin
from bot.engine.rules.rule_set import RuleSet

SMALLEST = 3


def suit_of_run(place: Place) -> Suit:
    """The suit of the runs of that family."""
    return place & 3


def ends_of(meld: TableMeld) -> tuple[Kind, Kind]:
    """The lowest and the highest rank of a run."""
    return meld.cards[0] >> 2, meld.cards[-1] >> 2


def largest(rules: RuleSet) -> int:
    """The most cards that a run may ever have."""
    return ACE + 1 if rules.seq_rule == "grows_going_out" else rules.canasta_size


def why_not_run(standing: Standing, place: Place, low: Kind, high: Kind) -> Refusal | None:
    """Why the cards from one rank to another make no run at that place, and join no end of the one that lies there."""
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
        if not SMALLEST <= count <= rules.canasta_size:
            return Refusal(Code.RUN_SIZE, {"count": count, "least": SMALLEST, "most": rules.canasta_size})
        return None
    first, last = ends_of(lying)
    if high != first - 1 and low != last + 1:
        return Refusal(Code.RUN_NOT_AT_END, {"low": kind_name(first), "high": kind_name(last)})
    most = largest(rules) if lying.size >= rules.canasta_size else rules.canasta_size
    if lying.size >= most:
        return Refusal(Code.RUN_FULL, {"size": lying.size, "low": kind_name(first), "high": kind_name(last)})
    if lying.size + count > most:
        return Refusal(Code.RUN_SIZE, {"count": lying.size + count, "least": SMALLEST, "most": most})
    return None


def run_steps(standing: Standing, hand: tuple[Card, ...]) -> list[LayRun]:
    """Every way to begin a run from the hand, or to add to one.

    Suit by suit, a run that lies there comes before a new one.
    """
    rules = standing.rules
    if "seq" not in rules.meld_kinds:
        return []
    once = each_once(hand)
    in_order = once & once >> 4 & once >> 8  # the bit of a card is set where the next two of its suit are held too
    spread = standing.spread
    lying = spread.in_runs
    usable = in_order | once & (lying << 4 | lying >> 4)
    if not usable:
        return []
    steps: list[LayRun] = []
    for suit in range(4):
        if not usable & OF_ONE_SUIT << suit:
            continue
        family = RUN + suit
        runs = spread.families.get(family)
        if runs is not None:
            for run in runs:
                steps += _joining_steps(rules, run, once >> suit)
            if not may_begin(rules, family, runs):
                continue
        lowest = in_order >> suit & OF_ONE_SUIT
        if lowest:
            steps += _new_runs(rules)[free_place(family, spread.by_place), lowest]
    if standing.closed:
        return [step for step in steps if why_not_run(standing, step.place, step.low, step.high) is None]
    return steps


def _joining_steps(rules: RuleSet, run: TableMeld, once: int) -> tuple[LayRun, ...]:
    """The ways to add to a run; `once` tells the cards held of its suit, every fourth bit."""
    low, high = run.cards[0] >> 2, run.cards[-1] >> 2
    below = above = 0
    while below < low and once >> 4 * (low - 1 - below) & 1:
        below += 1
    while high + above < ACE and once >> 4 * (high + 1 + above) & 1:
        above += 1
    return _joined_runs(rules)[run.place, low, high, below, above] if below or above else ()


class _NewRuns(dict[tuple[Place, int], tuple[LayRun, ...]]):
    """The runs that may be begun at a place, filled in as they are asked for.

    The key beside the place are the ranks that are held with the next two, every fourth bit.
    """

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules

    def __missing__(self, key: tuple[Place, int]) -> tuple[LayRun, ...]:
        place, lowest = key
        ranks = lowest | lowest << 4 | lowest << 8
        held = {kind for kind in NATURAL_KINDS if ranks >> 4 * kind & 1}
        ends = _new(held, self._rules)
        standing = Standing(self._rules, spread_of(self._rules, []), frozenset(), False, None)
        self[key] = tuple([lay_run(place, *one) for one in ends if why_not_run(standing, place, *one) is None])
        return self[key]


class _JoinedRuns(dict[tuple[Place, Kind, Kind, int, int], tuple[LayRun, ...]]):
    """What may be added to a run, filled in as it is asked for.

    The key is its place, its ends, and how many cards in order are held below it and above it.
    """

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules

    def __missing__(self, key: tuple[Place, Kind, Kind, int, int]) -> tuple[LayRun, ...]:
        place, low, high, below, above = key
        run = TableMeld(place, high - low + 1, 0, lay_run(place, low, high).cards)
        standing = Standing(self._rules, spread_of(self._rules, [run]), frozenset(), False, None)
        held = {*range(low - below, low), *range(high + 1, high + 1 + above)}
        ends = _joining(held, low, high)
        self[key] = tuple([lay_run(place, *one) for one in ends if why_not_run(standing, place, *one) is None])
        return self[key]


_new_runs = cache(_NewRuns)
_joined_runs = cache(_JoinedRuns)


def _new(held: set[Kind], rules: RuleSet) -> Iterator[tuple[Kind, Kind]]:
    for low in sorted(held):
        high = low
        while high + 1 in held and high - low + 2 <= rules.canasta_size:
            high += 1
            if high - low + 1 >= SMALLEST:
                yield low, high


def _joining(held: set[Kind], first: Kind, last: Kind) -> Iterator[tuple[Kind, Kind]]:
    low = first - 1
    while low in held:
        yield low, first - 1
        low -= 1
    high = last + 1
    while high in held:
        yield last + 1, high
        high += 1
