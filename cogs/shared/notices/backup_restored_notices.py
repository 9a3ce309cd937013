"""Posts at each open table that a backup was restored, so that players know why moves are missing."""

from __future__ import annotations

import json

from bot.clocks.time_rules import DAY
from bot.outbox import Promised, PromiseKind
from bot.tables.service import TableService
from bot.tables.state.refusals import TableRefusal
from bot.tables.state.snapshots import OPEN
from cogs.shared.discord_api.components import page, text
from cogs.shared.notices.sender import Sender
from cogs.shared.posting.outbox_tasks import require_success
from cogs.shared.telling import status_text


class RestoredBackupNotices:
    """Posts that a backup was restored, once at each table that was open in the backup."""

    def __init__(self, tables: TableService, sender: Sender) -> None:
        self._tables = tables
        self._sender = sender

    def outbox_handler(self) -> PromiseKind:
        """Return the handler with which the outbox posts these messages."""
        return PromiseKind(self.post_restored_notice, DAY, online=True)

    async def post_restored_notice(self, row: Promised) -> None:
        """Post the message of an outbox row, if its table is still open."""
        try:
            snapshot = await self._tables.reading.snapshot(int(row.key[1:]))
        except TableRefusal:
            return
        if snapshot.status in OPEN:
            args = json.loads(row.args)
            key = "notices.set_back" if args.get("lost") else "notices.restored"
            told = text(self._sender.words_of(snapshot)(key, at=status_text.discord_timestamp(args["as_of"], "f")))
            require_success(await self._sender.post_mention(snapshot, page([told]), f"r{row.id}.{row.generation}"))
