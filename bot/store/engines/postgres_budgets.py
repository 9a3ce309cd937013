"""Token buckets that all processes of a fleet share, as rows of `budgets`.

Discord counts the requests of the bot, not of a process. A request locks the row before it reads the server's clock, so
that no time is counted twice, however the processes' clocks differ and however long they waited for the row.
"""

from __future__ import annotations

from typing import Final

from bot.store.engines.interface import Session, TokenGrant

TOKEN: Final = 3_600_000
"""The parts of a token: a bucket that gains N tokens an hour gains N parts a millisecond."""

_MAKE: Final = """
INSERT INTO budgets (name, parts, at) VALUES (:name, 0, 0) ON CONFLICT (name) DO NOTHING
"""
_LOCK: Final = "SELECT parts, at, paused_until FROM budgets WHERE name = :name FOR UPDATE"
_NOW: Final = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"
_WRITE: Final = "UPDATE budgets SET parts = :parts, at = :at WHERE name = :name"
_PAUSE: Final = "UPDATE budgets SET paused_until = :until WHERE name = :name AND paused_until < :until"


def take_tokens(session: Session, name: str, wanted: int, *, urgent: int, per_hour: int, holds: int) -> TokenGrant:
    """Take up to `wanted` tokens of a bucket; its last two are only for the `urgent` ones among them.

    The bucket gains `per_hour` tokens an hour and never holds more than `holds`.
    """
    session.execute("BEGIN")
    session.execute(_MAKE, {"name": name})
    parts, at, paused_until = session.execute(_LOCK, {"name": name}).rows[0]
    now = session.execute(_NOW).rows[0][0]
    parts = min(parts + max(0, now - at) * per_hour, holds * TOKEN)
    granted = 0
    if now >= paused_until:
        kept = min(2, holds - 1)
        granted = max(0, min(wanted, parts // TOKEN - kept))
        granted = max(granted, min(urgent, parts // TOKEN))
    session.execute(_WRITE, {"name": name, "parts": parts - granted * TOKEN, "at": now})
    session.execute("COMMIT")
    return TokenGrant(granted, max(0, paused_until - now))


def pause_budget(session: Session, name: str, milliseconds: int) -> None:
    """Grant no tokens to any process for that many milliseconds."""
    until = session.execute(_NOW).rows[0][0] + milliseconds
    session.execute(_MAKE, {"name": name})
    session.execute(_PAUSE, {"name": name, "until": until})
