"""Optional fonts of the host for characters that our fonts lack: Chinese, Japanese, Korean, emoji.

If they are installed, names are drawn with them; if not, a name that cannot be drawn is replaced by the account's name.
The characters of a font are read from its own table (`cmap`), without drawing.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from struct import unpack_from
from typing import Final, TypeAlias

Ranges: TypeAlias = tuple[tuple[int, int], ...]

EMOJI_SIZE: Final = 109
"""The only size, in pixels, of the pictures in colour emoji fonts."""

FONT_PATHS: Final = (
    Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc"),
    Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"),
    Path("/usr/share/fonts/google-noto-cjk/NotoSansCJK-Bold.ttc"),
    Path("/usr/share/fonts/noto-cjk/NotoSansCJK-Bold.ttc"),
    Path("/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf"),
    Path("/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf"),
    Path("/usr/share/fonts/noto/NotoColorEmoji.ttf"),
    Path("/usr/share/fonts/google-noto-emoji/NotoColorEmoji.ttf"),
)
"""Paths in distributions; Debian: `fonts-noto-cjk`, `fonts-droid-fallback`, `fonts-noto-color-emoji`."""

EXCLUDED: Final = ((0x0, 0x2FF), (0x590, 0x8FF), (0xFB1D, 0xFEFF), (0x1F3FB, 0x1F3FF))
"""Excluded: characters of our own fonts, right-to-left scripts (they need shaping), skin tones."""


@dataclass(frozen=True, slots=True)
class FallbackFont:
    """A font file and the characters it has; `colour` if these are coloured pictures of one size."""

    path: str
    ranges: Ranges
    colour: bool = False

    def can_draw(self, character: str) -> bool:
        """Return whether the font has the character."""
        code = ord(character)
        place = bisect_right(self.ranges, (code, 0x110000)) - 1
        return place >= 0 and self.ranges[place][0] <= code <= self.ranges[place][1]


Fallbacks: TypeAlias = tuple[FallbackFont, ...]


@cache
def installed_fonts() -> Fallbacks:
    """Return the fallback fonts of this host, at most one plain and one coloured."""
    return find_fonts(FONT_PATHS)


def find_fonts(places: Iterable[Path]) -> Fallbacks:
    """Return the first plain and the first coloured font of these files, skipping unreadable ones."""
    plain: FallbackFont | None = None
    coloured: FallbackFont | None = None
    for path in places:
        colour = "Emoji" in path.name
        if (coloured if colour else plain) is not None:
            continue
        try:
            font = FallbackFont(str(path), covered_ranges(path.read_bytes()), colour)
        except (OSError, struct.error, ValueError):
            continue
        plain, coloured = (plain, font) if colour else (font, coloured)
    return tuple(font for font in (plain, coloured) if font is not None)


def font_for(character: str, fallbacks: Fallbacks) -> FallbackFont | None:
    """Return the first of the fallback fonts that has the character, or None."""
    if any(first <= ord(character) <= last for first, last in EXCLUDED):
        return None
    return next((font for font in fallbacks if font.can_draw(character)), None)


def covered_ranges(data: bytes) -> Ranges:
    """Return the ranges of characters that a TrueType or OpenType font has.

    For a collection, those of its first font. Raises `ValueError` or `struct.error` for other files.
    """
    start = unpack_from(">I", data, 12)[0] if data[:4] == b"ttcf" else 0
    (tables,) = unpack_from(">H", data, start + 4)
    for number in range(tables):
        tag, _, offset, _ = unpack_from(">4sIII", data, start + 12 + 16 * number)
        if tag == b"cmap":
            return _merge_ranges(_cmap_ranges(data, offset))
    raise ValueError("the font has no table of characters")


def _cmap_ranges(data: bytes, start: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of characters in every Unicode table of the font."""
    (count,) = unpack_from(">H", data, start + 2)
    for number in range(count):
        platform, _, offset = unpack_from(">HHI", data, start + 4 + 8 * number)
        (form,) = unpack_from(">H", data, start + offset)
        if platform in (0, 3) and form == 12:
            (groups,) = unpack_from(">I", data, start + offset + 12)
            for group in range(groups):
                first, last, _ = unpack_from(">III", data, start + offset + 16 + 12 * group)
                yield first, min(last, 0x10FFFF)
        elif platform in (0, 3) and form == 4:
            (double,) = unpack_from(">H", data, start + offset + 6)
            ends = unpack_from(f">{double // 2}H", data, start + offset + 14)
            starts = unpack_from(f">{double // 2}H", data, start + offset + 16 + double)
            yield from ((first, last) for first, last in zip(starts, ends, strict=True) if last < 0xFFFF)


def _merge_ranges(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Return the ranges sorted, with adjacent ones merged."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted(set(ranges)):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return tuple(joined)
