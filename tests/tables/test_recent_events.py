"""Recent events of a table: turns since each player's last one, past players, cards left in hands."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from bot.computer.player import player_for
from bot.engine.melds.points import points_lost_by_hand
from bot.engine.moves.actions import DRAW, TAKE_BACK
from bot.engine.moves.events import DealEnded, DealStarted, Discarded, Drew, Event, Melded, Opened, TookBack
from bot.engine.play.building_views import seat_view
from bot.engine.play.decide import decide
from bot.engine.rules.sets import rule_set
from bot.engine.table.state import State, seat_to_act
from bot.engine.table.views import public_event
from bot.tables.core import stored_forms
from bot.tables.state.events import SeatChanged
from bot.tables.state.fold import apply_event
from bot.tables.state.snapshots import RecentEvent, SeatHolder, SeatTenure, Status
from bot.tables.state.table import TablePersons, TableState
from tests.support.random_play import deal_with_minimum
from tests.support.tables import EAST, NORTH, SOUTH, WEST, World

FOUR = (NORTH, EAST, SOUTH, WEST)
SETS = [("classic", 4), ("classic", 2), ("classic", 5), ("hand-and-foot", 4), ("modern-american", 4), ("samba", 4)]


def table_state_with_game(state: State) -> TableState:
    seats = tuple(SeatHolder("person", seat, f"P{seat}") for seat in range(state.rules.players))
    return TableState(Status.PLAYING, state.rules, 0, seats, 0, (None,) * len(seats), state)


def steps_of_deal(state: State, seed: int) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """Yield the state before each step of a deal, and the step's events.

    Computer players choose most steps, the others are random.
    """
    random, computer = Random(seed), player_for("casual", seed)
    while (seat := seat_to_act(state)) is not None:
        view = seat_view(state, seat)
        step = computer.choose(view).step if random.random() < 0.85 else random.choice(view.legal)
        events = decide(state, seat, step)
        yield state, events
        record = table_state_with_game(state)
        for event in events:
            record = apply_event(record, event)
        assert record.game is not None
        state = record.game


@pytest.mark.parametrize(("name", "players"), SETS)
def test_recent_events_reach_back_to_each_players_last_turn(name: str, players: int) -> None:
    start = deal_with_minimum(rule_set(name, players), 5, minimum=15)
    record = table_state_with_game(start)
    happened: list[RecentEvent] = []
    for before, events in steps_of_deal(start, 5):
        for event in events:
            record = apply_event(record, event)
            happened += [one for one in record.recent[-1:] if one.event == public_event(event)]
        game = record.game
        assert game is not None
        if any(isinstance(event, TookBack) for event in events):
            happened = [one for one in happened if one.turn < before.turns]
            happened += [one for one in record.recent if one.turn == before.turns]
        first = game.turns - len(game.seating.seats)
        assert tuple(one for one in happened if one.turn >= first) == record.recent
        assert {game.deal} == {one.deal for one in record.recent}
        for one in record.recent:
            if isinstance(one.event, Discarded | Drew):
                seats = {other.seat for other in record.recent if other.turn == one.turn}
                assert one.seat in seats
    assert isinstance(record.recent[-1].event, DealEnded)
    holders = TablePersons()
    assert record == stored_forms.read_record(stored_forms.write_record(record, holders), holders)


def test_a_meld_taken_back_is_not_remembered() -> None:
    for before, events in steps_of_deal(deal_with_minimum(rule_set("classic", 4), 8, minimum=15), 8):
        if isinstance(events[0], Melded) and not any(isinstance(event, DealEnded) for event in events):
            record = table_state_with_game(before)
            told = record.recent
            for event in events:
                record = apply_event(record, event)
            assert record.game is not None
            if len(record.game.laid) == 1:
                assert len(told) < len(record.recent)
                (back,) = decide(record.game, before.turn, TAKE_BACK)
                assert told == apply_event(record, back).recent
                if any(isinstance(event, Opened) for event in events):
                    return
    pytest.fail("nobody opened with one meld")


async def test_the_last_round_of_a_deal_stays_until_the_next_one_begins(world: World) -> None:
    table = (await world.start_game(*FOUR)).id
    snapshot = await world.finish_deal(table, Random(3))
    assert isinstance(snapshot.recent[-1].event, DealEnded)
    last = snapshot.recent[-1].turn
    assert {last - 3, last - 2, last - 1, last} <= {one.turn for one in snapshot.recent}
    await world.service.play.begin_next_deal(world.caller(NORTH), table)
    snapshot = await world.service.reading.snapshot(table)
    assert [DealStarted(2, 0, ())] == [one.event for one in snapshot.recent if isinstance(one.event, DealStarted)]
    assert {(2, 0)} == {(one.deal, one.turn) for one in snapshot.recent}


async def test_past_players_are_remembered_by_deal_and_turn(world: World) -> None:
    table = (await world.start_game(NORTH, EAST)).id
    snapshot, seat, _ = await world.current_turn(table)
    while seat != 1:
        await world.take_random_step(table, Random(1))
        snapshot, seat, _ = await world.current_turn(table)
    assert snapshot.view is not None
    turn = snapshot.view.turns
    await world.service.play.act(world.caller(EAST), table, DRAW)
    await world.service.lobby.leave(world.caller(EAST), table)
    snapshot = await world.service.reading.snapshot(table)
    assert ("computer", EAST) == (snapshot.seats[1].kind, snapshot.seats[1].kept_for)
    assert ["East", "East", ""] == [snapshot.holder_at(1, 1, at).name for at in (0, turn, turn + 1)]
    assert "" == snapshot.with_holders_at_end_of(1).seats[1].name
    assert "North" == snapshot.holder_at(0, 1, turn).name


async def test_a_finished_deal_names_the_players_at_its_end(world: World) -> None:
    random = Random(4)
    table = (await world.start_game(NORTH, EAST)).id
    await world.finish_deal(table, random)
    await world.service.lobby.leave(world.caller(EAST), table)
    await world.service.play.begin_next_deal(world.caller(NORTH), table)
    snapshot = await world.finish_deal(table, random)
    first, second = snapshot.sheets
    assert ("East", 1) == (first.holders[1].name, first.result.deal)
    assert ("computer", EAST) == (second.holders[1].kind, second.holders[1].kept_for)
    assert second == snapshot.sheet(2)
    assert snapshot.sheet(3) is None
    await world.give_seat_back(EAST, table)
    snapshot = await world.service.reading.snapshot(table)
    assert ["East", "", "East"] == [snapshot.holder_at(1, deal).name for deal in (1, 2, 3)]


async def test_cards_left_in_hands_are_stored_for_every_deal_with_their_points(world: World) -> None:
    random = Random(6)
    table = (await world.start_game(*FOUR)).id
    for number in (1, 2):
        snapshot = await world.finish_deal(table, random)
        game = (await world.service._context.repository.get(table)).record.game
        assert game is not None
        sheet = snapshot.sheet(number)
        assert sheet is not None
        assert sheet.left is not None
        assert {seat: hand for seat, hand in enumerate(game.hands) if hand} == {
            held.seat: held.cards for held in sheet.left.held
        }
        assert all(-points_lost_by_hand(game.rules, held.cards) == held.points for held in sheet.left.held)
        if snapshot.status is Status.PLAYING:
            await world.service.play.begin_next_deal(world.caller(NORTH), table)
    assert [1, 2] == [sheet.result.deal for sheet in (await world.service.reading.snapshot(table)).sheets]


def test_a_foot_that_was_not_taken_up_counts_among_the_cards_left() -> None:
    record = table_state_with_game(deal_with_minimum(rule_set("hand-and-foot", 4), 3, minimum=15))
    for _, events in steps_of_deal(record.game, 3) if record.game else ():
        for event in events:
            record = apply_event(record, event)
    assert record.game is not None
    (left,) = record.left
    assert any(record.game.feet)
    assert {seat: len(record.game.hands[seat]) + len(record.game.feet[seat]) for seat in range(4)} == {
        **dict.fromkeys(range(4), 0),
        **{held.seat: len(held.cards) for held in left.held},
    }


def test_an_old_game_without_stored_past_players_stores_them_at_its_next_change() -> None:
    record = table_state_with_game(deal_with_minimum(rule_set("classic", 4), 5))
    for before, events in steps_of_deal(deal_with_minimum(rule_set("classic", 4), 5), 5):
        if before.turns == 2:
            break
        for event in events:
            record = apply_event(record, event)
    assert () == record.sat
    before_it, computer = record.seats, SeatHolder("computer", number=1)
    record = apply_event(record, SeatChanged(1, computer))
    first = tuple(SeatTenure(seat, 1, 0, holder) for seat, holder in enumerate(before_it))
    assert (*first, SeatTenure(1, 1, 2, computer)) == record.sat
    record = apply_event(record, SeatChanged(1, before_it[1]))
    assert (*first, SeatTenure(1, 1, 2, before_it[1])) == record.sat


async def test_only_the_final_players_of_finished_deals_are_kept(world: World) -> None:
    random = Random(4)
    table = (await world.start_game(NORTH, EAST)).id
    for _ in range(6):
        for _ in range(8):
            await world.take_random_step(table, random)
        await world.service.lobby.leave(world.caller(EAST), table)
        await world.give_seat_back(EAST, table)
    assert len((await world.service.reading.snapshot(table)).sat) > 5
    await world.finish_deal(table, random)
    await world.service.play.begin_next_deal(world.caller(NORTH), table)
    assert 4 == len((await world.service.reading.snapshot(table)).sat)
