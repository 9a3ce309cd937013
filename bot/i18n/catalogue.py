"""Catalogues: keys to sentences, with numbers, plurals and names of cards.

A catalogue is a folder named by its language, with a TOML file for each subject. A value is a sentence with ``{names}``
in braces, or a table with ``by`` (the number that decides) and one sentence for each plural form of the language. A
language that lacks an entry is a fault the tests find, so nothing is looked up twice.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Final, TypeAlias

Entry: TypeAlias = str | Mapping[str, str]

DEFAULT: Final = "en"
"""The language of everybody whose own has no catalogue."""


def _one_other(count: int) -> str:
    return "one" if abs(count) == 1 else "other"


PLURALS: Final[Mapping[str, Callable[[int], str]]] = {"en": _one_other, "it": _one_other}
"""Which plural form a language uses for a number; a new catalogue adds its rule here."""


class Words:
    """The sentences of one language."""

    def __init__(self, locale: str, entries: Mapping[str, Entry]) -> None:
        self.locale = locale
        self.entries = entries

    def __call__(self, key: str, /, **values: object) -> str:
        """The sentence of a key with the values put in. Raises `KeyError` for a key or value that is missing."""
        entry = self.entries[key]
        if not isinstance(entry, str):
            entry = entry[PLURALS[self.locale](int(str(values[entry["by"]])))]
        return entry.format_map(values) if values or "{" in entry else entry

    def __contains__(self, key: str) -> bool:
        return key in self.entries

    def kind(self, letter: str, count: int = 1) -> str:
        """The rank of that letter (`bot.engine.cards.notation`), in the plural if there are several."""
        return self(f"kind.{letter}", count=count)


@cache
def locales() -> tuple[str, ...]:
    """The languages there are catalogues for, the default one first."""
    found = {folder.name for folder in files(__package__).iterdir() if folder.name in PLURALS}
    return (DEFAULT, *sorted(found - {DEFAULT}))


@cache
def words(locale: str | None = None) -> Words:
    """The catalogue for a locale such as ``de`` or ``en-GB``; the default one where there is none."""
    for name in (locale or DEFAULT, (locale or DEFAULT).partition("-")[0]):
        if name in locales():
            subjects = [
                tomllib.loads(file.read_text(encoding="utf-8")) for file in (files(__package__) / name).iterdir()
            ]
            return Words(name, {key: entry for one in subjects for key, entry in _flat(one)})
    return words(DEFAULT)


def placeholders(entry: Entry) -> set[str]:
    """The names a sentence asks for."""
    sentences = [entry] if isinstance(entry, str) else [text for form, text in entry.items() if form != "by"]
    named = {name for text in sentences for _, name, _, _ in Formatter().parse(text) if name}
    return named if isinstance(entry, str) else named | {entry["by"]}


def _flat(table: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, Entry]]:
    for key, value in table.items():
        if isinstance(value, str):
            yield prefix + key, value
        elif isinstance(value, Mapping) and "by" in value:
            yield prefix + key, {str(form): str(text) for form, text in value.items()}
        elif isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
