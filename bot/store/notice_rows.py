"""The part of the store that is about notices."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from bot.store.asking import Asking
from bot.store.notices_protocol import NoticeRow
from bot.store.writer import Statement, Write

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

_NOTICED: Final = """
SELECT DISTINCT table_id FROM notices WHERE about <> 'over' OR stage = 'waiting' ORDER BY table_id
"""

_SENDING: Final = """
SELECT DISTINCT table_id FROM notices WHERE channel_id IS NOT NULL AND message_id IS NULL ORDER BY table_id
"""

_CLOCKED: Final = "SELECT table_id FROM timers WHERE kind = 'clock' ORDER BY table_id"

_CONTACT: Final = "SELECT contact FROM contacts WHERE person_id = :person"

_SET_CONTACT: Final = """
INSERT INTO contacts (person_id, contact) VALUES (:person, :contact)
ON CONFLICT (person_id) DO UPDATE SET contact = excluded.contact
"""

_CLEAR_CONTACT: Final = "DELETE FROM contacts WHERE person_id = :person"


class NoticesKept(Asking):
    """See `bot.store.notices_protocol.NoticesStore`, which this keeps."""

    async def notices(self, table: int) -> tuple[NoticeRow, ...]:
        return await self._all(NoticeRow, _OF_TABLE, {"table": table})

    async def notices_of(self, person: int) -> tuple[NoticeRow, ...]:
        return await self._all(NoticeRow, _OF_PERSON, {"person": person})

    async def set_notice(self, row: NoticeRow) -> None:
        await self._write_for_table(row.table, Statement(_SET, asdict(row)))

    async def clear_notice(self, table: int, person: int, about: str) -> None:
        values = {"table": table, "person": person, "about": about}
        await self._write_for_table(table, Statement(_CLEAR, values, rows=None))

    async def noticed_tables(self) -> tuple[int, ...]:
        return await self._values(_NOTICED, {})

    async def sending_tables(self) -> tuple[int, ...]:
        return await self._values(_SENDING, {})

    async def clocked_tables(self) -> tuple[int, ...]:
        return await self._values(_CLOCKED, {})

    async def contact(self, person: int) -> str | None:
        rows = await self._database.read(_CONTACT, {"person": person})
        return next((row[0] for row in rows), None)

    async def set_contact(self, person: int, contact: str | None) -> None:
        if contact is None:
            statement = Statement(_CLEAR_CONTACT, {"person": person}, rows=None)
        else:
            statement = Statement(_SET_CONTACT, {"person": person, "contact": contact})
        await self._database.write(Write(("contact", person), (statement,)))
