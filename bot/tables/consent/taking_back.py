"""The way back to before a move that has shown hidden cards, found in a table's log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from bot.engine.moves.events import Combined, DealEnded, DealStarted, Event, Melded, Opened, Reclaimed, TookBack
from bot.tables.events import AnyEvent, Undone
from bot.tables.record_folding import fold
from bot.tables.refusals import TableCode, TableRefusal

_BACK_ALONE: Final = (Melded, Combined, Reclaimed, Opened, TookBack)
"""What is taken back without asking anybody, and taking it back."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """What happened in one row of a log, and who did it: a seat, of which person."""

    version: int
    seat: int | None
    person: int | None
    events: tuple[AnyEvent, ...] = field(repr=False)

    @property
    def of_game(self) -> tuple[Event, ...]:
        """The events of the game itself."""
        return tuple(event for event in self.events if isinstance(event, Event))

    @property
    def without_moves(self) -> LogEntry:
        """What happened beside the game."""
        return replace(self, events=tuple(event for event in self.events if not isinstance(event, Event)))


def standing(rows: Iterable[LogEntry]) -> list[LogEntry]:
    """The rows in order, without the moves that were taken back since; what else happened then is there."""
    kept: list[LogEntry] = []
    for row in rows:
        for event in row.events:
            if isinstance(event, Undone):
                kept = [one if one.version <= event.version else one.without_moves for one in kept]
        kept.append(row)
    return kept


def version_to_undo_to(rows: Sequence[LogEntry], table: int, *, seat: int, person: int) -> int:
    """The version before the last move of that seat and person that cannot be taken back alone.

    `rows` are the latest of the log, oldest first. Refusals: undo_too_late where another seat has acted since,
    undo_deal_over where the move has ended a deal, undo_nothing where no such move is found.
    """
    for row in reversed(standing(rows)):
        events = row.of_game
        if not events:
            continue
        if any(isinstance(event, DealEnded) for event in events):
            raise TableRefusal(TableCode.UNDO_DEAL_OVER, {"table": table})
        if any(isinstance(event, DealStarted) for event in events):
            break
        if row.seat != seat or row.person not in (None, person):
            raise TableRefusal(TableCode.UNDO_TOO_LATE, {"table": table})
        if not all(isinstance(event, _BACK_ALONE) for event in events):
            return row.version - 1
    raise TableRefusal(TableCode.UNDO_NOTHING, {"table": table})


def undone(rows: Iterable[LogEntry], version: int) -> Undone:
    """The game as it stood at that version; `rows` are the whole log up to it."""
    then = fold(None, (event for row in rows if row.version <= version for event in row.events))
    if then.game is None:
        raise ValueError(f"no game at version {version}")
    return Undone(version, then.game, then.recent, then.drawn)
