"""Layout of the table: a panel for each side, stock and pile between or above them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from render.drawable_names import drawable_text
from render.drawing.text_fitting import (
    READABLE,
    ChipStyle,
    Ruler,
    chip_items,
    fit_text,
    right_edge,
    shorten_text,
    text_on_baseline,
    wrap_text,
)
from render.layout_items import WIDTH, Box, CardBack, CrosswiseCard, Ink, Item, Layout, Sign, StackEdges, Style
from render.layouts.pile import place_count_badge, place_empty_space, place_pile
from render.layouts.side_panel import SidePanel
from render.layouts.table_notes import cards_with_signs, seat_name, table_notes
from render.picture_inputs import BoardPicture

MARGIN: Final = 8.0
STRIP: Final = 98.0
STORY: Final = 62.0
"""Extra height of a narrow picture, where the texts are below the pile instead of next to it."""

GAP: Final = 4.0
EDGE: Final = 7.0
PILE_CARD: Final = (53.0, 74.0)
CROSS_SHOWN: Final = 29.0
"""Visible part of the crosswise card, enough for its index."""

PILE_END: Final = 198.0
"""Right edge of the pile's area."""

MOST_FROZEN: Final = 128.0

TWO_COLUMNS: Final = 4
"""From this number of single-player sides on, panels are placed in two columns."""

HEADLINE: Final = Style(800, 18.0)
ADVICE: Final = Style(600, READABLE)
SMALL: Final = Style(500, READABLE)
COUNT: Final = Style(600, READABLE)
CHIP: Final = Style(700, READABLE)

SMALLEST_ALONE: Final = Style(800, 14.0)
TWO_LINES: Final = tuple(Style(800, size) for size in (15.0, READABLE))
"""Sizes of a headline in two lines, which is used if one line of the first size is too wide."""

MOST_NOTES: Final = 4
NOTE_LINE: Final = 16.4
"""Height of a line of notes where there are many."""

MOST_LINES: Final = 4
"""Most lines of text above the chip."""

STORY_LEFT: Final = 202.0
CHIPS_LEFT: Final = 192.0
CHIP_PAD: Final = 6.2
CHIP_LINE: Final = 18.0
MOST_CHIPS: Final = 5
USUAL_WIDE: Final = 2
USUAL_NARROW: Final = 3
"""Number of chips for which the strip has space."""

SEPARATOR: Final = " · "
LEAST: Final = replace(COUNT, size=READABLE)


def board_layout(picture: BoardPicture, ruler: Ruler, width: float) -> Layout:
    """Return the layout of the table.

    Its height depends only on the number of sides, the rows of melds and the rules' name.
    """
    return _BoardBuilder(picture, ruler, width).build_layout()


@dataclass(frozen=True, slots=True)
class _BoardBuilder:
    """Builds the layout of one table."""

    picture: BoardPicture
    ruler: Ruler
    width: float

    @property
    def is_narrow(self) -> bool:
        """Return whether the picture has fewer units than usual, because the theme prints large."""
        return self.width < WIDTH

    def build_layout(self) -> Layout:
        items: list[Item] = []
        top = EDGE
        for line in self.sides_by_line():
            if line is None:
                items += self.place_strip(top)
                top += self.strip_height + (STORY + NOTE_LINE * self.added_line_count if self.is_narrow else 0) + GAP
                continue
            width = (self.width - 2 * MARGIN - GAP * (len(line) - 1)) / len(line)
            if len(line) == 1 and self.column_count == 2:
                width = (self.width - 2 * MARGIN - GAP) / 2
            panels = [SidePanel(self.picture, side, width, self.ruler) for side in line]
            size = min((panel.best_sizes for panel in panels), key=lambda size: size.tile)
            rows = max(panel.row_count(size) for panel in panels)
            for place, panel in enumerate(panels):
                items += panel.place_items(MARGIN + place * (width + GAP), top, rows, size)
            top += panels[0].panel_height(rows, size) + GAP
        return Layout(top - GAP + EDGE, tuple(items))

    @property
    def column_count(self) -> int:
        """The number of panels side by side."""
        sides = self.picture.view.sides
        alone = all(len(side.seats) == 1 for side in sides)
        return 2 if alone and len(sides) >= TWO_COLUMNS and not self.is_narrow else 1

    def sides_by_line(self) -> list[list[int] | None]:
        """Return the sides in each line from top to bottom; None is the line of stock and pile."""
        sides = list(range(len(self.picture.view.sides)))
        if len(sides) == 2:
            return [[0], None, [1]]
        return [None, *(sides[place : place + self.column_count] for place in range(0, len(sides), self.column_count))]

    def place_strip(self, top: float) -> Iterator[Item]:
        """Place stock, pile, and the texts about the turn."""
        view = self.picture.view
        stock = Box(20, top + 8, *PILE_CARD)
        if view.stock:
            yield StackEdges(stock, min(3, view.stock - 1))
            yield CardBack(stock)
            yield from place_count_badge(str(view.stock), stock.centre, stock.middle, ruler=self.ruler)
        else:
            yield from place_empty_space(stock, ruler=self.ruler)
        pile = Box(114, top + 8, *PILE_CARD)
        yield from self.place_pile(pile)
        if view.pile.frozen:
            snapshot = ChipStyle(CHIP, Ink.FROZEN, Ink.FROZEN_TEXT, Ink.FROZEN_EDGE, Sign.SNOWFLAKE, 16)
            text, left = self.picture.words.frozen.upper(), pile.left - 4
            tag = chip_items(
                text, snapshot, (left, pile.bottom - 5), ruler=self.ruler, limit=MOST_FROZEN, least=READABLE
            )
            if right_edge(tag) > PILE_END:
                at = (PILE_END, pile.bottom - 5)
                tag = chip_items(
                    text, snapshot, at, ruler=self.ruler, limit=MOST_FROZEN, from_right=True, least=READABLE
                )
            yield from tag
        if self.is_narrow:
            yield from self.place_deal_chips(CHIPS_LEFT, top + 8)
            yield from self.place_turn_texts(14, top + self.strip_height - 4, self.width - 28)
        else:
            yield from self.place_turn_texts(STORY_LEFT, top, self.width - MARGIN - STORY_LEFT)
            yield from self.place_deal_chip(STORY_LEFT, top + STRIP + NOTE_LINE * self.added_line_count - 22.0)

    def place_pile(self, box: Box) -> Iterator[Item]:
        """Place the pile: its top card, its count, and what shows that it is frozen.

        That is a blue frame, and crosswise the card that froze it.
        """
        pile = self.picture.view.pile
        if pile.cards and pile.freezer is not None and pile.frozen:
            across = Box(box.left - CROSS_SHOWN, box.bottom - PILE_CARD[0] - 1, box.height, box.width)
            yield CrosswiseCard(pile.freezer, across)
        frame = Ink.FROZEN_FRAME if pile.frozen else None
        yield from place_pile(pile, box, frame, beside=(9, 22), ruler=self.ruler)

    def place_turn_texts(self, left: float, top: float, width: float) -> Iterator[Item]:
        """Place the texts about the turn: headline, advice and notes."""
        picture, ruler = self.picture, self.ruler
        crowded = self.is_chip_too_long and not self.is_narrow
        room = MOST_LINES - crowded + self.added_line_count
        heads, style = self.fitted_headline(width)
        texts = self.note_lines(width)[: max(0, room - len(heads) - 1)]
        most = min(2, room - len(heads) - len(texts))
        advice = wrap_text(picture.advice, ADVICE, width, most, ruler)
        lines = [(line, style, Ink.TEXT) for line in heads]
        lines += [(line, ADVICE, Ink.GOLD) for line in advice]
        lines += [(note, SMALL, Ink.FELT_SECONDARY) for note in texts]
        tight = len(lines) > 3 or crowded
        baseline = top + (18.5 if tight else 22.5 if len(lines) > 2 else 25.5)
        for number, (line, wanted, ink) in enumerate(lines):
            baseline += 0 if not number else 17.5 if number < len(heads) else NOTE_LINE if tight else 18
            text, style = fit_text(line, wanted, width, ruler, least=READABLE)
            yield text_on_baseline(text, left, baseline, style, ink, ruler=ruler)

    def note_lines(self, width: float) -> list[str]:
        """Return the notes about the table, in lines."""
        picture = self.picture
        told = table_notes(picture.view, picture.names, picture.words, cards_with_signs)
        return [line for note in told for line in wrap_text(note, SMALL, width, 2, self.ruler)][:MOST_NOTES]

    @property
    def added_line_count(self) -> int:
        """The number of lines by which notes make the strip taller.

        It is two for each note, whatever the names in it.
        """
        picture = self.picture
        notes = len(list(table_notes(picture.view, picture.names, picture.words, cards_with_signs)))
        crowded = self.is_chip_too_long and not self.is_narrow
        return max(0, 2 + min(2 * notes, MOST_NOTES) - (MOST_LINES - crowded))

    def fitted_headline(self, width: float) -> tuple[list[str], Style]:
        """Return the headline in up to three lines, and its style; a name is cut only if longer than a line."""
        picture, ruler = self.picture, self.ruler
        actor, words = picture.view.actor, picture.words
        name = "" if actor is None else drawable_text(seat_name(picture.names, actor, words), ruler.can_draw)
        text = drawable_text(picture.headline, ruler.can_draw) or (words.to_play.format(name=name) if name else "")
        if ruler.width(text, SMALLEST_ALONE) <= width:
            return [text], HEADLINE
        least = replace(HEADLINE, size=READABLE)
        if name and ruler.width(f"{name},", least) > width:
            text = text.replace(name, shorten_text(name, least, width - ruler.width(",", least), ruler), 1)
        broken = [(wrap_text(text, style, width, 2, ruler), style) for style in TWO_LINES]
        fitting = (told for told in broken if all(ruler.width(line, told[1]) <= width for line in told[0]))
        last = TWO_LINES[-1]
        return next(fitting, (wrap_text(text, last, width, 3, ruler), last))

    @property
    def deal_texts(self) -> list[str]:
        """The texts about the deal: its number, the target, and the name of the rules."""
        view, words = self.picture.view, self.picture.words
        texts = [words.deal.format(n=view.deal), words.game_end_text(view.rules.target, view.rules.rounds)]
        return [*texts, self.picture.rules_name] if self.picture.rules_name else texts

    @property
    def is_chip_too_long(self) -> bool:
        """Return whether the texts about the deal are too long for one chip."""
        return self.ruler.width(SEPARATOR.join(self.deal_texts), LEAST) > self.width - 8 - STORY_LEFT - 2 * CHIP_PAD

    @property
    def chip_lines(self) -> list[str]:
        """The texts about the deal as lines of chips.

        There are as few lines as possible; a long name of the rules needs several.
        """
        words = self.deal_texts
        if self.is_narrow:
            room = self.width - MARGIN - CHIPS_LEFT - 2 * CHIP_PAD
            return [line for text in words for line in self.break_into_lines(text, room)]
        if not self.is_chip_too_long:
            return [SEPARATOR.join(words)]
        *texts, name = words
        room = self.width - 8 - STORY_LEFT - 2 * CHIP_PAD
        apart = [SEPARATOR.join(texts), *self.break_into_lines(name, room)]
        together = self.break_into_lines(SEPARATOR.join(words), room)
        return together if len(together) < len(apart) else apart

    def break_into_lines(self, text: str, room: float) -> list[str]:
        """Return a text in lines that fit into chips of the width `room`."""
        return [line.removesuffix(SEPARATOR.rstrip()) for line in wrap_text(text, LEAST, room, MOST_CHIPS, self.ruler)]

    @property
    def strip_height(self) -> float:
        """The height of the strip of stock and pile, larger if the rules have a very long name."""
        lines = max(0, len(self.chip_lines) - (USUAL_NARROW if self.is_narrow else USUAL_WIDE))
        return STRIP + CHIP_LINE * lines + (0 if self.is_narrow else NOTE_LINE * self.added_line_count)

    def place_deal_chip(self, left: float, top: float) -> Iterator[Item]:
        """Place the texts about the deal in one chip or, if they are too long, in several."""
        limit = self.width - 8 - left
        lines = self.chip_lines
        several = len(lines) > 1
        snapshot = ChipStyle(COUNT, Ink.CHIP, Ink.SECONDARY, Ink.CHIP_EDGE, None, 17 if several else 19)
        for number, text in enumerate(lines):
            at = (left, top + CHIP_LINE * number - 15 * several)
            yield from chip_items(text, snapshot, at, ruler=self.ruler, limit=limit, least=READABLE)

    def place_deal_chips(self, left: float, top: float) -> Iterator[Item]:
        """Place each text about the deal in its own chip, one below the other."""
        lines = self.chip_lines
        close = len(lines) > USUAL_NARROW
        snapshot = ChipStyle(COUNT, Ink.CHIP, Ink.SECONDARY, Ink.CHIP_EDGE, None, 18 if close else 20)
        pitch = (self.strip_height - 17) / len(lines) if close else 25
        for number, text in enumerate(lines):
            at = (left, top + pitch * number)
            yield from chip_items(
                text, snapshot, at, ruler=self.ruler, limit=self.width - MARGIN - left, least=READABLE
            )
