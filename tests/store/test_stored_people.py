"""Stored facts about people: results with the end of a game, timeouts, blocks."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from bot.store.errors import InvalidWrite
from bot.store.people.players import GameResult, PartnerResult
from bot.store.store import Store
from tests.support.stored_tables import EAST, NORTH, SOUTH, create_tables, new_change

WON: Final = GameResult(
    person=NORTH,
    table=1,
    seat=0,
    side=0,
    rules="classic",
    players=4,
    persons=3,
    how="played",
    won=True,
    score=5_120,
    against=3_405,
    deals=7,
    best_deal=1_310,
    canastas=9,
    canasta_deals=6,
    finished_at=70,
)


async def test_results_are_written_with_the_end_of_the_game(store: Store) -> None:
    first, second = await create_tables(store, 2)
    earlier = replace(WON, table=first)
    later = replace(WON, table=second, won=False, score=-45, best_deal=None, finished_at=80)
    await store.tables.commit(new_change(first, 1, status="finished", results=(earlier,)))
    await store.tables.commit(new_change(second, 1, status="finished", results=(later,)))
    assert (later, earlier) == await store.players.results(NORTH)
    assert (later,) == await store.players.results(NORTH, limit=1)
    assert () == await store.players.results(EAST)


async def test_a_result_that_cannot_be_written_leaves_the_game_as_it_was(store: Store) -> None:
    (table,) = await create_tables(store, 1)
    with pytest.raises(InvalidWrite):
        await store.tables.commit(
            new_change(table, 1, status="finished", results=(replace(WON, table=table, score=2**70),))
        )
    stored = await store.tables.load(table)
    assert stored is not None
    assert (1, "lobby") == (stored.version, stored.status)
    assert () == await store.players.results(NORTH)


async def test_partners_are_those_who_shared_the_score(store: Store) -> None:
    first, second = await create_tables(store, 2)
    for table, won in ((first, True), (second, False)):
        own = replace(WON, table=table, won=won)
        partner, other = replace(own, person=SOUTH, seat=2), replace(own, person=EAST, seat=1, side=1, won=not won)
        await store.tables.commit(new_change(table, 1, status="finished", results=(own, partner, other)))
    together = (PartnerResult(SOUTH, first, won=True), PartnerResult(SOUTH, second, won=False))
    assert together == await store.players.partner_results(NORTH)
    assert () == await store.players.partner_results(EAST)


async def test_timeouts_are_counted_since_an_instant(store: Store) -> None:
    first, second = await create_tables(store, 2)
    await store.tables.commit(new_change(first, 1, at=10, lapsed=(NORTH,)))
    await store.tables.commit(new_change(first, 2, at=20, lapsed=(NORTH,)))
    await store.tables.commit(new_change(second, 1, at=20, lapsed=(NORTH,)))
    await store.tables.commit(new_change(second, 2, at=30, lapsed=(SOUTH,)))
    assert [3, 2, 0] == [await store.players.count_lapses(NORTH, since=since) for since in (0, 20, 21)]


async def test_blocks_are_personal_and_can_be_removed(store: Store) -> None:
    await store.players.block(NORTH, SOUTH, 10)
    await store.players.block(NORTH, EAST, 5)
    await store.players.block(NORTH, SOUTH, 20)
    assert (EAST, SOUTH) == await store.players.blocked_people(NORTH)
    assert () == await store.players.blocked_people(SOUTH)
    await store.players.unblock(NORTH, EAST)
    await store.players.unblock(NORTH, EAST)
    assert (SOUTH,) == await store.players.blocked_people(NORTH)
    with pytest.raises(InvalidWrite):
        await store.players.block(NORTH, 2**70, 5)


async def test_a_persons_data_is_deleted_and_others_are_kept(store: Store) -> None:
    (table,) = await create_tables(store, 1)
    own = replace(WON, table=table)
    await store.tables.commit(
        new_change(table, 1, status="finished", results=(own, replace(own, person=SOUTH, seat=2)), lapsed=(NORTH,))
    )
    await store.players.block(NORTH, SOUTH, 10)
    await store.players.block(SOUTH, NORTH, 10)
    await store.players.forget(NORTH)
    gone = (
        await store.players.results(NORTH),
        await store.players.count_lapses(NORTH, since=0),
        await store.players.blocked_people(NORTH),
    )
    assert ((), 0, ()) == gone
    assert 1 == len(await store.players.results(SOUTH))
    assert () == await store.players.partner_results(SOUTH)
    assert (NORTH,) == await store.players.blocked_people(SOUTH)
