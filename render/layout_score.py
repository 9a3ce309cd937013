"""Where the numbers of a score sheet stand: the deals so far, this deal line by line, and the totals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from render.inputs import Lines, Result, ScorePicture
from render.items import SIDE_INKS, WIDTH, Box, Ink, Item, Layout, Plate, Sign, Style, Symbol
from render.names import bounded
from render.typeset import Ruler, fit, text_at, text_in
from render.words import NOTHING, Words

MARGIN: Final = 8.0
LABELS: Final = 142.0
"""How wide the words at the left may be."""

MOST_DEALS: Final = 7
HEADER: Final = 36.0
NAME_ROW: Final = 33.0
DEAL_ROW: Final = 24.0
LINE_ROW: Final = 22.0
TOTAL_ROW: Final = 28.0
BANNER: Final = 40.0

TITLE: Final = Style(800, 16.5)
NOTE: Final = Style(500, 12.0)
NAME: Final = Style(700, 12.4)
LINE: Final = Style(500, 12.4)
NUMBER: Final = Style(600, 12.4)
STRONG: Final = Style(700, 13.0)
TOTAL: Final = Style(800, 14.0)

FIELDS: Final = (
    "natural_canastas",
    "mixed_canastas",
    "other_canastas",
    "red_threes",
    "going_out",
    "melded",
    "in_hand",
    "penalties",
    "bonuses",
)
OPTIONAL: Final = frozenset({"other_canastas", "penalties", "bonuses"})
"""Lines that show only where a side has something in them."""


def score_fields(lines: Sequence[Lines]) -> tuple[str, ...]:
    """The lines of a sheet, in order."""
    return tuple(name for name in FIELDS if name not in OPTIONAL or any(getattr(line, name) for line in lines))


@dataclass(frozen=True, slots=True)
class DealRow:
    """One row of the deals so far: its words, and for each side the points gained and the total after them."""

    label: str
    gains: tuple[int, ...]
    totals: tuple[int, ...]


def deal_rows(results: Sequence[Result], words: Words) -> tuple[DealRow, ...]:
    """The last deals each for itself, those before them together."""
    early = results[: max(0, len(results) - MOST_DEALS)]
    rows: list[DealRow] = []
    if early:
        label = words.deals.format(first=early[0].deal, last=early[-1].deal)
        sides = range(len(early[-1].scores))
        rows.append(
            DealRow(label, tuple(sum(deal.lines[side].total for deal in early) for side in sides), early[-1].scores)
        )
    rows += [
        DealRow(words.deal.format(n=deal.deal), tuple(line.total for line in deal.lines), deal.scores)
        for deal in results[len(early) :]
    ]
    return tuple(rows)


def score_layout(picture: ScorePicture, ruler: Ruler) -> Layout:
    """The score sheet as placed things."""
    sheet = _Sheet(picture, ruler)
    items: list[Item] = []
    top = 0.0
    if picture.banner:
        items += sheet.banner(top + 7)
        top += BANNER
    items += sheet.header(top)
    top += HEADER
    items += sheet.names(top)
    top += NAME_ROW
    for row in deal_rows(picture.results, picture.words):
        items += sheet.deal(row, top)
        top += DEAL_ROW
    top += 5
    items += sheet.heading(top)
    top += 24
    for number, name in enumerate(score_fields(picture.results[-1].lines)):
        items += sheet.line(name, top, striped=number % 2 == 0)
        top += LINE_ROW
    top += 3
    items += sheet.total(top)
    return Layout(top + TOTAL_ROW + 9, tuple(items))


@dataclass(frozen=True, slots=True)
class _Sheet:
    """The columns of one sheet."""

    picture: ScorePicture
    ruler: Ruler

    @property
    def sides(self) -> int:
        """How many columns."""
        return len(self.picture.results[-1].scores)

    def column(self, side: int, top: float, height: float) -> Box:
        """The place of a side in a row."""
        width = (WIDTH - MARGIN - LABELS) / self.sides
        return Box(LABELS + width * side + 2, top, width - 4, height)

    def row(self, top: float, height: float) -> Box:
        """A row from margin to margin."""
        return Box(MARGIN, top, WIDTH - 2 * MARGIN, height)

    def words_at(self, text: str, top: float, height: float, style: Style, ink: Ink) -> Item:
        """The words at the left of a row."""
        box = Box(MARGIN + 6, top, LABELS - MARGIN - 10, height)
        return text_in(text, box, style, ink, ruler=self.ruler, anchor="left")

    def banner(self, top: float) -> Iterator[Item]:
        box = self.row(top, BANNER - 8)
        yield Plate(box, 9, Ink.TURN)
        yield Symbol(Sign.CROWN, Box(box.left + 10, box.middle - 9, 22, 18), Ink.TURN_TEXT)
        inner = Box(box.left + 38, box.top, box.width - 76, box.height)
        yield text_in(self.picture.banner, inner, Style(800, 16.5), Ink.TURN_TEXT, ruler=self.ruler)

    def header(self, top: float) -> Iterator[Item]:
        words, picture = self.picture.words, self.picture
        title = words.score_sheet if picture.winner is None else words.final_score
        text, style = fit(title, TITLE, 200, self.ruler)
        head = text_at(text, MARGIN + 6, top + 23, style, Ink.TEXT, ruler=self.ruler)
        yield head
        parts = [words.deal.format(n=picture.results[-1].deal), words.target.format(n=words.number(picture.target))]
        note = " · ".join([*parts, picture.rules_name] if picture.rules_name else parts)
        room = WIDTH - MARGIN - 6 - head.box.right - 9
        text, style = fit(note, NOTE, room, self.ruler)
        yield text_at(text, head.box.right + 9, top + 23, style, Ink.FELT_SECONDARY, ruler=self.ruler)

    def names(self, top: float) -> Iterator[Item]:
        for side in range(self.sides):
            box = self.column(side, top, NAME_ROW - 5)
            wins = side == self.picture.winner
            yield Plate(box, 7, Ink.TURN if wins else Ink.CHIP)
            yield Plate(Box(box.left + 6, box.top + 7, 3.5, box.height - 14), 1.75, SIDE_INKS[side % 6])
            inner = Box(box.left + 13, box.top, box.width - 18, box.height)
            names = self.picture.side_names
            name = bounded(names[side], 64) if side < len(names) else ""
            ink = Ink.TURN_TEXT if wins else Ink.TEXT
            yield text_in(name or str(side + 1), inner, NAME, ink, ruler=self.ruler, anchor="left")

    def deal(self, row: DealRow, top: float) -> Iterator[Item]:
        words = self.picture.words
        yield self.words_at(row.label, top, DEAL_ROW, LINE, Ink.TEXT)
        for side in range(self.sides):
            box = self.column(side, top, DEAL_ROW)
            half = box.width / 2
            gain, total = row.gains[side], row.totals[side]
            left, right = Box(box.left, top, half - 4, DEAL_ROW), Box(box.left + half, top, half - 4, DEAL_ROW)
            ink = Ink.LOSS if gain < 0 else Ink.FELT_SECONDARY
            yield text_in(words.signed(gain), left, LINE, ink, ruler=self.ruler, anchor="right")
            yield text_in(words.number(total), right, STRONG, Ink.TEXT, ruler=self.ruler, anchor="right")
        yield Plate(Box(MARGIN + 6, top + DEAL_ROW - 0.4, WIDTH - 2 * MARGIN - 12, 0.7), 0, Ink.LINE)

    def heading(self, top: float) -> Iterator[Item]:
        yield self.words_at(self.picture.words.this_deal, top, 24, STRONG, Ink.GOLD)

    def line(self, name: str, top: float, *, striped: bool) -> Iterator[Item]:
        words = self.picture.words
        if striped:
            yield Plate(self.row(top, LINE_ROW), 6, Ink.STRIPE)
        yield self.words_at(getattr(words, name), top, LINE_ROW, LINE, Ink.TEXT)
        for side, lines in enumerate(self.picture.results[-1].lines):
            box = self.column(side, top, LINE_ROW)
            value = getattr(lines, name)
            text = words.signed(value) if value else NOTHING
            ink = Ink.LOSS if value < 0 else Ink.TEXT if value else Ink.FELT_SECONDARY
            inner = Box(box.left, top, box.width - 4, LINE_ROW)
            yield text_in(text, inner, NUMBER, ink, ruler=self.ruler, anchor="right")

    def total(self, top: float) -> Iterator[Item]:
        words = self.picture.words
        yield Plate(self.row(top, TOTAL_ROW), 8, Ink.TURN)
        yield self.words_at(words.deal_total, top, TOTAL_ROW, TOTAL, Ink.TURN_TEXT)
        for side, lines in enumerate(self.picture.results[-1].lines):
            box = self.column(side, top, TOTAL_ROW)
            inner = Box(box.left, top, box.width - 4, TOTAL_ROW)
            yield text_in(words.signed(lines.total), inner, TOTAL, Ink.TURN_TEXT, ruler=self.ruler, anchor="right")
