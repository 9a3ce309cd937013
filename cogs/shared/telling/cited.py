"""Paragraphs as they are cited, and what each of them says."""

from __future__ import annotations

from typing import Final

from bot.i18n import Words
from cogs.shared.telling.sentences import sentence

PENALTIES: Final = "1.22"
"""Where the prices stand that founding texts put on irregularities."""


def short(paragraph: str) -> str:
    """The paragraph that a citation opens; one of a founding text about the price of an irregularity opens 1.22."""
    return PENALTIES if paragraph.startswith("S") else paragraph


def known(words: Words, number: str) -> bool:
    """Whether there is such a paragraph."""
    return f"paragraph_text.{number}" in words


def numbers(words: Words) -> list[str]:
    """Every paragraph, in the catalogue's order."""
    return [key.removeprefix("paragraph_text.") for key in words.entries if key.startswith("paragraph_text.")]


def title(words: Words, number: str) -> str:
    """A paragraph's number and what it is about."""
    return words("ruling.paragraph", number=number, name=words(f"paragraph.{number}"))


def told(words: Words, number: str) -> str:
    """A paragraph with what it says."""
    name = sentence(words(f"paragraph.{number}"))
    return words("rules_page.paragraph", number=number, name=name, text=words(f"paragraph_text.{number}"))
