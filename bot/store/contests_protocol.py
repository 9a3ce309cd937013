"""The part of the Store protocol that is about tables of tournaments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class ContestKey:
    """Which table of which match of which tournament a table is; no other one is."""

    tournament: int
    match: int
    number: int


@dataclass(frozen=True, slots=True)
class ContestRow:
    """A table of a tournament, as it was last written."""

    table: int
    tournament: int
    match: int
    number: int
    status: str
    version: int


class ContestStore(Protocol):
    """What is kept of tables of tournaments. `NewTable.contest` makes a table one."""

    async def contest_table(self, key: ContestKey) -> int | None:
        """The number of that table, or None where it was not opened."""

    async def contest_tables(self, tournament: int) -> tuple[ContestRow, ...]:
        """All tables of a tournament, by match and number."""

    async def sealed_tables(self, guild: int) -> tuple[int, ...]:
        """The tables of a server of which nothing is shown for now."""

    async def seats_outside_contests(self, person: int) -> tuple[int, ...]:
        """The lobbies and running games where that person is seated, but for those of tournaments; oldest first."""
