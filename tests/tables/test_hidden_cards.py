"""Hidden cards stay hidden, and every player can check the dealing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bot.engine.cards.cards import RED_THREE
from bot.engine.cards.notation import card_text
from bot.engine.moves.events import DealStarted, Drew
from bot.engine.play.invariants import broken_invariants
from bot.engine.table.state import State
from bot.tables.snapshots import snapshots
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.shuffle import commitment, deal_pack
from bot.tables.state.snapshots import Status
from bot.tables.state.table import Table
from tests.support.stand_ins import StandIn, service_with_store_parts
from tests.support.stored_table_data import events_of
from tests.support.tables import CHANNEL, EAST, GUILD, NORTH, SOUTH, WEST, World, open_world

FOUR = (NORTH, EAST, SOUTH, WEST)


def redeal_hidden_cards(game: State, random: Random, keep: int | None) -> State:
    """Return the game with its hidden cards in other places; seat `keep` keeps its hand.

    Red threes stay where they are in the stock.
    """
    seats = [seat for seat in range(game.rules.players) if seat != keep]
    loose = [place for place, card in enumerate(game.stock) if card >> 2 != RED_THREE]
    hidden = [card for seat in seats for card in game.hands[seat]] + [game.stock[place] for place in loose]
    random.shuffle(hidden)
    hands = list(game.hands)
    for seat in seats:
        hands[seat] = tuple(sorted(hidden[: len(game.hands[seat])]))
        del hidden[: len(game.hands[seat])]
    stock = list(game.stock)
    for place, card in zip(loose, hidden, strict=True):
        stock[place] = card
    return replace(game, hands=tuple(hands), stock=tuple(stock))


async def table_of(world: World, table_number: int) -> Table:
    return await world.service._context.repository.get(table_number)


@pytest.mark.parametrize("seed", range(4))
async def test_snapshots_do_not_depend_on_hidden_cards(world: World, seed: int) -> None:
    random = Random(seed)
    number = (await world.start_game(*FOUR)).id
    for _ in range(60):
        await world.take_random_step(number, random)
        table = await table_of(world, number)
        game = table.record.game
        assert game is not None
        if game.aside or game.phase.value not in ("draw", "play", "answer"):
            continue
        for keep in (None, 0, 1, 2, 3):
            other = redeal_hidden_cards(game, random, keep)
            if broken_invariants(other):
                continue
            elsewhere = replace(table, record=replace(table.record, game=other))
            assert snapshots.table_snapshot(table) == snapshots.table_snapshot(elsewhere)
            if keep is not None:
                assert snapshots.seat_snapshot(table, keep) == snapshots.seat_snapshot(elsewhere, keep)


async def test_players_see_neither_others_draws_nor_the_order_of_the_pack(world: World) -> None:
    number = (await world.start_game(*FOUR)).id
    random = Random(11)
    for _ in range(30):
        snapshot, seat, view = await world.current_turn(number)
        person = snapshot.seats[seat].person
        assert person is not None
        outcome = await world.service.play.act(world.caller(person), number, random.choice(view.legal))
        for event in (one.event for one in (await world.service.reading.snapshot(number)).recent):
            assert not (isinstance(event, Drew) and event.cards)
            assert not (isinstance(event, DealStarted) and event.pack)
        assert all(event.seat == seat for event in outcome.events if isinstance(event, Drew) and event.cards)


async def test_the_repr_of_a_table_shows_no_card(world: World) -> None:
    number = (await world.start_game(*FOUR)).id
    table = await table_of(world, number)
    game = table.record.game
    assert game is not None
    for described in (repr(table), repr(table.record), repr(await world.store.tables.load(number))):
        assert repr(game.hands[0]) not in described
        assert card_text(game.hands[0][0]) + card_text(game.hands[0][1]) not in described


async def test_every_scored_deal_can_be_checked_from_what_is_published(world: World) -> None:
    number = (await world.start_game(NORTH, EAST, target=1000)).id
    snapshot = await world.play_game(number, Random(12))
    happened = await events_of(world.store, number)
    packs = {event.deal: event.pack for event in happened if isinstance(event, DealStarted)}
    assert snapshot.view is not None
    played = [shuffle for shuffle in snapshot.shuffle if shuffle.contributions is not None]
    assert [shuffle.deal for shuffle in played] == [result.deal for result in snapshot.view.results]
    for shuffle in played:
        assert shuffle.seed is not None
        assert shuffle.contributions is not None
        seed = bytes.fromhex(shuffle.seed)
        assert commitment(seed, number, shuffle.deal) == shuffle.commitment
        assert packs[shuffle.deal] == deal_pack(
            seed, number, shuffle.deal, shuffle.contributions, decks=2, jokers_per_deck=2
        )
        assert len(shuffle.contributions) == 2


async def test_a_running_deal_shows_its_commitment_and_contributions_but_not_its_seed(world: World) -> None:
    lobby = await world.open_lobby(NORTH)
    join, start = world.caller(EAST), world.caller(NORTH)
    await world.service.lobby.join(join, lobby.id, seat=2)
    snapshot = await world.service.lobby.start(start, lobby.id, fill=True)
    first, following = snapshot.shuffle
    assert first.commitment == lobby.shuffle[0].commitment
    assert (first.contributions, first.seed) == ((str(start.request), str(join.request)), None)
    assert (following.deal, following.contributions, following.seed) == (2, None, None)


async def test_each_deal_has_a_commitment_before_any_contribution(world: World) -> None:
    number = (await world.start_game(NORTH)).id
    before = (await world.service.reading.snapshot(number)).shuffle[-1]
    await world.play_deal(number, Random(13))
    await world.service.play.begin_next_deal(world.caller(NORTH), number)
    snapshot = await world.service.reading.snapshot(number)
    used = next(shuffle for shuffle in snapshot.shuffle if shuffle.deal == 2)
    assert used.commitment == before.commitment
    assert used.contributions is not None
    secret = await world.store.tables.secret(number, 2)
    assert secret is not None
    assert secret.revealed_at is None
    published = await world.store.tables.secret(number, 1)
    assert published is not None
    assert published.revealed_at is not None


async def test_a_commitment_lost_in_a_crash_is_published_before_the_start_that_uses_it(tmp_path: Path) -> None:
    async def crash(_: object) -> int:
        raise ConnectionError

    path = tmp_path / "canasta.db"
    async with open_world(path) as world:
        crashing = service_with_store_parts(world, tables=StandIn(world.store.tables, commit=crash))
        with pytest.raises(ConnectionError):
            await crashing.lobby.create(world.caller(NORTH), channel=CHANNEL)
    async with open_world(path, first_request=6_000_000) as world:
        (snapshot,) = await world.service.reading.open_tables_in(GUILD)
        assert snapshot.shuffle == ()
        await world.service.lobby.join(world.caller(EAST), snapshot.id)
        with pytest.raises(TableRefusal) as caught:
            await world.service.lobby.start(world.caller(NORTH), snapshot.id, fill=True)
        assert caught.value.code is TableCode.STALE_REQUEST
        assert [shuffle.deal for shuffle in (await world.service.reading.snapshot(snapshot.id)).shuffle] == [1]
        started = await world.service.lobby.start(world.caller(NORTH), snapshot.id, fill=True)
        assert started.status is Status.PLAYING
