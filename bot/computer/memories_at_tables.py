"""The memories of computer players at tables, brought up to date from the public part of the log."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from bot.computer.memory_of_a_deal import Memory, begin_memory
from bot.tables.reading_tables import ReadingService
from bot.tables.state.snapshots import TableSnapshot

MOST_KEPT: Final = 256
"""Number of cached memories; those of other tables are rebuilt from the log when needed."""


class TableMemories:
    """One memory per table: all its seats see the same public events."""

    def __init__(self, reading: ReadingService) -> None:
        self._reading = reading
        self._kept: OrderedDict[int, tuple[int, int, Memory]] = OrderedDict()

    async def memory_of(self, snapshot: TableSnapshot) -> Memory:
        """Return the memory of the table's current deal. Refusals: unknown_table, unreadable_table."""
        deal = 0 if snapshot.view is None else snapshot.view.deal
        version, known_deal, memory = self._kept.get(snapshot.id, (0, 0, Memory()))
        so_far = await self._reading.deal_so_far(snapshot.id, since=version if known_deal == deal else 0)
        if so_far.pile is not None:
            memory = begin_memory(snapshot.players, so_far.pile)
        memory = memory.with_events(so_far.events)
        self._kept[snapshot.id] = so_far.version, deal, memory
        self._kept.move_to_end(snapshot.id)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return memory
