"""The part of the store that is about persons."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from bot.store import personal_statements as sql
from bot.store.asking import Asking
from bot.store.errors import InvalidWrite
from bot.store.personal_protocol import NamedLog, Rewriting, StoredHolder
from bot.store.protocol import TableSummary
from bot.store.writer import Conflict, Run, Statement, Write


class PersonalTables(Asking):
    """See `bot.store.personal_protocol.PersonalStore`, which this keeps."""

    async def holders(self, table: int) -> tuple[StoredHolder, ...]:
        return await self._all(StoredHolder, sql.HOLDERS, {"table": table})

    async def tables_holding(self, person: int) -> tuple[TableSummary, ...]:
        return await self._all(TableSummary, sql.TABLES_HOLDING, {"person": person})

    async def personal_rows(self, person: int) -> Mapping[str, tuple[Mapping[str, object], ...]]:
        found: dict[str, tuple[Mapping[str, object], ...]] = {}
        for one in sql.PERSONAL:
            if one.export:
                rows = await self._database.read(one.export, {"person": person})
                found[one.exported_as] = tuple(json.loads(row[0]) if one.is_json else dict(row) for row in rows)
        return found

    async def forget_person(self, person: int) -> None:
        def carry_out(run: Run) -> None:
            for one in sql.PERSONAL:
                run(one.forget, {"person": person})

        await self._database.write(carry_out)

    async def last_export(self, person: int) -> int | None:
        return await self._value(sql.LAST_EXPORT, {"person": person})

    async def note_export(self, person: int, at: int) -> None:
        await self._database.write(
            Write(("export", person), (Statement(sql.NOTE_EXPORT, {"person": person, "at": at}),))
        )

    async def named_logs(self) -> tuple[NamedLog, ...]:
        return await self._all(NamedLog, sql.NAMED_LOGS, {})

    async def rewrite(self, rewriting: Rewriting) -> None:
        try:
            await self._database.write(Write(rewriting.table, tuple(_rewritten(rewriting))))
        except Conflict as conflict:
            raise InvalidWrite(str(conflict)) from None


def new_holders(table: int, holders: tuple[StoredHolder, ...]) -> Iterator[Statement]:
    """What notes the persons that a table did not know before."""
    for one in holders:
        called = {"person": one.person, "name": one.name, "account": one.account}
        yield Statement(sql.NEW_HOLDER, {"table": table, "number": one.number, "first": one.first, **called})


def _rewritten(rewriting: Rewriting) -> Iterator[Statement]:
    table = rewriting.table
    for version, payload in rewriting.payloads.items():
        yield Statement(sql.REWRITE_ACTION, {"table": table, "version": version, "payload": payload})
    yield from new_holders(table, rewriting.holders)
    if rewriting.snapshot is not None:
        yield Statement(sql.REWRITE_SNAPSHOT, {"table": table, "snapshot": rewriting.snapshot})
    if rewriting.is_last:
        yield Statement(sql.ALL_REWRITTEN, {"table": table})
    else:
        yield Statement(sql.NOTE_REWRITTEN, {"table": table, "version": rewriting.version})
