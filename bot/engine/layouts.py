"""Layouts: what a hand can still reach, tried out rank by rank.

`bot.engine.reach` has short cuts for rule sets in which a meld takes so many wild cards and no more (`RuleSet.plain`).
Here nothing is taken for granted but that ranks do not mix: every way to lay a rank is combined with every way to
lay those before it, and of what comes to the same only the best is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.engine.cards import BLACK_THREE, JOKER, NATURAL_KINDS, TWO, Kind
from bot.engine.counts import Counts, tally
from bot.engine.layout_sums import LayoutSums
from bot.engine.rules import RuleSet
from bot.engine.shapes import is_meld, joins
from bot.engine.spread import Spread

_BLACK_THREE_MELDS = (0, 3, 4)


def can_finish(
    rules: RuleSet,
    counts: Counts,
    spread: Spread,
    *,
    spare: int = 1,
    points: int = 0,
    closing: Kind | None = None,
    last: Kind | None = None,
) -> bool:
    """Whether the hand can be laid down but for at most `spare` cards, with the canastas going out needs.

    Where the last card has to be discarded and one may be left, exactly one has to be. `closing` is a rank whose meld
    has to be a canasta then. `last` is a card that comes when the hand is laid, and is laid too.
    """
    held = list(tally(counts))
    worth = sum(count * rules.card_values[kind] for kind, count in enumerate(held))
    if spare:
        for kind, count in enumerate(held):
            if count and worth - rules.card_values[kind] >= points:
                held[kind] -= 1
                if _all_laid(rules, held, spread, closing, last):
                    return True
                held[kind] += 1
    if spare and rules.out_discard == "mandatory":
        return False
    return worth >= points and _all_laid(rules, held, spread, closing, last)


def can_finish_with(
    rules: RuleSet, counts: Counts, spread: Spread, last: Kind | None, *, points: int, closing: Kind | None = None
) -> bool:
    """Whether the whole hand can be laid, and then one more card be laid or discarded.

    `last` is the kind of that card, None where nobody knows it yet: then it can only be counted on to be discarded.
    """
    if can_finish(rules, counts, spread, spare=0, points=points, closing=closing):
        return True
    if last is None or last == BLACK_THREE or rules.out_discard == "mandatory":
        return False
    return can_finish(rules, counts, spread, spare=0, points=points, closing=closing, last=last)


def _all_laid(rules: RuleSet, held: Sequence[int], spread: Spread, closing: Kind | None, last: Kind | None) -> bool:
    """Whether every card can be laid, and enough canastas lie there then."""
    if held[BLACK_THREE] not in _BLACK_THREE_MELDS:
        return False
    wilds = held[TWO] + held[JOKER]
    # (wild cards used, whether the last card is laid) → most canastas
    best: dict[tuple[int, bool], int] = {(0, last is None): 0}
    for kind in NATURAL_KINDS:
        meld = spread.by_place.get(kind)
        before = (meld.naturals, meld.wilds) if meld is not None else (0, 0)
        if meld is None and not held[kind]:
            if kind == closing:
                return False
            continue
        grown: dict[tuple[int, bool], int] = {}
        for (used, done), canastas in best.items():
            for more, laid, size in _ways(rules, before, held[kind], wilds - used, kind, None if done else last):
                key = (used + more, done or laid)
                if size >= rules.canasta_size or kind != closing:
                    grown[key] = max(grown.get(key, -1), canastas + (size + laid >= rules.canasta_size))
        best = grown
    return best.get((wilds, True), -1) >= rules.out_canastas


def _ways(
    rules: RuleSet, before: tuple[int, int], naturals: int, wilds: int, kind: Kind, last: Kind | None
) -> Iterator[tuple[int, bool, int]]:
    """The ways to lay all naturals of a rank: wild cards with them, whether the last card too, and how many cards lie.

    The last card is not among these: it comes when they lie there.
    """
    for more in range(wilds + 1):
        if (naturals or more) and not joins(rules, before, naturals, more):
            continue
        size = sum(before) + naturals + more
        yield more, False, size
        if last is not None and last in (kind, TWO, JOKER):
            whole = (before[0] + naturals, before[1] + more)
            if is_meld(rules, *whole) and joins(rules, whole, int(last == kind), int(last != kind)):
                yield more, True, size


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
