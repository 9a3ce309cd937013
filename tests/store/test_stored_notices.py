"""Stored notices, one for each person, table and matter; contacts; people with settings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.store.errors import UnknownTable
from bot.store.notices import NoticeRow
from bot.store.store import Store
from bot.store.table_changes import TimerChange
from bot.tables.people.notices import Contact, NoticeRepository, SentNotice
from tests.support.stored_tables import EAST, NORTH, new_change, new_table


def notice_row(table: int, person: int = NORTH) -> NoticeRow:
    return NoticeRow(table, person, "1.4", "half", 800, 55, 1_000)


async def test_a_person_has_one_notice_per_matter(store: Store) -> None:
    one, other = [await store.tables.create(new_table()) for _ in range(2)]
    later = replace(notice_row(one), stage="last", message=56, at=2_000)
    for each in (notice_row(one), later, notice_row(one, EAST), notice_row(other)):
        await store.notices.set_notice(each)
    assert (later, notice_row(one, EAST)) == await store.notices.notices_at_table(one)
    assert (later, notice_row(other)) == await store.notices.notices_of_person(NORTH)
    assert (one, other) == await store.notices.tables_with_notices()
    await store.notices.clear_notice(one, EAST, "vote")
    await store.notices.clear_notice(one, EAST, "1.4")
    assert (later,) == await store.notices.notices_at_table(one)
    with pytest.raises(UnknownTable):
        await store.notices.set_notice(notice_row(999_999))


async def test_notices_that_were_being_sent_are_found_again(store: Store) -> None:
    one, other = [await store.tables.create(new_table()) for _ in range(2)]
    await store.notices.set_notice(notice_row(one))
    await store.notices.set_notice(replace(notice_row(other), message=None))
    assert (other,) == await store.notices.tables_sending_notices()


async def test_a_table_whose_end_was_announced_is_not_found_again(store: Store) -> None:
    one, other = [await store.tables.create(new_table()) for _ in range(2)]
    over = replace(notice_row(one), about="over")
    await store.notices.set_notice(over)
    await store.notices.set_notice(replace(notice_row(other), about="over", stage="waiting"))
    assert (other,) == await store.notices.tables_with_notices()
    await store.notices.set_notice(notice_row(one))
    assert (notice_row(one), over) == await store.notices.notices_at_table(one)
    assert (one, other) == await store.notices.tables_with_notices()


async def test_tables_where_a_clock_runs_are_found(store: Store) -> None:
    one, other = [await store.tables.create(new_table()) for _ in range(2)]
    await store.tables.commit(new_change(one, 1, timers=(TimerChange("clock", 5_000),)))
    await store.tables.commit(new_change(other, 1, timers=(TimerChange("expire", 5_000),)))
    assert (one,) == await store.times.tables_with_clock()


async def test_people_who_chose_an_hour_for_digests_are_found(store: Store) -> None:
    await store.preferences.set("person", NORTH, {"digest": "9", "notices": "dm"})
    await store.preferences.set("server", EAST, {"digest": "8"})
    assert {NORTH: "9"} == await store.preferences.choices_by_owner("person", "digest")
    assert {NORTH: 9} == await NoticeRepository(store).digest_hour_by_person()


async def test_contacts_are_kept_and_all_of_a_person_can_be_forgotten(store: Store) -> None:
    table, book = await store.tables.create(new_table()), NoticeRepository(store)
    contact = Contact(seen=5, closed=6, digest=7).with_mention(8)
    await book.store_contact(NORTH, contact)
    await book.store_notice(SentNotice(table, NORTH, "1.4", "half", None, None, 9))
    assert contact == await NoticeRepository(store).contact(NORTH)
    assert contact.is_waiting_for_reaction
    assert contact.refuses_messages
    await store.players.forget(NORTH)
    await book.forget(NORTH)
    assert Contact() == await NoticeRepository(store).contact(NORTH)
    assert Contact() == await book.contact(NORTH)
    assert () == await book.notices_of_person(NORTH)
