"""Layout of a score sheet: the deals so far, this deal line by line, and the totals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil
from typing import Final

from render.drawable_names import drawable_text, single_line_name
from render.drawing.text_fitting import SMALLEST, Ruler, fit_text, text_in_box, text_on_baseline, wrap_text
from render.layout_items import SIDE_INKS, WIDTH, Box, Ink, Item, Layout, Plate, Sign, Style, Symbol
from render.layouts.charts import AXIS, Plot, grid_step
from render.picture_inputs import Result, ScorePicture, ScoringThrees, SheetKind
from render.picture_words import NOTHING, PictureWords

MARGIN: Final = 8.0
LABELS: Final = 142.0
"""Width of the labels at the left, in a picture of usual width."""

MOST_DEALS: Final = 7
MOST_DEALS_OF_GAME: Final = 12
MOST_GRID_LINES: Final = 4
FINAL_ROW: Final = 30.0
CROWDED_ROW: Final = 36.0
CROWDED_LABELS: Final = 106.0
NARROWEST_COLUMN: Final = 100.0
LEGEND_ROW: Final = 25.0
LEGEND_ROW_OF_TWO: Final = 33.0
"""Height of a legend row if a name takes two lines."""

NAME_LINE: Final = 13.0
MOST_NAME_LINES: Final = 6
MOST_NOTE_LINES: Final = 3
NOTE_LINE: Final = 17.0
LEGEND_COLUMNS: Final = 3
CHART: Final = 130.0
HEADER: Final = 36.0
NAME_ROW: Final = 33.0
NAME_INDENT: Final = 13.5
DEAL_ROW: Final = 24.0
LINE_ROW: Final = 22.0
TOTAL_ROW: Final = 28.0
BANNER: Final = 40.0

TITLE: Final = Style(800, 16.5)
NOTE: Final = Style(500, 12.0)
NAME: Final = Style(700, 12.4)
SMALL_NAME: Final = Style(700, 11.2)
LINE: Final = Style(500, 12.4)
NUMBER: Final = Style(600, 12.4)
STRONG: Final = Style(700, 13.0)
TOTAL: Final = Style(800, 14.0)
FINAL: Final = Style(800, 19.0)

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
KINDS: Final = ("run_canastas", "wild_canastas", "special_canastas")
"""Lines that replace "other canastas" if their kinds are known."""

OPTIONAL: Final = frozenset({"other_canastas", *KINDS, "penalties", "bonuses"})
"""Lines that are shown only if a side has points in them."""


def score_line_names(picture: ScorePicture) -> tuple[str, ...]:
    """Return the stable names of the lines of a sheet, in order."""
    optional = OPTIONAL if picture.threes is not ScoringThrees.NONE else OPTIONAL | {"red_threes"}
    result = picture.results[-1]
    told = [(KINDS if name == "other_canastas" and result.others else (name,)) for name in FIELDS]
    names = [name for several in told for name in several]
    return tuple([name for name in names if name not in optional or any(side_points_in_line(result, name))])


def side_points_in_line(result: Result, name: str) -> tuple[int, ...]:
    """Return each side's points in the line of a sheet with that name."""
    return tuple([getattr(one, name) for one in (result.others if name in KINDS else result.lines)])


def score_line_label(picture: ScorePicture, name: str) -> str:
    """Return the label of the line of a sheet with that name."""
    both = name == "red_threes" and picture.threes is ScoringThrees.BOTH
    return str(getattr(picture.words, "threes" if both else name))


@dataclass(frozen=True, slots=True)
class DealRow:
    """One row in the list of deals so far: its label, and each side's gain and total."""

    label: str
    gains: tuple[int, ...]
    totals: tuple[int, ...]


def deal_rows(results: Sequence[Result], words: PictureWords, most: int = MOST_DEALS) -> tuple[DealRow, ...]:
    """Return rows for the last deals, one each, with all earlier ones in one row."""
    early = results[: max(0, len(results) - most)]
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


def score_layout(picture: ScorePicture, ruler: Ruler, width: float) -> Layout:
    """Return the layout of a score sheet of any kind."""
    sheet = _SheetBuilder(picture, ruler, width)
    items: list[Item] = []
    top = 0.0
    for items_at, height in sheet.parts_with_heights():
        items += items_at(top)
        top += height
    return Layout(top + 9, tuple(items))


@dataclass(frozen=True, slots=True)
class _SheetBuilder:
    """Builds the layout of one sheet."""

    picture: ScorePicture
    ruler: Ruler
    width: float

    def parts_with_heights(self) -> Iterator[tuple[Callable[[float], Iterator[Item]], float]]:
        """Yield the parts of the sheet from top to bottom, each with its height.

        A part is a function that yields its items below a given top.
        """
        picture = self.picture
        if picture.banner:
            yield lambda top: self.place_banner(top + 7), BANNER
        yield self.place_header, HEADER + NOTE_LINE * len(self.note_lines_below)
        yield self.place_names, self.name_row_height + self.legend_height
        if picture.kind is not SheetKind.DEAL and picture.winner is not None:
            yield self.place_final_scores, FINAL_ROW
        if picture.kind is not SheetKind.DEAL and len(picture.results) > 1:
            yield self.place_chart, CHART
        if picture.kind is not SheetKind.FINAL:
            most = MOST_DEALS if picture.kind is SheetKind.DEAL else MOST_DEALS_OF_GAME
            for row in deal_rows(picture.results, picture.words, most):
                yield partial(self.place_deal_row, row), self.deal_row_height
            yield lambda _: iter(()), 5
        if picture.kind is not SheetKind.GAME:
            yield self.place_heading, 24
            for number, name in enumerate(score_line_names(picture)):
                yield partial(self.place_line, name, striped=number % 2 == 0), LINE_ROW
            yield lambda _: iter(()), 3
            yield self.place_totals, TOTAL_ROW

    @property
    def has_narrow_columns(self) -> bool:
        """Return whether columns are too narrow for names, and for two numbers side by side."""
        return self.side_count > 2 and (self.width - MARGIN - LABELS) / self.side_count < NARROWEST_COLUMN

    @property
    def number_inset(self) -> float:
        """The distance of numbers from the right edge of their column."""
        return 1 if self.has_narrow_columns else 4

    def number_text(self, value: int, *, signed: bool = False) -> str:
        """Return the number in the viewer's language; in narrow columns without thousands separators."""
        words = replace(self.picture.words, thousands="") if self.has_narrow_columns else self.picture.words
        return words.signed_number_text(value) if signed else words.number_text(value)

    @property
    def deal_row_height(self) -> float:
        """The height of a deal's row."""
        return CROWDED_ROW if self.has_narrow_columns else DEAL_ROW

    @property
    def label_width(self) -> float:
        """The width of the labels at the left."""
        return (CROWDED_LABELS if self.has_narrow_columns else LABELS) * self.width / WIDTH

    @property
    def side_count(self) -> int:
        """The number of columns."""
        return len(self.picture.results[-1].scores)

    def column_box(self, side: int, top: float, height: float) -> Box:
        """Return the box of a side's column in a row."""
        width = (self.width - MARGIN - self.label_width) / self.side_count
        return Box(self.label_width + width * side + 2, top, width - 4, height)

    def row_box(self, top: float, height: float) -> Box:
        """Return the box of a row, from margin to margin."""
        return Box(MARGIN, top, self.width - 2 * MARGIN, height)

    def place_label(self, text: str, top: float, height: float, style: Style, ink: Ink) -> Item:
        """Place a label at the left of a row."""
        box = Box(MARGIN + 6, top, self.label_width - MARGIN - 10, height)
        return text_in_box(text, box, style, ink, ruler=self.ruler, anchor="left")

    def place_banner(self, top: float) -> Iterator[Item]:
        """Place the banner, such as the winner."""
        box = self.row_box(top, BANNER - 8)
        yield Plate(box, 9, Ink.TURN)
        yield Symbol(Sign.CROWN, Box(box.left + 10, box.middle - 9, 22, 18), Ink.TURN_TEXT)
        inner = Box(box.left + 38, box.top, box.width - 76, box.height)
        yield text_in_box(self.picture.banner, inner, Style(800, 16.5), Ink.TURN_TEXT, ruler=self.ruler)

    def place_header(self, top: float) -> Iterator[Item]:
        """Place the title and the note about the deal."""
        text, style = fit_text(self.title, TITLE, self.width / 2, self.ruler)
        head = text_on_baseline(text, MARGIN + 6, top + 23, style, Ink.TEXT, ruler=self.ruler)
        yield head
        below = self.note_lines_below
        left, baseline = (MARGIN + 6, top + 24 + NOTE_LINE) if below else (head.box.right + 9, top + 23)
        for number, line in enumerate(below or [self.note]):
            text, style = fit_text(line, NOTE, self.width - MARGIN - 6 - left, self.ruler)
            yield text_on_baseline(
                text, left, baseline + NOTE_LINE * number, style, Ink.FELT_SECONDARY, ruler=self.ruler
            )

    @property
    def title(self) -> str:
        """The title of the sheet."""
        words = self.picture.words
        if self.picture.kind is SheetKind.DEAL:
            return words.score_sheet
        return words.game_sheet if self.picture.winner is None else words.final_score

    @property
    def note(self) -> str:
        """The deal's number, the target, and the name of the rules."""
        words, picture = self.picture.words, self.picture
        parts = [words.deal.format(n=picture.results[-1].deal), words.game_end_text(picture.target, picture.rounds)]
        return " · ".join([*parts, picture.rules_name] if picture.rules_name else parts)

    @property
    def note_lines_below(self) -> list[str]:
        """The note in lines below the title; empty if it fits beside the title."""
        text, style = fit_text(self.title, TITLE, self.width / 2, self.ruler)
        room = self.width - 2 * (MARGIN + 6) - self.ruler.width(text, style) - 9
        least = replace(NOTE, size=SMALLEST)
        if self.ruler.width(drawable_text(self.note, self.ruler.can_draw), least) <= room:
            return []
        return wrap_text(self.note, least, self.width - 2 * (MARGIN + 6), MOST_NOTE_LINES, self.ruler)

    def place_names(self, top: float) -> Iterator[Item]:
        """Place the names of the sides above their columns."""
        for side in range(self.side_count):
            box = self.column_box(side, top + self.legend_height, self.name_row_height - 5)
            if self.has_narrow_columns:
                width, row = self.legend_width, self.legend_row_height
                left = MARGIN + width * (side % LEGEND_COLUMNS)
                place = Box(left + 2, top + row * (side // LEGEND_COLUMNS), width - 4, row - 4)
                yield from self.place_name(side, place, f"{side + 1}  {self.side_name(side)}")
            yield from self.place_name(side, box, str(side + 1) if self.has_narrow_columns else self.side_name(side))

    @property
    def legend_height(self) -> float:
        """The height of the list of names above the columns; 0 if names fit into the columns."""
        return self.legend_row_height * ceil(self.side_count / LEGEND_COLUMNS) if self.has_narrow_columns else 0.0

    @property
    def legend_width(self) -> float:
        """The width of a name in the list of names above the columns."""
        return (self.width - 2 * MARGIN) / LEGEND_COLUMNS

    @property
    def legend_row_height(self) -> float:
        """The height of a row in the list of names above the columns."""
        lines = self.most_name_lines(
            self.legend_width - 4, [f"{side + 1}  {self.side_name(side)}" for side in self.side_indexes]
        )
        return LEGEND_ROW if lines == 1 else LEGEND_ROW_OF_TWO + NAME_LINE * (lines - 2)

    @property
    def name_row_height(self) -> float:
        """The height of the row of column names, including the space below it."""
        if self.has_narrow_columns:
            return NAME_ROW
        lines = self.most_name_lines(
            self.column_box(0, 0, 0).width, [self.side_name(side) for side in self.side_indexes]
        )
        return NAME_ROW + NAME_LINE * max(0, lines - 2)

    @property
    def side_indexes(self) -> range:
        """The indexes of all sides."""
        return range(self.side_count)

    def most_name_lines(self, width: float, names: Sequence[str]) -> int:
        """Return the most lines that one of these names needs in chips of that width."""
        return max([len(self.name_lines(name, width - NAME_INDENT - 3)) for name in names])

    def name_lines(self, name: str, room: float) -> list[str]:
        """Return a name in one line, or in several smaller ones."""
        if self.ruler.width(drawable_text(name, self.ruler.can_draw), replace(NAME, size=SMALLEST)) <= room:
            return [name]
        return wrap_text(name, replace(SMALL_NAME, size=SMALLEST), room, MOST_NAME_LINES, self.ruler) or [name]

    def side_name(self, side: int) -> str:
        """Return the side's name, or its number if it has none."""
        names = self.picture.side_names
        return (single_line_name(names[side], 64) if side < len(names) else "") or str(side + 1)

    def place_name(self, side: int, box: Box, text: str) -> Iterator[Item]:
        """Place a chip with the side's colour and name; a long name in several lines."""
        wins = side == self.picture.winner
        ink = Ink.TURN_TEXT if wins else Ink.TEXT
        yield Plate(box, 7, Ink.TURN if wins else Ink.CHIP)
        bar = Box(box.left + 5, box.top + 6, 3.5, box.height - 12)
        if wins:  # the colours of side and chip may be too similar
            yield Plate(Box(bar.left - 1.5, bar.top - 1.5, bar.width + 3, bar.height + 3), 3, Ink.CHIP)
        yield Plate(bar, 1.75, SIDE_INKS[side % 6])
        indent = NAME_INDENT if wins else NAME_INDENT - 1.5
        inner = Box(box.left + indent, box.top, box.width - indent - 3, box.height)
        lines = self.name_lines(text, box.width - NAME_INDENT - 3)
        if len(lines) == 1 and box.height > 26 and self.ruler.width(text, NAME) > inner.width:
            lines = wrap_text(text, SMALL_NAME, inner.width, 2, self.ruler) or [text]
        for number, line in enumerate(lines):
            height = (inner.height - 2) / len(lines)
            row = Box(inner.left, inner.top + 1 + height * number, inner.width, height)
            style = NAME if len(lines) == 1 else SMALL_NAME
            yield text_in_box(line, row, style, ink, ruler=self.ruler, anchor="left")

    def place_final_scores(self, top: float) -> Iterator[Item]:
        """Place the row of all sides' final scores."""
        words = self.picture.words
        yield self.place_label(words.total, top, FINAL_ROW - 2, TOTAL, Ink.TEXT)
        for side, score in enumerate(self.picture.results[-1].scores):
            box = self.column_box(side, top, FINAL_ROW - 2)
            ink = Ink.GOLD if side == self.picture.winner else Ink.TEXT
            inner = Box(box.left, top, box.width - self.number_inset, box.height)
            yield text_in_box(
                self.number_text(score),
                inner,
                STRONG if self.has_narrow_columns else FINAL,
                ink,
                ruler=self.ruler,
                anchor="right",
            )

    def place_chart(self, top: float) -> Iterator[Item]:
        """Place a chart of all sides' totals after each deal."""
        words, results = self.picture.words, self.picture.results
        totals = [[0, *(result.scores[side] for result in results)] for side in range(self.side_count)]
        aim = self.picture.target if self.picture.rounds is None else 0
        low, high = min(map(min, totals)), max(aim, *map(max, totals))
        step = grid_step(low, high, MOST_GRID_LINES)
        low, high = low // step * step, -(-high // step) * step
        left = MARGIN + 6 + max(self.ruler.width(words.number_text(value), AXIS) for value in (low, high)) + 6
        plot = Plot(Box(left, top + 12, self.width - MARGIN - 8 - left, CHART - 28), low, high, len(results) + 1)
        yield from plot.place_grid(step, words.number_text, 6, self.ruler)
        for side, values in enumerate(totals):
            yield plot.line_through(values, SIDE_INKS[side % 6])

    def place_deal_row(self, row: DealRow, top: float) -> Iterator[Item]:
        """Place the row of a deal: gain and total of each side."""
        height = self.deal_row_height
        yield self.place_label(row.label, top, height, LINE, Ink.TEXT)
        for side in range(self.side_count):
            box = self.column_box(side, top, height)
            gain, total = row.gains[side], row.totals[side]
            left = Box(box.left, top, box.width / 2 - 4, height)
            right = Box(box.left + box.width / 2, top, box.width / 2 - 4, height)
            if self.has_narrow_columns:
                right = Box(box.left, top, box.width - self.number_inset, height / 2 + 2)
                left = Box(box.left, top + height / 2 - 1, box.width - self.number_inset, height / 2)
            ink = Ink.LOSS if gain < 0 else Ink.FELT_SECONDARY
            yield text_in_box(self.number_text(gain, signed=True), left, LINE, ink, ruler=self.ruler, anchor="right")
            yield text_in_box(self.number_text(total), right, STRONG, Ink.TEXT, ruler=self.ruler, anchor="right")
        yield Plate(Box(MARGIN + 6, top + height - 0.4, self.width - 2 * MARGIN - 12, 0.7), 0, Ink.LINE)

    def place_heading(self, top: float) -> Iterator[Item]:
        """Place the heading above the sheet's lines of this deal."""
        box = Box(MARGIN + 6, top, self.width - 2 * MARGIN - 12, 24)
        yield text_in_box(self.picture.words.this_deal, box, STRONG, Ink.GOLD, ruler=self.ruler, anchor="left")

    def place_line(self, name: str, top: float, *, striped: bool) -> Iterator[Item]:
        """Place one line of the sheet for this deal: its label and each side's points."""
        if striped:
            yield Plate(self.row_box(top, LINE_ROW), 6, Ink.STRIPE)
        yield self.place_label(score_line_label(self.picture, name), top, LINE_ROW, LINE, Ink.TEXT)
        for side, value in enumerate(side_points_in_line(self.picture.results[-1], name)):
            box = self.column_box(side, top, LINE_ROW)
            text = self.number_text(value, signed=True) if value else NOTHING
            ink = Ink.LOSS if value < 0 else Ink.TEXT if value else Ink.FELT_SECONDARY
            inner = Box(box.left, top, box.width - self.number_inset, LINE_ROW)
            yield text_in_box(text, inner, NUMBER, ink, ruler=self.ruler, anchor="right")

    def place_totals(self, top: float) -> Iterator[Item]:
        """Place the row of totals below the lines of this deal."""
        words = self.picture.words
        yield Plate(self.row_box(top, TOTAL_ROW), 8, Ink.TURN)
        yield self.place_label(words.deal_total, top, TOTAL_ROW, TOTAL, Ink.TURN_TEXT)
        for side, lines in enumerate(self.picture.results[-1].lines):
            box = self.column_box(side, top, TOTAL_ROW)
            inner = Box(box.left, top, box.width - self.number_inset, TOTAL_ROW)
            yield text_in_box(
                self.number_text(lines.total, signed=True),
                inner,
                STRONG if self.has_narrow_columns else TOTAL,
                Ink.TURN_TEXT,
                ruler=self.ruler,
                anchor="right",
            )
