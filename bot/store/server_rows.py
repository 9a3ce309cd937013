"""The part of the store that is about servers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.store.asking import Asking
from bot.store.servers_protocol import AuditEntry, Owner
from bot.store.writer import Statement

CHOSEN: Final = "SELECT owner_id, value FROM preferences WHERE owner = :owner AND name = :name"

PLAYED_SINCE: Final = """
SELECT id FROM tables
WHERE guild_id = :guild AND NOT EXISTS (SELECT 1 FROM contest_tables WHERE contest_tables.table_id = tables.id)
    AND status IN ('lobby', 'playing') AND updated_at >= :since AND (
    SELECT at FROM actions WHERE table_id = tables.id AND person_id IS NOT NULL ORDER BY version DESC LIMIT 1
) >= :since
ORDER BY id
"""

NEW_AUDIT: Final = """
INSERT INTO audit (guild_id, table_id, person_id, action, reason, at)
VALUES (:guild, :table, :person, :action, :reason, :at)
"""

AUDIT_OF_GUILD: Final = """
SELECT guild_id AS guild, table_id AS "table", person_id AS person, action, reason, at FROM audit
WHERE guild_id = :guild ORDER BY id DESC LIMIT :limit
"""

AUDIT_OF_TABLE: Final = """
SELECT guild_id AS guild, table_id AS "table", person_id AS person, action, reason, at FROM audit
WHERE guild_id = :guild AND table_id = :table ORDER BY id DESC LIMIT :limit
"""


class ServerTables(Asking):
    """See `bot.store.servers_protocol.ServerStore`, which this keeps."""

    async def chosen(self, owner: Owner, name: str) -> Mapping[int, str]:
        rows = await self._database.read(CHOSEN, {"owner": owner, "name": name})
        return {row["owner_id"]: row["value"] for row in rows}

    async def played_since(self, guild: int, since: int) -> tuple[int, ...]:
        return await self._values(PLAYED_SINCE, {"guild": guild, "since": since})

    async def audit(self, guild: int, *, table: int | None, limit: int) -> tuple[AuditEntry, ...]:
        which = {"guild": guild, "limit": limit}
        if table is None:
            return await self._all(AuditEntry, AUDIT_OF_GUILD, which)
        return await self._all(AuditEntry, AUDIT_OF_TABLE, {**which, "table": table})


def audited(entry: AuditEntry) -> Statement:
    """The row that tells of a game master's action, for the write that carries it out."""
    return Statement(
        NEW_AUDIT,
        {
            "guild": entry.guild,
            "table": entry.table,
            "person": entry.person,
            "action": entry.action,
            "reason": entry.reason,
            "at": entry.at,
        },
    )
