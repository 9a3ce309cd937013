"""The part of the store that is about what persons have prepared for their next turns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.store.asking import Asking
from bot.store.writer import Statement, Write

_OF_TABLE: Final = "SELECT person_id, prepared FROM premoves WHERE table_id = :table ORDER BY person_id"

_TABLES: Final = "SELECT DISTINCT table_id FROM premoves ORDER BY table_id"

_SET: Final = """
INSERT INTO premoves (table_id, person_id, prepared)
SELECT id, CAST(:person AS BIGINT), CAST(:prepared AS TEXT) FROM tables WHERE id = :table
ON CONFLICT (table_id, person_id) DO UPDATE SET prepared = excluded.prepared
"""

_CHANGE: Final = """
UPDATE premoves SET prepared = :prepared WHERE table_id = :table AND person_id = :person AND prepared = :before
"""

_FORGET: Final = "DELETE FROM premoves WHERE table_id = :table AND person_id = :person"

_FORGET_THIS: Final = f"{_FORGET} AND prepared = :before"


class PreparedTables(Asking):
    """See `bot.store.premoves_protocol.PremoveStore`, which this keeps."""

    async def premoves(self, table: int) -> Mapping[int, str]:
        rows = await self._database.read(_OF_TABLE, {"table": table})
        return {row["person_id"]: row["prepared"] for row in rows}

    async def tables_with_premoves(self) -> tuple[int, ...]:
        return await self._values(_TABLES, {})

    async def set_premove(self, table: int, person: int, prepared: str) -> None:
        values = {"table": table, "person": person, "prepared": prepared}
        await self._write_for_table(table, Statement(_SET, values))

    async def change_premove(self, table: int, person: int, prepared: str | None, *, before: str) -> None:
        which = {"table": table, "person": person, "before": before}
        if prepared is None:
            statement = Statement(_FORGET_THIS, which, rows=None)
        else:
            statement = Statement(_CHANGE, {**which, "prepared": prepared}, rows=None)
        await self._database.write(Write(table, (statement,)))

    async def forget_premove(self, table: int, person: int) -> None:
        statement = Statement(_FORGET, {"table": table, "person": person}, rows=None)
        await self._database.write(Write(table, (statement,)))
