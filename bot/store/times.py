"""The part of the store that is about time: timers, when the bot was ready, and what persons set for themselves."""

from __future__ import annotations

from typing import Final

from bot.store import statements as sql
from bot.store.asking import Asking
from bot.store.times_protocol import DueTimer, Outage
from bot.store.writer import Statement, Write

_OUTAGES: Final = "SELECT start_at, end_at FROM outages ORDER BY start_at"

_NEW_OUTAGE: Final = """
INSERT INTO outages (start_at, end_at) VALUES (:start_at, :end_at)
ON CONFLICT (start_at) DO UPDATE SET end_at = max(end_at, excluded.end_at)
"""

_TIMER: Final = """
SELECT table_id AS "table", guild_id AS guild, kind, due_at, version FROM timers
WHERE table_id = :table AND kind = :kind
"""

_TIMES: Final = "SELECT times FROM personal_times WHERE person_id = :person"

_SET_TIMES: Final = """
INSERT INTO personal_times (person_id, times) VALUES (:person, :times)
ON CONFLICT (person_id) DO UPDATE SET times = excluded.times
"""

_CLEAR_TIMES: Final = "DELETE FROM personal_times WHERE person_id = :person"


class TimesKept(Asking):
    """See `bot.store.times_protocol.TimesStore`, which this keeps."""

    async def next_due(self) -> int | None:
        return await self._value(sql.NEXT_DUE, {})

    async def due(self, now: int, limit: int) -> tuple[DueTimer, ...]:
        return await self._all(DueTimer, sql.DUE, {"now": now, "limit": limit})

    async def timer(self, table: int, kind: str) -> DueTimer | None:
        return await self._one(DueTimer, _TIMER, {"table": table, "kind": kind})

    async def heartbeat(self, at: int, outage: Outage | None = None) -> None:
        beat = Statement(sql.HEARTBEAT, {"at": at})
        away = (
            () if outage is None else (Statement(_NEW_OUTAGE, {"start_at": outage.start_at, "end_at": outage.end_at}),)
        )
        await self._database.write(Write("heartbeat", (beat, *away)))

    async def last_heartbeat(self) -> int | None:
        return await self._value(sql.LAST_HEARTBEAT, {})

    async def outages(self) -> tuple[Outage, ...]:
        return await self._all(Outage, _OUTAGES, {})

    async def personal_times(self, person: int) -> str | None:
        rows = await self._database.read(_TIMES, {"person": person})
        return next((row[0] for row in rows), None)

    async def set_personal_times(self, person: int, times: str | None) -> None:
        if times is None:
            statement = Statement(_CLEAR_TIMES, {"person": person}, rows=None)
        else:
            statement = Statement(_SET_TIMES, {"person": person, "times": times})
        await self._database.write(Write(("times", person), (statement,)))
