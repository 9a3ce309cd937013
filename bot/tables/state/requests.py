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
    """The outcome of a request: events to store, seeds drawn for deals, and an audit entry if any."""

    events: tuple[AnyEvent, ...] = field(repr=False)
    secrets: tuple[DealSecret, ...] = ()
    audit: AuditEntry | None = None


def with_instants(events: Iterable[AnyEvent], now: int) -> tuple[AnyEvent, ...]:
    """Return the events with the instant at which their deadlines are set."""
    return tuple(
        replace(event, since=now) if isinstance(event, DeadlineSet) and event.due_at is not None else event
        for event in events
    )


@dataclass(frozen=True, slots=True)
class TableRequest:
    """A request with its sender: `caller`, else the computer player of `seat`, else the clock.

    From `masked_since` (UTC milliseconds) until the request, its premove was held back for a random delay; that
    time is not charged.
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
    """The current table and the events of a request; `repeated` if it had been served before."""

    table: Table
    events: tuple[AnyEvent, ...] = field(repr=False)
    repeated: bool


@dataclass(frozen=True, slots=True)
class PendingChange:
    """A change before it is stored: the request, the events so far, and the instant (UTC milliseconds)."""

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
    """Return the decision that commits to a deal's seed; needed before players contribute to its shuffle."""
    published = commitment(seed, table, deal)
    return Decision((SeedCommitted(deal, published),), (DealSecret(deal, seed, published),))


@dataclass(frozen=True, slots=True)
class LogEntry:
    """The events in one row of a log, and the seat and person that caused them."""

    version: int
    seat: int | None
    person: int | None
    events: tuple[AnyEvent, ...] = field(repr=False)

    @property
    def game_events(self) -> tuple[Event, ...]:
        """Return the events of the game itself."""
        return tuple(event for event in self.events if isinstance(event, Event))

    @property
    def without_moves(self) -> LogEntry:
        """Return the entry without the events of the game itself."""
        return replace(self, events=tuple(event for event in self.events if not isinstance(event, Event)))


def without_undone_moves(rows: Iterable[LogEntry]) -> list[LogEntry]:
    """Return the log entries in order, without moves that were undone later; their other events stay."""
    kept: list[LogEntry] = []
    for row in rows:
        for event in row.events:
            if isinstance(event, Undone):
                kept = [one if one.version <= event.version else one.without_moves for one in kept]
        kept.append(row)
    return kept
