"""Stored data about servers: settings, recently played tables, actions of game masters."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.store.errors import StaleVersion
from bot.store.guilds import AuditEntry, LobbyCall, OpenSeatsRow
from bot.store.store import Store
from tests.support.stored_tables import GUILD, NORTH, SOUTH, create_tables, new_change, new_table


def audit_entry(table: int, action: str = "pause") -> AuditEntry:
    return AuditEntry(GUILD, table, SOUTH, action, "because", 5_000)


async def store_action_with_entry(store: Store, table: int, version: int, *, action: str = "pause") -> AuditEntry:
    """Commit an action of a game master with its audit entry; return the entry."""
    told = audit_entry(table, action)
    await store.tables.commit(new_change(table, version, audit=told))
    return told


async def test_the_stored_choices_of_all_servers_for_one_setting_are_found(store: Store) -> None:
    await store.preferences.set("server", 1, {"language": "it", "idle": "60"})
    await store.preferences.set("server", 2, {"language": "en"})
    await store.preferences.set("person", 3, {"language": "de"})
    assert {1: "it", 2: "en"} == await store.preferences.choices_by_owner("server", "language")
    assert {} == await store.preferences.choices_by_owner("server", "weather")


async def test_actions_of_game_masters_are_stored_latest_first(store: Store) -> None:
    first, second = await create_tables(store, 2)
    paused = await store_action_with_entry(store, first, 1)
    ended = await store_action_with_entry(store, second, 1, action="end")
    resumed = await store_action_with_entry(store, first, 2, action="resume")
    assert (resumed, ended, paused) == await store.guilds.audit_entries(GUILD, table=None, limit=10)
    assert (resumed, paused) == await store.guilds.audit_entries(GUILD, table=first, limit=10)
    assert (resumed,) == await store.guilds.audit_entries(GUILD, table=None, limit=1)
    assert () == await store.guilds.audit_entries(GUILD + 1, table=first, limit=10)


async def test_refused_actions_are_not_logged(store: Store) -> None:
    (table,) = await create_tables(store, 1)
    stale = new_change(table, 7, audit=audit_entry(table))
    with pytest.raises(StaleVersion):
        await store.tables.commit(stale)
    assert () == await store.guilds.audit_entries(GUILD, table=table, limit=10)


async def test_tables_played_since_an_instant_need_an_action_of_a_person(store: Store) -> None:
    old, played, other = await create_tables(store, 3)
    elsewhere = await store.tables.create(new_table(guild=GUILD + 1))
    await store.tables.commit(new_change(played, 1, at=9_000))
    await store.tables.commit(new_change(old, 1, at=9_000, person=None, request=None))
    assert (played,) == await store.tables.tables_played_since(GUILD, 9_000)
    assert (old, played, other) == await store.tables.tables_played_since(GUILD, 1_000)
    assert (elsewhere,) == await store.tables.tables_played_since(GUILD + 1, 1_000)
    await store.tables.commit(new_change(played, 2, at=9_500, person=NORTH, status="closed"))
    assert () == await store.tables.tables_played_since(GUILD, 9_000)


async def test_the_message_of_open_seats_is_replaced_and_dropped(store: Store) -> None:
    row = OpenSeatsRow(GUILD, SOUTH, 800)
    await store.guilds.set_open_seats_message(row)
    posted = replace(row, message=55, posted_at=5_000, sending_at=4_000, fault="role")
    await store.guilds.set_open_seats_message(posted)
    assert (posted, (GUILD,)) == (
        await store.guilds.open_seats_message(GUILD),
        await store.guilds.guilds_with_open_seats(),
    )
    await store.guilds.drop_open_seats_message(GUILD)
    assert (None, ()) == (await store.guilds.open_seats_message(GUILD), await store.guilds.guilds_with_open_seats())


async def test_a_call_for_a_lobby_is_stored_once_and_old_calls_are_dropped(store: Store) -> None:
    first, second = await create_tables(store, 2)
    await store.guilds.note_lobby_call(GUILD, first, 1_000, keep_since=0)
    await store.guilds.note_lobby_call(GUILD, first, 2_000, keep_since=0)
    assert (LobbyCall(first, 1_000),) == await store.guilds.lobby_calls(GUILD, since=0)
    await store.guilds.note_lobby_call(GUILD, second, 3_000, keep_since=2_500)
    assert (LobbyCall(second, 3_000),) == await store.guilds.lobby_calls(GUILD, since=0)
    assert () == await store.guilds.lobby_calls(GUILD + 1, since=0)


async def test_people_who_blocked_somebody_are_found(store: Store) -> None:
    await store.players.block(NORTH, SOUTH, 1)
    await store.players.block(GUILD, SOUTH, 2)
    assert {NORTH, GUILD} == set(await store.players.blockers(SOUTH))
    assert () == await store.players.blockers(NORTH)
