"""Repairs of unreadable data. Each is made on a database that no bot uses.

They change it through `bot.store.upkeep.offline_databases`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, Literal

from bot.store.table_changes import TableChange, TimerChange
from bot.store.tournaments import TournamentPart
from bot.store.upkeep.offline_databases import OfflineDatabase

Owner = Literal["person", "server"]

_SET_BACK: Final = """
UPDATE tables SET version = :version, status = :status, snapshot = :snapshot, updated_at = :at, waits_since = :at,
    computer_to_act = :computer_to_act
WHERE id = :table
"""

_TIMER: Final = """
INSERT INTO timers (table_id, kind, guild_id, due_at, version)
SELECT id, CAST(:kind AS TEXT), guild_id, CAST(:due_at AS BIGINT), version FROM tables WHERE id = :table
"""

_DROPPED: Final = """
SELECT version, request_id, person_id, seat, kind, payload, at FROM actions
WHERE table_id = :table AND version > :version ORDER BY version
"""


def set_table_back(file: OfflineDatabase, change: TableChange) -> None:
    """Store a table as rebuilt from its log, with its timers and seats; its message will be posted again."""
    table = {"table": change.table}
    version = {**table, "version": change.expected_version}
    file.session.execute("DELETE FROM actions WHERE table_id = :table AND version > :version", version)
    file.session.execute(
        _SET_BACK,
        {
            **version,
            "status": change.status,
            "snapshot": change.snapshot,
            "at": change.at,
            "computer_to_act": int(change.computer_to_act),
        },
    )
    file.session.execute("DELETE FROM timers WHERE table_id = :table", table)
    for timer in change.timers:
        _set_timer(file, change.table, timer)
    file.session.execute("DELETE FROM seated WHERE table_id = :table", table)
    for person in change.seated or ():
        seat = {**table, "person": person}
        file.session.execute("INSERT INTO seated (table_id, person_id) VALUES (:table, :person)", seat)
    if change.status in ("lobby", "playing"):
        file.session.execute("DELETE FROM results WHERE table_id = :table", table)
    file.session.execute("UPDATE messages SET behind = 1, version = 0 WHERE table_id = :table", table)


def _set_timer(file: OfflineDatabase, table: int, timer: TimerChange) -> None:
    """Set or clear a timer of a table."""
    if timer.due_at is not None:
        file.session.execute(_TIMER, {"table": table, "kind": timer.kind, "due_at": timer.due_at})


def log_rows_after(file: OfflineDatabase, table: int, version: int) -> str:
    """Return a table's log rows after a version as JSON lines.

    Store them privately, because they hold cards.
    """
    rows = file.fetch(_DROPPED, {"table": table, "version": version})
    return "".join(f"{json.dumps(dict(row), ensure_ascii=False)}\n" for row in rows)


# --- tournaments -----------------------------------------------------------------------------------------------------


def has_tournament(file: OfflineDatabase, number: int) -> bool:
    """Return whether there is a tournament of that number."""
    return file.fetch_number("SELECT id FROM tournaments WHERE id = :id", {"id": number}) is not None


def stage_of_tournament(file: OfflineDatabase, number: int) -> str:
    """Return the text stored as a tournament's stage; if the row is damaged, it may be no stage."""
    return str(file.fetch("SELECT stage FROM tournaments WHERE id = :id", {"id": number})[0][0])


def replace_tournament(
    file: OfflineDatabase, number: int, snapshot: bytes | None, parts: Iterable[TournamentPart], *, at: int
) -> None:
    """Keep only these parts of a tournament, and replace its own row if `snapshot` is given.

    Its alarms become due at once.
    """
    which = {"id": number}
    file.session.execute("DELETE FROM tournament_parts WHERE tournament_id = :id", which)
    for one in parts:
        file.session.execute(
            "INSERT INTO tournament_parts (tournament_id, part, number, value) VALUES (:id, :part, :number, :value)",
            {**which, "part": one.part, "number": one.number, "value": one.value.decode()},
        )
    if snapshot is not None:
        own = {**which, "snapshot": snapshot.decode()}
        file.session.execute("UPDATE tournaments SET snapshot = :snapshot WHERE id = :id", own)
    file.session.execute("UPDATE tournaments SET due_at = :at WHERE id = :id", {**which, "at": at})
    file.session.execute("DELETE FROM tournament_faults WHERE tournament_id = :id AND what = 'read'", which)


def has_series(file: OfflineDatabase, number: int) -> bool:
    """Return whether there is a series of that number."""
    return file.fetch_number("SELECT id FROM series WHERE id = :id", {"id": number}) is not None


def nights_since(file: OfflineDatabase, number: int, backup: OfflineDatabase) -> tuple[int, ...]:
    """Return the tournaments that a series has made since the backup."""
    sql = "SELECT tournament_id FROM series_nights WHERE series_id = :id ORDER BY 1"
    known = {row[0] for row in backup.fetch(sql, {"id": number})}
    return tuple(row[0] for row in file.fetch(sql, {"id": number}) if row[0] not in known)


def end_series(file: OfflineDatabase, number: int) -> None:
    """End a series whose value cannot be read: it makes no more nights."""
    file.session.execute("UPDATE series SET stage = 'ended', due_at = NULL WHERE id = :id", {"id": number})


def copy_from_backup(
    file: OfflineDatabase, kind: Literal["tournament", "series"], number: int, backup: OfflineDatabase
) -> int:
    """Replace the rows of a tournament or series with those of a backup; return the number of rows.

    The tables of a tournament and the tournaments of a series stay as they are.
    """
    copied = 0
    for table, key in _tables_of(file, kind):
        where = f"WHERE {key} = :id"
        if key != "id":
            file.session.execute(f"DELETE FROM {table} {where}", {"id": number})  # noqa: S608 - names of our schema
        for row in backup.fetch(f"SELECT * FROM {table} {where}", {"id": number}):  # noqa: S608
            _put_row(file, table, dict(row))
            copied += 1
    return copied


def _put_row(file: OfflineDatabase, table: str, row: Mapping[str, object]) -> None:
    """Insert a row into a database table, replacing one of the same id."""
    names, values = ", ".join(row), ", ".join(f":{name}" for name in row)
    replaced = ", ".join(f"{name} = excluded.{name}" for name in row if name != "id")
    known = f" ON CONFLICT (id) DO UPDATE SET {replaced}" if "id" in row else ""
    file.session.execute(f"INSERT INTO {table} ({names}) VALUES ({values}){known}", row)  # noqa: S608


def _tables_of(file: OfflineDatabase, kind: Literal["tournament", "series"]) -> list[tuple[str, str]]:
    """Return the database tables with data of tournaments or series, each with its column of their number."""
    parent, key = ("tournaments", "tournament_id") if kind == "tournament" else ("series", "series_id")
    found = [(parent, "id")]
    for name, columns in file.columns().items():
        if key in columns and (kind == "series" or name != "series_nights"):
            found.append((name, key))
    return found


# --- settings --------------------------------------------------------------------------------------------------------


def stored_preferences(file: OfflineDatabase, owner: Owner, number: int) -> Mapping[str, str]:
    """Return the stored choices of a person or server, by name."""
    which = {"owner": owner, "id": number}
    rows = file.fetch("SELECT name, value FROM preferences WHERE owner = :owner AND owner_id = :id", which)
    return {row[0]: row[1] for row in rows}


def delete_preference(file: OfflineDatabase, owner: Owner, number: int, name: str) -> None:
    """Delete a choice, so that its default applies."""
    file.session.execute(
        "DELETE FROM preferences WHERE owner = :owner AND owner_id = :id AND name = :name",
        {"owner": owner, "id": number, "name": name},
    )


def personal_texts(file: OfflineDatabase, person: int) -> Mapping[str, str]:
    """Return a person's stored quiet hours, vacation and last contact, as texts by database table."""
    found = {}
    for table, column in (("personal_times", "times"), ("contacts", "contact")):
        for row in file.fetch(f"SELECT {column} FROM {table} WHERE person_id = :id", {"id": person}):  # noqa: S608
            found[table] = row[0]
    return found


def delete_personal_text(file: OfflineDatabase, table: str, person: int) -> None:
    """Delete a person's quiet hours and vacation, or last contact, as `table` says."""
    file.session.execute(f"DELETE FROM {table} WHERE person_id = :id", {"id": person})  # noqa: S608 - a name of ours


def saved_rules(file: OfflineDatabase, server: int) -> Mapping[str, str]:
    """Return the rules that a server has saved, as text, by the key of their name."""
    rows = file.fetch("SELECT folded, rules FROM saved_rules WHERE guild_id = :id", {"id": server})
    return {row[0]: row[1] for row in rows}


def delete_saved_rules(file: OfflineDatabase, server: int, folded: str) -> None:
    """Delete rules that a server has saved."""
    which = {"id": server, "folded": folded}
    file.session.execute("DELETE FROM saved_rules WHERE guild_id = :id AND folded = :folded", which)


def owners_of_settings(file: OfflineDatabase) -> tuple[tuple[Owner, int], ...]:
    """Return the owners of settings: (kind, id) of each person and server."""
    rows = file.fetch(
        """
        SELECT owner, owner_id FROM preferences WHERE owner IN ('person', 'server')
        UNION SELECT 'person', person_id FROM personal_times UNION SELECT 'person', person_id FROM contacts
        UNION SELECT 'server', guild_id FROM saved_rules ORDER BY 1, 2
        """
    )
    return tuple((row[0], row[1]) for row in rows)


def write_private(path: Path, text: str) -> None:
    """Write a new file that only its owner can read, and flush it to the disk."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
