"""Laying down: whether a hand can go out where only sets of one rank lie, but no short cut tells it.

Each rank takes some wild cards when all its naturals are laid, and is a canasta then or not; written into one number,
both add up over the ranks. A set of such sums is an integer with a bit for each. Two sets are kept: one with every
natural laid, and one with a card left, or with the card that comes last laid too.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from operator import mul

from bot.engine.bit_sums import CANASTA, has_sum, within
from bot.engine.cards import BLACK_THREE, JOKER, NATURAL_KINDS, RED_THREE, TWO, Kind
from bot.engine.counts import ANY, RANKS, WILD_SHIFT, Counts, tally
from bot.engine.rules import RuleSet
from bot.engine.shapes import BLACK_THREE_MELDS, is_meld, joins
from bot.engine.spread import Spread

_Sums = tuple[int, int]


def can_finish(
    rules: RuleSet,
    counts: Counts,
    spread: Spread,
    *,
    spare: int = 1,
    points: int = 0,
    closing: Kind | None = None,
) -> bool:
    """Whether the hand can be laid down but for at most `spare` cards, with the canastas going out needs.

    Where the last card has to be discarded and one may be left, exactly one has to be; where none may be discarded in
    going out, none is left. `closing` is a rank whose meld has to be a canasta then.
    """
    if rules.out_discard == "forbidden":
        spare = 0
    if _is_far(counts, spread, spare):
        return False
    held = tally(counts)
    values = rules.card_values
    worth = sum(map(mul, held, values))
    left = [kind for kind, count in enumerate(held) if count and worth - values[kind] >= points] if spare else []
    none_left = worth >= points and not (spare and rules.out_discard == "mandatory")
    every = held[TWO] + held[JOKER]
    blacks = held[BLACK_THREE]
    if blacks not in BLACK_THREE_MELDS:
        if BLACK_THREE not in left or blacks - 1 not in BLACK_THREE_MELDS:
            return False
        left, none_left = [], True
    elif RED_THREE in left or (BLACK_THREE in left and blacks - 1 in BLACK_THREE_MELDS):
        none_left = True  # the three is the card that is left
    whole, short = _laid(rules, held, spread, left, closing)
    if (none_left and has_sum(whole, every, rules.out_canastas)) or has_sum(short, every, rules.out_canastas):
        return True
    return every > 0 and (TWO in left or JOKER in left) and has_sum(whole, every - 1, rules.out_canastas)


def can_finish_with(
    rules: RuleSet, counts: Counts, spread: Spread, last: Kind | None, *, points: int, closing: Kind | None = None
) -> bool:
    """Whether the whole hand can be laid, and then one more card be laid or discarded.

    `last` is the kind of that card, None where nobody knows it yet: then it can only be counted on to be discarded.
    """
    may_discard = rules.out_discard != "forbidden"
    if may_discard and can_finish(rules, counts, spread, spare=0, points=points, closing=closing):
        return True
    if last is None or last == BLACK_THREE or rules.out_discard == "mandatory" or _is_far(counts, spread, 0):
        return False
    held = tally(counts)
    if sum(map(mul, held, rules.card_values)) < points or held[BLACK_THREE] not in BLACK_THREE_MELDS:
        return False
    _, done = _laid(rules, held, spread, (), closing, last=last)
    return has_sum(done, held[TWO] + held[JOKER], rules.out_canastas)


def _is_far(counts: Counts, spread: Spread, spare: int) -> bool:
    """Whether more ranks than cards may be left have too few cards, with wild cards or without."""
    some = (counts + ANY) & RANKS
    alone = some & ~(counts + spread.wild)
    if alone & (alone - 1) or (alone and not spare):
        return True
    short = some & ~(counts + spread.plain)
    return bool(short) and short.bit_count() > spare + (counts >> WILD_SHIFT & 127) + (counts >> WILD_SHIFT + 8 & 127)


def _laid(
    rules: RuleSet,
    held: Sequence[int],
    spread: Spread,
    left: Collection[Kind],
    closing: Kind | None,
    *,
    last: Kind | None = None,
) -> _Sums:
    """What the ranks come to: with every natural laid, and with one of the kinds `left` left, or the last card laid."""
    table = _table_of(rules)
    wilds = held[TWO] + held[JOKER]
    possible = within(wilds)
    whole, other = 1, 0
    by_place = spread.by_place
    for kind in NATURAL_KINDS:
        meld = by_place.get(kind)
        count = held[kind]
        if meld is None and not count:
            if kind == closing:
                return 0, 0
            continue
        before = (0, 0) if meld is None else (meld.naturals, meld.wilds)
        closes = kind == closing
        found = others = 0
        for number in table[before, count, wilds, closes, 0]:
            found |= whole << number
            others |= other << number
        if count and kind in left:
            ways = table[before, count - 1, wilds, closes, 0]
        elif last in (kind, TWO, JOKER):
            ways = table[before, count, wilds, closes, 1 if last == kind else 2]
        else:
            ways = ()
        for number in ways:
            others |= whole << number
        whole, other = found & possible, others & possible
        if not (whole or other):
            break
    return whole, other


class _Table(dict[tuple[tuple[int, int], int, int, bool, int], tuple[int, ...]]):
    """By what is laid of a rank: its numbers, filled in as they are asked for.

    The key is what lies there, how many naturals are all laid, the wild cards there are, whether it has to be a canasta
    then, and whether another card comes at last: none (0), a natural (1) or a wild card (2).
    """

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules

    def __missing__(self, key: tuple[tuple[int, int], int, int, bool, int]) -> tuple[int, ...]:
        before, naturals, wilds, closes, last = key
        rules = self._rules
        found = []
        for more in range(wilds + 1):
            if (naturals or more) and not joins(rules, before, naturals, more):
                continue
            whole = before[0] + naturals, before[1] + more
            if closes and sum(whole) < rules.canasta_size:
                continue
            if last and not self._takes(whole, last):
                continue
            found.append(more + CANASTA * (sum(whole) + (last > 0) >= rules.canasta_size))
        self[key] = tuple(found)
        return self[key]

    def _takes(self, whole: tuple[int, int], last: int) -> bool:
        return sum(whole) > 0 and is_meld(self._rules, *whole) and joins(self._rules, whole, last == 1, last == 2)


_table_of = cache(_Table)
