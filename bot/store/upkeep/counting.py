"""Counts of pending work in a database file, for hosts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.store.upkeep.offline import OfflineFile

_BAD_STARTS: Final = "SELECT count(*) FROM starts WHERE at > :before AND ready_at IS NULL"

_IDENTIFIES: Final = "SELECT coalesce(sum(identifies), 0) FROM starts WHERE at > :before"


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of pending work in a file; `starts` is None if the file does not count starts.

    `bad_starts` are those that were never ready for ten minutes, the present one among them until it is.
    """

    tournaments: tuple[int, ...]
    promises: int
    old_promises: int
    boards_behind: int
    starts: int | None
    bad_starts: int = 0
    identifies: int = 0


def count_rows(file: OfflineFile, *, before: int = 0) -> Counts:
    """Return the counts; promises made before that instant are old."""
    since = {"before": before}
    has_starts = file.number("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'starts'")
    return Counts(
        tuple(row[0] for row in file.rows("SELECT id FROM tournaments ORDER BY id")),
        file.number("SELECT count(*) FROM outbox") or 0,
        file.number("SELECT count(*) FROM outbox WHERE made_at < :before", {"before": before}) or 0,
        file.number("SELECT count(*) FROM messages WHERE behind = 1") or 0,
        file.number("SELECT count(*) FROM starts WHERE at > :before", since) if has_starts else None,
        (file.number(_BAD_STARTS, since) or 0) if has_starts else 0,
        (file.number(_IDENTIFIES, since) or 0) if has_starts else 0,
    )
