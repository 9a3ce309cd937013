"""Block lists: the people a person does not play with, and who may join that person's tables."""

from __future__ import annotations

from typing import Final

from bot.clocks.clock import Clock
from bot.profiles.preferences import PreferencesService
from bot.store.people.players import PlayerStore
from bot.tables.seating.admission import HostDecision

MOST_BLOCKED: Final = 200
"""The most people that a person may block."""


class TooManyBlocked(ValueError):
    """Raised when the person has already blocked as many others as allowed."""


class BlockList:
    """People's block lists, and hosts' rules about who may join their tables.

    It implements `bot.tables.seating.admission.Admission`.
    """

    def __init__(self, players: PlayerStore, profiles: PreferencesService, clock: Clock) -> None:
        self._players = players
        self._profiles = profiles
        self._clock = clock

    async def decision_about(self, host: int, person: int) -> HostDecision:
        """Return the host's decision about that person at their tables: open, shut, or to be asked."""
        joiners = (await self._profiles.preferences_of(host)).joiners
        if joiners == "all":
            return HostDecision.OPEN
        if person in await self._players.blocked_people(host):
            return HostDecision.SHUT
        return HostDecision.ASKS if joiners == "asked" else HostDecision.OPEN

    async def is_host_always_asked(self, host: int) -> bool:
        """Return whether the host wants to be asked about everyone who wants to join."""
        return (await self._profiles.preferences_of(host)).joiners == "asked"

    async def actively_blocked_people(self, person: int) -> frozenset[int]:
        """Return the people whom the person has blocked; empty if the person chose to play with everyone."""
        return (
            frozenset(await self._players.blocked_people(person))
            if await self._has_active_blocks(person)
            else frozenset()
        )

    async def active_blockers_of(self, person: int) -> frozenset[int]:
        """Return the people who have blocked the person, except those who chose to play with everyone."""
        blockers = await self._players.blockers(person)
        return frozenset([one for one in blockers if await self._has_active_blocks(one)])

    async def _has_active_blocks(self, person: int) -> bool:
        """Return whether the person's blocks apply; they do not if the person chose to play with everyone."""
        return (await self._profiles.preferences_of(person)).joiners != "all"

    async def blocked_people(self, person: int) -> tuple[int, ...]:
        """Return the people whom the person has blocked, in the order of blocking."""
        return await self._players.blocked_people(person)

    async def block(self, person: int, other: int) -> tuple[int, ...]:
        """Block the other person; return everyone whom the person has blocked. Raises `TooManyBlocked`."""
        blocked = await self._players.blocked_people(person)
        if other not in blocked:
            if len(blocked) >= MOST_BLOCKED:
                raise TooManyBlocked
            await self._players.block(person, other, self._clock.now())
        return await self._players.blocked_people(person)

    async def unblock(self, person: int, other: int) -> tuple[int, ...]:
        """Unblock the other person; return everyone whom the person still has blocked."""
        await self._players.unblock(person, other)
        return await self._players.blocked_people(person)
