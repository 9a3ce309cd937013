"""Undo of a player's last action, which may have been several melds and additions."""

from __future__ import annotations

from collections.abc import Iterable

from bot.engine.moves.actions import TAKE_BACK
from bot.engine.moves.events import Combined, Discarded, Drew, Event, Melded, Reclaimed, TookBack, TookTop
from bot.engine.moves.refusals import Refusal
from bot.engine.play.decide import decide
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State
from bot.tables.state.events import AnyEvent
from bot.tables.state.requests import LogEntry, without_undone_moves

_LAID = (Melded, Combined, Reclaimed)
_BEGINS = (Drew, TookTop, Discarded)
"""Events that begin a new part of the turn: nothing before them can be taken back."""


def count_melds_of_last_action(rows: Iterable[LogEntry], seat: int) -> int:
    """Return how many melds and additions the seat's last action had that is not yet undone.

    1 if unknown.

    `rows` are the latest rows of the table's log, oldest first.
    """
    laid: list[int] = []
    for row in without_undone_moves(rows):
        own = [event for event in row.events if _is_game_event_of(event, seat)]
        if any(isinstance(event, _BEGINS) for event in own):
            laid.clear()
        back = sum(isinstance(event, TookBack) for event in own)
        count = sum(isinstance(event, _LAID) for event in own)
        while back and laid:
            taken = min(back, laid[-1])
            back -= taken
            laid[-1] -= taken
            if not laid[-1]:
                laid.pop()
        if count:
            laid.append(count)
    return laid[-1] if laid else 1


def _is_game_event_of(event: AnyEvent, seat: int) -> bool:
    """Return whether the event is a game event of that seat."""
    return isinstance(event, Event) and getattr(event, "seat", None) == seat


def take_back_melds(game: State, seat: int, count: int) -> tuple[Event, ...]:
    """Return the events that undo the last `count` melds and additions of the turn, or as many as allowed.

    Raises the rules' refusal if not even the last one may be undone.
    """
    events: tuple[Event, ...] = decide(game, seat, TAKE_BACK)
    game = fold(game, events)
    for _ in range(count - 1):
        try:
            more = decide(game, seat, TAKE_BACK)
        except Refusal:
            break
        events, game = (*events, *more), fold(game, more)
    return events
