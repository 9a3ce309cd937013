"""What is asked of a table, and what comes of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from bot.store.guilds import AuditEntry
from bot.store.tables import DealSecret
from bot.tables.state.events import AnyEvent, SeedCommitted
from bot.tables.state.shuffle import commitment, new_seed
from bot.tables.state.snapshots import Caller
from bot.tables.state.table import Table, TableState


@dataclass(frozen=True, slots=True)
class Decision:
    """Events to store, seeds drawn, audit entry."""

    events: tuple[AnyEvent, ...] = field(repr=False)
    secrets: tuple[DealSecret, ...] = ()
    audit: AuditEntry | None = None


@dataclass(frozen=True, slots=True)
class TableRequest:
    """What is asked of a table and by whom: a person, or else the computer player of `seat`, or else the clock.

    From `masked_since` (UTC milliseconds) on what a person had prepared was only held back, so no clock ran.
    """

    kind: str
    action: Mapping[str, Any] = field(repr=False)
    caller: Caller | None = field(default=None, kw_only=True)
    seat: int | None = field(default=None, kw_only=True)
    expected_version: int | None = field(default=None, kw_only=True)
    masked_since: int | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class TableLocation:
    """Where a table lives."""

    guild: int
    channel: int
    thread: int | None


@dataclass(frozen=True, slots=True)
class ChangeResult:
    """The table as it stands and what happened; `repeated` if that had happened before."""

    table: Table
    events: tuple[AnyEvent, ...] = field(repr=False)
    repeated: bool


@dataclass(frozen=True, slots=True)
class PendingChange:
    """A change before it is stored: what was asked of which table, its events so far, and when (UTC milliseconds)."""

    table: int
    request: TableRequest
    events: tuple[AnyEvent, ...] = field(repr=False)
    now: int


Decide: TypeAlias = Callable[[Table], Decision | Awaitable[Decision]]
"""Returns what a request changes at the table, or refuses."""

DeadlineHandler: TypeAlias = Decide
"""Returns what a deadline changes at the table once its time is over."""

Gate: TypeAlias = Callable[[Table, TableRequest], None]
"""May refuse a request before it is decided."""

Consequence: TypeAlias = Callable[
    [TableState, TableState, PendingChange], tuple[AnyEvent, ...] | Awaitable[tuple[AnyEvent, ...]]
]
"""Returns the events that any change brings about, given the table before and after it."""


def seed_plan(table: int, deal: int) -> Decision:
    """Draw the seed of a deal that nobody has contributed to yet."""
    seed = new_seed()
    published = commitment(seed, table, deal)
    return Decision((SeedCommitted(deal, published),), (DealSecret(deal, seed, published),))
