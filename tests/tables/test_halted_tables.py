"""A stopped table: its deadlines move by the duration of the stop; nothing is decided meanwhile."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bot.clocks.clock import HOUR, MINUTE, SECOND, covered_time
from bot.clocks.time_rules import DAY, GRACE, PRESETS
from bot.engine.moves.actions import DRAW
from bot.engine.moves.refusals import Refusal
from bot.tables.absence.latest_end import postponed_end
from bot.tables.state.absence import AbsenceChoice, EndChoice
from bot.tables.state.clocks import AbsencePolicy, TableSettings
from bot.tables.state.events import MOVED_BY_OUTAGES, Deadline, StageReached
from bot.tables.state.proposals import ProposalKind
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import ClosingReason, Status
from bot.tables.state.table import TableState
from bot.tables.timing import timekeeping
from bot.tables.timing.halted_tables import deadline_passes_at, stopped_spans
from tests.support.absent_player_games import cast_vote, start_clock_game
from tests.support.halted_tables import KINDS, LOST, OUTAGE, PAUSE, PLAIN, WAITS, stop_table_for, time_until_wait_ends
from tests.support.ringing_alarms import ring_alarms_until
from tests.support.stored_table_data import events_of
from tests.support.tables import EAST, NORTH, SOUTH, STRANGER, WEST, World, open_world, refusal_of

LONG = 57 * HOUR + 7
"""How long tables stand in these tests; odd milliseconds show that nothing is rounded."""

CASES = [
    (name, kind)
    for name, wait in WAITS.items()
    for kind in KINDS
    if (kind == OUTAGE or not wait.lobby) and (name != "idle limit" or PAUSE not in kind)
]
"""All waits with all ways to stop a table. A lobby cannot be paused, and pausing a game counts as an action in it."""


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """Yield a world whose bot is away only when a test says so."""
    async with open_world(tmp_path / "canasta.db", silence=1000 * DAY) as opened:
        await opened.readiness.note_ready()
        yield opened


@pytest.mark.parametrize(("name", "kind"), CASES)
async def test_every_deadline_moves_by_the_time_for_which_its_table_is_stopped(
    tmp_path: Path, name: str, kind: str
) -> None:
    if name not in UNDISTURBED:
        UNDISTURBED[name] = await stopped_duration_of(tmp_path / "undisturbed.db", name)
        assert abs(UNDISTURBED[name] - WAITS[name].lasts) <= 2 * MINUTE
    assert LONG == await stopped_duration_of(tmp_path / "disturbed.db", name, kind=kind) - UNDISTURBED[name]


UNDISTURBED: dict[str, int] = {}
"""How long each wait lasts at a table that is never stopped; it is the same for every way to stop one."""


async def stopped_duration_of(path: Path, name: str, *, kind: str | None = None) -> int:
    """Return the duration of a wait at a new table.

    `kind` says how the table is stopped meanwhile, if at all.
    """
    wait = WAITS[name]
    async with open_world(path, silence=1000 * DAY) as world:
        await world.readiness.note_ready()
        table = await wait.begins(world)
        start = world.clock.now()
        await ring_alarms_until(world, start + wait.middle)
        assert not wait.is_over(await world.service.reading.snapshot(table))
        if kind is not None:
            await stop_table_for(world, table, kind, LONG)
            assert not wait.is_over(await world.service.reading.snapshot(table)), "nothing is decided inside"
        return await time_until_wait_ends(world, table, wait, start)


async def test_a_stop_moves_the_instant_until_which_a_player_counts_as_present(world: World) -> None:
    """That instant has no alarm: it is checked when a clock runs out."""
    for kind in KINDS:
        table = (await start_clock_game(world, NORTH, EAST, players=2, settings=PLAIN)).id
        world.clock.advance(2 * HOUR)
        seen = world.clock.now()
        await world.record_activity(NORTH)
        await stop_table_for(world, table, kind, LONG)
        is_present = world.service.absence.is_present
        assert await is_present(table, NORTH, at=seen + 72 * HOUR + LONG - 1), kind
        assert not await is_present(table, NORTH, at=seen + 72 * HOUR + LONG), kind


async def test_a_stop_moves_the_end_of_a_vote_as_in_the_specified_examples(tmp_path: Path) -> None:
    """A vote from hour 72 to 96 with a pause from 73 to 121 ends at 144.

    If the channel is lost from 100 to 130 too, it ends at 153.
    """
    for lost, decided in ((False, 144), (True, 153)):
        async with open_world(tmp_path / f"{lost}.db", silence=1000 * DAY) as world:
            snapshot = await start_clock_game(world, NORTH, EAST, SOUTH, settings=PLAIN)
            start, masters, places = world.clock.now() + GRACE, world.service.masters, world.service.places
            await ring_alarms_until(world, start + 73 * HOUR)
            await masters.pause(world.caller(STRANGER), snapshot.id, reason="storm")
            if lost:
                await ring_alarms_until(world, start + 100 * HOUR)
                await places.record_lost_channel(snapshot.id)
            await ring_alarms_until(world, start + 121 * HOUR)
            snapshot = await masters.resume(world.caller(STRANGER), snapshot.id, reason="over")
            if lost:
                await ring_alarms_until(world, start + 130 * HOUR)
                await places.record_restored_place(snapshot.id)
                snapshot = await world.service.reading.snapshot(snapshot.id)
            assert (start + decided * HOUR, 2) == (snapshot.vote_until, len(snapshot.persons) - 1)
            await ring_alarms_until(world, start + decided * HOUR - 1)
            assert (await world.service.reading.snapshot(snapshot.id)).vote is not None
            await ring_alarms_until(world, start + decided * HOUR)
            assert NORTH == (await world.service.reading.snapshot(snapshot.id)).seats[0].kept_for


async def test_a_pause_delays_a_substitute_search_and_the_latest_end_of_a_game(world: World) -> None:
    """A search from hour 72 to 120 with a pause from 73 to 121 ends at 168.

    A latest end of 90 days with 14 days paused comes after 104 days.
    """
    snapshot = await start_clock_game(
        world, NORTH, EAST, SOUTH, settings=replace(PLAIN, absent=AbsencePolicy.SUBSTITUTE)
    )
    start = world.clock.now()
    await ring_alarms_until(world, start + 73 * HOUR)
    await world.service.masters.pause(world.caller(STRANGER), snapshot.id, reason="storm")
    await ring_alarms_until(world, start + 121 * HOUR)
    snapshot = await world.service.masters.resume(world.caller(STRANGER), snapshot.id, reason="over")
    assert start + 168 * HOUR + GRACE == snapshot.sought_until
    snapshot = await start_clock_game(world, NORTH, EAST, players=2)
    begun = world.clock.now()
    await world.service.consent.propose(world.caller(NORTH), snapshot.id, ProposalKind.PAUSE, days=14)
    await world.service.consent.answer_proposal(world.caller(EAST), snapshot.id, agrees=True)
    await ring_alarms_until(world, begun + 14 * DAY)
    snapshot = await world.service.reading.snapshot(snapshot.id)
    assert (False, begun + 104 * DAY) == (snapshot.is_halted, snapshot.absence.ends_at)


async def test_a_pause_delays_the_warning_of_an_idle_game(world: World) -> None:
    """The limit is 14 days, and the pause lasts from hour 0 to 336.

    So players are warned at hour 648, and the table closes at 672.
    """
    snapshot = await start_clock_game(world, NORTH, EAST, players=2, settings=TableSettings(idle=14))
    start = world.clock.now()
    await world.service.consent.propose(world.caller(NORTH), snapshot.id, ProposalKind.PAUSE, days=14)
    await world.service.consent.answer_proposal(world.caller(EAST), snapshot.id, agrees=True)
    await ring_alarms_until(world, start + 648 * HOUR - 1)
    assert (await world.service.reading.snapshot(snapshot.id)).absence.idle_at is None
    await ring_alarms_until(world, start + 648 * HOUR)
    assert start + 672 * HOUR == (await world.service.reading.snapshot(snapshot.id)).absence.idle_at
    await ring_alarms_until(world, start + 672 * HOUR)
    assert ClosingReason.IDLE is (await world.service.reading.snapshot(snapshot.id)).closed_because


async def test_no_clock_ends_for_a_while_after_a_table_goes_on(world: World) -> None:
    """The grace is a quarter of an hour at slow tables and half a minute at fast ones."""
    fast = TableSettings(clock=PRESETS["live"], extension=False)
    for settings, grace in ((PLAIN, 15 * MINUTE), (fast, 30 * SECOND)):
        snapshot = await start_clock_game(world, NORTH, EAST, players=2, settings=settings)
        clock = settings.clock
        assert clock is not None
        world.clock.advance(clock.bank - SECOND)
        await world.service.places.record_lost_channel(snapshot.id)
        world.clock.advance(2 * HOUR)
        await world.service.places.record_restored_place(snapshot.id)
        now = world.clock.now()
        await ring_alarms_until(world, now + grace - 1)
        assert NORTH in (await world.service.reading.snapshot(snapshot.id)).persons
        assert (await world.service.reading.snapshot(snapshot.id)).vote is None
        await ring_alarms_until(world, now + grace)
        snapshot = await world.service.reading.snapshot(snapshot.id)
        assert snapshot.vote is not None or snapshot.seats[0].kept_for == NORTH


@pytest.mark.parametrize(("lasts", "is_told"), [(HOUR - 1, False), (HOUR, True)])
async def test_questions_are_announced_again_after_a_stop_of_an_hour(world: World, lasts: int, is_told: bool) -> None:  # noqa: FBT001
    snapshot = await start_clock_game(world, NORTH, EAST, players=2, settings=PLAIN)
    await stop_table_for(world, snapshot.id, PAUSE, lasts)
    snapshot = await world.service.reading.snapshot(snapshot.id)
    assert (world.clock.now() if is_told else None) == snapshot.resumed_at


async def test_a_stopped_table_refuses_decisions_and_accepts_other_requests(world: World) -> None:
    snapshot = await start_clock_game(world, NORTH, EAST, SOUTH, settings=PLAIN)
    table, service = snapshot.id, world.service
    await service.lobby.take_seat(world.caller(STRANGER), table, 3, joined_at=0)
    await service.consent.propose(world.caller(EAST), table, ProposalKind.END)
    await service.places.record_lost_channel(table)
    seated = world.caller(NORTH)
    for asked in (
        service.play.act(seated, table, DRAW),
        service.play.begin_next_deal(seated, table),
        service.absence.answer_claim(seated, table, 3, agrees=True, asked_at=world.clock.now()),
        service.absence.cast_vote(seated, table, AbsenceChoice.WAIT, asked_at=0),
        service.absence.choose_game_end(seated, table, EndChoice.END),
        service.consent.answer_proposal(world.caller(SOUTH), table, agrees=True),
        service.consent.propose(world.caller(SOUTH), table, ProposalKind.PAUSE),
        service.lobby.take_seat(world.caller(WEST), table, 3, joined_at=0),
    ):
        assert (TableCode.GAME_PAUSED, {"table": table}) == await refusal_of(asked)
    await service.reading.view_for_person(table, person=NORTH, guild=900)
    snapshot = await service.masters.hand_over(world.caller(STRANGER), table, seat=0, reason="asleep")
    snapshot = await service.lobby.join(world.caller(NORTH), table)
    assert NORTH == snapshot.seats[0].person
    snapshot = await service.lobby.leave(world.caller(SOUTH), table)
    assert (1, True) == (len(snapshot.absence.claims), snapshot.proposal is not None), (
        "nothing is decided by a departure"
    )
    await service.places.record_restored_place(table)
    assert 1 == len((await service.reading.snapshot(table)).absence.claims)


async def test_a_proposal_agreed_during_a_stop_is_carried_out_after_it(world: World) -> None:
    """While the table is stopped, the only person who has not agreed leaves: all others have agreed."""
    snapshot = await start_clock_game(world, NORTH, EAST, SOUTH, settings=PLAIN)
    await world.service.consent.propose(world.caller(NORTH), snapshot.id, ProposalKind.END)
    await world.service.consent.answer_proposal(world.caller(EAST), snapshot.id, agrees=True)
    await world.service.places.record_lost_channel(snapshot.id)
    snapshot = await world.service.lobby.leave(world.caller(SOUTH), snapshot.id)
    assert (Status.PLAYING, ()) == (snapshot.status, snapshot.unanswered_people)
    await world.service.places.record_restored_place(snapshot.id)
    assert Status.FINISHED is (await world.service.reading.snapshot(snapshot.id)).status


async def test_a_pause_does_not_move_its_own_end_and_an_outage_does(world: World) -> None:
    snapshot = await start_clock_game(world, NORTH, EAST, players=2, settings=PLAIN)
    start = world.clock.now()
    await world.service.consent.propose(world.caller(NORTH), snapshot.id, ProposalKind.PAUSE, days=2)
    await world.service.consent.answer_proposal(world.caller(EAST), snapshot.id, agrees=True)
    world.readiness._outages = ((start + HOUR, start + 4 * HOUR),)
    await world.service.places.record_lost_channel(snapshot.id)
    await ring_alarms_until(world, start + 2 * DAY + 3 * HOUR - 1)
    assert (await world.service.reading.snapshot(snapshot.id)).pause is not None
    await ring_alarms_until(world, start + 2 * DAY + 3 * HOUR)
    snapshot = await world.service.reading.snapshot(snapshot.id)
    assert (None, True) == (snapshot.pause, snapshot.is_halted), "its channel is still gone"
    await ring_alarms_until(world, start + 7 * DAY + 3 * HOUR)
    assert ClosingReason.EXPIRED is (await world.service.reading.snapshot(snapshot.id)).closed_because


# --- random games -----------------------------------------------------------------------------------------------------

GAMES = int(os.environ.get("STANDING_GAMES", "12"))


async def _act_at_random(world: World, table: int, random: Random) -> None:
    """Propose, vote, join, replace a player or play at random, if that is possible."""
    snapshot = await world.service.reading.snapshot(table)
    service, person = world.service, random.choice((NORTH, EAST, SOUTH, WEST))
    caller = world.caller(person)
    computers = [seat for seat, holder in enumerate(snapshot.seats) if holder.kind == "computer"]
    kinds = (ProposalKind.END, ProposalKind.UNDO, ProposalKind.SUBSTITUTE, ProposalKind.RESIGN)
    what = random.randrange(7)
    if what == 0:
        await service.consent.propose(caller, table, random.choice(kinds))
    elif what == 1 and computers:
        await service.lobby.take_seat(world.caller(STRANGER), table, random.choice(computers), joined_at=0)
    elif what == 2 and snapshot.vote is not None:
        await cast_vote(world, snapshot, person, random.choice(list(AbsenceChoice)))
    elif what == 3 and snapshot.seat_of(person) is not None and len(snapshot.persons) > 1:
        await service.masters.hand_over(
            world.caller(STRANGER), table, seat=snapshot.seat_of(person) or 0, reason="asleep"
        )
    elif what == 4:
        await service.lobby.join(caller, table)
    elif what == 5:
        await world.finish_deal(table, random)
    else:
        await ring_alarms_until(world, world.clock.now() + random.randrange(30 * HOUR))


def _parts_changed_by_decisions(record: TableState) -> tuple[object, ...]:
    """Return all parts of the table that a decision can change."""
    absence = record.absence
    return (
        *(record.status, record.seats, record.game, record.proposal, record.sought, record.last_deal),
        *(absence.vote, absence.claims, absence.waits, absence.kept, absence.unopposed),
    )


async def _moving_deadlines(record: TableState, world: World) -> dict[Deadline, int]:
    """Return the instants of all deadlines that a stop moves.

    For the clock, it is the end of the player's whole time.
    """
    now, away = world.clock.now(), world.readiness.outages()
    found = {
        kind: deadline_passes_at(record, kind, away, now)
        for kind in record.deadlines
        if kind not in {*MOVED_BY_OUTAGES, Deadline.CLOCK, Deadline.LATEST_END}
    }
    clocks = record.clocks
    if clocks is not None and clocks.owes is not None and clocks.until is not None:
        told = await timekeeping.rescheduled_alarms(record, world.service._context.time_lookup, now)
        found[Deadline.CLOCK] = next((one.until for one in told if isinstance(one, StageReached)), clocks.until)
    if record.absence.ends_at is not None and not record.last_deal:
        found[Deadline.LATEST_END] = postponed_end(record, away, now=now)
    return found


@pytest.mark.parametrize("seed", range(GAMES))
async def test_after_a_stop_every_deadline_is_later_by_exactly_the_time_stopped(world: World, seed: int) -> None:
    random = Random(seed)
    settings = TableSettings(
        clock=PRESETS["daily"],
        vacation=random.choice((0, 2)),
        absent=random.choice((AbsencePolicy.VOTE, AbsencePolicy.SUBSTITUTE)),
    )
    table = (await start_clock_game(world, NORTH, EAST, SOUTH, WEST, settings=settings)).id
    compared = 0
    for _ in range(12):
        for _ in range(random.randrange(1, 6)):
            await world.record_activity(random.choice((NORTH, EAST, SOUTH, WEST)))
            with suppress(TableRefusal, Refusal):  # questions that the game does not allow now are left out
                await _act_at_random(world, table, random)
        found = (await world.service._context.repository.get(table)).record
        if found.status is not Status.PLAYING or not found.persons:
            return
        compared += await _check_deadlines_move_with_a_stop(world, table, random)
    assert compared > 12


async def _check_deadlines_move_with_a_stop(world: World, table: int, random: Random) -> int:
    """Stop the table for a random time, check that its deadlines move with it; return how many do."""
    kind, lasts = random.choice((PAUSE, LOST, *KINDS)), random.randrange(1, 5 * DAY)
    before = (await world.service._context.repository.get(table)).record
    was, start = await _moving_deadlines(before, world), world.clock.now()
    rows = len(await events_of(world.store, table))
    await stop_table_for(world, table, kind, lasts)
    now = world.clock.now()
    assert start + lasts == now
    after = (await world.service._context.repository.get(table)).record
    decided = {type(event).__name__ for event in (await events_of(world.store, table))[rows:]}
    assert _parts_changed_by_decisions(before) == _parts_changed_by_decisions(after), (kind, decided)
    assert lasts == covered_time(stopped_spans(after, world.readiness.outages(), now), start, now)
    for deadline, instant in (await _moving_deadlines(after, world)).items():
        expected = was[deadline] + lasts
        grace = now + 15 * MINUTE
        assert instant == expected or (instant == grace > expected), (deadline, kind, instant - expected)
    return len(was)
