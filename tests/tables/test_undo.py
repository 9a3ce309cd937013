"""Undo: melds made in one act are taken back in one act, the latest first."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.engine.cards.cards import FOUR, KING, NINE, QUEEN, TEN
from bot.engine.cards.notation import parse_cards
from bot.engine.moves.actions import DRAW, Discard, Lay, LayMelds, TakePile
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.rules.sets import rule_set
from bot.engine.table.state import State
from bot.tables.state.snapshots import ActionResult
from tests.support.stacked_dealer import StackedDealer
from tests.support.stacked_packs import stack_pack
from tests.support.tables import EAST, NORTH, World, open_world

HANDS = {0: "Ks Kh Kd Qs Qh Qd 9s 9h 9d 9c 4s 5h 6h 7s Jc", 1: "Tc"}


def lay_melds_from_text(*melds: str) -> LayMelds:
    return LayMelds(tuple(Lay(parse_cards(meld)) for meld in melds))


PACK = stack_pack(rule_set("classic", 2), HANDS, "Td Th Ts 8d 8c 7d 6c", dealer=1)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with open_world(tmp_path / "canasta.db", dealer=StackedDealer(PACK)) as opened:
        yield opened


async def table_of_two(world: World) -> int:
    """Return a table of two people; the first player has drawn and can meld several ranks."""
    snapshot = await world.start_game(NORTH, EAST, players=2)
    await world.service.play.act(world.caller(NORTH), snapshot.id, DRAW)
    return snapshot.id


@pytest.fixture
async def table(world: World) -> int:
    return await table_of_two(world)


async def state_of(world: World, table: int) -> State:
    game = (await world.service._context.repository.get(table)).record.game
    assert game is not None
    return game


async def undo_by_consent(world: World, table: int, person: int = NORTH) -> ActionResult:
    return await world.service.play.undo(world.caller(person), table)


async def test_one_undo_takes_back_a_whole_laying_of_several_melds(world: World, table: int) -> None:
    before = await state_of(world, table)
    await world.service.play.act(world.caller(NORTH), table, lay_melds_from_text("Ks Kh Kd", "Qs Qh Qd", "9s 9h 9d"))
    laid = await state_of(world, table)
    assert {KING, QUEEN, NINE} == {meld.kind for meld in laid.melds[0]}
    outcome = await undo_by_consent(world, table)
    after = await state_of(world, table)
    assert (before.hands, before.melds, before.opened) == (after.hands, after.melds, after.opened)
    assert outcome.snapshot.view is not None
    assert not outcome.snapshot.view.can_take_back


async def test_two_acts_of_melding_are_two_undos_the_latest_first(world: World, table: int) -> None:
    before = await state_of(world, table)
    await world.service.play.act(world.caller(NORTH), table, lay_melds_from_text("Ks Kh Kd", "Qs Qh Qd"))
    between = await state_of(world, table)
    await world.service.play.act(world.caller(NORTH), table, lay_melds_from_text("9s 9h 9d"))
    await undo_by_consent(world, table)
    assert between.melds == (await state_of(world, table)).melds
    assert between.hands == (await state_of(world, table)).hands
    await undo_by_consent(world, table)
    assert before.hands == (await state_of(world, table)).hands
    with pytest.raises(Refusal) as caught:
        await undo_by_consent(world, table)
    assert Code.NOTHING_TO_TAKE_BACK is caught.value.code


async def test_a_repeated_laying_is_taken_back_as_a_whole(world: World, table: int) -> None:
    await world.service.play.act(world.caller(NORTH), table, lay_melds_from_text("Ks Kh Kd", "Qs Qh Qd"))
    await undo_by_consent(world, table)
    await world.service.play.act(world.caller(NORTH), table, lay_melds_from_text("Ks Kh Kd", "9s 9h 9d"))
    await world.service.play.act(world.caller(NORTH), table, lay_melds_from_text("9c"))
    await undo_by_consent(world, table)
    assert [3, 3] == [len(meld.cards) for meld in (await state_of(world, table)).melds[0]]
    await undo_by_consent(world, table)
    assert () == (await state_of(world, table)).melds[0]


async def test_an_addition_with_new_melds_belongs_to_the_same_laying(world: World, table: int) -> None:
    await world.service.play.act(world.caller(NORTH), table, lay_melds_from_text("Ks Kh Kd", "9s 9h 9d"))
    opened = await state_of(world, table)
    await world.service.play.act(world.caller(NORTH), table, lay_melds_from_text("9c", "Qs Qh Qd"))
    await undo_by_consent(world, table)
    assert (opened.melds, opened.hands) == ((await state_of(world, table)).melds, (await state_of(world, table)).hands)


async def test_undo_works_after_a_restart(tmp_path: Path) -> None:
    """The size of an act is stored only in the log."""
    path = tmp_path / "another.db"
    async with open_world(path, dealer=StackedDealer(PACK)) as world:
        table = await table_of_two(world)
        await world.service.play.act(world.caller(NORTH), table, lay_melds_from_text("Ks Kh Kd", "Qs Qh Qd"))
        await world.service.play.act(world.caller(NORTH), table, lay_melds_from_text("9s 9h 9d"))
        await undo_by_consent(world, table)
    async with open_world(path, clock=world.clock, first_request=6_000_000) as restarted:
        await undo_by_consent(restarted, table)
        assert () == (await state_of(restarted, table)).melds[0]


async def test_other_players_cannot_take_melds_back(world: World, table: int) -> None:
    await world.service.play.act(world.caller(NORTH), table, lay_melds_from_text("Ks Kh Kd", "Qs Qh Qd"))
    before = await state_of(world, table)
    with pytest.raises(Refusal) as caught:
        await undo_by_consent(world, table, EAST)
    assert Code.NOT_YOUR_TURN is caught.value.code
    assert before == await state_of(world, table)


async def test_melds_after_taking_the_pile_can_be_undone_but_not_the_taking(world: World, table: int) -> None:
    await world.service.play.act(world.caller(NORTH), table, lay_melds_from_text("Ks Kh Kd", "Qs Qh Qd"))
    await world.service.play.act(world.caller(NORTH), table, Discard(FOUR))
    await world.service.play.act(world.caller(EAST), table, DRAW)
    await world.service.play.act(world.caller(EAST), table, Discard(TEN))
    await world.service.play.act(
        world.caller(NORTH), table, TakePile(parse_cards("Th Ts"), lay_melds_from_text("9s 9h 9d").melds)
    )
    taken = await state_of(world, table)
    assert {KING, QUEEN, NINE, TEN} == {meld.kind for meld in taken.melds[0]}
    await world.service.play.act(world.caller(NORTH), table, lay_melds_from_text("9c"))
    await undo_by_consent(world, table)
    assert (taken.hands, taken.melds) == ((await state_of(world, table)).hands, (await state_of(world, table)).melds)
    await undo_by_consent(world, table)
    back = await state_of(world, table)
    assert {KING, QUEEN, TEN} == {meld.kind for meld in back.melds[0]}, "the nines of the same act come back"
    with pytest.raises(Refusal):
        await undo_by_consent(world, table)
    assert back == await state_of(world, table)
