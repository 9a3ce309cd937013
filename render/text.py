"""Fonts: how wide text is, and text as masks. Basic layout only, so that pixels do not depend on the host."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from render.items import Style

SCALE: Final = 3
"""Pixels a unit."""

FONTS: Final = {500: "Inter-Medium", 600: "Inter-SemiBold", 700: "Inter-Bold", 800: "Inter-ExtraBold"}
INDEX_FONT: Final = "BarlowCondensed-Bold"


@lru_cache(maxsize=8)
def _font_data(name: str) -> bytes:
    return files("render").joinpath(f"assets/fonts/{name}.ttf").read_bytes()


@lru_cache(maxsize=96)
def font(name: str, size: float) -> ImageFont.FreeTypeFont:
    """The font in that size in pixels."""
    return ImageFont.truetype(BytesIO(_font_data(name)), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=8192)
def _width(text: str, weight: int, size: float) -> float:
    return font(FONTS[weight], round(size * SCALE, 1)).getlength(text) / SCALE


class FontRuler:
    """Measures text with the fonts it is drawn with."""

    def width(self, text: str, style: Style) -> float:
        """The width in units."""
        return _width(text, style.weight, style.size)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text as a mask, and where it goes seen from the start of the line."""

    mask: Image.Image
    left: int
    top: int


@lru_cache(maxsize=1024)
def line_mask(text: str, weight: int, size: float) -> Line:
    """The line of text in that size in units."""
    return _mask(text, font(FONTS[weight], round(size * SCALE, 1)))


def _mask(text: str, face: ImageFont.FreeTypeFont) -> Line:
    left, top, right, bottom = (round(edge) for edge in face.getbbox(text, anchor="ls"))
    mask = Image.new("L", (max(1, right - left), max(1, bottom - top)))
    ImageDraw.Draw(mask).text((-left, -top), text, fill=255, font=face, anchor="ls")
    return Line(mask, left, top)


@lru_cache(maxsize=256)
def index_mask(text: str, height: int, widest: int) -> Image.Image:
    """Card index letters, their capitals that high in pixels, pressed together where they are wider than allowed."""
    large = 4
    face = font(INDEX_FONT, height * large / 0.7)
    drawn = _mask(text, face).mask
    width = min(widest, round(drawn.width / large))
    return drawn.resize((max(1, width), max(1, round(drawn.height / large))), Image.Resampling.BOX)
