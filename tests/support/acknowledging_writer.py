"""A process that writes actions without end, and records each acknowledged one; tests kill it.

`python -m tests.support.acknowledging_writer DATABASE NOTES MODE`. In MODE `committed` an action is noted when its
commit has returned; in `queued` already when it is requested, which is wrong on purpose, to show that the test can
fail.
"""

from __future__ import annotations

import asyncio
import os
import struct
import sys
from itertools import count
from pathlib import Path

from bot.store.store import Store, open_store
from tests.support.stored_tables import new_change, new_table

TABLES = 8
AHEAD = 100
"""One action in this many is awaited, unless every one is."""

NOTE = struct.Struct("<QQQ8x")
"""Table, version and request, filled up to 32 bytes.

So no note crosses from one page of memory into the next, where a kill could tear it.
"""


class NotesFile:
    """A file of notes, each appended with one `write`, so that they survive a kill."""

    def __init__(self, file: Path) -> None:
        self._descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def add(self, table: int, version: int, request: int) -> None:
        os.write(self._descriptor, NOTE.pack(table, version, request))


async def write_until_killed(store: Store, notes: NotesFile, start: int, *, wait: bool) -> None:
    """Change one table again and again, noting each acknowledged action."""
    table = await store.tables.create(new_table(request=start))
    notes.add(table, 1, start)
    for version in count(1):
        asked = asyncio.ensure_future(store.tables.commit(new_change(table, version, request=start + version)))
        if wait or version % AHEAD == 0:
            await asked
        notes.add(table, version + 1, start + version)


async def main(database: Path, file: Path, mode: str) -> None:
    """Write until the process is killed."""
    notes = NotesFile(file)
    async with open_store(database) as store:
        start = 10_000_000 * os.getpid()
        writers = (
            write_until_killed(store, notes, start + 1_000_000 * number, wait=mode == "committed")
            for number in range(TABLES)
        )
        await asyncio.gather(*writers)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]))
