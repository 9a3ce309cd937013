"""The Store protocol: what can be kept and asked, whatever the database.

A table is one aggregate with a version. Its log (`actions`) has one row a version, from 1 without a gap, so that the
log alone replays the whole table; the snapshot is the same written out at the latest version. One `commit` is one
transaction: log row, snapshot, timers, deal secrets and who is seated become durable together or not at all.

All instants are UTC milliseconds; guild, channel, message, person and request ids are Discord's and fit 63 bits.
Payloads and snapshots are JSON text that the store never looks into. Reads see committed data only.

Every method may raise `StorageFailed` (then the whole store has stopped, see `broken`) or `StoreClosed`. Cancelling a
caller never cancels a write that has been accepted; it is then unknown to that caller, and `served` tells.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from bot.store.contests_protocol import ContestKey, ContestRow, ContestStore
from bot.store.errors import (
    AlreadyServed,
    DamagedDatabase,
    DatabaseInUse,
    InvalidWrite,
    NewerDatabase,
    NotOurDatabase,
    StaleVersion,
    StorageFailed,
    StoreClosed,
    StoreError,
    Undecodable,
    UnknownTable,
)
from bot.store.notices_protocol import NoticeRow, NoticesStore
from bot.store.people_protocol import PartnerResult, PeopleStore, Result
from bot.store.personal_protocol import NamedLog, PersonalStore, Rewriting, StoredHolder
from bot.store.premoves_protocol import PremoveStore
from bot.store.ratings_protocol import RatingPlace, RatingRow, RatingsStore, RatingWrite, StoredRating
from bot.store.servers_protocol import AuditEntry, Owner, ServerStore
from bot.store.shown_protocol import Departure, MessageRow, Showing, ShownStore
from bot.store.times_protocol import DueTimer, Outage, TimesStore
from bot.store.tournaments_protocol import (
    StoredTournament,
    TournamentChange,
    TournamentPerson,
    TournamentPost,
    TournamentSecret,
    TournamentStep,
    TournamentStore,
)
from bot.store.watching_protocol import Watcher, WatchingStore

__all__ = [
    "AlreadyServed",
    "AuditEntry",
    "Change",
    "ContestKey",
    "ContestRow",
    "DamagedDatabase",
    "DatabaseInUse",
    "DealSecret",
    "Departure",
    "DueTimer",
    "InvalidWrite",
    "MessageRow",
    "NamedLog",
    "NewTable",
    "NewerDatabase",
    "NotOurDatabase",
    "NoticeRow",
    "Outage",
    "Owner",
    "PartnerResult",
    "RatingPlace",
    "RatingRow",
    "RatingWrite",
    "Result",
    "Rewriting",
    "SavedRules",
    "Showing",
    "StaleVersion",
    "StorageFailed",
    "Store",
    "StoreClosed",
    "StoreError",
    "StoredAction",
    "StoredHolder",
    "StoredRating",
    "StoredTable",
    "StoredTournament",
    "TableSummary",
    "TimerChange",
    "TournamentChange",
    "TournamentPerson",
    "TournamentPost",
    "TournamentSecret",
    "TournamentStep",
    "Undecodable",
    "UnknownTable",
    "Watcher",
]


@dataclass(frozen=True, slots=True)
class TimerChange:
    """The table's one timer of that kind is set to an instant, or cleared with None."""

    kind: str
    due_at: int | None


@dataclass(frozen=True, slots=True)
class DealSecret:
    """The seed of a deal and the commitment published to it (hexadecimal); `revealed_at` once it is public."""

    deal: int
    seed: bytes = field(repr=False)
    commitment: str
    revealed_at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTable:
    """A table with the first row of its log. `person` opened it; `seated` are the persons who sit at it.

    `holders` are the persons that its texts have numbers for. `contest` is which table of a tournament it is, if
    it is one; `sealed` tells that what is played there is shown to nobody else for now.
    """

    guild: int
    channel: int
    thread: int | None
    request: int | None
    person: int
    kind: str
    payload: str = field(repr=False)
    status: str
    snapshot: str = field(repr=False)
    at: int
    timers: tuple[TimerChange, ...] = ()
    seated: tuple[int, ...] = ()
    holders: tuple[StoredHolder, ...] = ()
    contest: ContestKey | None = None
    sealed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What one accepted action writes.

    `request` is the id by which a repetition is known, None for computer players and timers. `payload` is the action
    and its events, `snapshot` the whole table after them. `seated` is None where nobody sat down or left. A secret for
    a deal that has one already replaces it, unless that one is public. `revealed` are deals whose seed is public from
    now on. `computer_to_act` tells whether a computer player is to act then. `holders` are the persons for whom the
    texts have numbers and the table had none before. `results` are those of a game that ends with it, which is to be
    rated where it is `rated`; `lapsed` are the persons whose time was used up. `audit` is what a game master did, None
    where nobody stepped in. `unsealed` tells that a sealed table may be looked at from now on.
    """

    table: int
    expected_version: int
    request: int | None
    person: int | None
    seat: int | None
    kind: str
    payload: str = field(repr=False)
    status: str
    snapshot: str = field(repr=False)
    at: int
    timers: tuple[TimerChange, ...] = ()
    seated: tuple[int, ...] | None = None
    secrets: tuple[DealSecret, ...] = ()
    revealed: tuple[int, ...] = ()
    computer_to_act: bool = False
    holders: tuple[StoredHolder, ...] = ()
    results: tuple[Result, ...] = ()
    rated: bool = False
    lapsed: tuple[int, ...] = ()
    audit: AuditEntry | None = None
    unsealed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTable:
    """A table as it was last written. `opened_by` is the person who made it."""

    id: int
    guild: int
    channel: int
    thread: int | None
    status: str
    version: int
    opened_by: int
    created_at: int
    updated_at: int
    snapshot: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSummary:
    """A table without its snapshot."""

    id: int
    guild: int
    channel: int
    thread: int | None
    status: str
    version: int
    opened_by: int
    created_at: int
    updated_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAction:
    """One row of a table's log; it led to that version."""

    table: int
    version: int
    request: int | None
    person: int | None
    seat: int | None
    kind: str
    payload: str = field(repr=False)
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedRules:
    """Rules that a server has saved under a name: JSON text. Names that fold to the same are one."""

    guild: int
    folded: str
    name: str
    rules: str = field(repr=False)
    saved_by: int
    saved_at: int


class Store(
    ShownStore,
    TimesStore,
    NoticesStore,
    PersonalStore,
    PeopleStore,
    ServerStore,
    WatchingStore,
    PremoveStore,
    TournamentStore,
    ContestStore,
    RatingsStore,
    Protocol,
):
    """What is kept. One object for the whole process."""

    async def create_table(self, new: NewTable) -> int:
        """Write a table at version 1 and return its number, which is never used again. Raises `AlreadyServed`."""

    async def commit(self, change: Change) -> int:
        """Write one action and return the table's new version; durable when this returns.

        Raises `AlreadyServed` (before anything else is looked at), `StaleVersion`, `UnknownTable`, `InvalidWrite`.
        """

    async def load(self, table: int) -> StoredTable | None:
        """The table as it stands, or None when there is none of that number."""

    async def served(self, request: int) -> StoredAction | None:
        """What a request became, or None when it was never written."""

    async def actions(self, table: int, *, after: int = 0, limit: int | None = None) -> tuple[StoredAction, ...]:
        """The table's log in order, from the version after `after`; at most `limit` rows."""

    async def tables(self, guild: int, statuses: Collection[str]) -> tuple[TableSummary, ...]:
        """A server's tables of these statuses, oldest first."""

    async def tables_of(
        self, person: int, statuses: Collection[str], *, guild: int | None = None
    ) -> tuple[TableSummary, ...]:
        """The tables of these statuses where that person is seated, oldest first; in one server, or in all."""

    async def opened_by(
        self, person: int, statuses: Collection[str], *, guild: int | None = None
    ) -> tuple[TableSummary, ...]:
        """The tables of these statuses that the person made, oldest first; in one server, or in all."""

    async def tables_with(self, statuses: Collection[str]) -> tuple[TableSummary, ...]:
        """Every table of these statuses, oldest first."""

    async def tables_for_computers(self) -> tuple[int, ...]:
        """The running games where a computer player is to act, oldest first; and those of which that is not known."""

    async def sheet(self, table: int) -> int:
        """The last deal whose sheet stands in a message of its own; 0 where none does."""

    async def set_sheet(self, table: int, deal: int) -> None:
        """Note that the sheets of all deals up to that one stand. Raises `UnknownTable`, `InvalidWrite`."""

    async def secret(self, table: int, deal: int) -> DealSecret | None:
        """The seed of a deal: for the dealing and for its publication with the score, for nothing else."""

    async def preferences(self, owner: Owner, id: int) -> Mapping[str, str]:  # noqa: A002 - it is one
        """What that person or server has chosen, by name; what is not there is at its default."""

    async def set_preferences(self, owner: Owner, id: int, values: Mapping[str, str | None]) -> None:  # noqa: A002
        """Note choices by name, all of them or none; None takes one back. Others stay. Raises `InvalidWrite`."""

    async def saved_rules(self, guild: int) -> tuple[SavedRules, ...]:
        """The rules that a server has saved, in the order of their names."""

    async def save_rules(self, saved: SavedRules) -> None:
        """Keep rules, in place of those that the server had under the same name. Raises `InvalidWrite`."""

    async def forget_rules(self, guild: int, folded: str) -> None:
        """Keep a server's rules of that name no longer; nothing happens where there are none."""

    async def broken(self) -> StorageFailed:
        """Return when the store has failed and stopped. Whoever runs the program ends it then."""

    async def close(self) -> None:
        """Write everything accepted, then let go of the file. Closing twice does nothing."""
