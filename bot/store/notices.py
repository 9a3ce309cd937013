"""Notices to players about tables, when each was last mentioned, and channels of direct messages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Final

from bot.store.database import Database
from bot.store.engines.interface import OWNED, Session
from bot.store.tables import write_for_table
from bot.store.writer import Statement


@dataclass(frozen=True, slots=True)
class NoticeRow:
    """A notice to a person, `about` a turn or another matter at a table, and the message that shows it.

    Without `message` no message was sent yet; `channel` alone is where it is being sent.
    """

    table: int
    person: int
    about: str
    stage: str
    channel: int | None
    message: int | None
    at: int


_COLUMNS: Final = """
SELECT table_id AS "table", person_id AS person, about, stage, channel_id AS channel, message_id AS message, at
FROM notices
"""

_OF_TABLE: Final = _COLUMNS + "WHERE table_id = :table ORDER BY person_id, about"

_OF_PERSON: Final = _COLUMNS + "WHERE person_id = :person ORDER BY table_id, about"

_SET: Final = """
INSERT INTO notices (table_id, person_id, about, stage, channel_id, message_id, at)
VALUES (:table, :person, :about, :stage, :channel, :message, :at)
ON CONFLICT (table_id, person_id, about) DO UPDATE SET stage = excluded.stage, channel_id = excluded.channel_id,
    message_id = excluded.message_id, at = excluded.at
"""

_CLEAR: Final = "DELETE FROM notices WHERE table_id = :table AND person_id = :person AND about = :about"

_OF_US: Final = f"EXISTS (SELECT 1 FROM tables WHERE id = table_id AND {OWNED})"  # noqa: S608 - no value in it

_NOTICED: Final = f"""
SELECT DISTINCT table_id FROM notices WHERE (about NOT IN ('over', 'closed') OR stage = 'waiting') AND {_OF_US}
ORDER BY table_id
"""  # noqa: S608 - no value in it

_SENDING: Final = f"""
SELECT DISTINCT table_id FROM notices WHERE channel_id IS NOT NULL AND message_id IS NULL AND {_OF_US}
ORDER BY table_id
"""  # noqa: S608 - no value in it

_CONTACT: Final = "SELECT contact FROM contacts WHERE person_id = :person"

_SET_CONTACT: Final = """
INSERT INTO contacts (person_id, contact) VALUES (:person, :contact)
ON CONFLICT (person_id) DO UPDATE SET contact = excluded.contact
"""

_LOCK_CONTACT: Final = """
INSERT INTO contacts (person_id, contact) VALUES (:person, :contact)
ON CONFLICT (person_id) DO UPDATE SET contact = contacts.contact RETURNING contact
"""
"""Stores the contact unless there is one, and returns the stored one; locks the row until the transaction ends."""

_CLEAR_CONTACT: Final = "DELETE FROM contacts WHERE person_id = :person"


class NoticeStore:
    """The notices by table and player. Storing one does not change a table's version."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.set_aside = database.set_aside

    async def notices_at_table(self, table: int) -> tuple[NoticeRow, ...]:
        """Return the notices of a table."""
        return await self._database.fetch_all(NoticeRow, _OF_TABLE, {"table": table})

    async def notices_of_person(self, person: int) -> tuple[NoticeRow, ...]:
        """Return the notices of a person, by table."""
        return await self._database.fetch_all(NoticeRow, _OF_PERSON, {"person": person})

    async def set_notice(self, row: NoticeRow) -> None:
        """Store a notice in place of the person's earlier one about the same matter.

        Raises `UnknownTable`, `InvalidWrite`.
        """
        await write_for_table(self._database, row.table, Statement(_SET, asdict(row)))

    async def clear_notice(self, table: int, person: int, about: str) -> None:
        """Delete the person's notice about that matter."""
        values = {"table": table, "person": person, "about": about}
        await write_for_table(self._database, table, Statement(_CLEAR, values, rows=None))

    async def tables_with_notices(self) -> tuple[int, ...]:
        """Return tables with notices; those with only sent notices about the end of a game are left out."""
        return await self._database.fetch_numbers(_NOTICED, self._database.shard_parameters)

    async def tables_sending_notices(self) -> tuple[int, ...]:
        """Return tables with notices that were being sent when they were stored."""
        return await self._database.fetch_numbers(_SENDING, self._database.shard_parameters)

    async def contact_times(self, person: int) -> str | None:
        """Return when the person was last mentioned and last looked, as text; None if not stored."""
        return await self._database.fetch_text(_CONTACT, {"person": person})

    async def set_contact_times(self, person: int, contact: str | None) -> None:
        """Store when the person was last mentioned and last looked; None deletes it."""
        if contact is None:
            statement = Statement(_CLEAR_CONTACT, {"person": person}, rows=None)
        else:
            statement = Statement(_SET_CONTACT, {"person": person, "contact": contact})
        await self._database.write(("contact", person), statement)

    async def merge_contact_times(self, person: int, contact: str, merge: Callable[[str, str], str]) -> str:
        """Merge `contact` with the stored one by `merge`, store the result and return it.

        Other processes may write at the same time.
        """

        def write_in_transaction(session: Session) -> str:
            values = {"person": person, "contact": contact}
            merged = merge(str(session.execute(_LOCK_CONTACT, values).rows[0][0]), contact)
            session.execute(_SET_CONTACT, {**values, "contact": merged})
            return merged

        return await self._database.run(write_in_transaction)


_ROOM: Final = "SELECT channel_id FROM rooms WHERE person_id = :person"

_KEEP_ROOM: Final = """
INSERT INTO rooms (person_id, channel_id, opened_at) VALUES (:person, :channel, :at)
ON CONFLICT (person_id) DO UPDATE SET channel_id = excluded.channel_id, opened_at = excluded.opened_at
"""

_DROP_ROOM: Final = "DELETE FROM rooms WHERE person_id = :person"


class DirectMessageStore:
    """The channels of direct messages that the bot has opened with people."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load_channel(self, person: int) -> int | None:
        """Return the channel of the person's direct messages; None if none was opened."""
        return await self._database.fetch_number(_ROOM, {"person": person})

    async def set_channel(self, person: int, channel: int, at: int) -> None:
        """Store the channel of the person's direct messages, opened at that instant."""
        values = {"person": person, "channel": channel, "at": at}
        await self._database.write(("room", person), Statement(_KEEP_ROOM, values))

    async def drop_channel(self, person: int) -> None:
        """Delete a channel that Discord does not know any more."""
        await self._database.write(("room", person), Statement(_DROP_ROOM, {"person": person}, rows=None))
