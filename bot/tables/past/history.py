"""A table's history: its log folded again, deal by deal and turn by turn, hidden cards included.

Nothing in here may be shown as it is. What may, and to whom, is decided in `bot.tables.past.showing`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final, get_args

from bot.engine.cards import Card
from bot.engine.events import Answered, DealEnded, DealStarted, Event, GameEnded
from bot.engine.phases import Phase
from bot.engine.state import State
from bot.tables.events import AnyEvent
from bot.tables.looks import Sat
from bot.tables.record import Record, evolve

_GAME_EVENTS: Final = get_args(Event)


@dataclass(frozen=True, slots=True)
class PastTurn:
    """A turn of a deal, counted from 0: whose it was, what happened in it, and how the table lay after it."""

    number: int
    seat: int
    events: tuple[Event, ...] = field(repr=False)
    after: State = field(repr=False)


@dataclass(frozen=True, slots=True)
class PastDeal:
    """A deal as it was dealt and played; `ended` is None where it was not played to its end.

    `dealt` is the table before the first turn.
    """

    number: int
    dealer: int
    pack: tuple[Card, ...] = field(repr=False)
    dealt: State = field(repr=False)
    turns: tuple[PastTurn, ...]
    ended: DealEnded | None = None


@dataclass(frozen=True, slots=True)
class History:
    """All deals of a table, who sat where at every time, and the record that its log makes."""

    record: Record = field(repr=False)
    deals: tuple[PastDeal, ...]
    sat: tuple[Sat, ...]

    def deal(self, number: int) -> PastDeal | None:
        """The deal of that number, if it was dealt."""
        return next((deal for deal in self.deals if deal.number == number), None)


def history_of(log: Iterable[AnyEvent]) -> History:
    """The history that a table's whole log tells. Raises `ValueError` for a log that does not begin with a table."""
    reader = _Reader()
    for event in log:
        reader.read(event)
    return reader.history()


class _Reader:
    """Folds a log and notes what the record itself forgets: the turns of every deal, and who sat where in them."""

    def __init__(self) -> None:
        self._record: Record | None = None
        self._deals: list[PastDeal] = []
        self._turns: list[PastTurn] = []
        self._sat: dict[tuple[int, int, int], Sat] = {}

    def read(self, event: AnyEvent) -> None:
        before = None if self._record is None else self._record.game
        self._record = evolve(self._record, event)
        for one in self._record.sat:
            self._sat[one.deal, one.turn, one.seat] = one
        after = self._record.game
        if not isinstance(event, _GAME_EVENTS) or before is None or after is None:
            return
        if isinstance(event, DealStarted):
            self._finish()
            self._deals.append(PastDeal(event.deal, event.dealer, event.pack, after, ()))
        elif isinstance(event, DealEnded):
            self._finish(event)
        elif not isinstance(event, GameEnded):
            self._happened(before, after, event)

    def _happened(self, before: State, after: State, event: Event) -> None:
        last = self._turns[-1] if self._turns else None
        number, seat = before.turns, before.turn
        if last is not None and last.number != number and _belated(last, before, event):
            number, seat = last.number, last.seat
        if last is None or last.number != number:
            self._turns.append(PastTurn(number, seat, (event,), after))
        else:
            self._turns[-1] = PastTurn(number, seat, (*last.events, event), after)

    def _finish(self, ended: DealEnded | None = None) -> None:
        """Put the turns into their deal."""
        if self._turns:
            self._deals[-1] = replace(self._deals[-1], turns=tuple(self._turns), ended=ended)
        self._turns = []

    def history(self) -> History:
        if self._record is None:
            raise ValueError("a log without events")
        self._finish()
        return History(self._record, tuple(self._deals), tuple(self._sat[key] for key in sorted(self._sat)))


def _belated(last: PastTurn, before: State, event: Event) -> bool:
    """Whether an event follows what ended its seat's turn, as a foot that is taken up after the discard."""
    if isinstance(event, Answered) or before.phase is Phase.ANSWER:
        return False
    return getattr(event, "seat", None) == last.seat != before.turn
