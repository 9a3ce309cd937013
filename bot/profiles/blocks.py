"""The circle: whom a person would not play with, and who may sit down at tables of that person."""

from __future__ import annotations

from typing import Final

from bot.clocks.clock import Clock
from bot.profiles.people import ProfileService
from bot.store.players import PlayerStore
from bot.tables.seating.admission import Admitted

MOST_BLOCKED: Final = 200
"""Persons whom one may block."""


class TooManyBlocked(ValueError):
    """Somebody who has blocked as many persons as one may."""


class BlockList:
    """What hosts have chosen about joiners (`bot.tables.seating.admission.Admission`), and the block lists behind
    it.
    """

    def __init__(self, players: PlayerStore, profiles: ProfileService, clock: Clock) -> None:
        self._players = players
        self._profiles = profiles
        self._clock = clock

    async def admitted(self, host: int, person: int) -> Admitted:
        """Whether that person may sit down at a table of that host."""
        joiners = (await self._profiles.person(host)).joiners
        if joiners == "all":
            return Admitted.OPEN
        if person in await self._players.blocks(host):
            return Admitted.SHUT
        return Admitted.ASKS if joiners == "asked" else Admitted.OPEN

    async def blocked(self, person: int) -> tuple[int, ...]:
        """Whom the person has blocked, in the order of their blocking."""
        return await self._players.blocks(person)

    async def block(self, person: int, other: int) -> tuple[int, ...]:
        """Have another no more at own tables; all whom the person has blocked. Raises `TooManyBlocked`."""
        blocked = await self._players.blocks(person)
        if other not in blocked:
            if len(blocked) >= MOST_BLOCKED:
                raise TooManyBlocked
            await self._players.block(person, other, self._clock.now())
        return await self._players.blocks(person)

    async def unblock(self, person: int, other: int) -> tuple[int, ...]:
        """Take back a block; all whom the person has blocked still."""
        await self._players.unblock(person, other)
        return await self._players.blocks(person)
