"""The preferences of players and guilds, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal

from bot.store.database import Database
from bot.store.writer import Statement

Owner = Literal["person", "server"]
"""The owner of a choice: a person or a guild, each with its id."""

_PREFERENCES: Final = """
SELECT name, value FROM preferences WHERE owner = :owner AND owner_id = :id ORDER BY name
"""

_SET_PREFERENCE: Final = """
INSERT INTO preferences (owner, owner_id, name, value) VALUES (:owner, :id, :name, :value)
ON CONFLICT (owner, owner_id, name) DO UPDATE SET value = excluded.value
"""

_CLEAR_PREFERENCE: Final = "DELETE FROM preferences WHERE owner = :owner AND owner_id = :id AND name = :name"

_CHOSEN: Final = "SELECT owner_id, value FROM preferences WHERE owner = :owner AND name = :name"


class PreferenceStore:
    """The choices of players and guilds in settings; a choice that is not stored has its default."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.set_aside = database.set_aside

    async def load(self, owner: Owner, id: int) -> Mapping[str, str]:  # noqa: A002 - it is one
        """Return the choices of that person or guild, by name."""
        rows = await self._database.fetch(_PREFERENCES, {"owner": owner, "id": id})
        return {row["name"]: row["value"] for row in rows}

    async def set(self, owner: Owner, id: int, values: Mapping[str, str | None]) -> None:  # noqa: A002
        """Store choices by name, all or none; a choice of None is deleted, those not named stay.

        Raises `InvalidWrite`.
        """
        await self._database.write((owner, id), *_choice_statements(owner, id, values), notify=f"{owner} {id}")

    async def choices_by_owner(self, owner: Owner, name: str) -> Mapping[int, str]:
        """Return all choices of that name, by the id of their owner."""
        rows = await self._database.fetch(_CHOSEN, {"owner": owner, "name": name})
        return {row["owner_id"]: row["value"] for row in rows}


def _choice_statements(owner: Owner, id: int, values: Mapping[str, str | None]) -> Iterator[Statement]:  # noqa: A002
    """Yield the statements that store or delete choices."""
    for name, value in values.items():
        which = {"owner": owner, "id": id, "name": name}
        if value is None:
            yield Statement(_CLEAR_PREFERENCE, which, rows=None)
        else:
            yield Statement(_SET_PREFERENCE, {**which, "value": value})
