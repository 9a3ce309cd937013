"""From placed things to pixels: an RGB picture three pixels a unit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from PIL import Image

from render import faces, pieces
from render.items import (
    WIDTH,
    Back,
    Box,
    Crosswise,
    Face,
    Item,
    LargeSuit,
    Layout,
    Plate,
    Rail,
    Sign,
    Symbol,
    Text,
    Tile,
    Under,
)
from render.pieces import pixels
from render.shapes import sign_mask, suit_mask
from render.sprites import paint_plate, tint
from render.text import line_mask
from render.theme import CROWN, SUIT_COLOURS, Theme

HAND_FRAME: Final = 8
"""Pixels of the frame around a chosen card."""

TABLE_FRAME: Final = 5
"""Pixels of the frame around a frozen pile."""

CUT: Final = 76.0
"""How much of a card in a rail is drawn, in units from its top; the rail hides the rest, also of a lifted card."""

STRIP: Final = 51.0
"""A card that its neighbour covers is drawn that wide, in units."""

REVEALED: Final = 3.0
"""The round corner of the neighbour lets that much more be seen."""

EDGE_SHIFT: Final = 4
"""Pixels between the cards of a stack."""

SMALL_CARD: Final = 20.0
"""Cards narrower than that are drawn small."""


def draw(layout: Layout, theme: Theme) -> Image.Image:
    """The picture of the layout."""
    canvas = pieces.felt(theme.felt_steps, pixels(WIDTH), pixels(layout.height)).copy()
    for item in layout.items:
        PAINTERS[type(item)](canvas, item, theme)
    return canvas


def _paint_plate(canvas: Image.Image, item: Plate, theme: Theme) -> None:
    edge = theme.inks[item.edge] if item.edge else None
    paint_plate(canvas, _box(item.box), pixels(item.radius), theme.inks[item.fill], edge)


def _paint_text(canvas: Image.Image, item: Text, theme: Theme) -> None:
    line = line_mask(item.text, item.style.weight, item.style.size)
    at = (pixels(item.box.left) + line.left, pixels(item.baseline) + line.top)
    tint(canvas, theme.inks[item.ink], at, line.mask)


def _paint_symbol(canvas: Image.Image, item: Symbol, theme: Theme) -> None:
    left, top, right, bottom = _box(item.box)
    tint(canvas, theme.inks[item.ink], (left, top), sign_mask(item.sign, right - left, bottom - top))


def _paint_suit(canvas: Image.Image, item: LargeSuit, _: Theme) -> None:
    left, top, right, bottom = _box(item.box)
    if item.suit is None:
        tint(canvas, CROWN, (left, top), sign_mask(Sign.CROWN, right - left, bottom - top))
    else:
        tint(canvas, SUIT_COLOURS[item.suit], (left, top), suit_mask(item.suit, right - left))


def _paint_tile(canvas: Image.Image, item: Tile, theme: Theme) -> None:
    # Equal melds in different places share an image.
    corner = replace(item, box=Box(0, 0, item.box.width, item.box.height))
    image, x, y = pieces.tile_image(corner, theme.inks[item.on])
    canvas.paste(image, (pixels(item.box.left) - x, pixels(item.box.top) - y))


def _paint_crosswise(canvas: Image.Image, item: Crosswise, _: Theme) -> None:
    sprite = faces.crosswise_sprite(item.card, pixels(item.box.width), pixels(item.box.height))
    sprite.paint(canvas, pixels(item.box.left), pixels(item.box.top))


def _paint_back(canvas: Image.Image, item: Back, _: Theme) -> None:
    sprite = faces.back_sprite(pixels(item.box.width), pixels(item.box.height))
    sprite.paint(canvas, pixels(item.box.left), pixels(item.box.top))


def _paint_under(canvas: Image.Image, item: Under, _: Theme) -> None:
    if item.edges > 0:
        sprite = pieces.edges_sprite(pixels(item.box.width), pixels(item.box.height), item.edges, EDGE_SHIFT)
        sprite.paint(canvas, pixels(item.box.left), pixels(item.box.top))


def _box(box: Box) -> tuple[int, int, int, int]:
    """Left, top, right and bottom in pixels."""
    return pixels(box.left), pixels(box.top), pixels(box.right), pixels(box.bottom)


def _paint_face(canvas: Image.Image, item: Face, theme: Theme) -> None:
    """A card, cut where a rail hides it, and its frame."""
    x, y = pixels(item.box.left), pixels(item.box.top)
    width, height = pixels(item.box.width), pixels(item.box.height)
    if item.box.width < SMALL_CARD:
        faces.mini_sprite(item.card, width, height).paint(canvas, x, y)
        return
    thick, cut = TABLE_FRAME, height
    if item.shown is None:
        faces.table_sprite(item.card, width, height).paint(canvas, x, y)
    else:
        thick, cut = HAND_FRAME, pixels(CUT)
        part = pixels(STRIP) if item.shown[0] < STRIP - REVEALED else width
        faces.hand_sprite(item.card, width, height, (part, cut)).paint(canvas, x, y)
    if item.frame:
        pieces.frame_sprite(width, height, cut, thick, theme.inks[item.frame]).paint(canvas, x, y)


def _paint_rail(canvas: Image.Image, item: Rail, theme: Theme) -> None:
    """The rail and its notches."""
    left, top, right, bottom = _box(item.box)
    pieces.rail_sprite(theme.rail, right - left, bottom - top).paint(canvas, left, top)
    for notch in item.notches:
        x = left + pixels(notch)
        canvas.paste(theme.rail[2], (x - 2, top + 9, x + 2, bottom - 9))
        canvas.paste(theme.rail[0], (x + 2, top + 9, x + 4, bottom - 9))


# A painter takes the one type it is listed under, which a type checker cannot see in a table.
PAINTERS: Final[Mapping[type[Item], Callable[[Image.Image, Any, Theme], None]]] = {
    Plate: _paint_plate,
    Text: _paint_text,
    Symbol: _paint_symbol,
    Face: _paint_face,
    LargeSuit: _paint_suit,
    Tile: _paint_tile,
    Rail: _paint_rail,
    Crosswise: _paint_crosswise,
    Back: _paint_back,
    Under: _paint_under,
}
