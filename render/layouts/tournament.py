"""Layouts of the pictures of a tournament: its bracket and its standings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from render.drawable_names import single_line_name
from render.drawing.text_fitting import Ruler, fit_text, text_in_box, text_on_baseline
from render.layout_items import Box, Ink, Item, Layout, Plate, Stroke, Style
from render.layouts.charts import connection_box
from render.picture_inputs import BracketMatch, BracketPicture, StandingsPicture, StandingsRow
from render.picture_words import PictureWords

MARGIN: Final = 8.0
TITLE: Final = Style(800, 16.5)
NOTE: Final = Style(500, 12.0)
HEADING: Final = Style(600, 11.5)
NAME: Final = Style(600, 12.4)
STRONG: Final = Style(700, 12.4)
POINTS: Final = Style(700, 12.4)

HEADER: Final = 36.0
ROUND_NAMES: Final = 19.0
MATCH: Final = 46.0
"""The height of a match."""

TALL_MATCH: Final = 72.0
"""The height if partners' names are below each other."""

PARTNERS: Final = " & "
"""Text between the names of partners."""

BETWEEN: Final = 10.0
CONNECTION: Final = 20.0
"""Distance between the matches of two rounds."""

STANDING_ROW: Final = 25.0
MEDAL_ROW: Final = 40.0
MEDAL: Final = 24.0
"""Width of a medal."""

MEDALS: Final = {1: (Ink.TURN, Ink.TURN, Ink.TURN_TEXT), 2: (Ink.BADGE_TEXT, Ink.CHIP_EDGE, Ink.BADGE)}
"""Gold and silver: colours of filling, edge and number."""
BRONZE: Final = (Ink.CHIP, Ink.GOLD, Ink.GOLD)
"""A ring, so that it differs from gold in shape too."""
LAST_MEDAL: Final = 3

CHAMPION: Final = Style(800, 16.0)
MEDALLIST: Final = Style(700, 14.0)
LONGEST: Final = 64
"""Longest name in characters, for entries of two or three persons."""

COLUMN: Final = 54.0
BETWEEN_COLUMNS: Final = 9.0
PLACE: Final = 30.0


def _place_heading(title: str, note: str, width: float, ruler: Ruler) -> Iterator[Item]:
    """Place the title, with a note in smaller letters beside it."""
    text, style = fit_text(title, TITLE, width * 0.6, ruler)
    head = text_on_baseline(text, MARGIN + 6, 25, style, Ink.TEXT, ruler=ruler)
    yield head
    room = width - MARGIN - 6 - head.box.right - 9
    if note:
        text, style = fit_text(note, NOTE, room, ruler)
        yield text_on_baseline(text, head.box.right + 9, 25, style, Ink.FELT_SECONDARY, ruler=ruler)


def bracket_layout(picture: BracketPicture, ruler: Ruler, width: float) -> Layout:
    """Return the layout of a bracket."""
    return _BracketBuilder(picture, ruler, width).build_layout()


@dataclass(frozen=True, slots=True)
class _BracketBuilder:
    """Builds the layout of one bracket, rounds from left to right."""

    picture: BracketPicture
    ruler: Ruler
    width: float

    @property
    def first_match_top(self) -> float:
        """The top of the first match."""
        return HEADER + (ROUND_NAMES if self.picture.round_names else 4)

    @property
    def match_width(self) -> float:
        """The width of a match."""
        rounds = len(self.picture.rounds)
        return (self.width - 2 * MARGIN - CONNECTION * (rounds - 1)) / rounds

    @property
    def has_partners(self) -> bool:
        """Return whether entries consist of partners, whose names do not fit side by side."""
        return any(PARTNERS in name for one in self.picture.rounds for match in one for name in match.names)

    @property
    def match_height(self) -> float:
        """The height of a match."""
        return TALL_MATCH if self.has_partners else MATCH

    def build_layout(self) -> Layout:
        items: list[Item] = list(_place_heading(self.picture.title, self.picture.note, self.width, self.ruler))
        for number, name in enumerate(self.picture.round_names[: len(self.picture.rounds)]):
            box = Box(self.round_left(number), HEADER - 2, self.match_width, ROUND_NAMES)
            items.append(text_in_box(name, box, HEADING, Ink.FELT_SECONDARY, ruler=self.ruler))
        for number, matches in enumerate(self.picture.rounds):
            for place, match in enumerate(matches):
                if number:
                    items += self.place_connection(number, place)
                items += self.place_match(match, self.match_box(number, place))
        first = len(self.picture.rounds[0])
        return Layout(self.first_match_top + first * (self.match_height + BETWEEN) + 3, tuple(items))

    def round_left(self, number: int) -> float:
        """Return the left edge of a round."""
        return MARGIN + number * (self.match_width + CONNECTION)

    def match_box(self, number: int, place: int) -> Box:
        """Return the box of a match, centred on the boxes of the matches that lead to it."""
        high = self.match_height
        pitch = (high + BETWEEN) * len(self.picture.rounds[0]) / len(self.picture.rounds[number])
        return Box(
            self.round_left(number),
            self.first_match_top + pitch * place + (pitch - high - BETWEEN) / 2,
            self.match_width,
            high,
        )

    def place_connection(self, number: int, place: int) -> Iterator[Item]:
        """Place the lines to a match from the matches that lead to it: two, or the one beside it."""
        box, rounds = self.match_box(number, place), self.picture.rounds
        beside = len(rounds[number]) == len(rounds[number - 1])
        for before in (place,) if beside else (2 * place, 2 * place + 1):
            if before >= len(rounds[number - 1]):
                continue
            start = self.match_box(number - 1, before)
            turn = start.right + CONNECTION / 2
            points = ((start.right, start.middle), (turn, start.middle), (turn, box.middle), (box.left, box.middle))
            yield Stroke(points, connection_box(points), 0.9, Ink.LINE)

    def place_match(self, match: BracketMatch, box: Box) -> Iterator[Item]:
        """Place the names of both entries of a match, one above the other, with their points."""
        yield Plate(box, 6, Ink.CHIP, Ink.CHIP_EDGE)
        yield Plate(Box(box.left + 6, box.middle - 0.35, box.width - 12, 0.7), 0, Ink.CHIP_EDGE)
        for place in (0, 1):
            row = Box(box.left + 7, box.top + place * box.height / 2, box.width - 14, box.height / 2)
            wins = match.winner == place
            known = single_line_name(match.names[place], LONGEST)
            ink = Ink.GOLD if wins else Ink.SECONDARY if not known or match.winner is not None else Ink.TEXT
            right = row.right
            if (points := match.points[place]) is not None:
                told = text_in_box(
                    self.picture.words.number_text(points), row, POINTS, ink, ruler=self.ruler, anchor="right"
                )
                yield told
                right = told.box.left - 4
            inner = Box(row.left, row.top, right - row.left, row.height)
            yield from self.place_names(known or self.picture.words.not_known, inner, STRONG if wins else NAME, ink)

    def place_names(self, name: str, box: Box, style: Style, ink: Ink) -> Iterator[Item]:
        """Place the name of an entry; the names of partners are on separate lines."""
        lines = name.split(PARTNERS, 1)
        high = box.height / len(lines)
        for number, line in enumerate(lines):
            below = Box(box.left, box.top + number * high, box.width, high)
            yield text_in_box(line, below, style, ink, ruler=self.ruler, anchor="left")


def standings_layout(picture: StandingsPicture, ruler: Ruler, width: float) -> Layout:
    """Return the layout of standings."""
    items: list[Item] = list(_place_heading(picture.title, picture.note, width, ruler))
    columns = _column_boxes(picture, ruler, width)
    head = Box(MARGIN + 6, HEADER - 2, PLACE - 6, 20)
    items.append(text_in_box(picture.words.place, head, HEADING, Ink.FELT_SECONDARY, ruler=ruler))
    for name, column in zip(picture.columns, columns, strict=True):
        box = Box(column.left, head.top, column.width, head.height)
        items.append(text_in_box(name, box, HEADING, Ink.FELT_SECONDARY, ruler=ruler, anchor="right"))
    top = HEADER + 19
    for number, row in enumerate(picture.rows):
        if picture.medals and row.place <= LAST_MEDAL:
            items += _place_medal_row(
                row, Box(MARGIN, top, width - 2 * MARGIN, MEDAL_ROW - 3), columns, picture.words, ruler
            )
            top += MEDAL_ROW
            continue
        box = Box(MARGIN, top, width - 2 * MARGIN, STANDING_ROW - 1)
        items += _place_plain_row(row, box, columns, picture.words, ruler=ruler, striped=number % 2 == 0)
        top += STANDING_ROW
    return Layout(top + 8, tuple(items))


def _column_boxes(picture: StandingsPicture, ruler: Ruler, width: float) -> list[Box]:
    """Return the boxes of the columns of figures, from the left; columns of long figures are wider."""
    right, boxes = width - MARGIN - 7, list[Box]()
    for number in reversed(range(len(picture.columns))):
        values = [row.values[number] for row in picture.rows]
        texts = [picture.words.number_text(one) if isinstance(one, int) else one for one in values]
        style = MEDALLIST if number == len(picture.columns) - 1 else NAME
        widest = max((ruler.width(one, style) for one in texts), default=0.0)
        column = max(COLUMN, widest + BETWEEN_COLUMNS)
        boxes.insert(0, Box(right - column + 4, 0, column - 4, 0))
        right -= column
    return boxes


def _place_plain_row(
    row: StandingsRow, box: Box, columns: list[Box], words: PictureWords, *, ruler: Ruler, striped: bool
) -> Iterator[Item]:
    """Place one row of standings."""
    if row.marked:
        yield Plate(box, 6, Ink.TURN)
    elif striped:
        yield Plate(box, 6, Ink.STRIPE)
    ink = Ink.TURN_TEXT if row.marked else Ink.TEXT
    place = Box(box.left + 6, box.top, PLACE - 6, box.height)
    yield text_in_box(str(row.place), place, STRONG, ink, ruler=ruler)
    yield _place_name(row, box, columns, STRONG if row.marked else NAME, ink, ruler)
    yield from _place_figures(row, box, columns, words, (NAME, STRONG), ink, ruler)


def _place_medal_row(
    row: StandingsRow, box: Box, columns: list[Box], words: PictureWords, ruler: Ruler
) -> Iterator[Item]:
    """Place one of the first three rows of standings: higher than others, with a medal."""
    fill, edge, number = MEDALS.get(row.place, BRONZE)
    first = row.place == 1
    yield Plate(box, 8, Ink.CHIP, Ink.GOLD if first else Ink.CHIP_EDGE)
    medal = Box(box.left + 6, box.middle - MEDAL / 2, MEDAL, MEDAL)
    yield Plate(medal, MEDAL / 2, fill, edge)
    yield text_in_box(str(row.place), medal, STRONG, number, ruler=ruler)
    ink = Ink.GOLD if first else Ink.TEXT
    yield _place_name(row, box, columns, CHAMPION if first else MEDALLIST, ink, ruler)
    yield from _place_figures(row, box, columns, words, (NAME, MEDALLIST), ink, ruler)


def _place_name(row: StandingsRow, box: Box, columns: list[Box], style: Style, ink: Ink, ruler: Ruler) -> Item:
    """Return the name in a row as an item, fitted into the space before the figures."""
    inner = Box(box.left + PLACE + 6, box.top, columns[0].left - box.left - PLACE - 10, box.height)
    return text_in_box(single_line_name(row.name, LONGEST), inner, style, ink, ruler=ruler, anchor="left")


def _place_figures(
    row: StandingsRow,
    box: Box,
    columns: list[Box],
    words: PictureWords,
    styles: tuple[Style, Style],
    ink: Ink,
    ruler: Ruler,
) -> Iterator[Item]:
    """Place the figures of a row; the last is the most important one and bold."""
    last = len(row.values) - 1
    for number, (value, column) in enumerate(zip(row.values, columns, strict=True)):
        cell = Box(column.left, box.top, column.width, box.height)
        text = words.number_text(value) if isinstance(value, int) else value
        yield text_in_box(text, cell, styles[number == last], ink, ruler=ruler, anchor="right")
