"""The middle of classic faces: pips in their customary places, and courts of our own.

A court is a framed panel, the same upside down: a king's crown, a queen's coronet with pearls, a knave's cap with a
feather, and the suit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from PIL import Image, ImageDraw

from bot.engine.cards.cards import (
    ACE,
    BLACK_THREE,
    EIGHT,
    FIVE,
    FOUR,
    JACK,
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
from render.polygons import Pen, curve, drawn, mirrored, suit_mask
from render.sprites import stack_on
from render.theme import COURT_PAPER, CROWN, Colour

LEFT, MIDDLE, RIGHT = 0.5, 0.68, 0.86
"""Columns of pips, of the width: the corner stays free."""

TOP, BOTTOM = 0.14, 0.86
"""First and last row of pips, of the height."""

THIRD: Final = (BOTTOM - TOP) / 3
HALF: Final = (TOP + BOTTOM) / 2

FOUR_ROWS: Final = tuple((x, TOP + THIRD * row) for row in range(4) for x in (LEFT, RIGHT))
THREE_ROWS: Final = tuple((x, y) for y in (TOP, HALF, BOTTOM) for x in (LEFT, RIGHT))
CORNERS: Final = tuple((x, y) for y in (TOP, BOTTOM) for x in (LEFT, RIGHT))
THREE: Final = ((MIDDLE, TOP), (MIDDLE, HALF), (MIDDLE, BOTTOM))

PIPS: Final[Mapping[Kind, tuple[tuple[float, float], ...]]] = {
    TWO: ((MIDDLE, TOP), (MIDDLE, BOTTOM)),
    BLACK_THREE: THREE,
    RED_THREE: THREE,
    FOUR: CORNERS,
    FIVE: (*CORNERS, (MIDDLE, HALF)),
    SIX: THREE_ROWS,
    SEVEN: (*THREE_ROWS, (MIDDLE, (TOP + HALF) / 2)),
    EIGHT: (*THREE_ROWS, (MIDDLE, (TOP + HALF) / 2), (MIDDLE, (BOTTOM + HALF) / 2)),
    NINE: (*FOUR_ROWS, (MIDDLE, HALF)),
    TEN: (*FOUR_ROWS, (MIDDLE, TOP + THIRD / 2), (MIDDLE, BOTTOM - THIRD / 2)),
}
PIP: Final = 0.185
"""Of the width."""

PANEL: Final = (0.42, 0.075, 0.94, 0.925)
"""The frame of a court, of width and height."""


def classic_middle(image: Image.Image, card: Card, ink: Colour) -> None:
    """Draw what stands beyond the corner of the card."""
    kind = kind_of(card)
    if kind == ACE:
        mask = suit_mask(suit_of(card), round(0.5 * image.width))
        stack_on(image, mask, ink, MIDDLE * image.width, HALF * image.height - mask.height / 2)
    elif kind in COURTS:
        _court(image, card, ink)
    else:
        _pips(image, card, ink)


def _pips(image: Image.Image, card: Card, ink: Colour) -> None:
    """Pips below the middle stand on their head."""
    width, height = image.size
    mask = suit_mask(suit_of(card), round(PIP * width))
    turned = mask.transpose(Image.Transpose.ROTATE_180)
    for x, y in PIPS[kind_of(card)]:
        pip = turned if y > HALF + 0.01 else mask
        stack_on(image, pip, ink, x * width, y * height - pip.height / 2)


def _court(image: Image.Image, card: Card, ink: Colour) -> None:
    """The panel, its upper half drawn once and turned for the lower one."""
    left, top = round(PANEL[0] * image.width), round(PANEL[1] * image.height)
    width, height = round(PANEL[2] * image.width) - left, round(PANEL[3] * image.height) - top
    half = Image.new("RGB", (width, (height + 1) // 2), COURT_PAPER)
    head = drawn(COURTS[kind_of(card)], round(0.72 * width), round(0.5 * width))
    stack_on(half, head, CROWN, width / 2, 0.08 * width)
    mask = suit_mask(suit_of(card), round(0.46 * width))
    stack_on(half, mask, ink, width / 2, half.height - 0.52 * width)
    panel = Image.new("RGB", (width, height), COURT_PAPER)
    panel.paste(half.transpose(Image.Transpose.ROTATE_180), (0, height - half.height))
    panel.paste(half, (0, 0))
    draw = ImageDraw.Draw(panel)
    thin = max(1, round(0.012 * image.width))
    draw.rectangle((0, 0, width - 1, height - 1), outline=ink, width=thin)
    draw.line((0, height // 2, width, height // 2), fill=ink, width=thin)
    image.paste(panel, (left, top))


def _king(pen: Pen) -> None:
    """Five points, the middle one with a cross."""
    pen.fill([
        (0.12, 0.98), (0.02, 0.42), (0.24, 0.66), (0.32, 0.30), (0.5, 0.60),
        (0.68, 0.30), (0.76, 0.66), (0.98, 0.42), (0.88, 0.98),
    ])  # fmt: skip
    pen.bar((0.465, 0.02, 0.535, 0.5))
    pen.bar((0.38, 0.14, 0.62, 0.26))
    pen.fill([(0.13, 0.82), (0.87, 0.82), (0.865, 0.87), (0.135, 0.87)], value=0)


def _queen(pen: Pen) -> None:
    """Round bows with pearls."""
    bows = curve([(0.1, 0.98), (0.06, 0.7), (0.02, 0.5), (0.06, 0.34)])
    pen.fill(mirrored([*bows, *curve([(0.06, 0.34), (0.2, 0.62), (0.28, 0.62), (0.3, 0.24)]),
                       *curve([(0.3, 0.24), (0.38, 0.56), (0.44, 0.56), (0.5, 0.2)])]))  # fmt: skip
    for x, y in ((0.06, 0.26), (0.3, 0.16), (0.5, 0.11), (0.7, 0.16), (0.94, 0.26)):
        pen.disc(x, y, 0.062)
    pen.fill([(0.12, 0.82), (0.88, 0.82), (0.876, 0.87), (0.124, 0.87)], value=0)


def _jack(pen: Pen) -> None:
    """A flat cap with a feather."""
    pen.fill(curve([(0.06, 0.72), (0.1, 0.38), (0.4, 0.3), (0.62, 0.38), (0.82, 0.44), (0.9, 0.6), (0.92, 0.72)]))
    pen.bar((0.06, 0.78, 0.94, 0.98), 0.06)
    pen.fill(curve([
        (0.6, 0.62), (0.62, 0.3), (0.8, 0.06), (1.0, 0.02), (0.98, 0.24), (0.9, 0.46), (0.66, 0.66),
    ]))  # fmt: skip
    pen.fill([(0.62, 0.6), (0.9, 0.14), (0.92, 0.15), (0.65, 0.62)], value=0)


COURTS: Final[Mapping[Kind, Callable[[Pen], None]]] = {KING: _king, QUEEN: _queen, JACK: _jack}
