"""Measures text and draws it as masks.

Only basic text layout is used, so that the pixels are the same on every host.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from itertools import groupby
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from bot.engine.cards.cards import CLUBS, DIAMONDS, HEARTS, SPADES, Suit
from render.colour_themes import PIXELS
from render.drawable_names import is_drawable
from render.drawing.fallback_fonts import EMOJI_SIZE, FallbackFont, Fallbacks, font_for, installed_fonts
from render.drawing.symbol_polygons import suit_mask
from render.layout_items import WIDTH, Style

FONTS: Final = {500: "Inter-Medium", 600: "Inter-SemiBold", 700: "Inter-Bold", 800: "Inter-ExtraBold"}
INDEX_FONT: Final = "BarlowCondensed-Bold"

EMOJI_HEIGHT: Final = 1.1
"""Height of an emoji, relative to the text size."""

SUITS: Final[Mapping[str, Suit]] = {"♠": SPADES, "♥": HEARTS, "♦": DIAMONDS, "♣": CLUBS}
"""Characters that are drawn as card suits, in the colour of the text."""

SUIT_SIDE: Final = 0.76
SUIT_WIDTH: Final = 0.84
"""Width of a suit, and of a suit with space around it, relative to the text size."""


@lru_cache(maxsize=8)
def _font_data(name: str) -> bytes:
    """Return the bytes of one of our font files."""
    return files("render").joinpath(f"assets/fonts/{name}.ttf").read_bytes()


@lru_cache(maxsize=96)
def load_font(name: str, size: float) -> ImageFont.FreeTypeFont:
    """Return one of our fonts in that size in pixels."""
    return ImageFont.truetype(BytesIO(_font_data(name)), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=16)
def _load_host_font(path: str, size: float) -> ImageFont.FreeTypeFont:
    """Return a font of the host in that size in pixels."""
    return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)


@dataclass(frozen=True, slots=True)
class _FontRun:
    """Characters drawn by one font (None: the picture's own), or suits, which are drawn as polygons."""

    text: str
    fallback: FallbackFont | None
    suits: bool = False


@lru_cache(maxsize=1024)
def _split_by_font(text: str, fallbacks: Fallbacks) -> tuple[_FontRun, ...]:
    """Return the text in runs of characters that the same font draws."""
    if text.isascii():
        return (_FontRun(text, None),)

    def font_for_character(character: str) -> tuple[FallbackFont | None, bool]:
        if character in SUITS or is_drawable(character):
            return None, character in SUITS
        return font_for(character, fallbacks), False

    groups = groupby(text, key=font_for_character)
    return tuple(_FontRun("".join(characters), fallback, suits) for (fallback, suits), characters in groups)


def _run_width(run: _FontRun, weight: int, size: float) -> float:
    """Return the width of a run in pixels."""
    if run.suits:
        return len(run.text) * size * SUIT_WIDTH
    if run.fallback is None:
        return load_font(FONTS[weight], size).getlength(run.text)
    if run.fallback.colour:
        return len(run.text) * size * EMOJI_HEIGHT * 1.1
    return _load_host_font(run.fallback.path, size).getlength(run.text)


@lru_cache(maxsize=8192)
def _text_width(text: str, weight: int, size: float, fallbacks: Fallbacks) -> float:
    """Return the width of a text in pixels."""
    return sum(_run_width(run, weight, size) for run in _split_by_font(text, fallbacks))


class FontRuler:
    """Measures text with the fonts that draw it; `width` is the width of the whole picture in units."""

    def __init__(self, fallbacks: Fallbacks = (), width: float = WIDTH) -> None:
        self._fallbacks = fallbacks
        self._scale = PIXELS / width

    def width(self, text: str, style: Style) -> float:
        """Return the width of a text in units."""
        return _text_width(text, style.weight, round(style.size * self._scale, 1), self._fallbacks) / self._scale

    def can_draw(self, character: str) -> bool:
        """Return whether the character can be drawn."""
        return character in SUITS or is_drawable(character) or font_for(character, self._fallbacks) is not None

    def scaled_to_width(self, width: float) -> FontRuler:
        """Return a ruler with these fonts for pictures of another width in units."""
        return FontRuler(self._fallbacks, width)


@dataclass(frozen=True, slots=True)
class ColouredInlay:
    """A coloured character in a line, with its position relative to the start of the line."""

    image: Image.Image
    left: int
    top: int


@dataclass(frozen=True, slots=True)
class LineMask:
    """A line of text as a mask, and its position relative to the start of the line."""

    mask: Image.Image
    left: int
    top: int
    inlays: tuple[ColouredInlay, ...] = ()


@lru_cache(maxsize=1024)
def text_line_mask(text: str, weight: int, size: float) -> LineMask:
    """Return a line of text in that font size (pixels), with the host's fonts as fallbacks; cached."""
    return draw_text_line(text, weight, size, installed_fonts())


def draw_text_line(text: str, weight: int, size: float, fallbacks: tuple[FallbackFont, ...]) -> LineMask:
    """Return a line of text, drawn in that size in pixels.

    `fallbacks` draw the characters that the picture's own fonts lack.
    """
    runs = _split_by_font(text, fallbacks)
    if len(runs) == 1 and runs[0].fallback is None and not runs[0].suits:
        return _text_mask(text, load_font(FONTS[weight], size))
    return _draw_runs_in_line(runs, weight, size)


def _text_mask(text: str, face: ImageFont.FreeTypeFont) -> LineMask:
    """Return the text drawn in one font."""
    left, top, right, bottom = (round(edge) for edge in face.getbbox(text, anchor="ls"))
    mask = Image.new("L", (max(1, right - left), max(1, bottom - top)))
    ImageDraw.Draw(mask).text((-left, -top), text, fill=255, font=face, anchor="ls")
    return LineMask(mask, left, top)


def _draw_runs_in_line(runs: tuple[_FontRun, ...], weight: int, size: float) -> LineMask:
    """Return one line with the runs of several fonts drawn one after another."""
    up, down = round(1.3 * size), round(0.5 * size)
    mask = Image.new("L", (round(sum(_run_width(run, weight, size) for run in runs)) + 2, up + down))
    inlays: list[ColouredInlay] = []
    x = 0.0
    for run in runs:
        if run.suits:
            _draw_suits(mask, run, x, up, size)
        elif run.fallback is not None and run.fallback.colour:
            inlays += _coloured_characters(run, run.fallback, x, size)
        else:
            face = load_font(FONTS[weight], size) if run.fallback is None else _load_host_font(run.fallback.path, size)
            ImageDraw.Draw(mask).text((round(x), up), run.text, fill=255, font=face, anchor="ls")
        x += _run_width(run, weight, size)
    return LineMask(mask, 0, -up, tuple(inlays))


def _draw_suits(mask: Image.Image, run: _FontRun, x: float, baseline: int, size: float) -> None:
    """Draw suits as high as capitals and slightly below the line."""
    side, step = round(size * SUIT_SIDE), size * SUIT_WIDTH
    for place, character in enumerate(run.text):
        left = round(x + place * step + (step - side) / 2)
        mask.paste(suit_mask(SUITS[character], side), (left, baseline - side + round(0.015 * size)))


def _coloured_characters(run: _FontRun, fallback: FallbackFont, x: float, size: float) -> Iterator[ColouredInlay]:
    """Yield images of the run's coloured characters, reduced from the only size that their font has."""
    side = round(size * EMOJI_HEIGHT)
    for place, character in enumerate(run.text):
        large = Image.new("RGBA", (160, 160))
        face = _load_host_font(fallback.path, EMOJI_SIZE)
        ImageDraw.Draw(large).text((80, 80), character, font=face, embedded_color=True, anchor="mm")
        extent = large.getbbox()
        if extent is None:
            continue
        drawn = large.crop(extent)
        drawn.thumbnail((side, side), Image.Resampling.LANCZOS)
        left = x + (place + 0.5) * side * 1.1 - drawn.width / 2
        yield ColouredInlay(drawn, round(left), -round(size * 0.36 + drawn.height / 2))


@lru_cache(maxsize=256)
def card_index_mask(text: str, height: int, widest: int) -> Image.Image:
    """Return a mask of the rank in a card's corner (its index), with capitals of that height.

    They are narrowed if they are wider than `widest`.
    """
    large = 4
    face = load_font(INDEX_FONT, height * large / 0.7)
    drawn = _text_mask(text, face).mask
    width = min(widest, round(drawn.width / large))
    return drawn.resize((max(1, width), max(1, round(drawn.height / large))), Image.Resampling.BOX)
