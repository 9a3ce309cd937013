"""Looks: what a table shows, and the few values that the service takes and gives.

A `TableLook` may be shown to anybody; a `SeatLook` only to the person in that seat.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Literal, TypeAlias

from bot.engine.cards import Card
from bot.engine.events import Event
from bot.engine.rules import RuleSet
from bot.engine.views import PublicView, SeatView

RECENT: Final = 24
"""How many of the latest events a look carries: what six seats do in one round, so that nobody misses anything."""


class Status(StrEnum):
    """Where a table stands; the value is its stable name."""

    LOBBY = "lobby"  # before its first deal
    PLAYING = "playing"
    FINISHED = "finished"  # the game has a winner
    CLOSED = "closed"  # given up before that


OPEN: Final = (Status.LOBBY, Status.PLAYING)


class ClosedBecause(StrEnum):
    """Why a table was closed."""

    ASKED = "asked"  # somebody who may closed it
    EMPTY = "empty"  # the last person left the lobby
    EXPIRED = "expired"  # nobody started it, or nobody came back, in time


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks, from which server, and the request's own id (an interaction's), by which doubles are known.

    `guild` is None in a direct message, where no table is found. `account` is the name of the person's account, of
    plain letters, whatever the person calls itself.
    """

    person: int
    name: str
    guild: int | None
    request: int
    account: str = ""


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """Who sits in a seat.

    A computer player has no name of its own but a `number`, from 1 in each table. `kept_for` is the person who left a
    running game and may take the seat back from the computer player; `kept_name` that person's name. `account` is the
    name of the person's account, of whichever of the two there is, for where the name cannot be drawn.
    """

    kind: Literal["empty", "person", "computer"]
    person: int | None = None
    name: str = ""
    number: int = 0
    kept_for: int | None = None
    kept_name: str = ""
    account: str = ""


EMPTY_SEAT: Final = SeatHolder("empty")


@dataclass(frozen=True, slots=True)
class Shuffle:
    """What is published of one deal's shuffle (`docs/shuffle.md`), enough to check the deal by itself.

    The commitment stands before the deal, `contributions` (in seat order) once it is dealt, and `seed` (hexadecimal)
    once it is scored; before that they are None.
    """

    deal: int
    commitment: str
    contributions: tuple[str, ...] | None = None
    seed: str | None = None


RecentEvent: TypeAlias = tuple[int | None, Event]
"""An event as everybody may see it and the seat that made it; None where it was nobody's doing."""


@dataclass(frozen=True, slots=True)
class TableLook:
    """What anybody may see of a table.

    `host` is the person who may start and close it. `view` is None in a lobby. `recent` are the latest events, oldest
    first, without hidden cards. `waits_for` is the person whose action the game waits for, if a person. Instants are
    UTC milliseconds: `expires_at` closes a lobby (or a game that all persons have left), `next_deal_at` is when the
    next deal begins unless somebody begins it before. `rematch` is the table that followed this one.
    `rules` is the name of the rule set, `saved_as` the name that the server gave to the rules it saved, `terms` the
    rules that are played, `base` those the table was opened with, and `joined_terms` those that were to be played when
    the first guest of a lobby sat down.
    """

    id: int
    version: int
    status: Status
    guild: int
    channel: int
    thread: int | None
    rules: str
    players: int
    target: int
    host: int
    seats: tuple[SeatHolder, ...]
    view: PublicView | None
    recent: tuple[RecentEvent, ...]
    shuffle: tuple[Shuffle, ...]
    created_at: int
    updated_at: int
    expires_at: int | None
    next_deal_at: int | None
    closed_because: ClosedBecause | None
    rematch: int | None
    terms: RuleSet
    base: RuleSet
    joined_terms: RuleSet
    saved_as: str = ""

    def seat_of(self, person: int) -> int | None:
        """The seat that person holds."""
        return next((seat for seat, holder in enumerate(self.seats) if holder.person == person), None)

    @property
    def actor(self) -> SeatHolder | None:
        """Who holds the seat that is to act; None when no seat is."""
        return None if self.view is None or self.view.actor is None else self.seats[self.view.actor]

    @property
    def persons(self) -> tuple[int, ...]:
        """The persons seated, in seat order."""
        return tuple(holder.person for holder in self.seats if holder.person is not None)

    @property
    def is_full(self) -> bool:
        """Whether every seat is held."""
        return all(holder.kind != "empty" for holder in self.seats)


@dataclass(frozen=True, slots=True)
class SeatLook:
    """What the person in a seat may see: the table and, once the game has started, the seat's own view.

    `drawn` are the cards that came to the hand since it was dealt, in the order they came; those that have left it
    again may be among them.
    """

    table: TableLook
    seat: int
    view: SeatView | None = field(repr=False)
    drawn: tuple[Card, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an accepted action came to: the seat's fresh look and the events, as that seat may see them.

    `repeated` tells that this very request had been served before; nothing happened a second time.
    """

    look: SeatLook
    events: tuple[Event, ...] = field(repr=False)
    repeated: bool


@dataclass(frozen=True, slots=True)
class Changed:
    """A table changed, and the change is stored. `due` is the earliest deadline it set, UTC milliseconds."""

    table: int
    version: int
    kind: str
    due: int | None


@dataclass(frozen=True, slots=True)
class BoardMessage:
    """The message that shows a table, where it is, which version it shows and when it was posted (UTC milliseconds)."""

    table: int
    channel: int
    message: int
    version: int
    posted_at: int
