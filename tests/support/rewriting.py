"""A process that takes the names out of a file's rows and says so after each step; it is there to be killed.

`python -m tests.support.rewriting DATABASE`.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from bot.store.protocol import Rewriting
from bot.store.store import Store, open_store
from bot.tables import earlier_rows
from bot.tables.service import TableService
from tests.support.clock import ManualClock

ROWS_AT_A_TIME = 7


async def main(database: Path) -> None:
    """Rewrite to the end, a line of output for each step."""
    earlier_rows.BATCH = ROWS_AT_A_TIME  # type: ignore[misc]  # many steps, to be killed between any two
    async with open_store(database) as store:
        await TableService(_Telling(store._database), ManualClock()).rewrite_earlier()


class _Telling(Store):
    async def rewrite(self, rewriting: Rewriting) -> None:
        await super().rewrite(rewriting)
        sys.stdout.write(f"{rewriting.table} {rewriting.version}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
