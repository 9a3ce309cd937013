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
from tests.support.ringing_alarms import ring_until
from tests.support.tables import EAST, NORTH, SOUTH, STRANGER, WEST, World, refusal_of
from tests.tables.test_hidden_cards import redeal_hidden_cards

# --- votes ------------------------------------------------------------------------------------------------------------


async def test_the_others_vote_once_all_time_is_used_up(world: World) -> None:
    look = await start_game_with_no_time_left(world, *FOUR)
    assert look.vote is not None
    assert (0, NORTH, AbsenceReason.LAPSED, ()) == (look.vote.seat, look.vote.person, look.vote.why, look.vote.ballots)
    assert look.vote_until is not None
    assert look.vote_until - look.vote.at == DAY
    assert NORTH == look.seats[0].person
    look = await cast_vote(world, look, EAST, AbsenceChoice.WAIT)
    assert look.vote is not None
    look = await cast_vote(world, look, SOUTH, AbsenceChoice.COMPUTER)
    assert look.vote is not None, "West may still make it two days"
    look = await cast_vote(world, look, WEST, AbsenceChoice.COMPUTER)
    assert (None, None) == (look.vote, look.vote_until)
    assert ("computer", NORTH) == (look.seats[0].kind, look.seats[0].kept_for)
    assert EAST == look.host, "the next person is the host"


async def test_silence_and_ties_count_for_the_computer_player(world: World) -> None:
    look = await start_game_with_no_time_left(world, *FOUR)
    await cast_vote(world, look, EAST, AbsenceChoice.WAIT)
    await ring_until(world, world.clock.now() + DAY)
    assert "computer" == (await world.service.reading.snapshot(look.id)).seats[0].kind

    other = await start_game_with_no_time_left(world, *FOUR)
    other = await cast_vote(world, other, EAST, AbsenceChoice.WAIT)
    other = await cast_vote(world, other, SOUTH, AbsenceChoice.SUBSTITUTE)
    await ring_until(world, world.clock.now() + DAY)
    other = await world.service.reading.snapshot(other.id)
    assert ("computer", ()) == (other.seats[0].kind, other.sought)


async def test_a_vote_is_decided_as_soon_as_nothing_can_change_it(world: World) -> None:
    look = await start_game_with_no_time_left(world, *FOUR)
    look = await cast_vote(world, look, EAST, AbsenceChoice.COMPUTER)
    look = await cast_vote(world, look, SOUTH, AbsenceChoice.COMPUTER)
    assert (None, "computer") == (look.vote, look.seats[0].kind), "West cannot change it any more"


async def test_voters_may_wait_a_day_at_most_three_times(world: World) -> None:
    look = await start_game_with_no_time_left(world, NORTH, EAST, players=2)
    for _ in range(3):
        look = await cast_vote(world, look, EAST, AbsenceChoice.WAIT)
        assert look.clocks is not None
        assert (0, Stage.EXTENDED) == (look.clocks.owes, look.clocks.stage)
        await ring_until(world, world.clock.now() + DAY - MINUTE)
        assert (await world.service.reading.snapshot(look.id)).vote is None
        await ring_until(world, world.clock.now() + 2 * MINUTE)
        look = await world.service.reading.snapshot(look.id)
        assert look.vote is not None
    assert look.vote is not None
    asked = world.service.absence.cast_vote(world.caller(EAST), look.id, AbsenceChoice.WAIT, asked_at=look.vote.at)
    assert (TableCode.NO_CHOICE, {"table": look.id}) == await refusal_of(asked)


async def test_a_player_who_returns_before_the_vote_ends_plays_on(world: World) -> None:
    look = await start_game_with_no_time_left(world, *FOUR)
    await world.service.play.act(world.caller(NORTH), look.id, DRAW)
    look = await world.service.reading.snapshot(look.id)
    assert look.vote is not None, "the turn is not over"
    while look.view is not None and look.view.turn == 0:
        await world.take_random_step(look.id, Random(1))
        look = await world.service.reading.snapshot(look.id)
    assert (None, None) == (look.vote, look.vote_until)
    assert NORTH == look.seats[0].person
    assert look.clocks is not None
    assert 1 == look.clocks.owes


async def test_voters_end_the_game_only_if_all_agree_and_every_side_has_a_voter(world: World) -> None:
    look = await start_game_with_no_time_left(world, *FOUR)
    look = await cast_vote(world, look, EAST, AbsenceChoice.END)
    look = await cast_vote(world, look, SOUTH, AbsenceChoice.END)
    assert Status.PLAYING is look.status
    look = await cast_vote(world, look, WEST, AbsenceChoice.END)
    assert look.conclusion is not None
    assert (Status.FINISHED, "agreed") == (look.status, look.conclusion.how)
    assert await world.store.times.next_due() is None, "nothing is waited for any more"

    duel = await start_game_with_no_time_left(world, NORTH, EAST, players=2)
    assert duel.vote is not None
    asked = world.service.absence.cast_vote(world.caller(EAST), duel.id, AbsenceChoice.END, asked_at=duel.vote.at)
    assert (TableCode.NO_CHOICE, {"table": duel.id}) == await refusal_of(asked)


async def test_two_votes_for_the_end_and_one_for_a_computer_player_seat_the_computer_player(world: World) -> None:
    look = await start_game_with_no_time_left(world, *FOUR)
    look = await cast_vote(world, look, EAST, AbsenceChoice.END)
    look = await cast_vote(world, look, SOUTH, AbsenceChoice.END)
    look = await cast_vote(world, look, WEST, AbsenceChoice.COMPUTER)
    assert (Status.PLAYING, "computer") == (look.status, look.seats[0].kind)


async def test_the_vote_of_a_voter_who_leaves_is_not_counted(world: World) -> None:
    look = await start_game_with_no_time_left(world, *FOUR)
    await cast_vote(world, look, EAST, AbsenceChoice.COMPUTER)
    look = await cast_vote(world, look, SOUTH, AbsenceChoice.WAIT)
    look = await world.service.lobby.leave(world.caller(EAST), look.id)
    assert look.vote is not None
    assert [2] == [one.seat for one in look.vote.ballots]
    look = await cast_vote(world, look, WEST, AbsenceChoice.WAIT)
    assert (None, NORTH) == (look.vote, look.seats[0].person), "a day more, as both would have it"


async def test_votes_about_ones_own_seat_or_from_outsiders_are_refused(world: World) -> None:
    look = await start_game_with_no_time_left(world, *FOUR)
    assert look.vote is not None
    at = look.vote.at
    own = world.service.absence.cast_vote(world.caller(NORTH), look.id, AbsenceChoice.WAIT, asked_at=at)
    assert (TableCode.NO_VOTE, {"table": look.id}) == await refusal_of(own)
    outside = world.service.absence.cast_vote(world.caller(STRANGER), look.id, AbsenceChoice.WAIT, asked_at=at)
    assert (TableCode.NOT_SEATED, {"table": look.id}) == await refusal_of(outside)
    old = world.service.absence.cast_vote(world.caller(EAST), look.id, AbsenceChoice.WAIT, asked_at=at - 1)
    assert TableCode.STALE_REQUEST is (await refusal_of(old))[0]


async def test_an_outage_moves_the_end_of_a_vote(world: World) -> None:
    look = await start_game_with_no_time_left(world, *FOUR)
    began = world.clock.now()
    world.readiness._outages = ((began + HOUR, began + 7 * HOUR),)
    await ring_until(world, began + 29 * HOUR)
    assert (await world.service.reading.snapshot(look.id)).vote is not None
    await ring_until(world, began + 31 * HOUR)
    assert (await world.service.reading.snapshot(look.id)).vote is None


async def test_only_one_vote_is_held_at_a_time(world: World) -> None:
    look = await start_game_with_no_time_left(world, *FOUR)
    await world.service.absence.handle_departure(look.id, SOUTH)
    look = await world.service.reading.snapshot(look.id)
    assert look.vote is not None
    assert (0, [2]) == (look.vote.seat, [one.seat for one in look.absence.waiting])
    look = await cast_vote(world, look, EAST, AbsenceChoice.COMPUTER)
    look = await cast_vote(world, look, WEST, AbsenceChoice.COMPUTER)
    assert look.vote is not None
    assert (2, AbsenceReason.GONE, "computer") == (look.vote.seat, look.vote.why, look.seats[0].kind)
    assert look.vote_until == world.clock.now() + DAY


# --- other settings for absences --------------------------------------------------------------------------------------


async def test_a_computer_player_takes_over_at_once_where_the_table_is_set_so(world: World) -> None:
    look = await start_game_with_no_time_left(world, *FOUR, settings=replace(DAILY, absent=AbsencePolicy.COMPUTER))
    assert (None, "computer", NORTH) == (look.vote, look.seats[0].kind, look.seats[0].kept_for)
    assert look.actor == look.seats[0]


async def test_a_substitute_is_sought_for_two_days(world: World) -> None:
    look = await start_game_with_no_time_left(world, *FOUR, settings=replace(DAILY, absent=AbsencePolicy.SUBSTITUTE))
    assert ("computer", [0]) == (look.seats[0].kind, [one.seat for one in look.sought])
    table = look.id
    await ring_until(world, world.clock.now() + 47 * HOUR)
    assert [0] == [one.seat for one in (await world.service.reading.snapshot(table)).sought]
    await ring_until(world, world.clock.now() + HOUR)
    look = await world.service.reading.snapshot(table)
    assert ((), None) == (look.sought, look.sought_until)
    assert "computer" == look.seats[0].kind


async def test_if_an_absent_player_forfeits_the_other_side_wins(world: World) -> None:
    look = await start_game_with_no_time_left(world, *FOUR, settings=replace(DAILY, absent=AbsencePolicy.FORFEIT))
    assert look.conclusion is not None
    assert (Status.FINISHED, "forfeited", 1) == (look.status, look.conclusion.how, look.conclusion.winner)


async def test_a_forfeiting_side_of_three_comes_last(world: World) -> None:
    settings = replace(DAILY, absent=AbsencePolicy.FORFEIT, deals=1)
    look = await start_game_with_no_time_left(world, NORTH, EAST, SOUTH, settings=settings, players=3)
    assert (Status.PLAYING, "computer", (0,)) == (look.status, look.seats[0].kind, look.absence.forfeited)
    look = await world.finish_deal(look.id, Random(4))
    assert (Status.FINISHED, True) == (look.status, look.conclusion is not None)
    assert look.conclusion is not None
    assert 0 != look.conclusion.winner


async def test_no_vote_is_held_after_the_latest_end(world: World) -> None:
    settings = replace(DAILY, latest_end=14)
    look = await start_game_with_no_time_left(world, *FOUR, settings=settings)
    for _ in range(3):
        look = await cast_vote(world, look, EAST, AbsenceChoice.WAIT)
        look = await cast_vote(world, look, SOUTH, AbsenceChoice.WAIT)
        await ring_until(world, world.clock.now() + DAY + MINUTE)
        look = await world.service.reading.snapshot(look.id)
    await world.service.play.act(world.caller(NORTH), look.id, DRAW)
    while (look := await world.service.reading.snapshot(look.id)).view is not None and look.actor == look.seats[0]:
        await world.take_random_step(look.id, Random(1))
    await ring_until(world, look.created_at + 15 * DAY)
    look = await world.service.reading.snapshot(look.id)
    assert (True, None) == (look.last_deal, look.vote)
    assert {"computer"} == {holder.kind for holder in look.seats[1:2]}


# --- returning to a seat ----------------------------------------------------------------------------------------------


async def test_an_expired_seat_is_reclaimed_at_once_with_a_quarter_of_the_bank(world: World) -> None:
    look = await start_game_with_no_time_left(world, *FOUR, settings=replace(DAILY, absent=AbsencePolicy.COMPUTER))
    seen = await world.service.reading.computer_turn(look.id)
    assert seen is not None
    assert seen.view is not None
    await world.service.play.act_for_computer(look.id, 0, seen.view.legal[0], expected_version=look.version)
    back = await world.service.lobby.join(world.caller(NORTH), look.id)
    assert NORTH == back.seats[0].person
    assert back.absence.returned is not None
    assert 0 == back.absence.returned.seat
    assert back.clocks is not None
    clock = back.clocks.seats[0]
    assert (18 * HOUR, True) == (clock.bank, clock.extended)
    assert (0, Stage.RUNNING) == (back.clocks.owes, back.clocks.stage), "in the middle of the turn the computer began"
    await ring_until(world, world.clock.now() + 18 * HOUR + MINUTE)
    assert "computer" == (await world.service.reading.snapshot(look.id)).seats[0].kind


async def test_a_player_who_left_on_purpose_returns_if_all_agree(world: World) -> None:
    table = (await start_clock_game(world, *FOUR)).id
    await world.service.lobby.leave(world.caller(EAST), table)
    look = await world.service.lobby.join(world.caller(EAST), table)
    claim = look.absence.claim(1)
    assert claim is not None
    assert (ClaimKind.RETURN, "computer") == (claim.kind, look.seats[1].kind)
    for person in (NORTH, SOUTH):
        look = await world.service.absence.answer_claim(world.caller(person), table, 1, agrees=True, asked_at=claim.at)
        assert "computer" == look.seats[1].kind
    look = await world.service.absence.answer_claim(world.caller(WEST), table, 1, agrees=True, asked_at=claim.at)
    assert (EAST, ()) == (look.seats[1].person, look.absence.claims)
    await world.service.lobby.leave(world.caller(EAST), table)
    look = await world.service.lobby.join(world.caller(EAST), table)
    claim = look.absence.claim(1)
    assert claim is not None
    look = await world.service.absence.answer_claim(world.caller(WEST), table, 1, agrees=False, asked_at=claim.at)
    assert ("computer", ()) == (look.seats[1].kind, look.absence.claims)


async def test_without_seated_people_there_is_no_vote(world: World) -> None:
    table = (await start_clock_game(world, NORTH, EAST, players=2)).id
    await world.service.lobby.leave(world.caller(NORTH), table)
    look = await world.service.lobby.leave(world.caller(EAST), table)
    assert look.has_no_people
    back = await world.service.lobby.join(world.caller(NORTH), table)
    assert (NORTH, NORTH, None) == (back.seats[0].person, back.host, back.expires_at)


async def test_opponents_may_object_to_a_player_who_returns_a_second_time(world: World) -> None:
    table = (
        await start_game_with_no_time_left(world, *FOUR, settings=replace(DAILY, absent=AbsencePolicy.COMPUTER))
    ).id
    look = await world.service.lobby.join(world.caller(NORTH), table)
    assert () == look.absence.claims, "the first time counts for nothing"
    await ring_until(world, world.clock.now() + 18 * HOUR + MINUTE)
    look = await world.service.lobby.join(world.caller(NORTH), table)
    claim = look.absence.claim(0)
    assert claim is not None
    assert (ClaimKind.OBJECT, NORTH) == (claim.kind, look.seats[0].person)
    partner = world.service.absence.answer_claim(world.caller(SOUTH), table, 0, agrees=True, asked_at=claim.at)
    assert (TableCode.NO_VOTE, {"table": table}) == await refusal_of(partner)
    look = await world.service.absence.answer_claim(world.caller(EAST), table, 0, agrees=True, asked_at=claim.at)
    assert NORTH == look.seats[0].person
    look = await world.service.absence.answer_claim(world.caller(WEST), table, 0, agrees=True, asked_at=claim.at)
    assert ("computer", NORTH) == (look.seats[0].kind, look.seats[0].kept_for)


async def test_an_objection_of_only_one_opponent_expires(world: World) -> None:
    table = (
        await start_game_with_no_time_left(world, *FOUR, settings=replace(DAILY, absent=AbsencePolicy.COMPUTER))
    ).id
    await world.service.lobby.join(world.caller(NORTH), table)
    await ring_until(world, world.clock.now() + 18 * HOUR + MINUTE)
    look = await world.service.lobby.join(world.caller(NORTH), table)
    while look.actor == look.seats[0]:
        await world.take_random_step(table, Random(3))
        look = await world.service.reading.snapshot(table)
    claim = look.absence.claim(0)
    assert claim is not None
    await world.service.absence.answer_claim(world.caller(EAST), table, 0, agrees=True, asked_at=claim.at)
    await ring_until(world, world.clock.now() + DAY)
    look = await world.service.reading.snapshot(table)
    assert (NORTH, ()) == (look.seats[0].person, look.absence.claims)


async def test_a_game_stands_still_once_all_its_people_are_absent(world: World) -> None:
    table = (await start_clock_game(world, NORTH, EAST, players=2)).id
    await world.service.absence.handle_departure(table, NORTH)
    await ring_until(world, world.clock.now() + DAY)
    look = await world.service.reading.snapshot(table)
    assert ("computer", EAST) == (look.seats[0].kind, look.seats[1].person)
    assert look.clocks is not None
    assert look.clocks.owes is None, "nobody waits for the one who is left"
    look = await world.service.absence.handle_departure(table, EAST)
    assert (True, Status.PLAYING) == (look.has_no_people, look.status)
    assert await world.service.reading.computer_turn(table) is None
    assert look.expires_at == world.clock.now() + 30 * DAY


# --- members who have left the server ---------------------------------------------------------------------------------


async def test_a_computer_player_plays_a_day_after_a_member_has_gone(world: World) -> None:
    table = (await start_clock_game(world, *FOUR, settings=TableSettings())).id
    look = await world.service.absence.handle_departure(table, SOUTH)
    assert look.vote is not None
    assert (2, AbsenceReason.GONE) == (look.vote.seat, look.vote.why)
    assert look.absence == (await world.service.absence.handle_departure(table, SOUTH)).absence
    await ring_until(world, world.clock.now() + DAY)
    look = await world.service.reading.snapshot(table)
    assert ("computer", SOUTH) == (look.seats[2].kind, look.seats[2].kept_for)
    back = await world.service.lobby.join(world.caller(SOUTH), table)
    assert SOUTH == back.seats[2].person


async def test_a_waiting_vote_is_dropped_when_the_person_returns(world: World) -> None:
    table = (await start_clock_game(world, *FOUR)).id
    await world.service.absence.handle_departure(table, EAST)
    look = await world.service.absence.handle_departure(table, SOUTH)
    assert [2] == [one.seat for one in look.absence.waiting]
    look = await world.service.absence.handle_return(table, SOUTH)
    assert ((), 1) == (look.absence.waiting, None if look.vote is None else look.vote.seat)
    await ring_until(world, world.clock.now() + 3 * DAY)
    assert SOUTH in (await world.service.reading.snapshot(table)).persons


async def test_a_person_who_plays_does_not_count_as_gone(world: World) -> None:
    table = (await start_clock_game(world, *FOUR)).id
    await world.service.absence.handle_departure(table, NORTH)
    await world.service.play.act(world.caller(NORTH), table, DRAW)
    look = await world.service.reading.snapshot(table)
    assert (None, None) == (look.vote, look.vote_until)


async def test_a_timeout_during_an_absence_is_decided_at_the_return(world: World) -> None:
    """A vote about a departed member is open when that member's time runs out.

    When the member returns, that vote ends and the others vote about the time.
    """
    table = (await start_clock_game(world, *FOUR)).id
    world.clock.advance(60 * HOUR)
    await world.service.absence.handle_departure(table, NORTH)
    world.clock.advance(13 * HOUR)
    await world.service.deadlines.fire_deadline(table, "clock")
    look = await world.service.absence.handle_return(table, NORTH)
    assert look.vote is not None
    assert (0, AbsenceReason.LAPSED) == (look.vote.seat, look.vote.why)
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
    await ring_until(world, zero + 9 * HOUR + 59 * MINUTE)
    stage = await stage_of(world, table)
    assert Stage.LAST is stage
    await world.record_activity(NORTH)
    await ring_until(world, zero + 10 * HOUR + MINUTE)
    assert Stage.EXTENDED is await stage_of(world, table)
    await ring_until(world, zero + 10 * HOUR + 24 * HOUR + 10 * HOUR + MINUTE)
    look = await world.service.reading.snapshot(table)
    assert look.vote is not None
    assert Stage.LAPSED is await stage_of(world, table)
    await ring_until(world, world.clock.now() + DAY)
    look = await world.service.reading.snapshot(table)
    for _ in range(50):
        seen = await world.service.reading.computer_turn(table)
        if seen is None:
            break
        assert seen.view is not None
        step = next(iter(seen.view.legal))
        look = await world.service.play.act_for_computer(table, 0, step, expected_version=look.version)
    back = await world.service.lobby.join(world.caller(NORTH), table)
    assert back.clocks is not None
    assert 18 * HOUR == back.clocks.seats[0].bank
    assert ("computer", NORTH) == (back.holder_at(0, 1, 0).kind, back.holder_at(0, 1, 0).kept_for)
    assert {0} <= {one.seat for one in back.recent}


async def stage_of(world: World, table: int) -> Stage:
    """Return the stage of the running clock: how much of the time of its seat is used."""
    look = await world.service.reading.snapshot(table)
    assert look.clocks is not None
    return look.clocks.stage


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
    chance = Random(2)
    look = await start_game_with_no_time_left(world, *FOUR)
    table = await world.service._context.repository.get(look.id)
    state = table.record.game
    assert state is not None
    other = replace(table, record=replace(table.record, game=redeal_hidden_cards(state, chance, None)))
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
