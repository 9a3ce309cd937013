"""What may be shown of a table's past: turns in public words for everybody, and finished deals with open hands."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from bot.engine.cards.cards import Card
from bot.engine.moves.events import Event
from bot.engine.table.views import PublicView, public_event
from bot.tables.looks import TableSnapshot


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn of a deal, counted from 0, with what happened in it; what was taken back is left out."""

    number: int
    seat: int
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class DealLog:
    """The turns of a deal as everybody may see them. `deals` are those that were dealt.

    `look` tells who held the seats in every turn.
    """

    look: TableSnapshot
    deal: int
    deals: tuple[int, ...]
    turns: tuple[PlayedTurn, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """The table after a turn of a finished deal, every hand open; `turn` is None for the table as it was dealt.

    `hands` and `feet` go by seat. A hand that is not shown is None.
    """

    turn: PlayedTurn | None
    table: PublicView
    hands: tuple[tuple[Card, ...] | None, ...] = field(repr=False)
    feet: tuple[tuple[Card, ...], ...] = field(repr=False)

    def seen_by(self, seat: int) -> Frame:
        """What that seat saw: its own hand alone, and of what others did the public part."""
        turn = self.turn
        if turn is not None:
            seen = tuple(one if getattr(one, "seat", None) == seat else public_event(one) for one in turn.events)
            turn = replace(turn, events=seen)
        hands = tuple(hand if number == seat else None for number, hand in enumerate(self.hands))
        return replace(self, turn=turn, hands=hands, feet=())


@dataclass(frozen=True, slots=True)
class Replay:
    """A finished deal, frame by frame. `deals` are those of the table that are open; `look` as in `DealLog`."""

    look: TableSnapshot
    deal: int
    deals: tuple[int, ...]
    frames: tuple[Frame, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class DealRecord:
    """A deal as a director looks at it: its log, and once it is finished all hands, frame by frame."""

    log: DealLog
    frames: tuple[Frame, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class GameFile:
    """The record of a game as a JSON document, with the logs of the deals in it."""

    text: str = field(repr=False)
    logs: tuple[DealLog, ...]
