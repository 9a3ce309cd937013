"""Random requests to tables in any order, with restarts in between: every table stays valid."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from bot.clocks.clock import HOUR
from bot.engine.moves.refusals import Refusal
from bot.engine.play.invariants import broken_invariants
from bot.tables.state.events import Deadline
from bot.tables.state.fold import apply_table_events
from bot.tables.state.proposals import ProposalKind
from bot.tables.state.refusals import TableRefusal
from bot.tables.state.snapshots import OPEN, Status
from bot.tables.state.table import TableState
from tests.support.clock import ManualClock
from tests.support.stored_table_data import events_of, record_of
from tests.support.tables import CHANNEL, NAMES, World, open_world

PEOPLE = tuple(NAMES)


async def make_random_request(world: World, random: Random, tables: range) -> None:
    """Make one request, often nonsense, by any person to any table."""
    ask = random.choice((make_random_seat_request, make_random_seat_request, make_random_table_request))
    await ask(world, random, random.choice(tables))


async def make_random_seat_request(world: World, random: Random, table: int) -> None:
    service, caller = world.service, world.caller(random.choice(PEOPLE))
    seat = random.choice((None, None, 0, 1, 2, 3, 4))
    match random.choice(("join", "join", "leave", "add", "remove", "place", "computers")):
        case "join":
            await service.lobby.join(caller, table, seat=seat, or_same_side=random.random() < 0.5)
        case "leave":
            await service.lobby.leave(caller, table)
        case "add":
            await service.lobby.add_computer(caller, table, seat=seat)
        case "remove":
            await service.lobby.remove_computer(caller, table, seat=seat)
        case "place":
            await service.lobby.swap_seats(caller, table, seat=seat or 0, other_seat=random.randrange(5))
        case "computers":
            await service.lobby.set_computers(caller, table, random.randrange(4))


async def make_random_table_request(world: World, random: Random, table: int) -> None:
    service, caller = world.service, world.caller(random.choice(PEOPLE))
    match random.choice((*["create"] * 4, "start", "start", "close", "propose", "answer", "deal", "rematch", "expire")):
        case "create":
            await service.lobby.create(caller, channel=CHANNEL, players=random.choice((2, 4)), computers=1, target=100)
        case "start":
            await service.lobby.start(caller, table, fill=random.random() < 0.8)
        case "close":
            await service.lobby.close(caller, table, moderator=random.random() < 0.1)
        case "propose":
            await service.consent.propose(caller, table, random.choice(tuple(ProposalKind)), days=random.randrange(16))
        case "answer":
            await service.consent.answer_proposal(caller, table, agrees=random.random() < 0.7)
        case "deal":
            await service.play.begin_next_deal(caller, table)
        case "rematch":
            await service.lobby.rematch(caller, table)
        case "expire":
            await service.deadlines.fire_deadline(table, random.choice(("expire", "next_deal", "proposal", "pause")))


async def play_some_steps(world: World, random: Random) -> None:
    """Play some steps at every running game with a person in it."""
    for table in [one.id for one in await world.store.tables.tables_with_status((Status.PLAYING,))]:
        for _ in range(random.randrange(60)):
            snapshot = await world.service.reading.snapshot(table)
            if snapshot.actor is None or not snapshot.persons or snapshot.pause is not None:
                break
            await world.take_random_step(table, random)


def check_table_is_valid(record: TableState) -> None:
    seated = Counter(record.persons)
    kept = Counter(holder.kept_for for holder in record.seats if holder.kept_for is not None)
    numbers = [holder.number for holder in record.seats if holder.kind == "computer"]
    assert max(seated.values(), default=1) == max(kept.values(), default=1) == 1
    assert not seated.keys() & kept.keys()
    assert len(set(numbers)) == len(numbers)
    assert record.host in record.persons or not record.persons
    assert (record.game is None) == (not any(shuffle.contributions is not None for shuffle in record.shuffles))
    asked = record.proposal
    assert asked is None or (record.status is Status.PLAYING and asked.by in asked.agreed)
    assert asked is None or set(asked.agreed) < set(record.persons)
    assert (asked is not None) == (Deadline.PROPOSAL in record.deadlines)
    assert (record.pause is not None) == (Deadline.PAUSE in record.deadlines)
    if record.status is Status.LOBBY:
        assert record.persons
    if record.status not in OPEN:
        assert not record.deadlines
    if record.game is not None:
        assert not broken_invariants(record.game)


@pytest.mark.parametrize("seed", range(3))
async def test_every_table_stays_valid_through_random_requests_and_restarts(tmp_path: Path, seed: int) -> None:
    random, clock, served = Random(seed), ManualClock(), 0
    for restart in range(4):
        async with open_world(tmp_path / "canasta.db", clock=clock, first_request=(restart + 1) * 1_000_000) as world:
            await world.store.times.note_heartbeat(clock.now())
            for _ in range(80):
                tables = range(1, 3 + served)
                try:
                    await make_random_request(world, random, tables)
                    served = min(served + 1, 12)
                except (TableRefusal, Refusal):
                    clock.advance(random.randrange(HOUR))
            await play_some_steps(world, random)
            if restart % 2:
                await world.service.people.forget(world.caller(random.choice(PEOPLE)))
            seen = 0
            for table in range(1, 60):
                stored = await world.store.tables.load(table)
                if stored is None:
                    break
                record = await record_of(world.store, table)
                assert apply_table_events(None, await events_of(world.store, table)) == record
                check_table_is_valid(record)
                seen += 1
            assert seen > 2
