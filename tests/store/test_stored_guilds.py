"""Stored data about servers: choices of one name, recently played tables, actions of game masters."""

from __future__ import annotations

import pytest

from bot.store.errors import StaleVersion
from bot.store.guilds import AuditEntry
from bot.store.store import Store
from tests.support.stored_tables import GUILD, NORTH, SOUTH, change, create_tables, new_table


def entry(table: int, action: str = "pause") -> AuditEntry:
    return AuditEntry(GUILD, table, SOUTH, action, "because", 5_000)


async def store_with_entry(store: Store, table: int, version: int, *, action: str = "pause") -> AuditEntry:
    """Store an action of a game master with its audit entry."""
    told = entry(table, action)
    await store.tables.commit(change(table, version, audit=told))
    return told


async def test_choices_of_a_name_are_found_by_server(store: Store) -> None:
    await store.preferences.set("server", 1, {"language": "it", "idle": "60"})
    await store.preferences.set("server", 2, {"language": "en"})
    await store.preferences.set("person", 3, {"language": "de"})
    assert {1: "it", 2: "en"} == await store.preferences.chosen("server", "language")
    assert {} == await store.preferences.chosen("server", "weather")


async def test_actions_of_game_masters_are_stored_latest_first(store: Store) -> None:
    first, second = await create_tables(store, 2)
    paused = await store_with_entry(store, first, 1)
    ended = await store_with_entry(store, second, 1, action="end")
    resumed = await store_with_entry(store, first, 2, action="resume")
    assert (resumed, ended, paused) == await store.guilds.audit(GUILD, table=None, limit=10)
    assert (resumed, paused) == await store.guilds.audit(GUILD, table=first, limit=10)
    assert (resumed,) == await store.guilds.audit(GUILD, table=None, limit=1)
    assert () == await store.guilds.audit(GUILD + 1, table=first, limit=10)


async def test_refused_actions_are_not_logged(store: Store) -> None:
    (table,) = await create_tables(store, 1)
    stale = change(table, 7, audit=entry(table))
    with pytest.raises(StaleVersion):
        await store.tables.commit(stale)
    assert () == await store.guilds.audit(GUILD, table=table, limit=10)


async def test_only_tables_with_an_action_of_a_person_since_then_count(store: Store) -> None:
    old, played, other = await create_tables(store, 3)
    elsewhere = await store.tables.create(new_table(guild=GUILD + 1))
    await store.tables.commit(change(played, 1, at=9_000))
    await store.tables.commit(change(old, 1, at=9_000, person=None, request=None))
    assert (played,) == await store.tables.played_since(GUILD, 9_000)
    assert (old, played, other) == await store.tables.played_since(GUILD, 1_000)
    assert (elsewhere,) == await store.tables.played_since(GUILD + 1, 1_000)
    await store.tables.commit(change(played, 2, at=9_500, person=NORTH, status="closed"))
    assert () == await store.tables.played_since(GUILD, 9_000)
