"""Bounds: quick answers about what a hand can come to, where they are certain; the rest `finishing` tries out.

Most hands are far from going out, which can be told from their counts alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.cards import ACE, BLACK_THREE, JOKER, NATURAL_KINDS, RED_THREE, TWO, Card, Kind
from bot.engine.counts import ANY, KINDS_OF, RANKS, WILD_SHIFT, Counts, Lanes, black_threes
from bot.engine.places import FAMILIES, RUN
from bot.engine.reach import BLACK_THREE_MELDS
from bot.engine.variants.standing import Standing
from bot.engine.variants.suits import cards_by_suit, ranks_by_suit

OF_WILDS: Final = frozenset({"wild", "deuce"})

_WILDS: Final = 127 | 127 << 8
"""The lanes of twos and jokers, shifted down."""

_ONE_OF_EACH: Final = sum(1 << 8 * kind for kind in NATURAL_KINDS)

SPARE: Final = 1
"""Cards that going out may leave to be discarded."""


def is_far_from_out(standing: Standing, hand: Sequence[Card], counts: Counts) -> bool:
    """Whether more cards than may be left are certainly of no use: ranks of too few cards, and in no run either."""
    rules = standing.rules
    least = rules.min_naturals if counts >> WILD_SHIFT & _WILDS else max(rules.meld_min, rules.min_naturals)
    few = 128 - min(128, least)
    blacks = black_threes(counts)
    left = blacks if blacks < BLACK_THREE_MELDS[1] or rules.black3_meld == "never" else 0
    lonely = (counts + ANY) & ~(counts + few * _ONE_OF_EACH) & ~standing.spread.melded & RANKS
    if "seq" not in rules.meld_kinds:
        return left + lonely.bit_count() > SPARE
    if not lonely:
        return left > SPARE
    ranks_alone = _BITS_OF[lonely]
    families = standing.spread.families
    for suit, held in enumerate(ranks_by_suit(hand)):
        alone = held & ranks_alone
        if not alone:
            continue
        there = held
        for meld in families.get(RUN + suit, ()):
            there |= (2 << (meld.cards[-1] >> 2)) - (1 << (meld.cards[0] >> 2))
        threes = there & there >> 1 & there >> 2
        left += (alone & ~(threes | threes << 1 | threes << 2)).bit_count()
    return left > SPARE


class _BitsOf(dict[Lanes, int]):
    """The ranks of a set of lanes, a bit each, filled in as they are asked for."""

    def __missing__(self, lanes: Lanes) -> int:
        self[lanes] = sum([1 << kind for kind in KINDS_OF[lanes]])
        return self[lanes]


_BITS_OF: Final = _BitsOf()


def cannot_finish(standing: Standing, hand: Sequence[Card], held: Sequence[int]) -> bool:
    """Whether the hand certainly cannot be laid down in this turn: too few canastas, or cards that fit nowhere."""
    return too_few_canastas(standing, hand, held) or len(misfits(standing, hand, held)) > SPARE


def too_few_canastas(standing: Standing, hand: Sequence[Card], held: Sequence[int]) -> bool:
    """Whether the canastas that going out takes certainly cannot lie there when the turn is over."""
    needed = standing.rules.out_canastas
    return standing.spread.canastas < needed and _most_canastas(standing, hand, held) < needed


def _most_canastas(standing: Standing, hand: Sequence[Card], held: Sequence[int]) -> int:
    """No more canastas than these can lie there when the turn is over."""
    rules = standing.rules
    size = rules.canasta_size
    wilds = held[TWO] + held[JOKER]
    helped = min(wilds, rules.max_wilds)
    most = standing.spread.canastas
    suits: tuple[int, ...] | None = None
    for place, meld in standing.spread.by_place.items():
        missing = size - len(meld.cards)
        if missing <= 0:
            continue
        family = place & FAMILIES - 1
        if family <= ACE:
            most += missing <= held[family] + helped
        elif family < RUN:
            most += missing <= wilds
        else:
            suits = suits or cards_by_suit(hand)
            most += missing <= suits[family - RUN]
    if len(hand) >= size - helped:
        most += sum([count + helped >= size for count in held[: ACE + 1]])
        if "seq" in rules.meld_kinds:
            most += sum([count // size for count in suits or cards_by_suit(hand)])
        if rules.meld_kinds & OF_WILDS:
            most += wilds // size
    return most


def misfits(standing: Standing, hand: Sequence[Card], held: Sequence[int]) -> list[Card]:
    """The cards that certainly can be laid nowhere; of too many black threes some."""
    rules = standing.rules
    families = standing.spread.families
    wilds = held[TWO] + held[JOKER]
    blacks = held[BLACK_THREE]
    stuck = blacks if rules.black3_meld == "never" or blacks < BLACK_THREE_MELDS[1] else blacks - BLACK_THREE_MELDS[-1]
    found = [card for card in hand if card >> 2 == BLACK_THREE][: max(0, stuck)] if blacks else []
    if held[RED_THREE]:
        found += [card for card in hand if card >> 2 == RED_THREE]
    closed = standing.closed
    if closed:
        found = [*found, *[card for card in hand if card >> 2 in closed and card not in found]]
    lonely: list[Kind] = []
    for kind in NATURAL_KINDS:
        count = held[kind]
        if (
            count
            and kind not in closed
            and kind not in families
            and (count < rules.min_naturals or count + wilds < rules.meld_min)
        ):
            lonely.append(kind)
    if not lonely:
        return found
    alone = [card for card in hand if card >> 2 in lonely]
    if "seq" in rules.meld_kinds:
        in_runs = cards_for_runs(standing, hand)
        alone = [card for card in alone if card not in in_runs]
    return found + alone


def cards_for_runs(standing: Standing, hand: Sequence[Card]) -> set[Card]:
    """The cards that could lie in some run, new or lying there."""
    found: set[Card] = set()
    families = standing.spread.families
    for suit, held in enumerate(ranks_by_suit(hand)):
        there = held
        for meld in families.get(RUN + suit, ()):
            for card in meld.cards:
                there |= 1 << (card >> 2)
        threes = there & there >> 1 & there >> 2
        in_runs = (threes | threes << 1 | threes << 2) & held
        if in_runs:
            found.update([kind << 2 | suit for kind in NATURAL_KINDS if in_runs >> kind & 1])
    return found
