"""Numbers and lists as a language writes them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Final

from bot.i18n import Words

MOST_IN_WORDS: Final = 12
"""Larger numbers are written in digits."""


def grouped(words: Words, number: int) -> str:
    """A number in digits, its thousands set apart."""
    return f"{number:,}".replace(",", words("writing.thousands")).replace("-", "−")


def in_words(words: Words, number: int) -> str:
    """A small number as a word, a larger one in digits."""
    return words(f"number_word.{number}") if 0 <= number <= MOST_IN_WORDS else grouped(words, number)


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
