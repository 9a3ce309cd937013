"""Tables that belong to tournaments."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

from bot.store.database import Database
from bot.store.writer import Statement


@dataclass(frozen=True, slots=True)
class ContestKey:
    """The only table with that number in a match of a tournament."""

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


_NEW: Final = """
INSERT INTO contest_tables (table_id, tournament, match, number, sealed)
VALUES (:table, :tournament, :match, :number, :sealed)
"""

_TABLE: Final = """
SELECT table_id FROM contest_tables WHERE tournament = :tournament AND match = :match AND number = :number
"""

_TABLES: Final = """
SELECT table_id AS "table", tournament, match, number, status, version
FROM contest_tables JOIN tables ON tables.id = table_id
WHERE tournament = :tournament
ORDER BY match, number
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
    """Tables of tournaments; `NewTable.contest` makes a table one."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, key: ContestKey) -> int | None:
        """Return the number of that table, or None if it was not opened."""
        return await self._database.value(_TABLE, asdict(key))

    async def of_tournament(self, tournament: int) -> tuple[ContestRow, ...]:
        """Return all tables of a tournament, by match and number."""
        return await self._database.all(ContestRow, _TABLES, {"tournament": tournament})

    async def sealed(self, guild: int) -> tuple[int, ...]:
        """Return the sealed tables of a server: their play is not shown to others yet."""
        return await self._database.values(_SEALED, {"guild": guild})

    async def seats_outside(self, person: int) -> tuple[int, ...]:
        """Return open tables where the person is seated, oldest first, without those of tournaments."""
        return await self._database.values(_SEATS_OUTSIDE, {"person": person})


def contest_row(table: int, key: ContestKey | None, *, sealed: bool) -> tuple[Statement, ...]:
    """Return the row of a new table of a tournament; nothing for any other table."""
    return () if key is None else (Statement(_NEW, {"table": table, **asdict(key), "sealed": int(sealed)}),)


def unsealing(table: int) -> Statement:
    """Return the statement that lets a table be listed among the finished ones."""
    return Statement(_UNSEAL, {"table": table})
