"""Large piles that somebody gave away who could have kept them back: facts for a tournament's directors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.engine.cards.cards import BLACK_THREE, Kind, is_wild
from bot.engine.moves import phases
from bot.engine.moves.actions import Discard
from bot.engine.moves.events import Discarded, Event
from bot.engine.moves.refusals import Refusal
from bot.engine.play.decide import decide
from bot.engine.play.legal import can_take
from bot.engine.table.evolve import evolve, fold
from bot.engine.table.state import State
from bot.tables.past.table_history import PastDeal

LARGE: Final = 10
"""A pile of so many cards is looked at."""


def held_back(deal: PastDeal, turn: int) -> bool:
    """Whether who discarded in that turn held a black three or a wild card on which the pile could not be taken."""
    before = _before_discard(deal, turn)
    return before is not None and any(_is_safe(before, kind) for kind in _stops(before))


def _before_discard(deal: PastDeal, turn: int) -> State | None:
    """The table as the discard of that turn was chosen; None where there was none."""
    state = deal.dealt
    for one in deal.turns:
        if one.number == turn:
            return _up_to_discard(state, one.events)
        state = one.after
    return None


def _up_to_discard(state: State, events: Iterable[Event]) -> State | None:
    for event in events:
        if isinstance(event, Discarded):
            return state
        state = evolve(state, event)
    return None


def _stops(state: State) -> set[Kind]:
    kinds = {card >> 2 for card in state.hands[state.turn]}
    return {kind for kind in kinds if kind == BLACK_THREE or is_wild(kind)}


def _is_safe(state: State, kind: Kind) -> bool:
    """Whether that card could have been discarded, and nobody could have taken the pile with it on top."""
    try:
        after = fold(state, decide(state, state.turn, Discard(kind)))
    except Refusal:
        return False
    return after.phase is phases.DRAW and not can_take(after)
