"""Outlook: a turn as it stands when something has been laid, which is what the chapters of a turn's end ask about."""

from __future__ import annotations

from bot.engine.cards.cards import Card
from bot.engine.cards.values import value
from bot.engine.reach.standing import Standing, standing_of
from bot.engine.table.queries import gathered_size
from bot.engine.table.state import State


@value
class Outlook:
    """A turn as it stands when something has been laid.

    `standing` are the melds, `hand` the cards left, `laid_points` the points laid by a side that has not opened.
    `below` cards come to the hand once the side has opened, because the pile's top has been laid. `from_stock` tells
    that the seat has drawn from the stock.
    """

    standing: Standing
    hand: tuple[Card, ...]
    laid_points: int
    below: int
    from_stock: bool


def outlook_of(state: State) -> Outlook:
    """The turn as it stands now."""
    return Outlook(
        standing_of(state),
        state.hands[state.turn],
        state.laid_points,
        gathered_size(state) if state.aside else 0,
        state.drew == "stock",
    )
