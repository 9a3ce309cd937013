"""The words users may type: English, and the language they are answered in (`reading.toml`).

Letters, signs and digits mean the same in every language and are defined here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

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
from bot.i18n import DEFAULT
from bot.i18n.languages import typing_words

WILD: Final[Kind] = -1
"""Any wild card: a two if there is one, else a joker."""

RANK_OF_NUMBER: Final[Mapping[int, Kind]] = {
    2: TWO, 3: BLACK_THREE, 4: FOUR, 5: FIVE, 6: SIX, 7: SEVEN, 8: EIGHT, 9: NINE, 10: TEN,
}  # fmt: skip

LETTERS: Final[Mapping[str, Kind]] = {
    "2": TWO, "3": BLACK_THREE, "4": FOUR, "5": FIVE, "6": SIX, "7": SEVEN, "8": EIGHT, "9": NINE, "10": TEN, "t": TEN,
    "j": JACK, "q": QUEEN, "k": KING, "a": ACE, "jk": JOKER, "*": JOKER, "w": WILD,
}  # fmt: skip

SUIT_SIGNS: Final[Mapping[str, Suit]] = {
    "s": SPADES, "h": HEARTS, "d": DIAMONDS, "c": CLUBS, "♠": SPADES, "♥": HEARTS, "♦": DIAMONDS, "♣": CLUBS,
}  # fmt: skip

_CARDS: Final = frozenset({"number", "rank", "ranks", "suit"})
"""The sections that define words for cards and numbers."""

_SYMBOLS: Final = str.maketrans({"♤": "♠", "♡": "♥", "♢": "♦", "♧": "♣", "\ufe0f": None, "×": "x", "🃏": " joker "})


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The words that users may type, without accents (`remove_accents`), and their meanings.

    `said` has the words that are not cards or numbers, grouped by use. `weekdays` has the beginnings of each day's
    names, Monday first.
    """

    numbers: Mapping[str, int]
    singular: Mapping[str, Kind]
    plural: Mapping[str, Kind]
    suits: Mapping[str, Suit]
    said: Mapping[str, frozenset[str]]
    weekdays: tuple[tuple[str, ...], ...]

    def has_use(self, word: str, use: str) -> bool:
        """Return whether a word is among those of that use, such as "fillers"."""
        return word in self.said[use]

    def pattern_of(self, *uses: str) -> str:
        """Return a regular expression for any word of these uses, long ones first."""
        words = {word for use in uses for word in self.said[use]}
        return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))


def fold_case(text: str) -> str:
    """Return the text in lower case, with every suit sign in its usual form."""
    return unicodedata.normalize("NFC", text.translate(_SYMBOLS)).casefold()


def remove_accents(text: str) -> str:
    """Return the folded text without accents, at the same length."""
    return "".join(_strip_accents(letter) for letter in text)


def _strip_accents(letter: str) -> str:
    parts = unicodedata.normalize("NFD", letter)
    return parts[0] if all(unicodedata.combining(mark) for mark in parts[1:]) else letter


@cache
def vocabulary_of(locale: str = DEFAULT) -> Vocabulary:
    """Return the words that a person who is answered in that language may type."""
    tables = [typing_words(one) for one in dict.fromkeys((DEFAULT, locale))]
    uses = [_words_by_use(table) for table in tables]
    return Vocabulary(
        numbers=_meanings_of_words(tables, "number", int),
        singular=_meanings_of_words(tables, "rank", _kind_of_letter),
        plural=_meanings_of_words(tables, "ranks", _kind_of_letter),
        suits={**SUIT_SIGNS, **_meanings_of_words(tables, "suit", lambda letter: SUIT_SIGNS[letter.casefold()])},
        said={use: frozenset(word for one in uses for word in one.get(use, ())) for use in uses[0]},
        weekdays=tuple(zip(*(one["time.weekdays"] for one in uses), strict=True)),
    )


def _kind_of_letter(letter: str) -> Kind:
    return LETTERS[letter.casefold()]


def _fold_word(word: str) -> str:
    return remove_accents(fold_case(word))


def _meanings_of_words(
    tables: Iterable[Mapping[str, Any]], section: str, meaning: Callable[[str], int]
) -> dict[str, int]:
    """Return the words of a section with their meanings, in all these languages.

    If two languages have the same word, English wins.
    """
    found: dict[str, int] = {}
    for table in tables:
        for sign, words in table.get(section, {}).items():
            for word in words:
                found.setdefault(_fold_word(word), meaning(sign))
    return found


def _words_by_use(table: Mapping[str, Any], prefix: str = "") -> dict[str, tuple[str, ...]]:
    """Return a language's words by their use: ``fillers``, ``combine.said``. Words for cards are left out."""
    found: dict[str, tuple[str, ...]] = {}
    for name, value in table.items():
        if isinstance(value, Mapping):
            found |= {} if name in _CARDS else _words_by_use(value, f"{name}.")
        else:
            found[prefix + name] = tuple(map(_fold_word, value))
    return found
