"""Layout of the discard pile on the board and on a hand's strip: top card, cards under it, count."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.engine.table.views import PileView
from render.drawing.text_fitting import READABLE, Ruler, text_in_box
from render.layout_items import Box, CardBack, CardFace, Ink, Item, Plate, StackEdges, Style

CORNER: Final = 0.085
"""The radius of a card's corner, relative to its width."""

MINI: Final = (15.0, 21.0)
"""Size of a small card that represents others."""

BADGE: Final = Style(700, READABLE)
HIDDEN: Final = Style(600, READABLE)


def place_pile(
    pile: PileView, box: Box, frame: Ink | None, *, ruler: Ruler, beside: tuple[float, float]
) -> Iterator[Item]:
    """Yield the items of the pile, with its top card in the box.

    `frame` is the colour of its frame, `beside` the offset of its cards face down.
    """
    if not pile.cards:
        yield from place_empty_space(box, ruler=ruler)
        return
    yield StackEdges(box, min(3, pile.cards - (pile.top is not None)))
    if pile.top is None:
        yield Plate(box, box.width * CORNER, Ink.SLOT, Ink.PANEL_EDGE)
    else:
        yield CardFace(pile.top, box, frame)
    yield from place_count_badge(str(pile.cards), box.right - 2, box.top + 1, ruler=ruler)
    if pile.hidden:
        back = Box(box.right + beside[0], box.top + beside[1], *MINI)
        yield CardBack(back)
        below = Box(back.left - 4, back.bottom + 1, back.width + 8, 15)
        yield text_in_box(str(pile.hidden), below, HIDDEN, Ink.FELT_SECONDARY, ruler=ruler, least=READABLE)


def place_empty_space(box: Box, *, ruler: Ruler) -> Iterator[Item]:
    """Yield the items of an empty space for cards, such as an empty pile."""
    yield Plate(box, box.width * CORNER, Ink.SLOT, Ink.PANEL_EDGE)
    yield text_in_box("0", box, BADGE, Ink.TEXT, ruler=ruler, least=READABLE)


def place_count_badge(text: str, centre: float, middle: float, *, ruler: Ruler) -> Iterator[Item]:
    """Yield the items of a dark label with a count."""
    width = max(23.0, ruler.width(text, BADGE) + 13)
    box = Box(centre - width / 2, middle - 9, width, 18)
    yield Plate(box, 9, Ink.BADGE, Ink.CHIP_EDGE)
    yield text_in_box(text, box, BADGE, Ink.BADGE_TEXT, ruler=ruler, least=READABLE)
