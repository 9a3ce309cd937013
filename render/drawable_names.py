"""Makes names safe for one line of a picture or text: bounded, without line breaks or markup."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

from render.drawing.fallback_fonts import Fallbacks, font_for, installed_fonts

LONGEST: Final = 120
"""Texts are cut to about this length before processing."""


@cache
def _covered_ranges() -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the first and last code points of the ranges of characters in our text fonts."""
    lines = files("render").joinpath("assets/fonts/coverage.txt").read_text(encoding="ascii").split()
    bounds = [(int(line.split("-")[0], 16), int(line.split("-")[-1], 16)) for line in lines]
    return tuple(first for first, _ in bounds), tuple(last for _, last in bounds)


def is_drawable(character: str) -> bool:
    """Return whether our fonts have the character."""
    firsts, lasts = _covered_ranges()
    place = bisect_right(firsts, ord(character)) - 1
    return place >= 0 and ord(character) <= lasts[place]


@lru_cache(maxsize=2048)
def single_line_name(name: str, longest: int = 32) -> str:
    """Return the name normalised (NFKC) and in one line, at most `longest` characters.

    Control and direction characters and stacked accents are removed. Characters that the fonts lack stay; the result
    may be empty.
    """
    kept: list[str] = []
    for character in unicodedata.normalize("NFKC", name[: LONGEST * 4]):
        category = unicodedata.category(character)
        if category.startswith("M"):
            if not kept or unicodedata.category(kept[-1]).startswith("M") or kept[-1] == " ":
                continue
            kept.append(character)
        elif category.startswith("Z") or character in "\t\n\r":
            if kept and kept[-1] != " ":
                kept.append(" ")
        elif not category.startswith("C"):
            kept.append(character)
    text = "".join(kept).strip()
    if len(text) > longest:
        text = text[: longest - 1].rstrip() + "…"
    return text


def drawable_text(text: str, draws: Callable[[str], bool] = is_drawable) -> str:
    """Return the text without characters that cannot be drawn.

    Unknown accented letters lose their accents.
    """
    if text.isascii() and text.isprintable():
        return text[:LONGEST]
    normal = unicodedata.normalize("NFC", text[: LONGEST * 4])
    kept = "".join(_drawable_form(character, draws) for character in normal)
    return " ".join(part for part in kept.split(" ") if part)[:LONGEST]


def _drawable_form(character: str, draws: Callable[[str], bool]) -> str:
    """Return the character if it can be drawn, else its base letter, or ""."""
    if unicodedata.category(character)[0] in "CM":
        return ""
    if draws(character):
        return character
    base = unicodedata.normalize("NFD", character)[0]
    return base if base != character and draws(base) else ""


def best_drawable_name(*names: str, fallback: str = "?", fonts: Fallbacks | None = None) -> str:
    """Return the first name whose letters can all be drawn, or else what can be drawn of a name.

    Return `fallback` if no letter can be drawn. Give the display name first, then the account's name. `fonts` are those
    of the host by default.
    """

    def can_draw(character: str) -> bool:
        # The host's fonts are read only if needed, because the first time is slow.
        return is_drawable(character) or font_for(character, installed_fonts() if fonts is None else fonts) is not None

    left_overs = []
    for name in names:
        text = single_line_name(name)
        letters = [character for character in text if unicodedata.category(character)[0] in "LNM"]
        shown = " ".join(drawable_text(text, can_draw).split())
        if letters and all(can_draw(letter) for letter in letters):
            return shown
        if any(character.isalnum() for character in shown):
            left_overs.append(shown)
    return left_overs[0] if left_overs else fallback
