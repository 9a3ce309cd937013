"""Figures as people read them: thousands apart, gains and losses with their sign.

Ratings and reliability in words.

Numbers and lists as a language writes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Final

from bot.i18n import Words
from bot.profiles.figures import Figures
from bot.ratings.ratings import Ladder, Rating

_BETWEEN_THOUSANDS: Final = {"en": ",", "it": "."}
_BEFORE_DECIMALS: Final = {"en": ".", "it": ","}


def grouped(words: Words, number: int) -> str:
    """A number with its thousands apart: ``2,450``; a minus sign before one below zero."""
    text = f"{abs(number):,}".replace(",", _BETWEEN_THOUSANDS.get(words.locale, "\N{NO-BREAK SPACE}"))
    return f"\N{MINUS SIGN}{text}" if number < 0 else text


def one_place(words: Words, number: float) -> str:
    """A number with one decimal place: ``1.4``, in Italian ``1,4``."""
    return f"{number:.1f}".replace(".", _BEFORE_DECIMALS.get(words.locale, "."))


def signed(words: Words, number: int) -> str:
    """A gain or a loss: ``+870``, ``−20``, ``0``."""
    return f"+{grouped(words, number)}" if number > 0 else grouped(words, number)


def ladder_title(words: Words, ladder: Ladder) -> str:
    """What a ladder is called: the kind of rules, and for how many."""
    return f"{words(f'family.{ladder.family}')} · {words('offer.players', players=ladder.players)}"


def rating_figure(words: Words, rating: Rating) -> str:
    """The figure of a rating, with a word where it is provisional."""
    figure = grouped(words, rating.shown)
    return words("rating.provisional", rating=figure) if rating.provisional else words("rating.sure", rating=figure)


def reliability(words: Words, figures: Figures) -> str:
    """The mark of how reliable somebody is: games brought to an end, and how often the time ran out."""
    told = [
        words("profile.finished", count=figures.games) if figures.games else "",
        words("profile.lapses", count=figures.lapses),
        words("profile.agreed", count=figures.agreed) if figures.agreed else "",
    ]
    return " · ".join(filter(None, told))


MOST_IN_WORDS: Final = 12
"""Larger numbers are written in digits."""


def grouped_sentences(words: Words, number: int) -> str:
    """A number in digits, its thousands set apart."""
    return f"{number:,}".replace(",", words("writing.thousands")).replace("-", "−")


def in_words(words: Words, number: int) -> str:
    """A small number as a word, a larger one in digits."""
    return words(f"number_word.{number}") if 0 <= number <= MOST_IN_WORDS else grouped_sentences(words, number)


def both(words: Words, parts: Sequence[str]) -> str:
    """``a, b and c``."""
    return _joined(words, parts, "writing.both")


def either(words: Words, parts: Sequence[str]) -> str:
    """``a, b or c``."""
    return _joined(words, parts, "writing.either")


def or_else(words: Words, parts: Sequence[str]) -> str:
    """``a, or b, or c``."""
    return reduce(lambda first, last: words("writing.or_else", first=first, last=last), parts)


def and_while(words: Words, parts: Sequence[str]) -> str:
    """``a, and b``."""
    return reduce(lambda first, last: words("writing.and_while", first=first, last=last), parts)


def _joined(words: Words, parts: Sequence[str], key: str) -> str:
    *first, last = parts
    return words(key, first=", ".join(first), last=last) if first else last


def sentence(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]
