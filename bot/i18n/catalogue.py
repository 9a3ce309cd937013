"""Catalogues: they turn keys into sentences, with numbers, plurals and names of cards.

A language's folder has a TOML file for each subject. A value is a sentence with ``{names}`` in braces, or a table with
``by`` (the number that decides) and one sentence for each plural form of the language, or ``yes`` and ``no`` where the
number is 1 or 0. Each key is in one file only. An incomplete language uses the English entries that it lacks, with the
English plural rule.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import Formatter
from typing import TypeAlias

from bot.i18n.languages import ABOUT, DEFAULT, READING, Language, language, locales

Entry: TypeAlias = str | Mapping[str, str]


class Words:
    """The sentences of one language."""

    def __init__(
        self,
        locale: str,
        entries: Mapping[str, Entry],
        lent: Mapping[str, Entry] | None = None,
        *,
        speaks: Language | None = None,
    ) -> None:
        self.locale = locale
        self.language = speaks or language(locale)
        self.entries: Mapping[str, Entry] = {**(lent or {}), **entries}
        self.lent = frozenset(lent or ()) - frozenset(entries)

    def __call__(self, key: str, /, **values: object) -> str:
        """Return the sentence with that key, with the values inserted.

        Raises `KeyError` for a missing key or value.
        """
        entry = self.entries[key]
        if not isinstance(entry, str):
            entry = entry[self._plural_form(key, entry, int(str(values[entry["by"]])))]
        return entry.format_map(values) if values or "{" in entry else entry

    def _plural_form(self, key: str, entry: Mapping[str, str], number: int) -> str:
        if "yes" in entry:
            return "yes" if number == 1 else "no"
        return (language(DEFAULT) if key in self.lent else self.language).plural_form(number)

    def __contains__(self, key: str) -> bool:
        return key in self.entries

    def kind_name(self, letter: str, count: int = 1) -> str:
        """Return the name of a kind of card, in the plural if `count` is not 1.

        `letter` is the kind's letter in `bot.engine.cards.notation`.
        """
        return self(f"kind.{letter}", count=count)


@cache
def words(locale: str | None = None) -> Words:
    """Return the catalogue for a locale such as ``de`` or ``en-GB``; English if there is none."""
    for name in (locale or DEFAULT, (locale or DEFAULT).partition("-")[0]):
        if name in locales():
            lent = None if language(name).complete else words(DEFAULT).entries
            return Words(name, read_entries(files(__package__) / name), lent)
    return words(DEFAULT)


@cache
def words_about(locale: str, subjects: Collection[str]) -> Words:
    """Return a language's catalogue of some subjects only, such as ``command``.

    That is read in a fraction of the time for the whole catalogue. A subject is the first part of a key.
    """
    lent = None if language(locale).complete else words(DEFAULT).entries
    return Words(locale, read_entries(files(__package__) / locale, subjects), lent)


def read_entries(folder: Traversable, subjects: Collection[str] = ()) -> dict[str, Entry]:
    """Return all catalogue entries of a language's folder, or those of some subjects, by key.

    Raises `ValueError` for a key that occurs twice.
    """
    found: dict[str, Entry] = {}
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        if file.name.endswith(".toml") and file.name not in (ABOUT, READING):
            text = file.read_text(encoding="utf-8")
            for key, entry in _flatten_table(tomllib.loads(_select_sections(text, subjects) if subjects else text)):
                if key in found:
                    raise ValueError(f"{folder.name}/{file.name}: {key} stands in another file already")
                found[key] = entry
    return found


def _select_sections(text: str, subjects: Collection[str]) -> str:
    """Return the parts of a catalogue's text that belong to the subjects, or to no section.

    A section begins with a header like ``[command.draw]``, whose first part is its subject.
    """
    above, *sections = f"\n{text}".split("\n[")
    return "\n[".join([above, *(one for one in sections if one.partition("]")[0].partition(".")[0] in subjects)])


def placeholders(entry: Entry) -> set[str]:
    """Return the names of the values that a catalogue's sentence needs."""
    sentences = [entry] if isinstance(entry, str) else [text for form, text in entry.items() if form != "by"]
    named = {name for text in sentences for _, name, _, _ in Formatter().parse(text) if name}
    return named if isinstance(entry, str) else named | {entry["by"]}


def _flatten_table(table: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, Entry]]:
    """Yield the entries of nested TOML tables, each with its whole key such as ``a.b.c``."""
    for key, value in table.items():
        if isinstance(value, str):
            yield prefix + key, value
        elif isinstance(value, Mapping) and "by" in value:
            yield prefix + key, {str(form): str(text) for form, text in value.items()}
        elif isinstance(value, Mapping):
            yield from _flatten_table(value, f"{prefix}{key}.")
