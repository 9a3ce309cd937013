"""How the cards of a hand are dealt out to rows: ranks together, every index free."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from render.items import WIDTH

CARD: Final = (66.0, 92.0)
MARGIN: Final = 10.0
GROUP_GAP: Final = 7.0
WIDEST_STEP: Final = 40.0
NARROWEST_STEP: Final = 26.0
"""The strip of a card that its neighbour leaves free; the index of a ten just fits."""


def room_of(width: float) -> float:
    """What all steps and gaps of a row may take up together in a picture that wide."""
    return width - 2 * MARGIN - CARD[0]


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
