"""Where the cards of a hand go: in a rack, by rank, every index free."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Final

from bot.engine.cards import JOKER, TWO, Card, kind_of, suit_of
from render.inputs import HandPicture
from render.items import WIDTH, Box, Face, Ink, Item, LargeSuit, Layout, Plate, Rail, Sign, Style
from render.typeset import ChipLook, Ruler, chip, fit, left_of, text_at, text_in

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

LIFTED: Final = (Ink.TURN, Ink.STAGED)
"""Cards with these marks stand higher."""

TITLE: Final = Style(700, 15.5)
NOTE: Final = Style(500, 12.4)
CHIP: Final = Style(700, 12.0)
LABEL: Final = Style(700, 11.5)

ROOM: Final = WIDTH - 2 * MARGIN - CARD[0]
"""What all steps and gaps of a row may take up together."""


def hand_order(hand: Sequence[Card]) -> tuple[Card, ...]:
    """Aces first, then down to the threes, then jokers and twos; suits in their own order."""

    def place(card: Card) -> tuple[int, int]:
        kind = kind_of(card)
        return ({JOKER: 100, TWO: 101}.get(kind, 50 - kind if kind <= 10 else 99), suit_of(card))

    return tuple(sorted(hand, key=place))


@dataclass(frozen=True, slots=True)
class Row:
    """The lengths of the rank groups in one row."""

    groups: tuple[int, ...]

    @property
    def cards(self) -> int:
        """How many cards stand in it."""
        return sum(self.groups)

    @property
    def step(self) -> float:
        """From one card to the next of its group."""
        if self.cards < 2:
            return WIDEST_STEP
        return min(WIDEST_STEP, (ROOM - GROUP_GAP * (len(self.groups) - 1)) / (self.cards - 1))

    @property
    def width(self) -> float:
        """From the first card's left to the last card's right."""
        return CARD[0] + self.step * (self.cards - 1) + GROUP_GAP * (len(self.groups) - 1)


def rows_of(groups: Sequence[int]) -> tuple[Row, ...]:
    """The rank groups dealt out to rows: 1 up to 7 cards, 2 up to 20, more above, and never too narrow a step."""
    longest = int(ROOM // NARROWEST_STEP) + 1
    blocks: list[int] = []
    for size in groups:
        blocks += [longest] * (size // longest) + ([size % longest] if size % longest else [])
    cards = sum(blocks)
    wanted = 1 if cards <= 7 else 2 if cards <= 20 else 3
    for count in range(min(wanted, len(blocks)), len(blocks) + 1):
        rows = _partition(tuple(blocks), count)
        if all(row.step >= NARROWEST_STEP for row in rows):
            return rows
    return tuple(Row((size,)) for size in blocks)


def _partition(blocks: tuple[int, ...], count: int) -> tuple[Row, ...]:
    """The blocks in that many rows, the narrowest step as wide as can be, then as even as can be."""

    @cache
    def best(start: int, left: int) -> tuple[tuple[float, int], tuple[Row, ...]]:
        if left == 1:
            row = Row(blocks[start:])
            return (-row.step, row.cards**2), (row,)
        choices = []
        for end in range(start + 1, len(blocks) - left + 2):
            row = Row(blocks[start:end])
            (step, squares), rest = best(end, left - 1)
            choices.append(((max(-row.step, step), row.cards**2 + squares), (row, *rest)))
        return min(choices, key=lambda choice: choice[0])

    return best(0, max(1, count))[1] if blocks else ()


def hand_layout(picture: HandPicture, ruler: Ruler) -> Layout:
    """The hand as placed things; private to its holder."""
    hand = hand_order(picture.view.hand)
    rows = rows_of([len(list(group)) for _, group in groupby(hand, key=kind_of)])
    marks = _marks(picture, hand)
    items: list[Item] = list(_header(picture, ruler))
    first = 0
    for number, row in enumerate(rows):
        top = HEADER + (ROW - SHOWN - RAIL) / 2 + 1 + ROW * number
        items += _row(row, hand[first : first + row.cards], marks[first : first + row.cards], first, top, ruler)
        first += row.cards
    return Layout(HEADER + ROW * max(1, len(rows)), tuple(items))


def _marks(picture: HandPicture, hand: Sequence[Card]) -> list[Ink | None]:
    """The mark of each card of the hand: selected, staged, newly come, or none."""
    staged = Counter(card for meld in picture.staged for card in meld)
    selected = Counter(picture.selected)
    fresh = Counter(picture.view.fresh)
    marks: list[Ink | None] = []
    for card in reversed(hand):
        for wanted, ink in ((staged, Ink.STAGED), (selected, Ink.TURN), (fresh, Ink.FRESH)):
            if wanted[card] > 0:
                wanted[card] -= 1
                marks.append(ink)
                break
        else:
            marks.append(None)
    return marks[::-1]


def _header(picture: HandPicture, ruler: Ruler) -> Iterator[Item]:
    """Title and counts on the left, chips on the right."""
    view, words = picture.view, picture.words
    chips = _chips(picture, ruler)
    for items in chips:
        yield from items
    right = min((left_of(items) for items in chips), default=WIDTH - MARGIN)
    title, style = fit(picture.title or words.your_hand, TITLE, 150, ruler)
    head = text_at(title, 12.5, 21, style, Ink.TEXT, ruler=ruler)
    yield head
    count = words.cards_held(len(view.hand))
    note = f"{count} · {words.points.format(n=words.number(view.hand_points))}"
    room = right - head.box.right - 14
    for text in (note, count):
        if ruler.width(text, NOTE) <= room:
            yield text_at(text, head.box.right + 8, 21, NOTE, Ink.FELT_SECONDARY, ruler=ruler)
            break


def _chips(picture: HandPicture, ruler: Ruler) -> list[tuple[Item, ...]]:
    """The chips of the header, from the right."""
    view, words = picture.view, picture.words
    chips: list[tuple[Item, ...]] = []
    right = WIDTH - MARGIN
    if view.table.pile.frozen:
        look = ChipLook(CHIP, Ink.FROZEN, Ink.FROZEN_TEXT, Ink.FROZEN_EDGE, Sign.SNOWFLAKE)
        chips.append(chip(words.frozen, look, (right, 6), ruler=ruler, limit=110, from_right=True))
        right = left_of(chips[-1]) - 5
    if not view.side.opened or picture.staged:
        laid, minimum = view.laid_points + picture.staged_points, view.side.minimum
        enough = view.side.opened or laid >= minimum
        amount = words.number(laid if view.side.opened else minimum)
        if laid and not view.side.opened:
            amount = f"{words.number(laid)} / {amount}"
        look = ChipLook(CHIP, Ink.CHIP, Ink.GOLD, Ink.CHIP_EDGE, Sign.STAR)
        if enough:
            look = ChipLook(CHIP, Ink.STAGED, Ink.STAGED_TEXT, None, Sign.TICK)
        chips.append(chip(words.meld.format(n=amount), look, (right, 6), ruler=ruler, limit=140, from_right=True))
    return chips


def _row(
    row: Row, cards: Sequence[Card], marks: Sequence[Ink | None], first: int, top: float, ruler: Ruler
) -> Iterator[Item]:
    """One row of cards, its rail and the numbers on it."""
    x = (WIDTH - row.width) / 2
    lefts: list[float] = []
    notches: list[float] = []
    for size in row.groups:
        if lefts:
            notches.append(x - GROUP_GAP / 2)
        for _ in range(size):
            lefts.append(x)
            x += row.step
        x += GROUP_GAP
    edges = [*lefts[1:], lefts[-1] + CARD[0]] if lefts else []
    for place, (card, left, mark) in enumerate(zip(cards, lefts, marks, strict=True)):
        lifted = LIFT if mark in LIFTED else 0.0
        # Beside a lifted card, its neighbour's lower top lets it be seen whole.
        whole = lifted and place + 1 < len(marks) and marks[place + 1] not in LIFTED
        shown = (CARD[0] if whole else edges[place] - left, SHOWN + lifted)
        yield Face(card, Box(left, top - lifted, *CARD), mark if lifted else None, shown, first + place + 1)
        if place == len(cards) - 1:
            suit = None if kind_of(card) == JOKER else suit_of(card)
            yield LargeSuit(suit, Box(left + 34, top - lifted + 18, 26, 26))
    rail = Box(6, top + SHOWN, WIDTH - 12, RAIL)
    yield Rail(rail, tuple(notch - rail.left for notch in notches))
    for place, (left, mark) in enumerate(zip(lefts, marks, strict=True)):
        yield from _label(str(first + place + 1), left + 14, rail, mark, ruler)


def _label(text: str, centre: float, rail: Box, mark: Ink | None, ruler: Ruler) -> Iterator[Item]:
    """A card's number on the rail, on a plate of the mark's colour."""
    plate = Box(centre - 10, rail.middle - 6.5, 20, 13)
    ink = {None: Ink.RAIL_TEXT, Ink.TURN: Ink.TURN_TEXT, Ink.STAGED: Ink.STAGED_TEXT, Ink.FRESH: Ink.FRESH_TEXT}[mark]
    if mark:
        yield Plate(plate, 6.5, mark)
    yield text_in(text, plate, LABEL, ink, ruler=ruler)
