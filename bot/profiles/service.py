"""The profile service: keeps what persons and servers have chosen, and has it at hand for every picture."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Final

from bot.profiles.preferences import DEFAULTS, Preferences, can_be, read
from bot.store.preferences import Owner, PreferenceStore

REMEMBERED: Final = 5_000
"""Persons and servers whose preferences are kept in memory, a few hundred bytes each."""


class UnknownChoice(ValueError):
    """A name or value that no preference has."""


class ProfileService:
    """One for the whole process; the only writer of preferences, so what it remembers is what is stored."""

    def __init__(self, preferences: PreferenceStore) -> None:
        self._preferences = preferences
        self._known: OrderedDict[tuple[Owner, int], Preferences] = OrderedDict()

    async def person(self, person: int) -> Preferences:
        """What a person has chosen."""
        return await self._of("person", person)

    async def server(self, guild: int) -> Preferences:
        """What a server has chosen for its boards."""
        return await self._of("server", guild)

    async def choose(self, person: int, values: Mapping[str, str]) -> Preferences:
        """Note a person's choices by name; all preferences after it. Raises `UnknownChoice`, then nothing changed."""
        return await self._choose("person", person, values)

    async def choose_for_server(self, guild: int, values: Mapping[str, str]) -> Preferences:
        """Note a server's choices by name; all preferences after it. Raises `UnknownChoice`, then nothing changed."""
        return await self._choose("server", guild, values)

    async def forget(self, person: int) -> None:
        """Remember nothing of a person whose choices are not kept any more."""
        self._known.pop(("person", person), None)

    async def _of(self, owner: Owner, id: int) -> Preferences:  # noqa: A002 - it is one
        key = (owner, id)
        if key in self._known:
            self._known.move_to_end(key)
            return self._known[key]
        found = read(await self._preferences.load(owner, id))
        # What was chosen while the answer was on its way is newer than the answer.
        return self._known[key] if key in self._known else self._remember(key, found)

    async def _choose(self, owner: Owner, id: int, values: Mapping[str, str]) -> Preferences:  # noqa: A002
        for name, value in values.items():
            if not can_be(name, value):
                raise UnknownChoice(name)
        defaults = {name for name, value in values.items() if value == getattr(DEFAULTS, name)}
        stored = {name: None if name in defaults else value for name, value in values.items()}
        await self._preferences.set(owner, id, stored)
        self._known.pop((owner, id), None)
        return self._remember((owner, id), read(await self._preferences.load(owner, id)))

    def _remember(self, key: tuple[Owner, int], preferences: Preferences) -> Preferences:
        self._known[key] = preferences
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return preferences
