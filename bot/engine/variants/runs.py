"""Runs: cards of one suit in order, from four to ace, without wild cards (`rules/variants.md 3.1`).

A run has three to seven cards. With the seventh it is a canasta and closed; only where the rules let it grow in
going out may more follow at its ends (`rules/variants.md 3.3`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TypeAlias

from bot.engine.actions import LayRun, lay_run
from bot.engine.cards import ACE, FOUR, NATURAL_KINDS, Card, Kind, Suit
from bot.engine.ending import kind_name
from bot.engine.melds import TableMeld
from bot.engine.places import RUN, Place, is_run, run_of
from bot.engine.refusals import Code, Refusal
from bot.engine.rules import RuleSet
from bot.engine.spread import spread_of
from bot.engine.variants.standing import Standing
from bot.engine.variants.suits import OF_ONE_SUIT, each_once

SMALLEST = 3


def suit_of_run(place: Place) -> Suit:
    """The suit of the runs of that family."""
    return place & 3


def ends_of(meld: TableMeld) -> tuple[Kind, Kind]:
    """The lowest and the highest rank of a run."""
    return meld.cards[0] >> 2, meld.cards[-1] >> 2


def cards_of(place: Place, low: Kind, high: Kind) -> tuple[Card, ...]:
    """The cards of that suit from one rank to another."""
    return tuple([kind << 2 | suit_of_run(place) for kind in range(low, high + 1)])


def largest(rules: RuleSet) -> int:
    """How many cards a run may ever have."""
    return ACE + 1 if rules.seq_rule == "grows_going_out" else rules.canasta_size


def why_not_run(standing: Standing, place: Place, low: Kind, high: Kind) -> Refusal | None:
    """Whether the cards from one rank to another make a run there, or join an end of the one that lies there."""
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
    if lying.size + count > most:
        return Refusal(Code.RUN_SIZE, {"count": lying.size + count, "least": SMALLEST, "most": most})
    return None


def run_steps(standing: Standing, hand: tuple[Card, ...]) -> list[LayRun]:
    """Every way to begin a run from the hand or to add to one, by suit, runs that lie there before new ones."""
    rules = standing.rules
    if "seq" not in rules.meld_kinds:
        return []
    once = each_once(hand)
    in_order = once & once >> 4 & once >> 8  # the bit of a card is set where the next two of its suit are held too
    steps: list[LayRun] = []
    families = standing.spread.families
    table = _run_table(rules)
    for suit in range(4):
        runs = families.get(RUN + suit)
        if runs is not None:
            ends = tuple([(run.place, run.cards[0] >> 2, run.cards[-1] >> 2) for run in runs])
            steps += table[suit, once >> suit & OF_ONE_SUIT, ends]
        elif in_order >> suit & OF_ONE_SUIT:
            steps += table[suit, once >> suit & OF_ONE_SUIT, ()]
    if standing.closed:
        return [step for step in steps if why_not_run(standing, step.place, step.low, step.high) is None]
    return steps


_Runs: TypeAlias = tuple[tuple[Place, Kind, Kind], ...]


class _RunSteps(dict[tuple[Suit, int, _Runs], tuple[LayRun, ...]]):
    """The runs of a suit that its cards in a hand, each told once, may begin or join.

    The key is the suit, the bits of its ranks (`bot.engine.variants.suits`), and the runs that lie there with their
    lowest and highest ranks.
    """

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules

    def __missing__(self, key: tuple[Suit, int, _Runs]) -> tuple[LayRun, ...]:
        self[key] = tuple(_found(self._rules, *key))
        return self[key]


_run_table = cache(_RunSteps)


def _found(rules: RuleSet, suit: Suit, ranks: int, runs: _Runs) -> Iterator[LayRun]:
    held = {kind for kind in NATURAL_KINDS if ranks >> 4 * kind & 1}
    melds = [TableMeld(place, high - low + 1, 0, cards_of(place, low, high)) for place, low, high in runs]
    standing = Standing(rules, spread_of(rules, melds), frozenset(), False, None)
    for place in standing.targets(run_of(suit)):
        meld = standing.melds.get(place)
        ends = _new(held, rules) if meld is None else _joining(held, *ends_of(meld))
        yield from [lay_run(place, *one) for one in ends if why_not_run(standing, place, *one) is None]


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
