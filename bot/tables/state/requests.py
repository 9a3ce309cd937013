"""Requests to a table, the decisions about them, and their results."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from bot.engine.moves.events import Event
from bot.store.guilds import AuditEntry
from bot.store.table_changes import DealSecret
from bot.tables.state.events import AnyEvent, DeadlineSet, SeedCommitted, Undone
from bot.tables.state.shuffle import commitment
from bot.tables.state.snapshots import Caller
from bot.tables.state.table import Table, TableState


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision about a request: events to store, seeds drawn for deals, perhaps an audit entry."""

    events: tuple[AnyEvent, ...] = field(repr=False)
    secrets: tuple[DealSecret, ...] = ()
    audit: AuditEntry | None = None


def set_deadline_starts(events: Iterable[AnyEvent], now: int) -> tuple[AnyEvent, ...]:
    """Return the events, with `now` filled in as the time at which their deadlines were set."""
    return tuple(
        replace(event, since=now) if isinstance(event, DeadlineSet) and event.due_at is not None else event
        for event in events
    )


@dataclass(frozen=True, slots=True)
class TableRequest:
    """A request and its sender: the person `caller`, else the computer player of `seat`, else a timer.

    From `masked_since` (UTC milliseconds) until the request, the premove that it plays was held back for a random
    delay; that time is not charged.
    """

    kind: str
    action: Mapping[str, Any] = field(repr=False)
    caller: Caller | None = field(default=None, kw_only=True)
    seat: int | None = field(default=None, kw_only=True)
    expected_version: int | None = field(default=None, kw_only=True)
    masked_since: int | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class TableLocation:
    """The guild, channel and thread of a table."""

    guild: int
    channel: int
    thread: int | None


@dataclass(frozen=True, slots=True)
class ChangeResult:
    """The table after a request, and the request's events.

    `repeated` means that the same request had been served before.
    """

    table: Table
    events: tuple[AnyEvent, ...] = field(repr=False)
    repeated: bool


@dataclass(frozen=True, slots=True)
class PendingChange:
    """A change that is not stored yet: the request, the events so far, the instant (UTC milliseconds)."""

    table: int
    request: TableRequest
    events: tuple[AnyEvent, ...] = field(repr=False)
    now: int


Decide: TypeAlias = Callable[[Table], Decision | Awaitable[Decision]]
"""A function that returns the changes a request makes to the table, or raises a refusal."""

DeadlineHandler: TypeAlias = Decide
"""A function that returns the changes a due deadline makes to the table."""

Gate: TypeAlias = Callable[[Table, TableRequest], None]
"""A check that may refuse a request before it is decided."""

Consequence: TypeAlias = Callable[
    [TableState, TableState, PendingChange], tuple[AnyEvent, ...] | Awaitable[tuple[AnyEvent, ...]]
]
"""A function that returns the consequences of a change as events, given the table before and after it."""


def commit_to_seed(seed: bytes, table: int, deal: int) -> Decision:
    """Return the decision that stores a deal's seed and publishes the commitment to it.

    Players can contribute to the deal's shuffle from then on.
    """
    published = commitment(seed, table, deal)
    return Decision((SeedCommitted(deal, published),), (DealSecret(deal, seed, published),))


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One row of a table's log: the events, and the seat and person that caused them."""

    version: int
    seat: int | None
    person: int | None
    events: tuple[AnyEvent, ...] = field(repr=False)

    @property
    def game_events(self) -> tuple[Event, ...]:
        """Return the events of the game itself."""
        return tuple(event for event in self.events if isinstance(event, Event))

    @property
    def without_game_events(self) -> LogEntry:
        """Return the entry with all events except those of the game itself."""
        return replace(self, events=tuple(event for event in self.events if not isinstance(event, Event)))


def without_undone_moves(rows: Iterable[LogEntry]) -> list[LogEntry]:
    """Return the log entries in order, without the moves that were undone later.

    Other events of such entries stay.
    """
    kept: list[LogEntry] = []
    for row in rows:
        for event in row.events:
            if isinstance(event, Undone):
                kept = [one if one.version <= event.version else one.without_game_events for one in kept]
        kept.append(row)
    return kept
