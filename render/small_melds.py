"""Melds as small tiles in few lines: smaller where many lie there, at last canastas by their number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.engine.cards.cards import Suit
from render.items import Box, Style, Tile
from render.layout_panel import COLOURS, canasta_words
from render.shown_melds import Canasta, Meld
from render.typeset import SMALLEST, Ruler, fit
from render.words import TIMES, Words, rank_text

LABEL: Final = Style(700, 11.0)

MORE_WIDTH: Final = 22.0
"""Room for the number of melds that are left out."""


@dataclass(frozen=True, slots=True)
class Size:
    """How large tiles are: width of a set and of a run, height, height of the label, and the gap between two."""

    width: float
    run_width: float
    height: float
    pill: float
    gap: float


# Gaps are no smaller than the shadow that belongs to a tile's image: it would be painted over its neighbour.
LARGE: Final = Size(33.0, 46.0, 35.0, 13.0, 3.5)
SMALL: Final = Size(28.0, 40.0, 31.0, 12.5, 3.0)


@dataclass(frozen=True, slots=True)
class Arranged:
    """Lines of tiles, not yet at their places, and how many melds found no room."""

    size: Size
    lines: tuple[tuple[Tile, ...], ...]
    left_out: int = 0

    @property
    def height(self) -> float:
        """How high the lines are together."""
        return self.size.height * len(self.lines) + self.size.gap * max(0, len(self.lines) - 1)


def arranged(
    melds: Sequence[Meld], room: float, sizes: Sequence[tuple[Size, int]], words: Words, *, ruler: Ruler
) -> Arranged:
    """The melds in the first size that has room for them, each size tried in so many lines at most.

    In the last size canastas are gathered by kind where not all fit one by one; then the last melds are left out.
    """
    for size, most in sizes:
        lines = _lines([tile_of(meld, size, words, ruler=ruler) for meld in melds], room, size.gap)
        if len(lines) <= most:
            return Arranged(size, lines)
    size, most = sizes[-1]
    tiles = _gathered(melds, size, words, ruler)
    lines, left_out = _lines(tiles, room, size.gap), 0
    while len(lines) > most or (left_out and len(lines) == most and _width(lines[-1], size.gap) > room - MORE_WIDTH):
        left_out += 1
        lines = _lines(tiles[:-left_out], room, size.gap)
    return Arranged(size, lines, left_out)


def tile_of(meld: Meld, size: Size, words: Words, *, ruler: Ruler) -> Tile:
    """A meld as a small tile: its mark over its size and wild cards, or over the kind of canasta."""
    mark = tuple(rank_text(rank) for rank in meld.ranks)
    if meld.canasta:
        return _canasta(meld.canasta, mark, size, words, ruler=ruler, suit=meld.suit)
    box = Box(0, 0, size.run_width if meld.kind == "run" else size.width, size.height)
    return Tile(
        box, mark, "", len(meld.wild), "plain", label=str(meld.size), style=LABEL, suit=meld.suit, pill=size.pill
    )


def _canasta(
    kind: Canasta, mark: tuple[str, ...], size: Size, words: Words, *, ruler: Ruler, suit: Suit | None = None
) -> Tile:
    """A canasta, or several of a kind where the mark is their number."""
    box = Box(0, 0, size.run_width if suit is not None else size.width, size.height)
    word, smallest = canasta_words(words)[kind], replace(LABEL, size=SMALLEST)
    while len(word) > 1 and ruler.width(word, smallest) > box.width - 3:
        word = word[:-1]
    label, style = fit(word, LABEL, box.width - 3, ruler)
    return Tile(box, mark, "", 0, COLOURS[kind], label=label, style=style, suit=suit, pill=size.pill)


def _gathered(melds: Sequence[Meld], size: Size, words: Words, ruler: Ruler) -> list[Tile]:
    """A tile for all canastas of a kind of which there are several, then the other melds."""
    kinds = Counter(meld.canasta for meld in melds if meld.canasta)
    several = {kind: count for kind, count in kinds.items() if count > 1}
    gathered = [_canasta(kind, (f"{TIMES}{count}",), size, words, ruler=ruler) for kind, count in several.items()]
    return gathered + [tile_of(meld, size, words, ruler=ruler) for meld in melds if meld.canasta not in several]


def _lines(tiles: Sequence[Tile], room: float, gap: float) -> tuple[tuple[Tile, ...], ...]:
    """The tiles one after another, in as few lines as hold them."""
    lines: list[tuple[Tile, ...]] = []
    for tile in tiles:
        longer = (*lines[-1], tile) if lines else (tile,)
        if lines and _width(longer, gap) <= room:
            lines[-1] = longer
        else:
            lines.append((tile,))
    return tuple(lines)


def _width(line: Sequence[Tile], gap: float) -> float:
    return sum(tile.box.width for tile in line) + gap * (len(line) - 1)
