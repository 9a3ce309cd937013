"""Where the cards of a hand go: in a rack, by rank, every index free."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from typing import Final

from bot.engine.cards import ACE, JOKER, TWO, Card, kind_of, suit_of
from render.inputs import HandOrder, HandPicture
from render.items import WIDTH, Box, Deck, Face, Ink, Item, LargeSuit, Layout, Plate, Rail, Sign, Style
from render.typeset import ChipLook, Ruler, chip, fit, left_of, right_of, text_at, text_in

CARD: Final = (66.0, 92.0)
SHOWN: Final = 64.0
"""How much of a card stands above the rail."""

RAIL: Final = 17.0
LIFT: Final = 8.5
MARGIN: Final = 10.0
HEADER: Final = 30.0
ROW: Final = 99.0
GROUP_GAP: Final = 7.0
WIDEST_STEP: Final = 40.0
NARROWEST_STEP: Final = 26.0
"""The strip of a card that its neighbour leaves free; the index of a ten just fits."""

INK_ON: Final[Mapping[Ink | None, Ink]] = {
    None: Ink.RAIL_TEXT,
    Ink.CHOSEN: Ink.CHOSEN_TEXT,
    Ink.STAGED: Ink.STAGED_TEXT,
    Ink.FRESH: Ink.FRESH_TEXT,
}
"""The colour of a number by the mark it stands on."""

LIFTED: Final = (Ink.CHOSEN, Ink.STAGED)
"""Cards with these marks stand higher."""

TITLE: Final = Style(700, 15.5)
NOTE: Final = Style(500, 12.4)
CHIP: Final = Style(700, 12.0)
LABEL: Final = Style(700, 11.5)

FIRST_CHIP: Final = 11.0
CHIP_LINE: Final = 23.0
"""Chips that have no room beside the title stand in a line below it."""


def room_of(width: float) -> float:
    """What all steps and gaps of a row may take up together in a picture that wide."""
    return width - 2 * MARGIN - CARD[0]


def place_of(card: Card) -> tuple[int, int]:
    """Aces first, then down to the threes, then jokers and twos; suits in their own order."""
    kind = kind_of(card)
    return ({JOKER: 100, TWO: 101}.get(kind, 50 - kind if kind <= ACE else 99), suit_of(card))


def hand_order(hand: Sequence[Card]) -> tuple[Card, ...]:
    """The cards by rank."""
    return tuple(sorted(hand, key=place_of))


def ordered(picture: HandPicture) -> tuple[Card, ...]:
    """The cards of the hand in the order that is asked for."""
    hand = hand_order(picture.view.hand)
    if picture.order is HandOrder.VALUE:
        values = picture.view.table.rules.card_values
        return tuple(sorted(hand, key=lambda card: -values[kind_of(card)]))
    if picture.order is HandOrder.DRAWN:
        left = Counter(hand)
        late: list[Card] = []
        for card in reversed(picture.drawn):
            if left[card]:
                left[card] -= 1
                late.append(card)
        return (*hand_order(tuple(left.elements())), *reversed(late))
    return hand


@dataclass(frozen=True, slots=True)
class Row:
    """The lengths of the rank groups in one row, the room it has, and the gap between groups."""

    groups: tuple[int, ...]
    room: float = room_of(WIDTH)
    gap: float = GROUP_GAP

    @property
    def cards(self) -> int:
        """How many cards stand in it."""
        return sum(self.groups)

    @property
    def step(self) -> float:
        """From one card to the next of its group."""
        if self.cards < 2:
            return WIDEST_STEP
        return min(WIDEST_STEP, (self.room - self.gap * (len(self.groups) - 1)) / (self.cards - 1))

    @property
    def width(self) -> float:
        """From the first card's left to the last card's right."""
        return CARD[0] + self.step * (self.cards - 1) + self.gap * (len(self.groups) - 1)


@lru_cache(maxsize=256)
def rows_of(groups: tuple[int, ...], width: float = WIDTH) -> tuple[Row, ...]:
    """The rank groups dealt out to rows: 1 up to 7 cards, 2 up to 20, more above, and never too narrow a step.

    Pictures with fewer units have fewer cards a row.
    """
    room = room_of(width)
    longest = _longest(room)
    blocks: list[int] = []
    for size in groups:
        blocks += [longest] * (size // longest) + ([size % longest] if size % longest else [])
    for count in range(min(_wanted(sum(blocks), width), len(blocks)), len(blocks) + 1):
        rows = _partition(tuple(blocks), count, room)
        if all(row.step >= NARROWEST_STEP for row in rows):
            return rows
    return tuple(Row((size,), room) for size in blocks)


def even_rows(cards: int, width: float = WIDTH) -> tuple[Row, ...]:
    """The cards dealt out evenly to rows without groups."""
    room = room_of(width)
    count = max(_wanted(cards, width), -(-cards // _longest(room)))
    sizes = [(cards + number) // count for number in reversed(range(count))]
    return tuple(Row((size,), room, 0.0) for size in sizes if size)


def _longest(room: float) -> int:
    """The most cards in a row."""
    return int(room // NARROWEST_STEP) + 1


def _wanted(cards: int, width: float) -> int:
    """How many rows look best."""
    share = width / WIDTH
    return 1 if cards <= 7 * share else 2 if cards <= 20 * share else 3


def _partition(blocks: tuple[int, ...], count: int, room: float) -> tuple[Row, ...]:
    """The blocks in that many rows, the narrowest step as wide as can be, then as even as can be."""

    @cache
    def best(start: int, left: int) -> tuple[tuple[float, int], tuple[Row, ...]]:
        if left == 1:
            row = Row(blocks[start:], room)
            return (-row.step, row.cards**2), (row,)
        choices = []
        for end in range(start + 1, len(blocks) - left + 2):
            row = Row(blocks[start:end], room)
            (step, squares), rest = best(end, left - 1)
            choices.append(((max(-row.step, step), row.cards**2 + squares), (row, *rest)))
        return min(choices, key=lambda choice: choice[0])

    return best(0, max(1, count))[1] if blocks else ()


def hand_layout(picture: HandPicture, ruler: Ruler, width: float) -> Layout:
    """The hand as placed things; private to its holder."""
    return _Rack(picture, ruler, width).layout()


@dataclass(frozen=True, slots=True)
class _Rack:
    """One hand being laid out."""

    picture: HandPicture
    ruler: Ruler
    width: float

    def layout(self) -> Layout:
        hand = ordered(self.picture)
        rows = self.rows(hand)
        marks = _marks(self.picture, hand)
        chips, lines = self.chips_below() if self.lines_below else (self.chips_beside(), 0)
        header = HEADER + CHIP_LINE * lines
        items: list[Item] = [item for one in chips for item in one]
        right = self.width - MARGIN if lines else min((left_of(one) for one in chips), default=self.width - MARGIN)
        items += self.header(right)
        first = 0
        for number, row in enumerate(rows):
            top = header + (ROW - SHOWN - RAIL) / 2 + 1 + ROW * number
            items += self.row(row, hand[first : first + row.cards], marks[first : first + row.cards], first, top)
            first += row.cards
        return Layout(header + ROW * max(1, len(rows)), tuple(items))

    @property
    def lines_below(self) -> bool:
        """Whether chips need lines of their own."""
        return self.width < WIDTH or bool(self.picture.view.foot or self.picture.view.talon)

    def rows(self, hand: Sequence[Card]) -> tuple[Row, ...]:
        """By rank, ranks stay together; as drawn, a row may end anywhere."""
        if self.picture.order is HandOrder.DRAWN:
            return even_rows(len(hand), self.width)
        return rows_of(tuple(len(list(group)) for _, group in groupby(hand, key=kind_of)), self.width)

    def header(self, right: float) -> Iterator[Item]:
        """Title, then counts as far as there is room."""
        view, words = self.picture.view, self.picture.words
        title, style = fit(self.picture.title or words.your_hand, TITLE, 150, self.ruler)
        head = text_at(title, 12.5, 21, style, Ink.TEXT, ruler=self.ruler)
        yield head
        count = words.cards_held(len(view.hand))
        note = f"{count} · {words.points.format(n=words.number(view.hand_points))}"
        room = right - head.box.right - 14
        for text in (note, count):
            if self.ruler.width(text, NOTE) <= room:
                yield text_at(text, head.box.right + 8, 21, NOTE, Ink.FELT_SECONDARY, ruler=self.ruler)
                break

    def chips_beside(self) -> list[tuple[Item, ...]]:
        """From the right of the title's line."""
        chips: list[tuple[Item, ...]] = []
        right = self.width - MARGIN
        for text, look in self.chips():
            chips.append(chip(text, look, (right, 6), ruler=self.ruler, limit=125, from_right=True))
            right = left_of(chips[-1]) - 5
        return chips

    def chips_below(self) -> tuple[list[tuple[Item, ...]], int]:
        """From the left of the line below it, and how many lines they fill."""
        chips: list[tuple[Item, ...]] = []
        left, line = FIRST_CHIP, 0
        for text, look in list(self.chips())[::-1]:
            limit = self.width - MARGIN - FIRST_CHIP
            placed = chip(text, look, (left, HEADER - 1 + CHIP_LINE * line), ruler=self.ruler, limit=limit)
            if right_of(placed) > self.width - MARGIN:
                left, line = FIRST_CHIP, line + 1
                placed = chip(text, look, (left, HEADER - 1 + CHIP_LINE * line), ruler=self.ruler, limit=limit)
            chips.append(placed)
            left = right_of(placed) + 5
        return chips, max(1, line + 1)

    def chips(self) -> Iterator[tuple[str, ChipLook]]:
        """What the chips say, the outermost first."""
        view, words = self.picture.view, self.picture.words
        plain = ChipLook(CHIP, Ink.CHIP, Ink.SECONDARY, Ink.CHIP_EDGE, Sign.CARDS)
        if view.talon:
            yield words.talon.format(n=view.talon), plain
        if view.foot:
            yield words.foot.format(n=view.foot), plain
        if view.table.pile.frozen:
            look = ChipLook(CHIP, Ink.FROZEN, Ink.FROZEN_TEXT, Ink.FROZEN_EDGE, Sign.SNOWFLAKE)
            yield words.frozen, look
        if not view.side.opened or self.picture.staged:
            laid, minimum = view.laid_points + self.picture.staged_points, view.side.minimum
            enough = view.side.opened or laid >= minimum
            amount = words.number(laid if view.side.opened else minimum)
            if laid and not view.side.opened:
                amount = f"{words.number(laid)} / {amount}"
            look = ChipLook(CHIP, Ink.CHIP, Ink.GOLD, Ink.CHIP_EDGE, Sign.STAR)
            if enough:
                look = ChipLook(CHIP, Ink.STAGED, Ink.STAGED_TEXT, None, Sign.TICK)
            yield words.meld.format(n=amount), look

    def row(
        self, row: Row, cards: Sequence[Card], marks: Sequence[Ink | None], first: int, top: float
    ) -> Iterator[Item]:
        """One row of cards, its rail and the numbers on it."""
        lefts, notches = self.places(row)
        edges = [*lefts[1:], lefts[-1] + CARD[0]] if lefts else []
        for place, (card, left, mark) in enumerate(zip(cards, lefts, marks, strict=True)):
            lifted = LIFT if mark in LIFTED else 0.0
            # Beside a lifted card, its neighbour's lower top lets it be seen whole.
            whole = lifted and place + 1 < len(marks) and marks[place + 1] not in LIFTED
            shown = (CARD[0] if whole else edges[place] - left, SHOWN + lifted)
            yield Face(card, Box(left, top - lifted, *CARD), mark if lifted else None, shown, first + place + 1)
            joker = kind_of(card) == JOKER
            if place == len(cards) - 1 and (joker or self.picture.deck is Deck.FOUR_COLOUR):
                suit = None if joker else suit_of(card)
                yield LargeSuit(suit, Box(left + 34, top - lifted + 18, 26, 26))
        rail = Box(6, top + SHOWN, self.width - 12, RAIL)
        yield Rail(rail, tuple(notch - rail.left for notch in notches))
        for place, (left, mark) in enumerate(zip(lefts, marks, strict=True)):
            yield from _label(str(first + place + 1), left + 14, rail, mark, self.ruler)

    def places(self, row: Row) -> tuple[list[float], list[float]]:
        """The left edges of the cards, and where the rail is notched."""
        x = (self.width - row.width) / 2
        lefts: list[float] = []
        notches: list[float] = []
        for size in row.groups:
            if lefts and row.gap:
                notches.append(x - row.gap / 2)
            for _ in range(size):
                lefts.append(x)
                x += row.step
            x += row.gap
        return lefts, notches


def _marks(picture: HandPicture, hand: Sequence[Card]) -> list[Ink | None]:
    """The mark of each card of the hand: selected, staged, newly come, or none."""
    staged = Counter(card for meld in picture.staged for card in meld)
    selected = Counter(picture.selected)
    fresh = Counter(picture.view.fresh)
    marks: list[Ink | None] = []
    for card in reversed(hand):
        for wanted, ink in ((staged, Ink.STAGED), (selected, Ink.CHOSEN), (fresh, Ink.FRESH)):
            if wanted[card] > 0:
                wanted[card] -= 1
                marks.append(ink)
                break
        else:
            marks.append(None)
    return marks[::-1]


def _label(text: str, centre: float, rail: Box, mark: Ink | None, ruler: Ruler) -> Iterator[Item]:
    """A card's number on the rail, on a plate of the mark's colour."""
    plate = Box(centre - 10, rail.middle - 6.5, 20, 13)
    ink = INK_ON[mark]
    if mark:
        yield Plate(plate, 6.5, mark)
    yield text_in(text, plate, LABEL, ink, ruler=ruler)
