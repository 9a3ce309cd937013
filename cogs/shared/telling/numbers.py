"""Numbers and lists as a language writes them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Final

from bot.i18n import Words

MOST_IN_WORDS: Final = 12
"""Larger numbers are written in digits."""


def grouped(words: Words, number: int) -> str:
    """A number with its thousands apart: ``2,450``; a minus sign before one below zero."""
    text = f"{abs(number):,}".replace(",", words.language.thousands)
    return f"\N{MINUS SIGN}{text}" if number < 0 else text


def one_place(words: Words, number: float) -> str:
    """A number with one decimal place: ``1.4``."""
    return f"{number:.1f}".replace(".", words.language.decimal)


def signed(words: Words, number: int) -> str:
    """A gain or a loss: ``+870``, ``−20``, ``0``."""
    return f"+{grouped(words, number)}" if number > 0 else grouped(words, number)


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
