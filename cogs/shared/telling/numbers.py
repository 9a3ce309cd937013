"""Figures as people read them: thousands apart, gains and losses with their sign."""

from __future__ import annotations

from typing import Final

from bot.i18n import Words

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
