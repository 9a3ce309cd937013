"""Open seats: the lobbies of a guild in which anyone may sit down.

The service lists them, seats people in the one that fits their wish, and stores calls for players.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from bot.clocks.clock import HOUR
from bot.store.guilds import LobbyCall, OpenSeatsRow
from bot.tables.context import TableContext
from bot.tables.lobby.service import LobbyService
from bot.tables.reading_tables import ReadingService
from bot.tables.seating.admission import Admission
from bot.tables.seating.lobby_rules import RulesOffer, comparison_key
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import Caller, Status, TableSnapshot

__all__ = ["OpenSeatsRow", "OpenSeatsService", "SeatWish", "count_free_seats"]

TRIES: Final = 4
"""Lobbies tried in a row, each of which others may fill first, before a new one is opened."""

CALLS_KEPT: Final = 24 * HOUR
"""How long a call for a lobby is stored at least, in milliseconds."""

_PASSED_BY: Final = frozenset(
    {
        TableCode.TABLE_FULL,
        TableCode.NOT_OPEN,
        TableCode.BLOCKED_THERE,
        TableCode.ALREADY_STARTED,
        TableCode.TABLE_CLOSED,
        TableCode.GAME_FINISHED,
        TableCode.UNREADABLE_TABLE,
    }
)
"""Refusals after which another lobby may fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatWish:
    """The game, pace and rating that a person wishes for; None leaves each open."""

    offer: RulesOffer | None = None
    slow: bool | None = None
    rated: bool | None = None

    def is_met_by(self, lobby: TableSnapshot) -> bool:
        """Return whether a lobby has the wished game, pace and rating."""
        if self.offer is not None and not _has_rules_of(lobby, self.offer):
            return False
        return self.slow in (None, lobby.settings.is_slow) and self.rated in (None, lobby.settings.rated)


def _has_rules_of(lobby: TableSnapshot, offer: RulesOffer) -> bool:
    """Return whether a lobby plays the offered rules, perhaps with house rules."""
    if offer.saved or lobby.saved_as:
        return offer.saved and comparison_key(offer.name) == comparison_key(lobby.saved_as)
    return offer.name == lobby.rules


def count_free_seats(table: TableSnapshot) -> int:
    """Return the number of free seats at a table."""
    return sum(1 for holder in table.seats if holder.kind == "empty")


class OpenSeatsService:
    """Finds open lobbies and seats people there.

    It also stores which message lists a guild's open lobbies, and when members were called to join a lobby.
    """

    def __init__(self, context: TableContext, lobby: LobbyService, reading: ReadingService, hosts: Admission) -> None:
        self._context = context
        self._lobby = lobby
        self._reading = reading
        self._hosts = hosts
        self._known: dict[int, Mapping[int, TableSnapshot]] = {}

    async def lobbies(self, guild: int) -> tuple[TableSnapshot, ...]:
        """Return the guild's lobbies in which anyone may sit down.

        They are ordered by their number of free seats, then by age, the oldest first. Left out are lobbies whose host
        decides about everyone who joins, and those that deal known cards. A lobby is read again only after it has
        changed.
        """
        before, found = self._known.get(guild, {}), {}
        for one in await self._reading.lobby_refs_in(guild):
            snapshot = before.get(one.id)
            if snapshot is None or (snapshot.version, snapshot.channel, snapshot.thread) != (
                one.version,
                one.channel,
                one.thread,
            ):
                (snapshot,) = await self._reading.cached_snapshots([one], most=1) or (None,)
            if snapshot is not None:
                found[one.id] = snapshot
        self._known[guild] = found
        listed = [
            snapshot
            for snapshot in found.values()
            if _has_open_seat(snapshot) and not await self._hosts.is_host_always_asked(snapshot.host)
        ]
        return tuple(
            sorted(listed, key=lambda snapshot: (count_free_seats(snapshot), snapshot.created_at, snapshot.id))
        )

    async def seat_caller(
        self, caller: Caller, wish: SeatWish, *, may_see: Callable[[int], bool]
    ) -> tuple[TableSnapshot, bool] | None:
        """Seat the caller in a lobby that fits the wish, in a channel that they may see.

        Return the lobby, and whether the caller already had a seat there; None if no lobby fits. Nobody is seated with
        a person whom they have blocked, or who has blocked them. Refusals: too_many_seats.
        """
        guild = caller.guild or 0
        for own in await self._reading.open_tables_of(caller.person, guild):
            if own.status is Status.LOBBY and wish.is_met_by(own):
                return own, True
        apart = await self._hosts.actively_blocked_people(caller.person) | await self._hosts.active_blockers_of(
            caller.person
        )
        tried: set[int] = set()
        while len(tried) < TRIES:
            snapshot = next(
                (
                    one
                    for one in await self.lobbies(guild)
                    if one.id not in tried
                    and wish.is_met_by(one)
                    and may_see(one.channel)
                    and apart.isdisjoint(one.persons)
                ),
                None,
            )
            if snapshot is None:
                return None
            tried.add(snapshot.id)
            try:
                return await self._lobby.join(caller, snapshot.id), False
            except TableRefusal as refusal:
                if refusal.code not in _PASSED_BY:
                    raise
        return None

    # --- the message that lists open seats, and calls for players

    async def posted_list(self, guild: int) -> OpenSeatsRow | None:
        """Return the message that lists the guild's open seats, if it has one."""
        return await self._context.store.guilds.open_seats_message(guild)

    async def store_posted_list(self, row: OpenSeatsRow) -> None:
        """Store the message that lists a guild's open seats."""
        await self._context.store.guilds.set_open_seats_message(row)

    async def forget_posted_list(self, guild: int) -> None:
        """Forget the message that lists the guild's open seats, because it no longer exists."""
        self._known.pop(guild, None)
        await self._context.store.guilds.drop_open_seats_message(guild)

    async def guilds_with_posted_list(self) -> tuple[int, ...]:
        """Return the guilds that have chosen to have a message that lists their open seats."""
        return await self._context.store.guilds.guilds_with_open_seats()

    async def recent_lobby_calls(self, guild: int) -> tuple[LobbyCall, ...]:
        """Return the lobbies for which the guild's members were called in the last day, earliest first."""
        return await self._context.store.guilds.lobby_calls(guild, since=self._context.clock.now() - CALLS_KEPT)

    async def record_lobby_call(self, guild: int, table: int) -> None:
        """Store that the guild's members are called to join a lobby now.

        Store this before the call is sent, so that no lobby is called for twice.
        """
        now = self._context.clock.now()
        await self._context.store.guilds.note_lobby_call(guild, table, now, keep_since=now - CALLS_KEPT)


def _has_open_seat(lobby: TableSnapshot) -> bool:
    """Return whether a lobby has a free seat, is no tournament's table and deals no known cards."""
    return not lobby.is_full and lobby.cards_of is None and lobby.contest is None
