"""The words in pictures and their descriptions, from the catalogues."""

from __future__ import annotations

from functools import cache
from typing import Final

from bot.i18n import Words, words
from render.words import Words as PictureWords
from render.words import words_of

SECTION: Final = "picture."
BETWEEN: Final = "|"
"""What stands between the parts of an entry that is a list."""


def picture_words(catalogue: Words) -> PictureWords:
    """What pictures say in that catalogue's language."""
    return _of(catalogue.locale)


@cache
def _of(locale: str) -> PictureWords:
    """Each entry is a field of that name; English stands in `render.words` itself."""
    said = {
        name.removeprefix(SECTION): str(text)
        for name, text in words(locale).entries.items()
        if name.startswith(SECTION)
    }
    return words_of({name: text.split(BETWEEN) if BETWEEN in text else text for name, text in said.items()})
