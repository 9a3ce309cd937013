"""Cards and signs as emojis of 128 by 128 pixels: PNG files by name.

A name is `c` and the card's code (`cKs`, `cTh`, `cJK`), or the sign, then `_` and four hexadecimal digits of a hash of
its pixels, so that an emoji is uploaded again only if it looks different.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import blake2b
from io import BytesIO
from types import MappingProxyType
from typing import Final

from PIL import Image, ImageDraw

from bot.engine.cards.cards import (
    BLACK_THREE,
    CLUBS,
    DIAMONDS,
    HEARTS,
    JOKER,
    RANK_LETTERS,
    RED_THREE,
    SPADES,
    SUIT_LETTERS,
    Card,
    card_of,
    kind_of,
    suit_of,
)
from render.colour_themes import DARK, JOKER_FRAME, JOKER_STAR, Colour, parse_colour
from render.drawing.card_faces import CARD_PAPERS, PLAIN_PAPER, card_back_image
from render.drawing.card_sprites import paint_mask_centred, paint_through_mask, round_mask
from render.drawing.fonts import card_index_mask
from render.drawing.symbol_polygons import SCALE, sign_mask, suit_mask
from render.layout_items import Sign
from render.picture_words import rank_text

SIDE: Final = 128
CARD: Final = (104, 128)
"""Width and height of a card."""

EDGE: Final = 5
CORNER: Final = 15
OUTLINE: Final = parse_colour("#8A918D")
"""Visible on dark and on light backgrounds."""

SIGNS: Final[Mapping[str, tuple[Sign, Colour, Colour]]] = {
    "wild": (Sign.STAR, parse_colour("#C98A14"), parse_colour("#FFF3D0")),
    "frozen": (Sign.SNOWFLAKE, parse_colour("#FFFFFF"), parse_colour("#1E5C8C")),
    "canasta": (Sign.CROWN, parse_colour("#FFC83D"), parse_colour("#16191F")),
    "turn": (Sign.ARROW, parse_colour("#1C1404"), parse_colour("#FFC83D")),
    "clock": (Sign.CLOCK, parse_colour("#F4F8F5"), parse_colour("#34584A")),
}
"""Signs with their colours: the sign and its background."""


def card_code(card: Card) -> str:
    """Return the code of a card in emoji names: `Ks`, `Th`, `JK`."""
    kind = kind_of(card)
    return "JK" if kind == JOKER else RANK_LETTERS[kind] + SUIT_LETTERS[suit_of(card)]


@cache
def draw_emojis() -> Mapping[str, bytes]:
    """Return all emojis as PNG files by name.

    The first call takes milliseconds, so run it in a thread.
    """
    return MappingProxyType({_emoji_name(stem, image): _png_bytes(image) for stem, image in _emoji_images()})


def emoji_stem(name: str) -> str:
    """Return an emoji's name without the hash of its pixels: `cKs` of `cKs_1a2b`."""
    return name.rpartition("_")[0]


def _emoji_images() -> Iterator[tuple[str, Image.Image]]:
    """Yield every emoji with its name."""
    for card in _distinct_cards():
        yield f"c{card_code(card)}", card_emoji(card)
    yield "cback", _round_corners(card_back_image(*CARD))
    for name, (sign, ink, ground) in SIGNS.items():
        yield f"sign_{name}", sign_emoji(sign, ink, ground)


def _distinct_cards() -> list[Card]:
    """Return one card of each rank and suit, and one joker."""
    cards = {card_of(kind, suit) for kind in range(RED_THREE + 1) for suit in range(4)}
    return sorted(card for card in cards if _is_existing_card(card))


def _is_existing_card(card: Card) -> bool:
    """Return whether there is such a card.

    Black threes are spades and clubs, red threes hearts and diamonds.
    """
    if kind_of(card) == RED_THREE:
        return suit_of(card) in (HEARTS, DIAMONDS)
    return kind_of(card) != BLACK_THREE or suit_of(card) in (SPADES, CLUBS)


def card_emoji(card: Card) -> Image.Image:
    """Return the image of a card: rank over suit, as large as possible."""
    width, height = CARD
    stock = CARD_PAPERS.get(kind_of(card), PLAIN_PAPER)
    large = Image.new("RGB", (width * SCALE, height * SCALE), OUTLINE if stock is PLAIN_PAPER else stock.frame)
    inner = (EDGE * SCALE, EDGE * SCALE, (width - EDGE) * SCALE - 1, (height - EDGE) * SCALE - 1)
    ImageDraw.Draw(large).rounded_rectangle(inner, (CORNER - EDGE) * SCALE, fill=stock.paper)
    face = large.reduce(SCALE)
    if kind_of(card) == JOKER:
        paint_mask_centred(face, sign_mask(Sign.STAR, 66, 66), JOKER_STAR, width / 2, 12)
        paint_mask_centred(face, card_index_mask("JOKER", 32, 84), JOKER_FRAME, width / 2, 84)
        return _round_corners(face)
    ink = DARK.suits[suit_of(card)]
    paint_mask_centred(face, card_index_mask(rank_text(kind_of(card)), 62, 78), ink, width / 2, 12)
    if stock.sign is None:
        paint_mask_centred(face, suit_mask(suit_of(card), 42), ink, width / 2, 79)
    else:
        paint_mask_centred(face, suit_mask(suit_of(card), 38), ink, 0.3 * width, 80)
        paint_mask_centred(face, sign_mask(stock.sign, 34, 34), stock.sign_colour, 0.7 * width, 82)
    return _round_corners(face)


def sign_emoji(sign: Sign, ink: Colour, ground: Colour) -> Image.Image:
    """Return the image of a sign on a disc."""
    face = Image.new("RGB", (SIDE, SIDE), ground)
    wide, high = (70, 76) if sign is Sign.ARROW else (84, 68) if sign is Sign.CROWN else (84, 84)
    left = (SIDE - wide) // 2 + (8 if sign is Sign.ARROW else 0)
    paint_through_mask(face, ink, (left, (SIDE - high) // 2), sign_mask(sign, wide, high))
    face.putalpha(round_mask(SIDE, SIDE, SIDE / 2))
    return face


def _round_corners(face: Image.Image) -> Image.Image:
    """Return the card with round corners, centred on a transparent square."""
    image = Image.new("RGBA", (SIDE, SIDE))
    image.paste(face, ((SIDE - face.width) // 2, 0), round_mask(*face.size, CORNER))
    return image


def _emoji_name(stem: str, image: Image.Image) -> str:
    """Return the name of an emoji: its stem and a hash of its pixels."""
    return f"{stem}_{blake2b(image.tobytes(), digest_size=2).hexdigest()}"


def _png_bytes(image: Image.Image) -> bytes:
    """Return an image as a PNG file."""
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()
