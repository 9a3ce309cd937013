"""What a person wrote, in cards of the own hand: the same for playing and for asking whether one might."""

from __future__ import annotations

import contextlib

from bot.engine.cards.cards import Card
from bot.engine.moves.actions import Combine, Lay, LayMelds, Reclaim
from bot.engine.table.views import SeatView
from cogs.shared.cards import cards_input, combine_input, reclaim_input, run_input
from cogs.shared.interactions.inputs import InputProblem


def melds(view: SeatView, text: str) -> tuple[Lay, ...]:
    """The melds that a text asks for. Raises `InputProblem`."""
    return run_input.lays(text, view)


def laying(view: SeatView, text: str) -> LayMelds | Combine | Reclaim:
    """What a text asks to lay: melds, or one of the side's melds together with another. Raises `InputProblem`.

    Or the wild cards that it asks to take back.
    """
    others = combine_input.combining(text, view) or reclaim_input.reclaiming(text, view)
    return others or LayMelds(melds(view, text))


def to_discard(view: SeatView, text: str) -> Card:
    """The card a text names; of a rank that is among the penalty cards it means one of them. Raises `InputProblem`."""
    with contextlib.suppress(InputProblem):
        return cards_input.one_card(text, view.table.seats[view.seat].exposed)
    return cards_input.one_card(text, view.hand)
