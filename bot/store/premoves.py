"""Moves that players have prepared for their next turns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.store.database import Database
from bot.store.engines.interface import OWNED
from bot.store.tables import write_for_table
from bot.store.writer import Statement

_OF_TABLE: Final = "SELECT person_id, prepared FROM premoves WHERE table_id = :table ORDER BY person_id"

_TABLES: Final = f"""
SELECT DISTINCT table_id FROM premoves WHERE EXISTS (SELECT 1 FROM tables WHERE id = table_id AND {OWNED})
ORDER BY table_id
"""  # noqa: S608 - no value in it

_SET: Final = """
INSERT INTO premoves (table_id, person_id, prepared)
SELECT id, CAST(:person AS BIGINT), CAST(:prepared AS TEXT) FROM tables WHERE id = :table
ON CONFLICT (table_id, person_id) DO UPDATE SET prepared = excluded.prepared
"""

_CHANGE: Final = """
UPDATE premoves SET prepared = :prepared WHERE table_id = :table AND person_id = :person AND prepared = :before
"""

_FORGET: Final = "DELETE FROM premoves WHERE table_id = :table AND person_id = :person"

_FORGET_UNCHANGED: Final = f"{_FORGET} AND prepared = :before"


class PremoveStore:
    """Moves that players have prepared for their next turns, as text that the store never reads.

    Storing them does not change a table's version.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.set_aside = database.set_aside

    async def premoves_at_table(self, table: int) -> Mapping[int, str]:
        """Return the prepared moves of a table, by person."""
        rows = await self._database.fetch(_OF_TABLE, {"table": table})
        return {row["person_id"]: row["prepared"] for row in rows}

    async def tables_with_premoves(self) -> tuple[int, ...]:
        """Return the tables of this process with prepared moves, oldest first."""
        return await self._database.fetch_numbers(_TABLES, self._database.shard_parameters)

    async def set_premoves(self, table: int, person: int, prepared: str) -> None:
        """Store a person's prepared moves, replacing earlier ones. Raises `UnknownTable`."""
        values = {"table": table, "person": person, "prepared": prepared}
        await write_for_table(self._database, table, Statement(_SET, values))

    async def change(self, table: int, person: int, prepared: str | None, *, before: str) -> None:
        """Replace a person's prepared moves, or delete them with None, if they are still `before`."""
        which = {"table": table, "person": person, "before": before}
        if prepared is None:
            statement = Statement(_FORGET_UNCHANGED, which, rows=None)
        else:
            statement = Statement(_CHANGE, {**which, "prepared": prepared}, rows=None)
        await self._database.write(table, statement)

    async def forget(self, table: int, person: int) -> None:
        """Delete the moves that the person has prepared at the table."""
        statement = Statement(_FORGET, {"table": table, "person": person}, rows=None)
        await self._database.write(table, statement)
