"""The tables of tournaments: their matches, and whether their play is still hidden from others."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

from bot.store.database import Database
from bot.store.writer import Statement


@dataclass(frozen=True, slots=True)
class ContestKey:
    """The place of a table in a tournament: the match, and the table's number in it."""

    tournament: int
    match: int
    number: int


@dataclass(frozen=True, slots=True)
class ContestRow:
    """A tournament's table as it is stored."""

    table: int
    tournament: int
    match: int
    number: int
    status: str
    version: int


_NEW_CONTEST_TABLE: Final = """
INSERT INTO contest_tables (table_id, tournament, match, number, sealed)
VALUES (:table, :tournament, :match, :number, :sealed)
"""

_CONTEST_TABLE: Final = """
SELECT table_id FROM contest_tables WHERE tournament = :tournament AND match = :match AND number = :number
"""

_CONTEST_TABLES: Final = """
SELECT table_id AS "table", tournament, match, number, status, version
FROM contest_tables JOIN tables ON tables.id = table_id
WHERE tournament = :tournament
ORDER BY match, number
"""

_TABLES_OF_MATCH: Final = """
SELECT table_id AS "table", tournament, match, number, status, version
FROM contest_tables JOIN tables ON tables.id = table_id
WHERE tournament = :tournament AND match = :match
ORDER BY number
"""

_UNSEAL: Final = "UPDATE contest_tables SET sealed = 0 WHERE table_id = :table"

_SEALED: Final = """
SELECT table_id FROM contest_tables JOIN tables ON tables.id = table_id
WHERE sealed = 1 AND guild_id = :guild ORDER BY table_id
"""

_SEATS_OUTSIDE: Final = """
SELECT id FROM seated JOIN tables ON id = seated.table_id
WHERE person_id = :person AND status IN ('lobby', 'playing')
    AND NOT EXISTS (SELECT 1 FROM contest_tables WHERE contest_tables.table_id = tables.id)
ORDER BY id
"""


class ContestStore:
    """The tables of tournaments. A table belongs to one if it was made with `NewTable.contest`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find_table(self, key: ContestKey) -> int | None:
        """Return the table with that key, or None if it has not been opened."""
        return await self._database.fetch_number(_CONTEST_TABLE, asdict(key))

    async def tables_of_tournament(self, tournament: int) -> tuple[ContestRow, ...]:
        """Return all tables of a tournament, by match and number."""
        return await self._database.fetch_all(ContestRow, _CONTEST_TABLES, {"tournament": tournament})

    async def tables_of_match(self, tournament: int, match: int) -> tuple[ContestRow, ...]:
        """Return the tables of a match, by number."""
        which = {"tournament": tournament, "match": match}
        return await self._database.fetch_all(ContestRow, _TABLES_OF_MATCH, which)

    async def sealed_tables(self, guild: int) -> tuple[int, ...]:
        """Return a guild's sealed tables, whose play only their own players may see for now."""
        return await self._database.fetch_numbers(_SEALED, {"guild": guild})

    async def tables_outside_tournaments(self, person: int) -> tuple[int, ...]:
        """Return open tables outside tournaments where the person is seated, oldest first."""
        return await self._database.fetch_numbers(_SEATS_OUTSIDE, {"person": person})


def contest_statements(table: int, key: ContestKey | None, *, sealed: bool) -> tuple[Statement, ...]:
    """Return the statements that store which match a new table belongs to; none without a `key`."""
    return (
        () if key is None else (Statement(_NEW_CONTEST_TABLE, {"table": table, **asdict(key), "sealed": int(sealed)}),)
    )


def unsealing_statement(table: int) -> Statement:
    """Return the statement that unseals a table, so that it is listed among finished ones."""
    return Statement(_UNSEAL, {"table": table})
