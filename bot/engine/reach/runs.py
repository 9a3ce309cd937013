"""Runs: cards of one suit in order, from four to ace, without wild cards.

A run has three cards or more. With as many as a canasta takes (`canasta_size`) it is one, and full. Only where the
rules let it grow in going out (`seq_rule`) may more cards follow at its ends.

Decides `docs/law/classic.md 1.10` and `docs/law/variants.md 3.1, 3.3`. Reads `canasta_size`, `meld_kinds`, `seq_rule`.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine.cards.cards import ACE, FOUR, NATURAL_KINDS, Card, Kind, Suit
from bot.engine.cards.counts import OF_ONE_SUIT, each_once
from bot.engine.cards.places import RUN, Place, is_run
from bot.engine.melds.melds import TableMeld
from bot.engine.melds.spread import Spread
from bot.engine.moves.actions import LayRun, lay_run
from bot.engine.moves.refusals import Code, Refusal, kind_name
from bot.engine.reach.standing import Standing
from bot.engine.rules.rule_set import RuleSet

SMALLEST = 3


def suit_of_run(place: Place) -> Suit:
    """The suit of a run at that place."""
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


def cards_for_runs(spread: Spread, hand: tuple[Card, ...]) -> int:
    """The cards of a hand that could lie in some run, new or lying there, a bit each (`each_once`)."""
    held = each_once(hand)
    there = held | spread.in_runs
    threes = there & there >> 4 & there >> 8
    return held & (threes | threes << 4 | threes << 8)


def run_steps(standing: Standing, hand: tuple[Card, ...]) -> list[LayRun]:
    """Every way to begin a run from the hand, or to add to one.

    Suit by suit, a run that lies there comes before a new one. Lower cards come before higher ones, fewer before more.
    """
    rules = standing.rules
    if "seq" not in rules.meld_kinds or rules.seq_rule == "none":
        return []
    usable = cards_for_runs(standing.spread, hand)
    steps: list[LayRun] = []
    for suit in range(4):
        held = usable >> suit & OF_ONE_SUIT
        if not held:
            continue
        family = RUN + suit
        for run in standing.of_family(family):
            steps += _joining(rules, run, held)
        if standing.may_begin(family):
            steps += _beginning(rules, standing.new_place(family), held)
    if standing.closed:
        return [step for step in steps if why_not_run(standing, step.place, step.low, step.high) is None]
    return steps


def _joining(rules: RuleSet, run: TableMeld, held: int) -> Iterator[LayRun]:
    """The ways to add to a run at either end; `held` tells the cards of its suit, every fourth bit."""
    low, high = ends_of(run)
    room = (largest(rules) if run.size >= rules.canasta_size else rules.canasta_size) - run.size
    for count in range(1, min(room, low) + 1):
        if not held >> 4 * (low - count) & 1:
            break
        yield lay_run(run.place, low - count, low - 1)
    for count in range(1, min(room, ACE - high) + 1):
        if not held >> 4 * (high + count) & 1:
            break
        yield lay_run(run.place, high + 1, high + count)


def _beginning(rules: RuleSet, place: Place, held: int) -> Iterator[LayRun]:
    """The runs that may be begun at a place; `held` tells the cards of its suit, every fourth bit."""
    for low in NATURAL_KINDS:
        high = low
        while high <= ACE and high - low < rules.canasta_size and held >> 4 * high & 1:
            if high - low + 1 >= SMALLEST:
                yield lay_run(place, low, high)
            high += 1
