"""Layout of the strip above a hand: pile, melds of each side, everyone's number of cards, stock.

Melds are small tiles in few lines, and smaller if there are many. If even the smallest do not fit, canastas are grouped
with their number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from bot.engine.cards.cards import Suit
from bot.engine.table.views import SideView
from render.drawing.text_fitting import READABLE, Ruler, fit_name, text_in_box, text_on_baseline, wrap_text
from render.layout_items import SIDE_INKS, Box, Ink, Item, MeldTile, Plate, Sign, Style, Symbol
from render.layouts.pile import place_pile
from render.layouts.side_panel import COLOURS, Canasta, ShownMeld, canasta_words, to_shown_meld
from render.layouts.table_notes import cards_with_signs, is_frozen_for, seat_name, sides_with_own_first, table_notes
from render.picture_inputs import HandPicture
from render.picture_words import TIMES, PictureWords, rank_text

LABEL: Final = Style(700, READABLE)

WIDEST_TILE: Final = 42.0
"""Largest width of a set's tile, for the word on a canasta."""

MORE_WIDTH: Final = 24.0
"""Width for the number of melds that are left out."""


@dataclass(frozen=True, slots=True)
class TileSizes:
    """Sizes of the tiles of melds.

    The width of a set and of a run, the height, the height of the label, and the gap between two.
    """

    width: float
    run_width: float
    height: float
    pill: float
    gap: float


# With a smaller gap a tile's shadow would cover its neighbour.
LARGE: Final = TileSizes(35.0, 46.0, 39.0, 16.0, 3.5)
SMALL: Final = TileSizes(30.0, 40.0, 36.0, 15.5, 3.0)


@dataclass(frozen=True, slots=True)
class ArrangedMelds:
    """The melds of a side as lines of tiles, without final positions, and how many did not fit."""

    size: TileSizes
    lines: tuple[tuple[MeldTile, ...], ...]
    left_out: int = 0

    @property
    def height(self) -> float:
        """The height of all lines of melds together."""
        return self.size.height * len(self.lines) + self.size.gap * max(0, len(self.lines) - 1)


def arrange_melds(
    melds: Sequence[ShownMeld],
    room: float,
    sizes: Sequence[tuple[TileSizes, int]],
    words: PictureWords,
    *,
    ruler: Ruler,
) -> ArrangedMelds:
    """Return the melds as lines of tiles, in the largest size that fits.

    In the smallest size canastas are grouped by kind if needed; then the last melds are left out.
    """
    for size, most in sizes:
        lines = _break_into_lines([small_tile(meld, size, words, ruler=ruler) for meld in melds], room, size.gap)
        if len(lines) <= most:
            return ArrangedMelds(size, lines)
    size, most = sizes[-1]
    tiles = _grouped_tiles(melds, size, words, ruler)
    lines, left_out = _break_into_lines(tiles, room, size.gap), 0
    while len(lines) > most or (
        left_out and len(lines) == most and _line_width(lines[-1], size.gap) > room - MORE_WIDTH
    ):
        left_out += 1
        lines = _break_into_lines(tiles[:-left_out], room, size.gap)
    return ArrangedMelds(size, lines, left_out)


def small_tile(meld: ShownMeld, size: TileSizes, words: PictureWords, *, ruler: Ruler) -> MeldTile:
    """Return a meld as a small tile.

    Its label has the size and wild cards, or the kind of canasta.
    """
    mark = tuple(rank_text(rank) for rank in meld.ranks)
    if meld.canasta:
        return _canasta_tile(meld.canasta, mark, size, words, ruler=ruler, suit=meld.suit)
    box = Box(0, 0, size.run_width if meld.kind == "run" else size.width, size.height)
    return MeldTile(
        box, mark, "", len(meld.wild), "plain", label=str(meld.size), style=LABEL, suit=meld.suit, pill=size.pill
    )


def _canasta_tile(
    kind: Canasta,
    mark: tuple[str, ...],
    size: TileSizes,
    words: PictureWords,
    *,
    ruler: Ruler,
    suit: Suit | None = None,
) -> MeldTile:
    """Return the tile of a canasta, or of several of a kind with their number as the mark."""
    word, usual = canasta_words(words)[kind], size.run_width if suit is not None else size.width
    while len(word) > 1 and ruler.width(word, LABEL) > max(usual, WIDEST_TILE) - 3:
        word = word[:-1]
    box = Box(0, 0, max(usual, ruler.width(word, LABEL) + 3), size.height)
    return MeldTile(box, mark, "", 0, COLOURS[kind], label=word, style=LABEL, suit=suit, pill=size.pill)


def _grouped_tiles(melds: Sequence[ShownMeld], size: TileSizes, words: PictureWords, ruler: Ruler) -> list[MeldTile]:
    """Return the tiles of the melds, with one tile for all canastas of a kind that occurs several times."""
    kinds = Counter(meld.canasta for meld in melds if meld.canasta)
    several = {kind: count for kind, count in kinds.items() if count > 1}
    gathered = [_canasta_tile(kind, (f"{TIMES}{count}",), size, words, ruler=ruler) for kind, count in several.items()]
    return gathered + [small_tile(meld, size, words, ruler=ruler) for meld in melds if meld.canasta not in several]


def _break_into_lines(tiles: Sequence[MeldTile], room: float, gap: float) -> tuple[tuple[MeldTile, ...], ...]:
    """Return the tiles in as few lines of the width `room` as possible."""
    lines: list[tuple[MeldTile, ...]] = []
    for tile in tiles:
        longer = (*lines[-1], tile) if lines else (tile,)
        if lines and _line_width(longer, gap) <= room:
            lines[-1] = longer
        else:
            lines.append((tile,))
    return tuple(lines)


def _line_width(line: Sequence[MeldTile], gap: float) -> float:
    """Return the width of a line of tiles."""
    return sum(tile.box.width for tile in line) + gap * (len(line) - 1)


TOP: Final = 7.0
BOTTOM: Final = 7.5
ROW_GAP: Final = 5.0
COLUMN_GAP: Final = 9.0

CARD: Final = (46.0, 64.4)
PILE_LEFT: Final = 13.0
SIDES_LEFT: Final = 75.0
HIDDEN: Final = 19.0
"""Width of the pile's cards face down next to it."""

RIGHT: Final = 10.0
BAR: Final = 3.5
MELDS_LEFT: Final = 9.0
"""Left edge of melds within their side."""

LINE: Final = 17.0
"""Height of a line of text."""

WIDEST_NAMES: Final = 0.27
"""Largest share of the picture's width for names next to melds."""

SIDES_ABREAST: Final = 4
"""From this number of sides on, two are side by side, each with its numbers above its melds."""

COUNTS: Final = 18.0
"""Height of the line of numbers above melds."""

MOST_NOTES: Final = 4

NAME: Final = Style(600, 15.0)
COUNT: Final = Style(800, 15.0)
NOTE: Final = Style(500, READABLE)

LabelledNumber: TypeAlias = tuple[str, str]
"""A name or a word, and the number that belongs to it."""


@dataclass(frozen=True, slots=True)
class _StripSide:
    """One side in the strip above a hand: its numbers of cards, its melds, and its height."""

    view: SideView
    counts: tuple[LabelledNumber, ...]
    melds: ArrangedMelds
    height: float


@dataclass(frozen=True, slots=True)
class Strip:
    """The finished strip above a hand: its height and items."""

    height: float = 0.0
    items: tuple[Item, ...] = ()


def strip_layout(picture: HandPicture, ruler: Ruler, width: float) -> Strip:
    """Return the strip of a hand's picture; empty if the picture has no names."""
    return _StripBuilder(picture, ruler, width).build_strip() if picture.names else Strip()


@dataclass(frozen=True, slots=True)
class _StripBuilder:
    """Builds the layout of the strip above a hand."""

    picture: HandPicture
    ruler: Ruler
    width: float

    def build_strip(self) -> Strip:
        sides = self.arranged_sides()
        step = 2 if self.are_sides_abreast else 1
        rows = [sides[place : place + step] for place in range(0, len(sides), step)]
        texts = self.note_lines()
        heights = [max(side.height for side in row) for row in rows]
        below = TOP + sum(heights) + ROW_GAP * (len(rows) - 1)
        height = below + LINE * len(texts) + BOTTOM
        items: list[Item] = [Plate(Box(0, 0, self.width, height), 0, Ink.PANEL)]
        items.append(Plate(Box(0, height - 1, self.width, 1), 0, Ink.LINE))
        items += self.place_pile(Box(PILE_LEFT, max(TOP + 4, (TOP + below - CARD[1]) / 2 + 1), *CARD))
        top = TOP
        for row, high in zip(rows, heights, strict=True):
            for place, side in enumerate(row):
                items += self.place_side(
                    side, Box(self.left_edge + place * (self.side_width + COLUMN_GAP), top, self.side_width, high)
                )
            top += high + ROW_GAP
        for number, note in enumerate(texts):
            line = Box(RIGHT, below + 2 + LINE * number, self.width - 2 * RIGHT, LINE)
            items.append(text_in_box(note, line, NOTE, Ink.SECONDARY, ruler=self.ruler, anchor="left", least=READABLE))
        return Strip(height, tuple(items))

    # --- areas --------------------------------------------------------------------------------------------------------

    @property
    def are_sides_abreast(self) -> bool:
        """Return whether the strip shows two sides next to each other."""
        return len(self.picture.view.table.sides) >= SIDES_ABREAST

    @property
    def left_edge(self) -> float:
        """The left edge of the sides."""
        pile = self.picture.view.table.pile
        return SIDES_LEFT + (HIDDEN if pile.hidden and pile.cards else 0)

    @property
    def side_width(self) -> float:
        """The width of a side."""
        room = self.width - RIGHT - self.left_edge
        return (room - COLUMN_GAP) / 2 if self.are_sides_abreast else room

    def arranged_sides(self) -> tuple[_StripSide, ...]:
        """Return the sides in the order of the strip: the viewer's first, then the others."""
        views = sides_with_own_first(self.picture.view)
        counts = [self.numbers_of_side(side) for side in views]
        room = self.side_width - MELDS_LEFT
        if not self.are_sides_abreast:
            room -= self.counts_width([count for those in counts for count in those]) + 8
        sizes = ((SMALL, 2),) if self.are_sides_abreast else ((LARGE, 1), (SMALL, 3 if len(views) == 2 else 2))
        sides = []
        for view, told in zip(views, counts, strict=True):
            melds = arrange_melds(
                [to_shown_meld(meld) for meld in view.melds], room, sizes, self.picture.words, ruler=self.ruler
            )
            if self.are_sides_abreast:
                height = COUNTS * self.number_of_count_lines + max(SMALL.height, melds.height)
            else:
                height = max(LARGE.height, melds.height, LINE * len(told))
            sides.append(_StripSide(view, told, melds, height))
        return tuple(sides)

    @property
    def number_of_count_lines(self) -> int:
        """The number of lines of numbers above the melds: two if they do not fit in one for some side."""
        words = {self.picture.words.stock, self.picture.words.foot_short, self.picture.words.talon_short}
        for side in sides_with_own_first(self.picture.view):
            wanted = sum(self.ruler.width(f"{name} {held}", NAME) + 11 for name, held in self.numbers_of_side(side))
            if wanted > self.side_width - MELDS_LEFT and any(name in words for name, _ in self.numbers_of_side(side)):
                return 2
        return 1

    def numbers_of_side(self, side: SideView) -> tuple[LabelledNumber, ...]:
        """Return the numbers of cards to show for a side.

        They are those of its seats except the viewer's; for the viewer's side also stock, foot and bonus cards.
        """
        names, view, words = self.picture.names, self.picture.view, self.picture.words
        told: list[LabelledNumber] = []
        for info in (view.table.seats[seat] for seat in side.seats if seat != view.seat):
            held = f"{info.cards}+{info.face_down_cards}" if info.face_down_cards else str(info.cards)
            told.append((seat_name(names, info.seat, words), held))
        if side is view.side:
            told.append((words.stock, str(view.table.stock)))
            waiting = ((words.foot_short, view.foot_size), (words.talon_short, view.talon_size))
            told += [(word, str(count)) for word, count in waiting if count]
        return tuple(told)

    def note_lines(self) -> list[str]:
        """Return the notes about the table, in lines."""
        picture, room = self.picture, self.width - 2 * RIGHT
        told = table_notes(picture.view.table, picture.names, picture.words, cards_with_signs)
        return [line for note in told for line in wrap_text(note, NOTE, room, 2, self.ruler)][:MOST_NOTES]

    # --- items --------------------------------------------------------------------------------------------------------

    def place_pile(self, box: Box) -> Iterator[Item]:
        """Place the pile with a frame if it is frozen for all, and a snowflake if frozen for the viewer."""
        pile = self.picture.view.table.pile
        frame = Ink.FROZEN_FRAME if pile.frozen else None
        yield from place_pile(pile, box, frame, beside=(8, 18), ruler=self.ruler)
        if is_frozen_for(self.picture.view):
            plate = Box(box.left - 7, box.bottom - 15, 18, 18)
            yield Plate(plate, 9, Ink.FROZEN, Ink.FROZEN_EDGE)
            yield Symbol(Sign.SNOWFLAKE, Box(plate.left + 3.2, plate.top + 3.2, 11.6, 11.6), Ink.FROZEN_TEXT)

    def place_side(self, side: _StripSide, box: Box) -> Iterator[Item]:
        """Place a bar in the side's colour, its melds and its numbers."""
        yield Plate(Box(box.left, box.top, BAR, box.height), BAR / 2, SIDE_INKS[side.view.side % len(SIDE_INKS)])
        left = box.left + MELDS_LEFT
        if self.are_sides_abreast:
            above = COUNTS * self.number_of_count_lines
            for line, counts in enumerate(_split_counts(side.counts, self.number_of_count_lines)):
                yield from self.place_counts_above(counts, Box(left, box.top + COUNTS * line, box.right - left, COUNTS))
            yield from self.place_melds(side, Box(left, box.top + above, box.right - left, side.height - above))
        else:
            right = box.right - self.counts_width(list(side.counts))
            yield from self.place_melds(side, Box(left, box.top, right - left, box.height))
            yield from self.place_counts_beside(side, box)

    def place_melds(self, side: _StripSide, box: Box) -> Iterator[Item]:
        """Place the lines of melds in the middle of the box, or a text if there are none."""
        if not side.melds.lines:
            own = side.view is self.picture.view.side
            style, ink = NAME, Ink.GOLD if own else Ink.SECONDARY
            yield text_in_box(
                self.picture.words.no_melds, box, style, ink, ruler=self.ruler, anchor="left", least=READABLE
            )
            return
        size, top, x = side.melds.size, box.middle - side.melds.height / 2, box.left
        for line in side.melds.lines:
            x = box.left
            for tile in line:
                yield replace(tile, box=Box(x, top, tile.box.width, tile.box.height))
                x += tile.box.width + size.gap
            top += size.height + size.gap
        if side.melds.left_out:
            last = top - size.gap - size.height / 2 + 4
            yield text_on_baseline(f"+{side.melds.left_out}", x + 2, last, COUNT, Ink.TEXT, ruler=self.ruler)

    def counts_width(self, counts: list[LabelledNumber]) -> float:
        """Return the width of these numbers next to melds."""
        return self.names_width(counts) + 5 + max((self.ruler.width(held, COUNT) for _, held in counts), default=0)

    def names_width(self, counts: list[LabelledNumber]) -> float:
        """Return the width of the names of these numbers."""
        widest = max((self.ruler.width(name, NAME) for name, _ in counts), default=0)
        return min(widest, WIDEST_NAMES * self.width)

    def place_counts_beside(self, side: _StripSide, box: Box) -> Iterator[Item]:
        """Place numbers one below the other at the right, each after its name."""
        names = box.right - 5 - max((self.ruler.width(held, COUNT) for _, held in side.counts), default=0)
        baseline = box.middle - LINE * len(side.counts) / 2 + 13.8
        for name, held in side.counts:
            text, style = fit_name(name, NAME, WIDEST_NAMES * self.width, self.ruler, least=READABLE)
            yield text_on_baseline(text, names, baseline, style, Ink.SECONDARY, ruler=self.ruler, anchor="right")
            yield text_on_baseline(held, box.right, baseline, COUNT, Ink.TEXT, ruler=self.ruler, anchor="right")
            baseline += LINE

    def place_counts_above(self, counts: Sequence[LabelledNumber], box: Box) -> Iterator[Item]:
        """Place numbers side by side, each after its name."""
        x, baseline = box.left, box.top + 12.5
        numbers = sum(self.ruler.width(held, COUNT) + 11 for _, held in counts)
        wanted = sum(self.ruler.width(name, NAME) for name, _ in counts)
        share = min(1.0, max(0.0, box.width + 7 - numbers) / max(1.0, wanted))
        for name, held in counts:
            text, style = fit_name(name, NAME, self.ruler.width(name, NAME) * share, self.ruler, least=READABLE)
            label = text_on_baseline(text, x, baseline, style, Ink.SECONDARY, ruler=self.ruler)
            number = text_on_baseline(held, label.box.right + 4, baseline, COUNT, Ink.TEXT, ruler=self.ruler)
            yield label
            yield number
            x = number.box.right + 7


def _split_counts(counts: tuple[LabelledNumber, ...], lines: int) -> list[tuple[LabelledNumber, ...]]:
    """Return the numbers split into `lines` lines, one or two.

    The first line has one more if their number is odd.
    """
    if lines == 1:
        return [counts]
    half = (len(counts) + 1) // 2
    return [counts[:half], counts[half:]]
