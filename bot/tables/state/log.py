"""Rows of a table's log, as needed for an undo."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from bot.engine.moves.events import Event
from bot.tables.state.events import AnyEvent, Undone


@dataclass(frozen=True, slots=True)
class LogEntry:
    """The events in one row of a log, and the seat and person that caused them."""

    version: int
    seat: int | None
    person: int | None
    events: tuple[AnyEvent, ...] = field(repr=False)

    @property
    def of_game(self) -> tuple[Event, ...]:
        """Return the events of the game itself."""
        return tuple(event for event in self.events if isinstance(event, Event))

    @property
    def without_moves(self) -> LogEntry:
        """Return the entry without the events of the game itself."""
        return replace(self, events=tuple(event for event in self.events if not isinstance(event, Event)))


def standing(rows: Iterable[LogEntry]) -> list[LogEntry]:
    """Return the rows in order, without moves that were undone later; other events of those rows stay."""
    kept: list[LogEntry] = []
    for row in rows:
        for event in row.events:
            if isinstance(event, Undone):
                kept = [one if one.version <= event.version else one.without_moves for one in kept]
        kept.append(row)
    return kept
