"""Small cached images of cards, melds, rails and plates, drawn large and reduced for smooth edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, cast

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from render.colour_themes import BLACK, Colour
from render.drawing.symbol_polygons import SCALE

RADIUS: Final = 0.085
"""Radius of a card's corners, relative to its width."""

SHADOW_BLUR: Final = 5
SHADOW_SHIFT: Final = (-2, 2)
SHADOW_DARK: Final = 112
CLEAR_FAINT_SHADOW: Final = [0] * 4 + list(range(4, 256))
"""Removes shadow too faint to see, which would cost as much to paint as any other."""

SHADOW_REACH: Final = 11
"""How far a shadow reaches around its card, in pixels."""


@dataclass(frozen=True, slots=True)
class SpritePiece:
    """A part of a sprite: position, colours, and a mask if it is not opaque.

    A single colour that fills `size` takes less memory and time than an image.
    """

    x: int
    y: int
    image: Image.Image | Colour
    mask: Image.Image | None = None
    size: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Sprite:
    """An image in pieces.

    The opaque inside is pasted without a mask, which is many times faster.
    """

    pieces: tuple[SpritePiece, ...]

    def paint(self, canvas: Image.Image, x: int, y: int) -> None:
        """Paint the sprite on the canvas with its origin at x and y."""
        for piece in self.pieces:
            left, top = x + piece.x, y + piece.y
            if isinstance(piece.image, tuple):
                canvas.paste(piece.image, (left, top, left + piece.size[0], top + piece.size[1]))
            else:
                canvas.paste(piece.image, (left, top), piece.mask)


def slice_sprite(
    image: Image.Image,
    mask: Image.Image,
    solid: tuple[int, int, int, int],
    origin: tuple[int, int],
    *,
    plain_from: int | None = None,
) -> Sprite:
    """Return an image as a sprite: `solid` is opaque, and of one colour from `plain_from` to the right.

    `origin` is the point of the image that becomes the sprite's origin.
    """
    width, height = image.size
    left, top, right, bottom = solid
    boxes = [(0, 0, width, top), (0, bottom, width, height), (0, top, left, bottom), (right, top, width, bottom)]
    drawn = right if plain_from is None or plain_from >= right else plain_from
    pieces = [SpritePiece(left - origin[0], top - origin[1], image.crop((left, top, drawn, bottom)))]
    if drawn < right:
        paper = cast(Colour, image.getpixel((drawn, top)))
        size = (right - drawn, bottom - top)
        pieces.append(SpritePiece(drawn - origin[0], top - origin[1], paper, size=size))
    for box in boxes:
        part = mask.crop(box)
        extent = part.getbbox()
        if extent is None:
            continue
        inner = (box[0] + extent[0], box[1] + extent[1], box[0] + extent[2], box[1] + extent[3])
        pieces.append(SpritePiece(inner[0] - origin[0], inner[1] - origin[1], image.crop(inner), mask.crop(inner)))
    return Sprite(tuple(pieces))


@lru_cache(maxsize=256)
def round_mask(width: int, height: int, radius: float) -> Image.Image:
    """Return a mask of a rectangle with round corners."""
    mask = Image.new("L", (width * SCALE, height * SCALE))
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, width * SCALE - 1, height * SCALE - 1), radius * SCALE, fill=255)
    return mask.reduce(SCALE)


@lru_cache(maxsize=64)
def frame_mask(width: int, height: int, radius: float, thick: float) -> Image.Image:
    """Return a mask of the frame of a rectangle with round corners, `thick` pixels wide."""
    mask = Image.new("L", (width * SCALE, height * SCALE))
    draw = ImageDraw.Draw(mask)
    draw.rounded_rectangle((0, 0, width * SCALE - 1, height * SCALE - 1), radius * SCALE, fill=255)
    edge = thick * SCALE
    inner = (edge, edge, width * SCALE - 1 - edge, height * SCALE - 1 - edge)
    draw.rounded_rectangle(inner, max(0.0, radius - thick) * SCALE, fill=0)
    return mask.reduce(SCALE)


def add_shadow(face: Image.Image, shape: Image.Image, *, dark: int = SHADOW_DARK) -> tuple[Image.Image, Image.Image]:
    """Return the colours and the mask of the face on its shadow.

    Both are `SHADOW_REACH` pixels larger on every side.
    """
    mask = _shadow_mask(shape.size, shape.tobytes(), dark)
    colours = Image.new("RGB", mask.size, BLACK)
    colours.paste(face, (SHADOW_REACH, SHADOW_REACH), shape)
    return colours, mask


@lru_cache(maxsize=12)
def _shadow_mask(size: tuple[int, int], outline: bytes, dark: int) -> Image.Image:
    """Return the mask of a shape and its shadow; cached, because all cards of a size share it."""
    shape = Image.frombytes("L", size, outline)
    shadow = Image.new("L", (size[0] + 2 * SHADOW_REACH, size[1] + 2 * SHADOW_REACH))
    shadow.paste(dark, (SHADOW_REACH + SHADOW_SHIFT[0], SHADOW_REACH + SHADOW_SHIFT[1]), shape)
    shadow = shadow.filter(ImageFilter.GaussianBlur(SHADOW_BLUR))
    solid = Image.new("L", shadow.size)
    solid.paste(shape, (SHADOW_REACH, SHADOW_REACH))
    return ImageChops.lighter(shadow, solid).point(CLEAR_FAINT_SHADOW)


def blank_card(width: int, height: int, paper: Colour, frame: Colour, thick: float) -> Image.Image:
    """Return an empty card: paper with a frame of that thickness in pixels, corners square."""
    image = Image.new("RGB", (width, height), frame)
    image.paste(paper, (0, 0, width, height), _paper_mask(width, height, max(1.0, thick)))
    return image


@lru_cache(maxsize=32)
def _paper_mask(width: int, height: int, thick: float) -> Image.Image:
    """Return the mask of a card's paper inside its frame."""
    mask = Image.new("L", (width * SCALE, height * SCALE))
    edge = thick * SCALE
    inner = (edge, edge, width * SCALE - 1 - edge, height * SCALE - 1 - edge)
    ImageDraw.Draw(mask).rounded_rectangle(inner, max(0.0, width * RADIUS * SCALE - edge), fill=255)
    return mask.reduce(SCALE)


def card_sprite(face: Image.Image, shape: Image.Image, radius: int) -> Sprite:
    """Return the sprite of a card with its shadow; the origin is the card's corner."""
    colours, mask = add_shadow(face, shape)
    inset = SHADOW_REACH + max(1, radius // 3 + 1)
    solid = (inset, inset, colours.width - inset, colours.height - inset)
    return slice_sprite(colours, mask, solid, (SHADOW_REACH, SHADOW_REACH))


@lru_cache(maxsize=256)
def plate_corners(
    radius: int, fill: Colour, edge: Colour | None, thick: int
) -> tuple[tuple[Image.Image, Image.Image], ...]:
    """Return colours and mask of each of the four corners of a plate, row by row."""
    side = 2 * radius
    colours = Image.new("RGB", (side * SCALE, side * SCALE), edge or fill)
    if edge:
        rim = thick * SCALE
        ImageDraw.Draw(colours).ellipse((rim, rim, side * SCALE - 1 - rim, side * SCALE - 1 - rim), fill=fill)
    mask = Image.new("L", (side * SCALE, side * SCALE))
    ImageDraw.Draw(mask).ellipse((0, 0, side * SCALE - 1, side * SCALE - 1), fill=255)
    colours, mask = colours.reduce(SCALE), mask.reduce(SCALE)
    quarters = [(x, y, x + radius, y + radius) for y in (0, radius) for x in (0, radius)]
    return tuple((colours.crop(quarter), mask.crop(quarter)) for quarter in quarters)


def paint_plate(
    canvas: Image.Image, box: tuple[int, int, int, int], radius: int, *, fill: Colour, edge: Colour | None, thick: int
) -> None:
    """Draw on the canvas a plate with round corners and an edge of that thickness in pixels."""
    left, top, right, bottom = box
    radius = min(radius, (right - left) // 2, (bottom - top) // 2)
    canvas.paste(fill, (left + radius, top, right - radius, top + radius))
    canvas.paste(fill, (left, top + radius, right, bottom - radius))
    canvas.paste(fill, (left + radius, bottom - radius, right - radius, bottom))
    if edge:
        canvas.paste(edge, (left + radius, top, right - radius, top + thick))
        canvas.paste(edge, (left + radius, bottom - thick, right - radius, bottom))
        canvas.paste(edge, (left, top + radius, left + thick, bottom - radius))
        canvas.paste(edge, (right - thick, top + radius, right, bottom - radius))
    if radius:
        places = ((x, y) for y in (top, bottom - radius) for x in (left, right - radius))
        for place, (colours, mask) in zip(places, plate_corners(radius, fill, edge, thick), strict=True):
            canvas.paste(colours, place, mask)


def paint_mask_centred(canvas: Image.Image, mask: Image.Image, colour: Colour, centre: float, top: float) -> None:
    """Paint the mask in that colour, centred horizontally, from `top` down."""
    paint_through_mask(canvas, colour, (round(centre - mask.width / 2), round(top)), mask)


def paint_through_mask(canvas: Image.Image, colour: Colour, at: Sequence[int], mask: Image.Image) -> None:
    """Paint the colour on the canvas at the position `at`, through the mask."""
    canvas.paste(colour, (at[0], at[1], at[0] + mask.width, at[1] + mask.height), mask)
