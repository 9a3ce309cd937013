"""Clean names: what people call themselves, made fit to stand in a line among others."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

LONGEST: Final = 32
MARKS_IN_A_ROW: Final = 2
NAMELESS: Final = "?"


@lru_cache(maxsize=1024)
def clean_name(name: str, *, nameless: str = NAMELESS, longest: int = LONGEST) -> str:
    """The name in composed form, on one line, at most so many characters; no invisible, reordering or piled-up marks.

    `nameless` stands for a name of which nothing is left.
    """
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFKC", name):
        category = unicodedata.category(character)
        marks = marks + 1 if category.startswith("M") else 0
        if character.isspace():
            kept.append(" ")
        elif marks <= MARKS_IN_A_ROW and not category.startswith("C"):
            kept.append(character)
    return " ".join("".join(kept).split())[:longest].strip() or nameless
