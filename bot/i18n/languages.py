"""Languages: each folder with a `language.toml` is a language.

That file has the language's name, plural rule and number format; the sentences are in other files.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

DEFAULT: Final = "en"
"""The language for readers whose own language has no folder."""

ABOUT: Final = "language.toml"
READING: Final = "reading.toml"

PLURALS: Final[Mapping[str, Callable[[int], str]]] = {
    "none": lambda _: "other",
    "one": lambda count: "one" if abs(count) == 1 else "other",
    "zero-one": lambda count: "one" if abs(count) < 2 else "other",
}
"""Plural rules by name: each maps a number to a form of a sentence."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language's own name, its plural rule and its number format.

    If it is not `complete`, English sentences replace missing ones.
    """

    name: str
    plural: str
    thousands: str
    decimal: str
    complete: bool = False

    def __post_init__(self) -> None:
        if self.plural not in PLURALS:
            raise ValueError(f"no plural rule {self.plural!r}")

    def plural_form(self, count: int) -> str:
        """Return the plural form for a number: ``one`` or ``other``."""
        return PLURALS[self.plural](count)


@cache
def locales() -> tuple[str, ...]:
    """Return the locales of all languages, which are the names of their folders; the default one first."""
    found = {folder.name for folder in files(__package__).iterdir() if (folder / ABOUT).is_file()}
    return (DEFAULT, *sorted(found - {DEFAULT}))


@cache
def language(locale: str) -> Language:
    """Return the language in the folder of that name."""
    return Language(**_read_toml(locale, ABOUT))


@cache
def typing_words(locale: str) -> Mapping[str, Any]:
    """Return the words that players may type in a language, such as names of cards."""
    return _read_toml(locale, READING)


def _read_toml(locale: str, file: str) -> dict[str, Any]:
    """Return the content of a TOML file in a language's folder."""
    return tomllib.loads((files(__package__) / locale / file).read_text(encoding="utf-8"))
