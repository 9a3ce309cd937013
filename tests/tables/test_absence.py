"""Absent people: votes about their seats, computer players in their place, and their return."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.quiet_hours import QuietWindow
from bot.clocks.time_rules import DAY, PRESETS, Stage
from bot.engine.moves.actions import DRAW
from bot.engine.moves.phases import Phase
from bot.tables.absence import lost_seats
from bot.tables.absence.circumstances_of_change import ChangeCircumstances
from bot.tables.absence.consequences import absence_events
from bot.tables.snapshots import snapshots
from bot.tables.state.absence import AbsenceChoice, AbsenceReason, ClaimKind, Voted
from bot.tables.state.clocks import AbsencePolicy, TableSettings
from bot.tables.state.fold import apply_table_events
from bot.tables.state.refusals import TableCode
from bot.tables.state.snapshots import Status
from tests.support.absent_player_games import DAILY, FOUR, cast_vote, start_clock_game, start_game_with_no_time_left
from tests.support.ringing_alarms import ring_alarms_until
from tests.support.tables import EAST, NORTH, SOUTH, STRANGER, WEST, World, refusal_of
from tests.tables.test_hidden_cards import redeal_hidden_cards

# --- votes ------------------------------------------------------------------------------------------------------------


async def test_the_others_vote_once_all_time_is_used_up(world: World) -> None:
    snapshot = await start_game_with_no_time_left(world, *FOUR)
    assert snapshot.vote is not None
    assert (0, NORTH, AbsenceReason.LAPSED, ()) == (
        snapshot.vote.seat,
        snapshot.vote.person,
        snapshot.vote.why,
        snapshot.vote.ballots,
    )
    assert snapshot.vote_until is not None
    assert snapshot.vote_until - snapshot.vote.at == DAY
    assert NORTH == snapshot.seats[0].person
    snapshot = await cast_vote(world, snapshot, EAST, AbsenceChoice.WAIT)
    assert snapshot.vote is not None
    snapshot = await cast_vote(world, snapshot, SOUTH, AbsenceChoice.COMPUTER)
    assert snapshot.vote is not None, "West may still make it two days"
    snapshot = await cast_vote(world, snapshot, WEST, AbsenceChoice.COMPUTER)
    assert (None, None) == (snapshot.vote, snapshot.vote_until)
    assert ("computer", NORTH) == (snapshot.seats[0].kind, snapshot.seats[0].kept_for)
    assert EAST == snapshot.host, "the next person is the host"


async def test_silence_and_ties_count_for_the_computer_player(world: World) -> None:
    snapshot = await start_game_with_no_time_left(world, *FOUR)
    await cast_vote(world, snapshot, EAST, AbsenceChoice.WAIT)
    await ring_alarms_until(world, world.clock.now() + DAY)
    assert "computer" == (await world.service.reading.snapshot(snapshot.id)).seats[0].kind

    other = await start_game_with_no_time_left(world, *FOUR)
    other = await cast_vote(world, other, EAST, AbsenceChoice.WAIT)
    other = await cast_vote(world, other, SOUTH, AbsenceChoice.SUBSTITUTE)
    await ring_alarms_until(world, world.clock.now() + DAY)
    other = await world.service.reading.snapshot(other.id)
    assert ("computer", ()) == (other.seats[0].kind, other.sought)


async def test_a_vote_is_decided_as_soon_as_nothing_can_change_it(world: World) -> None:
    snapshot = await start_game_with_no_time_left(world, *FOUR)
    snapshot = await cast_vote(world, snapshot, EAST, AbsenceChoice.COMPUTER)
    snapshot = await cast_vote(world, snapshot, SOUTH, AbsenceChoice.COMPUTER)
    assert (None, "computer") == (snapshot.vote, snapshot.seats[0].kind), "West cannot change it any more"


async def test_voters_may_wait_a_day_at_most_three_times(world: World) -> None:
    snapshot = await start_game_with_no_time_left(world, NORTH, EAST, players=2)
    for _ in range(3):
        snapshot = await cast_vote(world, snapshot, EAST, AbsenceChoice.WAIT)
        assert snapshot.clocks is not None
        assert (0, Stage.EXTENDED) == (snapshot.clocks.owes, snapshot.clocks.stage)
        await ring_alarms_until(world, world.clock.now() + DAY - MINUTE)
        assert (await world.service.reading.snapshot(snapshot.id)).vote is None
        await ring_alarms_until(world, world.clock.now() + 2 * MINUTE)
        snapshot = await world.service.reading.snapshot(snapshot.id)
        assert snapshot.vote is not None
    assert snapshot.vote is not None
    asked = world.service.absence.cast_vote(
        world.caller(EAST), snapshot.id, AbsenceChoice.WAIT, asked_at=snapshot.vote.at
    )
    assert (TableCode.NO_CHOICE, {"table": snapshot.id}) == await refusal_of(asked)


async def test_a_player_who_returns_before_the_vote_ends_plays_on(world: World) -> None:
    snapshot = await start_game_with_no_time_left(world, *FOUR)
    await world.service.play.act(world.caller(NORTH), snapshot.id, DRAW)
    snapshot = await world.service.reading.snapshot(snapshot.id)
    assert snapshot.vote is not None, "the turn is not over"
    while snapshot.view is not None and snapshot.view.turn == 0:
        await world.take_random_step(snapshot.id, Random(1))
        snapshot = await world.service.reading.snapshot(snapshot.id)
    assert (None, None) == (snapshot.vote, snapshot.vote_until)
    assert NORTH == snapshot.seats[0].person
    assert snapshot.clocks is not None
    assert 1 == snapshot.clocks.owes


async def test_voters_end_the_game_only_if_all_agree_and_every_side_has_a_voter(world: World) -> None:
    snapshot = await start_game_with_no_time_left(world, *FOUR)
    snapshot = await cast_vote(world, snapshot, EAST, AbsenceChoice.END)
    snapshot = await cast_vote(world, snapshot, SOUTH, AbsenceChoice.END)
    assert Status.PLAYING is snapshot.status
    snapshot = await cast_vote(world, snapshot, WEST, AbsenceChoice.END)
    assert snapshot.conclusion is not None
    assert (Status.FINISHED, "agreed") == (snapshot.status, snapshot.conclusion.how)
    assert await world.store.times.next_due_at() is None, "nothing is waited for any more"

    duel = await start_game_with_no_time_left(world, NORTH, EAST, players=2)
    assert duel.vote is not None
    asked = world.service.absence.cast_vote(world.caller(EAST), duel.id, AbsenceChoice.END, asked_at=duel.vote.at)
    assert (TableCode.NO_CHOICE, {"table": duel.id}) == await refusal_of(asked)


async def test_two_votes_for_the_end_and_one_for_a_computer_player_seat_the_computer_player(world: World) -> None:
    snapshot = await start_game_with_no_time_left(world, *FOUR)
    snapshot = await cast_vote(world, snapshot, EAST, AbsenceChoice.END)
    snapshot = await cast_vote(world, snapshot, SOUTH, AbsenceChoice.END)
    snapshot = await cast_vote(world, snapshot, WEST, AbsenceChoice.COMPUTER)
    assert (Status.PLAYING, "computer") == (snapshot.status, snapshot.seats[0].kind)


async def test_the_vote_of_a_voter_who_leaves_is_not_counted(world: World) -> None:
    snapshot = await start_game_with_no_time_left(world, *FOUR)
    await cast_vote(world, snapshot, EAST, AbsenceChoice.COMPUTER)
    snapshot = await cast_vote(world, snapshot, SOUTH, AbsenceChoice.WAIT)
    snapshot = await world.service.lobby.leave(world.caller(EAST), snapshot.id)
    assert snapshot.vote is not None
    assert [2] == [one.seat for one in snapshot.vote.ballots]
    snapshot = await cast_vote(world, snapshot, WEST, AbsenceChoice.WAIT)
    assert (None, NORTH) == (snapshot.vote, snapshot.seats[0].person), "a day more, as both would have it"


async def test_votes_about_ones_own_seat_or_from_outsiders_are_refused(world: World) -> None:
    snapshot = await start_game_with_no_time_left(world, *FOUR)
    assert snapshot.vote is not None
    at = snapshot.vote.at
    own = world.service.absence.cast_vote(world.caller(NORTH), snapshot.id, AbsenceChoice.WAIT, asked_at=at)
    assert (TableCode.NO_VOTE, {"table": snapshot.id}) == await refusal_of(own)
    outside = world.service.absence.cast_vote(world.caller(STRANGER), snapshot.id, AbsenceChoice.WAIT, asked_at=at)
    assert (TableCode.NOT_SEATED, {"table": snapshot.id}) == await refusal_of(outside)
    old = world.service.absence.cast_vote(world.caller(EAST), snapshot.id, AbsenceChoice.WAIT, asked_at=at - 1)
    assert TableCode.STALE_REQUEST is (await refusal_of(old))[0]


async def test_an_outage_moves_the_end_of_a_vote(world: World) -> None:
    snapshot = await start_game_with_no_time_left(world, *FOUR)
    began = world.clock.now()
    world.readiness._outages = ((began + HOUR, began + 7 * HOUR),)
    await ring_alarms_until(world, began + 29 * HOUR)
    assert (await world.service.reading.snapshot(snapshot.id)).vote is not None
    await ring_alarms_until(world, began + 31 * HOUR)
    assert (await world.service.reading.snapshot(snapshot.id)).vote is None


async def test_only_one_vote_is_held_at_a_time(world: World) -> None:
    snapshot = await start_game_with_no_time_left(world, *FOUR)
    await world.service.absence.handle_departure(snapshot.id, SOUTH)
    snapshot = await world.service.reading.snapshot(snapshot.id)
    assert snapshot.vote is not None
    assert (0, [2]) == (snapshot.vote.seat, [one.seat for one in snapshot.absence.waiting])
    snapshot = await cast_vote(world, snapshot, EAST, AbsenceChoice.COMPUTER)
    snapshot = await cast_vote(world, snapshot, WEST, AbsenceChoice.COMPUTER)
    assert snapshot.vote is not None
    assert (2, AbsenceReason.GONE, "computer") == (snapshot.vote.seat, snapshot.vote.why, snapshot.seats[0].kind)
    assert snapshot.vote_until == world.clock.now() + DAY


# --- other settings for absences --------------------------------------------------------------------------------------


async def test_a_computer_player_takes_over_at_once_where_the_table_is_set_so(world: World) -> None:
    snapshot = await start_game_with_no_time_left(world, *FOUR, settings=replace(DAILY, absent=AbsencePolicy.COMPUTER))
    assert (None, "computer", NORTH) == (snapshot.vote, snapshot.seats[0].kind, snapshot.seats[0].kept_for)
    assert snapshot.actor == snapshot.seats[0]


async def test_a_substitute_is_sought_for_two_days(world: World) -> None:
    snapshot = await start_game_with_no_time_left(
        world, *FOUR, settings=replace(DAILY, absent=AbsencePolicy.SUBSTITUTE)
    )
    assert ("computer", [0]) == (snapshot.seats[0].kind, [one.seat for one in snapshot.sought])
    table = snapshot.id
    await ring_alarms_until(world, world.clock.now() + 47 * HOUR)
    assert [0] == [one.seat for one in (await world.service.reading.snapshot(table)).sought]
    await ring_alarms_until(world, world.clock.now() + HOUR)
    snapshot = await world.service.reading.snapshot(table)
    assert ((), None) == (snapshot.sought, snapshot.sought_until)
    assert "computer" == snapshot.seats[0].kind


async def test_if_an_absent_player_forfeits_the_other_side_wins(world: World) -> None:
    snapshot = await start_game_with_no_time_left(world, *FOUR, settings=replace(DAILY, absent=AbsencePolicy.FORFEIT))
    assert snapshot.conclusion is not None
    assert (Status.FINISHED, "forfeited", 1) == (snapshot.status, snapshot.conclusion.how, snapshot.conclusion.winner)


async def test_a_forfeiting_side_of_three_comes_last(world: World) -> None:
    settings = replace(DAILY, absent=AbsencePolicy.FORFEIT, deals=1)
    snapshot = await start_game_with_no_time_left(world, NORTH, EAST, SOUTH, settings=settings, players=3)
    assert (Status.PLAYING, "computer", (0,)) == (snapshot.status, snapshot.seats[0].kind, snapshot.absence.forfeited)
    snapshot = await world.finish_deal(snapshot.id, Random(4))
    assert (Status.FINISHED, True) == (snapshot.status, snapshot.conclusion is not None)
    assert snapshot.conclusion is not None
    assert 0 != snapshot.conclusion.winner


async def test_no_vote_is_held_after_the_latest_end(world: World) -> None:
    settings = replace(DAILY, latest_end=14)
    snapshot = await start_game_with_no_time_left(world, *FOUR, settings=settings)
    for _ in range(3):
        snapshot = await cast_vote(world, snapshot, EAST, AbsenceChoice.WAIT)
        snapshot = await cast_vote(world, snapshot, SOUTH, AbsenceChoice.WAIT)
        await ring_alarms_until(world, world.clock.now() + DAY + MINUTE)
        snapshot = await world.service.reading.snapshot(snapshot.id)
    await world.service.play.act(world.caller(NORTH), snapshot.id, DRAW)
    while (
        snapshot := await world.service.reading.snapshot(snapshot.id)
    ).view is not None and snapshot.actor == snapshot.seats[0]:
        await world.take_random_step(snapshot.id, Random(1))
    await ring_alarms_until(world, snapshot.created_at + 15 * DAY)
    snapshot = await world.service.reading.snapshot(snapshot.id)
    assert (True, None) == (snapshot.last_deal, snapshot.vote)
    assert {"computer"} == {holder.kind for holder in snapshot.seats[1:2]}


# --- returning to a seat ----------------------------------------------------------------------------------------------


async def test_an_expired_seat_is_reclaimed_at_once_with_a_quarter_of_the_bank(world: World) -> None:
    snapshot = await start_game_with_no_time_left(world, *FOUR, settings=replace(DAILY, absent=AbsencePolicy.COMPUTER))
    seen = await world.service.reading.computer_turn(snapshot.id)
    assert seen is not None
    assert seen.view is not None
    await world.service.play.act_for_computer(snapshot.id, 0, seen.view.legal[0], expected_version=snapshot.version)
    back = await world.service.lobby.join(world.caller(NORTH), snapshot.id)
    assert NORTH == back.seats[0].person
    assert back.absence.returned is not None
    assert 0 == back.absence.returned.seat
    assert back.clocks is not None
    clock = back.clocks.seats[0]
    assert (18 * HOUR, True) == (clock.bank, clock.extended)
    assert (0, Stage.RUNNING) == (back.clocks.owes, back.clocks.stage), "in the middle of the turn the computer began"
    await ring_alarms_until(world, world.clock.now() + 18 * HOUR + MINUTE)
    assert "computer" == (await world.service.reading.snapshot(snapshot.id)).seats[0].kind


async def test_a_player_who_left_on_purpose_returns_if_all_agree(world: World) -> None:
    table = (await start_clock_game(world, *FOUR)).id
    await world.service.lobby.leave(world.caller(EAST), table)
    snapshot = await world.service.lobby.join(world.caller(EAST), table)
    claim = snapshot.absence.claim(1)
    assert claim is not None
    assert (ClaimKind.RETURN, "computer") == (claim.kind, snapshot.seats[1].kind)
    for person in (NORTH, SOUTH):
        snapshot = await world.service.absence.answer_claim(
            world.caller(person), table, 1, agrees=True, asked_at=claim.at
        )
        assert "computer" == snapshot.seats[1].kind
    snapshot = await world.service.absence.answer_claim(world.caller(WEST), table, 1, agrees=True, asked_at=claim.at)
    assert (EAST, ()) == (snapshot.seats[1].person, snapshot.absence.claims)
    await world.service.lobby.leave(world.caller(EAST), table)
    snapshot = await world.service.lobby.join(world.caller(EAST), table)
    claim = snapshot.absence.claim(1)
    assert claim is not None
    snapshot = await world.service.absence.answer_claim(world.caller(WEST), table, 1, agrees=False, asked_at=claim.at)
    assert ("computer", ()) == (snapshot.seats[1].kind, snapshot.absence.claims)


async def test_without_seated_people_there_is_no_vote(world: World) -> None:
    table = (await start_clock_game(world, NORTH, EAST, players=2)).id
    await world.service.lobby.leave(world.caller(NORTH), table)
    snapshot = await world.service.lobby.leave(world.caller(EAST), table)
    assert snapshot.has_no_people
    back = await world.service.lobby.join(world.caller(NORTH), table)
    assert (NORTH, NORTH, None) == (back.seats[0].person, back.host, back.expires_at)


async def test_opponents_may_object_to_a_player_who_returns_a_second_time(world: World) -> None:
    table = (
        await start_game_with_no_time_left(world, *FOUR, settings=replace(DAILY, absent=AbsencePolicy.COMPUTER))
    ).id
    snapshot = await world.service.lobby.join(world.caller(NORTH), table)
    assert () == snapshot.absence.claims, "the first time counts for nothing"
    await ring_alarms_until(world, world.clock.now() + 18 * HOUR + MINUTE)
    snapshot = await world.service.lobby.join(world.caller(NORTH), table)
    claim = snapshot.absence.claim(0)
    assert claim is not None
    assert (ClaimKind.OBJECT, NORTH) == (claim.kind, snapshot.seats[0].person)
    partner = world.service.absence.answer_claim(world.caller(SOUTH), table, 0, agrees=True, asked_at=claim.at)
    assert (TableCode.NO_VOTE, {"table": table}) == await refusal_of(partner)
    snapshot = await world.service.absence.answer_claim(world.caller(EAST), table, 0, agrees=True, asked_at=claim.at)
    assert NORTH == snapshot.seats[0].person
    snapshot = await world.service.absence.answer_claim(world.caller(WEST), table, 0, agrees=True, asked_at=claim.at)
    assert ("computer", NORTH) == (snapshot.seats[0].kind, snapshot.seats[0].kept_for)


async def test_an_objection_of_only_one_opponent_expires(world: World) -> None:
    table = (
        await start_game_with_no_time_left(world, *FOUR, settings=replace(DAILY, absent=AbsencePolicy.COMPUTER))
    ).id
    await world.service.lobby.join(world.caller(NORTH), table)
    await ring_alarms_until(world, world.clock.now() + 18 * HOUR + MINUTE)
    snapshot = await world.service.lobby.join(world.caller(NORTH), table)
    while snapshot.actor == snapshot.seats[0]:
        await world.take_random_step(table, Random(3))
        snapshot = await world.service.reading.snapshot(table)
    claim = snapshot.absence.claim(0)
    assert claim is not None
    await world.service.absence.answer_claim(world.caller(EAST), table, 0, agrees=True, asked_at=claim.at)
    await ring_alarms_until(world, world.clock.now() + DAY)
    snapshot = await world.service.reading.snapshot(table)
    assert (NORTH, ()) == (snapshot.seats[0].person, snapshot.absence.claims)


async def test_a_game_stands_still_once_all_its_people_are_absent(world: World) -> None:
    table = (await start_clock_game(world, NORTH, EAST, players=2)).id
    await world.service.absence.handle_departure(table, NORTH)
    await ring_alarms_until(world, world.clock.now() + DAY)
    snapshot = await world.service.reading.snapshot(table)
    assert ("computer", EAST) == (snapshot.seats[0].kind, snapshot.seats[1].person)
    assert snapshot.clocks is not None
    assert snapshot.clocks.owes is None, "nobody waits for the one who is left"
    snapshot = await world.service.absence.handle_departure(table, EAST)
    assert (True, Status.PLAYING) == (snapshot.has_no_people, snapshot.status)
    assert await world.service.reading.computer_turn(table) is None
    assert snapshot.expires_at == world.clock.now() + 30 * DAY


# --- members who have left the server ---------------------------------------------------------------------------------


async def test_a_computer_player_plays_a_day_after_a_member_has_gone(world: World) -> None:
    table = (await start_clock_game(world, *FOUR, settings=TableSettings())).id
    snapshot = await world.service.absence.handle_departure(table, SOUTH)
    assert snapshot.vote is not None
    assert (2, AbsenceReason.GONE) == (snapshot.vote.seat, snapshot.vote.why)
    assert snapshot.absence == (await world.service.absence.handle_departure(table, SOUTH)).absence
    await ring_alarms_until(world, world.clock.now() + DAY)
    snapshot = await world.service.reading.snapshot(table)
    assert ("computer", SOUTH) == (snapshot.seats[2].kind, snapshot.seats[2].kept_for)
    back = await world.service.lobby.join(world.caller(SOUTH), table)
    assert SOUTH == back.seats[2].person


async def test_a_waiting_vote_is_dropped_when_the_person_returns(world: World) -> None:
    table = (await start_clock_game(world, *FOUR)).id
    await world.service.absence.handle_departure(table, EAST)
    snapshot = await world.service.absence.handle_departure(table, SOUTH)
    assert [2] == [one.seat for one in snapshot.absence.waiting]
    snapshot = await world.service.absence.handle_return(table, SOUTH)
    assert ((), 1) == (snapshot.absence.waiting, None if snapshot.vote is None else snapshot.vote.seat)
    await ring_alarms_until(world, world.clock.now() + 3 * DAY)
    assert SOUTH in (await world.service.reading.snapshot(table)).persons


async def test_a_person_who_plays_does_not_count_as_gone(world: World) -> None:
    table = (await start_clock_game(world, *FOUR)).id
    await world.service.absence.handle_departure(table, NORTH)
    await world.service.play.act(world.caller(NORTH), table, DRAW)
    snapshot = await world.service.reading.snapshot(table)
    assert (None, None) == (snapshot.vote, snapshot.vote_until)


async def test_a_timeout_during_an_absence_is_decided_at_the_return(world: World) -> None:
    """A vote about a departed member is open when that member's time runs out.

    When the member returns, that vote ends and the others vote about the time.
    """
    table = (await start_clock_game(world, *FOUR)).id
    world.clock.advance(60 * HOUR)
    await world.service.absence.handle_departure(table, NORTH)
    world.clock.advance(13 * HOUR)
    await world.service.deadlines.fire_deadline(table, "clock")
    snapshot = await world.service.absence.handle_return(table, NORTH)
    assert snapshot.vote is not None
    assert (0, AbsenceReason.LAPSED) == (snapshot.vote.seat, snapshot.vote.why)
    assert await world.store.times.timer(table, "vote") is not None
    before = await world.service.reading.snapshot(table)
    await world.service.absence.handle_return(table, NORTH)
    assert before == await world.service.reading.snapshot(table), "nothing is to be said twice"


# --- the story of `docs/long-games.md`, 9.3 ---------------------------------------------------------------------------


async def test_time_runs_out_in_the_evening_and_the_player_returns(world: World) -> None:
    """North's 72 hours are used up at 22:00, as North goes to sleep: nothing happens before 08:00.

    Acceptance 3 in `tests/cogs/test_acceptance_scenarios.py` checks the notices of this story.
    """
    evening = world.clock.now() // DAY * DAY + DAY + 20 * HOUR
    world.clock.advance(evening - world.clock.now())
    await world.personal.set_quiet_hours(NORTH, QuietWindow("UTC", 22 * 60, 10), world.clock.now())
    table = (await start_clock_game(world, *FOUR, settings=TableSettings(clock=PRESETS["daily"], vacation=0))).id
    zero = evening + 2 * HOUR + 5 * DAY
    await ring_alarms_until(world, zero + 9 * HOUR + 59 * MINUTE)
    stage = await stage_of(world, table)
    assert Stage.LAST is stage
    await world.record_activity(NORTH)
    await ring_alarms_until(world, zero + 10 * HOUR + MINUTE)
    assert Stage.EXTENDED is await stage_of(world, table)
    await ring_alarms_until(world, zero + 10 * HOUR + 24 * HOUR + 10 * HOUR + MINUTE)
    snapshot = await world.service.reading.snapshot(table)
    assert snapshot.vote is not None
    assert Stage.LAPSED is await stage_of(world, table)
    await ring_alarms_until(world, world.clock.now() + DAY)
    snapshot = await world.service.reading.snapshot(table)
    for _ in range(50):
        seen = await world.service.reading.computer_turn(table)
        if seen is None:
            break
        assert seen.view is not None
        step = next(iter(seen.view.legal))
        snapshot = await world.service.play.act_for_computer(table, 0, step, expected_version=snapshot.version)
    back = await world.service.lobby.join(world.caller(NORTH), table)
    assert back.clocks is not None
    assert 18 * HOUR == back.clocks.seats[0].bank
    assert ("computer", NORTH) == (back.holder_at(0, 1, 0).kind, back.holder_at(0, 1, 0).kept_for)
    assert {0} <= {one.seat for one in back.recent}


async def stage_of(world: World, table: int) -> Stage:
    """Return the stage of the running clock: how much of the time of its seat is used."""
    snapshot = await world.service.reading.snapshot(table)
    assert snapshot.clocks is not None
    return snapshot.clocks.stage


# --- consequences of a change of seats --------------------------------------------------------------------------------


async def test_a_computer_player_answers_if_the_asked_player_runs_out_of_time(world: World) -> None:
    table = await world.service._context.repository.get((await start_clock_game(world, *FOUR)).id)
    state = table.record.game
    assert state is not None
    asked = replace(table.record, game=replace(state, phase=Phase.ANSWER))
    assert 2 == asked.actor
    settings = replace(DAILY, absent=AbsencePolicy.COMPUTER)
    events = lost_seats.apply_absence_policy(replace(asked, settings=settings), 2, now=world.clock.now())
    after = apply_table_events(asked, events)
    assert (2, "computer", Phase.ANSWER) == (after.actor, after.seats[2].kind, after.game and after.game.phase)


async def test_statements_about_absent_people_do_not_depend_on_hidden_cards(world: World) -> None:
    random = Random(2)
    snapshot = await start_game_with_no_time_left(world, *FOUR)
    table = await world.service._context.repository.get(snapshot.id)
    state = table.record.game
    assert state is not None
    other = replace(table, record=replace(table.record, game=redeal_hidden_cards(state, random, None)))
    assert other.record.game != state
    assert snapshots.table_snapshot(table) == snapshots.table_snapshot(other)
    circumstances = ChangeCircumstances(world.clock.now(), None, ())
    voted = [
        apply_table_events(one.record, (Voted(1, AbsenceChoice.COMPUTER), Voted(2, AbsenceChoice.COMPUTER)))
        for one in (table, other)
    ]
    first, second = (
        absence_events(one.record, after, circumstances) for one, after in zip((table, other), voted, strict=True)
    )
    assert first == second
