"""Counts of pending work in a database file, for hosts."""

from __future__ import annotations

from dataclasses import dataclass

from bot.store.upkeep.offline import OfflineFile


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of pending work in a file; `starts` is None if the file does not count starts."""

    tournaments: tuple[int, ...]
    promises: int
    old_promises: int
    boards_behind: int
    starts: int | None


def count_rows(file: OfflineFile, *, before: int = 0) -> Counts:
    """Return the counts; promises made before that instant are old."""
    has_starts = file.number("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'starts'")
    return Counts(
        tuple(row[0] for row in file.rows("SELECT id FROM tournaments ORDER BY id")),
        file.number("SELECT count(*) FROM outbox") or 0,
        file.number("SELECT count(*) FROM outbox WHERE made_at < :before", {"before": before}) or 0,
        file.number("SELECT count(*) FROM messages WHERE behind = 1") or 0,
        file.number("SELECT count(*) FROM starts WHERE at > :before", {"before": before}) if has_starts else None,
    )
