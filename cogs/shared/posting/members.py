"""Members: who has left a server. Discord tells nobody of it here, so it is looked up when it matters."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, Protocol

import discord

from bot.clocks.clock import HOUR, Clock
from bot.tables.absence.values import AbsenceReason
from bot.tables.looks import TableSnapshot
from cogs.shared.door.calls import Failed, Trouble, attempt

HOLDS_FOR: Final = HOUR
"""How long nobody is looked up again who was in the server. Milliseconds."""

REMEMBERED: Final = 10_000


class Servers(Protocol):
    """What is needed of a Discord client."""

    def get_guild(self, id: int, /) -> discord.Guild | None: ...  # noqa: A002


class Members:
    """One for the whole process."""

    def __init__(self, servers: Servers, clock: Clock) -> None:
        self._servers = servers
        self._clock = clock
        self._there: OrderedDict[tuple[int, int], int] = OrderedDict()

    def seen(self, guild: int, person: int) -> None:
        """Somebody has done something in a server."""
        self._there[guild, person] = self._clock.now()
        self._there.move_to_end((guild, person))
        if len(self._there) > REMEMBERED:
            self._there.popitem(last=False)

    async def is_gone(self, guild: int, person: int) -> bool:
        """Whether the person is no member of that server (any more); False where that cannot be told."""
        seen = self._there.get((guild, person))
        if seen is not None and self._clock.now() - seen < HOLDS_FOR:
            return False
        server = self._servers.get_guild(guild)
        if server is None:
            return False
        member = await attempt(server.fetch_member(person), "looking a member up")
        if not isinstance(member, Failed):
            self.seen(guild, person)
        return isinstance(member, Failed) and member.trouble is Trouble.MEMBER_GONE


def known_gone(look: TableSnapshot) -> tuple[int, ...]:
    """Persons of whom the table knows that they have left the server."""
    votes = (look.absence.vote, *look.absence.waiting)
    return tuple(one.person for one in votes if one is not None and one.why is AbsenceReason.GONE)


def to_look_up(look: TableSnapshot, calls: int | None) -> tuple[int, ...]:
    """Whom it matters of now: who is to be called, and whose time is used up."""
    vote = look.vote
    lapsed = vote.person if vote is not None and vote.why is AbsenceReason.LAPSED else None
    return tuple(one for one in (calls, lapsed) if one is not None and one not in known_gone(look))
