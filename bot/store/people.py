"""The part of the store that is about persons: results of games, lapses, blocks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, replace
from typing import Final

from bot.store import people_statements as sql
from bot.store.asking import Asking
from bot.store.errors import InvalidWrite
from bot.store.people_protocol import OpposedResult, PartnerResult, Result
from bot.store.writer import Conflict, Statement, Write

EVERY_ROW: Final = 2**62


def result_statements(results: Iterable[Result]) -> Iterator[Statement]:
    """What writes the results of a game."""
    for result in results:
        yield Statement(sql.NEW_RESULT, {**asdict(result), "won": int(result.won)})


def lapse_statements(table: int, persons: Iterable[int], at: int) -> Iterator[Statement]:
    """What notes that the time of persons was used up."""
    for person in persons:
        yield Statement(sql.NOTE_LAPSE, {"person": person, "table": table, "at": at})


class PeopleTables(Asking):
    """See `bot.store.people_protocol.PeopleStore`, which this keeps."""

    async def results(self, person: int, *, limit: int | None = None) -> tuple[Result, ...]:
        rows = {"person": person, "limit": EVERY_ROW if limit is None else limit}
        found = await self._all(Result, sql.RESULTS, rows)
        return tuple(replace(result, won=bool(result.won)) for result in found)

    async def partner_results(self, person: int) -> tuple[PartnerResult, ...]:
        found = await self._all(PartnerResult, sql.PARTNER_RESULTS, {"person": person})
        return tuple(replace(result, won=bool(result.won)) for result in found)

    async def opposed_results(self, person: int, other: int) -> tuple[OpposedResult, ...]:
        found = await self._all(OpposedResult, sql.OPPOSED_RESULTS, {"person": person, "other": other})
        return tuple(OpposedResult(one.table, bool(one.won), bool(one.lost)) for one in found)

    async def results_missing(self, limit: int) -> tuple[int, ...]:
        return await self._values(sql.RESULTS_MISSING, {"limit": limit})

    async def fill_results(self, table: int, results: Collection[Result]) -> None:
        filled = Statement(sql.RESULTS_FILLED, {"table": table})
        await self._write_people(Write(table, (filled, *result_statements(results))))

    async def lapses(self, person: int, *, since: int) -> int:
        return await self._value(sql.LAPSES, {"person": person, "since": since}) or 0

    async def block(self, person: int, blocked: int, at: int) -> None:
        values = {"person": person, "blocked": blocked, "at": at}
        await self._write_people(Write(("blocks", person), (Statement(sql.BLOCK, values, rows=None),)))

    async def unblock(self, person: int, blocked: int) -> None:
        which = {"person": person, "blocked": blocked}
        await self._write_people(Write(("blocks", person), (Statement(sql.UNBLOCK, which, rows=None),)))

    async def blocks(self, person: int) -> tuple[int, ...]:
        return await self._values(sql.BLOCKS, {"person": person})

    async def _write_people(self, write: Write) -> None:
        try:
            await self._database.write(write)
        except Conflict as conflict:
            raise InvalidWrite(str(conflict)) from None
