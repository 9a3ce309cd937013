"""Results of games that were finished before results were kept: written once, some at a time, while people play."""

from __future__ import annotations

import asyncio
from typing import Final

from bot.store.errors import InvalidWrite
from bot.store.players import Result
from bot.tables.ledger import Ledger
from bot.tables.refusals import TableRefusal
from bot.tables.results import results_of

BATCH: Final = 50


async def fill_results(ledger: Ledger) -> int:
    """Write the results of every finished table that has none; how many tables there were.

    A table that cannot be read has no results. Begun anew after an interruption it goes on where it stood.
    """
    filled = 0
    while numbers := await ledger.store.results_missing(BATCH):
        for number in numbers:
            await _fill(ledger, number)
            filled += 1
            await asyncio.sleep(0)
    return filled


async def _fill(ledger: Ledger, number: int) -> None:
    results: tuple[Result, ...] = ()
    try:
        table = await ledger.table(number)
        results = results_of(number, table.record, at=table.updated_at)
    except TableRefusal:
        pass
    try:
        await ledger.store.fill_results(number, results)
    except InvalidWrite:
        await ledger.store.fill_results(number, ())
