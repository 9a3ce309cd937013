"""Writes cards as text: single cards with their suits, melds by rank.

Also: the letters that controls store.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from bot.engine.cards.cards import BLACK_THREE, JOKER, RANK_LETTERS, RED_THREE, SUIT_LETTERS, TEN, Card, Kind
from bot.engine.cards.meld_places import RUN, WILD_MELD, Family, is_run
from bot.engine.rules.rule_set import RuleSet
from bot.i18n import Words

KIND_LETTERS: Final = "456789TJQKA3203"
"""Letter of each kind in the menus where melds are prepared."""

DISCARD_VALUES: Final[tuple[str, ...]] = (*"456789TJQKA32", "JK", "R3")
"""Letter of each kind in a control that discards."""


_SUITS: Final = "♠♥♦♣"


def rank_label(kind: Kind) -> str:
    """Return the text of a rank as printed on cards: ``K``, ``10``, ``Joker``."""
    return "Joker" if kind == JOKER else "10" if kind == TEN else RANK_LETTERS[kind]


def rank_sign(card: Card) -> str:
    """Return a card's rank in the fewest letters: ``K``, ``10``, ``JK``."""
    return "JK" if card >> 2 == JOKER else rank_label(card >> 2)


def card_label(card: Card) -> str:
    """Return a card as text with its suit: ``7♥``, ``Joker``."""
    kind = card >> 2
    return rank_label(kind) if kind == JOKER else rank_label(kind) + _SUITS[card & 3]


def ranks_label(cards: Iterable[Card]) -> str:
    """Return the cards as text by rank, without suits: ``K K K 2``."""
    return " ".join(rank_label(one >> 2) for one in cards)


def cards_label(cards: Iterable[Card]) -> str:
    """Return the cards as text, each with its suit."""
    return " ".join(card_label(one) for one in cards)


def hand_label(cards: Iterable[Card], rules: RuleSet) -> str:
    """Return a hand as text; suits are shown if the rules have runs, or for threes of both colours."""
    if "seq" in rules.meld_kinds:
        return cards_label(cards)
    if not rules.counts_red_threes:
        return ranks_label(cards)
    return " ".join(card_label(one) if one >> 2 in (BLACK_THREE, RED_THREE) else rank_label(one >> 2) for one in cards)


def meld_text(kind: Kind, naturals: int, twos: int = 0, jokers: int = 0) -> str:
    """Return the cards of one meld as text by rank: ``K K K 2 Joker``."""
    return " ".join([rank_label(kind)] * naturals + ["2"] * twos + [rank_label(JOKER)] * jokers)


def discard_label(words: Words, kind: Kind, *, red_threes_stay: bool) -> str:
    """Return the label of a button to discard a rank; for threes the colour if a hand may hold both."""
    if red_threes_stay and kind in (BLACK_THREE, RED_THREE):
        return words.kind_name("R3" if kind == RED_THREE else "B3")
    return rank_label(kind)


def cards_in_words(words: Words, cards: Iterable[Card]) -> str:
    """Return the numbers of cards of each rank in words, wild cards last: "3 kings, 1 two"."""
    held = Counter(one >> 2 for one in cards)
    return ", ".join(f"{held[kind]} {kind_word(words, kind, held[kind])}" for kind in sorted(held))


def meld_word(words: Words, family: Family, count: int = 1) -> str:
    """Return the word for the cards of a meld: a rank, wild cards, or a run of a suit."""
    if is_run(family):
        return words(f"meld_word.{SUIT_LETTERS[family - RUN]}")
    return words("meld_word.wild") if family == WILD_MELD else kind_word(words, family, count)


def kind_word(words: Words, kind: Kind, count: int = 1) -> str:
    """Return the word for a rank, in the plural if `count` is not one."""
    return words.kind_name("JK" if kind == JOKER else RANK_LETTERS[kind], count)
