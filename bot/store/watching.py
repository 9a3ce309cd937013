"""The part of the store that is about games nobody touches, and about those who watch one."""

from __future__ import annotations

from typing import Final

from bot.store.asking import Asking
from bot.store.watching_protocol import Watcher
from bot.store.writer import Statement, Write

_TOUCHED_AT: Final = """
SELECT at FROM actions WHERE table_id = :table AND request_id IS NOT NULL ORDER BY version DESC LIMIT 1
"""

_GAMES_WITHOUT_TIMER: Final = """
SELECT id FROM tables
WHERE status = 'playing' AND id > :after
    AND NOT EXISTS (SELECT 1 FROM timers WHERE timers.table_id = tables.id AND timers.kind = CAST(:kind AS TEXT))
ORDER BY id LIMIT :limit
"""

_WATCH: Final = """
INSERT INTO watchers (table_id, person_id, told)
SELECT id, CAST(:person AS BIGINT), CAST(:told AS BIGINT) FROM tables WHERE id = :table
ON CONFLICT (table_id, person_id) DO UPDATE SET told = excluded.told
"""

_WATCH_NO_MORE: Final = "DELETE FROM watchers WHERE table_id = :table AND person_id = :person"

_WATCHERS: Final = """
SELECT person_id AS person, told FROM watchers WHERE table_id = :table ORDER BY person_id
"""


class Watching(Asking):
    """See `bot.store.watching_protocol.WatchingStore`, which this keeps."""

    async def touched_at(self, table: int) -> int | None:
        return await self._value(_TOUCHED_AT, {"table": table})

    async def games_without_timer(self, kind: str, *, after: int, limit: int) -> tuple[int, ...]:
        return await self._values(_GAMES_WITHOUT_TIMER, {"kind": kind, "after": after, "limit": limit})

    async def watch(self, table: int, person: int, *, told: int) -> None:
        statement = Statement(_WATCH, {"table": table, "person": person, "told": told}, rows=None)
        await self._database.write(Write(table, (statement,)))

    async def watch_no_more(self, table: int, person: int) -> None:
        statement = Statement(_WATCH_NO_MORE, {"table": table, "person": person}, rows=None)
        await self._database.write(Write(table, (statement,)))

    async def watchers(self, table: int) -> tuple[Watcher, ...]:
        return await self._all(Watcher, _WATCHERS, {"table": table})
