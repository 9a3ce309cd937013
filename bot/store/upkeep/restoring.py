"""Changes to a backup before it replaces the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot.store.engines.interface import Session
from bot.store.engines.sqlite_connection import FILE_ERRORS
from bot.store.upkeep.offline_databases import OfflineDatabase

UNREADABLE: Final = (*FILE_ERRORS, OSError)
"""Errors raised for a file that cannot be read."""


_PERSON: Final = ("person_id", "partner_id", "blocked_id", "opened_by", "saved_by")
"""Columns with ids of persons, in any table; `preferences` also has ids of servers."""


def people_in_database(file: OfflineDatabase) -> tuple[int, ...]:
    """Return the ids of all people in a database; former players, whose ids are negative, are left out."""
    return people_in_columns(file.session, file.columns())


def people_in_columns(session: Session, columns: Mapping[str, Sequence[str]]) -> tuple[int, ...]:
    """Return the ids of all people in a database whose tables have these columns."""
    parts = ["SELECT owner_id FROM preferences WHERE owner = 'person'"]
    for table, names in columns.items():
        parts += [f"SELECT {name} FROM {table}" for name in names if name in _PERSON]  # noqa: S608 - names of our schema
    rows = session.execute(" UNION ".join(parts)).rows
    return tuple(row[0] for row in rows if row[0] is not None and row[0] > 0)


def last_heartbeat(file: OfflineDatabase) -> int:
    """Return the latest heartbeat or change in a database (UTC milliseconds), which dates its content.

    Return 0 if none.
    """
    return last_change(file.session)


def last_change(session: Session) -> int:
    """Return the instant of the latest heartbeat or change in a database; 0 without any."""
    questions = ("SELECT max(at) FROM heartbeat", "SELECT max(updated_at) FROM tables")
    return max(session.execute(one).rows[0][0] or 0 for one in questions)


def prepare_restored_database(file: OfflineDatabase, *, as_of: int, now: int) -> None:
    """Prepare a database for use after it was restored from a backup.

    Boards of open tables will be posted again, and promises that may have been kept since the backup are dropped. For
    each open table, a message is promised which says that moves after `as_of` are lost.
    """
    promise_restore_messages(file.session, as_of=as_of, now=now)


def promise_restore_messages(session: Session, *, as_of: int, now: int) -> None:
    """Prepare a restored database within a session; see `prepare_restored_database`."""
    boards = "table_id IN (SELECT id FROM tables WHERE status IN ('lobby', 'playing'))"
    session.execute(f"DELETE FROM messages WHERE {boards}")  # noqa: S608 - no value in it
    session.execute("DELETE FROM outbox WHERE kind IN ('letter', 'member', 'archive')")
    session.execute(
        """
        INSERT INTO outbox (kind, key, guild_id, args, made_at, due_at)
        SELECT 'restored', 'b' || id, guild_id, '{"as_of":' || CAST(:as_of AS TEXT) || '}', :now, :now FROM tables
        WHERE status IN ('lobby', 'playing')
        ON CONFLICT (kind, key) DO UPDATE
        SET args = excluded.args, generation = outbox.generation + 1, due_at = excluded.due_at
        """,
        {"as_of": as_of, "now": now},
    )
