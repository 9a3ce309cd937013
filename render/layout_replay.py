"""Where things lie in a replay: the table, and below it every hand that is open, by rank, every index free."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from render.inputs import ReplayPicture
from render.items import Box, Face, Ink, Item, Layout, Style
from render.layout_board import board_layout
from render.layout_hand import hand_order
from render.typeset import Ruler, fit, text_at

MARGIN: Final = 10.0
CARD: Final = (42.0, 58.0)
ROW: Final = 36.0
"""From one row of a hand to the next, which covers all but index and suit."""

WIDEST_STEP: Final = 29.0
NARROWEST_STEP: Final = 18.0
TITLE: Final = Style(600, 12.4)
LINE: Final = 17.0
GAP: Final = 7.0


def replay_layout(picture: ReplayPicture, ruler: Ruler, width: float) -> Layout:
    """The table as placed things, then a title and a row or two for each hand."""
    board = board_layout(picture.board, ruler, width)
    items: list[Item] = list(board.items)
    top = board.height
    for hand in picture.hands:
        rows = rows_of(hand_order(hand.cards), width)
        title, style = fit(hand.title, TITLE, width - 2 * MARGIN, ruler)
        items.append(text_at(title, MARGIN + 1, top + 10, style, Ink.TEXT, ruler=ruler))
        top += LINE
        left = dict.fromkeys(hand.fresh, 0)
        for card in hand.fresh:
            left[card] += 1
        for number, row in enumerate(rows):
            items += _row(row, left, top + ROW * number, width)
        top += CARD[1] + ROW * (len(rows) - 1) + GAP if rows else 0
    return Layout(top, tuple(items))


def rows_of(cards: Sequence[int], width: float) -> list[Sequence[int]]:
    """The cards dealt out evenly to as few rows as leave every index free."""
    longest = int((width - 2 * MARGIN - CARD[0]) // NARROWEST_STEP) + 1
    count = max(1, -(-len(cards) // longest))
    size = -(-len(cards) // count)
    return [cards[first : first + size] for first in range(0, len(cards), size)] if cards else []


def _row(cards: Sequence[int], fresh: dict[int, int], top: float, width: float) -> Iterator[Item]:
    """Cards side by side from the left; a frame marks those that came in the turn."""
    room = width - 2 * MARGIN - CARD[0]
    step = min(WIDEST_STEP, room / max(1, len(cards) - 1))
    for place, card in enumerate(cards):
        frame = Ink.FRESH if fresh.get(card, 0) > 0 else None
        fresh[card] = fresh.get(card, 0) - 1
        yield Face(card, Box(MARGIN + step * place, top, *CARD), frame)
