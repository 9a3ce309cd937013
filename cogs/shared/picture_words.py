"""The words in pictures and their descriptions, from the catalogues."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Any, Final

from bot.i18n import Words, words
from render.words import ENGLISH
from render.words import Words as PictureWords

SECTION: Final = "picture."


def picture_words(catalogue: Words) -> PictureWords:
    """What pictures say in that catalogue's language."""
    return _of(catalogue.locale)


@cache
def _of(locale: str) -> PictureWords:
    """Each field is the entry of its name, a list one text with its parts apart by a stroke; English is in `render`."""
    entries = words(locale).entries
    said = {name.removeprefix(SECTION): str(text) for name, text in entries.items() if name.startswith(SECTION)}
    found: dict[str, Any] = {one.name: _read(one.name, said) for one in fields(PictureWords) if one.name in said}
    return PictureWords(**found)


def _read(name: str, said: Mapping[str, str]) -> object:
    listed = isinstance(getattr(ENGLISH, name), tuple)
    return tuple(said[name].split("|")) if listed else said[name]
