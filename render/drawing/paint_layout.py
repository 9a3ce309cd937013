"""Draws a layout as pixels: an RGB picture, 1200 pixels wide unless asked otherwise.

Lines and areas are drawn larger and then reduced, so that edges are smooth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, floor
from typing import Any, Final

from PIL import Image, ImageDraw

from bot.engine.cards.cards import JOKER, RED_THREE, Card, kind_of
from render.colour_themes import CROWN, PIXELS, THEMES, CardPrinting, Colour, Theme
from render.drawing import card_faces, table_sprites
from render.drawing.card_sprites import paint_plate, paint_through_mask
from render.drawing.fonts import text_line_mask
from render.drawing.symbol_polygons import sign_mask, suit_mask
from render.layout_items import (
    Area,
    Box,
    CardBack,
    CardFace,
    CrosswiseCard,
    Deck,
    Item,
    LargeSuit,
    Layout,
    MeldTile,
    Plate,
    Rail,
    Sign,
    StackEdges,
    Stroke,
    Symbol,
    Text,
)

ENLARGED: Final = 3
"""Lines and areas are drawn this many times larger and then reduced."""

Points = Sequence[tuple[float, float]]


def paint_stroke(canvas: Image.Image, points: Points, colour: Colour, width: float, dot: float) -> None:
    """Draw a line through the points with round joints; `dot` is the radius of its end dot. In pixels."""
    if _is_axis_aligned(points) and not dot:
        _paint_bars(canvas, points, colour, width)
        return
    reach = max(width / 2, dot) + 1
    left, top, size = _area_of_mask(points, reach)
    mask = Image.new("L", (size[0] * ENLARGED, size[1] * ENLARGED))
    pen = ImageDraw.Draw(mask)
    line = [((x - left) * ENLARGED, (y - top) * ENLARGED) for x, y in points]
    pen.line(line, fill=255, width=round(width * ENLARGED))
    for x, y in line:
        _draw_disc(pen, x, y, width * ENLARGED / 2)
    if dot:
        _draw_disc(pen, *line[-1], dot * ENLARGED)
    paint_through_mask(canvas, colour, (left, top), mask.reduce(ENLARGED))


def paint_area(canvas: Image.Image, points: Points, colour: Colour) -> None:
    """Draw a filled shape whose corners are the points, in pixels."""
    left, top, size = _area_of_mask(points, 1)
    mask = Image.new("L", (size[0] * ENLARGED, size[1] * ENLARGED))
    ImageDraw.Draw(mask).polygon([((x - left) * ENLARGED, (y - top) * ENLARGED) for x, y in points], fill=255)
    paint_through_mask(canvas, colour, (left, top), mask.reduce(ENLARGED))


def _is_axis_aligned(points: Points) -> bool:
    """Return whether all parts of the line are horizontal or vertical."""
    return all(abs(x0 - x1) < 0.01 or abs(y0 - y1) < 0.01 for (x0, y0), (x1, y1) in pairwise(points))


def _paint_bars(canvas: Image.Image, points: Points, colour: Colour, width: float) -> None:
    """Paint a line of horizontal and vertical parts as rectangles."""
    half, thick = width / 2, max(1, round(width))
    for (x0, y0), (x1, y1) in pairwise(points):
        left, top = round(min(x0, x1) - half), round(min(y0, y1) - half)
        right, bottom = left + round(abs(x1 - x0)) + thick, top + round(abs(y1 - y0)) + thick
        canvas.paste(colour, (left, top, right, bottom))


def _draw_disc(pen: ImageDraw.ImageDraw, x: float, y: float, radius: float) -> None:
    """Draw a filled circle."""
    pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)


def _area_of_mask(points: Points, reach: float) -> tuple[int, int, tuple[int, int]]:
    """Return left, top and size (pixels) of the area that reaches `reach` beyond the points."""
    left, top = floor(min(x for x, _ in points) - reach), floor(min(y for _, y in points) - reach)
    right, bottom = ceil(max(x for x, _ in points) + reach), ceil(max(y for _, y in points) + reach)
    return left, top, (max(1, right - left), max(1, bottom - top))


HAND_FRAME: Final = 2.667
"""The frame around a chosen card, in units."""

TABLE_FRAME: Final = 1.667
"""The frame around a frozen pile, in units."""

CUT: Final = 76.0
"""How much of a card in a rail is drawn, in units from its top; the rail hides the rest."""

STRIP: Final = 51.0
"""Width of the drawn part of a card that its neighbour covers, in units."""

REVEALED: Final = 3.0
"""Extra width, in units, that is visible at the neighbour's round corner."""

EDGE_SHIFT: Final = 1.333
"""Shift between the cards of a stack, in units."""

SMALL_CARD: Final = 20.0
"""Cards narrower than that are drawn small."""


@dataclass(frozen=True, slots=True)
class Brush:
    """The picture that is being painted, with its theme and scale."""

    canvas: Image.Image
    theme: Theme
    printing: CardPrinting
    scale: float
    threes_against: bool = False

    def printing_of(self, card: Card) -> CardPrinting:
        """Return how that card's face is printed; red threes have another sign if they count against their holder."""
        if self.threes_against and kind_of(card) == RED_THREE:
            return replace(self.printing, threes_against=True)
        return self.printing

    def to_pixels(self, length: float) -> int:
        """Return a length in units as whole pixels."""
        return round(length * self.scale)

    def box_in_pixels(self, box: Box) -> tuple[int, int, int, int]:
        """Return left, top, right and bottom in pixels."""
        return self.to_pixels(box.left), self.to_pixels(box.top), self.to_pixels(box.right), self.to_pixels(box.bottom)

    def size_in_pixels(self, box: Box) -> tuple[int, int]:
        """Return width and height in pixels, independent of the position."""
        return self.to_pixels(box.width), self.to_pixels(box.height)


def draw_layout(layout: Layout, *, pixels: int = PIXELS) -> Image.Image:
    """Return the layout drawn as an image that is `pixels` wide."""
    theme = THEMES[layout.theme]
    scale = pixels / layout.width
    size = (round(layout.width * scale), round(layout.height * scale))
    canvas = table_sprites.felt_image(theme.felt_steps, *size)
    brush = Brush(canvas, theme, theme.printing_of_deck(layout.deck), scale, layout.threes_against)
    for item in layout.items:
        PAINTERS[type(item)](brush, item)
    return canvas


def _paint_plate(brush: Brush, item: Plate) -> None:
    inks = brush.theme.inks
    edge = inks[item.edge] if item.edge else None
    paint_plate(
        brush.canvas, brush.box_in_pixels(item.box), brush.to_pixels(item.radius), fill=inks[item.fill], edge=edge,
        thick=brush.theme.edge,
    )  # fmt: skip


def _paint_text(brush: Brush, item: Text) -> None:
    line = text_line_mask(item.text, item.style.weight, round(item.style.size * brush.scale, 1))
    x, y = brush.to_pixels(item.box.left), brush.to_pixels(item.baseline)
    paint_through_mask(brush.canvas, brush.theme.inks[item.ink], (x + line.left, y + line.top), line.mask)
    for inlay in line.inlays:
        brush.canvas.paste(inlay.image, (x + inlay.left, y + inlay.top), inlay.image)


def _paint_symbol(brush: Brush, item: Symbol) -> None:
    left, top, right, bottom = brush.box_in_pixels(item.box)
    paint_through_mask(
        brush.canvas, brush.theme.inks[item.ink], (left, top), sign_mask(item.sign, right - left, bottom - top)
    )


def _paint_suit(brush: Brush, item: LargeSuit) -> None:
    left, top, right, bottom = brush.box_in_pixels(item.box)
    if item.suit is None:
        paint_through_mask(brush.canvas, CROWN, (left, top), sign_mask(Sign.CROWN, right - left, bottom - top))
    else:
        paint_through_mask(
            brush.canvas, brush.printing.suits[item.suit], (left, top), suit_mask(item.suit, right - left)
        )


def _paint_meld_tile(brush: Brush, item: MeldTile) -> None:
    # The position is not part of the cached image, so that equal melds share it.
    corner = replace(item, box=Box(0, 0, item.box.width, item.box.height))
    image, x, y = table_sprites.tile_image(corner, brush.theme.inks[item.on], brush.theme.suits, brush.scale)
    brush.canvas.paste(image, (brush.to_pixels(item.box.left) - x, brush.to_pixels(item.box.top) - y))


def _paint_crosswise_card(brush: Brush, item: CrosswiseCard) -> None:
    sprite = card_faces.crosswise_card_sprite(item.card, brush.printing, *brush.size_in_pixels(item.box))
    sprite.paint(brush.canvas, brush.to_pixels(item.box.left), brush.to_pixels(item.box.top))


def _paint_card_back(brush: Brush, item: CardBack) -> None:
    sprite = card_faces.card_back_sprite(*brush.size_in_pixels(item.box))
    sprite.paint(brush.canvas, brush.to_pixels(item.box.left), brush.to_pixels(item.box.top))


def _paint_stack_edges(brush: Brush, item: StackEdges) -> None:
    if item.edges > 0:
        sprite = table_sprites.stack_edges_sprite(
            *brush.size_in_pixels(item.box), item.edges, brush.to_pixels(EDGE_SHIFT)
        )
        sprite.paint(brush.canvas, brush.to_pixels(item.box.left), brush.to_pixels(item.box.top))


def _paint_card_face(brush: Brush, item: CardFace) -> None:
    """Draw a card and its frame; it is cut off where a rail hides it."""
    x, y = brush.to_pixels(item.box.left), brush.to_pixels(item.box.top)
    width, height = brush.size_in_pixels(item.box)
    if item.box.width < SMALL_CARD:
        card_faces.small_card_sprite(item.card, brush.printing, width, height).paint(brush.canvas, x, y)
        return
    thick, cut = brush.to_pixels(TABLE_FRAME), height
    if item.shown is None:
        card_faces.table_card_sprite(item.card, brush.printing_of(item.card), width, height).paint(brush.canvas, x, y)
    else:
        thick, cut = brush.to_pixels(HAND_FRAME), brush.to_pixels(CUT)
        part = brush.to_pixels(STRIP) if item.shown[0] < STRIP - REVEALED else width
        full = brush.printing.deck is Deck.CLASSIC and kind_of(item.card) != JOKER
        sprite = card_faces.hand_card_sprite(
            item.card, brush.printing_of(item.card), (width, height), (part, cut), full=full
        )
        sprite.paint(brush.canvas, x, y)
    if item.frame:
        table_sprites.frame_sprite(width, height, cut, thick, brush.theme.inks[item.frame]).paint(brush.canvas, x, y)


def _paint_rail(brush: Brush, item: Rail) -> None:
    """Draw the rail and its notches."""
    left, top, right, bottom = brush.box_in_pixels(item.box)
    rail: tuple[Colour, Colour, Colour] = brush.theme.rail
    table_sprites.rail_sprite(rail, right - left, bottom - top).paint(brush.canvas, left, top)
    for notch in item.notches:
        x = left + brush.to_pixels(notch)
        brush.canvas.paste(rail[2], (x - 2, top + 9, x + 2, bottom - 9))
        brush.canvas.paste(rail[0], (x + 2, top + 9, x + 4, bottom - 9))


def _paint_stroke(brush: Brush, item: Stroke) -> None:
    points = tuple((x * brush.scale, y * brush.scale) for x, y in item.points)
    wide, dot = item.width * brush.scale, item.dot * brush.scale
    paint_stroke(brush.canvas, points, brush.theme.inks[item.ink], wide, dot)


def _paint_area(brush: Brush, item: Area) -> None:
    points = tuple((x * brush.scale, y * brush.scale) for x, y in item.points)
    paint_area(brush.canvas, points, brush.theme.inks[item.ink])


# `Any`: each painter takes the type of its key, which the type of a mapping cannot express.
PAINTERS: Final[Mapping[type[Item], Callable[[Brush, Any], None]]] = {
    Plate: _paint_plate,
    Text: _paint_text,
    Symbol: _paint_symbol,
    CardFace: _paint_card_face,
    LargeSuit: _paint_suit,
    Stroke: _paint_stroke,
    Area: _paint_area,
    MeldTile: _paint_meld_tile,
    Rail: _paint_rail,
    CrosswiseCard: _paint_crosswise_card,
    CardBack: _paint_card_back,
    StackEdges: _paint_stack_edges,
}
