"""Spectators: people who get a message after each deal of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.store.database import Database
from bot.store.writer import Statement


@dataclass(frozen=True, slots=True)
class Spectator:
    """A spectator of a table; `told` is the last deal reported to them."""

    person: int
    told: int


_ADD: Final = """
INSERT INTO watchers (table_id, person_id, told)
SELECT id, CAST(:person AS BIGINT), CAST(:told AS BIGINT) FROM tables WHERE id = :table
ON CONFLICT (table_id, person_id) DO UPDATE SET told = excluded.told
"""

_REMOVE: Final = "DELETE FROM watchers WHERE table_id = :table AND person_id = :person"

_AT_TABLE: Final = """
SELECT person_id AS person, told FROM watchers WHERE table_id = :table ORDER BY person_id
"""


_COUNTED: Final = """
SELECT count(*) FILTER (WHERE table_id = :table), count(*) FILTER (WHERE person_id = :person) FROM watchers
WHERE (table_id = :table AND person_id <> :person)
    OR (person_id = :person AND table_id <> :table AND table_id IN (
        SELECT id FROM tables WHERE status IN ('lobby', 'playing')
    ))
"""


class SpectatorStore:
    """The spectators by table. Storing one does not change a table's version."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, table: int, person: int, *, told: int) -> None:
        """Store that a person wants a message after each deal later than `told`."""
        statement = Statement(_ADD, {"table": table, "person": person, "told": told}, rows=None)
        await self._database.write(table, statement)

    async def remove(self, table: int, person: int) -> None:
        """Store that a person no longer wants messages about the table."""
        statement = Statement(_REMOVE, {"table": table, "person": person}, rows=None)
        await self._database.write(table, statement)

    async def spectators_at_table(self, table: int) -> tuple[Spectator, ...]:
        """Return the spectators of a table."""
        return await self._database.fetch_all(Spectator, _AT_TABLE, {"table": table})

    async def count_others_and_other_tables(self, table: int, person: int) -> tuple[int, int]:
        """Return how many others watch the table, and how many other open tables the person watches."""
        ((at_table, followed),) = await self._database.fetch(_COUNTED, {"table": table, "person": person})
        return at_table, followed
