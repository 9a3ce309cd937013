"""Notes on rule sets in words: the sentences of `bot.engine.rules.sets.NOTES` in other languages than their own.

A note is written once, in English, where the rule set is; a language's file in the folder `notes` has each sentence
under the English one. A sentence that is not there is told in English.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from bot.i18n.catalogue import Words


def note(words: Words, sentence: str) -> str:
    """A source or an open point in that language."""
    return notes_in(words.locale).get(sentence, sentence)


@cache
def notes_in(locale: str) -> Mapping[str, str]:
    """Every note of a language by the English sentence; empty where it has no file."""
    file = files("bot.i18n") / "notes" / f"{locale}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
