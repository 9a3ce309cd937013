"""Stored messages of tables: outdated, refused or announced boards, and the last score sheet."""

from __future__ import annotations

import pytest

from bot.store.errors import InvalidWrite, UnknownTable
from bot.store.guilds import GuildDeparture
from bot.store.messages import MessageRow, PostedMessages
from bot.store.store import Store
from tests.support.stored_tables import CHANNEL, GUILD, create_tables, new_change, new_table

NOWHERE = 999_999


async def test_a_table_has_one_message(store: Store) -> None:
    table = await store.tables.create(new_table())
    assert await store.messages.load(table) is None
    for row in (MessageRow(table, 6, 60, 1, 5), MessageRow(table, 7, 70, 1, 9, "1.2:3")):
        await store.messages.set_message(row)
        assert row == await store.messages.load(table)
    await store.messages.clear_message(table)
    await store.messages.clear_message(table)
    assert await store.messages.load(table) is None


async def test_messages_that_a_crash_left_behind_are_found(store: Store) -> None:
    async def tables_with_outdated_message() -> list[int]:
        return list(await store.messages.tables_with_outdated_message())

    first, second = await create_tables(store, 2)
    assert [first, second] == await tables_with_outdated_message()
    for table in (first, second):
        await store.messages.set_message(MessageRow(table, CHANNEL, table, 1, 5))
    assert [] == await tables_with_outdated_message()
    await store.tables.commit(new_change(second, 1, at=2_000))
    await store.tables.commit(new_change(first, 1, at=3_000, status="finished"))
    assert [second, first] == await tables_with_outdated_message()
    await store.messages.set_message(MessageRow(second, CHANNEL, second, 1, 5))
    assert [second, first] == await tables_with_outdated_message(), "an old board was noted late"
    await store.messages.set_message(MessageRow(second, CHANNEL, second, 2, 5))
    assert [first] == await tables_with_outdated_message()
    await store.tables.commit(new_change(second, 2))
    await store.messages.clear_message(first)
    assert [second] == await tables_with_outdated_message(), "a finished table without a message needs none"


async def test_the_last_sheet_is_stored_even_without_a_message(store: Store) -> None:
    first, second = await create_tables(store, 2)
    assert 0 == await store.messages.last_posted_sheet(first) == await store.messages.last_posted_sheet(NOWHERE)
    await store.messages.set_last_posted_sheet(first, 1)
    await store.messages.set_last_posted_sheet(first, 2)
    await store.messages.set_message(MessageRow(first, 6, 60, 1, 5))
    await store.messages.clear_message(first)
    assert [2, 0] == [await store.messages.last_posted_sheet(table) for table in (first, second)]
    with pytest.raises(UnknownTable):
        await store.messages.set_last_posted_sheet(NOWHERE, 1)
    with pytest.raises(InvalidWrite):
        await store.messages.set_last_posted_sheet(first, 0)
    assert 2 == await store.messages.last_posted_sheet(first)


async def test_outdated_boards_come_by_server_in_turn_and_first_if_a_person_is_to_act(store: Store) -> None:
    many = await create_tables(store, 4)
    other = await store.tables.create(new_table(guild=GUILD + 1))
    await store.tables.commit(new_change(many[2], 1, at=2_000, status="playing"))
    await store.tables.commit(new_change(many[3], 1, at=2_000, status="playing", computer_to_act=True))
    assert [many[2], many[0], other, many[1], many[3]] == list(await store.messages.tables_with_outdated_message())


async def test_a_table_whose_message_was_refused_is_tried_again_later(store: Store) -> None:
    refused, other = await create_tables(store, 2)
    await store.messages.note_refusal(refused, 5_000)
    assert [other] == list(await store.messages.tables_with_outdated_message(refused_before=4_999))
    assert [refused, other] == list(await store.messages.tables_with_outdated_message(refused_before=5_000))
    await store.messages.set_message(MessageRow(refused, CHANNEL, 7, 1, 5))
    await store.tables.commit(new_change(refused, 1))
    assert [refused, other] == list(await store.messages.tables_with_outdated_message(refused_before=4_999))
    with pytest.raises(UnknownTable):
        await store.messages.note_refusal(NOWHERE, 1)


async def test_tables_of_a_left_server_are_skipped_after_a_while_and_kept(store: Store) -> None:
    (here,), elsewhere = await create_tables(store, 1), await store.tables.create(new_table(guild=GUILD + 1))
    assert (GUILD, GUILD + 1) == await store.guilds.active_guilds()
    for at in (5_000, 6_000):
        await store.guilds.note_departure(GUILD, at)
    assert (GuildDeparture(GUILD, 5_000),) == await store.guilds.departures()
    assert [here, elsewhere] == list(await store.messages.tables_with_outdated_message(departed_before=5_000))
    assert [elsewhere] == list(await store.messages.tables_with_outdated_message(departed_before=5_001))
    await store.guilds.forget_departure(GUILD)
    await store.guilds.forget_departure(GUILD)
    assert [here, elsewhere] == list(await store.messages.tables_with_outdated_message(departed_before=5_001))


async def test_facts_about_a_tables_messages_are_stored_one_by_one(store: Store) -> None:
    (table,) = await create_tables(store, 1)
    assert PostedMessages() == await store.messages.posted_messages(table)
    await store.messages.note_refusal(table, 5)
    assert PostedMessages() == await store.messages.posted_messages(table)
    await store.messages.note_announcement(table, joinable=True)
    await store.messages.note_opening_posted(table)
    assert PostedMessages(begun=True, announced=True) == await store.messages.posted_messages(table)
    await store.messages.note_announcement(table, joinable=False)
    assert PostedMessages(begun=True, announced=False) == await store.messages.posted_messages(table)
    with pytest.raises(UnknownTable):
        await store.messages.note_opening_posted(NOWHERE)
