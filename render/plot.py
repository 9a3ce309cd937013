"""Charts as placed things: a grid with its numbers, lines, and a band around one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from render.items import Area, Box, Ink, Item, Plate, Stroke, Style
from render.typeset import Ruler, text_at

AXIS: Final = Style(500, 11.5)
LINE: Final = 1.5
DOT: Final = 3.2

STEPS: Final = (5, 10, 20, 25, 50, 100, 200, 250, 500, 1_000, 2_000, 2_500, 5_000, 10_000, 20_000, 50_000)


def grid_step(low: int, high: int, most: int) -> int:
    """The smallest round step that needs at most that many lines."""
    return next((step for step in STEPS if (high - low) / step <= most), STEPS[-1])


@dataclass(frozen=True, slots=True)
class Plot:
    """A chart in a box: values from `low` to `high` upwards, `count` places from left to right."""

    box: Box
    low: int
    high: int
    count: int

    def at(self, place: int, value: float) -> tuple[float, float]:
        """Where a value stands."""
        share = place / (self.count - 1) if self.count > 1 else 1.0
        height = (value - self.low) / max(1, self.high - self.low)
        return self.box.left + share * self.box.width, self.box.bottom - height * self.box.height

    def grid(self, step: int, number: Callable[[int], str], left: float, ruler: Ruler) -> Iterator[Item]:
        """Lines across with their numbers, which end short of the chart."""
        value = -(-self.low // step) * step
        while value <= self.high:
            _, y = self.at(0, value)
            yield Plate(Box(self.box.left, y - 0.35, self.box.width, 0.7), 0, Ink.LINE)
            text = number(value)
            baseline = y + 0.36 * AXIS.size
            yield text_at(text, self.box.left - left, baseline, AXIS, Ink.FELT_SECONDARY, ruler=ruler, anchor="right")
            value += step

    def line(self, values: Sequence[float], ink: Ink) -> Stroke:
        """A line through the values, with a dot at its end."""
        points = tuple(self.at(place, value) for place, value in enumerate(values))
        return Stroke(points, _extent(points, DOT), LINE, ink, DOT)

    def band(self, lower: Sequence[float], upper: Sequence[float], ink: Ink) -> Area:
        """What lies between two lines."""
        points = [self.at(place, value) for place, value in enumerate(upper)]
        points += [self.at(place, value) for place, value in reversed(list(enumerate(lower)))]
        return Area(tuple(points), _extent(points, 0.0), ink)


def _extent(points: Sequence[tuple[float, float]], reach: float) -> Box:
    left, top = min(x for x, _ in points) - reach, min(y for _, y in points) - reach
    right, bottom = max(x for x, _ in points) + reach, max(y for _, y in points) + reach
    return Box(left, top, right - left, bottom - top)


def lines_box(points: Sequence[tuple[float, float]]) -> Box:
    """The box around a line of connections."""
    return _extent(points, 0.6)
