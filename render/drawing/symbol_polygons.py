"""Suits and symbols as polygons in a unit square; drawn large and reduced for smooth edges."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import cos, pi, sin
from typing import Final, TypeAlias

from PIL import Image, ImageDraw

from bot.engine.cards.cards import CLUBS, DIAMONDS, HEARTS, SPADES, Suit
from render.layout_items import Sign

Point: TypeAlias = tuple[float, float]

SCALE: Final = 4
"""Shapes are drawn this many times larger and then reduced."""


def curve_points(points: Sequence[Point], steps: int = 24) -> list[Point]:
    """Return points along cubic curves: a start, then for each curve two handles and its end."""
    line = [points[0]]
    for place in range(1, len(points), 3):
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = line[-1], *points[place : place + 3]
        for step in range(1, steps + 1):
            t = step / steps
            a, b, c, d = (1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3
            line.append((a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3))
    return line


def with_mirror_image(half: Sequence[Point]) -> list[Point]:
    """Return the line followed by its mirror image."""
    return [*half, *((1 - x, y) for x, y in reversed(half))]


class Pen:
    """Draws on a mask shapes whose coordinates are in the unit square."""

    def __init__(self, width: int, height: int) -> None:
        self.size = (width * SCALE, height * SCALE)
        self.mask = Image.new("L", self.size)
        self.draw = ImageDraw.Draw(self.mask)

    def fill_polygon(self, points: Sequence[Point], *, value: int = 255) -> None:
        """Fill a polygon."""
        self.draw.polygon([(x * self.size[0], y * self.size[1]) for x, y in points], fill=value)

    def fill_disc(self, x: float, y: float, radius: float, *, value: int = 255) -> None:
        """Fill a circle."""
        width, height = self.size
        box = ((x - radius) * width, (y - radius) * height, (x + radius) * width, (y + radius) * height)
        self.draw.ellipse(box, fill=value)

    def fill_bar(self, box: tuple[float, float, float, float], radius: float = 0.0, *, value: int = 255) -> None:
        """Fill a rectangle, with round corners if `radius` is positive."""
        width, height = self.size
        scaled_to_width = (box[0] * width, box[1] * height, box[2] * width - 1, box[3] * height - 1)
        self.draw.rounded_rectangle(scaled_to_width, radius * width, fill=value)

    def reduced_mask(self) -> Image.Image:
        """Return the mask reduced from its drawing size to its final size."""
        return self.mask.reduce(SCALE)


def _draw_spade(pen: Pen) -> None:
    half = curve_points([
        (0.5, 0.0), (0.44, 0.16), (0.06, 0.34), (0.06, 0.58),
        (0.06, 0.72), (0.15, 0.81), (0.27, 0.81), (0.36, 0.81), (0.43, 0.77), (0.475, 0.70),
    ])  # fmt: skip
    pen.fill_polygon(with_mirror_image(half))
    pen.fill_polygon(
        with_mirror_image(
            curve_points([(0.5, 0.55), (0.5, 0.80), (0.44, 0.95), (0.28, 0.985), (0.28, 1.0), (0.3, 1.0), (0.5, 1.0)])
        )
    )


def _draw_heart(pen: Pen) -> None:
    half = curve_points([
        (0.5, 0.97), (0.42, 0.82), (0.03, 0.60), (0.03, 0.31),
        (0.03, 0.15), (0.14, 0.05), (0.27, 0.05), (0.38, 0.05), (0.46, 0.11), (0.5, 0.21),
    ])  # fmt: skip
    pen.fill_polygon(with_mirror_image(half))


def _draw_diamond(pen: Pen) -> None:
    pen.fill_polygon(
        with_mirror_image(
            curve_points([(0.5, 0.0), (0.42, 0.17), (0.25, 0.38), (0.12, 0.5), (0.25, 0.62), (0.42, 0.83), (0.5, 1.0)])
        )
    )


def _draw_club(pen: Pen) -> None:
    for x, y in ((0.5, 0.25), (0.255, 0.575), (0.745, 0.575)):
        pen.fill_disc(x, y, 0.235)
    pen.fill_polygon([(0.40, 0.40), (0.60, 0.40), (0.62, 0.62), (0.38, 0.62)])
    pen.fill_polygon(
        with_mirror_image(
            curve_points([(0.5, 0.45), (0.5, 0.78), (0.44, 0.95), (0.28, 0.985), (0.28, 1.0), (0.3, 1.0), (0.5, 1.0)])
        )
    )


def star_points(x: float = 0.5, y: float = 0.53, outer: float = 0.53, inner: float = 0.215) -> list[Point]:
    """Return the corners of a five-pointed star."""
    radii = (outer, inner)
    return [(x + radii[n % 2] * sin(n * pi / 5), y - radii[n % 2] * cos(n * pi / 5)) for n in range(10)]


def _draw_star(pen: Pen) -> None:
    pen.fill_polygon(star_points())


def _draw_crown(pen: Pen) -> None:
    pen.fill_polygon([(0.10, 0.98), (0.03, 0.30), (0.29, 0.56), (0.5, 0.14), (0.71, 0.56), (0.97, 0.30), (0.90, 0.98)])
    for x, y in ((0.07, 0.26), (0.5, 0.10), (0.93, 0.26)):
        pen.fill_disc(x, y, 0.075)
    pen.fill_polygon([(0.10, 0.84), (0.90, 0.84), (0.893, 0.88), (0.107, 0.88)], value=0)


def _draw_snowflake(pen: Pen) -> None:
    def draw_stroke(x0: float, y0: float, x1: float, y1: float, width: float = 0.075) -> None:
        length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
        dx, dy = -(y1 - y0) / length * width / 2, (x1 - x0) / length * width / 2
        pen.fill_polygon([(x0 + dx, y0 + dy), (x1 + dx, y1 + dy), (x1 - dx, y1 - dy), (x0 - dx, y0 - dy)])

    for arm in range(6):
        angle = arm * pi / 3
        x, y = sin(angle), -cos(angle)
        draw_stroke(0.5, 0.5, 0.5 + 0.49 * x, 0.5 + 0.49 * y)
        for side in (-1, 1):
            turn = angle + side * pi / 4
            root = 0.27
            draw_stroke(
                0.5 + root * x, 0.5 + root * y, 0.5 + root * x + 0.19 * sin(turn), 0.5 + root * y - 0.19 * cos(turn)
            )


def _draw_cards(pen: Pen) -> None:
    pen.fill_bar((0.34, 0.02, 0.98, 0.86), 0.12)
    pen.fill_bar((0.02, 0.12, 0.74, 1.0), 0.12, value=0)
    pen.fill_bar((0.06, 0.17, 0.68, 1.0), 0.11)


def _draw_arrow(pen: Pen) -> None:
    pen.fill_polygon([(0.0, 0.0), (1.0, 0.5), (0.0, 1.0)])


def _draw_tick(pen: Pen) -> None:
    pen.fill_polygon([(0.04, 0.55), (0.18, 0.41), (0.39, 0.62), (0.82, 0.13), (0.97, 0.27), (0.40, 0.90)])


def _draw_stop_sign(pen: Pen) -> None:
    pen.fill_disc(0.5, 0.5, 0.48)
    pen.fill_bar((0.2, 0.39, 0.8, 0.61), 0.04, value=0)


def _draw_plus(pen: Pen) -> None:
    pen.fill_bar((0.37, 0.06, 0.63, 0.94), 0.05)
    pen.fill_bar((0.06, 0.37, 0.94, 0.63), 0.05)


def _draw_minus(pen: Pen) -> None:
    pen.fill_bar((0.06, 0.37, 0.94, 0.63), 0.05)


def _draw_clock(pen: Pen) -> None:
    pen.fill_disc(0.5, 0.5, 0.48)
    pen.fill_disc(0.5, 0.5, 0.36, value=0)
    pen.fill_bar((0.445, 0.2, 0.555, 0.56), 0.05)
    pen.fill_bar((0.445, 0.455, 0.74, 0.565), 0.05)


def _draw_dealer_button(pen: Pen) -> None:
    """Draw a button with a D."""
    pen.fill_disc(0.5, 0.5, 0.49)
    for inset, value in ((0.0, 0), (0.1, 255)):
        bow = [(0.48 + (0.25 - inset) * sin(n * pi / 12), 0.5 - (0.28 - inset) * cos(n * pi / 12)) for n in range(13)]
        pen.fill_polygon([(0.33 + inset, 0.22 + inset), *bow, (0.33 + inset, 0.78 - inset)], value=value)


Drawing: TypeAlias = Callable[[Pen], None]

SUITS: Final[Mapping[Suit, Drawing]] = {
    SPADES: _draw_spade,
    HEARTS: _draw_heart,
    DIAMONDS: _draw_diamond,
    CLUBS: _draw_club,
}
SIGNS: Final[Mapping[Sign, Drawing]] = {
    Sign.STAR: _draw_star,
    Sign.CROWN: _draw_crown,
    Sign.SNOWFLAKE: _draw_snowflake,
    Sign.CARDS: _draw_cards,
    Sign.ARROW: _draw_arrow,
    Sign.TICK: _draw_tick,
    Sign.STOP: _draw_stop_sign,
    Sign.PLUS: _draw_plus,
    Sign.MINUS: _draw_minus,
    Sign.CLOCK: _draw_clock,
    Sign.DEALER: _draw_dealer_button,
}


def draw_mask(drawing: Drawing, width: int, height: int) -> Image.Image:
    """Return what `drawing` draws as a mask of that size."""
    pen = Pen(max(1, width), max(1, height))
    drawing(pen)
    return pen.reduced_mask()


@lru_cache(maxsize=128)
def suit_mask(suit: Suit, size: int) -> Image.Image:
    """Return a square mask in the shape of the suit."""
    return draw_mask(SUITS[suit], size, size)


@lru_cache(maxsize=128)
def sign_mask(sign: Sign, width: int, height: int) -> Image.Image:
    """Return a mask of that size in the shape of the symbol."""
    return draw_mask(SIGNS[sign], width, height)
