"""Languages: every folder with a `language.toml` is one; what it holds beside its sentences."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

DEFAULT: Final = "en"
"""The language of readers whose own has no folder."""

ABOUT: Final = "language.toml"
READING: Final = "reading.toml"

PLURALS: Final[Mapping[str, Callable[[int], str]]] = {
    "none": lambda _: "other",
    "one": lambda count: "one" if abs(count) == 1 else "other",
    "zero-one": lambda count: "one" if abs(count) < 2 else "other",
}
"""Plural rules by name: which form of a sentence a number takes."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language's own name, its plural rule and its number format.

    English is lent to a language that is not `complete` where a sentence is missing.
    """

    name: str
    plural: str
    thousands: str
    decimal: str
    complete: bool = False

    def __post_init__(self) -> None:
        if self.plural not in PLURALS:
            raise ValueError(f"no plural rule {self.plural!r}")

    def form(self, count: int) -> str:
        """The plural form that a number takes: ``one`` or ``other``."""
        return PLURALS[self.plural](count)


@cache
def locales() -> tuple[str, ...]:
    """The languages there are folders for, the default one first."""
    found = {folder.name for folder in files(__package__).iterdir() if (folder / ABOUT).is_file()}
    return (DEFAULT, *sorted(found - {DEFAULT}))


@cache
def language(locale: str) -> Language:
    """The language of that folder."""
    return Language(**_table(locale, ABOUT))


@cache
def reading(locale: str) -> Mapping[str, Any]:
    """The words that a language understands in what people type, as its folder has them."""
    return _table(locale, READING)


def _table(locale: str, file: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / locale / file).read_text(encoding="utf-8"))
