"""Guilds: saved rules, actions of game masters, posts of open seats, and guilds that the bot has left."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Final

from bot.store.database import Database
from bot.store.engines.interface import OWNED
from bot.store.writer import Statement


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """A game master's action at a table, with its reason and instant (UTC milliseconds)."""

    guild: int
    table: int
    person: int
    action: str
    reason: str = field(repr=False)
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedRules:
    """Rules that a guild has saved under a name, as JSON text.

    Names that differ only in upper and lower case count as one.
    """

    guild: int
    folded: str
    name: str
    rules: str = field(repr=False)
    saved_by: int
    saved_at: int


@dataclass(frozen=True, slots=True)
class GuildDeparture:
    """A guild that the bot is no longer in, and since when."""

    guild: int
    at: int


@dataclass(frozen=True, slots=True)
class OpenSeatsRow:
    """The message that lists a guild's open seats, and the person who chose its channel (0 once deleted).

    `message` is None before the first was sent. `sending_at` is set while a new one is being sent, and `fault` names
    the problem that was last reported to that person. Instants are UTC milliseconds.
    """

    guild: int
    chosen_by: int
    channel: int
    message: int | None = None
    posted_at: int = 0
    sending_at: int | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class LobbyCall:
    """A call to members for a lobby that needs players, at that instant."""

    table: int
    at: int


_SAVED_RULES: Final = """
SELECT guild_id AS guild, folded, name, rules, saved_by, saved_at FROM saved_rules WHERE guild_id = :guild
ORDER BY folded
"""

_SAVE_RULES: Final = """
INSERT INTO saved_rules (guild_id, folded, name, rules, saved_by, saved_at)
VALUES (:guild, :folded, :name, :rules, :saved_by, :saved_at)
ON CONFLICT (guild_id, folded) DO UPDATE SET name = excluded.name, rules = excluded.rules,
    saved_by = excluded.saved_by, saved_at = excluded.saved_at
"""

_FORGET_RULES: Final = "DELETE FROM saved_rules WHERE guild_id = :guild AND folded = :folded"

_NEW_AUDIT: Final = """
INSERT INTO audit (guild_id, table_id, person_id, action, reason, at)
VALUES (:guild, :table, :person, :action, :reason, :at)
"""

_AUDIT_OF_GUILD: Final = """
SELECT guild_id AS guild, table_id AS "table", person_id AS person, action, reason, at FROM audit
WHERE guild_id = :guild ORDER BY id DESC LIMIT :limit
"""

_AUDIT_OF_TABLE: Final = """
SELECT guild_id AS guild, table_id AS "table", person_id AS person, action, reason, at FROM audit
WHERE guild_id = :guild AND table_id = :table ORDER BY id DESC LIMIT :limit
"""

_DEPARTURES: Final = f"""
SELECT guild_id AS guild, at FROM departures WHERE {OWNED} ORDER BY guild_id
"""  # noqa: S608 - no value in it

_NOTE_DEPARTURE: Final = """
INSERT INTO departures (guild_id, at) VALUES (:guild, :at) ON CONFLICT (guild_id) DO NOTHING
"""

_FORGET_DEPARTURE: Final = "DELETE FROM departures WHERE guild_id = :guild"

_OPEN_GUILDS: Final = f"""
SELECT DISTINCT guild_id AS guild FROM tables WHERE status IN ('lobby', 'playing') AND {OWNED} ORDER BY 1
"""  # noqa: S608 - no value in it


_OPEN_SEATS: Final = """
SELECT guild_id AS guild, chosen_by, channel_id AS channel, message_id AS message, posted_at, sending_at, fault
FROM open_seats WHERE guild_id = :guild
"""

_SET_OPEN_SEATS: Final = """
INSERT INTO open_seats (guild_id, chosen_by, channel_id, message_id, posted_at, sending_at, fault)
VALUES (:guild, :chosen_by, :channel, :message, :posted_at, :sending_at, :fault)
ON CONFLICT (guild_id) DO UPDATE SET chosen_by = excluded.chosen_by, channel_id = excluded.channel_id,
    message_id = excluded.message_id, posted_at = excluded.posted_at, sending_at = excluded.sending_at,
    fault = excluded.fault
"""

_DROP_OPEN_SEATS: Final = "DELETE FROM open_seats WHERE guild_id = :guild"

_GUILDS_WITH_POSTS: Final = f"SELECT guild_id FROM open_seats WHERE {OWNED} ORDER BY guild_id"  # noqa: S608 - no value in it

_LOBBY_CALLS: Final = """
SELECT table_id AS "table", at FROM lobby_calls WHERE guild_id = :guild AND at >= :since ORDER BY at
"""

_NOTE_CALL: Final = """
INSERT INTO lobby_calls (table_id, guild_id, at) VALUES (:table, :guild, :at) ON CONFLICT (table_id) DO NOTHING
"""

_DROP_OLD_CALLS: Final = "DELETE FROM lobby_calls WHERE guild_id = :guild AND at < :before"


class GuildStore:
    """The saved rules, audit entries, open seats and departures of guilds."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.set_aside = database.set_aside

    async def saved_rules(self, guild: int) -> tuple[SavedRules, ...]:
        """Return the rules that a guild has saved, by name."""
        return await self._database.fetch_all(SavedRules, _SAVED_RULES, {"guild": guild})

    async def save_rules(self, saved: SavedRules) -> None:
        """Save rules and replace those that the guild had under the same name. Raises `InvalidWrite`."""
        await self._database.write(("rules", saved.guild), Statement(_SAVE_RULES, asdict(saved)))

    async def forget_rules(self, guild: int, folded: str) -> None:
        """Delete a guild's rules of that case-folded name, if there are any."""
        statement = Statement(_FORGET_RULES, {"guild": guild, "folded": folded}, rows=None)
        await self._database.write(("rules", guild), statement)

    async def audit_entries(self, guild: int, *, table: int | None, limit: int) -> tuple[AuditEntry, ...]:
        """Return the latest `limit` actions of game masters in a guild, or at one table; latest first."""
        which = {"guild": guild, "limit": limit}
        if table is None:
            return await self._database.fetch_all(AuditEntry, _AUDIT_OF_GUILD, which)
        return await self._database.fetch_all(AuditEntry, _AUDIT_OF_TABLE, {**which, "table": table})

    async def departures(self) -> tuple[GuildDeparture, ...]:
        """Return the guilds in this process's shards that the bot has left."""
        return await self._database.fetch_all(GuildDeparture, _DEPARTURES, self._database.shard_parameters)

    async def note_departure(self, guild: int, at: int) -> None:
        """Store that the bot has left a guild; an earlier departure is kept."""
        statement = Statement(_NOTE_DEPARTURE, {"guild": guild, "at": at}, rows=None)
        await self._database.write(("departures", guild), statement)

    async def forget_departure(self, guild: int) -> None:
        """Delete the record that the bot has left a guild, because it is in that guild again."""
        statement = Statement(_FORGET_DEPARTURE, {"guild": guild}, rows=None)
        await self._database.write(("departures", guild), statement)

    async def open_seats_message(self, guild: int) -> OpenSeatsRow | None:
        """Return the message that lists the guild's open seats, if it has one."""
        return await self._database.fetch_one(OpenSeatsRow, _OPEN_SEATS, {"guild": guild})

    async def set_open_seats_message(self, row: OpenSeatsRow) -> None:
        """Store the message that lists a guild's open seats, replacing the earlier one."""
        await self._database.write(("open_seats", row.guild), Statement(_SET_OPEN_SEATS, asdict(row)))

    async def drop_open_seats_message(self, guild: int) -> None:
        """Store that no message lists the guild's open seats."""
        statement = Statement(_DROP_OPEN_SEATS, {"guild": guild}, rows=None)
        await self._database.write(("open_seats", guild), statement)

    async def guilds_with_open_seats(self) -> tuple[int, ...]:
        """Return the guilds that have a message of open seats, or have chosen a channel for one."""
        return await self._database.fetch_numbers(_GUILDS_WITH_POSTS, self._database.shard_parameters)

    async def lobby_calls(self, guild: int, *, since: int) -> tuple[LobbyCall, ...]:
        """Return a guild's calls for lobbies since that instant, earliest first."""
        return await self._database.fetch_all(LobbyCall, _LOBBY_CALLS, {"guild": guild, "since": since})

    async def note_lobby_call(self, guild: int, table: int, at: int, *, keep_since: int) -> None:
        """Store that the guild's members were called for a lobby, and drop calls before `keep_since`."""
        call = Statement(_NOTE_CALL, {"guild": guild, "table": table, "at": at}, rows=None)
        old = Statement(_DROP_OLD_CALLS, {"guild": guild, "before": keep_since}, rows=None)
        await self._database.write(("lobby_calls", guild), call, old)

    async def active_guilds(self) -> tuple[int, ...]:
        """Return the guilds of this process with lobbies or running games."""
        return await self._database.fetch_numbers(_OPEN_GUILDS, self._database.shard_parameters)


def audit_entry_statement(entry: AuditEntry) -> Statement:
    """Return the statement that records a game master's action; it belongs in the write of that action."""
    return Statement(_NEW_AUDIT, asdict(entry))
