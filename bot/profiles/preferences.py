"""Preferences: their possible values, defaults first, and the service that stores and caches them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import Final

from bot.clocks.quiet_hours import is_known_zone
from bot.i18n import locales
from bot.numbered_cache import NumberedCache
from bot.store.people.preferences import Owner, PreferenceStore

THEMES: Final = ("dark", "light", "contrast", "large")
DECKS: Final = ("four", "two")
ORDERS: Final = ("rank", "value", "drawn")
PICTURES: Final = ("pictures", "text")
DRAWING: Final = ("touch", "itself")
DISCARDING: Final = ("wild", "always")
EXPLAINING: Final = ("auto", "on", "off")
DISCORD: Final = "discord"
LANGUAGES: Final = (DISCORD, *locales())
JOINERS: Final = ("unblocked", "all", "asked")
NOTICES: Final = ("thread", "dm", "none")
FALLBACKS: Final = ("mention", "leave")
REMINDERS: Final = ("both", "last", "none")
OFF: Final = "off"
DIGESTS: Final = (OFF, *(str(hour) for hour in range(24)))
PINGS: Final = ("12", "4", "all")

CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "theme": THEMES,
    "deck": DECKS,
    "order": ORDERS,
    "pictures": PICTURES,
    "drawing": DRAWING,
    "discarding": DISCARDING,
    "explain": EXPLAINING,
    "language": LANGUAGES,
    "joiners": JOINERS,
    "notices": NOTICES,
    "fallback": FALLBACKS,
    "reminders": REMINDERS,
    "digest": DIGESTS,
    "pings": PINGS,
}
"""The possible values of each preference, by the name of its field.

Names and values are stored, so they must not change.
"""

SERVER_CHOICES: Final = ("theme", "deck")
"""The choices that a guild makes for its boards."""

ZONE: Final = "zone"
"""The only preference without a list of values: the IANA name of a time zone."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """A person's choices: pictures or text, colours of the deck, order of the hand, and more.

    - `drawing`: whether cards are drawn on request, or automatically if the pile cannot be taken.
    - `discarding`: whether to confirm only discards of wild cards, or every discard.
    - `explain`: whether panels explain the signs on pictures: until three games are finished, always, or never.
    - `language`: the language of private answers.
    - `joiners`: who may sit down at the person's tables.
    - `notices`: whether notices come in the thread or as direct messages.
    - `fallback`: whether a direct message that fails becomes a mention.
    - `reminders`: whether they come at half and at the last tenth of the time, or only at the last tenth.
    - `digest`: the hour of the daily digest in the person's `zone` (empty: unknown).
    - `pings`: the most mentions per day.
    """

    theme: str = THEMES[0]
    deck: str = DECKS[0]
    order: str = ORDERS[0]
    pictures: str = PICTURES[0]
    drawing: str = DRAWING[0]
    discarding: str = DISCARDING[0]
    explain: str = EXPLAINING[0]
    language: str = LANGUAGES[0]
    joiners: str = JOINERS[0]
    notices: str = NOTICES[0]
    fallback: str = FALLBACKS[0]
    reminders: str = REMINDERS[0]
    digest: str = DIGESTS[0]
    pings: str = PINGS[0]
    zone: str = ""

    @property
    def is_text_only(self) -> bool:
        """Whether the person wants everything in words, without pictures."""
        return self.pictures == "text"

    @property
    def locale(self) -> str | None:
        """The language of private answers; None follows Discord."""
        return None if self.language == DISCORD else self.language

    @property
    def pings_a_day(self) -> int | None:
        """The most mentions per day; None for no limit."""
        return None if self.pings == "all" else int(self.pings)

    @property
    def digest_hour(self) -> int | None:
        """The local hour of the daily digest; None for no digest."""
        return None if self.digest == OFF else int(self.digest)


DEFAULTS: Final = Preferences()


def is_valid_choice(name: str, value: str) -> bool:
    """Return whether a preference of that name can have that value."""
    return is_known_zone(value) if name == ZONE else value in CHOICES.get(name, ())


_NAMES: Final = frozenset(one.name for one in fields(Preferences))


def unreadable_preferences(stored: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of stored preferences whose stored value is not a possible one."""
    return tuple(name for name, value in stored.items() if name in _NAMES and not is_valid_choice(name, value))


def read_preferences(stored: Mapping[str, str]) -> Preferences:
    """Return the preferences that these stored texts mean; an unknown value counts as the default."""
    known = {one.name: stored[one.name] for one in fields(Preferences) if one.name in stored}
    return Preferences(**{name: value for name, value in known.items() if is_valid_choice(name, value)})


MOST_CACHED: Final = 5_000
"""The number of people and guilds whose preferences are cached, a few hundred bytes each."""


class UnknownChoice(ValueError):
    """Raised for a preference that does not exist, or cannot have that value."""


class PreferencesService:
    """Reads and writes preferences, one per process.

    Preferences that another process changes are evicted from the cache when it notifies this one.
    """

    def __init__(self, preferences: PreferenceStore, *, remembered: int = MOST_CACHED) -> None:
        self._preferences = preferences
        owners: tuple[Owner, ...] = ("person", "server")
        self._known = {owner: NumberedCache(remembered, partial(self._load_preferences, owner)) for owner in owners}

    async def preferences_of(self, person: int) -> Preferences:
        """Return a person's preferences."""
        return await self._known["person"].get(person)

    async def server_preferences(self, guild: int) -> Preferences:
        """Return a guild's preferences for its boards."""
        return await self._known["server"].get(guild)

    async def change_preferences(self, person: int, values: Mapping[str, str]) -> Preferences:
        """Store these choices of a person by name; return all preferences. Raises `UnknownChoice`."""
        return await self._change_preferences("person", person, values)

    async def change_server_preferences(self, guild: int, values: Mapping[str, str]) -> Preferences:
        """Store these choices of a guild by name; return all preferences. Raises `UnknownChoice`."""
        return await self._change_preferences("server", guild, values)

    async def forget(self, person: int) -> None:
        """Remove a person from the cache, because the person's choices were deleted."""
        self._known["person"].evict(person)

    def evict(self, person: int | None) -> None:
        """Remove a person from the cache, because another process has changed their choices.

        None removes all people.
        """
        self._known["person"].evict_one_or_all(person)

    def evict_server(self, guild: int | None) -> None:
        """Remove a guild from the cache, because another process has changed its preferences.

        None removes all guilds.
        """
        self._known["server"].evict_one_or_all(guild)

    async def _load_preferences(self, owner: Owner, id: int) -> Preferences:  # noqa: A002 - it is one
        stored = await self._preferences.load(owner, id)
        if unreadable_preferences(stored):
            self._preferences.set_aside.note("setting", id, "an unknown value")
        return read_preferences(stored)

    async def _change_preferences(self, owner: Owner, id: int, values: Mapping[str, str]) -> Preferences:  # noqa: A002
        for name, value in values.items():
            if not is_valid_choice(name, value):
                raise UnknownChoice(name)
        defaults = {name for name, value in values.items() if value == getattr(DEFAULTS, name)}
        stored = {name: None if name in defaults else value for name, value in values.items()}
        await self._preferences.set(owner, id, stored)
        self._known[owner].evict(id)
        return await self._known[owner].get(id)
