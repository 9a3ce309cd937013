"""Folds of the shuffle events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from bot.engine.cards.cards import replaced
from bot.tables.state.events import Contributed, PackFixed, SeedCommitted, SeedRevealed, Shuffled, ShuffleEvent
from bot.tables.state.snapshots import Shuffle
from bot.tables.state.table import TableState


def _seed_committed(record: TableState, event: SeedCommitted) -> TableState:
    """Add a commitment; it replaces an unused one to the same deal."""
    kept = tuple(shuffle for shuffle in record.shuffles if shuffle.deal != event.deal)
    return replace(
        record,
        shuffles=(*kept, Shuffle(event.deal, event.commitment)),
        contributions=(None,) * len(record.seats),
    )


def _contributed(record: TableState, event: Contributed) -> TableState:
    return replace(record, contributions=replaced(record.contributions, event.seat, event.word))


def _shuffled(record: TableState, event: Shuffled) -> TableState:
    return _with_shuffle(record, replace(record.shuffle(event.deal), contributions=event.contributions))


def _seed_revealed(record: TableState, event: SeedRevealed) -> TableState:
    return _with_shuffle(record, replace(record.shuffle(event.deal), seed=event.seed))


def _with_shuffle(record: TableState, changed: Shuffle) -> TableState:
    shuffles = tuple(changed if shuffle.deal == changed.deal else shuffle for shuffle in record.shuffles)
    return replace(record, shuffles=shuffles)


def _pack_known(record: TableState, event: PackFixed) -> TableState:
    return replace(record, known=event)


FOLDS: Final[Mapping[type[ShuffleEvent], Callable[[TableState, Any], TableState]]] = {
    SeedCommitted: _seed_committed,
    Contributed: _contributed,
    Shuffled: _shuffled,
    SeedRevealed: _seed_revealed,
    PackFixed: _pack_known,
}
