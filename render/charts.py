"""Lines and areas of charts and brackets: drawn larger in their own box, reduced, so that edges are smooth."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, floor
from typing import Final

from PIL import Image, ImageDraw

from render.sprites import tint
from render.theme import Colour

LARGE: Final = 3
"""Drawn that many times larger and then reduced."""

Points = Sequence[tuple[float, float]]


def paint_stroke(canvas: Image.Image, points: Points, colour: Colour, width: float, dot: float) -> None:
    """A line from point to point with round joints, in pixels; a dot of that radius at its end."""
    if _straight(points) and not dot:
        _paint_bars(canvas, points, colour, width)
        return
    reach = max(width / 2, dot) + 1
    left, top, size = _place(points, reach)
    mask = Image.new("L", (size[0] * LARGE, size[1] * LARGE))
    pen = ImageDraw.Draw(mask)
    line = [((x - left) * LARGE, (y - top) * LARGE) for x, y in points]
    pen.line(line, fill=255, width=round(width * LARGE))
    for x, y in line:
        _disc(pen, x, y, width * LARGE / 2)
    if dot:
        _disc(pen, *line[-1], dot * LARGE)
    tint(canvas, colour, (left, top), mask.reduce(LARGE))


def paint_area(canvas: Image.Image, points: Points, colour: Colour) -> None:
    """A filled shape, in pixels."""
    left, top, size = _place(points, 1)
    mask = Image.new("L", (size[0] * LARGE, size[1] * LARGE))
    ImageDraw.Draw(mask).polygon([((x - left) * LARGE, (y - top) * LARGE) for x, y in points], fill=255)
    tint(canvas, colour, (left, top), mask.reduce(LARGE))


def _straight(points: Points) -> bool:
    """Whether every part runs along the edges of the picture."""
    return all(abs(x0 - x1) < 0.01 or abs(y0 - y1) < 0.01 for (x0, y0), (x1, y1) in pairwise(points))


def _paint_bars(canvas: Image.Image, points: Points, colour: Colour, width: float) -> None:
    half, thick = width / 2, max(1, round(width))
    for (x0, y0), (x1, y1) in pairwise(points):
        left, top = round(min(x0, x1) - half), round(min(y0, y1) - half)
        right, bottom = left + round(abs(x1 - x0)) + thick, top + round(abs(y1 - y0)) + thick
        canvas.paste(colour, (left, top, right, bottom))


def _disc(pen: ImageDraw.ImageDraw, x: float, y: float, radius: float) -> None:
    pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)


def _place(points: Points, reach: float) -> tuple[int, int, tuple[int, int]]:
    """The upper left corner of what is drawn on, and its size."""
    left, top = floor(min(x for x, _ in points) - reach), floor(min(y for _, y in points) - reach)
    right, bottom = ceil(max(x for x, _ in points) + reach), ceil(max(y for _, y in points) + reach)
    return left, top, (max(1, right - left), max(1, bottom - top))
