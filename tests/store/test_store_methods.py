"""The contract of every store, whatever the database."""

from __future__ import annotations

from typing import Any

import pytest

from bot.store.errors import AlreadyServed, InvalidWrite, StaleVersion, StoreClosed, UnknownTable
from bot.store.guilds import Departure, SavedRules
from bot.store.messages import MessageRow, PostedMessages
from bot.store.store import Store
from bot.store.table_changes import DealSecret, TimerChange
from bot.store.tables import StoredAction, StoredTable
from bot.store.timers_and_uptime import DueTimer
from tests.support.stored_tables import CHANNEL, EAST, GUILD, NORTH, SOUTH, change, create_tables, log, new_table

NOWHERE = 999_999
LARGEST = 2**63 - 1
OPEN = ("lobby", "playing")


async def numbers(store: Store, guild: int = GUILD, statuses: tuple[str, ...] = OPEN) -> list[int]:
    return [table.id for table in await store.tables.in_guild(guild, statuses)]


# --- tables and their logs -------------------------------------------------------------------------------------------


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
        change(table, 1, request=5, seat=3, payload='{"b":2}', snapshot="{}", at=9, waits_since=7)
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
    assert row == (await log(store, table))[-1]


async def test_a_log_is_read_in_order_from_any_version_on(store: Store) -> None:
    table = await store.tables.create(new_table())
    for version in range(1, 20):
        await store.tables.commit(change(table, version))
    assert list(range(1, 21)) == [row.version for row in await store.tables.actions(table)]
    assert [19, 20] == [row.version for row in await store.tables.actions(table, after=18)]
    assert [6, 7, 8] == [row.version for row in await store.tables.actions(table, after=5, limit=3)]
    assert () == await store.tables.actions(NOWHERE)


async def test_a_stale_version_is_refused_and_changes_nothing(store: Store) -> None:
    table = await store.tables.create(new_table())
    await store.tables.commit(change(table, 1))
    before = await store.tables.load(table)
    for expected in (0, 1, 3, 100):
        with pytest.raises(StaleVersion) as caught:
            await store.tables.commit(change(table, expected, timers=(TimerChange("turn", 1),), seated=(SOUTH,)))
        assert (table, expected, 2) == (caught.value.table, caught.value.expected, caught.value.version)
    assert before == await store.tables.load(table)
    assert await store.times.next_due() is None
    assert () == await store.tables.seating(SOUTH, OPEN)


async def test_a_request_is_served_once(store: Store) -> None:
    first, second = await create_tables(store, 2)
    await store.tables.commit(change(first, 1, request=5))
    for again in (change(first, 1, request=5), change(first, 2, request=5), change(second, 1, request=5)):
        with pytest.raises(AlreadyServed) as caught:
            await store.tables.commit(again)
        assert (5, first, 2) == (caught.value.request, caught.value.table, caught.value.version)
    with pytest.raises(AlreadyServed):
        await store.tables.create(new_table(request=5))
    assert [first, second] == await numbers(store)
    served = await store.tables.served(5)
    assert served is not None
    assert (first, 2) == (served.table, served.version)
    assert await store.tables.served(6) is None


async def test_computer_players_and_timers_have_no_request(store: Store) -> None:
    table = await store.tables.create(new_table())
    for version in (1, 2, 3):
        await store.tables.commit(change(table, version, request=None, person=None))
    assert [None, None, None] == [row.request for row in (await log(store, table))[1:]]


async def test_a_missing_thing_is_reported(store: Store) -> None:
    assert await store.tables.load(NOWHERE) is None
    with pytest.raises(UnknownTable):
        await store.tables.commit(change(NOWHERE, 1))
    with pytest.raises(UnknownTable):
        await store.tables.move(NOWHERE, channel=1, thread=None)
    with pytest.raises(UnknownTable):
        await store.messages.set(MessageRow(NOWHERE, 1, 2, 3, 4))


async def test_ids_as_large_as_discord_could_make_them(store: Store) -> None:
    huge = new_table(guild=LARGEST, channel=LARGEST, thread=LARGEST, request=LARGEST, person=LARGEST, seated=(LARGEST,))
    table = await store.tables.create(huge)
    stored = await store.tables.load(table)
    assert stored is not None
    assert (LARGEST, LARGEST, LARGEST, LARGEST) == (stored.guild, stored.channel, stored.thread, stored.opened_by)
    assert [table] == [found.id for found in await store.tables.seating(LARGEST, OPEN)]


async def test_numbers_past_63_bits_are_ids_of_nothing(store: Store) -> None:
    assert await store.tables.load(LARGEST + 1) is None
    assert await store.tables.served(2**100) is None
    assert () == await store.tables.in_guild(2**100, OPEN)
    with pytest.raises(UnknownTable):
        await store.tables.move(2**100, channel=1, thread=None)


async def test_values_that_cannot_be_written_are_refused_alone(store: Store) -> None:
    table = await store.tables.create(new_table())
    for wrong in (
        change(table, 1, status="no such status"),
        change(table, 1, person=2**63),
        change(table, 1, request=2**63),
        change(table, 1, payload="\ud800"),
        change(table, 1, seated=(NORTH, NORTH)),
        change(table, 1, revealed=(3,)),
    ):
        with pytest.raises(InvalidWrite):
            await store.tables.commit(wrong)
    with pytest.raises(InvalidWrite):
        await store.tables.create(new_table(status="no such status"))
    assert 2 == await store.tables.commit(change(table, 1))


async def test_text_comes_back_as_it_was(store: Store) -> None:
    table = await store.tables.create(new_table(snapshot="é \U0001f0cf '; DROP TABLE tables; --", payload="ñ\n"))
    stored = await store.tables.load(table)
    assert stored is not None
    assert "é \U0001f0cf '; DROP TABLE tables; --" == stored.snapshot
    assert "ñ\n" == (await log(store, table))[0].payload


async def test_a_text_with_a_nul_is_refused_and_changes_nothing(store: Store) -> None:
    table = await store.tables.create(new_table())
    with pytest.raises(InvalidWrite):
        await store.tables.create(new_table(snapshot="é \0"))
    with pytest.raises(InvalidWrite):
        await store.tables.commit(change(table, 1, kind="a\0"))
    assert 1 == len(await log(store, table))
    assert 2 == await store.tables.commit(change(table, 1))


# --- finding tables --------------------------------------------------------------------------------------------------


async def test_tables_are_found_by_server_and_status(store: Store) -> None:
    lobby, playing, finished, closed = await create_tables(store, 4)
    elsewhere = await store.tables.create(new_table(guild=GUILD + 1))
    await store.tables.commit(change(playing, 1))
    await store.tables.commit(change(finished, 1, status="finished"))
    await store.tables.commit(change(closed, 1, status="closed"))
    assert [lobby, playing] == await numbers(store)
    assert [lobby] == await numbers(store, statuses=("lobby",))
    assert [finished, closed] == await numbers(store, statuses=("finished", "closed"))
    assert [lobby, playing, finished, closed] == await numbers(store, statuses=(*OPEN, "finished", "closed"))
    assert [] == await numbers(store, statuses=())
    assert [elsewhere] == await numbers(store, guild=GUILD + 1)
    assert [lobby, playing, elsewhere] == [table.id for table in await store.tables.with_status(OPEN)]
    assert [playing] == [table.id for table in await store.tables.with_status(("playing",))]


async def test_tables_are_found_by_the_people_seated_now(store: Store) -> None:
    first = await store.tables.create(new_table(seated=(NORTH, EAST)))
    second = await store.tables.create(new_table(guild=GUILD + 1, seated=(NORTH,)))
    assert [first, second] == [table.id for table in await store.tables.seating(NORTH, OPEN)]
    assert [second] == [table.id for table in await store.tables.seating(NORTH, OPEN, guild=GUILD + 1)]
    await store.tables.commit(change(first, 1, seated=(EAST, SOUTH)))
    await store.tables.commit(change(first, 2))
    assert [second] == [table.id for table in await store.tables.seating(NORTH, OPEN)]
    assert [first] == [table.id for table in await store.tables.seating(SOUTH, OPEN)]
    assert [first] == [table.id for table in await store.tables.seating(EAST, ("playing",))]
    await store.tables.commit(change(first, 3, seated=()))
    assert () == await store.tables.seating(SOUTH, OPEN)


async def test_tables_are_found_by_their_opener(store: Store) -> None:
    mine = await store.tables.create(new_table(seated=()))
    await store.tables.create(new_table(person=EAST))
    other = await store.tables.create(new_table(guild=GUILD + 1))
    assert [mine, other] == [table.id for table in await store.tables.opened_by(NORTH, ("lobby",))]
    assert [mine] == [table.id for table in await store.tables.opened_by(NORTH, ("lobby",), guild=GUILD)]
    await store.tables.commit(change(mine, 1))
    assert [other] == [table.id for table in await store.tables.opened_by(NORTH, ("lobby",))]


async def test_a_table_can_move(store: Store) -> None:
    table = await store.tables.create(new_table(thread=5))
    await store.tables.move(table, channel=6, thread=None)
    stored = await store.tables.load(table)
    assert stored is not None
    assert (6, None, 1) == (stored.channel, stored.thread, stored.version)


# --- messages --------------------------------------------------------------------------------------------------------


async def test_a_table_has_one_message(store: Store) -> None:
    table = await store.tables.create(new_table())
    assert await store.messages.load(table) is None
    for row in (MessageRow(table, 6, 60, 1, 5), MessageRow(table, 7, 70, 1, 9, "1.2:3")):
        await store.messages.set(row)
        assert row == await store.messages.load(table)
    await store.messages.clear(table)
    await store.messages.clear(table)
    assert await store.messages.load(table) is None


async def test_messages_that_a_crash_left_behind_are_found(store: Store) -> None:
    async def behind() -> list[int]:
        return list(await store.messages.behind())

    first, second = await create_tables(store, 2)
    assert [first, second] == await behind()
    for table in (first, second):
        await store.messages.set(MessageRow(table, CHANNEL, table, 1, 5))
    assert [] == await behind()
    await store.tables.commit(change(second, 1, at=2_000))
    await store.tables.commit(change(first, 1, at=3_000, status="finished"))
    assert [second, first] == await behind()
    await store.messages.set(MessageRow(second, CHANNEL, second, 1, 5))
    assert [second, first] == await behind(), "an old board was noted late"
    await store.messages.set(MessageRow(second, CHANNEL, second, 2, 5))
    assert [first] == await behind()
    await store.tables.commit(change(second, 2))
    await store.messages.clear(first)
    assert [second] == await behind(), "a finished table without a message needs none"


async def test_the_last_sheet_is_stored_even_without_a_message(store: Store) -> None:
    first, second = await create_tables(store, 2)
    assert 0 == await store.messages.sheet(first) == await store.messages.sheet(NOWHERE)
    await store.messages.set_sheet(first, 1)
    await store.messages.set_sheet(first, 2)
    await store.messages.set(MessageRow(first, 6, 60, 1, 5))
    await store.messages.clear(first)
    assert [2, 0] == [await store.messages.sheet(table) for table in (first, second)]
    with pytest.raises(UnknownTable):
        await store.messages.set_sheet(NOWHERE, 1)
    with pytest.raises(InvalidWrite):
        await store.messages.set_sheet(first, 0)
    assert 2 == await store.messages.sheet(first)


async def test_servers_take_turns_and_tables_that_wait_for_a_person_come_first(store: Store) -> None:
    many = await create_tables(store, 4)
    other = await store.tables.create(new_table(guild=GUILD + 1))
    await store.tables.commit(change(many[2], 1, at=2_000, status="playing"))
    await store.tables.commit(change(many[3], 1, at=2_000, status="playing", computer_to_act=True))
    assert [many[2], many[0], other, many[1], many[3]] == list(await store.messages.behind())


async def test_a_refused_message_waits_until_it_is_taken(store: Store) -> None:
    refused, other = await create_tables(store, 2)
    await store.messages.note_refused(refused, 5_000)
    assert [other] == list(await store.messages.behind(refused_before=4_999))
    assert [refused, other] == list(await store.messages.behind(refused_before=5_000))
    await store.messages.set(MessageRow(refused, CHANNEL, 7, 1, 5))
    await store.tables.commit(change(refused, 1))
    assert [refused, other] == list(await store.messages.behind(refused_before=4_999))
    with pytest.raises(UnknownTable):
        await store.messages.note_refused(NOWHERE, 1)


async def test_tables_of_a_left_server_are_skipped_after_a_while_and_kept(store: Store) -> None:
    (here,), elsewhere = await create_tables(store, 1), await store.tables.create(new_table(guild=GUILD + 1))
    assert (GUILD, GUILD + 1) == await store.guilds.open()
    for at in (5_000, 6_000):
        await store.guilds.note_departure(GUILD, at)
    assert (Departure(GUILD, 5_000),) == await store.guilds.departures()
    assert [here, elsewhere] == list(await store.messages.behind(departed_before=5_000))
    assert [elsewhere] == list(await store.messages.behind(departed_before=5_001))
    await store.guilds.forget_departure(GUILD)
    await store.guilds.forget_departure(GUILD)
    assert [here, elsewhere] == list(await store.messages.behind(departed_before=5_001))


async def test_details_of_the_message_are_stored_one_by_one(store: Store) -> None:
    (table,) = await create_tables(store, 1)
    assert PostedMessages() == await store.messages.showing(table)
    await store.messages.note_refused(table, 5)
    assert PostedMessages() == await store.messages.showing(table)
    await store.messages.note_announced(table, joinable=True)
    await store.messages.note_begun(table)
    assert PostedMessages(begun=True, announced=True) == await store.messages.showing(table)
    await store.messages.note_announced(table, joinable=False)
    assert PostedMessages(begun=True, announced=False) == await store.messages.showing(table)
    with pytest.raises(UnknownTable):
        await store.messages.note_begun(NOWHERE)


async def test_games_waiting_for_a_computer_player_are_found_without_decoding(store: Store) -> None:
    person, computer, lobby, finished = await create_tables(store, 4)
    await store.tables.commit(change(person, 1))
    await store.tables.commit(change(computer, 1, computer_to_act=True))
    await store.tables.commit(change(lobby, 1, status="lobby"))
    await store.tables.commit(change(finished, 1, computer_to_act=True))
    await store.tables.commit(change(finished, 2, status="finished"))
    assert (computer,) == await store.tables.for_computers()
    await store.tables.commit(change(computer, 2))
    assert () == await store.tables.for_computers()


# --- timers ----------------------------------------------------------------------------------------------------------


async def test_timers_are_set_moved_and_cleared_with_the_action(store: Store) -> None:
    table = await store.tables.create(new_table(timers=(TimerChange("expire", 500),)))
    assert 500 == await store.times.next_due()
    await store.tables.commit(change(table, 1, timers=(TimerChange("turn", 300), TimerChange("expire", 900))))
    assert 300 == await store.times.next_due()
    turn, expire = DueTimer(table, GUILD, "turn", 300, 2), DueTimer(table, GUILD, "expire", 900, 2)
    assert () == await store.times.due(299, 10)
    assert (turn,) == await store.times.due(300, 10)
    assert (turn, expire) == await store.times.due(900, 10)
    assert (turn,) == await store.times.due(900, 1)
    assert (turn, expire) == await store.times.due(900, 10), "a timer stays until an action clears it"
    await store.tables.commit(change(table, 2, timers=(TimerChange("turn", None), TimerChange("never set", None))))
    assert (expire,) == await store.times.due(900, 10)
    await store.tables.commit(change(table, 3, timers=(TimerChange("expire", None),)))
    assert await store.times.next_due() is None


# --- seeds -----------------------------------------------------------------------------------------------------------


async def test_a_seed_is_kept_with_the_action_that_drew_it(store: Store) -> None:
    table = await store.tables.create(new_table())
    secret = DealSecret(1, bytes(range(32)), "c" * 64)
    await store.tables.commit(change(table, 1, secrets=(secret,)))
    assert secret == await store.tables.secret(table, 1)
    assert await store.tables.secret(table, 2) is None
    await store.tables.commit(change(table, 2, revealed=(1,), at=7_000))
    await store.tables.commit(change(table, 3, revealed=(1,), at=8_000))
    assert DealSecret(1, bytes(range(32)), "c" * 64, 7_000) == await store.tables.secret(table, 1)


async def test_a_seed_may_be_replaced_until_it_is_public(store: Store) -> None:
    table = await store.tables.create(new_table())
    first, second = DealSecret(1, b"a" * 32, "a" * 64), DealSecret(1, b"b" * 32, "b" * 64)
    await store.tables.commit(change(table, 1, secrets=(first,)))
    await store.tables.commit(change(table, 2, secrets=(second,)))
    assert second == await store.tables.secret(table, 1)
    await store.tables.commit(change(table, 3, revealed=(1,)))
    with pytest.raises(InvalidWrite):
        await store.tables.commit(change(table, 4, secrets=(first,)))
    assert b"b" * 32 == (await store.tables.secret(table, 1) or first).seed


# --- the program
# -------------------------------------------------------------------------------------------------------


async def test_the_latest_heartbeat_is_kept(store: Store) -> None:
    assert await store.times.last_heartbeat() is None
    await store.times.heartbeat(5)
    await store.times.heartbeat(9)
    assert 9 == await store.times.last_heartbeat()


async def test_a_closed_store_refuses_requests_and_can_be_closed_again(store: Store) -> None:
    table = await store.tables.create(new_table())
    await store.close()
    await store.close()
    with pytest.raises(StoreClosed):
        await store.tables.commit(change(table, 1))
    with pytest.raises(StoreClosed):
        await store.tables.load(table)


# --- choices of people and servers
# -------------------------------------------------------------------------------------


async def test_choices_are_kept_by_owner_and_name(store: Store) -> None:
    assert {} == await store.preferences.load("person", NORTH)
    await store.preferences.set("person", NORTH, {"theme": "light", "order": "value"})
    await store.preferences.set("server", NORTH, {"theme": "contrast"})
    await store.preferences.set("person", NORTH, {"theme": "large"})
    assert {"theme": "large", "order": "value"} == await store.preferences.load("person", NORTH)
    assert {"theme": "contrast"} == await store.preferences.load("server", NORTH)
    assert {} == await store.preferences.load("person", SOUTH)


async def test_one_choice_is_removed_and_the_others_stay(store: Store) -> None:
    await store.preferences.set("person", LARGEST, {"theme": "light", "order": "value"})
    await store.preferences.set("person", LARGEST, {"theme": None, "deck": None})
    assert {"order": "value"} == await store.preferences.load("person", LARGEST)


async def test_choices_are_noted_all_together_or_not_at_all(store: Store) -> None:
    with pytest.raises(InvalidWrite):
        await store.preferences.set("person", NORTH, {"theme": "light", "order": 2**70})  # type: ignore[dict-item]
    assert {} == await store.preferences.load("person", NORTH)


# --- saved rules of servers
# --------------------------------------------------------------------------------------------


def rules_of(name: str, **different: Any) -> SavedRules:
    plain = {"guild": GUILD, "folded": name.casefold(), "name": name, "rules": "{}", "saved_by": NORTH, "saved_at": 5}
    return SavedRules(**{**plain, **different})


async def test_rules_are_kept_by_server_and_name_and_can_be_replaced(store: Store) -> None:
    assert () == await store.guilds.saved_rules(GUILD)
    for rules in (rules_of("House"), rules_of("Duel"), rules_of("House", guild=LARGEST)):
        await store.guilds.save_rules(rules)
    assert (rules_of("Duel"), rules_of("House")) == await store.guilds.saved_rules(GUILD)
    later = rules_of("HOUSE", rules='{"a":1}', saved_by=SOUTH, saved_at=9)
    await store.guilds.save_rules(later)
    assert (rules_of("Duel"), later) == await store.guilds.saved_rules(GUILD)
    assert (rules_of("House", guild=LARGEST),) == await store.guilds.saved_rules(LARGEST)


async def test_rules_are_deleted_and_unknown_names_are_ignored(store: Store) -> None:
    await store.guilds.save_rules(rules_of("House"))
    await store.guilds.forget_rules(GUILD, "duel")
    await store.guilds.forget_rules(LARGEST, "house")
    assert (rules_of("House"),) == await store.guilds.saved_rules(GUILD)
    await store.guilds.forget_rules(GUILD, "house")
    assert () == await store.guilds.saved_rules(GUILD)


async def test_rules_that_no_column_can_hold_are_refused(store: Store) -> None:
    with pytest.raises(InvalidWrite):
        await store.guilds.save_rules(rules_of("House", saved_by=2**70))
    assert () == await store.guilds.saved_rules(GUILD)


# --- premoves
# ----------------------------------------------------------------------------------------------------------


async def test_premoves_are_stored_by_table_and_person_without_a_new_version(store: Store) -> None:
    first, second = [await store.tables.create(new_table(request=request)) for request in (1, 2)]
    assert ({}, ()) == (await store.premoves.at_table(first), await store.premoves.tables())
    before = await store.tables.load(first)
    await store.premoves.set(first, NORTH, "a")
    await store.premoves.set(first, EAST, "b")
    await store.premoves.set(first, NORTH, "c")
    await store.premoves.set(second, NORTH, "d")
    assert {NORTH: "c", EAST: "b"} == await store.premoves.at_table(first)
    assert (first, second) == await store.premoves.tables()
    await store.premoves.forget(first, NORTH)
    await store.premoves.forget(first, SOUTH)
    assert {EAST: "b"} == await store.premoves.at_table(first)
    assert {NORTH: "d"} == await store.premoves.at_table(second)
    assert before == await store.tables.load(first)


async def test_a_premove_is_changed_only_while_it_exists(store: Store) -> None:
    table = await store.tables.create(new_table(request=1))
    await store.premoves.set(table, NORTH, "a")
    await store.premoves.change(table, NORTH, "b", before="other")
    await store.premoves.change(table, NORTH, None, before="other")
    assert {NORTH: "a"} == await store.premoves.at_table(table)
    await store.premoves.change(table, NORTH, "b", before="a")
    assert {NORTH: "b"} == await store.premoves.at_table(table)
    await store.premoves.change(table, NORTH, None, before="b")
    assert {} == await store.premoves.at_table(table)


async def test_no_premove_is_stored_for_an_unknown_table(store: Store) -> None:
    with pytest.raises(UnknownTable):
        await store.premoves.set(NOWHERE, NORTH, "a")
