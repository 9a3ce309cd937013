"""Layouts: what points a hand can still reach, tried out rank by rank.

`bot.engine.reach` has short cuts for rule sets in which a meld takes so many wild cards and no more (`RuleSet.plain`).
Here nothing is taken for granted but that ranks do not mix: every way to lay a rank is combined with every way to
lay those before it, and of what comes to the same only the best is kept. Whether the hand can go out is asked of
`bot.engine.laying_down`.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards import JOKER, NATURAL_KINDS, TWO, Kind
from bot.engine.counts import Counts, tally
from bot.engine.layout_sums import LayoutSums
from bot.engine.rules import RuleSet
from bot.engine.shapes import joins
from bot.engine.spread import Spread


def can_reach(
    rules: RuleSet, counts: Counts, spread: Spread, points: int, *, keep: int, closing: Kind | None = None
) -> bool:
    """Whether melds from the hand can add that many points while at least `keep` cards stay in it.

    Or, in their place, can make the meld of `closing` a canasta.
    """
    most_cards = sum(tally(counts)) - keep
    if most_cards < 0:
        return False
    if closing is not None and _can_close(rules, tally(counts), spread, closing, most_cards):
        return True
    sums = LayoutSums(rules, counts, spread)
    if sums.most() < points:
        return False
    return sums.usable <= most_cards or most_points(rules, counts, spread, keep=keep) >= points


def _can_close(rules: RuleSet, held: Sequence[int], spread: Spread, kind: Kind, most_cards: int) -> bool:
    meld = spread.by_place.get(kind)
    before = (meld.naturals, meld.wilds) if meld is not None else (0, 0)
    wilds = held[TWO] + held[JOKER]
    return any(
        naturals + wild <= most_cards
        and sum(before) + naturals + wild >= rules.canasta_size
        and (not naturals + wild or joins(rules, before, naturals, wild))
        for naturals in range(held[kind] + 1)
        for wild in range(wilds + 1)
    )


def most_points(rules: RuleSet, counts: Counts, spread: Spread, *, keep: int = 0) -> int:
    """The most points the hand can add while at least `keep` cards stay in it; -1 where it holds fewer."""
    held = tally(counts)
    most_cards = sum(held) - keep
    if most_cards < 0:
        return -1
    values = rules.card_values
    wilds = held[TWO] + held[JOKER]
    best = {(0, 0): 0}  # (naturals laid, wild cards laid) → points of the naturals
    for kind in NATURAL_KINDS:
        meld = spread.by_place.get(kind)
        if meld is None and held[kind] < rules.min_naturals:
            continue
        before = (meld.naturals, meld.wilds) if meld is not None else (0, 0)
        ways = [
            (naturals, wild)
            for naturals in range(held[kind] + 1)
            for wild in range(wilds + 1)
            if naturals + wild and joins(rules, before, naturals, wild)
        ]
        grown = dict(best)
        for (laid, used), points in best.items():
            for naturals, wild in ways:
                total = (laid + naturals, used + wild)
                if total[1] <= wilds and sum(total) <= most_cards:
                    grown[total] = max(grown.get(total, 0), points + naturals * values[kind])
        best = grown
    dearest_first = [values[JOKER]] * held[JOKER] + [values[TWO]] * held[TWO]
    return max(points + sum(dearest_first[:used]) for (_, used), points in best.items())
