"""Asking the database: rows as records."""

from __future__ import annotations

from typing import Any, TypeVar, cast

from bot.store import statements as sql
from bot.store.database import Database
from bot.store.errors import InvalidWrite, UnknownTable
from bot.store.writer import Conflict, Parameters, Statement, Write

Record = TypeVar("Record")


class Asking:
    """What every part of the store does with its database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def _all(self, record: type[Record], query: str, parameters: Parameters) -> tuple[Record, ...]:
        """A record a row; its fields are named as the columns."""
        rows = await self._database.read(query, parameters)
        made: list[Any] = [record(**{name: row[name] for name in row.keys()}) for row in rows]  # noqa: SIM118 - a row iterates over its values
        return tuple(made)

    async def _one(self, record: type[Record], query: str, parameters: Parameters) -> Record | None:
        found = await self._all(record, query, parameters)
        return found[0] if found else None

    async def _value(self, query: str, parameters: Parameters) -> int | None:
        rows = await self._database.read(query, parameters)
        return cast("int | None", rows[0][0]) if rows else None

    async def _values(self, query: str, parameters: Parameters) -> tuple[int, ...]:
        rows = await self._database.read(query, parameters)
        return tuple(row[0] for row in rows)

    async def _write_for_table(self, table: int, statement: Statement) -> None:
        try:
            await self._database.write(Write(table, (statement,)))
        except Conflict as conflict:
            if await self._value(sql.TABLE_VERSION, {"table": table}) is None:
                raise UnknownTable(table) from None
            raise InvalidWrite(str(conflict)) from None
