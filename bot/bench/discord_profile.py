"""Turn two snapshots of the bot's profile into a table: milliseconds per click by part of the program."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Final

PARTS: Final = (
    ("render/drawing/png", "palette and compression"),
    ("render/", "drawing pictures"),
    ("PIL/", "drawing pictures"),
    ("bot/engine/", "the rules"),
    ("bot/tables/advice", "offers and advice"),
    ("bot/tables/", "tables"),
    ("bot/store/", "the store"),
    ("aiosqlite/", "the store"),
    ("cogs/", "pages and controls"),
    ("bot/i18n/", "words"),
    ("discord/", "the library"),
    ("aiohttp/", "the library"),
    ("json/", "the library"),
    ("asyncio/", "the event loop"),
    ("concurrent/", "the event loop"),
    ("selectors", "the event loop"),
    ("threading", "the event loop"),
    ("cProfile", ""),
    ("bot/loopback/", ""),
    ("bot/", "the rest of the program"),
)
"""Parts of the program by a piece of a file's path (first match); "" is the cost of measuring itself."""

OF_PICTURES: Final = {"<method 'convert' of 'ImagingCore' objects>", "<method 'encode' of 'ImagingEncoder' objects>"}
"""Functions of Pillow that count for the palette: the look-up, and the copy with a byte before each row."""


def milliseconds_by_part(profile: str, presses: int) -> Mapping[str, float]:
    """Return the milliseconds per click by part of the program, the most first.

    `profile` is a text with at least two snapshots of `profiled_bot`; the last two are compared.
    """
    before, after = (
        {(place, name): seconds for place, name, seconds in json.loads(line)} for line in profile.splitlines()[-2:]
    )
    found = Counter[str]()
    for (place, name), seconds in after.items():
        found[_part_of_function(place, name)] += seconds - before.get((place, name), 0.0)
    table = {part: round(1000 * seconds / presses, 3) for part, seconds in found.most_common() if part and seconds > 0}
    return {**table, "in all": round(sum(table.values()), 3)}


def _part_of_function(place: str, name: str) -> str:
    """Return the part of the program to which a function belongs."""
    if name in OF_PICTURES:
        return "palette and compression"
    return next((part for piece, part in PARTS if piece in place), "elsewhere")
