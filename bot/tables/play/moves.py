"""Moves in a running game: ask the engine for the events of an action. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.engine.moves.actions import Action, Ask, StartDeal
from bot.engine.moves.events import Drew, Event, Gathered, TookFoot, TookTalon
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.play.decide import decide
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State
from bot.engine.table.views import public_event
from bot.tables.advice import offers_to_seat
from bot.tables.seating.seats import require_running_game
from bot.tables.state.events import AnyEvent
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import allows_hints
from bot.tables.state.table import Table


def running_game(table: Table) -> State:
    """Return the game in progress."""
    require_running_game(table)
    game = table.record.game
    if game is None:
        raise TableRefusal(TableCode.NOT_STARTED, {"table": table.id})
    return game


def require_hints(table: Table) -> None:
    """Raise hints_off if players may not ask for hints at this table."""
    record = table.record
    if not allows_hints(record.settings, record.seats, contest=record.contest is not None):
        raise TableRefusal(TableCode.HINTS_OFF, {"table": table.id})


def decide_action(table: Table, seat: int, action: Action) -> tuple[Event, ...]:
    """Return the events of a seat's action; raises the rules' refusals. No seat may start a deal itself."""
    game = running_game(table)
    if isinstance(action, StartDeal):
        raise Refusal(Code.NOT_YOUR_TURN, {"turn": game.turn})
    return decide(game, seat, action)


def decide_going_out(table: Table, seat: int) -> tuple[Event, ...]:
    """Return the events of going out by the offered way, up to a question to the partner if it has one.

    Refusal if no way out is offered any more: stale_request.
    """
    game = running_game(table)
    way = offers_to_seat(game, seat).way_out
    if way is None:
        raise TableRefusal(
            TableCode.STALE_REQUEST, {"table": table.id, "expected": table.version, "version": table.version}
        )
    events: list[Event] = []
    for step in way.steps:
        happened = decide(game, seat, step)
        events += happened
        game = fold(game, happened)
        if isinstance(step, Ask):
            break
    return tuple(events)


_TO_HAND: Final = (Drew, Gathered, TookFoot, TookTalon)
"""Events that bring cards to a hand; only that hand's player sees these cards."""


def visible_events(seat: int, events: Iterable[AnyEvent]) -> tuple[Event, ...]:
    """Return the events as the seat may see them: its own draws in full, of others the public part."""
    game_events = (event for event in events if isinstance(event, Event))
    return tuple(
        event if isinstance(event, _TO_HAND) and event.seat == seat else public_event(event) for event in game_events
    )
