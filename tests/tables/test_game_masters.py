"""Actions of game masters and their audit log, and who may call a computer player to a silent seat."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY, PRESETS
from bot.tables.masters.interventions import ServerRole
from bot.tables.state.clocks import TableSettings
from bot.tables.state.events import Deadline
from bot.tables.state.refusals import TableCode
from bot.tables.state.snapshots import ClosingReason, Status, TableSnapshot
from tests.support.tables import CHANNEL, EAST, GUILD, NORTH, SOUTH, STRANGER, World, open_world, refusal_of

NOBODY = ServerRole()
MODERATOR = ServerRole(moderator=True)
MASTER = ServerRole(master=True)
WHY = "the tournament waits"


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with open_world(tmp_path / "canasta.db") as opened:
        yield opened


async def start_game(world: World, clock: str | None = "daily", *, target: int | None = None) -> TableSnapshot:
    """Start North and South against East and a computer player; North deals, so East is in turn first."""
    settings = TableSettings(clock=None if clock is None else PRESETS[clock])
    snapshot = await world.service.lobby.create(world.caller(NORTH), channel=CHANNEL, settings=settings, target=target)
    for person in (EAST, SOUTH):
        snapshot = await world.service.lobby.join(world.caller(person), snapshot.id)
    return await world.service.lobby.start(world.caller(NORTH), snapshot.id, fill=True)


async def play_until_turn_of(world: World, table: int, seat: int) -> TableSnapshot:
    """Play at random until that seat is to act."""
    random = Random(7)
    while (snapshot := await world.service.reading.snapshot(table)).view is not None:
        assert snapshot.view is not None
        if snapshot.view.actor == seat:
            return snapshot
        await world.take_random_step(table, random)
    raise AssertionError("the game is over")


# --- game masters


async def test_actions_of_a_game_master_are_logged_with_the_reason(world: World) -> None:
    snapshot = await start_game(world)
    master = world.caller(STRANGER)
    await world.service.masters.pause(master, snapshot.id, reason=f"  {WHY}\n ")
    world.clock.advance(MINUTE)
    await world.service.masters.resume(world.caller(STRANGER), snapshot.id, reason="it waits no longer")
    entries = await world.store.guilds.audit_entries(GUILD, table=None, limit=10)
    assert [("resume", "it waits no longer"), ("pause", WHY)] == [(one.action, one.reason) for one in entries]
    assert {(GUILD, snapshot.id, STRANGER)} == {(one.guild, one.table, one.person) for one in entries}
    assert () == await world.store.guilds.audit_entries(GUILD, table=snapshot.id + 1, limit=10)
    assert () == await world.store.guilds.audit_entries(GUILD + 1, table=snapshot.id, limit=10)


async def test_a_refused_action_is_not_logged(world: World) -> None:
    snapshot = await start_game(world)
    asked = world.service.masters.resume(world.caller(STRANGER), snapshot.id, reason=WHY)
    assert TableCode.NOT_PAUSED is (await refusal_of(asked))[0]
    assert () == await world.store.guilds.audit_entries(GUILD, table=None, limit=10)


async def test_a_paused_game_charges_no_time(world: World) -> None:
    snapshot = await start_game(world)
    world.clock.advance(HOUR)
    snapshot = await world.service.masters.pause(world.caller(STRANGER), snapshot.id, reason=WHY)
    assert snapshot.pause is not None
    assert (STRANGER, None, WHY) == (snapshot.pause.by, snapshot.pause.until, snapshot.pause.reason)
    assert snapshot.clocks is not None
    assert (None, 71 * HOUR) == (snapshot.clocks.owes, snapshot.clocks.seats[0].bank)
    asked = world.service.masters.pause(world.caller(STRANGER), snapshot.id, reason=WHY)
    assert TableCode.ALREADY_PAUSED is (await refusal_of(asked))[0]
    world.clock.advance(10 * DAY)
    snapshot = await world.service.masters.resume(world.caller(STRANGER), snapshot.id, reason=WHY)
    assert snapshot.clocks is not None
    assert (None, 0, 71 * HOUR) == (snapshot.pause, snapshot.clocks.owes, snapshot.clocks.seats[0].bank)
    assert world.clock.now() + 71 * HOUR == snapshot.clocks.until


async def test_a_forgotten_pause_is_announced_every_fourteen_days(world: World) -> None:
    snapshot = await start_game(world)
    await world.service.masters.pause(world.caller(STRANGER), snapshot.id, reason=WHY)
    texts: list[str] = []
    world.service.subscribe(lambda changed: texts.append(changed.kind))
    for _ in range(2):
        world.clock.advance(14 * DAY)
        await world.service.deadlines.fire_deadline(snapshot.id, Deadline.PAUSE)
    assert ["pause", "pause"] == texts
    assert (await world.service.reading.snapshot(snapshot.id)).pause is not None


async def test_between_deals_no_deal_begins_during_a_pause(world: World) -> None:
    snapshot = await start_game(world)
    snapshot = await world.finish_deal(snapshot.id, Random(1))
    assert snapshot.next_deal_at is not None
    snapshot = await world.service.masters.pause(world.caller(STRANGER), snapshot.id, reason=WHY)
    assert snapshot.next_deal_at is None
    snapshot = await world.service.masters.resume(world.caller(STRANGER), snapshot.id, reason=WHY)
    assert world.clock.now() + HOUR // 2 == snapshot.next_deal_at


async def test_added_time_increases_the_remaining_time_up_to_the_cap(world: World) -> None:
    snapshot = await start_game(world)
    world.clock.advance(20 * HOUR)
    snapshot = await world.service.masters.extend_time(world.caller(STRANGER), snapshot.id, seat=0, reason=WHY)
    assert snapshot.clocks is not None
    assert (64 * HOUR, world.clock.now()) == (snapshot.clocks.seats[0].bank, snapshot.clocks.since)
    assert world.clock.now() + 64 * HOUR == snapshot.clocks.until
    snapshot = await world.service.masters.extend_time(
        world.caller(STRANGER), snapshot.id, seat=0, amount=100 * HOUR, reason=WHY
    )
    assert snapshot.clocks is not None
    assert 72 * HOUR == snapshot.clocks.seats[0].bank
    world.clock.advance(72 * HOUR - MINUTE)
    await world.service.deadlines.fire_deadline(snapshot.id, Deadline.CLOCK)
    assert NORTH == (await world.service.reading.snapshot(snapshot.id)).seats[0].person


async def test_only_opponents_may_give_a_player_an_increment(world: World) -> None:
    snapshot = await start_game(world)
    world.clock.advance(20 * HOUR)
    snapshot = await world.service.masters.give_time(world.caller(EAST), snapshot.id, seat=0)
    assert snapshot.clocks is not None
    assert 64 * HOUR == snapshot.clocks.seats[0].bank
    for person, code in ((SOUTH, TableCode.OWN_SIDE), (STRANGER, TableCode.NOT_SEATED)):
        asked = world.service.masters.give_time(world.caller(person), snapshot.id, seat=0)
        assert code is (await refusal_of(asked))[0]
    asked = world.service.masters.give_time(world.caller(NORTH), snapshot.id, seat=3)
    assert TableCode.NO_PERSON is (await refusal_of(asked))[0]


async def test_without_a_clock_no_time_can_be_given(world: World) -> None:
    snapshot = await start_game(world, None)
    asked = world.service.masters.give_time(world.caller(EAST), snapshot.id, seat=0)
    assert TableCode.NO_CLOCK is (await refusal_of(asked))[0]


async def test_a_replaced_persons_seat_is_kept_and_the_next_person_hosts(world: World) -> None:
    snapshot = await start_game(world)
    snapshot = await world.service.masters.hand_over(world.caller(STRANGER), snapshot.id, seat=0, reason=WHY)
    assert ("computer", NORTH) == (snapshot.seats[0].kind, snapshot.seats[0].kept_for)
    assert EAST == snapshot.host
    snapshot = await world.service.lobby.join(world.caller(NORTH), snapshot.id)
    assert NORTH == snapshot.seats[0].person


async def test_an_end_before_the_first_score_brings_no_result(world: World) -> None:
    snapshot = await start_game(world)
    snapshot = await world.service.masters.end(world.caller(STRANGER), snapshot.id, reason=WHY)
    assert (Status.CLOSED, ClosingReason.ASKED, None) == (snapshot.status, snapshot.closed_because, snapshot.conclusion)


async def test_an_end_keeps_finished_deals_and_drops_the_deal_in_play(world: World) -> None:
    snapshot = await start_game(world)
    snapshot = await world.finish_deal(snapshot.id, Random(1))
    assert snapshot.view is not None
    scores = tuple(total.score for total in snapshot.view.totals)
    await world.service.play.begin_next_deal(world.caller(NORTH), snapshot.id)
    snapshot = await world.service.masters.end(world.caller(STRANGER), snapshot.id, reason=WHY)
    assert Status.FINISHED is snapshot.status
    assert snapshot.conclusion is not None
    assert ("agreed", scores.index(max(scores)), scores) == (
        snapshot.conclusion.how,
        snapshot.conclusion.winner,
        snapshot.conclusion.scores,
    )
    assert snapshot.next_deal_at is None


# --- a silent seat


async def request_computer_player(
    world: World, table: int, person: int, seat: int, standing: ServerRole = NOBODY, *, has_left_guild: bool = False
) -> TableSnapshot:
    return await world.service.masters.seat_computer(
        world.caller(person), table, seat=seat, server_role=standing, has_left_guild=has_left_guild
    )


async def test_without_a_clock_players_replace_a_silent_one_after_72_hours_moderators_after_24(world: World) -> None:
    snapshot = await start_game(world, None)
    began = world.clock.now()
    for person, standing, hours in ((EAST, NOBODY, 72), (STRANGER, MODERATOR, 24), (STRANGER, MASTER, 24)):
        asked = request_computer_player(world, snapshot.id, person, 0, standing)
        assert (TableCode.SEAT_NOT_SILENT, {"seat": 0, "from": began + hours * HOUR}) == await refusal_of(asked)
    assert TableCode.NOT_SEATED is (await refusal_of(request_computer_player(world, snapshot.id, STRANGER, 0)))[0]
    world.clock.advance(24 * HOUR)
    assert TableCode.SEAT_NOT_SILENT is (await refusal_of(request_computer_player(world, snapshot.id, EAST, 0)))[0]
    snapshot = await request_computer_player(world, snapshot.id, STRANGER, 0, MODERATOR)
    assert NORTH == snapshot.seats[0].kept_for


async def test_after_72_silent_hours_any_seated_person_may_replace_the_player(world: World) -> None:
    snapshot = await start_game(world, None)
    world.clock.advance(72 * HOUR)
    assert TableCode.NOT_OWING is (await refusal_of(request_computer_player(world, snapshot.id, EAST, 2)))[0]
    assert NORTH == (await request_computer_player(world, snapshot.id, EAST, 0)).seats[0].kept_for


async def test_a_player_with_time_left_cannot_be_replaced(world: World) -> None:
    snapshot = await start_game(world)
    snapshot = await play_until_turn_of(world, snapshot.id, 1)
    world.clock.advance(30 * HOUR)
    for person, standing in ((NORTH, NOBODY), (STRANGER, MODERATOR), (STRANGER, MASTER)):
        assert (
            TableCode.HAS_TIME
            is (await refusal_of(request_computer_player(world, snapshot.id, person, 1, standing)))[0]
        )


async def test_a_departed_persons_seat_is_filled_by_the_host_at_once_and_moderators_after_24_hours(
    world: World,
) -> None:
    snapshot = await start_game(world)
    snapshot = await play_until_turn_of(world, snapshot.id, 1)
    asked = request_computer_player(world, snapshot.id, SOUTH, 1, has_left_guild=True)
    assert TableCode.NOT_HOST is (await refusal_of(asked))[0]
    asked = request_computer_player(world, snapshot.id, STRANGER, 1, MASTER, has_left_guild=True)
    assert TableCode.SEAT_NOT_SILENT is (await refusal_of(asked))[0]
    assert EAST == (await request_computer_player(world, snapshot.id, NORTH, 1, has_left_guild=True)).seats[1].kept_for


async def test_a_seat_that_no_person_has_is_not_replaced(world: World) -> None:
    snapshot = await start_game(world)
    assert TableCode.NO_PERSON is (await refusal_of(request_computer_player(world, snapshot.id, NORTH, 3)))[0]
    asked = world.service.masters.hand_over(world.caller(STRANGER), snapshot.id, seat=9, reason=WHY)
    assert TableCode.NO_SUCH_SEAT is (await refusal_of(asked))[0]
