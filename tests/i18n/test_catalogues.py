"""Catalogues: every code has its words, every sentence can be filled in, no entry is unused."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from bot.clocks.time_rules import PRESETS
from bot.engine.law.rule_conflicts import ProblemCode
from bot.engine.moves.refusals import Code
from bot.engine.rules.sets import NOTES, RULE_SETS, rule_set
from bot.i18n import DEFAULT, Words, locales, words, words_about
from bot.i18n.catalogue import Entry, placeholders, read_entries
from bot.i18n.languages import Language, language
from bot.i18n.rule_set_notes import notes_of_language, translated_note
from bot.series.refusals import SeriesCode
from bot.tables.state.refusals import TableCode
from bot.tournaments.event.refusals import TournamentCode
from cogs.shared.reading.input_problems import InputCode
from cogs.shared.telling import rules_text
from cogs.shared.telling.names import SECTION, picture_words
from render.picture_words import ENGLISH as IN_ENGLISH
from render.picture_words import FIELDS

ROOT = Path(__file__).parent.parent.parent
ENGLISH = words(DEFAULT)
SOURCES = [file for folder in ("cogs", "bot/i18n", "bot/referee") for file in (ROOT / folder).rglob("*.py")]

SECTIONS: dict[str, tuple[type[StrEnum], Path]] = {
    "refusal": (Code, ROOT / "bot/engine/moves/refusals.py"),
    "house_rules": (ProblemCode, ROOT / "bot/engine/law/rule_conflicts.py"),
    "table_refusal": (TableCode, ROOT / "bot/tables/state/refusals.py"),
    "tournament_refusal": (TournamentCode, ROOT / "bot/tournaments/event/refusals.py"),
    "series_refusal": (SeriesCode, ROOT / "bot/series/refusals.py"),
    "input": (InputCode, ROOT / "cogs/shared/reading/input_problems.py"),
}

MADE = {"turn", "partner", "seat", "host", "card", "cards", "kind", "kinds", "first", "firsts", "second", "seconds"}
"""The further values that `cogs.shared.telling.explanations` computes from seats, kinds and cards."""


def declared_values(file: Path) -> dict[str, set[str]]:
    """Return for each code the values that its comment lists, beside or above it."""
    member = re.compile(r'(?:^    # (.*)\n)?^    [A-Z_0-9]+ = "(\w+)"(?:, "[\w.]+")?(?:  # (.*))?$', re.MULTILINE)
    found = member.findall(file.read_text())
    return {code: set(re.findall(r'"(\w+)"', above + beside)) for above, code, beside in found}


def test_every_code_has_its_words_and_no_words_are_unused() -> None:
    for section, (codes, _) in SECTIONS.items():
        entries = {key.partition(".")[2] for key in ENGLISH.entries if key.startswith(f"{section}.")}
        assert {code.value for code in codes} == entries


@pytest.mark.parametrize("section", SECTIONS)
def test_a_refusals_sentence_uses_only_values_of_its_code(section: str) -> None:
    codes, file = SECTIONS[section]
    carried = declared_values(file)
    assert {code.value for code in codes} == set(carried)
    for code, numbers in carried.items():
        asked = placeholders(ENGLISH.entries[f"{section}.{code}"])
        seats = {"turn", "partner", "seat", "host"}
        assert not (asked & seats) - numbers, code
        assert not asked - numbers - MADE, code
        if asked & (MADE - seats - numbers):
            assert numbers & {"kind", "first", "card"}, code


@cache
def source_texts() -> frozenset[str]:
    """Return every string in the sources; of an f-string its fixed beginning, with a star."""
    return frozenset(_texts_in_sources())


def _texts_in_sources() -> Iterator[str]:
    for file in SOURCES:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
            elif isinstance(node, ast.JoinedStr) and isinstance(first := node.values[0], ast.Constant):
                yield f"{first.value!s}*"


def test_no_catalogue_entry_is_unused() -> None:
    used = source_texts()
    beginnings = tuple(text[:-1] for text in used if re.fullmatch(r"[a-z_]+\.[a-z_]*\*", text))
    codes = tuple(f"{section}." for section in SECTIONS)
    unused = [
        key
        for key in ENGLISH.entries
        if key not in used and not key.startswith(codes) and not any(key.startswith(one) for one in beginnings)
    ]
    assert [] == unused


def test_every_key_that_the_sources_use_is_in_the_catalogue() -> None:
    sections = {key.partition(".")[0] for key in ENGLISH.entries}
    keys = {
        text
        for text in source_texts()
        if re.fullmatch(r"[a-z_]+\.[a-z_]+", text) and text.partition(".")[0] in sections and "discord" not in text
    }
    assert set() == keys - set(ENGLISH.entries)


def test_every_rule_set_has_a_name() -> None:
    assert all(f"rules.{name}" in ENGLISH for name in RULE_SETS)


@pytest.mark.parametrize("locale", locales())
def test_every_language_has_the_same_entries_with_the_same_values(locale: str) -> None:
    catalogue = words(locale)
    entries = {key: entry for key, entry in catalogue.entries.items() if not key.startswith(SECTION)}
    assert set(ENGLISH.entries) == set(entries)
    for key, entry in entries.items():
        assert placeholders(ENGLISH.entries[key]) == placeholders(entry), key
        if not isinstance(entry, str) and key not in catalogue.lent:
            forms = {"yes", "no"} if "yes" in entry else {language(locale).plural_form(count) for count in range(200)}
            assert forms | {"by"} == set(entry), key


@pytest.mark.parametrize("locale", locales())
def test_every_language_has_the_words_of_pictures(locale: str) -> None:
    """A list needs a word for each rank or suit, a sentence the same values as in English."""
    said = {key.removeprefix(SECTION) for key in words(locale).entries if key.startswith(SECTION)}
    if language(locale).complete:
        assert (set() if locale == DEFAULT else set(FIELDS) - {"thousands"}) == said
    assert said <= set(FIELDS)
    spoken = picture_words(words(locale))
    for name in FIELDS:
        there, here = getattr(IN_ENGLISH, name), getattr(spoken, name)
        assert type(there) is type(here), name
        if isinstance(there, tuple):
            assert (len(there), all(here)) == (len(here), True), name
        elif isinstance(there, str):
            assert placeholders(there) == placeholders(here), name
    assert spoken.spoken_card_name(0)


@pytest.mark.parametrize("locale", [one for one in locales() if one != DEFAULT and language(one).complete])
def test_every_note_on_a_rule_set_exists_in_every_language(locale: str) -> None:
    sentences = {one for notes in NOTES.values() for one in (notes.source, *notes.all_open_questions)}
    assert sentences == set(notes_of_language(locale))
    assert all(notes_of_language(locale).values())
    notes = NOTES["pennies"]
    text = rules_text.sources_and_doubts_text(words(locale), rule_set("pennies", 6))
    assert translated_note(words(locale), notes.source) in text
    assert notes.source not in text
    assert notes.source in rules_text.sources_and_doubts_text(ENGLISH, rule_set("pennies", 6))


def test_a_language_without_a_catalogue_is_answered_in_the_default_one() -> None:
    assert DEFAULT == words("xx-YY").locale == words(None).locale == words("en-GB").locale


def test_a_sentence_has_the_plural_form_of_its_number() -> None:
    catalogue = Words("en", {"cards": {"by": "count", "one": "{count} card", "other": "{count} cards"}})
    assert ["0 cards", "1 card", "2 cards"] == [catalogue("cards", count=count) for count in range(3)]
    assert ("king", "kings", "joker") == (ENGLISH.kind_name("K"), ENGLISH.kind_name("K", 2), ENGLISH.kind_name("JK"))


@pytest.mark.parametrize("locale", locales())
def test_no_sentence_lists_the_clocks_by_hand(locale: str) -> None:
    listed = [key for key, entry in words(locale).entries.items() if all(name in str(entry) for name in PRESETS)]
    assert [] == listed


def test_missing_texts_of_a_language_are_english_with_english_plurals() -> None:
    cards: Entry = {"by": "count", "one": "{count} card", "other": "{count} cards"}
    own: Entry = {"by": "count", "other": "{count} raja"}
    said = Words("xx", {"kings": own}, lent={"cards": cards, "kings": cards}, speaks=Language("x", "none", ".", ","))
    assert ["1 raja", "1 card", "2 cards"] == [said("kings", count=1), said("cards", count=1), said("cards", count=2)]


@pytest.mark.parametrize(
    ("plural", "forms"),
    [("none", ["other"] * 3), ("one", ["other", "one", "other"]), ("zero-one", ["one", "one", "other"])],
)
def test_plural_rules_choose_the_form_of_each_number(plural: str, forms: list[str]) -> None:
    spoken = Language("x", plural, ".", ",")
    assert forms == [spoken.plural_form(count) for count in range(3)]


def test_an_unknown_plural_rule_is_refused() -> None:
    with pytest.raises(ValueError, match="dual"):
        Language("x", "dual", ".", ",")


def test_a_key_in_two_files_is_an_error(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.toml").write_text('[cards]\nace = "ace"\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"two\.toml: cards\.ace"):
        read_entries(tmp_path)


@pytest.mark.parametrize("locale", locales())
def test_a_catalogue_of_some_subjects_has_all_their_entries(locale: str) -> None:
    found = words_about(locale, ("command", "level")).entries
    wanted = {
        key: entry for key, entry in words(locale).entries.items() if key.partition(".")[0] in ("command", "level")
    }
    assert wanted == {key: found[key] for key in wanted}
    assert "refusal.not_your_turn" not in read_entries(files("bot.i18n") / locale, ("command", "level"))
