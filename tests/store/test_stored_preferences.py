"""Stored choices of people and servers, by name."""

from __future__ import annotations

import pytest

from bot.store.errors import InvalidWrite
from bot.store.store import Store
from tests.support.stored_tables import NORTH, SOUTH

LARGEST = 2**63 - 1


async def test_choices_are_kept_by_owner_and_name(store: Store) -> None:
    assert {} == await store.preferences.load("person", NORTH)
    await store.preferences.set("person", NORTH, {"theme": "light", "order": "value"})
    await store.preferences.set("server", NORTH, {"theme": "contrast"})
    await store.preferences.set("person", NORTH, {"theme": "large"})
    assert {"theme": "large", "order": "value"} == await store.preferences.load("person", NORTH)
    assert {"theme": "contrast"} == await store.preferences.load("server", NORTH)
    assert {} == await store.preferences.load("person", SOUTH)


async def test_one_stored_choice_is_removed_and_the_others_stay(store: Store) -> None:
    await store.preferences.set("person", LARGEST, {"theme": "light", "order": "value"})
    await store.preferences.set("person", LARGEST, {"theme": None, "deck": None})
    assert {"order": "value"} == await store.preferences.load("person", LARGEST)


async def test_choices_are_stored_all_together_or_not_at_all(store: Store) -> None:
    with pytest.raises(InvalidWrite):
        await store.preferences.set("person", NORTH, {"theme": "light", "order": 2**70})  # type: ignore[dict-item]
    assert {} == await store.preferences.load("person", NORTH)
