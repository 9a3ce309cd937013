"""The part of the store that is about tables of tournaments."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from bot.store.asking import Asking
from bot.store.contests_protocol import ContestKey, ContestRow
from bot.store.writer import Statement

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


class ContestTables(Asking):
    """See `bot.store.contests_protocol.ContestStore`, which this keeps."""

    async def contest_table(self, key: ContestKey) -> int | None:
        return await self._value(_TABLE, asdict(key))

    async def contest_tables(self, tournament: int) -> tuple[ContestRow, ...]:
        return await self._all(ContestRow, _TABLES, {"tournament": tournament})

    async def sealed_tables(self, guild: int) -> tuple[int, ...]:
        return await self._values(_SEALED, {"guild": guild})

    async def seats_outside_contests(self, person: int) -> tuple[int, ...]:
        return await self._values(_SEATS_OUTSIDE, {"person": person})


def contest_row(table: int, key: ContestKey | None, *, sealed: bool) -> tuple[Statement, ...]:
    """The row of a new table that belongs to a tournament."""
    return () if key is None else (Statement(_NEW, {"table": table, **asdict(key), "sealed": int(sealed)}),)


def unsealing(table: int) -> Statement:
    """What lets a table be listed among the finished ones, for the write that unseals it."""
    return Statement(_UNSEAL, {"table": table})
