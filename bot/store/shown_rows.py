"""The part of the store that is about where tables are shown."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict

from bot.store import shown_statements as sql
from bot.store.asking import Asking
from bot.store.shown_protocol import Departure, MessageRow, Showing
from bot.store.writer import Statement, Write


class ShownTables(Asking):
    """See `bot.store.shown_protocol.ShownStore`, which this keeps."""

    async def move(self, table: int, *, channel: int, thread: int | None) -> None:
        place = {"table": table, "channel": channel, "thread": thread}
        await self._write_for_table(table, Statement(sql.MOVE_TABLE, place))

    async def message(self, table: int) -> MessageRow | None:
        return await self._one(MessageRow, sql.MESSAGE, {"table": table})

    async def set_message(self, row: MessageRow) -> None:
        await self._write_for_table(row.table, Statement(sql.SET_MESSAGE, asdict(row)))

    async def clear_message(self, table: int) -> None:
        await self._write_for_table(table, Statement(sql.CLEAR_MESSAGE, {"table": table}, rows=None))

    async def messages_behind(self, limit: int, *, departed_before: int = 0) -> tuple[int, ...]:
        return await self._values(sql.MESSAGES_BEHIND, {"limit": limit, "departed_before": departed_before})

    async def note_tried(self, tables: Collection[int], at: int) -> None:
        tried = tuple(Statement(sql.NOTE_TRIED, {"table": table, "at": at}) for table in tables)
        await self._database.write(Write("tried", tried))

    async def showing(self, table: int) -> Showing:
        rows = await self._database.read(sql.SHOWING, {"table": table})
        if not rows:
            return Showing()
        begun, announced = rows[0]
        return Showing(bool(begun), None if announced is None else bool(announced))

    async def note_begun(self, table: int) -> None:
        await self._write_for_table(table, Statement(sql.NOTE_BEGUN, {"table": table}))

    async def note_announced(self, table: int, *, joinable: bool) -> None:
        await self._write_for_table(table, Statement(sql.NOTE_ANNOUNCED, {"table": table, "joinable": int(joinable)}))

    async def departures(self) -> tuple[Departure, ...]:
        return await self._all(Departure, sql.DEPARTURES, {})

    async def note_departure(self, guild: int, at: int) -> None:
        statement = Statement(sql.NOTE_DEPARTURE, {"guild": guild, "at": at}, rows=None)
        await self._database.write(Write(("departures", guild), (statement,)))

    async def forget_departure(self, guild: int) -> None:
        statement = Statement(sql.FORGET_DEPARTURE, {"guild": guild}, rows=None)
        await self._database.write(Write(("departures", guild), (statement,)))

    async def open_guilds(self) -> tuple[int, ...]:
        return await self._values(sql.OPEN_GUILDS, {})
