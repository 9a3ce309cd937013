"""Layout of a hand: rows of cards in a rack, ranks together, every index visible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import groupby
from typing import Final

from bot.engine.cards.cards import BLACK_THREE, JOKER, RED_THREE, TWO, Card, Kind, kind_of, suit_of
from render.drawing.text_fitting import ChipStyle, Ruler, chip_items, fit_text, left_edge, right_edge, text_on_baseline
from render.layout_items import (
    WIDTH,
    Box,
    CardFace,
    Deck,
    Ink,
    Item,
    LargeSuit,
    Layout,
    Plate,
    Rail,
    Sign,
    Style,
    Symbol,
)
from render.layouts.hand_strip import strip_layout
from render.layouts.table_notes import is_frozen_for
from render.picture_inputs import HandOrder, HandPicture

CARD: Final = (66.0, 92.0)
MARGIN: Final = 10.0
GROUP_GAP: Final = 7.0
WIDEST_STEP: Final = 40.0
NARROWEST_STEP: Final = 26.0
"""The least visible width of a covered card; the index of a ten just fits."""


def room_in_row(width: float) -> float:
    """Return the width for all steps between cards of a row, in a picture of that width."""
    return width - 2 * MARGIN - CARD[0]


@dataclass(frozen=True, slots=True)
class CardRow:
    """One row of cards.

    It has the sizes of its groups of a rank, the space for it, and the gap between groups.
    """

    groups: tuple[int, ...]
    room: float = room_in_row(WIDTH)
    gap: float = GROUP_GAP

    @property
    def cards(self) -> int:
        """The number of cards in the row."""
        return sum(self.groups)

    @property
    def step(self) -> float:
        """The distance from one card to the next of its group."""
        if self.cards < 2:
            return WIDEST_STEP
        return min(WIDEST_STEP, (self.room - self.gap * (len(self.groups) - 1)) / (self.cards - 1))

    @property
    def width(self) -> float:
        """The width from the first card's left to the last card's right."""
        return CARD[0] + self.step * (self.cards - 1) + self.gap * (len(self.groups) - 1)


@lru_cache(maxsize=256)
def distribute_groups(groups: tuple[int, ...], width: float = WIDTH) -> tuple[CardRow, ...]:
    """Return rows that hold groups of cards of a rank.

    There is 1 row for up to 7 cards, 2 for up to 20, then 3, or more if needed. The step is never smaller than
    `NARROWEST_STEP`. Narrower pictures have fewer cards in a row.
    """
    room = room_in_row(width)
    longest = _most_cards_in_row(room)
    blocks: list[int] = []
    for size in groups:
        blocks += [longest] * (size // longest) + ([size % longest] if size % longest else [])
    for count in range(min(_best_row_count(sum(blocks), width), len(blocks)), len(blocks) + 1):
        rows = _partition_groups(tuple(blocks), count, room)
        if all(row.step >= NARROWEST_STEP for row in rows):
            return rows
    return tuple(CardRow((size,), room) for size in blocks)


def distribute_evenly(cards: int, width: float = WIDTH) -> tuple[CardRow, ...]:
    """Return rows that hold that many cards evenly, without groups."""
    room = room_in_row(width)
    count = max(_best_row_count(cards, width), -(-cards // _most_cards_in_row(room)))
    sizes = [(cards + number) // count for number in reversed(range(count))]
    return tuple(CardRow((size,), room, 0.0) for size in sizes if size)


def _most_cards_in_row(room: float) -> int:
    """Return the most cards that fit into a row of that width."""
    return int(room // NARROWEST_STEP) + 1


def _best_row_count(cards: int, width: float) -> int:
    """Return the best number of rows for that many cards."""
    share = width / WIDTH
    return 1 if cards <= 7 * share else 2 if cards <= 20 * share else 3


def _partition_groups(blocks: tuple[int, ...], count: int, room: float) -> tuple[CardRow, ...]:
    """Return the blocks of cards split into `count` rows.

    The cards that are closest together are as far apart as possible; then rows are as even as possible.
    """

    @cache
    def best_rows_from(start: int, left: int) -> tuple[tuple[float, int], tuple[CardRow, ...]]:
        if left == 1:
            row = CardRow(blocks[start:], room)
            return (-row.step, row.cards**2), (row,)
        choices = []
        for end in range(start + 1, len(blocks) - left + 2):
            row = CardRow(blocks[start:end], room)
            (step, squares), rest = best_rows_from(end, left - 1)
            choices.append(((max(-row.step, step), row.cards**2 + squares), (row, *rest)))
        return min(choices, key=lambda choice: choice[0])

    return best_rows_from(0, max(1, count))[1] if blocks else ()


VISIBLE_HEIGHT: Final = 64.0
"""Visible height of a card above the rail."""

RAIL: Final = 14.0
LIFT: Final = 8.5
HEADER: Final = 30.0
ROW: Final = 96.0
MARK: Final = (22.0, 10.5)
SIGN: Final = 8.0

SIGN_ON: Final[Mapping[Ink, tuple[Sign, Ink]]] = {
    Ink.CHOSEN: (Sign.STAR, Ink.CHOSEN_TEXT),
    Ink.STAGED: (Sign.TICK, Ink.STAGED_TEXT),
    Ink.FRESH: (Sign.PLUS, Ink.FRESH_TEXT),
}
"""The sign under a marked card, so that colour is not the only difference."""

LIFTED: Final = (Ink.CHOSEN, Ink.STAGED)
"""Marks of cards that are raised."""

TITLE: Final = Style(700, 15.5)
NOTE: Final = Style(500, 12.4)
CHIP: Final = Style(700, 12.0)

FIRST_CHIP: Final = 11.0
CHIP_LINE: Final = 23.0
"""Height of a line of chips below the title."""

PLACED_LAST: Final[Mapping[Kind, int]] = {BLACK_THREE: 98, RED_THREE: 99, JOKER: 100, TWO: 101}
"""The kinds that are placed after the fours."""


def card_sort_key(card: Card) -> tuple[int, int]:
    """Return the key that sorts a hand by rank, then suit: aces down to fours, threes, jokers, twos."""
    kind = kind_of(card)
    return PLACED_LAST.get(kind, 50 - kind), suit_of(card)


def sort_by_rank(hand: Sequence[Card]) -> tuple[Card, ...]:
    """Return the cards sorted by rank."""
    return tuple(sorted(hand, key=card_sort_key))


def cards_in_order(picture: HandPicture) -> tuple[Card, ...]:
    """Return the hand's cards in the requested order."""
    hand = sort_by_rank(picture.view.hand)
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
        return (*sort_by_rank(tuple(left.elements())), *reversed(late))
    return hand


def hand_layout(picture: HandPicture, ruler: Ruler, width: float) -> Layout:
    """Return the layout of the hand and its strip; private to its holder."""
    strip = strip_layout(picture, ruler, width)
    rack = _HandBuilder(picture, ruler, width, strip.height).build_layout()
    return replace(rack, items=strip.items + rack.items)


@dataclass(frozen=True, slots=True)
class _HandBuilder:
    """Builds the layout of one hand, from `top` down."""

    picture: HandPicture
    ruler: Ruler
    width: float
    top: float

    def build_layout(self) -> Layout:
        hand = cards_in_order(self.picture)
        rows = self.split_into_rows(hand)
        marks = _card_marks(self.picture, hand)
        chips, lines = self.place_chips_below() if self.has_chip_lines else (self.place_chips_beside(), 0)
        header = self.top + HEADER + CHIP_LINE * lines
        items: list[Item] = [item for one in chips for item in one]
        right = self.width - MARGIN if lines else min((left_edge(one) for one in chips), default=self.width - MARGIN)
        items += self.place_header(right)
        first = 0
        for number, row in enumerate(rows):
            top = header + (ROW - VISIBLE_HEIGHT - RAIL) / 2 + 1 + ROW * number
            items += self.place_row(row, hand[first : first + row.cards], marks[first : first + row.cards], first, top)
            first += row.cards
        return Layout(header + ROW * max(1, len(rows)), tuple(items))

    @property
    def has_chip_lines(self) -> bool:
        """Return whether chips are placed in lines below the title; with a strip there is at most one chip."""
        view = self.picture.view
        return not self.picture.names and (self.width < WIDTH or bool(view.foot_size or view.talon_size))

    def split_into_rows(self, hand: Sequence[Card]) -> tuple[CardRow, ...]:
        """Return the rows of the hand.

        Ranks are kept together, except if the hand is in the order drawn.
        """
        if self.picture.order is HandOrder.DRAWN:
            return distribute_evenly(len(hand), self.width)
        return distribute_groups(tuple(len(list(group)) for _, group in groupby(hand, key=kind_of)), self.width)

    def place_header(self, right: float) -> Iterator[Item]:
        """Place the title, and the chips with counts if there is space."""
        view, words = self.picture.view, self.picture.words
        title, style = fit_text(self.picture.title or words.your_hand, TITLE, 150, self.ruler)
        head = text_on_baseline(title, 12.5, self.top + 21, style, Ink.TEXT, ruler=self.ruler)
        yield head
        count = words.cards_held_text(len(view.hand))
        note = f"{count} · {words.points.format(n=words.number_text(view.hand_points))}"
        room = right - head.box.right - 14
        for text in (note, count):
            if self.ruler.width(text, NOTE) <= room:
                yield text_on_baseline(
                    text, head.box.right + 8, self.top + 21, NOTE, Ink.FELT_SECONDARY, ruler=self.ruler
                )
                break

    def place_chips_beside(self) -> list[tuple[Item, ...]]:
        """Place chips in the line of the title, from the right; return the items of each."""
        chips: list[tuple[Item, ...]] = []
        right = self.width - MARGIN
        for text, snapshot in self.chip_texts():
            chips.append(
                chip_items(text, snapshot, (right, self.top + 6), ruler=self.ruler, limit=125, from_right=True)
            )
            right = left_edge(chips[-1]) - 5
        return chips

    def place_chips_below(self) -> tuple[list[tuple[Item, ...]], int]:
        """Place chips in lines below the title; return their items and the number of lines."""
        chips: list[tuple[Item, ...]] = []
        left, line = FIRST_CHIP, 0
        for text, snapshot in list(self.chip_texts())[::-1]:
            limit = self.width - MARGIN - FIRST_CHIP
            placed = chip_items(
                text, snapshot, (left, self.top + HEADER - 1 + CHIP_LINE * line), ruler=self.ruler, limit=limit
            )
            if right_edge(placed) > self.width - MARGIN:
                left, line = FIRST_CHIP, line + 1
                placed = chip_items(
                    text, snapshot, (left, self.top + HEADER - 1 + CHIP_LINE * line), ruler=self.ruler, limit=limit
                )
            chips.append(placed)
            left = right_edge(placed) + 5
        return chips, max(1, line + 1)

    def chip_texts(self) -> Iterator[tuple[str, ChipStyle]]:
        """Yield the texts and styles of chips, the outermost first."""
        view, words = self.picture.view, self.picture.words
        if not self.picture.names:
            plain = ChipStyle(CHIP, Ink.CHIP, Ink.SECONDARY, Ink.CHIP_EDGE, Sign.CARDS)
            for count, template in ((view.talon_size, words.talon), (view.foot_size, words.foot)):
                if count:
                    yield template.format(n=count), plain
            if is_frozen_for(view):
                yield words.frozen, ChipStyle(CHIP, Ink.FROZEN, Ink.FROZEN_TEXT, Ink.FROZEN_EDGE, Sign.SNOWFLAKE)
        if not view.side.opened or self.picture.staged:
            laid, minimum = view.laid_points + self.picture.staged_points, view.side.minimum
            enough = view.side.opened or (
                laid >= minimum and view.side.has_canasta(view.table.rules.canasta_size, self.picture.staged)
            )
            amount = words.number_text(laid if view.side.opened else minimum)
            if laid and not view.side.opened:
                amount = f"{words.number_text(laid)} / {amount}"
            snapshot = ChipStyle(CHIP, Ink.CHIP, Ink.GOLD, Ink.CHIP_EDGE, Sign.STAR)
            if enough:
                snapshot = ChipStyle(CHIP, Ink.STAGED, Ink.STAGED_TEXT, None, Sign.TICK)
            if view.side.opened or view.side.canasta == "none":
                yield words.meld.format(n=amount), snapshot
            else:
                yield words.short_required_canasta_text(view.side.canasta, amount if minimum else ""), snapshot

    def place_row(
        self, row: CardRow, cards: Sequence[Card], marks: Sequence[Ink | None], first: int, top: float
    ) -> Iterator[Item]:
        """Place one row of cards with its rail and marks."""
        lefts, notches = self.card_edges(row)
        edges = [*lefts[1:], lefts[-1] + CARD[0]] if lefts else []
        for place, (card, left, mark) in enumerate(zip(cards, lefts, marks, strict=True)):
            lifted = LIFT if mark in LIFTED else 0.0
            # A raised card next to one that is not raised is visible in full width.
            whole = lifted and place + 1 < len(marks) and marks[place + 1] not in LIFTED
            shown = (CARD[0] if whole else edges[place] - left, VISIBLE_HEIGHT + lifted)
            yield CardFace(card, Box(left, top - lifted, *CARD), mark if lifted else None, shown, first + place + 1)
            joker = kind_of(card) == JOKER
            if place == len(cards) - 1 and (joker or self.picture.deck is Deck.FOUR_COLOUR):
                suit = None if joker else suit_of(card)
                yield LargeSuit(suit, Box(left + 34, top - lifted + 18, 26, 26))
        rail = Box(6, top + VISIBLE_HEIGHT, self.width - 12, RAIL)
        yield Rail(rail, tuple(notch - rail.left for notch in notches))
        for left, mark in zip(lefts, marks, strict=True):
            if mark:
                yield from _place_mark_sign(mark, left + 14, rail)

    def card_edges(self, row: CardRow) -> tuple[list[float], list[float]]:
        """Return the left edges of the cards, and the positions of the rail's notches."""
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


def _card_marks(picture: HandPicture, hand: Sequence[Card]) -> list[Ink | None]:
    """Return the mark of each card: selected, staged, new, or None."""
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


def _place_mark_sign(mark: Ink, centre: float, rail: Box) -> Iterator[Item]:
    """Place the sign of a mark on the rail under its card."""
    plate = Box(centre - MARK[0] / 2, rail.middle - MARK[1] / 2, *MARK)
    sign, ink = SIGN_ON[mark]
    yield Plate(plate, MARK[1] / 2, mark)
    yield Symbol(sign, Box(plate.centre - SIGN / 2, plate.middle - SIGN / 2, SIGN, SIGN), ink)
