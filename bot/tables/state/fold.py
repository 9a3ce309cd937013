"""Applies the events of a table's log to its record; events are the only way to change a record.

`apply_table_events(None, events)` returns the table that a log describes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any, Final, get_args

from bot.engine.cards.cards import Card
from bot.engine.moves.events import DealEnded, DealStarted, Event, GameEnded, TookBack
from bot.engine.table.applying_events import evolve as evolve_game
from bot.engine.table.state import State
from bot.tables.state.events import AnyEvent, LobbyOpened, TableEvent
from bot.tables.state.folding import absence, clocks, contest, lifecycle, proposals, seats, shuffle
from bot.tables.state.folding.proposals import clear_proposal
from bot.tables.state.folding.recent_events import add_recent_event, leftovers_of, shorten_tenures
from bot.tables.state.snapshots import Status
from bot.tables.state.table import TableState


def apply_table_events(record: TableState | None, events: Iterable[AnyEvent]) -> TableState:
    """Return the record after the events; the first event of a log is a `LobbyOpened`."""
    for event in events:
        record = apply_event(record, event)
    if record is None:
        raise ValueError("a log without events")
    return record


def apply_event(record: TableState | None, event: AnyEvent) -> TableState:
    """Return the record after one event."""
    if isinstance(event, LobbyOpened):
        return seats.open_lobby(event)
    if record is None:
        raise ValueError(f"a log that does not begin with the opening of a table, but {type(event).__name__}")
    return _FOLDS.get(type(event), _apply_game_event)(record, event)


def _apply_game_event(record: TableState, event: Event) -> TableState:
    """Return the record after an event of the game itself; a move ends an open proposal to undo."""
    if record.game is None:
        raise ValueError(f"{type(event).__name__} before the game")
    ended, started = isinstance(event, GameEnded), isinstance(event, DealStarted)
    game = evolve_game(record.game, event)
    return replace(
        clear_proposal(record) if ended or record.is_undo_open else record,
        game=game,
        recent=add_recent_event(record.recent, record.game, game, event),
        sat=shorten_tenures(record.sat) if started else record.sat,
        left=(*record.left, leftovers_of(record.game)) if isinstance(event, DealEnded) else record.left,
        drawn=_cards_drawn_with_event(record.drawn, record.game, game, event),
        status=Status.FINISHED if ended else record.status,
        proposed=() if started else record.proposed,
        absence=replace(record.absence, seen=()) if started else record.absence,
    )


def _cards_drawn_with_event(
    drawn: tuple[tuple[Card, ...], ...], before: State, after: State, event: Event
) -> tuple[tuple[Card, ...], ...]:
    """Return the cards that have come to each hand since the deal, including those of one more event.

    They are in the order in which they came; cards melded and taken back keep their place.
    """
    if isinstance(event, DealStarted):
        return ((),) * len(after.hands)
    if isinstance(event, TookBack) or after.hands is before.hands or len(drawn) != len(after.hands):
        return drawn
    came = list(drawn)
    for seat, (held, holds) in enumerate(zip(before.hands, after.hands, strict=True)):
        if holds is not held:
            came[seat] += _new_cards(holds, held)
    return tuple(came)


def _new_cards(hand: tuple[Card, ...], earlier_hand: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the cards of `hand` that `earlier_hand` did not have, ascending."""
    before, new = [*earlier_hand], list[Card]()
    for card in hand:
        if card in before:
            before.remove(card)
        else:
            new.append(card)
    return tuple(new)


_PARTS: Final[tuple[Mapping[Any, Callable[[TableState, Any], TableState]], ...]] = (
    seats.FOLDS,
    shuffle.FOLDS,
    proposals.FOLDS,
    clocks.FOLDS,
    lifecycle.FOLDS,
    absence.FOLDS,
    contest.FOLDS,
)


def join_folds(
    parts: Iterable[Mapping[Any, Callable[[TableState, Any], TableState]]], kinds: Collection[type[AnyEvent]]
) -> Mapping[type[AnyEvent], Callable[[TableState, Any], TableState]]:
    """Return one mapping from each kind of event to the function that applies it.

    `parts` are the mappings of all modules. Raises `TypeError` unless every kind of event is in exactly one.
    """
    parts = tuple(parts)
    counted = Counter(chain.from_iterable(parts))
    wrong = sorted(kind.__name__ for kind in {*counted, *kinds} if counted[kind] != 1 or kind not in kinds)
    if wrong:
        raise TypeError(f"table events without exactly one fold: {', '.join(wrong)}")
    return {kind: change for one in parts for kind, change in one.items()}


_FOLDS: Final = join_folds(_PARTS, set(get_args(TableEvent)) - {LobbyOpened})
