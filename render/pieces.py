"""The other drawn pieces: felts, rails, stacks and melds."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from render.faces import RADIUS, sheet, stack_on
from render.items import BEHIND, Sign, Tile
from render.shapes import sign_mask
from render.sprites import REACH, Sprite, card_sprite, ring_mask, round_mask, shadowed, sliced, tint
from render.text import SCALE, index_mask, line_mask
from render.theme import (
    JOKER_FRAME,
    JOKER_PAPER,
    MELD_RANK,
    MIXED,
    NATURAL,
    PAPER,
    PAPER_EDGE,
    PILL,
    PILL_TEXT,
    STAR,
    TWO_FRAME,
    TWO_PAPER,
    WHITE,
    Colour,
    FeltSteps,
    between,
)

CANASTA: Final = {"natural": NATURAL, "mixed": MIXED}
CANASTA_FRAME: Final = 6
"""Pixels of the coloured frame around a canasta."""

TILE_MARGIN: Final = 9
"""Pixels around a meld's tile that belong to its image: room for the shadow."""


@lru_cache(maxsize=6)
def felt(steps: FeltSteps, width: int, height: int) -> Image.Image:
    """The felt, lighter in the middle: nested ovals, each reaching its share of the way to the corners."""
    image = Image.new("RGB", (width, height), steps[-1][1])
    draw = ImageDraw.Draw(image)
    for reach, shade in reversed(steps):
        x, y = 0.74 * width * reach, 0.74 * height * reach
        draw.ellipse((0.5 * width - x, 0.46 * height - y, 0.5 * width + x, 0.46 * height + y), fill=shade)
    return image


@lru_cache(maxsize=4)
def rail_sprite(theme_rail: tuple[Colour, Colour, Colour], width: int, height: int) -> Sprite:
    """A wooden rail with its shadow."""
    top, middle, bottom = theme_rail
    face = Image.new("RGB", (width, height), middle)
    draw = ImageDraw.Draw(face)
    bands = 8
    for band in range(bands):
        y = round(band * height / bands)
        draw.rectangle((0, y, width, height), fill=between(middle, bottom, band / (bands - 1)))
    draw.rectangle((0, 0, width, 2), fill=top)
    shape = round_mask(width, height, height * 0.28)
    colours, mask = shadowed(face, shape, dark=135)
    inset = REACH + round(height * 0.28) // 3 + 1
    return sliced(colours, mask, (inset, inset, colours.width - inset, colours.height - inset), (REACH, REACH))


@lru_cache(maxsize=8)
def edges_sprite(width: int, height: int, edges: int, shift: int) -> Sprite:
    """The edges of cards under a stack, each a little further up and to the right; origin at the top card's corner."""
    size = (width + edges * shift, height + edges * shift)
    face = Image.new("RGB", size, PAPER)
    shape = Image.new("L", size)
    card, cut = sheet(width, height, PAPER, PAPER_EDGE, 1.2), round_mask(width, height, RADIUS * width)
    for edge in range(edges, 0, -1):
        at = (edge * shift, (edges - edge) * shift)
        face.paste(
            between(PAPER_EDGE, PAPER, 0.2) if edge % 2 else PAPER_EDGE, (*at, at[0] + width, at[1] + height), cut
        )
        face.paste(card, at, cut)
        shape.paste(255, (*at, at[0] + width, at[1] + height), cut)
    colours, mask = shadowed(face, shape)
    solid = (REACH + edges * shift + 12, REACH + edges * shift + 12, REACH + width - 8, REACH + height - 8)
    return sliced(colours, mask, solid, (REACH, REACH + edges * shift))


def pixels(length: float) -> int:
    """Units as whole pixels."""
    return round(length * SCALE)


@lru_cache(maxsize=256)
def tile_image(tile: Tile, panel: Colour) -> tuple[Image.Image, int, int]:
    """A meld on the colour of its panel, and how far its front card lies from the image's corner."""
    width, height = pixels(tile.box.width), pixels(tile.box.height)
    rise = pixels(BEHIND)
    up = len(tile.behind) * rise
    canvas = Image.new("RGB", (width + 2 * TILE_MARGIN, height + up + 2 * TILE_MARGIN), panel)
    shape = round_mask(width, height, RADIUS * width)
    for place in range(len(tile.behind), 0, -1):
        paper, frame = {"2": (TWO_PAPER, TWO_FRAME), "j": (JOKER_PAPER, JOKER_FRAME)}.get(
            tile.behind[len(tile.behind) - place], (between(PAPER, PAPER_EDGE, 0.25), PAPER_EDGE)
        )
        card = card_sprite(sheet(width, height, paper, frame, 1.5), shape, round(RADIUS * width))
        card.paint(canvas, TILE_MARGIN, TILE_MARGIN + up - place * rise)
    front = sheet(width, height, CANASTA[tile.canasta] if tile.canasta else PAPER, PAPER_EDGE, 1.5)
    _front(front, tile, width, height)
    card_sprite(front, shape, round(RADIUS * width)).paint(canvas, TILE_MARGIN, TILE_MARGIN + up)
    return canvas, TILE_MARGIN, TILE_MARGIN + up


def _front(image: Image.Image, tile: Tile, width: int, height: int) -> None:
    """The rank and the label of a meld."""
    pill_height, inset = pixels(14.5), pixels(1.5)
    pill_top = height - inset - pill_height
    if tile.canasta:
        paper = round_mask(width - 2 * CANASTA_FRAME, pill_top - CANASTA_FRAME, 7)
        tint(image, PAPER, (CANASTA_FRAME, CANASTA_FRAME), paper)
    else:
        tint(image, PILL, (inset, pill_top), round_mask(width - 2 * inset, pill_height, 12))
    mask = index_mask(tile.rank, round(0.75 * width), round(0.74 * width))
    stack_on(image, mask, CANASTA[tile.canasta] if tile.canasta else MELD_RANK, width / 2, 0.12 * width)
    text = WHITE if tile.canasta else PILL_TEXT
    line = line_mask(tile.label, tile.style.weight, tile.style.size)
    stars = 0 if tile.canasta else min(3, tile.wilds)
    star = pixels(8.4)
    whole = line.mask.width + stars * (star + 2) + (5 if stars else 0)
    x = (width - whole) // 2
    middle = height - inset - pill_height / 2
    tint(image, text, (x, round(middle - line.mask.height / 2)), line.mask)
    x += line.mask.width + 5
    for _ in range(stars):
        tint(image, STAR, (x, round(middle - star / 2)), sign_mask(Sign.STAR, star, star))
        x += star + 2


@lru_cache(maxsize=32)
def frame_sprite(width: int, height: int, cut: int, thick: int, frame: Colour) -> Sprite:
    """The frame of a card cut off below, in strips; origin at its corner."""
    mask = ring_mask(width, height, RADIUS * width, thick).crop((0, 0, width, cut))
    colours = Image.new("RGB", (width, cut), frame)
    radius = round(RADIUS * width) + 1
    whole = sliced(colours, mask, (thick, radius, width - thick, min(cut, height - radius)), (0, 0))
    return Sprite(whole.pieces[1:])
