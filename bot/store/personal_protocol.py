"""The part of the Store protocol that is about persons: what they are called at tables, what is kept of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from bot.store.protocol import TableSummary


@dataclass(frozen=True, slots=True)
class StoredHolder:
    """A person of a table under one name; logs and snapshots have the number in their place.

    `first` is the lowest number of the same person at the table. The person of a former player is below zero.
    """

    number: int
    first: int
    person: int
    name: str = field(repr=False)
    account: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class NamedLog:
    """A table of before, whose log has holders in place of names up to that version and names after it."""

    table: int
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewriting:
    """Rows of a table's log that are written anew, by version, and the holders that they name for the first time.

    `version` is the latest of those that need no look any more. With the last rewriting of a table, which has its
    snapshot where that was of before, the table is done.
    """

    table: int
    version: int
    payloads: Mapping[int, str] = field(repr=False)
    holders: tuple[StoredHolder, ...] = ()
    snapshot: str | None = field(default=None, repr=False)
    is_last: bool = False


class PersonalStore(Protocol):
    """Persons, and what becomes of what is kept of them; nothing here changes a table's version."""

    async def holders(self, table: int) -> tuple[StoredHolder, ...]:
        """The persons of a table in the order of their numbers, which are dense from 1."""

    async def tables_holding(self, person: int) -> tuple[TableSummary, ...]:
        """The tables that know that person, whatever their status, oldest first."""

    async def personal_rows(self, person: int) -> Mapping[str, tuple[Mapping[str, object], ...]]:
        """What is kept of a person beside tables: rows by the name of their sort."""

    async def forget_person(self, person: int) -> None:
        """Keep nothing of a person that could tell who it was: at each table it becomes a former player."""

    async def last_export(self, person: int) -> int | None:
        """When that person was last given what is kept of it."""

    async def note_export(self, person: int, at: int) -> None:
        """Note that the person was given what is kept of it."""

    async def named_logs(self) -> tuple[NamedLog, ...]:
        """The tables that have names in their logs."""

    async def rewrite(self, rewriting: Rewriting) -> None:
        """Write rows of a log anew, and how far the log is done. Raises `InvalidWrite`."""
