"""Settings of servers: stored in a real file, and readable beside any value that an older version left."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.clocks.clock_notation import read_clock
from bot.clocks.time_rules import PRESETS
from bot.profiles.guild_settings import (
    DEFAULT_SETTINGS,
    ServerService,
    ServerSettings,
    UnfitSetting,
    read_settings,
    stored_settings,
)
from bot.profiles.preferences import ProfileService
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
    servers = ServerService(store)
    assert DEFAULT_SETTINGS == await servers.settings(SERVER)
    assert PRESETS["live"] == DEFAULT_SETTINGS.clock
    assert DEFAULT_SETTINGS.admits(1)
    assert await servers.open_tables(SERVER) is None
    assert servers.locale(SERVER) is None


@pytest.mark.parametrize("name", CHOSEN)
async def test_every_setting_is_kept_and_taken_back(store: Store, name: str) -> None:
    await ServerService(store).choose(SERVER, **{name: CHOSEN[name]})
    restarted = ServerService(store)
    assert ServerSettings(**{name: CHOSEN[name]}) == await restarted.settings(SERVER)
    assert DEFAULT_SETTINGS == await restarted.settings(OTHER)
    await restarted.choose(SERVER, **{name: getattr(DEFAULT_SETTINGS, name)})
    assert {} == await store.preferences.load("server", SERVER)


async def test_no_clock_is_a_choice_too(store: Store) -> None:
    await ServerService(store).choose(SERVER, clock=None)
    assert (await ServerService(store).settings(SERVER)).clock is None


async def test_languages_are_cached_after_the_first_read(store: Store) -> None:
    await ServerService(store).choose(SERVER, language="it")
    servers = ServerService(store)
    await servers.begin()
    assert ("it", None) == (servers.locale(SERVER), servers.locale(OTHER))
    await servers.choose(SERVER, language="discord")
    assert servers.locale(SERVER) is None


async def test_the_look_of_boards_is_stored_separately(store: Store) -> None:
    await ProfileService(store.preferences).choose_for_server(SERVER, {"theme": "light"})
    await ServerService(store).choose(SERVER, idle=60)
    assert "light" == (await ProfileService(store.preferences).server(SERVER)).theme
    assert 60 == (await ServerService(store).settings(SERVER)).idle


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
    with pytest.raises(UnfitSetting):
        await ServerService(store).choose(SERVER, **{name: value})
    assert DEFAULT_SETTINGS == await ServerService(store).settings(SERVER)


def test_unknown_values_count_as_the_default() -> None:
    strange = {"clock": "sundial", "idle": "soon", "channels": "x", "language": "tlh", "weather": "fair"}
    assert DEFAULT_SETTINGS == read_settings(strange)
    assert ServerSettings(**CHOSEN) == read_settings(
        {name: text or "" for name, text in stored_settings(ServerSettings(**CHOSEN)).items()}
    )
