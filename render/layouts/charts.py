"""Layouts of line charts (the history of a rating, and a general plot), and of replays.

A replay is the table with every open hand below it, by rank, all card indexes visible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from render.drawing.text_fitting import Ruler, fit_text, text_on_baseline
from render.layout_items import Area, Box, CardFace, Ink, Item, Layout, Plate, Stroke, Style
from render.layouts.board import board_layout
from render.layouts.hand import sort_by_rank
from render.picture_inputs import RatingPicture, ReplayPicture

MARGIN: Final = 10.0
CARD: Final = (42.0, 58.0)
ROW: Final = 36.0
"""Distance between rows of a hand; a row covers the one above except for index and suit."""

WIDEST_STEP: Final = 29.0
NARROWEST_STEP: Final = 18.0
HAND_TITLE: Final = Style(600, 12.4)
TITLE_LINE: Final = 17.0
GAP: Final = 7.0


def replay_layout(picture: ReplayPicture, ruler: Ruler, width: float) -> Layout:
    """Return the layout of the table with a title and rows of cards for each hand."""
    board = board_layout(picture.board, ruler, width)
    items: list[Item] = list(board.items)
    top = board.height
    for hand in picture.hands:
        rows = split_into_rows(sort_by_rank(hand.cards), width)
        title, style = fit_text(hand.title, HAND_TITLE, width - 2 * MARGIN, ruler)
        items.append(text_on_baseline(title, MARGIN + 1, top + 10, style, Ink.TEXT, ruler=ruler))
        top += TITLE_LINE
        left = dict.fromkeys(hand.fresh, 0)
        for card in hand.fresh:
            left[card] += 1
        for number, row in enumerate(rows):
            items += _place_card_row(row, left, top + ROW * number, width)
        top += CARD[1] + ROW * (len(rows) - 1) + GAP if rows else 0
    return Layout(top, tuple(items))


def split_into_rows(cards: Sequence[int], width: float) -> list[Sequence[int]]:
    """Return the cards evenly split into as few rows as keep every index visible."""
    longest = int((width - 2 * MARGIN - CARD[0]) // NARROWEST_STEP) + 1
    count = max(1, -(-len(cards) // longest))
    size = -(-len(cards) // count)
    return [cards[first : first + size] for first in range(0, len(cards), size)] if cards else []


def _place_card_row(cards: Sequence[int], fresh: dict[int, int], top: float, width: float) -> Iterator[Item]:
    """Place cards side by side; those that joined the hand in the turn get a frame."""
    room = width - 2 * MARGIN - CARD[0]
    step = min(WIDEST_STEP, room / max(1, len(cards) - 1))
    for place, card in enumerate(cards):
        frame = Ink.FRESH if fresh.get(card, 0) > 0 else None
        fresh[card] = fresh.get(card, 0) - 1
        yield CardFace(card, Box(MARGIN + step * place, top, *CARD), frame)


AXIS: Final = Style(500, 11.5)
PLOT_LINE_WIDTH: Final = 1.5
DOT: Final = 3.2

STEPS: Final = (5, 10, 20, 25, 50, 100, 200, 250, 500, 1_000, 2_000, 2_500, 5_000, 10_000, 20_000, 50_000)


def grid_step(low: int, high: int, most: int) -> int:
    """Return the smallest round step that needs at most that many grid lines."""
    return next((step for step in STEPS if (high - low) / step <= most), STEPS[-1])


@dataclass(frozen=True, slots=True)
class Plot:
    """A line chart in a box.

    Values from `low` to `high` go upwards, `count` points from left to right.
    """

    box: Box
    low: int
    high: int
    count: int

    def position_of(self, place: int, value: float) -> tuple[float, float]:
        """Return x and y of the value at the point `place`."""
        share = place / (self.count - 1) if self.count > 1 else 1.0
        height = (value - self.low) / max(1, self.high - self.low)
        return self.box.left + share * self.box.width, self.box.bottom - height * self.box.height

    def place_grid(self, step: int, number: Callable[[int], str], left: float, ruler: Ruler) -> Iterator[Item]:
        """Place horizontal lines with their numbers, right-aligned left of the chart."""
        value = -(-self.low // step) * step
        while value <= self.high:
            _, y = self.position_of(0, value)
            yield Plate(Box(self.box.left, y - 0.35, self.box.width, 0.7), 0, Ink.LINE)
            text = number(value)
            baseline = y + 0.36 * AXIS.size
            yield text_on_baseline(
                text, self.box.left - left, baseline, AXIS, Ink.FELT_SECONDARY, ruler=ruler, anchor="right"
            )
            value += step

    def line_through(self, values: Sequence[float], ink: Ink) -> Stroke:
        """Return a line through the values of all points, with a dot at its end."""
        points = tuple(self.position_of(place, value) for place, value in enumerate(values))
        return Stroke(points, _box_around(points, DOT), PLOT_LINE_WIDTH, ink, DOT)

    def area_between(self, lower: Sequence[float], upper: Sequence[float], ink: Ink) -> Area:
        """Return the area between two lines of values."""
        points = [self.position_of(place, value) for place, value in enumerate(upper)]
        points += [self.position_of(place, value) for place, value in reversed(list(enumerate(lower)))]
        return Area(tuple(points), _box_around(points, 0.0), ink)


def _box_around(points: Sequence[tuple[float, float]], reach: float) -> Box:
    """Return the box around points, `reach` larger on every side."""
    left, top = min(x for x, _ in points) - reach, min(y for _, y in points) - reach
    right, bottom = max(x for x, _ in points) + reach, max(y for _, y in points) + reach
    return Box(left, top, right - left, bottom - top)


def connection_box(points: Sequence[tuple[float, float]]) -> Box:
    """Return the box around the lines that connect matches."""
    return _box_around(points, 0.6)


HEIGHT: Final = 226.0
RATING_TITLE: Final = Style(800, 16.5)
NOTE: Final = Style(500, 12.0)
VALUE: Final = Style(800, 16.5)
MOST_LINES: Final = 5
LABEL_DISTANCE: Final = 10.0
"""Distance between words below the chart."""


def rating_layout(picture: RatingPicture, ruler: Ruler, width: float) -> Layout:
    """Return the layout of a rating chart: a line, with a band for its uncertainty."""
    points = picture.points
    low = min(point.value - point.deviation for point in points)
    high = max(point.value + point.deviation for point in points)
    step = grid_step(low, high, MOST_LINES)
    low, high = low // step * step, -(-high // step) * step
    left = 12 + max(ruler.width(picture.words.number_text(value), AXIS) for value in (low, high)) + 7
    plot = Plot(Box(left, 44, width - left - 14, HEIGHT - 44 - 30), low, high, len(points))
    values = [point.value for point in points]
    items: list[Item] = list(_place_header(picture, width, ruler))
    items.append(
        plot.area_between(
            [point.value - point.deviation for point in points],
            [point.value + point.deviation for point in points],
            Ink.BAND,
        )
    )
    items += plot.place_grid(step, picture.words.number_text, 6, ruler)
    items.append(plot.line_through(values, Ink.GOLD))
    items += _place_time_labels(picture, plot, ruler)
    return Layout(HEIGHT, tuple(items))


def _place_header(picture: RatingPicture, width: float, ruler: Ruler) -> Iterator[Item]:
    """Place title and note at the left, the current rating at the right."""
    words, last = picture.words, picture.points[-1]
    text = f"{words.number_text(last.value)} {words.deviation.format(n=last.deviation)}"
    value = text_on_baseline(text, width - 14, 25, VALUE, Ink.GOLD, ruler=ruler, anchor="right")
    yield value
    title, style = fit_text(picture.title, RATING_TITLE, width / 2 - 30, ruler)
    head = text_on_baseline(title, 14, 25, style, Ink.TEXT, ruler=ruler)
    yield head
    room = value.box.left - head.box.right - 20
    if picture.note and room > 30:
        note, style = fit_text(picture.note, NOTE, room, ruler)
        yield text_on_baseline(note, head.box.right + 9, 25, style, Ink.FELT_SECONDARY, ruler=ruler)


def _place_time_labels(picture: RatingPicture, plot: Plot, ruler: Ruler) -> Iterator[Item]:
    """Place the labels of the time axis; those without space are left out."""
    words, games, baseline = picture.words, len(picture.points) - 1, plot.box.bottom + 19
    last = text_on_baseline(words.now, plot.box.right, baseline, AXIS, Ink.FELT_SECONDARY, ruler=ruler, anchor="right")
    yield last
    if not games:
        return
    first = text_on_baseline(
        words.games_ago.format(n=games), plot.box.left, baseline, AXIS, Ink.FELT_SECONDARY, ruler=ruler
    )
    if first.box.right + LABEL_DISTANCE > last.box.left:
        return
    yield first
    x, _ = plot.position_of(games - games // 2, plot.low)
    text = words.games_ago.format(n=games // 2)
    middle = text_on_baseline(text, x, baseline, AXIS, Ink.FELT_SECONDARY, ruler=ruler, anchor="middle")
    if (
        games >= 10
        and first.box.right + LABEL_DISTANCE <= middle.box.left
        and middle.box.right + LABEL_DISTANCE <= last.box.left
    ):
        yield middle
