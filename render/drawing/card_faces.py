"""Card faces: corner, middle, and back.

Proportions are relative to the card's width. Special cards have signs, so that colour is never the only difference:
twos are cream with a gold frame and a star, jokers violet with star, word and crown, black threes grey with a stop
sign, red threes framed in red with a plus, or a minus where they count against their holder. Classic faces have pips
and our own courts: a framed panel, the same upside down, with a king's crown, a queen's coronet or a jack's cap.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil
from typing import Final

from PIL import Image, ImageDraw

from bot.engine.cards.cards import (
    ACE,
    BLACK_THREE,
    EIGHT,
    FIVE,
    FOUR,
    JACK,
    JOKER,
    KING,
    NINE,
    QUEEN,
    RED_THREE,
    SEVEN,
    SIX,
    TEN,
    TWO,
    Card,
    Kind,
    kind_of,
    suit_of,
)
from render.colour_themes import (
    BACK,
    BACK_LATTICE,
    BLACK_THREE_FRAME,
    BLACK_THREE_PAPER,
    COURT_PAPER,
    CROWN,
    JOKER_FRAME,
    JOKER_PAPER,
    JOKER_STAR,
    PAPER,
    PAPER_EDGE,
    RED_THREE_FRAME,
    RED_THREE_PAPER,
    STAR,
    TWO_FRAME,
    TWO_PAPER,
    CardPrinting,
    Colour,
)
from render.drawing.card_sprites import (
    RADIUS,
    SHADOW_REACH,
    Sprite,
    add_shadow,
    blank_card,
    card_sprite,
    paint_mask_centred,
    round_mask,
    slice_sprite,
)
from render.drawing.fonts import card_index_mask
from render.drawing.symbol_polygons import SCALE, Pen, curve_points, draw_mask, sign_mask, suit_mask, with_mirror_image
from render.layout_items import Deck, Sign
from render.picture_words import rank_text

LEFT, MIDDLE, RIGHT = 0.5, 0.68, 0.86
"""Columns of pips, relative to the width; the corner stays free."""

TOP, BOTTOM = 0.14, 0.86
"""First and last row of pips, relative to the height."""

THIRD: Final = (BOTTOM - TOP) / 3
HALF: Final = (TOP + BOTTOM) / 2

FOUR_ROWS: Final = tuple((x, TOP + THIRD * row) for row in range(4) for x in (LEFT, RIGHT))
THREE_ROWS: Final = tuple((x, y) for y in (TOP, HALF, BOTTOM) for x in (LEFT, RIGHT))
PIP_CORNERS: Final = tuple((x, y) for y in (TOP, BOTTOM) for x in (LEFT, RIGHT))
THREE: Final = ((MIDDLE, TOP), (MIDDLE, HALF), (MIDDLE, BOTTOM))

PIPS: Final[Mapping[Kind, tuple[tuple[float, float], ...]]] = {
    TWO: ((MIDDLE, TOP), (MIDDLE, BOTTOM)),
    BLACK_THREE: THREE,
    RED_THREE: THREE,
    FOUR: PIP_CORNERS,
    FIVE: (*PIP_CORNERS, (MIDDLE, HALF)),
    SIX: THREE_ROWS,
    SEVEN: (*THREE_ROWS, (MIDDLE, (TOP + HALF) / 2)),
    EIGHT: (*THREE_ROWS, (MIDDLE, (TOP + HALF) / 2), (MIDDLE, (BOTTOM + HALF) / 2)),
    NINE: (*FOUR_ROWS, (MIDDLE, HALF)),
    TEN: (*FOUR_ROWS, (MIDDLE, TOP + THIRD / 2), (MIDDLE, BOTTOM - THIRD / 2)),
}
PIP: Final = 0.185
"""Size of a pip, relative to the width."""

PANEL: Final = (0.42, 0.075, 0.94, 0.925)
"""The frame of a court, relative to width and height."""


def draw_classic_middle(image: Image.Image, card: Card, ink: Colour) -> None:
    """Draw the pips or the court of a classic card in the space right of its corner."""
    kind = kind_of(card)
    if kind == ACE:
        mask = suit_mask(suit_of(card), round(0.5 * image.width))
        paint_mask_centred(image, mask, ink, MIDDLE * image.width, HALF * image.height - mask.height / 2)
    elif kind in COURTS:
        _draw_court(image, card, ink)
    else:
        _draw_pips(image, card, ink)


def _draw_pips(image: Image.Image, card: Card, ink: Colour) -> None:
    """Draw pips; those in the lower half are upside down."""
    width, height = image.size
    mask = suit_mask(suit_of(card), round(PIP * width))
    turned = mask.transpose(Image.Transpose.ROTATE_180)
    for x, y in PIPS[kind_of(card)]:
        pip = turned if y > HALF + 0.01 else mask
        paint_mask_centred(image, pip, ink, x * width, y * height - pip.height / 2)


def _draw_court(image: Image.Image, card: Card, ink: Colour) -> None:
    """Draw the panel of a court card; the lower half is the upper half turned upside down."""
    left, top = round(PANEL[0] * image.width), round(PANEL[1] * image.height)
    width, height = round(PANEL[2] * image.width) - left, round(PANEL[3] * image.height) - top
    half = Image.new("RGB", (width, (height + 1) // 2), COURT_PAPER)
    head = draw_mask(COURTS[kind_of(card)], round(0.72 * width), round(0.5 * width))
    paint_mask_centred(half, head, CROWN, width / 2, 0.08 * width)
    mask = suit_mask(suit_of(card), round(0.46 * width))
    paint_mask_centred(half, mask, ink, width / 2, half.height - 0.52 * width)
    panel = Image.new("RGB", (width, height), COURT_PAPER)
    panel.paste(half.transpose(Image.Transpose.ROTATE_180), (0, height - half.height))
    panel.paste(half, (0, 0))
    draw = ImageDraw.Draw(panel)
    thin = max(1, round(0.012 * image.width))
    draw.rectangle((0, 0, width - 1, height - 1), outline=ink, width=thin)
    draw.line((0, height // 2, width, height // 2), fill=ink, width=thin)
    image.paste(panel, (left, top))


def _draw_king(pen: Pen) -> None:
    """Draw a king's crown of five points, the middle one with a cross."""
    pen.fill_polygon([
        (0.12, 0.98), (0.02, 0.42), (0.24, 0.66), (0.32, 0.30), (0.5, 0.60),
        (0.68, 0.30), (0.76, 0.66), (0.98, 0.42), (0.88, 0.98),
    ])  # fmt: skip
    pen.fill_bar((0.465, 0.02, 0.535, 0.5))
    pen.fill_bar((0.38, 0.14, 0.62, 0.26))
    pen.fill_polygon([(0.13, 0.82), (0.87, 0.82), (0.865, 0.87), (0.135, 0.87)], value=0)


def _draw_queen(pen: Pen) -> None:
    """Draw a queen's coronet of round bows with pearls."""
    bows = curve_points([(0.1, 0.98), (0.06, 0.7), (0.02, 0.5), (0.06, 0.34)])
    pen.fill_polygon(with_mirror_image([*bows, *curve_points([(0.06, 0.34), (0.2, 0.62), (0.28, 0.62), (0.3, 0.24)]),
                       *curve_points([(0.3, 0.24), (0.38, 0.56), (0.44, 0.56), (0.5, 0.2)])]))  # fmt: skip
    for x, y in ((0.06, 0.26), (0.3, 0.16), (0.5, 0.11), (0.7, 0.16), (0.94, 0.26)):
        pen.fill_disc(x, y, 0.062)
    pen.fill_polygon([(0.12, 0.82), (0.88, 0.82), (0.876, 0.87), (0.124, 0.87)], value=0)


def _draw_jack(pen: Pen) -> None:
    """Draw a jack's flat cap with a feather."""
    pen.fill_polygon(
        curve_points([(0.06, 0.72), (0.1, 0.38), (0.4, 0.3), (0.62, 0.38), (0.82, 0.44), (0.9, 0.6), (0.92, 0.72)])
    )
    pen.fill_bar((0.06, 0.78, 0.94, 0.98), 0.06)
    pen.fill_polygon(curve_points([
        (0.6, 0.62), (0.62, 0.3), (0.8, 0.06), (1.0, 0.02), (0.98, 0.24), (0.9, 0.46), (0.66, 0.66),
    ]))  # fmt: skip
    pen.fill_polygon([(0.62, 0.6), (0.9, 0.14), (0.92, 0.15), (0.65, 0.62)], value=0)


COURTS: Final[Mapping[Kind, Callable[[Pen], None]]] = {KING: _draw_king, QUEEN: _draw_queen, JACK: _draw_jack}


@dataclass(frozen=True, slots=True)
class CardPaper:
    """The paper and frame of a card, and the sign that distinguishes it."""

    paper: Colour
    frame: Colour
    thick: float
    sign: Sign | None = None
    sign_colour: Colour = STAR


@dataclass(frozen=True, slots=True)
class CornerSizes:
    """Positions and sizes of rank, suit and sign in the corner of a card.

    The sign is next to the suit or below it.
    """

    centre: float
    top: float
    rank: tuple[float, float]
    suit: float
    suit_top: float
    below: bool


PLAIN_PAPER: Final = CardPaper(PAPER, PAPER_EDGE, 0.006)
CARD_PAPERS: Final = {
    TWO: CardPaper(TWO_PAPER, TWO_FRAME, 0.018, Sign.STAR, STAR),
    JOKER: CardPaper(JOKER_PAPER, JOKER_FRAME, 0.018),
    BLACK_THREE: CardPaper(BLACK_THREE_PAPER, BLACK_THREE_FRAME, 0.018, Sign.STOP, BLACK_THREE_FRAME),
    RED_THREE: CardPaper(RED_THREE_PAPER, RED_THREE_FRAME, 0.018, Sign.PLUS, RED_THREE_FRAME),
}
CORNER_WIDTH: Final = 0.4
"""Width of the corner, relative to the card's width; right of it a card may be plain paper."""

DECK_CORNERS: Final = {
    Deck.FOUR_COLOUR: CornerSizes(0.212, 0.078, (0.458, 0.325), 0.305, 0.625, below=False),
    Deck.CLASSIC: CornerSizes(0.19, 0.075, (0.325, 0.27), 0.235, 0.46, below=True),
}


@lru_cache(maxsize=8)
def card_face_image(card: Card, printing: CardPrinting, width: int, height: int, *, full: bool) -> Image.Image:
    """Return a card's face with square corners and no shadow; only `full` includes its middle."""
    kind = kind_of(card)
    stock = CARD_PAPERS.get(kind, PLAIN_PAPER)
    if kind == RED_THREE and printing.threes_against:
        stock = replace(stock, sign=Sign.MINUS)
    image = blank_card(width, height, stock.paper, stock.frame, stock.thick * width)
    if kind == JOKER:
        _draw_joker(image, DECK_CORNERS[printing.deck], width, full=full)
        return image
    _draw_corner(image, card, printing, stock)
    if full and printing.deck is Deck.CLASSIC:
        draw_classic_middle(image, card, printing.suits[suit_of(card)])
    elif full:
        mask = suit_mask(suit_of(card), round(0.5 * width))
        paint_mask_centred(image, mask, printing.suits[suit_of(card)], 0.67 * width, height - 0.58 * width)
    return image


def _draw_corner(image: Image.Image, card: Card, printing: CardPrinting, stock: CardPaper) -> None:
    """Draw rank and suit in the corner of a card, at most 0.39 of its width; special cards get a sign."""
    width, corner, suit = image.width, DECK_CORNERS[printing.deck], suit_of(card)
    ink, centre = printing.suits[suit], corner.centre * width
    mask = card_index_mask(rank_text(kind_of(card)), round(corner.rank[0] * width), round(corner.rank[1] * width))
    paint_mask_centred(image, mask, ink, centre, corner.top * width)
    if stock.sign is None or corner.below:
        paint_mask_centred(image, suit_mask(suit, round(corner.suit * width)), ink, centre, corner.suit_top * width)
    if stock.sign is None:
        return
    if corner.below:
        side = round(0.2 * width)
        paint_mask_centred(image, sign_mask(stock.sign, side, side), stock.sign_colour, centre, 0.735 * width)
        return
    side = round(0.172 * width)
    paint_mask_centred(image, suit_mask(suit, side), ink, 0.115 * width, 0.645 * width)
    paint_mask_centred(image, sign_mask(stock.sign, side, side), stock.sign_colour, 0.298 * width, 0.643 * width)


def _draw_joker(image: Image.Image, corner: CornerSizes, width: int, *, full: bool) -> None:
    """Draw star, word and crown, one below the other."""
    centre = corner.centre * width
    side = round(0.31 * width)
    paint_mask_centred(image, sign_mask(Sign.STAR, side, side), JOKER_STAR, centre, 0.075 * width)
    mask = card_index_mask("JOKER", round(0.115 * width), round(0.325 * width))
    paint_mask_centred(image, mask, JOKER_FRAME, centre, 0.435 * width)
    crown = sign_mask(Sign.CROWN, round(0.31 * width), round(0.25 * width))
    paint_mask_centred(image, crown, CROWN, centre, 0.63 * width)
    if full:
        big = sign_mask(Sign.CROWN, round(0.46 * width), round(0.39 * width))
        paint_mask_centred(image, big, CROWN, 0.68 * width, 0.87 * width)


@lru_cache(maxsize=112)
def hand_card_sprite(
    card: Card, printing: CardPrinting, size: tuple[int, int], shown: tuple[int, int], *, full: bool
) -> Sprite:
    """Return the part of a card in a hand that neither the rail nor the next card hides."""
    width, height = size
    face = card_face_image(card, printing, width, height, full=full)
    colours, mask = add_shadow(face, round_mask(width, height, RADIUS * width))
    right = SHADOW_REACH + shown[0] if shown[0] < width else colours.width
    part = (0, 0, right, SHADOW_REACH + shown[1])
    inset = SHADOW_REACH + round(RADIUS * width) // 3 + 1
    solid = (inset, inset, right if shown[0] < width else right - inset, part[3])
    plain = None if full or shown[0] == width else SHADOW_REACH + ceil(CORNER_WIDTH * width)
    return slice_sprite(colours.crop(part), mask.crop(part), solid, (SHADOW_REACH, SHADOW_REACH), plain_from=plain)


@lru_cache(maxsize=64)
def table_card_sprite(card: Card, printing: CardPrinting, width: int, height: int) -> Sprite:
    """Return a whole card on the table."""
    face = card_face_image(card, printing, width, height, full=True)
    return card_sprite(face, round_mask(width, height, RADIUS * width), round(RADIUS * width))


@lru_cache(maxsize=16)
def crosswise_card_sprite(card: Card, printing: CardPrinting, width: int, height: int) -> Sprite:
    """Return a card turned a quarter to the left; width and height are those after turning."""
    face = card_face_image(card, printing, height, width, full=True).transpose(Image.Transpose.ROTATE_90)
    return card_sprite(face, round_mask(width, height, RADIUS * height), round(RADIUS * height))


@lru_cache(maxsize=32)
def small_card_sprite(card: Card, printing: CardPrinting, width: int, height: int) -> Sprite:
    """Return a small card: its rank over its suit."""
    kind, suit = kind_of(card), suit_of(card)
    stock = CARD_PAPERS.get(kind, PLAIN_PAPER)
    image = blank_card(width, height, stock.paper, stock.frame, 1.4)
    mask = card_index_mask(rank_text(kind) or "J", round(0.5 * width), round(0.8 * width))
    paint_mask_centred(image, mask, printing.suits[suit], width / 2, 0.15 * width)
    paint_mask_centred(image, suit_mask(suit, round(0.52 * width)), printing.suits[suit], width / 2, 0.76 * width)
    return card_sprite(image, round_mask(width, height, RADIUS * width * 1.2), round(RADIUS * width * 1.2))


def card_back_image(width: int, height: int) -> Image.Image:
    """Return a card face down with square corners: a lattice of diamonds on dark red."""
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
    outline = blank_card(width, height, BACK, PAPER_EDGE, 1.0)
    face.paste(outline, (0, 0), Image.eval(outline.convert("L"), lambda level: 255 if level > 150 else 0))
    return face


@lru_cache(maxsize=8)
def card_back_sprite(width: int, height: int) -> Sprite:
    """Return a card face down, with its shadow."""
    return card_sprite(card_back_image(width, height), round_mask(width, height, RADIUS * width), round(RADIUS * width))
