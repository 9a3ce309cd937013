"""How a rating went: a line with a band of how unsure it was."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from render.inputs import RatingPicture
from render.items import Box, Ink, Item, Layout, Style
from render.plot import AXIS, Plot, grid_step
from render.typeset import Ruler, fit, text_at

HEIGHT: Final = 226.0
TITLE: Final = Style(800, 16.5)
NOTE: Final = Style(500, 12.0)
VALUE: Final = Style(800, 16.5)
MOST_LINES: Final = 5
APART: Final = 10.0
"""Between words below the chart."""


def rating_layout(picture: RatingPicture, ruler: Ruler, width: float) -> Layout:
    """The chart as placed things."""
    points = picture.points
    low = min(point.value - point.deviation for point in points)
    high = max(point.value + point.deviation for point in points)
    step = grid_step(low, high, MOST_LINES)
    low, high = low // step * step, -(-high // step) * step
    left = 12 + max(ruler.width(picture.words.number(value), AXIS) for value in (low, high)) + 7
    plot = Plot(Box(left, 44, width - left - 14, HEIGHT - 44 - 30), low, high, len(points))
    values = [point.value for point in points]
    items: list[Item] = list(_header(picture, width, ruler))
    items.append(
        plot.band(
            [point.value - point.deviation for point in points],
            [point.value + point.deviation for point in points],
            Ink.BAND,
        )
    )
    items += plot.grid(step, picture.words.number, 6, ruler)
    items.append(plot.line(values, Ink.GOLD))
    items += _times(picture, plot, ruler)
    return Layout(HEIGHT, tuple(items))


def _header(picture: RatingPicture, width: float, ruler: Ruler) -> Iterator[Item]:
    """Title and note at the left, the rating of today at the right."""
    words, last = picture.words, picture.points[-1]
    told = f"{words.number(last.value)} {words.deviation.format(n=last.deviation)}"
    value = text_at(told, width - 14, 25, VALUE, Ink.GOLD, ruler=ruler, anchor="right")
    yield value
    title, style = fit(picture.title, TITLE, width / 2 - 30, ruler)
    head = text_at(title, 14, 25, style, Ink.TEXT, ruler=ruler)
    yield head
    room = value.box.left - head.box.right - 20
    if picture.note and room > 30:
        note, style = fit(picture.note, NOTE, room, ruler)
        yield text_at(note, head.box.right + 9, 25, style, Ink.FELT_SECONDARY, ruler=ruler)


def _times(picture: RatingPicture, plot: Plot, ruler: Ruler) -> Iterator[Item]:
    """What lies how far back, below the chart; what has no room beside the others is left out."""
    words, games, baseline = picture.words, len(picture.points) - 1, plot.box.bottom + 19
    last = text_at(words.now, plot.box.right, baseline, AXIS, Ink.FELT_SECONDARY, ruler=ruler, anchor="right")
    yield last
    if not games:
        return
    first = text_at(words.games_ago.format(n=games), plot.box.left, baseline, AXIS, Ink.FELT_SECONDARY, ruler=ruler)
    if first.box.right + APART > last.box.left:
        return
    yield first
    x, _ = plot.at(games - games // 2, plot.low)
    text = words.games_ago.format(n=games // 2)
    middle = text_at(text, x, baseline, AXIS, Ink.FELT_SECONDARY, ruler=ruler, anchor="middle")
    if games >= 10 and first.box.right + APART <= middle.box.left and middle.box.right + APART <= last.box.left:
        yield middle
