"""Images of the things on a table besides cards: felt, rails, stacks and melds."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, TypeAlias

from PIL import Image, ImageDraw

from render.colour_themes import (
    JOKER_FRAME,
    JOKER_PAPER,
    MELD_RANK,
    MIXED,
    NATURAL,
    PAPER,
    PAPER_EDGE,
    PILL,
    PILL_TEXT,
    RUN,
    STAR,
    TWO_FRAME,
    TWO_PAPER,
    WHITE,
    WILD,
    Colour,
    FeltSteps,
    mix_colours,
)
from render.drawing.card_sprites import (
    RADIUS,
    SHADOW_REACH,
    Sprite,
    add_shadow,
    blank_card,
    card_sprite,
    frame_mask,
    paint_mask_centred,
    paint_through_mask,
    round_mask,
    slice_sprite,
)
from render.drawing.fonts import card_index_mask, text_line_mask
from render.drawing.symbol_polygons import sign_mask, suit_mask
from render.layout_items import BEHIND, MeldTile, Sign, TileColour

Suits: TypeAlias = tuple[Colour, Colour, Colour, Colour]

FRAMES: Final[dict[TileColour, Colour]] = {"red": NATURAL, "black": MIXED, "gold": WILD, "violet": RUN}
CANASTA_FRAME: Final = 2.0
"""The coloured frame around a canasta, in units."""

MARK: Final = 0.75
"""Height of a rank on a meld, relative to the space above its label."""

TILE_MARGIN: Final = 9
"""Pixels around a meld's tile in its image, for the shadow."""


USUAL_HEIGHT: Final = 1260
"""Pictures up to this height in pixels show the middle of one shared felt."""


def felt_image(steps: FeltSteps, width: int, height: int) -> Image.Image:
    """Return a new image covered with felt."""
    if height > USUAL_HEIGHT:
        return _draw_felt(steps, width, height).convert("RGB")
    top = (USUAL_HEIGHT - height) // 2
    return _cached_felt(steps, width).crop((0, top, width, top + height))


@lru_cache(maxsize=2)
def _cached_felt(steps: FeltSteps, width: int) -> Image.Image:
    """Return the felt for pictures of the usual height, as RGB.

    The cache is small, because a felt is large and quickly drawn.
    """
    return _draw_felt(steps, width, USUAL_HEIGHT).convert("RGB")


@lru_cache(maxsize=3)
def _draw_felt(steps: FeltSteps, width: int, height: int) -> Image.Image:
    """Return a felt that is lighter in the middle.

    It consists of nested ovals, each up to its share of the way outwards.
    """
    image = Image.new("P", (width, height), len(steps) - 1)
    image.putpalette([value for _, shade in steps for value in shade])
    draw = ImageDraw.Draw(image)
    for place in reversed(range(len(steps))):
        x, y = 0.74 * width * steps[place][0], 0.74 * height * steps[place][0]
        draw.ellipse((0.5 * width - x, 0.46 * height - y, 0.5 * width + x, 0.46 * height + y), fill=place)
    return image


@lru_cache(maxsize=4)
def rail_sprite(theme_rail: tuple[Colour, Colour, Colour], width: int, height: int) -> Sprite:
    """Return the sprite of a wooden rail with its shadow."""
    top, middle, bottom = theme_rail
    face = Image.new("RGB", (width, height), middle)
    draw = ImageDraw.Draw(face)
    bands = 8
    for band in range(bands):
        y = round(band * height / bands)
        draw.rectangle((0, y, width, height), fill=mix_colours(middle, bottom, band / (bands - 1)))
    draw.rectangle((0, 0, width, 2), fill=top)
    shape = round_mask(width, height, height * 0.28)
    colours, mask = add_shadow(face, shape, dark=135)
    corner, edge = SHADOW_REACH + round(height * 0.28), SHADOW_REACH + 1
    return slice_sprite(
        colours, mask, (corner, edge, colours.width - corner, colours.height - edge), (SHADOW_REACH, SHADOW_REACH)
    )


@lru_cache(maxsize=8)
def stack_edges_sprite(width: int, height: int, edges: int, shift: int) -> Sprite:
    """Return the sprite of the edges of cards under a stack, each shifted up and right.

    The origin is the top card's corner.
    """
    size = (width + edges * shift, height + edges * shift)
    face = Image.new("RGB", size, PAPER)
    shape = Image.new("L", size)
    card, cut = blank_card(width, height, PAPER, PAPER_EDGE, 1.2), round_mask(width, height, RADIUS * width)
    for edge in range(edges, 0, -1):
        at = (edge * shift, (edges - edge) * shift)
        face.paste(
            mix_colours(PAPER_EDGE, PAPER, 0.2) if edge % 2 else PAPER_EDGE, (*at, at[0] + width, at[1] + height), cut
        )
        face.paste(card, at, cut)
        shape.paste(255, (*at, at[0] + width, at[1] + height), cut)
    colours, mask = add_shadow(face, shape)
    solid = (
        SHADOW_REACH + edges * shift + 12,
        SHADOW_REACH + edges * shift + 12,
        SHADOW_REACH + width - 8,
        SHADOW_REACH + height - 8,
    )
    return slice_sprite(colours, mask, solid, (SHADOW_REACH, SHADOW_REACH + edges * shift))


@lru_cache(maxsize=128)
def tile_image(tile: MeldTile, panel: Colour, suits: Suits, scale: float) -> tuple[Image.Image, int, int]:
    """Return the image of a meld on its panel's colour, and the offset of its front card in the image."""
    width, height = round(tile.box.width * scale), round(tile.box.height * scale)
    rise = round(BEHIND * scale)
    up = len(tile.behind) * rise
    canvas = Image.new("RGB", (width + 2 * TILE_MARGIN, height + up + 2 * TILE_MARGIN), panel)
    shape = round_mask(width, height, RADIUS * width)
    for place in range(len(tile.behind), 0, -1):
        paper, frame = {"2": (TWO_PAPER, TWO_FRAME), "j": (JOKER_PAPER, JOKER_FRAME)}.get(
            tile.behind[len(tile.behind) - place], (mix_colours(PAPER, PAPER_EDGE, 0.25), PAPER_EDGE)
        )
        card = card_sprite(blank_card(width, height, paper, frame, 1.5), shape, round(RADIUS * width))
        card.paint(canvas, TILE_MARGIN, TILE_MARGIN + up - place * rise)
    front = blank_card(width, height, FRAMES.get(tile.colour, PAPER), PAPER_EDGE, 1.5)
    _draw_meld_front(front, tile, suits, scale)
    card_sprite(front, shape, round(RADIUS * width)).paint(canvas, TILE_MARGIN, TILE_MARGIN + up)
    return canvas, TILE_MARGIN, TILE_MARGIN + up


def _draw_meld_front(image: Image.Image, tile: MeldTile, suits: Suits, scale: float) -> None:
    """Draw the mark and the label of a meld."""
    width, height = image.size
    frame = FRAMES.get(tile.colour)
    edge, inset, pill_height = round(CANASTA_FRAME * scale), round(1.5 * scale), round(tile.pill * scale)
    pill_top = height - inset - pill_height
    if frame:
        paint_through_mask(image, PAPER, (edge, edge), round_mask(width - 2 * edge, pill_top - edge, 7))
    else:
        paint_through_mask(image, PILL, (inset, pill_top), round_mask(width - 2 * inset, pill_height, 12))
    _draw_mark(image, tile, suits, pill_top)
    line = text_line_mask(tile.label, tile.style.weight, round(tile.style.size * scale, 1))
    stars = 0 if frame else min(3, tile.stars)
    star = _largest_star_side(round(8.4 * scale), width - 2 * inset - line.mask.width - 5, stars)
    whole = line.mask.width + stars * (star + 2) + (5 if stars else 0)
    x = (width - whole) // 2
    middle = height - inset - pill_height / 2
    paint_through_mask(image, WHITE if frame else PILL_TEXT, (x, round(middle - line.mask.height / 2)), line.mask)
    x += line.mask.width + 5
    for _ in range(stars):
        paint_through_mask(image, STAR, (x, round(middle - star / 2)), sign_mask(Sign.STAR, star, star))
        x += star + 2


def _largest_star_side(usual: int, room: int, stars: int) -> int:
    """Return the largest side at which that many stars fit into the room."""
    return min(usual, room // stars - 2) if stars else usual


def _draw_mark(image: Image.Image, tile: MeldTile, suits: Suits, room: int) -> None:
    """Draw the mark of a meld in `room` pixels from the top.

    It is a rank, the ends and suit of a run, or a star for wild cards.
    """
    width = image.width
    ink = FRAMES.get(tile.colour, MELD_RANK)
    if not tile.mark:
        side = round(min(0.66 * width, 0.72 * room))
        paint_mask_centred(image, sign_mask(Sign.STAR, side, side), STAR, width / 2, 0.17 * width)
    elif tile.suit is None:
        mask = card_index_mask(tile.mark[0], round(MARK * room), round(0.74 * width))
        paint_mask_centred(image, mask, ink, width / 2, 0.12 * width)
    elif width > image.height:
        _draw_wide_run(image, tile, suits[tile.suit], room)
    else:
        ends = "\N{EN DASH}".join(tile.mark)
        mask = card_index_mask(ends, round(0.4 * room), round(0.8 * width))
        paint_mask_centred(image, mask, suits[tile.suit], width / 2, 0.14 * width)
        side = round(0.36 * room)
        paint_mask_centred(image, suit_mask(tile.suit, side), suits[tile.suit], width / 2, 0.59 * room)


def _draw_wide_run(image: Image.Image, tile: MeldTile, ink: Colour, room: int) -> None:
    """Draw the ends of a run, and its suit next to them."""
    side = round(0.55 * room)
    mask = card_index_mask(
        "\N{EN DASH}".join(tile.mark), round(0.62 * room), image.width - side - round(0.2 * image.width)
    )
    left = (image.width - mask.width - side) // 2 - 1
    paint_through_mask(image, ink, (left, (room - mask.height) // 2 + 2), mask)
    suit = suit_mask(tile.suit or 0, side)
    paint_through_mask(image, ink, (left + mask.width + 4, (room - side) // 2 + 2), suit)


@lru_cache(maxsize=32)
def frame_sprite(width: int, height: int, cut: int, thick: int, frame: Colour) -> Sprite:
    """Return the sprite of the frame around a card cut off below; the origin is the card's corner."""
    mask = frame_mask(width, height, RADIUS * width, thick).crop((0, 0, width, cut))
    colours = Image.new("RGB", (width, cut), frame)
    radius = round(RADIUS * width) + 1
    whole = slice_sprite(colours, mask, (thick, radius, width - thick, min(cut, height - radius)), (0, 0))
    return Sprite(whole.pieces[1:])
