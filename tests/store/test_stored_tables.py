"""Stored tables: versions, logs, seeds, requests served once, and how tables are found."""

from __future__ import annotations

import pytest

from bot.store.errors import InvalidWrite, RequestAlreadyServed, StaleVersion, StoreClosed, UnknownTable
from bot.store.messages import MessageRow
from bot.store.store import Store
from bot.store.table_changes import DealSecret, TimerChange
from bot.store.tables import StoredAction, StoredTable
from tests.support.stored_tables import (
    CHANNEL,
    EAST,
    GUILD,
    NORTH,
    SOUTH,
    create_tables,
    new_change,
    new_table,
    read_log,
)

NOWHERE = 999_999
LARGEST = 2**63 - 1
OPEN = ("lobby", "playing")


async def table_numbers(store: Store, guild: int = GUILD, statuses: tuple[str, ...] = OPEN) -> list[int]:
    return [table.id for table in await store.tables.tables_in_guild(guild, statuses)]


async def test_a_new_table_is_at_version_one_with_one_row_in_its_log(store: Store) -> None:
    table = await store.tables.create(new_table(request=77, thread=801, payload='{"a":1}'))
    expected = StoredTable(
        id=table,
        guild=GUILD,
        channel=CHANNEL,
        thread=801,
        status="lobby",
        version=1,
        opened_by=NORTH,
        created_at=1_000,
        updated_at=1_000,
        waits_since=None,
        snapshot='{"version":1}',
    )
    assert expected == await store.tables.load(table)
    row = StoredAction(
        table=table, version=1, request=77, person=NORTH, seat=None, kind="open", payload='{"a":1}', at=1_000
    )
    assert (row,) == await store.tables.actions(table)


async def test_a_commit_writes_log_snapshot_and_version(store: Store) -> None:
    table = await store.tables.create(new_table())
    assert 2 == await store.tables.commit(
        new_change(table, 1, request=5, seat=3, payload='{"b":2}', snapshot="{}", at=9, waits_since=7)
    )
    stored = await store.tables.load(table)
    assert stored is not None
    assert (2, "playing", "{}", 1_000, 9, 7) == (
        stored.version,
        stored.status,
        stored.snapshot,
        stored.created_at,
        stored.updated_at,
        stored.waits_since,
    )
    row = StoredAction(table=table, version=2, request=5, person=NORTH, seat=3, kind="act", payload='{"b":2}', at=9)
    assert row == (await read_log(store, table))[-1]


async def test_a_log_is_read_in_order_from_any_version_on(store: Store) -> None:
    table = await store.tables.create(new_table())
    for version in range(1, 20):
        await store.tables.commit(new_change(table, version))
    assert list(range(1, 21)) == [row.version for row in await store.tables.actions(table)]
    assert [19, 20] == [row.version for row in await store.tables.actions(table, after=18)]
    assert [6, 7, 8] == [row.version for row in await store.tables.actions(table, after=5, limit=3)]
    assert () == await store.tables.actions(NOWHERE)


async def test_a_stale_version_is_refused_and_changes_nothing(store: Store) -> None:
    table = await store.tables.create(new_table())
    await store.tables.commit(new_change(table, 1))
    before = await store.tables.load(table)
    for expected in (0, 1, 3, 100):
        with pytest.raises(StaleVersion) as caught:
            await store.tables.commit(new_change(table, expected, timers=(TimerChange("turn", 1),), seated=(SOUTH,)))
        assert (table, expected, 2) == (caught.value.table, caught.value.expected, caught.value.version)
    assert before == await store.tables.load(table)
    assert await store.times.next_due_at() is None
    assert () == await store.tables.tables_of_player(SOUTH, OPEN)


async def test_a_request_is_served_once(store: Store) -> None:
    first, second = await create_tables(store, 2)
    await store.tables.commit(new_change(first, 1, request=5))
    for again in (new_change(first, 1, request=5), new_change(first, 2, request=5), new_change(second, 1, request=5)):
        with pytest.raises(RequestAlreadyServed) as caught:
            await store.tables.commit(again)
        assert (5, first, 2) == (caught.value.request, caught.value.table, caught.value.version)
    with pytest.raises(RequestAlreadyServed):
        await store.tables.create(new_table(request=5))
    assert [first, second] == await table_numbers(store)
    served = await store.tables.action_of_request(5)
    assert served is not None
    assert (first, 2) == (served.table, served.version)
    assert await store.tables.action_of_request(6) is None


async def test_computer_players_and_timers_have_no_request(store: Store) -> None:
    table = await store.tables.create(new_table())
    for version in (1, 2, 3):
        await store.tables.commit(new_change(table, version, request=None, person=None))
    assert [None, None, None] == [row.request for row in (await read_log(store, table))[1:]]


async def test_a_table_that_does_not_exist_is_reported(store: Store) -> None:
    assert await store.tables.load(NOWHERE) is None
    with pytest.raises(UnknownTable):
        await store.tables.commit(new_change(NOWHERE, 1))
    with pytest.raises(UnknownTable):
        await store.tables.move(NOWHERE, channel=1, thread=None)
    with pytest.raises(UnknownTable):
        await store.messages.set_message(MessageRow(NOWHERE, 1, 2, 3, 4))


async def test_the_largest_possible_ids_are_stored(store: Store) -> None:
    huge = new_table(guild=LARGEST, channel=LARGEST, thread=LARGEST, request=LARGEST, person=LARGEST, seated=(LARGEST,))
    table = await store.tables.create(huge)
    stored = await store.tables.load(table)
    assert stored is not None
    assert (LARGEST, LARGEST, LARGEST, LARGEST) == (stored.guild, stored.channel, stored.thread, stored.opened_by)
    assert [table] == [found.id for found in await store.tables.tables_of_player(LARGEST, OPEN)]


async def test_no_table_is_found_by_a_number_beyond_63_bits(store: Store) -> None:
    assert await store.tables.load(LARGEST + 1) is None
    assert await store.tables.action_of_request(2**100) is None
    assert () == await store.tables.tables_in_guild(2**100, OPEN)
    with pytest.raises(UnknownTable):
        await store.tables.move(2**100, channel=1, thread=None)


async def test_values_that_cannot_be_written_are_refused_alone(store: Store) -> None:
    table = await store.tables.create(new_table())
    for wrong in (
        new_change(table, 1, status="no such status"),
        new_change(table, 1, person=2**63),
        new_change(table, 1, request=2**63),
        new_change(table, 1, payload="\ud800"),
        new_change(table, 1, seated=(NORTH, NORTH)),
        new_change(table, 1, revealed=(3,)),
    ):
        with pytest.raises(InvalidWrite):
            await store.tables.commit(wrong)
    with pytest.raises(InvalidWrite):
        await store.tables.create(new_table(status="no such status"))
    assert 2 == await store.tables.commit(new_change(table, 1))


async def test_stored_text_is_read_back_unchanged(store: Store) -> None:
    table = await store.tables.create(new_table(snapshot="é \U0001f0cf '; DROP TABLE tables; --", payload="ñ\n"))
    stored = await store.tables.load(table)
    assert stored is not None
    assert "é \U0001f0cf '; DROP TABLE tables; --" == stored.snapshot
    assert "ñ\n" == (await read_log(store, table))[0].payload


async def test_a_text_with_a_nul_is_refused_and_changes_nothing(store: Store) -> None:
    table = await store.tables.create(new_table())
    with pytest.raises(InvalidWrite):
        await store.tables.create(new_table(snapshot="é \0"))
    with pytest.raises(InvalidWrite):
        await store.tables.commit(new_change(table, 1, kind="a\0"))
    assert 1 == len(await read_log(store, table))
    assert 2 == await store.tables.commit(new_change(table, 1))


async def test_tables_are_found_by_server_and_status(store: Store) -> None:
    lobby, playing, finished, closed = await create_tables(store, 4)
    elsewhere = await store.tables.create(new_table(guild=GUILD + 1))
    await store.tables.commit(new_change(playing, 1))
    await store.tables.commit(new_change(finished, 1, status="finished"))
    await store.tables.commit(new_change(closed, 1, status="closed"))
    assert [lobby, playing] == await table_numbers(store)
    assert [lobby] == await table_numbers(store, statuses=("lobby",))
    assert [finished, closed] == await table_numbers(store, statuses=("finished", "closed"))
    assert [lobby, playing, finished, closed] == await table_numbers(store, statuses=(*OPEN, "finished", "closed"))
    assert [] == await table_numbers(store, statuses=())
    assert [elsewhere] == await table_numbers(store, guild=GUILD + 1)
    assert [lobby, playing, elsewhere] == [table.id for table in await store.tables.tables_with_status(OPEN)]
    assert [playing] == [table.id for table in await store.tables.tables_with_status(("playing",))]


async def test_tables_are_found_by_the_people_seated_now(store: Store) -> None:
    first = await store.tables.create(new_table(seated=(NORTH, EAST)))
    second = await store.tables.create(new_table(guild=GUILD + 1, seated=(NORTH,)))
    assert [first, second] == [table.id for table in await store.tables.tables_of_player(NORTH, OPEN)]
    assert [second] == [table.id for table in await store.tables.tables_of_player(NORTH, OPEN, guild=GUILD + 1)]
    await store.tables.commit(new_change(first, 1, seated=(EAST, SOUTH)))
    await store.tables.commit(new_change(first, 2))
    assert [second] == [table.id for table in await store.tables.tables_of_player(NORTH, OPEN)]
    assert [first] == [table.id for table in await store.tables.tables_of_player(SOUTH, OPEN)]
    assert [first] == [table.id for table in await store.tables.tables_of_player(EAST, ("playing",))]
    await store.tables.commit(new_change(first, 3, seated=()))
    assert () == await store.tables.tables_of_player(SOUTH, OPEN)


async def test_tables_are_found_by_their_opener(store: Store) -> None:
    mine = await store.tables.create(new_table(seated=()))
    await store.tables.create(new_table(person=EAST))
    other = await store.tables.create(new_table(guild=GUILD + 1))
    assert [mine, other] == [table.id for table in await store.tables.tables_opened_by(NORTH, ("lobby",))]
    assert [mine] == [table.id for table in await store.tables.tables_opened_by(NORTH, ("lobby",), guild=GUILD)]
    await store.tables.commit(new_change(mine, 1))
    assert [other] == [table.id for table in await store.tables.tables_opened_by(NORTH, ("lobby",))]


async def test_a_table_can_move_to_another_channel(store: Store) -> None:
    table = await store.tables.create(new_table(thread=5))
    await store.tables.move(table, channel=6, thread=None)
    stored = await store.tables.load(table)
    assert stored is not None
    assert (6, None, 1) == (stored.channel, stored.thread, stored.version)


async def test_a_seed_is_kept_with_the_action_that_drew_it(store: Store) -> None:
    table = await store.tables.create(new_table())
    secret = DealSecret(1, bytes(range(32)), "c" * 64)
    await store.tables.commit(new_change(table, 1, secrets=(secret,)))
    assert secret == await store.tables.secret(table, 1)
    assert await store.tables.secret(table, 2) is None
    await store.tables.commit(new_change(table, 2, revealed=(1,), at=7_000))
    await store.tables.commit(new_change(table, 3, revealed=(1,), at=8_000))
    assert DealSecret(1, bytes(range(32)), "c" * 64, 7_000) == await store.tables.secret(table, 1)


async def test_a_seed_may_be_replaced_until_it_is_public(store: Store) -> None:
    table = await store.tables.create(new_table())
    first, second = DealSecret(1, b"a" * 32, "a" * 64), DealSecret(1, b"b" * 32, "b" * 64)
    await store.tables.commit(new_change(table, 1, secrets=(first,)))
    await store.tables.commit(new_change(table, 2, secrets=(second,)))
    assert second == await store.tables.secret(table, 1)
    await store.tables.commit(new_change(table, 3, revealed=(1,)))
    with pytest.raises(InvalidWrite):
        await store.tables.commit(new_change(table, 4, secrets=(first,)))
    assert b"b" * 32 == (await store.tables.secret(table, 1) or first).seed


async def test_a_closed_store_refuses_requests_and_can_be_closed_again(store: Store) -> None:
    table = await store.tables.create(new_table())
    await store.close()
    await store.close()
    with pytest.raises(StoreClosed):
        await store.tables.commit(new_change(table, 1))
    with pytest.raises(StoreClosed):
        await store.tables.load(table)


async def test_games_waiting_for_a_computer_player_are_found_without_decoding(store: Store) -> None:
    person, computer, lobby, finished = await create_tables(store, 4)
    await store.tables.commit(new_change(person, 1))
    await store.tables.commit(new_change(computer, 1, computer_to_act=True))
    await store.tables.commit(new_change(lobby, 1, status="lobby"))
    await store.tables.commit(new_change(finished, 1, computer_to_act=True))
    await store.tables.commit(new_change(finished, 2, status="finished"))
    assert (computer,) == await store.tables.tables_awaiting_computers()
    await store.tables.commit(new_change(computer, 2))
    assert () == await store.tables.tables_awaiting_computers()
