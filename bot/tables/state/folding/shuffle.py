"""The effects of the events about the shuffle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from bot.engine.cards.cards import with_item_replaced
from bot.tables.state.events import Contributed, PackFixed, SeedCommitted, SeedRevealed, Shuffled, ShuffleEvent
from bot.tables.state.snapshots import Shuffle
from bot.tables.state.table import TableState


def _add_commitment(record: TableState, event: SeedCommitted) -> TableState:
    """Add a commitment; it replaces an unused one to the same deal."""
    kept = tuple(shuffle for shuffle in record.shuffles if shuffle.deal != event.deal)
    return replace(
        record,
        shuffles=(*kept, Shuffle(event.deal, event.commitment)),
        contributions=(None,) * len(record.seats),
    )


def _set_contribution(record: TableState, event: Contributed) -> TableState:
    """Set the seat's share in the next shuffle."""
    return replace(record, contributions=with_item_replaced(record.contributions, event.seat, event.word))


def _record_shuffle(record: TableState, event: Shuffled) -> TableState:
    """Record the contributions with which a deal was shuffled."""
    return _with_shuffle(record, replace(record.shuffle(event.deal), contributions=event.contributions))


def _reveal_seed(record: TableState, event: SeedRevealed) -> TableState:
    """Record the published seed of a deal."""
    return _with_shuffle(record, replace(record.shuffle(event.deal), seed=event.seed))


def _with_shuffle(record: TableState, changed: Shuffle) -> TableState:
    """Return the record with the shuffle of one deal replaced by `changed`."""
    shuffles = tuple(changed if shuffle.deal == changed.deal else shuffle for shuffle in record.shuffles)
    return replace(record, shuffles=shuffles)


def _fix_pack(record: TableState, event: PackFixed) -> TableState:
    """Record the fixed pack and dealer of the first deal."""
    return replace(record, known=event)


FOLDS: Final[Mapping[type[ShuffleEvent], Callable[[TableState, Any], TableState]]] = {
    SeedCommitted: _add_commitment,
    Contributed: _set_contribution,
    Shuffled: _record_shuffle,
    SeedRevealed: _reveal_seed,
    PackFixed: _fix_pack,
}
