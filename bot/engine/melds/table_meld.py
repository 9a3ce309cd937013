"""Melds on the table, and helpers for sorted cards of hands and melds."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from bot.engine.cards.cards import (
    BLACK_THREE,
    FIRST_WILD_CARD,
    JOKER,
    JOKER_CARD,
    RED_THREE,
    TWO,
    Card,
    Kind,
    value_class,
)
from bot.engine.cards.meld_places import DEUCE_MELD, FAMILIES, WILD_MELD, AtPlace, Family, Place, is_run, run_place
from bot.engine.melds.meld_shapes import is_meld, sizes_of_black_three_melds
from bot.engine.moves.actions import Meld, Take
from bot.engine.rules.rule_set import RuleSet


@value_class
class TableMeld(AtPlace):
    """A meld on the table: its place, its numbers of naturals and wild cards, and its sorted cards."""

    place: Place
    naturals: int
    wilds: int
    cards: tuple[Card, ...]

    @property
    def size(self) -> int:
        """The number of cards in the meld."""
        return len(self.cards)


# --- cards in ascending order, as hands and melds hold them -----------------------------------------------------------


def without_cards(cards: tuple[Card, ...], removed: Iterable[Card]) -> tuple[Card, ...]:
    """Return the sorted cards without `removed`, each removed once. All of them must be there."""
    left = list(cards)
    for card in removed:
        del left[bisect_left(left, card)]
    return tuple(left)


def merge_cards(cards: tuple[Card, ...], added: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the cards and those `added` together, in ascending order."""
    return tuple(sorted(cards + added))


def meld_of(place: Place, cards: tuple[Card, ...]) -> TableMeld:
    """Return the meld of these sorted cards."""
    naturals = bisect_left(cards, JOKER_CARD if place & FAMILIES - 1 == DEUCE_MELD else FIRST_WILD_CARD)
    return TableMeld(place, naturals, len(cards) - naturals, cards)


def meld_with_cards(place: Place, lying: TableMeld | None, cards: Iterable[Card]) -> TableMeld:
    """Return the meld at that place after `cards` join `lying`, or begin it if `lying` is None."""
    return meld_of(place, tuple(sorted(cards if lying is None else (*lying.cards, *cards))))


def card_points_of(rules: RuleSet, cards: Iterable[Card]) -> int:
    """Return the points of the cards on the table; red threes count zero here."""
    values = rules.card_values
    return sum([values[card >> 2] for card in cards])


# --- the cards of a step, which names only kinds and numbers ----------------------------------------------------------


Wanted: TypeAlias = Sequence[tuple[Kind | None, int]]
"""Kinds, each with the number of cards wanted; an entry whose kind is None is ignored."""


def cards_wanted_by(step: Meld | Take, kind: Kind | None) -> Wanted:
    """Return the kinds and numbers that a step takes from the hand; `kind` is that of its naturals."""
    return ((kind, step.naturals), (TWO, step.twos), (JOKER, step.jokers))


def pick_cards(hand: Sequence[Card], wanted: Wanted, before: Iterable[Card] = ()) -> tuple[Card, ...]:
    """Return the wanted cards from a sorted hand, as far as it holds them.

    Of equal cards those in `before` are taken first.
    """
    cards: list[Card] = []
    for kind, count in wanted:
        if count and kind is not None:
            first = bisect_left(hand, kind << 2)
            held = hand[first : bisect_left(hand, (kind + 1) << 2, first)]
            cards += (_sort_preferred_first(held, before) if before else held)[:count]
    return tuple(cards)


def _sort_preferred_first(cards: Sequence[Card], before: Iterable[Card]) -> Sequence[Card]:
    """Return the cards in ascending order, but first those in `before`, as often as they are in it."""
    ahead = Counter(cards) & Counter(before)
    return [*sorted(ahead.elements()), *sorted((Counter(cards) - ahead).elements())]


# --- families ---------------------------------------------------------------------------------------------------------


def family_of_cards(rules: RuleSet, cards: Sequence[Card]) -> Family | None:
    """Return the family of melds that the cards belong to, or None if these rules have none for them.

    Cards of several ranks can only be a run. Wild cards without naturals are a wild meld, or twos as a rank.
    """
    ranks = {card >> 2 for card in cards} - {TWO, JOKER}
    if len(ranks) == 1:
        return None if ranks == {RED_THREE} else ranks.pop()
    if not ranks:
        if "wild" in rules.meld_kinds:
            return WILD_MELD if cards else None
        return DEUCE_MELD if cards and "deuce" in rules.meld_kinds else None
    suits = {card & 3 for card in cards}
    of_run = "seq" in rules.meld_kinds and len(suits) == 1 and len(ranks) == len(cards) and max(ranks) < BLACK_THREE
    return run_place(suits.pop()) if of_run else None


def is_possible_meld(rules: RuleSet, meld: TableMeld) -> bool:
    """Return whether such a meld may be on the table at some time in a deal."""
    if meld.kind == BLACK_THREE:
        return not meld.wilds and meld.naturals in sizes_of_black_three_melds(rules)[1:]
    if is_run(meld.place):
        ranks = [card >> 2 for card in meld.cards]
        return len(ranks) >= 3 and ranks == list(range(ranks[0], ranks[0] + len(ranks)))
    if meld.kind == WILD_MELD:
        return rules.meld_min <= meld.size <= rules.canasta_size
    return is_meld(rules, meld.naturals, meld.wilds)
