"""Settings that managers of a guild choose for its tables: values, stored form, and service."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.clocks.clock_notation import UnreadableClock, clock_problems, read_clock, write_clock
from bot.clocks.quiet_hours import QuietWindow, is_known_zone
from bot.clocks.time_rules import PRESETS, ClockTerms
from bot.numbered_cache import NumberedCache
from bot.profiles.preferences import DISCORD, LANGUAGES
from bot.store.guilds import AuditEntry
from bot.store.store import Store

THREADS: Final = ("public", "private")

OPEN_TABLES: Final = (1, 10_000)
IDLE: Final = (7, 90)
"""Days without a move after which a table is closed."""

USUAL_IDLE: Final = 30
MOST_CHANNELS: Final = 50

PAGES: Final = ("off", "on")
"""Whether pages of series may be published; the first is the default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """The settings of a guild (`docs/long-games.md`, 2).

    - `channels`: the channels where tables may be opened; empty means all.
    - `clock`: the default of new tables; None is no clock.
    - `open_tables`: the most open tables; None if the operator's limit applies.
    - `game_master`, `organiser`: roles; without the latter, people who may manage the guild's events create
      tournaments.
    - `pages`: whether the operator may publish the pages of series.
    - `open_seats`: the channel of the message that lists open seats. `call_role`: the role that is mentioned for them,
      except in the guild's `quiet` hours.
    """

    channels: tuple[int, ...] = ()
    clock: ClockTerms | None = PRESETS["live"]
    language: str = DISCORD
    threads: str = THREADS[0]
    open_tables: int | None = None
    idle: int = USUAL_IDLE
    game_master: int | None = None
    organiser: int | None = None
    pages: str = PAGES[0]
    open_seats: int | None = None
    call_role: int | None = None
    quiet: QuietWindow | None = None

    @property
    def has_private_threads(self) -> bool:
        """Whether threads of tables are private to their players."""
        return self.threads == "private"

    @property
    def locale(self) -> str | None:
        """The language of boards and notices; None follows Discord."""
        return None if self.language == DISCORD else self.language

    def allows_tables_in(self, channel: int) -> bool:
        """Return whether tables may be opened in that channel."""
        return not self.channels or channel in self.channels


DEFAULT_SETTINGS: Final = ServerSettings()


class InvalidSetting(ValueError):
    """Raised for a setting with an invalid value; the exception's text is the setting's name."""


def validate_settings(settings: ServerSettings) -> ServerSettings:
    """Return the settings if all values are valid. Raises `InvalidSetting`."""
    fit = {
        "channels": len(settings.channels) <= MOST_CHANNELS,
        "clock": not clock_problems(settings.clock),
        "language": settings.language in LANGUAGES,
        "threads": settings.threads in THREADS,
        "pages": settings.pages in PAGES,
        "limits": settings.open_tables is None or OPEN_TABLES[0] <= settings.open_tables <= OPEN_TABLES[1],
        "idle": IDLE[0] <= settings.idle <= IDLE[1],
    }
    for name, fits in fit.items():
        if not fits:
            raise InvalidSetting(name)
    return settings


def _read_channels(text: str) -> tuple[int, ...]:
    return tuple(int(one) for one in text.split(","))


def _read_quiet_hours(text: str) -> QuietWindow:
    """Return the quiet hours in a text such as "1320 10 Europe/Rome": minute of the day, hours, zone.

    Raises `ValueError`.
    """
    start, hours, zone = text.split(" ", 2)
    if not is_known_zone(zone):
        raise ValueError(zone)
    return QuietWindow(zone, int(start), int(hours))


def _write_quiet_hours(window: QuietWindow) -> str:
    return f"{window.start} {window.hours} {window.zone}"


_READERS: Final[Mapping[str, Callable[[str], Any]]] = {
    "channels": _read_channels,
    "clock": read_clock,
    "language": str,
    "threads": str,
    "open_tables": int,
    "idle": int,
    "game_master": int,
    "organiser": int,
    "pages": str,
    "open_seats": int,
    "call_role": int,
    "quiet": _read_quiet_hours,
}
"""The function that reads each setting, by the name of its field.

Names and values are stored, so they must not change.
"""

SETTING_NAMES: Final = frozenset(_READERS)


def read_settings(stored: Mapping[str, str]) -> ServerSettings:
    """Return the settings that these stored texts mean; an unknown value counts as the default."""
    settings = DEFAULT_SETTINGS
    for name, text in stored.items():
        if name in _READERS:
            try:
                settings = validate_settings(replace(settings, **{name: _READERS[name](text)}))
            except (ValueError, InvalidSetting, UnreadableClock):
                continue
    return settings


def unreadable_settings(stored: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of stored settings whose value cannot be read."""
    return tuple(name for name, text in stored.items() if name in _READERS and not _is_readable_setting(name, text))


def _is_readable_setting(name: str, text: str) -> bool:
    try:
        validate_settings(replace(DEFAULT_SETTINGS, **{name: _READERS[name](text)}))
    except (ValueError, InvalidSetting, UnreadableClock):
        return False
    return True


def stored_settings(settings: ServerSettings) -> dict[str, str | None]:
    """Return every setting as a text to store; None stands for the default, which is not stored."""
    texts = {
        "channels": ",".join(str(one) for one in settings.channels),
        "clock": write_clock(settings.clock),
        "language": settings.language,
        "threads": settings.threads,
        "open_tables": "" if settings.open_tables is None else str(settings.open_tables),
        "idle": str(settings.idle),
        "game_master": "" if settings.game_master is None else str(settings.game_master),
        "organiser": "" if settings.organiser is None else str(settings.organiser),
        "pages": settings.pages,
        "open_seats": "" if settings.open_seats is None else str(settings.open_seats),
        "call_role": "" if settings.call_role is None else str(settings.call_role),
        "quiet": "" if settings.quiet is None else _write_quiet_hours(settings.quiet),
    }
    return {
        name: None if getattr(settings, name) == getattr(DEFAULT_SETTINGS, name) else text
        for name, text in texts.items()
    }


__all__ = ["MOST_CACHED", "AuditEntry", "ServerSettingsService"]

MOST_CACHED: Final = 5_000
"""The number of guilds whose settings are cached, a few hundred bytes each."""


class ServerSettingsService:
    """Reads and writes guild settings, one per process.

    Settings that another process changes are evicted from the cache when it notifies this one.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known = NumberedCache(MOST_CACHED, self._load_settings)
        self._languages: dict[int, str] = {}
        self._choosing = asyncio.Lock()

    async def load_languages(self) -> None:
        """Load each guild's chosen language, which is needed for every message."""
        chosen = await self._store.preferences.choices_by_owner("server", "language")
        self._languages = {guild: read_settings({"language": text}).language for guild, text in chosen.items()}

    def locale(self, guild: int) -> str | None:
        """Return the guild's chosen language; None follows Discord."""
        return ServerSettings(language=self._languages.get(guild, DEFAULT_SETTINGS.language)).locale

    async def settings(self, guild: int) -> ServerSettings:
        """Return a guild's settings, from the cache if they are there."""
        return await self._known.get(guild)

    async def _load_settings(self, guild: int) -> ServerSettings:
        """Return a guild's settings, read from the store."""
        stored = await self._store.preferences.load("server", guild)
        if unreadable_settings(stored):
            self._store.set_aside.note("setting", guild, "an unknown value", server=guild)
        return read_settings(stored)

    def evict(self, guild: int | None) -> None:
        """Remove a guild's settings from the cache, because another process has changed them.

        None removes those of all guilds.
        """
        self._known.evict_one_or_all(guild)

    async def change_settings(self, guild: int, **values: Any) -> ServerSettings:
        """Store the settings given by keyword, and return all settings. Raises `InvalidSetting`."""
        async with self._choosing:
            settings = validate_settings(replace(await self.settings(guild), **values))
            await self._store.preferences.set("server", guild, stored_settings(settings))
            self._languages[guild] = settings.language
            self._known.put(guild, settings)
            return settings

    async def open_table_limit(self, guild: int) -> int | None:
        """Return the most tables that may be open in the guild; None if the guild has not set a limit."""
        return (await self.settings(guild)).open_tables

    async def audit_entries(self, guild: int, *, table: int | None = None, limit: int) -> tuple[AuditEntry, ...]:
        """Return the log of what game masters did in a guild, or at one table, latest first."""
        return await self._store.guilds.audit_entries(guild, table=table, limit=limit)
