"""Numbers and lists as a language writes them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Final

from bot.i18n import Words

MOST_IN_WORDS: Final = 12
"""Largest number written as a word; larger ones are written in digits."""


def group_thousands(words: Words, number: int) -> str:
    """Return a number as text with separated thousands: ``2,450``; negative with a minus sign."""
    text = f"{abs(number):,}".replace(",", words.language.thousands)
    return f"\N{MINUS SIGN}{text}" if number < 0 else text


def number_with_one_decimal(words: Words, number: float) -> str:
    """Return a number as text with one decimal place: ``1.4``."""
    return f"{number:.1f}".replace(".", words.language.decimal)


def number_with_sign(words: Words, number: int) -> str:
    """Return a gain or loss as text with its sign: ``+870``, ``−20``, ``0``."""
    return f"+{group_thousands(words, number)}" if number > 0 else group_thousands(words, number)


def number_in_words(words: Words, number: int) -> str:
    """Return a small number as a word, a larger one in digits."""
    return words(f"number_word.{number}") if 0 <= number <= MOST_IN_WORDS else group_thousands(words, number)


def join_with_and(words: Words, parts: Sequence[str]) -> str:
    """Return the parts as a list: ``a, b and c``."""
    return _join_parts(words, parts, "writing.both")


def join_with_or(words: Words, parts: Sequence[str]) -> str:
    """Return the parts as a list: ``a, b or c``."""
    return _join_parts(words, parts, "writing.either")


def join_alternatives(words: Words, parts: Sequence[str]) -> str:
    """Return the parts as alternatives: ``a, or b, or c``."""
    return reduce(lambda first, last: words("writing.or_else", first=first, last=last), parts)


def join_clauses(words: Words, parts: Sequence[str]) -> str:
    """Return the parts as clauses of a sentence: ``a, and b``."""
    return reduce(lambda first, last: words("writing.and_while", first=first, last=last), parts)


def _join_parts(words: Words, parts: Sequence[str], key: str) -> str:
    *first, last = parts
    return words(key, first=", ".join(first), last=last) if first else last


def capitalize_first_letter(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]
