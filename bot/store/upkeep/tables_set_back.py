"""Tables whose stored version is earlier than one that a process knew.

A failover of the server has then lost the last moments.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.store.engines.interface import Session
from bot.store.outbox import RESTORED, Promise, promise_statement

_SET_BACK: Final = """
SELECT guild_id, updated_at FROM tables WHERE id = :table AND version < :version AND status IN ('lobby', 'playing')
"""

_SHOW_AGAIN: Final = "UPDATE messages SET behind = 1, version = 0 WHERE table_id = :table"


def note_tables_set_back(known: Mapping[int, int], now: int, session: Session) -> tuple[int, ...]:
    """Return the tables that were set back; `known` has the versions that this process knew.

    A message at each of them is promised, and its board will be shown again.
    """
    found = []
    for table, version in known.items():
        rows = session.execute(_SET_BACK, {"table": table, "version": version}).rows
        for guild, as_of in rows:
            found.append(table)
            session.execute(_SHOW_AGAIN, {"table": table})
            args = {"as_of": as_of, "lost": 1}
            promise = promise_statement(Promise(kind=RESTORED, key=f"b{table}", guild=guild, args=args), now)
            session.execute(promise.sql, promise.parameters)
    return tuple(found)
