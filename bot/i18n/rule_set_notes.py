"""Translations of the notes on rule sets, the sentences of `bot.engine.rules.sets.NOTES`.

A note is written once, in English, with the rule set. A language's file in the folder `notes` has each translation
under the English sentence. A sentence without a translation is shown in English.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from bot.i18n.catalogue import Words


def translated_note(words: Words, sentence: str) -> str:
    """Return a note on a rule set (a source or an open question) in the language of `words`."""
    return notes_of_language(words.locale).get(sentence, sentence)


@cache
def notes_of_language(locale: str) -> Mapping[str, str]:
    """Return a language's notes by their English sentences; empty if it has no file."""
    file = files("bot.i18n") / "notes" / f"{locale}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
