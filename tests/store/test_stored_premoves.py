"""Stored premoves, by table and person."""

from __future__ import annotations

import pytest

from bot.store.errors import UnknownTable
from bot.store.store import Store
from tests.support.stored_tables import EAST, NORTH, SOUTH, new_table

NOWHERE = 999_999


async def test_premoves_are_stored_by_table_and_person_without_a_new_version(store: Store) -> None:
    first, second = [await store.tables.create(new_table(request=request)) for request in (1, 2)]
    assert ({}, ()) == (await store.premoves.premoves_at_table(first), await store.premoves.tables_with_premoves())
    before = await store.tables.load(first)
    await store.premoves.set_premoves(first, NORTH, "a")
    await store.premoves.set_premoves(first, EAST, "b")
    await store.premoves.set_premoves(first, NORTH, "c")
    await store.premoves.set_premoves(second, NORTH, "d")
    assert {NORTH: "c", EAST: "b"} == await store.premoves.premoves_at_table(first)
    assert (first, second) == await store.premoves.tables_with_premoves()
    await store.premoves.forget(first, NORTH)
    await store.premoves.forget(first, SOUTH)
    assert {EAST: "b"} == await store.premoves.premoves_at_table(first)
    assert {NORTH: "d"} == await store.premoves.premoves_at_table(second)
    assert before == await store.tables.load(first)


async def test_a_premove_is_changed_only_while_it_exists(store: Store) -> None:
    table = await store.tables.create(new_table(request=1))
    await store.premoves.set_premoves(table, NORTH, "a")
    await store.premoves.change(table, NORTH, "b", before="other")
    await store.premoves.change(table, NORTH, None, before="other")
    assert {NORTH: "a"} == await store.premoves.premoves_at_table(table)
    await store.premoves.change(table, NORTH, "b", before="a")
    assert {NORTH: "b"} == await store.premoves.premoves_at_table(table)
    await store.premoves.change(table, NORTH, None, before="b")
    assert {} == await store.premoves.premoves_at_table(table)


async def test_no_premove_is_stored_for_an_unknown_table(store: Store) -> None:
    with pytest.raises(UnknownTable):
        await store.premoves.set_premoves(NOWHERE, NORTH, "a")
