"""Premoves at tables on a real file: played after a delay of the clock, and never visible to others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bot.clocks.clock import HOUR, MINUTE, SECOND
from bot.clocks.time_rules import PRESETS
from bot.engine.cards.cards import KING
from bot.engine.cards.notation import parse_card, parse_cards
from bot.engine.moves.actions import DRAW, DiscardCard, Lay, TakePile
from bot.engine.moves.phases import Phase
from bot.engine.rules.sets import rule_set
from bot.engine.table.state import State
from bot.tables.core import stored_forms
from bot.tables.premoves.premove_player import PremovePlayer
from bot.tables.snapshots import snapshots
from bot.tables.state.clocks import TableSettings
from bot.tables.state.premoves import PlannedTurn, PremoveEnd
from bot.tables.state.refusals import TableCode
from tests.support.clock import ManualClock
from tests.support.stacked_dealer import StackedDealer
from tests.support.stacked_packs import stack_pack
from tests.support.tables import CHANNEL, EAST, GUILD, NORTH, OTHER_GUILD, STRANGER, World, open_world, refusal_of

HANDS = {0: "4s 5h 6h 8s 9d Ts Jh Qd Kc Ac 3s 2s 5c 6c Jd", 1: "Ks Kh 3s 3c 4h 7s 8c 9c Tc Jc 5s 6s As Ah Ad"}
AFTER = "7d Qs Kh Qh 8d 8h"
"""The upcard, then the cards that the two players draw, two each time."""

DAILY = PRESETS["daily"]
ANY = PlannedTurn(draw=True)
BLACK = PlannedTurn(draw=True, discard=parse_card("3c"))


PACK = stack_pack(rule_set("classic", 2), HANDS, AFTER, dealer=1)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with open_world(tmp_path / "canasta.db", dealer=StackedDealer(PACK)) as opened:
        yield opened


async def state_of(world: World, table: int) -> State:
    game = (await world.service._context.repository.get(table)).record.game
    assert game is not None
    return game


async def settle_premoves(world: World) -> None:
    """Wait until no premove can continue before the clock is advanced."""
    while not any(not woken.done() for _, woken in world.clock.sleepers) and any(
        task.get_name().startswith("premoves") for task in asyncio.all_tasks()
    ):
        await asyncio.sleep(0.001)  # waits for the disk; `sleep(0)` would use the processor


def premove_player(world: World) -> PremovePlayer:
    player = PremovePlayer(world.service.premoves, world.clock, Random(1))
    world.service.subscribe(player.on_change)
    player.start()
    return player


@pytest.fixture
async def table(world: World) -> AsyncIterator[int]:
    """Yield a table of two people with premoves, the first in turn."""
    number = (await world.start_game(NORTH, EAST, players=2)).id
    player = premove_player(world)
    yield number
    await player.close()


async def discard_as_north(world: World, table: int, card: str) -> None:
    for action in (DRAW, DiscardCard(parse_card(card))):
        await world.service.play.act(world.caller(NORTH), table, action)


# --- playing premoves -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("slow", "least", "most"), [(False, 2 * SECOND, 5 * SECOND), (True, MINUTE, 3 * MINUTE)], ids=["fast", "slow"]
)
async def test_a_premove_is_played_after_a_delay(world: World, slow: bool, least: int, most: int) -> None:  # noqa: FBT001 - a parameter of the case
    table = await game_with_clock(world) if slow else (await world.start_game(NORTH, EAST, players=2)).id
    player = premove_player(world)
    await world.service.premoves.store_premove(world.caller(EAST), table, BLACK)
    await discard_as_north(world, table, "Qd")
    for phase in (Phase.DRAW, Phase.PLAY):
        await settle_premoves(world)
        world.clock.advance(least - 1)
        await settle_premoves(world)
        assert (1, phase) == ((await state_of(world, table)).turn, (await state_of(world, table)).phase)
        world.clock.advance(most - least + 1)
        await settle_premoves(world)
    game = await state_of(world, table)
    assert (0, Phase.DRAW) == (game.turn, game.phase)
    assert parse_card("3c") == game.pile[-1]
    snapshot = await world.service.reading.seat_snapshot_of(table, EAST)
    assert snapshot.premove is not None
    assert PremoveEnd.DONE is snapshot.premove.ended
    await player.close()


async def test_a_move_before_the_premove_cancels_it(world: World, table: int) -> None:
    await world.service.premoves.store_premove(world.caller(EAST), table, BLACK)
    await discard_as_north(world, table, "Qd")
    await settle_premoves(world)
    await world.service.play.act(world.caller(EAST), table, DRAW)
    await settle_premoves(world)
    world.clock.advance(10 * SECOND)
    await settle_premoves(world)
    world.clock.advance(10 * SECOND)
    await settle_premoves(world)
    game = await state_of(world, table)
    assert (1, Phase.PLAY) == (game.turn, game.phase)
    assert {} == await world.store.premoves.premoves_at_table(table)


async def test_a_premove_does_not_draw_if_the_pile_can_be_taken(world: World, table: int) -> None:
    await world.service.premoves.store_premove(world.caller(EAST), table, PlannedTurn(draw=True, ranks=(KING,)))
    before = (await world.service.reading.snapshot(table)).version
    await discard_as_north(world, table, "Kc")
    await settle_premoves(world)
    world.clock.advance(10 * SECOND)
    await settle_premoves(world)
    snapshot = await world.service.reading.seat_snapshot_of(table, EAST)
    assert before + 2 == snapshot.table.version
    assert snapshot.premove is not None
    assert (PremoveEnd.TAKEABLE, Phase.DRAW) == (snapshot.premove.ended, (await state_of(world, table)).phase)


async def test_a_premove_withdrawn_in_time_is_not_played(world: World, table: int) -> None:
    await world.service.premoves.store_premove(world.caller(EAST), table, ANY)
    await discard_as_north(world, table, "Qd")
    await settle_premoves(world)
    snapshot = await world.service.premoves.forget_premove(world.caller(EAST), table)
    assert snapshot.premove is None
    world.clock.advance(10 * SECOND)
    await settle_premoves(world)
    assert (await state_of(world, table)).phase is Phase.DRAW


async def test_a_new_premove_replaces_the_earlier_one(world: World, table: int) -> None:
    await world.service.premoves.store_premove(world.caller(EAST), table, BLACK)
    snapshot = await world.service.premoves.store_premove(world.caller(EAST), table, ANY)
    assert snapshot.premove is not None
    assert ANY == snapshot.premove.wish
    await world.service.premoves.forget_premove(world.caller(EAST), table)
    assert {} == await world.store.premoves.premoves_at_table(table)


async def test_a_restart_restarts_the_waiting_time(tmp_path: Path) -> None:
    path, clock = tmp_path / "again.db", ManualClock()
    async with open_world(path, dealer=StackedDealer(PACK), clock=clock) as world:
        table = (await world.start_game(NORTH, EAST, players=2)).id
        player = premove_player(world)
        await world.service.premoves.store_premove(world.caller(EAST), table, BLACK)
        await discard_as_north(world, table, "Qd")
        await settle_premoves(world)
        clock.advance(SECOND)
        await player.close()
    async with open_world(path, dealer=StackedDealer(PACK), clock=clock, first_request=6_000_000) as world:
        player = premove_player(world)
        await settle_premoves(world)
        clock.advance(2 * SECOND - 1)
        await settle_premoves(world)
        assert (await state_of(world, table)).phase is Phase.DRAW
        for _ in range(2):
            clock.advance(5 * SECOND)
            await settle_premoves(world)
        assert 0 == (await state_of(world, table)).turn
        await player.close()


async def test_after_a_restart_the_bot_knows_that_a_card_was_drawn_automatically(tmp_path: Path) -> None:
    path, clock = tmp_path / "again.db", ManualClock()
    async with open_world(path, dealer=StackedDealer(PACK), clock=clock) as world:
        table = (await world.start_game(NORTH, EAST, players=2)).id
        player = premove_player(world)
        await world.service.premoves.store_premove(world.caller(EAST), table, BLACK)
        await discard_as_north(world, table, "Qd")
        await settle_premoves(world)
        clock.advance(5 * SECOND)
        await settle_premoves(world)
        assert (await state_of(world, table)).phase is Phase.PLAY
        await player.close()
    async with open_world(path, dealer=StackedDealer(PACK), clock=clock, first_request=6_000_000) as world:
        player = premove_player(world)
        await settle_premoves(world)
        clock.advance(5 * SECOND)
        await settle_premoves(world)
        assert parse_card("3c") == (await state_of(world, table)).pile[-1]
        await player.close()


async def test_a_premove_is_deleted_a_round_after_its_turn(world: World, table: int) -> None:
    await world.service.premoves.store_premove(world.caller(EAST), table, BLACK)
    await discard_as_north(world, table, "Qd")
    for _ in range(2):
        await settle_premoves(world)
        world.clock.advance(5 * SECOND)
    await settle_premoves(world)
    await discard_as_north(world, table, "Kc")
    await settle_premoves(world)
    assert {} == await world.store.premoves.premoves_at_table(table)
    assert (await world.service.reading.seat_snapshot_of(table, EAST)).premove is None


# --- clocks -----------------------------------------------------------------------------------------------------------


async def game_with_clock(world: World) -> int:
    """Return a slow game of two people, the first in turn."""
    settings = TableSettings(clock=DAILY)
    snapshot = await world.service.lobby.create(world.caller(NORTH), channel=CHANNEL, players=2, settings=settings)
    await world.service.lobby.join(world.caller(EAST), snapshot.id)
    return (await world.service.lobby.start(world.caller(NORTH), snapshot.id)).id


async def test_no_clock_runs_before_a_premove_is_played(world: World) -> None:
    table = await game_with_clock(world)
    player = premove_player(world)
    await world.service.premoves.store_premove(world.caller(EAST), table, BLACK)
    await discard_as_north(world, table, "Qd")
    for _ in range(2):
        await settle_premoves(world)
        world.clock.advance(3 * MINUTE)
    await settle_premoves(world)
    clocks = (await world.service.reading.snapshot(table)).clocks
    assert clocks is not None
    assert (0, DAILY.bank) == (clocks.owes, clocks.seats[1].bank)
    await player.close()


async def test_the_clock_runs_on_after_an_automatic_draw(world: World) -> None:
    table = await game_with_clock(world)
    player = premove_player(world)
    await world.service.premoves.store_premove(world.caller(EAST), table, ANY)
    await discard_as_north(world, table, "Qd")
    shown = (await world.service.reading.snapshot(table)).clocks
    assert shown is not None
    assert (1, world.clock.now() + DAILY.bank) == (shown.owes, shown.until)
    await settle_premoves(world)
    world.clock.advance(3 * MINUTE)
    await settle_premoves(world)
    world.clock.advance(HOUR)
    await world.service.play.act(world.caller(EAST), table, DiscardCard(parse_card("4h")))
    clocks = (await world.service.reading.snapshot(table)).clocks
    assert clocks is not None
    assert min(DAILY.cap, DAILY.bank - HOUR + DAILY.increment) == clocks.seats[1].bank
    await player.close()


# --- refusals ---------------------------------------------------------------------------------------------------------


async def test_only_seated_players_prepare_valid_premoves(world: World, table: int) -> None:
    service = world.service
    for asked, code in (
        (service.premoves.store_premove(world.caller(NORTH), table, ANY), TableCode.CANNOT_PREPARE),
        (service.premoves.store_premove(world.caller(EAST), table, PlannedTurn(agree=True)), TableCode.CANNOT_PREPARE),
        (service.premoves.store_premove(world.caller(STRANGER), table, ANY), TableCode.NOT_SEATED),
        (service.premoves.forget_premove(world.caller(STRANGER), table), TableCode.NOT_SEATED),
        (service.premoves.store_premove(world.caller(EAST, guild=OTHER_GUILD), table, ANY), TableCode.WRONG_SERVER),
    ):
        assert code == (await refusal_of(asked))[0]
    lobby = (await world.open_lobby(NORTH)).id
    assert (
        TableCode.NOT_STARTED == (await refusal_of(service.premoves.store_premove(world.caller(NORTH), lobby, ANY)))[0]
    )


# --- secrecy ----------------------------------------------------------------------------------------------------------


async def test_public_views_do_not_reveal_premoves(world: World, table: int, caplog: pytest.LogCaptureFixture) -> None:
    async def public_data() -> tuple[object, ...]:
        current_table = await world.service._context.repository.get(table)
        looks = await world.service.reading.snapshot(table), await world.service.reading.seat_snapshot_of(table, NORTH)
        return (
            current_table,
            stored_forms.write_record(current_table.record, current_table.holders),
            *looks,
            await world.store.tables.actions(table),
            *world.clock.sleepers,
        )

    caplog.set_level(0)
    changes: list[object] = []
    world.service.subscribe(changes.append)
    before = await public_data()
    lines = len(caplog.records)
    await world.service.premoves.store_premove(world.caller(EAST), table, BLACK)
    await settle_premoves(world)
    assert before == await public_data()
    assert [] == changes
    texts = [record.getMessage() for record in caplog.records[lines:] if record.name.startswith(("canasta", "bot"))]
    assert [] == texts
    own = await world.service.reading.seat_snapshot(table, person=EAST, guild=GUILD)
    assert own.premove is not None
    assert BLACK == own.premove.wish
    assert replace(own, premove=None) == snapshots.seat_snapshot(await world.service._context.repository.get(table), 1)


async def test_an_older_click_of_the_player_in_turn_still_counts(world: World, table: int) -> None:
    version = (await world.service.reading.snapshot(table)).version
    await world.service.premoves.store_premove(world.caller(EAST), table, ANY)
    outcome = await world.service.play.act(world.caller(NORTH), table, DRAW, expected_version=version)
    assert version + 1 == outcome.snapshot.table.version


async def test_an_automatic_turn_looks_like_any_turn(world: World) -> None:
    """A spectator cannot tell it from a turn that was clicked."""
    looks = []
    for by_itself in (True, False):
        table = (await world.start_game(NORTH, EAST, players=2)).id
        player = premove_player(world)
        if by_itself:
            await world.service.premoves.store_premove(world.caller(EAST), table, ANY)
        await discard_as_north(world, table, "Qd")
        await settle_premoves(world)
        if by_itself:
            world.clock.advance(5 * SECOND)
            await settle_premoves(world)
        else:
            await world.service.play.act(world.caller(EAST), table, DRAW)
        snapshot = await world.service.reading.snapshot(table)
        looks.append((snapshot.view, snapshot.recent, snapshot.version, snapshot.seats))
        await player.close()
    assert looks[0] == looks[1]


async def test_taking_the_pile_ends_premoves_of_others(world: World) -> None:
    hands = {0: "Qs Qh Qd Kc Kd", 1: "3s 3c"}
    pack = stack_pack(rule_set("classic", 2), hands, "Ks 4h 4c 7d", dealer=1)
    world.dealer.pack = pack
    table = (await world.start_game(NORTH, EAST, players=2)).id
    await world.service.premoves.store_premove(world.caller(EAST), table, ANY)
    taking = TakePile(parse_cards("Kc Kd"), (Lay(parse_cards("Qs Qh Qd")),))
    await world.service.play.act(world.caller(NORTH), table, taking)
    snapshot = await world.service.reading.seat_snapshot_of(table, EAST)
    assert snapshot.premove is not None
    assert PremoveEnd.PILE is snapshot.premove.ended
