"""Whereabouts: what is known of a table without reading it."""

from __future__ import annotations

from dataclasses import dataclass

from bot.store.tables import TableSummary


@dataclass(frozen=True, slots=True)
class TableRef:
    """An open table's number, its version, and where it lives."""

    id: int
    version: int
    guild: int
    channel: int
    thread: int | None


def whereabouts_of(summary: TableSummary) -> TableRef:
    """Where a stored table lives."""
    return TableRef(summary.id, summary.version, summary.guild, summary.channel, summary.thread)
