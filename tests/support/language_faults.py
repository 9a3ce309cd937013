"""Faults of a language's folder: what is missing, too long, badly drawn or unlike the terms.

``make languages LANG=es`` prints them. Part 1 of a language is what people read at a table; a language is offered once
it is whole. Part 2, tournaments and house rules in detail, may be missing: English stands in for it.
"""

from __future__ import annotations

import csv
import re
import sys
import tomllib
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

from bot.engine.rules.sets import NOTES
from bot.i18n import DEFAULT, Words, language, locales, words
from bot.i18n.catalogue import Entry, placeholders
from bot.i18n.rule_set_notes import notes_of_language
from cogs.shared.telling.names import SECTION, picture_words
from render.drawing.fonts import FontRuler
from render.drawing.text_fitting import ELLIPSIS
from render.layout_items import Layout, MeldTile, Text
from render.layouts import layout_of
from render.picture_words import FIELDS, PictureWords
from tests.render import language_samples, samples

CATALOGUES: Final = Path(str(files("bot.i18n")))
EXPECTED: Final = Path(__file__).parents[1] / "data" / "languages"
"""For each language, forbidden words, and exceptions from its terms with their reasons."""

SECOND_PART: Final = re.compile(
    r"(commands_(series|tournament)|contest|event_page|export|options|paragraphs|parameters|referee|series|servers"
    r"|themes|tournament\w*)\.toml"
)
"""The files that an incomplete language may lack."""

LONGEST: Final[Mapping[str, int]] = {
    r"command\.": 100,
    r"command_trouble\.": 200,
    r"choice\.": 100,
    r"level\.": 40,
    r"parameter\.\w+\.title": 100,
    r"(wizard|series)_field\.|desk_form\.(?!\w+_hint)|match_times\.title": 45,
    r"(wizard|series)_hint\.|desk_form\.\w+_hint|options_typed\.|theme_panel\.by_seat_hint": 100,
    r"(theme_sort|theme_group|topic)\.\w+\.|theme\.[\w-]+\.title|tournament_about\.|seeding\.|table_setting\.": 100,
    r"(desk|series)_button\.": 60,
    r"tournament\.(enter|leave|stay|again|here|my_hand|why|problem|where)$": 60,
}
"""The most characters of texts that Discord would cut, by patterns of their keys: labels, hints and so on."""

WINDOW: Final = 45
"""The most characters of the title of a window in which the value of a parameter is typed."""

DRAWN: Final[Mapping[str, int]] = {
    "your_hand": 15,
    "cards": 11,
    "points": 4,
    "foot_short": 11,
    "on_table": 11,
    "stock": 12,
    "deal": 12,
    "deal_total": 12,
    "not_known": 12,
}
"""The most letters of words on pictures, without the numbers in them."""

TILES: Final = ("natural", "mixed", "wild", "run")
SHEET_ROWS: Final = (
    *("natural_canastas", "mixed_canastas", "other_canastas", "run_canastas", "wild_canastas", "special_canastas"),
    *("red_threes", "threes", "going_out", "melded", "in_hand", "penalties", "bonuses", "total"),
)
LONGEST_WORD: Final = 13
"""The most letters of a word in a row of the score sheet, which has two lines."""

MOST_EXCEPTIONS: Final = 40
"""The most keys of a language that may lack the glossary's term."""

RULER: Final = FontRuler()


class GlossaryTerm(NamedTuple):
    """A term of the glossary: a pattern for English sentences, and word stems for the translations."""

    name: str
    english: re.Pattern[str]
    stems: tuple[tuple[str, ...], ...]


# --- what is there


def missing_keys(locale: str) -> Iterator[str]:
    """Yield the keys that the language lacks: all if it is complete, else those of part 1."""
    own = set(_own_entries(locale))
    wanted = set(words(DEFAULT).entries) if language(locale).complete else keys_of_part_one()
    yield from sorted(wanted - own)
    yield from sorted({SECTION + name for name in FIELDS - {"thousands"}} - own)
    if language(locale).complete:
        sentences = {one for notes in NOTES.values() for one in (notes.source, *notes.all_open_questions)}
        yield from sorted(sentences - set(notes_of_language(locale)))


def malformed_entries(locale: str) -> Iterator[str]:
    """Yield the faults of entries: unknown keys, wrong placeholders, missing or needless plural forms."""
    english = words(DEFAULT).entries
    forms = {language(locale).plural_form(count) for count in range(200)} | {"by"}
    for key, entry in _entries_to_check(locale):
        if key not in english:
            yield f"{key}: unknown"
        elif placeholders(entry) != placeholders(english[key]):
            yield f"{key}: {sorted(placeholders(entry) ^ placeholders(english[key]))}"
        elif not isinstance(entry, str) and set(entry) != (
            wanted := {"by", "yes", "no"} if "yes" in english[key] else forms
        ):
            yield f"{key}: forms {sorted(set(entry) ^ wanted)}"


@cache
def keys_of_part_one() -> frozenset[str]:
    """Return the keys that every language must have before it is offered, read from the English files."""
    found: set[str] = set()
    for file in (CATALOGUES / DEFAULT).glob("*.toml"):
        if not SECOND_PART.fullmatch(file.name) and file.name not in ("language.toml", "reading.toml"):
            found |= set(_flatten_keys(tomllib.loads(file.read_text(encoding="utf-8"))))
    return frozenset(found)


def _flatten_keys(table: Mapping[str, object], prefix: str = "") -> Iterator[str]:
    for key, value in table.items():
        if isinstance(value, Mapping) and "by" not in value:
            yield from _flatten_keys(value, f"{prefix}{key}.")
        else:
            yield prefix + key


# --- room


def too_long_entries(locale: str) -> Iterator[str]:
    """Yield the entries that are too long for Discord or for a picture."""
    for key, entry in _entries_to_check(locale):
        most = next((most for pattern, most in LONGEST.items() if re.match(pattern, key)), None)
        if most and (longest := max(map(len, _texts_of_entry(entry)))) > most:
            yield f"{key}: {longest} characters, at most {most}"
    typed = {key.split(".")[1] for key in words(DEFAULT).entries if key.startswith("parameter.")}
    typed -= {key.split(".")[1] for key in words(DEFAULT).entries if re.match(r"parameter\.\w+\.(?!title|about)", key)}
    for name in typed:
        if len(title := words(locale)(f"parameter.{name}.title")) > WINDOW:
            yield f"parameter.{name}.title: {len(title)} characters, at most {WINDOW}"
    drawn = picture_words(words(locale))
    for name, most in DRAWN.items():
        length = len(str(getattr(drawn, name)).replace("{n}", "").strip())
        if length > most:
            yield f"{SECTION}{name}: {length} letters, at most {most}"
    for name in TILES if locale != DEFAULT else ():
        mark = str(getattr(drawn, name))
        if len(mark) > 3 or "W" in mark:
            yield f"{SECTION}{name}: {mark}, at most three letters and no W"
    for name in SHEET_ROWS:
        if too_wide := [word for word in str(getattr(drawn, name)).split() if len(word) > LONGEST_WORD]:
            yield f"{SECTION}{name}: {too_wide}, at most {LONGEST_WORD} letters a word"


def badly_drawn_texts(locale: str) -> Iterator[str]:
    """Yield the texts of the language that sample pictures cut off (except names) or draw over another text."""
    yield from _find_badly_drawn_texts(words(locale), picture_words(words(locale)))


def badly_drawn_longest_texts() -> Iterator[str]:
    """Yield the texts that pictures cut off or draw over each other in an artificial language.

    It says everything in the longest words of any language.
    """
    fields_of_all = [picture_words(words(locale)) for locale in locales()]
    longest = {
        name: max((getattr(one, name) for one in fields_of_all), key=lambda said: len(str(said))) for name in FIELDS
    }
    yield from _find_badly_drawn_texts(longest_words(), replace(fields_of_all[0], **longest))


def _find_badly_drawn_texts(words: Words, picture_words: PictureWords) -> Iterator[str]:
    usual = {name: samples.with_words(one, picture_words) for name, one in samples.all_samples().items()}
    full = language_samples.samples_in_language(words) | language_samples.boards_with_advice(words)
    for name, picture in (
        *usual.items(),
        *((name, samples.with_words(one, picture_words)) for name, one in full.items()),
    ):
        given = " ".join(_strings_within(picture)) if name in usual else ""  # names of people may be cut
        layout = layout_of(picture, RULER)
        for text in _texts_of_layout(layout):
            if text.rstrip("0123456789 ").endswith(ELLIPSIS) and text.partition(ELLIPSIS)[0].strip() not in given:
                yield f"{name}: {text}"
        shown = [item for item in layout.items if isinstance(item, Text) and item.text]
        for number, one in enumerate(shown):
            for other in shown[number + 1 :]:
                if one.box.overlaps(other.box, slack=1.5):
                    yield f"{name}: {one.text!r} over {other.text!r}"


def _texts_of_layout(layout: Layout) -> Iterator[str]:
    """Yield the texts drawn in a layout."""
    for item in layout.items:
        if isinstance(item, Text):
            yield item.text
        elif isinstance(item, MeldTile):
            yield item.label


def _strings_within(value: object) -> Iterator[str]:
    """Yield every text in a picture's data: names of people and rules, which may be cut."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (tuple, list)):
        for one in value:
            yield from _strings_within(one)
    elif is_dataclass(value):
        for field in fields(value):
            if field.name != "words":
                yield from _strings_within(getattr(value, field.name))


# --- words


def sentences_without_terms(locale: str) -> Iterator[str]:
    """Yield sentences that lack the language's term for a glossary term in the English sentence."""
    excused = dict(load_language_exceptions(locale).get("terms", {}))
    if len(excused) > MOST_EXCEPTIONS:
        yield f"{len(excused)} exceptions, at most {MOST_EXCEPTIONS}"
    found = list(_missing_terms(locale))
    yield from (f"{key}: {fault}" for key, fault in found if key not in excused)
    yield from (f"{key}: needs no exception" for key in excused if key not in dict(found))


def _missing_terms(locale: str) -> Iterator[tuple[str, str]]:
    english = words(DEFAULT).entries
    for key, entry in _entries_to_check(locale):
        if key not in english:
            continue
        there, here = (
            re.sub(r"`[^`]*`", "", " ".join(_texts_of_entry(english[key]))),
            without_accents(" ".join(_texts_of_entry(entry))),
        )
        for term in glossary_terms(locale):
            there, named = term.english.subn("", there)
            if named and not any(all(one in here for one in stem) for stem in term.stems):
                yield key, f"{term.name}: {here}"


@cache
def glossary_terms(locale: str) -> tuple[GlossaryTerm, ...]:
    """Return the glossary's terms, those of more words first: red three before three.

    Terms whose English form is ambiguous are left out. A cell of the glossary has the term, then further stems after
    bars. Inflected ends of the words are ignored.
    """
    with (CATALOGUES / "terms.csv").open(encoding="utf-8", newline="") as file:
        rows = sorted(
            (row for row in csv.DictReader(file) if row["english"]), key=lambda row: -row["english"].count(" ")
        )
    return tuple(
        GlossaryTerm(
            row["term"],
            re.compile(rf"(?<![\w{{])(?:{row['english']})(?![\w}}])", re.IGNORECASE),
            tuple(_stems_in_cell(row[locale])),
        )
        for row in rows
    )


def _stems_in_cell(cell: str) -> Iterator[tuple[str, ...]]:
    """Yield the word beginnings to search for: those of the term in a cell, then further stems after it."""
    term, *further = re.sub(r"\(.*?\)", "", cell).split("|")
    yield tuple(without_accents(word)[: max(3, len(word) - 2)] for word in re.findall(r"\w+", term))
    yield from (tuple(without_accents(one).split()) for one in further)


def ill_worded_sentences(locale: str) -> Iterator[str]:
    """Yield sentences with forbidden words, with a repeated word, or with five English words in a row."""
    forbidden = {why: re.compile(one) for why, one in load_language_exceptions(locale).get("forbidden", {}).items()}
    twice = re.compile(r"\b(\w{2,})\s+\1\b")
    excused = set(load_language_exceptions(locale).get("as_english", ()))
    for key, entry in _entries_to_check(locale):
        for text in _texts_of_entry(entry):
            for why, pattern in forbidden.items():
                if found := pattern.search(text):
                    yield f"{key}: {why}: {found[0]!r} in {text}"
            for found in twice.finditer(text):
                if found[1] not in load_language_exceptions(locale).get("may_be_twice", ()):
                    yield f"{key}: {found[0]} in {text}"
            if locale != DEFAULT and key not in excused and (same := _repeated_english_words(key, text)):
                yield f"{key}: English: {same}"


def _repeated_english_words(key: str, text: str) -> str:
    """Return five words of the text that follow each other in the English sentence too, or an empty text."""
    entry = words(DEFAULT).entries.get(key, "")
    there = " ".join(re.findall(r"[^\W\d_]+", " ".join(_texts_of_entry(entry)).casefold()))
    plain = re.sub(r"`[^`]*`|\{\w+\}|\*\*/.*?\*\*", " . ", text)
    for part in plain.split(" . "):
        here = re.findall(r"[^\W\d_]+", part.casefold())
        for start in range(len(here) - 4):
            if f" {' '.join(here[start : start + 5])} " in f" {there} ":
                return " ".join(here[start : start + 5])
    return ""


# --- all at once


@cache
def longest_words() -> Words:
    """Return an artificial language that says everything in the longest words of any language.

    A picture with room for it has room for every language.
    """
    found: dict[str, Entry] = {}
    for key, entry in words(DEFAULT).entries.items():
        said = [own[key] for own in map(_own_entries, locales()) if key in own]
        if isinstance(entry, str):
            found[key] = max((one for one in said if isinstance(one, str)), key=len)
        else:
            texts = {
                form: [one.get(form, one.get("other", "")) for one in said if not isinstance(one, str)]
                for form in entry
            }
            found[key] = {form: max(those, key=len) for form, those in texts.items()} | {"by": entry["by"]}
    return Words(DEFAULT, found)


# --- helpers


@cache
def load_language_exceptions(locale: str) -> Mapping[str, dict[str, str]]:
    """Return the language's exceptions and forbidden words, stored in `tests/data/languages`.

    The result is empty if the language has no file there.
    """
    file = EXPECTED / f"{locale}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def without_accents(text: str) -> str:
    """Return the text in lower case without accents."""
    return "".join(one for one in unicodedata.normalize("NFD", text.casefold()) if not unicodedata.combining(one))


@cache
def _own_entries(locale: str) -> Mapping[str, Entry]:
    """Return the entries of the language's own folder, without those of English."""
    catalogue = words(locale)
    return {key: entry for key, entry in catalogue.entries.items() if key not in catalogue.lent}


def _entries_to_check(locale: str) -> Iterator[tuple[str, Entry]]:
    yield from ((key, entry) for key, entry in _own_entries(locale).items() if not key.startswith(SECTION))


def _texts_of_entry(entry: Entry) -> list[str]:
    return [entry] if isinstance(entry, str) else [text for form, text in entry.items() if form != "by"]


CHECKS: Final[tuple[Callable[[str], Iterator[str]], ...]] = (
    missing_keys,
    malformed_entries,
    too_long_entries,
    badly_drawn_texts,
    sentences_without_terms,
    ill_worded_sentences,
)


def main(chosen: list[str]) -> int:
    """Print the faults of these languages, or of all languages; return 1 if there are any."""
    found = 0
    for locale in chosen or sorted({*locales()} - {DEFAULT}):
        for check in CHECKS:
            faults = list(check(locale))
            found += len(faults)
            title = f"{locale}: {check.__name__.replace('_', ' ')}: {len(faults)}"
            sys.stdout.write("\n    ".join([title, *faults]) + "\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
