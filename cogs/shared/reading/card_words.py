"""The words people use for cards, as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.engine.cards.cards import (
    ACE,
    BLACK_THREE,
    CLUBS,
    DIAMONDS,
    EIGHT,
    FIVE,
    FOUR,
    HEARTS,
    JACK,
    JOKER,
    KING,
    NINE,
    QUEEN,
    SEVEN,
    SIX,
    SPADES,
    TEN,
    TWO,
    Kind,
    Suit,
)

WILD: Final[Kind] = -1
"""Any wild card: a two as long as there is one, else a joker."""

NUMBERS: Final[Mapping[str, int]] = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12,
}  # fmt: skip
"""Words that count; those from two to ten are ranks as well."""

RANK_OF_NUMBER: Final[Mapping[int, Kind]] = {
    2: TWO, 3: BLACK_THREE, 4: FOUR, 5: FIVE, 6: SIX, 7: SEVEN, 8: EIGHT, 9: NINE, 10: TEN,
}  # fmt: skip

SINGULAR: Final[Mapping[str, Kind]] = {
    "jack": JACK, "knave": JACK, "queen": QUEEN, "king": KING, "ace": ACE, "joker": JOKER, "jkr": JOKER,
    "deuce": TWO, "wild": WILD, "wildcard": WILD,
}  # fmt: skip

PLURAL: Final[Mapping[str, Kind]] = {
    "twos": TWO, "threes": BLACK_THREE, "fours": FOUR, "fives": FIVE, "sixes": SIX, "sevens": SEVEN, "eights": EIGHT,
    "nines": NINE, "tens": TEN, "jacks": JACK, "knaves": JACK, "queens": QUEEN, "kings": KING, "aces": ACE,
    "jokers": JOKER, "jkrs": JOKER, "deuces": TWO, "wilds": WILD, "wildcards": WILD,
}  # fmt: skip

LETTERS: Final[Mapping[str, Kind]] = {
    "2": TWO, "3": BLACK_THREE, "4": FOUR, "5": FIVE, "6": SIX, "7": SEVEN, "8": EIGHT, "9": NINE, "10": TEN, "t": TEN,
    "j": JACK, "q": QUEEN, "k": KING, "a": ACE, "jk": JOKER, "*": JOKER, "w": WILD,
}  # fmt: skip

SUITS: Final[Mapping[str, Suit]] = {
    "s": SPADES, "h": HEARTS, "d": DIAMONDS, "c": CLUBS, "♠": SPADES, "♥": HEARTS, "♦": DIAMONDS, "♣": CLUBS,
    "spade": SPADES, "heart": HEARTS, "diamond": DIAMONDS, "club": CLUBS,
    "spades": SPADES, "hearts": HEARTS, "diamonds": DIAMONDS, "clubs": CLUBS,
}  # fmt: skip

SYMBOLS: Final = str.maketrans({"♤": "♠", "♡": "♥", "♢": "♦", "♧": "♣", "\ufe0f": None, "×": "x", "🃏": " joker "})

FILLERS: Final = frozenset(
    {"and", "plus", "with", "of", "the", "my", "card", "cards", "meld", "natural", "naturals", "then"}
)
ONTO: Final = frozenset({"on", "onto", "to", "into"})
ALL: Final = frozenset({"all", "both", "every"})
COUPLE: Final[Mapping[str, int]] = {"pair": 2, "couple": 2}
ARTICLES: Final = frozenset({"a", "an"})
BLACK: Final = frozenset({"black"})
