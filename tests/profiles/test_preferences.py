"""Preferences: stored, cached, and limited to possible values."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import fields
from pathlib import Path

import pytest

from bot.profiles.preferences import (
    CHOICES,
    DEFAULTS,
    ZONE,
    Preferences,
    PreferencesService,
    UnknownChoice,
    read_preferences,
)
from bot.store.store import Store
from tests.support.empty_database import open_new_store

NORTH, SOUTH, SERVER = 11, 12, 13


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with open_new_store(tmp_path / "canasta.db") as opened:
        yield opened


async def test_a_person_without_choices_has_the_defaults(store: Store) -> None:
    profiles = PreferencesService(store.preferences)
    assert DEFAULTS == await profiles.preferences_of(NORTH) == await profiles.server_preferences(SERVER)


async def test_every_choice_has_a_default_that_can_be_chosen() -> None:
    assert {*CHOICES, ZONE} == {one.name for one in fields(Preferences)}
    assert all(getattr(DEFAULTS, name) == values[0] for name, values in CHOICES.items())


async def test_choices_are_stored_without_changing_other_choices(store: Store) -> None:
    profiles = PreferencesService(store.preferences)
    await profiles.change_preferences(NORTH, {"theme": "light", "pictures": "text"})
    assert Preferences(theme="light", order="value", pictures="text") == await profiles.change_preferences(
        NORTH, {"order": "value"}
    )
    await profiles.change_server_preferences(SERVER, {"theme": "contrast"})
    restarted = PreferencesService(store.preferences)
    assert Preferences(theme="light", order="value", pictures="text") == await restarted.preferences_of(NORTH)
    assert (await restarted.preferences_of(NORTH)).is_text_only
    assert Preferences(theme="contrast") == await restarted.server_preferences(SERVER)
    assert DEFAULTS == await restarted.preferences_of(SOUTH)


async def test_choosing_the_default_leaves_nothing_stored(store: Store) -> None:
    profiles = PreferencesService(store.preferences)
    await profiles.change_preferences(NORTH, {"theme": "light"})
    assert (
        DEFAULTS == await profiles.change_preferences(NORTH, {"theme": "dark"}) == await profiles.preferences_of(NORTH)
    )
    assert {} == await store.preferences.load("person", NORTH)


@pytest.mark.parametrize(
    "values",
    [{"theme": "pink"}, {"size": "large"}, {"order": "rank", "deck": ""}, {"zone": "Mars/Olympus"}, {"digest": "24"}],
)
async def test_an_invalid_choice_is_refused_and_changes_nothing(store: Store, values: dict[str, str]) -> None:
    profiles = PreferencesService(store.preferences)
    with pytest.raises(UnknownChoice):
        await profiles.change_preferences(NORTH, {"pictures": "text", **values})
    assert {} == await store.preferences.load("person", NORTH)


async def test_a_time_zone_is_kept_by_its_name(store: Store) -> None:
    await PreferencesService(store.preferences).change_preferences(NORTH, {"zone": "Europe/Rome"})
    assert "Europe/Rome" == (await PreferencesService(store.preferences).preferences_of(NORTH)).zone
    assert Preferences() == read_preferences({"zone": "Mars/Olympus"})


def test_numbers_chosen_as_text_can_be_used_as_numbers() -> None:
    assert (None, 12, None) == (DEFAULTS.locale, DEFAULTS.pings_a_day, DEFAULTS.digest_hour)
    preferences = Preferences(language="it", pings="all", digest="7")
    assert ("it", None, 7) == (preferences.locale, preferences.pings_a_day, preferences.digest_hour)


async def test_an_unknown_value_counts_as_the_default() -> None:
    assert Preferences(order="value") == read_preferences({"theme": "felt-3d", "sound": "on", "order": "value"})


async def test_the_cache_of_profiles_is_bounded(store: Store) -> None:
    profiles = PreferencesService(store.preferences, remembered=3)
    await profiles.change_preferences(1, {"theme": "large"})
    for person in range(2, 9):
        await profiles.preferences_of(person)
    assert len(profiles._known["person"].items()) == 3
    assert (await profiles.preferences_of(1)).theme == "large"
