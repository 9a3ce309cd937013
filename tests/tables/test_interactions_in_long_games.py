"""Events of a long game that affect several parts at once (`docs/long-games.md`, 4 and 7)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from random import Random

import pytest

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.quiet_hours import QuietWindow
from bot.clocks.time_rules import DAY, PRESETS, ClockTerms, SeatClock, Stage
from bot.engine.moves.actions import ASK, DRAW, Answer
from bot.tables.absence.latest_end import warn_or_apply_latest_end
from bot.tables.past.record_reading import read_record
from bot.tables.state.absence import AbsenceChoice
from bot.tables.state.clocks import AbsencePolicy, ReplayFrom, TableSettings
from bot.tables.state.events import Deadline, DeadlineSet, StageReached
from bot.tables.state.fold import apply_table_events
from bot.tables.state.premoves import PlannedTurn
from bot.tables.state.proposals import ProposalKind
from bot.tables.state.refusals import TableCode
from bot.tables.state.shuffle import commitment
from bot.tables.state.snapshots import Status, TableSnapshot
from tests.support.absent_player_games import DAILY, FOUR, cast_vote, start_clock_game, start_game_with_no_time_left
from tests.support.ringing_alarms import ring_alarms_until
from tests.support.stored_table_data import events_of, record_of
from tests.support.tables import EAST, GUILD, NORTH, SOUTH, STRANGER, WEST, World, refusal_of
from tests.tables.test_record_files import play_deal_of_example, play_four_turns, stack_example_pack

# --- votes and other open questions -----------------------------------------------------------------------------------


async def test_an_agreed_proposal_is_done_once_the_absent_person_loses_the_seat(world: World) -> None:
    snapshot = await start_game_with_no_time_left(world, *FOUR)
    table = snapshot.id
    await world.service.consent.propose(world.caller(EAST), table, ProposalKind.END)
    for person in (SOUTH, WEST):
        snapshot = await world.service.consent.answer_proposal(world.caller(person), table, agrees=True)
    assert Status.PLAYING is snapshot.status, "North has not answered"
    snapshot = await cast_vote(world, snapshot, EAST, AbsenceChoice.COMPUTER)
    snapshot = await cast_vote(world, snapshot, SOUTH, AbsenceChoice.COMPUTER)
    assert snapshot.conclusion is not None
    assert (Status.FINISHED, "agreed", None) == (snapshot.status, snapshot.conclusion.how, snapshot.proposal)
    assert await world.store.times.next_due_at() is None


async def test_a_slower_clock_agreed_without_the_absent_person_moves_the_latest_end(world: World) -> None:
    snapshot = await start_clock_game(
        world, *FOUR, settings=TableSettings(clock=PRESETS["live"], absent=AbsencePolicy.VOTE, extension=False)
    )
    table, start = snapshot.id, world.clock.now()
    await ring_alarms_until(world, start + PRESETS["live"].bank + MINUTE)
    await world.service.consent.propose(world.caller(EAST), table, ProposalKind.SLOWER_CLOCK)
    for person in (SOUTH, WEST):
        await world.service.consent.answer_proposal(world.caller(person), table, agrees=True)
    snapshot = await cast_vote(world, await world.service.reading.snapshot(table), EAST, AbsenceChoice.COMPUTER)
    snapshot = await cast_vote(world, snapshot, SOUTH, AbsenceChoice.COMPUTER)
    assert (PRESETS["daily"], start + 90 * DAY) == (snapshot.settings.clock, snapshot.absence.ends_at)


async def test_a_vote_stands_in_a_game_master_s_pause_and_goes_on_after_it(world: World) -> None:
    snapshot = await start_game_with_no_time_left(world, *FOUR)
    table = snapshot.id
    snapshot = await world.service.masters.pause(world.caller(STRANGER), table, reason="storm")
    assert TableCode.GAME_PAUSED is (await refusal_of(cast_vote(world, snapshot, EAST, AbsenceChoice.COMPUTER)))[0]
    await ring_alarms_until(world, world.clock.now() + 3 * DAY)
    snapshot = await world.service.masters.resume(world.caller(STRANGER), table, reason="over")
    assert snapshot.vote is not None
    assert snapshot.vote.at + 4 * DAY == snapshot.vote_until
    for person in (EAST, SOUTH):
        snapshot = await cast_vote(world, snapshot, person, AbsenceChoice.WAIT)
    assert snapshot.clocks is not None
    assert (0, world.clock.now() + DAY) == (snapshot.clocks.owes, snapshot.clocks.until)


async def test_a_game_master_who_replaces_a_player_ends_the_vote_and_the_player_can_return(world: World) -> None:
    snapshot = await start_game_with_no_time_left(world, *FOUR)
    table = snapshot.id
    snapshot = await world.service.masters.hand_over(world.caller(STRANGER), table, seat=0, reason="asleep")
    assert (None, None, NORTH) == (snapshot.vote, snapshot.vote_until, snapshot.seats[0].kept_for)
    snapshot = await world.service.lobby.join(world.caller(NORTH), table)
    assert snapshot.clocks is not None
    assert (NORTH, 0, 18 * HOUR) == (snapshot.seats[0].person, snapshot.clocks.owes, snapshot.clocks.seats[0].bank)


async def test_undoing_deletes_premoves_based_on_the_undone_move(world: World) -> None:
    table = (await start_clock_game(world, NORTH, EAST, players=2)).id
    await world.service.play.act(world.caller(NORTH), table, DRAW)
    await world.service.premoves.store_premove(world.caller(EAST), table, PlannedTurn(draw=True))
    await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.UNDO)
    await world.service.consent.answer_proposal(world.caller(EAST), table, agrees=True)
    assert {} == await world.store.premoves.premoves_at_table(table)


async def test_a_proposal_waits_for_a_departed_person_until_a_computer_has_the_seat(world: World) -> None:
    table = (await start_clock_game(world, *FOUR)).id
    await world.service.absence.handle_departure(table, SOUTH)
    await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.PAUSE, days=3)
    await world.service.consent.answer_proposal(world.caller(EAST), table, agrees=True)
    snapshot = await world.service.consent.answer_proposal(world.caller(WEST), table, agrees=True)
    assert (None, (SOUTH,)) == (snapshot.pause, snapshot.unanswered_people)
    snapshot = await cast_vote(world, snapshot, NORTH, AbsenceChoice.COMPUTER)
    snapshot = await cast_vote(world, snapshot, EAST, AbsenceChoice.COMPUTER)
    assert (SOUTH, True) == (snapshot.seats[2].kept_for, snapshot.pause is not None)
    assert snapshot.proposal is None


# --- forgetting -------------------------------------------------------------------------------------------------------


async def check_log_folds_to_stored_table(world: World, table: int) -> TableSnapshot:
    """Check that folding the log gives the stored table; return the table's snapshot."""
    assert await record_of(world.store, table) == apply_table_events(None, await events_of(world.store, table))
    return await world.service.reading.snapshot(table)


async def test_forgetting_a_voter_drops_their_vote_and_the_absent_person_ends_it(world: World) -> None:
    snapshot = await start_game_with_no_time_left(world, *FOUR)
    await cast_vote(world, snapshot, EAST, AbsenceChoice.COMPUTER)
    await world.service.people.forget(world.caller(EAST))
    snapshot = await check_log_folds_to_stored_table(world, snapshot.id)
    assert snapshot.vote is not None
    assert () == snapshot.vote.ballots
    await world.service.people.forget(world.caller(NORTH))
    snapshot = await check_log_folds_to_stored_table(world, snapshot.id)
    assert (None, None, None) == (snapshot.vote, snapshot.seats[0].person, snapshot.seats[0].kept_for)
    assert (SOUTH, WEST) == snapshot.persons


async def test_the_claim_of_a_forgotten_person_is_dropped(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, SOUTH)).id
    await world.service.lobby.take_seat(world.caller(STRANGER), table, 3, joined_at=0)
    await world.service.people.forget(world.caller(STRANGER))
    snapshot = await check_log_folds_to_stored_table(world, table)
    assert () == snapshot.absence.claims
    assert "seat" not in {timer.kind for timer in await world.store.times.due_timers(2**61, 50)}


async def test_forgetting_a_person_who_left_drops_their_claim_and_kept_seat(world: World) -> None:
    table = (await world.start_game(NORTH, EAST)).id
    await world.service.lobby.leave(world.caller(EAST), table)
    snapshot = await world.service.lobby.join(world.caller(EAST), table)
    assert 1 == len(snapshot.absence.claims)
    await world.service.people.forget(world.caller(EAST))
    snapshot = await check_log_folds_to_stored_table(world, table)
    assert ((), None) == (snapshot.absence.claims, snapshot.seats[1].kept_for)


async def test_an_agreed_proposal_is_done_once_the_missing_person_is_forgotten(world: World) -> None:
    table = (await start_clock_game(world, *FOUR)).id
    await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.END)
    for person in (EAST, SOUTH):
        await world.service.consent.answer_proposal(world.caller(person), table, agrees=True)
    await world.service.people.forget(world.caller(WEST))
    assert Status.FINISHED is (await check_log_folds_to_stored_table(world, table)).status


async def test_a_forgotten_persons_seat_follows_the_policy_of_the_table(world: World) -> None:
    sought = (await start_clock_game(world, *FOUR, settings=replace(DAILY, absent=AbsencePolicy.SUBSTITUTE))).id
    lost = (await start_clock_game(world, *FOUR, settings=replace(DAILY, absent=AbsencePolicy.FORFEIT))).id
    await world.service.people.forget(world.caller(EAST))
    snapshot = await check_log_folds_to_stored_table(world, sought)
    assert ("computer", [1]) == (snapshot.seats[1].kind, [one.seat for one in snapshot.sought])
    snapshot = await check_log_folds_to_stored_table(world, lost)
    assert snapshot.conclusion is not None
    assert (Status.FINISHED, "forfeited", 0) == (snapshot.status, snapshot.conclusion.how, snapshot.conclusion.winner)
    assert snapshot.seats[1].is_former


async def test_a_game_whose_people_are_all_deleted_stays_open_for_thirty_days(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, players=2)).id
    await world.service.lobby.leave(world.caller(EAST), table)
    await world.service.people.forget(world.caller(NORTH))
    snapshot = await check_log_folds_to_stored_table(world, table)
    assert (True, world.clock.now() + 30 * DAY) == (snapshot.has_no_people, snapshot.expires_at)


# --- clocks -----------------------------------------------------------------------------------------------------------


async def test_a_vacation_counts_only_at_tables_that_allow_one(world: World) -> None:
    now = world.clock.now()
    await world.personal.plan_vacation(NORTH, now, now + 2 * DAY, now)
    with_days = (await start_clock_game(world, NORTH, EAST, players=2, settings=replace(DAILY, vacation=7))).id
    without = (await start_clock_game(world, NORTH, EAST, players=2)).id
    untils = [(await world.service.reading.snapshot(table)).clocks for table in (with_days, without)]
    assert [now + 5 * DAY, now + 3 * DAY] == [one.until for one in untils if one is not None]
    await ring_alarms_until(world, now + 3 * DAY + MINUTE)
    assert (await world.service.reading.snapshot(with_days)).vote is None
    assert (await world.service.reading.snapshot(without)).vote is not None


async def test_a_vacation_that_a_move_ends_is_over_at_other_tables_too(world: World) -> None:
    """At the other tables the vacation ends with the current day.

    Reminders and votes come as if the person had taken no further days.
    """
    now, settings = world.clock.now(), replace(DAILY, vacation=7)
    await world.personal.set_automatic_vacation(NORTH, automatic=False)
    await world.personal.plan_vacation(NORTH, now, now + 10 * DAY, now)
    here, there = [(await start_clock_game(world, NORTH, EAST, players=2, settings=settings)).id for _ in range(2)]
    await ring_alarms_until(world, now + DAY)
    await _take_turn(world, here)
    await world.service.finish()
    clocks = (await world.service.reading.snapshot(there)).clocks
    assert clocks is not None
    assert now + 5 * DAY == clocks.until
    await ring_alarms_until(world, now + 2 * DAY + 36 * HOUR)
    half = (await world.service.reading.snapshot(there)).clocks
    assert half is not None
    assert Stage.HALF is half.stage
    await ring_alarms_until(world, now + 5 * DAY + MINUTE)
    assert (await world.service.reading.snapshot(there)).vote is not None


async def test_quiet_hours_set_while_a_clock_runs_change_its_end_at_once(world: World) -> None:
    table = (await start_clock_game(world, NORTH, EAST, players=2)).id
    start = world.clock.now()
    hour = start // HOUR % 24
    await world.personal.set_quiet_hours(NORTH, QuietWindow("UTC", hour * 60, 10), start)
    await world.service.finish()
    clocks = (await world.service.reading.snapshot(table)).clocks
    assert clocks is not None
    assert clocks.until is not None
    assert clocks.until > start + 72 * HOUR
    await world.personal.set_quiet_hours(NORTH, None, start)
    await world.service.finish()
    await ring_alarms_until(world, start + 83 * HOUR)
    assert (await world.service.reading.snapshot(table)).vote is not None


async def test_a_lone_player_has_no_latest_end(world: World) -> None:
    table = (await start_clock_game(world, NORTH, settings=TableSettings(clock=PRESETS["live"]), players=2)).id
    await ring_alarms_until(world, world.clock.now() + 300 * DAY)
    snapshot = await world.service.reading.snapshot(table)
    assert (Status.PLAYING, False, None) == (snapshot.status, snapshot.last_deal, snapshot.absence.ends_at)


async def test_the_latest_end_of_a_lone_players_game_is_checked_again_a_day_later(world: World) -> None:
    table = (await start_clock_game(world, NORTH, settings=TableSettings(clock=PRESETS["live"]), players=2)).id
    record, now = (await world.service._context.repository.get(table)).record, world.clock.now()
    assert (DeadlineSet(Deadline.LATEST_END, now + DAY),) == warn_or_apply_latest_end(record, (), now=now)


async def test_a_player_who_returns_in_the_last_deal_plays_on(world: World) -> None:
    settings = TableSettings(clock=ClockTerms("custom", 5 * DAY, 0, 5 * DAY), latest_end=14)
    table = (await start_clock_game(world, *FOUR, settings=settings)).id
    start = world.clock.now()
    for day in (4, 8, 12):
        await ring_alarms_until(world, start + day * DAY)
        await _take_turn(world, table)
    await ring_alarms_until(world, start + 14 * DAY)
    assert (await world.service.reading.snapshot(table)).last_deal
    await ring_alarms_until(world, start + 17 * DAY + MINUTE)
    snapshot = await world.service.reading.snapshot(table)
    assert ("computer", WEST, None) == (snapshot.seats[3].kind, snapshot.seats[3].kept_for, snapshot.vote)
    snapshot = await world.service.lobby.join(world.caller(WEST), table)
    assert snapshot.clocks is not None
    assert (3, Stage.RUNNING) == (snapshot.clocks.owes, snapshot.clocks.stage)
    assert SeatClock(30 * HOUR, extended=True, vacation_days=7, lapses=1) == snapshot.clocks.seats[3]


async def _take_turn(world: World, table: int) -> None:
    """Let the player in turn draw and discard."""
    snapshot, seat, _ = await world.current_turn(table)
    while snapshot.view is not None and snapshot.actor == snapshot.seats[seat]:
        await world.take_random_step(table, Random(1))
        snapshot = await world.service.reading.snapshot(table)


async def test_after_an_outage_there_is_a_quarter_of_an_hour_before_time_is_over(world: World) -> None:
    """The time runs out while the bot is away, or shortly after its return."""
    snapshot = await start_clock_game(world, *FOUR)
    zero = world.clock.now() + 72 * HOUR
    world.readiness._outages = ((zero - MINUTE, zero + HOUR),)
    await ring_alarms_until(world, zero + HOUR + 14 * MINUTE)
    assert (await world.service.reading.snapshot(snapshot.id)).vote is None
    await ring_alarms_until(world, zero + HOUR + 15 * MINUTE)
    assert (await world.service.reading.snapshot(snapshot.id)).vote is not None


async def test_setting_the_clock_back_repeats_no_notice(world: World) -> None:
    table = (await start_clock_game(world, *FOUR)).id
    start = world.clock.now()
    await ring_alarms_until(world, start + 36 * HOUR)
    half = await world.service.reading.snapshot(table)
    assert half.clocks is not None
    assert Stage.HALF is half.clocks.stage
    world.clock.shift_wall_clock(-2 * HOUR)
    await ring_alarms_until(world, start + 40 * HOUR)
    told = [event for event in await events_of(world.store, table) if isinstance(event, StageReached)]
    assert [StageReached(0, Stage.HALF, start + 72 * HOUR, start + 72 * HOUR)] == told


async def test_a_question_stays_when_the_asker_s_seat_changes(world: World) -> None:
    stack_example_pack(world)
    table = (await start_clock_game(world, *FOUR)).id
    await play_four_turns(world, table)
    await world.service.play.act(world.caller(NORTH), table, DRAW)
    await world.service.play.act(world.caller(NORTH), table, ASK)
    await world.service.lobby.leave(world.caller(NORTH), table)
    snapshot = await world.service.reading.snapshot(table)
    assert snapshot.clocks is not None
    assert ("computer", SOUTH, 2) == (
        snapshot.seats[0].kind,
        getattr(snapshot.actor, "person", None),
        snapshot.clocks.owes,
    )
    await world.service.play.act(world.caller(SOUTH), table, Answer(yes=True))
    turn = await world.service.reading.computer_turn(table)
    assert turn is not None
    assert 0 == turn.seat


# --- every way a game can end -----------------------------------------------------------------------------------------


async def _end_by_agreement(world: World, table: int) -> None:
    await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.END)
    for person in (EAST, SOUTH, WEST):
        await world.service.consent.answer_proposal(world.caller(person), table, agrees=True)


async def _resign_by_agreement(world: World, table: int) -> None:
    await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.RESIGN)
    await world.service.consent.answer_proposal(world.caller(SOUTH), table, agrees=True)


async def _resign_with_a_computer_partner(world: World, table: int) -> None:
    await world.service.lobby.leave(world.caller(SOUTH), table)
    await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.RESIGN)


async def _let_a_player_forfeit(world: World, _table: int) -> None:
    await ring_alarms_until(world, world.clock.now() + 73 * HOUR)


async def _end_as_game_master(world: World, table: int) -> None:
    await world.service.masters.end(world.caller(STRANGER), table, reason="the club closes")


async def _let_everyone_leave(world: World, table: int) -> None:
    for person in FOUR:
        await world.service.lobby.leave(world.caller(person), table)
    await ring_alarms_until(world, world.clock.now() + 31 * DAY)


async def _end_by_vote(world: World, table: int) -> None:
    snapshot = await world.service.absence.handle_departure(table, NORTH)
    for person in (EAST, SOUTH, WEST):
        snapshot = await cast_vote(world, snapshot, person, AbsenceChoice.END)


async def _close_as_moderator(world: World, table: int) -> None:
    world.clock.advance(40 * DAY)
    await world.service.lobby.close(world.caller(STRANGER), table, moderator=True)


ENDS: list[tuple[Callable[[World, int], Awaitable[None]], str]] = [
    (_end_by_agreement, "agreed"),
    (_resign_by_agreement, "resigned"),
    (_resign_with_a_computer_partner, "resigned"),
    (_let_a_player_forfeit, "forfeited"),
    (_end_as_game_master, "agreed"),
    (_end_by_vote, "agreed"),
    (_let_everyone_leave, ""),
    (_close_as_moderator, ""),
]


@pytest.mark.parametrize(("ends", "how"), ENDS)
async def test_however_a_game_ends_finished_deals_can_be_viewed_and_a_dropped_one_cannot(
    world: World, ends: Callable[[World, int], Awaitable[None]], how: str
) -> None:
    """Seeds that were secret until the end of the game are published then, and the record is consistent."""
    settings = replace(DAILY, absent=AbsencePolicy.FORFEIT, replay=ReplayFrom.GAME)
    stack_example_pack(world)
    table = (await start_clock_game(world, *FOUR, settings=settings)).id
    world.dealer.pack = None
    await play_deal_of_example(world, table)
    await world.service.play.begin_next_deal(world.caller(NORTH), table)
    await _take_turn(world, table)
    (first, second, *_) = (await world.service.reading.snapshot(table)).shuffle
    assert (None, None) == (first.seed, second.seed)
    await ends(world, table)
    snapshot = await world.service.reading.snapshot(table)
    assert snapshot.status is (Status.FINISHED if how else Status.CLOSED)
    assert how == ("" if snapshot.conclusion is None else snapshot.conclusion.how)
    (first, *others) = snapshot.shuffle
    assert first.seed is not None
    assert first.commitment == commitment(bytes.fromhex(first.seed), table, 1)
    assert {None} == {one.seed for one in others}
    assert await world.store.times.next_due_at() is None
    assert (1,) == (await world.service.past.replay(table, None, person=EAST, guild=GUILD)).deals
    dropped = world.service.past.replay(table, 2, person=EAST, guild=GUILD)
    assert TableCode.DEAL_NOT_OPEN is (await refusal_of(dropped))[0]
    told = await world.service.past.game_file(table, person=EAST, guild=GUILD)
    read = read_record(told.text)
    assert (how, [1]) == (read.how, [number + 1 for number, _ in enumerate(read.deals)])
    given = await world.service.people.export(world.caller(EAST))
    assert [1] == [hand["deal"] for hand in given["tables"][0]["hands"]]


async def test_the_deals_of_a_closed_idle_game_can_be_viewed_too(world: World) -> None:
    table = (await start_clock_game(world, NORTH, EAST, players=2, settings=TableSettings(replay=ReplayFrom.GAME))).id
    await world.finish_deal(table, Random(2))
    await ring_alarms_until(world, world.clock.now() + 40 * DAY)
    snapshot = await world.service.reading.snapshot(table)
    assert Status.CLOSED is snapshot.status
    assert [True] == [one.seed is not None for one in snapshot.shuffle if one.deal == 1]
    assert Deadline.IDLE not in (await record_of(world.store, table)).deadlines
