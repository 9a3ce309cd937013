"""Counts of pending work in a database, shown to the bot's hosts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.store.messages import COUNT_BEHIND
from bot.store.upkeep.offline_databases import OfflineDatabase

_BAD_STARTS: Final = """
SELECT coalesce(max(number), 0) FROM (
    SELECT count(*) AS number FROM starts WHERE at > :before AND ready_at IS NULL GROUP BY shard
) AS of_shards
"""

_IDENTIFIES: Final = "SELECT coalesce(sum(identifies), 0) FROM starts WHERE at > :before"


@dataclass(frozen=True, slots=True)
class PendingCounts:
    """Counts of pending work in a database.

    `bad_starts` are starts that were never ready for ten minutes, the present one among them until it is; in a fleet,
    those of the process that has most.
    """

    tournaments: tuple[int, ...]
    promises: int
    old_promises: int
    boards_behind: int
    starts: int
    bad_starts: int
    identifies: int


def count_pending_work(file: OfflineDatabase, *, before: int = 0) -> PendingCounts:
    """Return the counts of a database of this release's schema; promises made before `before` are old."""
    since = {"before": before}
    return PendingCounts(
        tuple(row[0] for row in file.fetch("SELECT id FROM tournaments ORDER BY id")),
        file.fetch_number("SELECT count(*) FROM outbox") or 0,
        file.fetch_number("SELECT count(*) FROM outbox WHERE made_at < :before", {"before": before}) or 0,
        file.fetch_number(COUNT_BEHIND) or 0,
        file.fetch_number("SELECT count(*) FROM starts WHERE at > :before", since) or 0,
        file.fetch_number(_BAD_STARTS, since) or 0,
        file.fetch_number(_IDENTIFIES, since) or 0,
    )
