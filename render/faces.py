"""Card faces, large print: a rank and a suit to be read at arm's length; special cards told by shape and colour.

Proportions are of the card's width. Twos are cream with a gold frame and a star, jokers violet with star, word and
crown, black threes grey with a stop sign, red threes framed in red with a plus.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from bot.engine.cards import BLACK_THREE, JOKER, RED_THREE, TWO, Card, Suit, kind_of, suit_of
from render.items import Sign
from render.shapes import SCALE, sign_mask, suit_mask
from render.sprites import REACH, Sprite, card_sprite, round_mask, shadowed, sliced, tint
from render.text import index_mask
from render.theme import (
    BACK,
    BACK_LATTICE,
    BLACK_THREE_FRAME,
    BLACK_THREE_PAPER,
    CROWN,
    JOKER_FRAME,
    JOKER_PAPER,
    JOKER_STAR,
    PAPER,
    PAPER_EDGE,
    RED_THREE_FRAME,
    RED_THREE_PAPER,
    STAR,
    SUIT_COLOURS,
    TWO_FRAME,
    TWO_PAPER,
    Colour,
)
from render.words import rank_text

RADIUS: Final = 0.085
"""Of the width."""


@dataclass(frozen=True, slots=True)
class Stock:
    """What a card is printed on, and the sign that tells it apart."""

    paper: Colour
    frame: Colour
    thick: float
    sign: Sign | None = None
    sign_colour: Colour = STAR


PLAIN: Final = Stock(PAPER, PAPER_EDGE, 0.006)
STOCKS: Final = {
    TWO: Stock(TWO_PAPER, TWO_FRAME, 0.018, Sign.STAR, STAR),
    JOKER: Stock(JOKER_PAPER, JOKER_FRAME, 0.018),
    BLACK_THREE: Stock(BLACK_THREE_PAPER, BLACK_THREE_FRAME, 0.018, Sign.STOP, BLACK_THREE_FRAME),
    RED_THREE: Stock(RED_THREE_PAPER, RED_THREE_FRAME, 0.018, Sign.PLUS, RED_THREE_FRAME),
}


def sheet(width: int, height: int, paper: Colour, frame: Colour, thick: float) -> Image.Image:
    """An empty card: paper with a frame that thick in pixels; corners are cut by the mask."""
    image = Image.new("RGB", (width * SCALE, height * SCALE), frame)
    edge = max(1.0, thick) * SCALE
    inner = (edge, edge, width * SCALE - 1 - edge, height * SCALE - 1 - edge)
    ImageDraw.Draw(image).rounded_rectangle(inner, max(0.0, width * RADIUS * SCALE - edge), fill=paper)
    return image.reduce(SCALE)


def stack_on(canvas: Image.Image, mask: Image.Image, colour: Colour, centre: float, top: float) -> None:
    """The mask in that colour, centred on a line, from that height down."""
    tint(canvas, colour, (round(centre - mask.width / 2), round(top)), mask)


@lru_cache(maxsize=192)
def face_image(card: Card, width: int, height: int, *, large_suit: bool) -> Image.Image:
    """The card's face without shadow, corners square."""
    kind = kind_of(card)
    stock = STOCKS.get(kind, PLAIN)
    image = sheet(width, height, stock.paper, stock.frame, stock.thick * width)
    if kind == JOKER:
        _joker(image, width, large=large_suit)
    else:
        _index(image, card, width, stock)
        if large_suit:
            _large_suit(image, suit_of(card), width, height)
    return image


def _index(image: Image.Image, card: Card, width: int, stock: Stock) -> None:
    """Rank and suit in the corner, within 0.39 of the width; special cards carry their sign beside the suit."""
    suit = suit_of(card)
    ink = SUIT_COLOURS[suit]
    centre = 0.212 * width
    mask = index_mask(rank_text(kind_of(card)), round(0.458 * width), round(0.325 * width))
    stack_on(image, mask, ink, centre, 0.078 * width)
    if stock.sign is None:
        stack_on(image, suit_mask(suit, round(0.305 * width)), ink, centre, 0.625 * width)
        return
    side = round(0.172 * width)
    stack_on(image, suit_mask(suit, side), ink, 0.115 * width, 0.645 * width)
    stack_on(image, sign_mask(stock.sign, side, side), stock.sign_colour, 0.298 * width, 0.643 * width)


def _large_suit(image: Image.Image, suit: Suit, width: int, height: int) -> None:
    mask = suit_mask(suit, round(0.5 * width))
    stack_on(image, mask, SUIT_COLOURS[suit], 0.67 * width, height - 0.58 * width)


def _joker(image: Image.Image, width: int, *, large: bool) -> None:
    """Star, word and crown one under the other."""
    centre = 0.212 * width
    side = round(0.31 * width)
    stack_on(image, sign_mask(Sign.STAR, side, side), JOKER_STAR, centre, 0.075 * width)
    mask = index_mask("JOKER", round(0.115 * width), round(0.325 * width))
    stack_on(image, mask, JOKER_FRAME, centre, 0.435 * width)
    crown = sign_mask(Sign.CROWN, round(0.31 * width), round(0.25 * width))
    stack_on(image, crown, CROWN, centre, 0.63 * width)
    if large:
        big = sign_mask(Sign.CROWN, round(0.5 * width), round(0.42 * width))
        stack_on(image, big, CROWN, 0.67 * width, 0.87 * width)


@lru_cache(maxsize=128)
def hand_sprite(card: Card, width: int, height: int, shown: tuple[int, int]) -> Sprite:
    """The part of a card in a hand that can be seen: what the rail and the next card hide is left out."""
    face = face_image(card, width, height, large_suit=False)
    colours, mask = shadowed(face, round_mask(width, height, RADIUS * width))
    right = REACH + shown[0] if shown[0] < width else colours.width
    part = (0, 0, right, REACH + shown[1])
    inset = REACH + round(RADIUS * width) // 3 + 1
    solid = (inset, inset, right if shown[0] < width else right - inset, part[3])
    return sliced(colours.crop(part), mask.crop(part), solid, (REACH, REACH))


@lru_cache(maxsize=96)
def table_sprite(card: Card, width: int, height: int) -> Sprite:
    """A whole card on the table."""
    face = face_image(card, width, height, large_suit=True)
    return card_sprite(face, round_mask(width, height, RADIUS * width), round(RADIUS * width))


@lru_cache(maxsize=32)
def crosswise_sprite(card: Card, width: int, height: int) -> Sprite:
    """A card turned a quarter to the left; width and height as it then lies."""
    face = face_image(card, height, width, large_suit=True).transpose(Image.Transpose.ROTATE_90)
    return card_sprite(face, round_mask(width, height, RADIUS * height), round(RADIUS * height))


@lru_cache(maxsize=16)
def mini_sprite(card: Card, width: int, height: int) -> Sprite:
    """A small card: its rank over its suit."""
    kind, suit = kind_of(card), suit_of(card)
    stock = STOCKS.get(kind, PLAIN)
    image = sheet(width, height, stock.paper, stock.frame, 1.4)
    mask = index_mask(rank_text(kind) or "J", round(0.5 * width), round(0.8 * width))
    stack_on(image, mask, SUIT_COLOURS[suit], width / 2, 0.15 * width)
    stack_on(image, suit_mask(suit, round(0.52 * width)), SUIT_COLOURS[suit], width / 2, 0.76 * width)
    return card_sprite(image, round_mask(width, height, RADIUS * width * 1.2), round(RADIUS * width * 1.2))


@lru_cache(maxsize=4)
def back_sprite(width: int, height: int) -> Sprite:
    """A card face down: a lattice of diamonds on dark red."""
    large = (width * SCALE, height * SCALE)
    image = Image.new("RGB", large, PAPER)
    draw = ImageDraw.Draw(image)
    edge = 0.055 * large[0]
    inner = (edge, edge, large[0] - 1 - edge, large[1] - 1 - edge)
    draw.rounded_rectangle(inner, 0.05 * large[0], fill=BACK)
    step = 0.088 * large[0]
    rows, columns = int((large[1] - 3.2 * edge) / (step * 0.75)), int((large[0] - 3.4 * edge) / step)
    x0 = (large[0] - (columns - 1) * step) / 2
    y0 = (large[1] - (rows - 1) * step * 0.75) / 2
    for row in range(rows):
        for column in range(columns - row % 2):
            x, y = x0 + (column + (row % 2) / 2) * step, y0 + row * step * 0.75
            wide, tall = 0.28 * step, 0.46 * step
            draw.polygon([(x, y - tall), (x + wide, y), (x, y + tall), (x - wide, y)], fill=BACK_LATTICE)
    line = 1.45 * edge
    frame = (line, line, large[0] - 1 - line, large[1] - 1 - line)
    draw.rounded_rectangle(frame, 0.035 * large[0], outline=PAPER, width=SCALE)
    face = image.reduce(SCALE)
    outline = sheet(width, height, BACK, PAPER_EDGE, 1.0)
    face.paste(outline, (0, 0), Image.eval(outline.convert("L"), lambda level: 255 if level > 150 else 0))
    return card_sprite(face, round_mask(width, height, RADIUS * width), round(RADIUS * width))
