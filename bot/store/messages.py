"""The messages that show tables on Discord, and other messages posted for a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

from bot.store.database import Database
from bot.store.engines.interface import OWNED
from bot.store.outbox import Promise, promise_statement
from bot.store.tables import write_for_table
from bot.store.writer import Statement


@dataclass(frozen=True, slots=True)
class MessageRow:
    """The message that shows a table: its place, the version it shows, and when it was posted.

    `told` records who was mentioned for which turn, as text that the store never reads.
    """

    table: int
    channel: int
    message: int
    version: int
    posted_at: int
    told: str = ""


@dataclass(frozen=True, slots=True)
class PostedMessages:
    """The messages posted for a table besides the one that shows it: opening and announcement.

    `announced` is None if no message announces the table's thread, else whether that message offers a seat.
    """

    begun: bool = False
    announced: bool | None = None


_MESSAGE: Final = """
SELECT table_id AS "table", channel_id AS channel, message_id AS message, version, posted_at, told
FROM messages WHERE table_id = :table
"""

_SET_MESSAGE: Final = """
INSERT INTO messages (table_id, channel_id, message_id, version, posted_at, told, behind)
SELECT id, CAST(:channel AS BIGINT), CAST(:message AS BIGINT), CAST(:version AS BIGINT), CAST(:posted_at AS BIGINT),
    CAST(:told AS TEXT), CASE WHEN version > :version THEN 1 ELSE 0 END
FROM tables WHERE id = :table
ON CONFLICT (table_id) DO UPDATE SET channel_id = excluded.channel_id, message_id = excluded.message_id,
    version = excluded.version, posted_at = excluded.posted_at, told = excluded.told, behind = excluded.behind
"""

_FORGET_REFUSAL: Final = "UPDATE showings SET tried_at = 0 WHERE table_id = :table AND tried_at > 0"

_CLEAR_MESSAGE: Final = "DELETE FROM messages WHERE table_id = :table"

BEHIND: Final = """
SELECT table_id FROM messages WHERE behind = 1
UNION ALL
SELECT id FROM tables WHERE status IN ('lobby', 'playing')
    AND NOT EXISTS (SELECT 1 FROM messages WHERE table_id = tables.id)
"""
"""Tables whose message shows an older version, and open tables without one."""

COUNT_BEHIND: Final = f"SELECT count(*) FROM ({BEHIND}) AS found"  # noqa: S608 - no value in it

_MESSAGES_BEHIND: Final = f"""
SELECT id FROM (
    SELECT id, status = 'playing' AND computer_to_act = 0 AS calls,
        row_number() OVER (PARTITION BY guild_id, status = 'playing' AND computer_to_act = 0 ORDER BY updated_at, id)
            AS place
    FROM tables LEFT JOIN showings ON showings.table_id = id
    WHERE id IN ({BEHIND}) AND guild_id NOT IN (SELECT guild_id FROM departures WHERE at < :departed_before)
        AND coalesce(tried_at, 0) <= :refused_before AND {OWNED}
) AS found
ORDER BY calls DESC, place, id
"""  # noqa: S608 - no value in it

# `tried_at` is when Discord last refused a table's message; 0 once Discord has accepted one.
_NOTE_REFUSED: Final = """
INSERT INTO showings (table_id, tried_at) SELECT id, CAST(:at AS BIGINT) FROM tables WHERE id = :table
ON CONFLICT (table_id) DO UPDATE SET tried_at = excluded.tried_at
"""

_SHOWING: Final = "SELECT begun, announced FROM showings WHERE table_id = :table"

_NOTE_BEGUN: Final = """
INSERT INTO showings (table_id, begun) SELECT id, 1 FROM tables WHERE id = :table
ON CONFLICT (table_id) DO UPDATE SET begun = 1
"""

_NOTE_ANNOUNCED: Final = """
INSERT INTO showings (table_id, announced) SELECT id, CAST(:joinable AS BIGINT) FROM tables WHERE id = :table
ON CONFLICT (table_id) DO UPDATE SET announced = excluded.announced
"""

_SHEET: Final = "SELECT deal FROM sheets WHERE table_id = :table"

_SET_SHEET: Final = """
INSERT INTO sheets (table_id, deal) SELECT id, CAST(:deal AS BIGINT) FROM tables WHERE id = :table
ON CONFLICT (table_id) DO UPDATE SET deal = excluded.deal
"""


class MessageStore:
    """The messages that show tables. Storing one does not change a table's version."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load(self, table: int) -> MessageRow | None:
        """Return the message that shows the table, or None."""
        return await self._database.fetch_one(MessageRow, _MESSAGE, {"table": table})

    async def set_message(self, row: MessageRow, promises: Sequence[Promise] = (), *, at: int = 0) -> None:
        """Store the message that shows the table, replacing the earlier one, and promises for the outbox.

        Raises `UnknownTable`.
        """
        taken = Statement(_FORGET_REFUSAL, {"table": row.table}, rows=None)
        promised = [promise_statement(one, at) for one in promises]
        await write_for_table(self._database, row.table, Statement(_SET_MESSAGE, asdict(row)), taken, *promised)

    async def clear_message(self, table: int) -> None:
        """Store that no message shows the table."""
        await write_for_table(self._database, table, Statement(_CLEAR_MESSAGE, {"table": table}, rows=None))

    async def tables_with_outdated_message(
        self, *, departed_before: int = 0, refused_before: int = 0
    ) -> tuple[int, ...]:
        """Return tables whose message shows an older version, and open tables without a message.

        A crash between a commit and the edit of a message leaves such a table. Tables that wait for a person come
        first; guilds take turns. Guilds that the bot left before `departed_before`, and tables whose message Discord
        refused after `refused_before`, are skipped.
        """
        which = {
            "departed_before": departed_before,
            "refused_before": refused_before,
            **self._database.shard_parameters,
        }
        return await self._database.fetch_numbers(_MESSAGES_BEHIND, which)

    async def note_refusal(self, table: int, at: int) -> None:
        """Store that Discord refused the table's message at that instant. Raises `UnknownTable`."""
        await write_for_table(self._database, table, Statement(_NOTE_REFUSED, {"table": table, "at": at}))

    async def count_outdated_messages(self) -> int:
        """Return how many tables have an outdated message, or are open and have none."""
        return await self._database.fetch_number(COUNT_BEHIND, {}) or 0

    async def posted_messages(self, table: int) -> PostedMessages:
        """Return the messages posted for the table besides the one that shows it."""
        rows = await self._database.fetch(_SHOWING, {"table": table})
        if not rows:
            return PostedMessages()
        begun, announced = rows[0]
        return PostedMessages(bool(begun), None if announced is None else bool(announced))

    async def note_opening_posted(self, table: int) -> None:
        """Store that the message about the game's opening was posted. Raises `UnknownTable`."""
        await write_for_table(self._database, table, Statement(_NOTE_BEGUN, {"table": table}))

    async def note_announcement(self, table: int, *, joinable: bool) -> None:
        """Store that a message announces the table's thread, and whether it offers a seat.

        Raises `UnknownTable`.
        """
        statement = Statement(_NOTE_ANNOUNCED, {"table": table, "joinable": int(joinable)})
        await write_for_table(self._database, table, statement)

    async def last_posted_sheet(self, table: int) -> int:
        """Return the last deal whose score sheet was posted as a message of its own; 0 if none was."""
        return await self._database.fetch_number(_SHEET, {"table": table}) or 0

    async def set_last_posted_sheet(self, table: int, deal: int) -> None:
        """Store that the score sheets of all deals up to `deal` were posted.

        Raises `UnknownTable`, `InvalidWrite`.
        """
        await write_for_table(self._database, table, Statement(_SET_SHEET, {"table": table, "deal": deal}))
