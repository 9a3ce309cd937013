"""A table's history, rebuilt from its log deal by deal and turn by turn, hidden cards included.

A `History` must not be shown as it is: `bot.tables.past.visible_history` returns what a viewer may see of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Final, get_args

from bot.engine.cards.cards import Card
from bot.engine.moves.events import (
    Answered,
    Combined,
    DealEnded,
    DealStarted,
    Event,
    GameEnded,
    Melded,
    Opened,
    TookBack,
    TookTop,
)
from bot.engine.moves.phases import Phase
from bot.engine.table.state import State
from bot.engine.table.views import PublicView, public_event
from bot.tables.state.events import AnyEvent
from bot.tables.state.fold import apply_event
from bot.tables.state.snapshots import SeatTenure, TableSnapshot
from bot.tables.state.table import TableState


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn of a deal, counted from 0, with its events; events that were taken back are left out."""

    number: int
    seat: int
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class DealLog:
    """The turns of a deal with public events.

    `deals` are the numbers of all deals of the table so far. `snapshot` knows the holders of the seats in every turn.
    """

    snapshot: TableSnapshot
    deal: int
    deals: tuple[int, ...]
    turns: tuple[PlayedTurn, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """The table after a turn of a finished deal, all hands open.

    `turn` is None for the table as dealt. `hands` and `feet` are by seat. A hand that is not shown is None.
    """

    turn: PlayedTurn | None
    table: PublicView
    hands: tuple[tuple[Card, ...] | None, ...] = field(repr=False)
    feet: tuple[tuple[Card, ...], ...] = field(repr=False)

    def seen_by(self, seat: int) -> Frame:
        """Return the frame as that seat saw it: its own hand, and the public part of the others' events."""
        turn = self.turn
        if turn is not None:
            seen = tuple(one if getattr(one, "seat", None) == seat else public_event(one) for one in turn.events)
            turn = replace(turn, events=seen)
        hands = tuple(hand if number == seat else None for number, hand in enumerate(self.hands))
        return replace(self, turn=turn, hands=hands, feet=())


@dataclass(frozen=True, slots=True)
class Replay:
    """A finished deal, frame by frame.

    `deals` are the numbers of the table's open deals; `snapshot` as in `DealLog`.
    """

    snapshot: TableSnapshot
    deal: int
    deals: tuple[int, ...]
    frames: tuple[Frame, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class DealRecord:
    """A deal for a tournament's director: its log and, once the deal is finished, its frames."""

    log: DealLog
    frames: tuple[Frame, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class GameFile:
    """The record of a game as a JSON document, and the logs of the deals in it."""

    text: str = field(repr=False)
    logs: tuple[DealLog, ...]


_GAME_EVENTS: Final = get_args(Event)


@dataclass(frozen=True, slots=True)
class PastTurn:
    """A turn of a deal, counted from 0: its seat, its events, and the table after it."""

    number: int
    seat: int
    events: tuple[Event, ...] = field(repr=False)
    after: State = field(repr=False)


@dataclass(frozen=True, slots=True)
class PastDeal:
    """A deal as dealt and played; `ended` is None if it was not finished."""

    number: int
    dealer: int
    pack: tuple[Card, ...] = field(repr=False)
    dealt: State = field(repr=False)
    turns: tuple[PastTurn, ...]
    ended: DealEnded | None = None


@dataclass(frozen=True, slots=True)
class History:
    """The deals of a table, the holders of its seats over time, and its current record."""

    record: TableState = field(repr=False)
    deals: tuple[PastDeal, ...]
    sat: tuple[SeatTenure, ...]

    def deal(self, deal_number: int) -> PastDeal | None:
        """Return the deal with that number, if it was dealt."""
        return next((deal for deal in self.deals if deal.number == deal_number), None)


def history_of(log: Iterable[AnyEvent]) -> History:
    """Return the history from a table's whole log. Raises `ValueError` for a log without a beginning."""
    reader = _HistoryReader()
    for event in log:
        reader.add_event(event)
    return reader.history()


@dataclass(frozen=True, slots=True)
class _EventInTurn:
    """An event of a deal with the turn to which it belongs, and the game's state after it."""

    turn: int
    seat: int
    event: Event
    after: State


class _HistoryReader:
    """Reads a log and collects all turns and players of every deal.

    The table's record itself does not store them.
    """

    def __init__(self) -> None:
        self._record: TableState | None = None
        self._deals: list[PastDeal] = []
        self._happened: list[_EventInTurn] = []
        self._sat: dict[tuple[int, int, int], SeatTenure] = {}

    def add_event(self, event: AnyEvent) -> None:
        """Apply the next event of the log, and add it to the history."""
        before = None if self._record is None else self._record.game
        self._record = apply_event(self._record, event)
        for one in self._record.sat:
            self._sat[one.deal, one.turn, one.seat] = one
        after = self._record.game
        if before is None or after is None:
            return
        if isinstance(event, DealStarted):
            self._sort_events_into_turns()
            self._deals.append(PastDeal(event.deal, event.dealer, event.pack, after, ()))
        elif isinstance(event, DealEnded):
            self._sort_events_into_turns(event)
        elif not isinstance(event, _GAME_EVENTS):
            self._remove_undone_move(before, after)
        elif not isinstance(event, GameEnded):
            self._assign_to_turn(before, after, event)

    def _assign_to_turn(self, before: State, after: State, event: Event) -> None:
        """Assign an event of the deal to a turn, together with the state after it."""
        last = self._happened[-1] if self._happened else None
        turn, seat = before.turns, before.turn
        if last is not None and last.turn != turn and _belongs_to_ended_turn(last, before, event):
            turn, seat = last.turn, last.seat
        self._happened.append(_EventInTurn(turn, seat, event, after))

    def _remove_undone_move(self, before: State, after: State) -> None:
        """Remove a move that was undone with everyone's consent."""
        if after is before or not self._deals:
            return
        while self._happened and self._happened[-1].after != after:
            self._happened.pop()

    def _sort_events_into_turns(self, ended: DealEnded | None = None) -> None:
        """Sort the events of the deal read so far into turns, and store these with the deal."""
        if self._happened:
            turns = groupby(self._happened, key=lambda one: (one.turn, one.seat))
            told = tuple(_past_turn_of_events(number, seat, list(those)) for (number, seat), those in turns)
            self._deals[-1] = replace(self._deals[-1], turns=told, ended=ended)
        self._happened = []

    def history(self) -> History:
        if self._record is None:
            raise ValueError("a log without events")
        self._sort_events_into_turns()
        return History(self._record, tuple(self._deals), tuple(self._sat[key] for key in sorted(self._sat)))


def _past_turn_of_events(turn_number: int, seat: int, events: list[_EventInTurn]) -> PastTurn:
    """Return the events of a seat's turn as a `PastTurn`."""
    return PastTurn(turn_number, seat, tuple(one.event for one in events), events[-1].after)


def _belongs_to_ended_turn(last: _EventInTurn, before: State, event: Event) -> bool:
    """Return whether the event belongs to a turn that has already ended.

    An example is a foot that is taken up after the discard.
    """
    if isinstance(event, Answered) or before.phase is Phase.ANSWER:
        return False
    return getattr(event, "seat", None) == last.seat != before.turn


# --- melds taken back -----------------------------------------------------------------------------------------------


_LAID: Final = (Melded, TookTop, Combined)
"""Events that can be taken back."""


def without_undone_events(events: Iterable[Event]) -> tuple[Event, ...]:
    """Return the events without those that were taken back."""
    kept: list[Event] = []
    for event in events:
        if isinstance(event, TookBack):
            _drop_last_meld(kept)
        else:
            kept.append(event)
    return tuple(kept)


def _drop_last_meld(kept: list[Event]) -> None:
    """Remove the last meld or addition from the events, and the opening of the side that it caused."""
    for place in reversed(range(len(kept))):
        if isinstance(kept[place], _LAID):
            opened = any(isinstance(one, Opened) for one in kept[place + 1 : place + 2])
            del kept[place : place + 1 + opened]
            return
