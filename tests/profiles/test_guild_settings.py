"""Settings of servers: stored, and readable even if an older version left other values."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.clocks.clock_notation import read_clock
from bot.clocks.time_rules import PRESETS
from bot.profiles.guild_settings import (
    DEFAULT_SETTINGS,
    InvalidSetting,
    ServerSettings,
    ServerSettingsService,
    read_settings,
    stored_settings,
)
from bot.profiles.preferences import PreferencesService
from bot.store.store import Store
from tests.support.empty_database import open_new_store

SERVER, OTHER = 900, 901


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with open_new_store(tmp_path / "canasta.db") as opened:
        yield opened


CHOSEN: dict[str, Any] = {
    "channels": (7, 8),
    "clock": read_clock("3d+12h max 4d"),
    "language": "it",
    "threads": "private",
    "open_tables": 12,
    "idle": 60,
    "game_master": 77,
}


async def test_a_server_without_choices_has_the_default_settings(store: Store) -> None:
    servers = ServerSettingsService(store)
    assert DEFAULT_SETTINGS == await servers.settings(SERVER)
    assert PRESETS["live"] == DEFAULT_SETTINGS.clock
    assert DEFAULT_SETTINGS.allows_tables_in(1)
    assert await servers.open_table_limit(SERVER) is None
    assert servers.locale(SERVER) is None


@pytest.mark.parametrize("name", CHOSEN)
async def test_every_setting_is_kept_and_taken_back(store: Store, name: str) -> None:
    await ServerSettingsService(store).change_settings(SERVER, **{name: CHOSEN[name]})
    restarted = ServerSettingsService(store)
    assert ServerSettings(**{name: CHOSEN[name]}) == await restarted.settings(SERVER)
    assert DEFAULT_SETTINGS == await restarted.settings(OTHER)
    await restarted.change_settings(SERVER, **{name: getattr(DEFAULT_SETTINGS, name)})
    assert {} == await store.preferences.load("server", SERVER)


async def test_a_server_may_choose_to_play_without_a_clock(store: Store) -> None:
    await ServerSettingsService(store).change_settings(SERVER, clock=None)
    assert (await ServerSettingsService(store).settings(SERVER)).clock is None


async def test_languages_are_cached_after_the_first_read(store: Store) -> None:
    await ServerSettingsService(store).change_settings(SERVER, language="it")
    servers = ServerSettingsService(store)
    await servers.load_languages()
    assert ("it", None) == (servers.locale(SERVER), servers.locale(OTHER))
    await servers.change_settings(SERVER, language="discord")
    assert servers.locale(SERVER) is None


async def test_the_theme_of_boards_is_stored_apart_from_other_settings(store: Store) -> None:
    await PreferencesService(store.preferences).change_server_preferences(SERVER, {"theme": "light"})
    await ServerSettingsService(store).change_settings(SERVER, idle=60)
    assert "light" == (await PreferencesService(store.preferences).server_preferences(SERVER)).theme
    assert 60 == (await ServerSettingsService(store).settings(SERVER)).idle


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("clock", read_clock("10s")),
        ("language", "tlh"),
        ("threads", "none"),
        ("open_tables", 0),
        ("idle", 6),
        ("idle", 91),
        ("channels", tuple(range(51))),
    ],
)
async def test_an_invalid_choice_is_refused_and_not_kept(store: Store, name: str, value: object) -> None:
    with pytest.raises(InvalidSetting):
        await ServerSettingsService(store).change_settings(SERVER, **{name: value})
    assert DEFAULT_SETTINGS == await ServerSettingsService(store).settings(SERVER)


def test_unknown_values_count_as_the_default() -> None:
    strange = {"clock": "sundial", "idle": "soon", "channels": "x", "language": "tlh", "weather": "fair"}
    assert DEFAULT_SETTINGS == read_settings(strange)
    assert ServerSettings(**CHOSEN) == read_settings(
        {name: text or "" for name, text in stored_settings(ServerSettings(**CHOSEN)).items()}
    )
