"""The Store on a SQLite file."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, cast

from bot.store import statements as sql
from bot.store.contest_rows import ContestTables, contest_row, unsealing
from bot.store.database import open_database
from bot.store.errors import AlreadyServed, InvalidWrite, StaleVersion, StorageFailed, StoreError, UnknownTable
from bot.store.notice_rows import NoticesKept
from bot.store.people import PeopleTables, lapse_statements, result_statements
from bot.store.personal_rows import PersonalTables, new_holders
from bot.store.premoves import PreparedTables
from bot.store.protocol import (
    Change,
    DealSecret,
    NewTable,
    Owner,
    SavedRules,
    StoredAction,
    StoredTable,
    TableSummary,
    TimerChange,
)
from bot.store.ratings import RatingTables, due_statement
from bot.store.server_rows import ServerTables, audited
from bot.store.shown_rows import ShownTables
from bot.store.shown_statements import LEAVE_MESSAGE_BEHIND
from bot.store.times import TimesKept
from bot.store.tournaments import TournamentTables
from bot.store.watching import Watching
from bot.store.writer import Conflict, Parameters, Run, Statement, Write

EVERY_ROW: Final = 2**62
STATUSES: Final = 4


@asynccontextmanager
async def open_store(path: Path) -> AsyncIterator[SqliteStore]:
    """The store on that file, closed at the end. Raises what `open_database` raises."""
    store = SqliteStore(await open_database(path))
    try:
        yield store
    finally:
        await store.close()


class SqliteStore(
    ShownTables,
    TimesKept,
    NoticesKept,
    PersonalTables,
    PeopleTables,
    ServerTables,
    Watching,
    PreparedTables,
    TournamentTables,
    ContestTables,
    RatingTables,
):
    """See `bot.store.protocol.Store`, which this keeps."""

    # --- tables ------------------------------------------------------------------------------------------------------

    async def create_table(self, new: NewTable) -> int:
        try:
            return cast(int, await self._database.write(_Creation(new).carry_out))
        except Conflict as conflict:
            await self._raise_if_served(new.request)
            raise InvalidWrite(str(conflict)) from None

    async def commit(self, change: Change) -> int:
        try:
            await self._database.write(Write(change.table, tuple(_statements(change))))
        except Conflict as conflict:
            raise await self._why_not(change, conflict) from None
        return change.expected_version + 1

    async def _why_not(self, change: Change, conflict: Conflict) -> StoreError:
        """What stood in the way; asked afterwards, because requests and versions never go away again."""
        await self._raise_if_served(change.request)
        version = await self._value(sql.TABLE_VERSION, {"table": change.table})
        if version is None:
            return UnknownTable(change.table)
        if version != change.expected_version:
            return StaleVersion(table=change.table, expected=change.expected_version, version=version)
        return InvalidWrite(str(conflict))

    async def _raise_if_served(self, request: int | None) -> None:
        action = None if request is None else await self.served(request)
        if request is not None and action is not None:
            raise AlreadyServed(request=request, table=action.table, version=action.version)

    async def load(self, table: int) -> StoredTable | None:
        return await self._one(StoredTable, sql.TABLE, {"table": table})

    async def served(self, request: int) -> StoredAction | None:
        return await self._one(StoredAction, sql.ACTION_OF_REQUEST, {"request": request})

    async def actions(self, table: int, *, after: int = 0, limit: int | None = None) -> tuple[StoredAction, ...]:
        rows = {"table": table, "after": after, "limit": EVERY_ROW if limit is None else limit}
        return await self._all(StoredAction, sql.ACTIONS, rows)

    async def tables(self, guild: int, statuses: Collection[str]) -> tuple[TableSummary, ...]:
        return await self._tables(sql.TABLES_OF_GUILD, {"guild": guild}, statuses)

    async def tables_of(
        self, person: int, statuses: Collection[str], *, guild: int | None = None
    ) -> tuple[TableSummary, ...]:
        found = await self._tables(sql.TABLES_OF_PERSON, {"person": person}, statuses)
        return tuple(table for table in found if guild in (None, table.guild))

    async def opened_by(
        self, person: int, statuses: Collection[str], *, guild: int | None = None
    ) -> tuple[TableSummary, ...]:
        found = await self._tables(sql.TABLES_OPENED_BY, {"person": person}, statuses)
        return tuple(table for table in found if guild in (None, table.guild))

    async def tables_with(self, statuses: Collection[str]) -> tuple[TableSummary, ...]:
        return await self._tables(sql.TABLES, {}, statuses)

    async def tables_for_computers(self) -> tuple[int, ...]:
        return await self._values(sql.TABLES_FOR_COMPUTERS, {})

    async def sheet(self, table: int) -> int:
        return await self._value(sql.SHEET, {"table": table}) or 0

    async def set_sheet(self, table: int, deal: int) -> None:
        await self._write_for_table(table, Statement(sql.SET_SHEET, {"table": table, "deal": deal}))

    # --- seeds, what was chosen ----------------------------------------------------------------------------------

    async def secret(self, table: int, deal: int) -> DealSecret | None:
        return await self._one(DealSecret, sql.SEED, {"table": table, "deal": deal})

    async def preferences(self, owner: Owner, id: int) -> Mapping[str, str]:  # noqa: A002 - it is one
        rows = await self._database.read(sql.PREFERENCES, {"owner": owner, "id": id})
        return {row["name"]: row["value"] for row in rows}

    async def set_preferences(self, owner: Owner, id: int, values: Mapping[str, str | None]) -> None:  # noqa: A002
        try:
            await self._database.write(Write((owner, id), tuple(_choices(owner, id, values))))
        except Conflict as conflict:
            raise InvalidWrite(str(conflict)) from None

    async def saved_rules(self, guild: int) -> tuple[SavedRules, ...]:
        return await self._all(SavedRules, sql.SAVED_RULES, {"guild": guild})

    async def save_rules(self, saved: SavedRules) -> None:
        values = {
            "guild": saved.guild,
            "folded": saved.folded,
            "name": saved.name,
            "rules": saved.rules,
            "saved_by": saved.saved_by,
            "saved_at": saved.saved_at,
        }
        try:
            await self._database.write(Write(("rules", saved.guild), (Statement(sql.SAVE_RULES, values),)))
        except Conflict as conflict:
            raise InvalidWrite(str(conflict)) from None

    async def forget_rules(self, guild: int, folded: str) -> None:
        statement = Statement(sql.FORGET_RULES, {"guild": guild, "folded": folded}, rows=None)
        await self._database.write(Write(("rules", guild), (statement,)))

    async def broken(self) -> StorageFailed:
        return await self._database.broken()

    async def close(self) -> None:
        await self._database.close()

    async def _tables(self, query: str, parameters: Parameters, statuses: Collection[str]) -> tuple[TableSummary, ...]:
        names = [*statuses, *[""] * STATUSES][:STATUSES]
        marks = {f"status_{number}": name for number, name in enumerate(names, 1)}
        return await self._all(TableSummary, query, {**parameters, **marks})


class _Creation:
    """A new table, whose number is known only when its first row is in."""

    def __init__(self, new: NewTable) -> None:
        self._new = new

    def carry_out(self, run: Run) -> int:
        new = self._new
        opened = {"guild": new.guild, "channel": new.channel, "thread": new.thread, "status": new.status}
        (row,) = run(sql.NEW_TABLE, {**opened, "person": new.person, "at": new.at, "snapshot": new.snapshot})
        first = Change(
            table=row[0],
            expected_version=0,
            request=new.request,
            person=None if new.contest is not None else new.person,  # a tournament opens its tables itself
            seat=None,
            kind=new.kind,
            payload=new.payload,
            status=new.status,
            snapshot=new.snapshot,
            at=new.at,
        )
        seated, holders = _seated(first.table, new.seated), new_holders(first.table, new.holders)
        contest = contest_row(first.table, new.contest, sealed=new.sealed)
        rest = (_action(first), *seated, *_timers(first, new.timers), *holders, *contest)
        for statement in rest:
            run(statement.sql, statement.parameters)
        return first.table


def _statements(change: Change) -> Iterator[Statement]:
    yield _action(change)
    table = {"table": change.table, "version": change.expected_version + 1, "expected": change.expected_version}
    after = {"status": change.status, "snapshot": change.snapshot, "at": change.at}
    yield Statement(sql.NEW_VERSION, {**table, **after, "computer_to_act": int(change.computer_to_act)})
    yield Statement(LEAVE_MESSAGE_BEHIND, {"table": change.table}, rows=None)
    yield from _timers(change, change.timers)
    if change.seated is not None:
        yield Statement(sql.CLEAR_SEATED, {"table": change.table}, rows=None)
        yield from _seated(change.table, change.seated)
    yield from _secrets(change)
    yield from new_holders(change.table, change.holders)
    if change.unsealed:
        yield unsealing(change.table)
    yield from result_statements(change.results)
    if change.rated:
        yield due_statement(change.table, change.at)
    yield from lapse_statements(change.table, change.lapsed, change.at)
    if change.audit is not None:
        yield audited(change.audit)


def _action(change: Change) -> Statement:
    return Statement(
        sql.NEW_ACTION,
        {
            "table": change.table,
            "version": change.expected_version + 1,
            "request": change.request,
            "person": change.person,
            "seat": change.seat,
            "kind": change.kind,
            "payload": change.payload,
            "at": change.at,
        },
    )


def _choices(owner: Owner, id: int, values: Mapping[str, str | None]) -> Iterator[Statement]:  # noqa: A002
    for name, value in values.items():
        which = {"owner": owner, "id": id, "name": name}
        if value is None:
            yield Statement(sql.CLEAR_PREFERENCE, which, rows=None)
        else:
            yield Statement(sql.SET_PREFERENCE, {**which, "value": value})


def _seated(table: int, persons: tuple[int, ...]) -> Iterator[Statement]:
    for person in persons:
        yield Statement(sql.NEW_SEATED, {"table": table, "person": person})


def _timers(change: Change, timers: tuple[TimerChange, ...]) -> Iterator[Statement]:
    for timer in timers:
        which = {"table": change.table, "kind": timer.kind}
        if timer.due_at is None:
            yield Statement(sql.CLEAR_TIMER, which, rows=None)
        else:
            yield Statement(sql.SET_TIMER, {**which, "due_at": timer.due_at, "version": change.expected_version + 1})


def _secrets(change: Change) -> Iterator[Statement]:
    for secret in change.secrets:
        values = {"deal": secret.deal, "seed": secret.seed, "commitment": secret.commitment}
        yield Statement(sql.SET_SEED, {"table": change.table, **values})
    for deal in change.revealed:
        yield Statement(sql.REVEAL_SEED, {"table": change.table, "deal": deal, "at": change.at})
