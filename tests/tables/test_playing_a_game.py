"""Playing: every action passes through one function; whole games, and errors."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from bot.clocks.clock import HOUR, SECOND
from bot.clocks.time_rules import DAY
from bot.engine.cards.cards import full_pack
from bot.engine.moves.actions import DRAW, TAKE_BACK, YES, StartDeal, TakeBack
from bot.engine.moves.events import Discarded, Drew
from bot.engine.moves.phases import Phase
from bot.engine.moves.refusals import Code, Refusal
from bot.tables.core.repository import InvariantViolation
from bot.tables.seating.waiting_question import ASKED_AFTER
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import ActionResult, ClosingReason, Status, TableChanged
from tests.support.tables import CHANNEL, EAST, GUILD, NORTH, SOUTH, STRANGER, WEST, World, open_world, refusal_of

FOUR = (NORTH, EAST, SOUTH, WEST)


async def test_a_player_gets_an_updated_view_after_a_move(world: World) -> None:
    snapshot = await world.start_game(*FOUR)
    outcome = await world.service.play.act(world.caller(NORTH), snapshot.id, DRAW, expected_version=snapshot.version)
    (drew,) = outcome.events
    assert isinstance(drew, Drew)
    assert len(drew.cards) == 1
    assert (outcome.snapshot.seat, outcome.snapshot.table.version) == (0, snapshot.version + 1)
    assert outcome.snapshot.view is not None
    assert set(drew.cards) <= set(outcome.snapshot.view.hand)
    assert not outcome.repeated


async def test_recent_events_are_shown_without_hidden_cards(world: World) -> None:
    snapshot = await world.start_game(*FOUR)
    await world.service.play.act(world.caller(NORTH), snapshot.id, DRAW)
    last = (await world.service.reading.snapshot(snapshot.id)).recent[-1]
    assert (1, 0, 0) == (last.deal, last.turn, last.seat)
    assert isinstance(last.event, Drew)
    assert (last.event.cards, last.event.count) == ((), 1)


async def test_an_action_for_an_older_version_is_refused_and_changes_nothing(world: World) -> None:
    snapshot = await world.start_game(*FOUR)
    await world.service.play.act(world.caller(NORTH), snapshot.id, DRAW, expected_version=snapshot.version)
    now = await world.service.reading.snapshot(snapshot.id)
    with pytest.raises(TableRefusal) as caught:
        await world.service.play.act(world.caller(NORTH), snapshot.id, DRAW, expected_version=snapshot.version)
    assert caught.value == TableRefusal(
        TableCode.STALE_REQUEST, {"table": snapshot.id, "expected": snapshot.version, "version": now.version}
    )
    assert await world.service.reading.snapshot(snapshot.id) == now


async def test_a_request_that_comes_twice_gets_the_first_answer_again(world: World) -> None:
    snapshot = await world.start_game(*FOUR)
    caller = world.caller(NORTH)
    first = await world.service.play.act(caller, snapshot.id, DRAW, expected_version=snapshot.version)
    again = await world.service.play.act(caller, snapshot.id, DRAW, expected_version=snapshot.version)
    assert again == ActionResult(first.snapshot, first.events, repeated=True)


async def test_exactly_one_of_many_simultaneous_requests_wins(world: World) -> None:
    snapshot = await world.start_game(*FOUR)
    service = world.service
    results = await asyncio.gather(
        *(
            service.play.act(world.caller(NORTH), snapshot.id, DRAW, expected_version=snapshot.version)
            for _ in range(20)
        ),
        return_exceptions=True,
    )
    assert len([one for one in results if isinstance(one, ActionResult)]) == 1
    assert {one.code for one in results if isinstance(one, TableRefusal)} == {TableCode.STALE_REQUEST}
    assert (await service.reading.snapshot(snapshot.id)).version == snapshot.version + 1


async def test_of_two_simultaneous_requests_the_player_in_turn_wins(world: World) -> None:
    snapshot = await world.start_game(*FOUR)
    east, north = await asyncio.gather(
        world.service.play.act(world.caller(EAST), snapshot.id, DRAW, expected_version=snapshot.version),
        world.service.play.act(world.caller(NORTH), snapshot.id, DRAW, expected_version=snapshot.version),
        return_exceptions=True,
    )
    assert isinstance(east, Refusal)
    assert east.code is Code.NOT_YOUR_TURN
    assert isinstance(north, ActionResult)


async def test_a_refused_move_changes_nothing(world: World) -> None:
    snapshot = await world.start_game(*FOUR)
    for person, action in ((EAST, DRAW), (NORTH, YES), (NORTH, StartDeal(full_pack(2, 2)))):
        with pytest.raises(Refusal):
            await world.service.play.act(world.caller(person), snapshot.id, action)
    assert await world.service.reading.snapshot(snapshot.id) == snapshot


async def test_players_cannot_choose_the_order_of_the_pack(world: World) -> None:
    snapshot = await world.start_game(*FOUR)
    await world.finish_deal(snapshot.id, Random(1))
    with pytest.raises(Refusal):
        await world.service.play.act(world.caller(NORTH), snapshot.id, StartDeal(full_pack(2, 2)))


async def test_a_person_without_a_seat_cannot_play(world: World) -> None:
    snapshot = await world.start_game(*FOUR)
    for asked in (
        world.service.play.act(world.caller(STRANGER), snapshot.id, DRAW),
        world.service.reading.seat_snapshot(snapshot.id, person=STRANGER, guild=GUILD),
        world.service.play.begin_next_deal(world.caller(STRANGER), snapshot.id),
        world.service.lobby.leave(world.caller(STRANGER), snapshot.id),
    ):
        with pytest.raises(TableRefusal) as caught:
            await asked
        assert caught.value == TableRefusal(TableCode.NOT_SEATED, {"table": snapshot.id})


async def test_a_lobby_cannot_be_played(world: World) -> None:
    snapshot = await world.open_lobby(NORTH)
    for asked in (
        world.service.play.act(world.caller(NORTH), snapshot.id, DRAW),
        world.service.play.begin_next_deal(world.caller(NORTH), snapshot.id),
    ):
        with pytest.raises(TableRefusal) as caught:
            await asked
        assert caught.value == TableRefusal(TableCode.NOT_STARTED, {"table": snapshot.id})
    assert (await world.service.reading.seat_snapshot(snapshot.id, person=NORTH, guild=GUILD)).view is None


async def test_a_computer_player_plays_its_own_seat_only(world: World) -> None:
    snapshot = await world.start_game(NORTH)
    with pytest.raises(TableRefusal) as caught:
        await world.service.play.act_for_computer(snapshot.id, 0, DRAW, expected_version=snapshot.version)
    assert caught.value.code is TableCode.NOT_SEATED
    with pytest.raises(Refusal) as refused:
        await world.service.play.act_for_computer(snapshot.id, 1, DRAW, expected_version=snapshot.version)
    assert refused.value.code is Code.NOT_YOUR_TURN
    assert await world.service.reading.computer_turn(snapshot.id) is None


@pytest.mark.parametrize(("players", "persons"), [(4, FOUR), (4, (NORTH,)), (4, (NORTH, EAST)), (2, (NORTH, EAST))])
async def test_a_whole_game_is_played_to_its_target(world: World, players: int, persons: tuple[int, ...]) -> None:
    snapshot = await world.start_game(*persons, players=players, target=1000)
    snapshot = await world.play_game(snapshot.id, Random(len(persons) * players))
    assert snapshot.status is Status.FINISHED
    assert snapshot.view is not None
    assert snapshot.view.winner is not None
    assert max(snapshot.view.results[-1].scores) == snapshot.view.results[-1].scores[snapshot.view.winner] >= 1000
    assert snapshot.next_deal_at is None
    assert await world.store.tables.tables_with_status((Status.PLAYING,)) == ()
    with pytest.raises(TableRefusal) as caught:
        await world.service.play.act(world.caller(NORTH), snapshot.id, DRAW)
    assert caught.value.code is TableCode.GAME_FINISHED


async def test_any_seated_person_begins_the_next_deal(world: World) -> None:
    table = (await world.start_game(NORTH, EAST)).id
    snapshot = await world.finish_deal(table, Random(3))
    assert snapshot.next_deal_at == world.clock.now() + 30 * SECOND
    seen = await world.service.play.begin_next_deal(world.caller(EAST), table, expected_version=snapshot.version)
    assert seen.table.view is not None
    assert (seen.table.view.deal, seen.table.view.actor, seen.table.next_deal_at) == (2, 1, None)
    with pytest.raises(Refusal) as caught:
        await world.service.play.begin_next_deal(world.caller(NORTH), table)
    assert caught.value.code is Code.DEAL_RUNNING
    with pytest.raises(TableRefusal) as stale:
        await world.service.play.begin_next_deal(world.caller(NORTH), table, expected_version=snapshot.version)
    assert stale.value.code is TableCode.STALE_REQUEST


async def test_the_next_deal_begins_by_itself_after_a_pause(world: World) -> None:
    table = (await world.start_game(NORTH)).id
    before = await world.finish_deal(table, Random(4))
    world.clock.advance(30 * SECOND)
    await world.service.deadlines.fire_deadline(table, "next_deal")
    snapshot = await world.service.reading.snapshot(table)
    assert snapshot.view is not None
    assert (snapshot.view.deal, snapshot.version) == (2, before.version + 1)


async def test_a_player_who_leaves_is_replaced_and_may_return(world: World) -> None:
    table = (await world.start_game(*FOUR)).id
    snapshot = await world.service.lobby.leave(world.caller(NORTH), table)
    stand_in = snapshot.seats[0]
    assert (stand_in.kind, stand_in.number, stand_in.kept_for, stand_in.kept_name) == ("computer", 1, NORTH, "North")
    assert (snapshot.host, snapshot.actor) == (EAST, stand_in)
    assert await world.service.reading.computer_turn(table) is not None
    with pytest.raises(TableRefusal):
        await world.service.lobby.join(world.caller(STRANGER), table)
    back = await world.give_seat_back(NORTH, table)
    assert (back.persons, back.host) == (FOUR, EAST)
    await world.service.play.act(world.caller(NORTH), table, DRAW)


async def test_a_game_without_people_stands_still_and_is_finally_closed(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, players=2)).id
    await world.service.lobby.leave(world.caller(NORTH), table)
    snapshot = await world.service.lobby.leave(world.caller(EAST), table)
    assert snapshot.status is Status.PLAYING
    assert snapshot.expires_at == world.clock.now() + 30 * DAY
    assert await world.service.reading.computer_turn(table) is None
    back = await world.service.lobby.join(world.caller(EAST), table)
    assert (back.expires_at, back.host) == (None, EAST)
    await world.service.lobby.leave(world.caller(EAST), table)
    world.clock.advance(30 * DAY)
    await world.service.deadlines.fire_deadline(table, "expire")
    assert (await world.service.reading.snapshot(table)).closed_because is ClosingReason.EXPIRED


async def test_no_deal_begins_automatically_at_a_table_without_people(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, players=2)).id
    await world.finish_deal(table, Random(4))
    await world.service.lobby.leave(world.caller(NORTH), table)
    left = await world.service.lobby.leave(world.caller(EAST), table)
    assert (left.has_no_people, left.next_deal_at) == (True, None)
    world.clock.advance(HOUR)
    back = await world.service.lobby.join(world.caller(NORTH), table)
    assert (back.has_no_people, back.next_deal_at) == (False, world.clock.now() + 30 * SECOND)


async def test_a_restart_in_the_middle_of_a_turn_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    async with open_world(path) as world:
        table = (await world.start_game(*FOUR)).id
        random = Random(5)
        for _ in range(40):
            await world.take_random_step(table, random)
        while (await world.current_turn(table))[2].table.phase is not Phase.PLAY:
            await world.take_random_step(table, random)
        snapshots = [await world.service.reading.seat_snapshot(table, person=one, guild=GUILD) for one in FOUR]
    async with open_world(path, clock=world.clock, first_request=6_000_000) as world:
        assert snapshots == [await world.service.reading.seat_snapshot(table, person=one, guild=GUILD) for one in FOUR]
        assert (await world.play_deal(table, random)).view is not None


async def test_a_cancelled_caller_does_not_undo_a_started_change_and_listeners_run(world: World) -> None:
    snapshot = await world.start_game(*FOUR)
    told: list[TableChanged] = []
    world.service.subscribe(told.append)
    caller = world.caller(NORTH)
    asked = asyncio.create_task(world.service.play.act(caller, snapshot.id, DRAW))
    await asyncio.sleep(0)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    await world.service.finish()
    assert told == [TableChanged(snapshot.id, snapshot.version + 1, "draw", None, by=NORTH)]
    assert (await world.service.play.act(caller, snapshot.id, DRAW)).repeated


async def test_listeners_run_after_the_commit_and_a_broken_one_does_no_harm(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[TableChanged] = []

    def fail_to_listen(changed: TableChanged) -> None:
        raise RuntimeError(str(changed.version))

    world.service.subscribe(fail_to_listen)
    end = world.service.subscribe(told.append)
    snapshot = await world.open_lobby(NORTH)
    assert [(one.kind, one.version) for one in told] == [("create", 1), ("commit_seed", 2)]
    assert told[0].due == snapshot.created_at + ASKED_AFTER
    end()
    await world.service.lobby.join(world.caller(EAST), snapshot.id)
    assert len(told) == 2
    assert "a listener failed" in caplog.text


async def test_an_action_that_would_break_the_table_is_not_stored(world: World) -> None:
    snapshot = await world.start_game(*FOUR)
    table = await world.service._context.repository.get(snapshot.id)
    game = table.record.game
    assert game is not None
    game.stock = game.stock[:-1]  # removed without the engine
    with pytest.raises(InvariantViolation):
        await world.service.play.act(world.caller(NORTH), snapshot.id, DRAW)
    stored = await world.store.tables.load(snapshot.id)
    assert stored is not None
    assert stored.version == snapshot.version
    assert (TableCode.UNREADABLE_TABLE, {"table": snapshot.id}) == await refusal_of(
        world.service.reading.snapshot(snapshot.id)
    )


async def test_a_discard_passes_the_turn(world: World) -> None:
    snapshot = await world.start_game(*FOUR)
    outcome = await world.service.play.act(world.caller(NORTH), snapshot.id, DRAW)
    assert outcome.snapshot.view is not None
    discard = next(step for step in outcome.snapshot.view.legal if type(step).__name__ == "Discard")
    after = await world.service.play.act(world.caller(NORTH), snapshot.id, discard)
    assert isinstance(after.events[0], Discarded)
    assert after.snapshot.table.actor is not None
    assert after.snapshot.table.actor.person == EAST


async def test_a_rematch_moves_everyone_by_one_seat(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, target=100)).id
    with pytest.raises(TableRefusal) as caught:
        await world.service.lobby.rematch(world.caller(NORTH), table)
    assert caught.value.code is TableCode.NOT_FINISHED
    await world.play_game(table, Random(6))
    again = await world.service.lobby.rematch(world.caller(EAST), table)
    assert (again.status, again.host, again.target, again.channel) == (Status.LOBBY, EAST, 100, CHANNEL)
    assert [(one.kind, one.person, one.number) for one in again.seats] == [
        ("computer", None, 2),
        ("person", NORTH, 0),
        ("person", EAST, 0),
        ("computer", None, 1),
    ]
    assert (await world.service.reading.snapshot(table)).rematch == again.id
    started = await world.service.lobby.start(world.caller(EAST), again.id)
    assert started.view is not None
    assert started.view.actor == 0


async def test_a_game_has_one_rematch_and_another_if_that_lobby_is_closed(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, players=2, target=100)).id
    await world.play_game(table, Random(7))
    caller = world.caller(NORTH)
    first = await world.service.lobby.rematch(caller, table)
    assert (await world.service.lobby.rematch(caller, table)).id == first.id
    assert (await world.service.lobby.rematch(world.caller(EAST), table)).id == first.id
    await world.service.lobby.close(world.caller(NORTH), first.id)
    assert (await world.service.lobby.rematch(world.caller(EAST), table)).id != first.id
    with pytest.raises(TableRefusal) as caught:
        await world.service.lobby.rematch(world.caller(STRANGER), table)
    assert caught.value.code is TableCode.NOT_SEATED


async def test_the_order_in_which_cards_came_is_known_to_their_holder(world: World) -> None:
    """The order is known for every way of drawing and until the deal ends.

    Cards of melds taken back keep their place in it.
    """
    number, random = (await world.start_game(NORTH, EAST, SOUTH, WEST)).id, Random(3)
    dealt: dict[int, Counter[int]] = {}
    for _ in range(150):
        snapshot, seat, view = await world.current_turn(number)
        person = snapshot.seats[seat].person or 0
        before = await world.service.reading.seat_snapshot(number, person=person, guild=GUILD)
        dealt.setdefault(seat, Counter(view.hand) - Counter(before.drawn))
        step = TAKE_BACK if view.can_take_back and random.random() < 0.5 else random.choice(view.legal)
        outcome = await world.service.play.act(world.caller(person), number, step)
        after = outcome.snapshot
        if after.view is None or after.view.table.phase is Phase.BETWEEN:
            break
        assert before.drawn == after.drawn[: len(before.drawn)]
        drew = [
            card for event in outcome.events if isinstance(event, Drew) and event.seat == seat for card in event.cards
        ]
        if not isinstance(step, TakeBack):
            assert Counter(after.view.hand) - Counter(view.hand) == Counter(after.drawn[len(before.drawn) :])
        else:
            assert before.drawn == after.drawn
        assert sorted(drew) == sorted(after.drawn[len(before.drawn) :][: len(drew)])
        assert Counter(after.view.hand) <= dealt[seat] + Counter(after.drawn)
    await world.play_deal(number, random)
    await world.service.play.begin_next_deal(world.caller(NORTH), number)
    assert () == (await world.service.reading.seat_snapshot(number, person=NORTH, guild=GUILD)).drawn


async def test_a_rematch_of_five_keeps_pair_and_trio_together(world: World) -> None:
    table = (await world.start_game(*FOUR, STRANGER, players=5, target=100)).id
    await world.play_game(table, Random(1))
    again = await world.service.lobby.rematch(world.caller(SOUTH), table)
    assert [STRANGER, WEST, NORTH, EAST, SOUTH] == [holder.person for holder in again.seats]


async def test_a_resting_player_may_not_play_and_sees_no_hand(world: World) -> None:
    snapshot = await world.start_game(*FOUR, STRANGER, players=5)
    assert snapshot.view is not None
    assert (4,) == snapshot.view.resting_seats
    with pytest.raises(Refusal) as caught:
        await world.service.play.act(world.caller(STRANGER), snapshot.id, DRAW)
    assert caught.value == Refusal(Code.RESTING, {"deal": 1})
    seen = await world.service.reading.seat_snapshot(snapshot.id, person=STRANGER, guild=GUILD)
    assert seen.view is not None
    assert ((), (), True) == (seen.view.hand, seen.view.legal, seen.view.is_resting)
    assert 3 == snapshot.view.dealer
