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
    ProfileService,
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
    profiles = ProfileService(store.preferences)
    assert DEFAULTS == await profiles.person(NORTH) == await profiles.server(SERVER)


async def test_every_choice_has_a_default_that_can_be_chosen() -> None:
    assert {*CHOICES, ZONE} == {one.name for one in fields(Preferences)}
    assert all(getattr(DEFAULTS, name) == values[0] for name, values in CHOICES.items())


async def test_choices_last_and_leave_the_others_alone(store: Store) -> None:
    profiles = ProfileService(store.preferences)
    await profiles.choose(NORTH, {"theme": "light", "pictures": "text"})
    assert Preferences(theme="light", order="value", pictures="text") == await profiles.choose(
        NORTH, {"order": "value"}
    )
    await profiles.choose_for_server(SERVER, {"theme": "contrast"})
    restarted = ProfileService(store.preferences)
    assert Preferences(theme="light", order="value", pictures="text") == await restarted.person(NORTH)
    assert (await restarted.person(NORTH)).text_only
    assert Preferences(theme="contrast") == await restarted.server(SERVER)
    assert DEFAULTS == await restarted.person(SOUTH)


async def test_choosing_the_default_leaves_nothing_stored(store: Store) -> None:
    profiles = ProfileService(store.preferences)
    await profiles.choose(NORTH, {"theme": "light"})
    assert DEFAULTS == await profiles.choose(NORTH, {"theme": "dark"}) == await profiles.person(NORTH)
    assert {} == await store.preferences.load("person", NORTH)


@pytest.mark.parametrize(
    "values",
    [{"theme": "pink"}, {"size": "large"}, {"order": "rank", "deck": ""}, {"zone": "Mars/Olympus"}, {"digest": "24"}],
)
async def test_an_invalid_choice_is_refused_and_changes_nothing(store: Store, values: dict[str, str]) -> None:
    profiles = ProfileService(store.preferences)
    with pytest.raises(UnknownChoice):
        await profiles.choose(NORTH, {"pictures": "text", **values})
    assert {} == await store.preferences.load("person", NORTH)


async def test_a_time_zone_is_kept_by_its_name(store: Store) -> None:
    await ProfileService(store.preferences).choose(NORTH, {"zone": "Europe/Rome"})
    assert "Europe/Rome" == (await ProfileService(store.preferences).person(NORTH)).zone
    assert Preferences() == read_preferences({"zone": "Mars/Olympus"})


def test_numbers_chosen_as_text_can_be_used_as_numbers() -> None:
    assert (None, 12, None) == (DEFAULTS.locale, DEFAULTS.pings_a_day, DEFAULTS.digest_hour)
    chosen = Preferences(language="it", pings="all", digest="7")
    assert ("it", None, 7) == (chosen.locale, chosen.pings_a_day, chosen.digest_hour)


async def test_an_unknown_value_counts_as_the_default() -> None:
    assert Preferences(order="value") == read_preferences({"theme": "felt-3d", "sound": "on", "order": "value"})


async def test_the_cache_of_profiles_is_bounded(store: Store) -> None:
    profiles = ProfileService(store.preferences, remembered=3)
    await profiles.choose(1, {"theme": "large"})
    for person in range(2, 9):
        await profiles.person(person)
    assert len(profiles._known["person"].items()) == 3
    assert (await profiles.person(1)).theme == "large"
