"""Random weeks at one table: people play, propose, vote, leave, return, are replaced and deleted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from random import Random

import pytest

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY, PRESETS, ClockTerms
from bot.engine.moves.refusals import Refusal
from bot.tables.absence.idle_games import has_running_clock_or_open_question
from bot.tables.masters.interventions import ServerRole
from bot.tables.past.record_reading import read_record
from bot.tables.state.absence import vote_choices
from bot.tables.state.clocks import AbsencePolicy, ReplayFrom, TableSettings
from bot.tables.state.events import Deadline
from bot.tables.state.fold import apply_table_events
from bot.tables.state.premoves import PlannedTurn
from bot.tables.state.proposals import ProposalKind
from bot.tables.state.refusals import TableRefusal
from bot.tables.state.snapshots import Status, TableSnapshot
from tests.support.ringing_alarms import ring_alarms_until
from tests.support.stored_table_data import events_of, record_of
from tests.support.tables import CHANNEL, EAST, GUILD, NORTH, SOUTH, STRANGER, WEST, World

PEOPLE = (NORTH, EAST, SOUTH, WEST, STRANGER)
CLOCKS = (PRESETS["live"], PRESETS["daily"], None, ClockTerms("custom", 12 * HOUR, HOUR, 12 * HOUR))


@dataclass(slots=True)
class RandomActions:
    """Random actions of people at one table."""

    world: World
    chance: Random
    table: int
    seated: tuple[int, ...] = ()

    async def load_snapshot(self) -> TableSnapshot:
        snapshot = await self.world.service.reading.snapshot(self.table)
        self.seated = snapshot.persons
        return snapshot

    def random_person(self) -> int:
        """Return a random person, usually one who is seated."""
        return self.chance.choice(self.seated if self.seated and self.chance.random() < 0.7 else PEOPLE)

    async def play_some_steps(self) -> None:
        """Let the players in turn take a few steps, or begin the next deal."""
        for _ in range(self.chance.randrange(1, 12)):
            snapshot = await self.load_snapshot()
            if snapshot.status is not Status.PLAYING:
                return
            if snapshot.view is not None and snapshot.view.actor is None:
                await self.world.service.play.begin_next_deal(self.world.caller(snapshot.host), self.table)
            elif snapshot.has_no_people or snapshot.pause is not None:
                return
            else:
                await self.world.take_random_step(self.table, self.chance)

    async def pass_time(self) -> None:
        await ring_alarms_until(
            self.world, self.world.clock.now() + self.chance.choice((MINUTE, HOUR, 9 * HOUR, DAY, 4 * DAY))
        )

    async def have_outage(self) -> None:
        now = self.world.clock.now()
        self.world.clock.advance(5 * HOUR)
        self.world.readiness._outages = (*self.world.readiness._outages, (now, now + 5 * HOUR))

    async def make_proposal(self) -> None:
        kind = self.chance.choice(tuple(ProposalKind))
        await self.world.service.consent.propose(self.world.caller(self.random_person()), self.table, kind, days=3)

    async def answer_proposal_at_random(self) -> None:
        agrees = self.chance.random() < 0.8
        for person in (await self.load_snapshot()).unanswered_people:
            await self.world.service.consent.answer_proposal(self.world.caller(person), self.table, agrees=agrees)

    async def cast_vote(self) -> None:
        snapshot = await self.load_snapshot()
        if snapshot.vote is not None:
            choice = self.chance.choice(vote_choices(snapshot.seats, snapshot.terms, snapshot.absence, snapshot.vote))
            await self.world.service.absence.cast_vote(
                self.world.caller(self.random_person()), self.table, choice, asked_at=snapshot.vote.at
            )

    async def leave_table(self) -> None:
        await self.world.service.lobby.leave(self.world.caller(self.random_person()), self.table)

    async def join_table(self) -> None:
        await self.world.service.lobby.join(self.world.caller(self.random_person()), self.table)

    async def claim_seat(self) -> None:
        joined = self.chance.choice((None, 0))
        caller = self.world.caller(self.random_person())
        await self.world.service.lobby.take_seat(caller, self.table, self.chance.randrange(4), joined_at=joined)

    async def answer_claims(self) -> None:
        for claim in (await self.load_snapshot()).absence.claims:
            agrees = self.chance.random() < 0.8
            for person in (await self.load_snapshot()).persons:
                caller = self.world.caller(person)
                await self.world.service.absence.answer_claim(
                    caller, self.table, claim.seat, agrees=agrees, asked_at=claim.at
                )

    async def leave_server(self) -> None:
        await self.world.service.absence.handle_departure(self.table, self.random_person())

    async def return_to_server(self) -> None:
        await self.world.service.absence.handle_return(self.table, self.random_person())

    async def act_as_game_master(self) -> None:
        service, caller, seat = self.world.service, self.world.caller(STRANGER), self.chance.randrange(4)
        acts = (
            partial(service.masters.pause, caller, self.table, reason="storm"),
            partial(service.masters.resume, caller, self.table, reason="over"),
            partial(service.masters.extend_time, caller, self.table, seat=seat, reason="kind"),
            partial(service.masters.hand_over, caller, self.table, seat=seat, reason="asleep"),
        )
        await self.chance.choice(acts)()

    async def resume_game(self) -> None:
        await self.world.service.consent.resume(self.world.caller(self.random_person()), self.table)

    async def give_time(self) -> None:
        caller = self.world.caller(self.random_person())
        await self.world.service.masters.give_time(caller, self.table, seat=self.chance.randrange(4))

    async def seat_computer(self) -> None:
        caller, standing = self.world.caller(self.random_person()), ServerRole(moderator=self.chance.random() < 0.5)
        await self.world.service.masters.seat_computer(
            caller,
            self.table,
            seat=self.chance.randrange(4),
            server_role=standing,
            has_left_guild=self.chance.random() < 0.5,
        )

    async def prepare_premove(self) -> None:
        await self.world.service.premoves.store_premove(
            self.world.caller(self.random_person()), self.table, PlannedTurn(draw=True)
        )

    async def delete_person(self) -> None:
        if self.chance.random() < 0.1:
            await self.world.service.people.forget(self.world.caller(self.random_person()))

    async def plan_vacation(self) -> None:
        person, now = self.random_person(), self.world.clock.now()
        await self.world.personal.set_automatic_vacation(person, automatic=self.chance.random() < 0.5)
        try:
            await self.world.personal.plan_vacation(person, now, now + 2 * DAY, now)
        except ValueError:
            return

    @property
    def weighted_actions(self) -> tuple[Callable[[], Awaitable[None]], ...]:
        often = (
            (self.play_some_steps,) * 8
            + (self.pass_time,) * 4
            + (self.answer_proposal_at_random, self.cast_vote, self.answer_claims, self.join_table) * 2
        )
        rare = (
            self.have_outage,
            self.make_proposal,
            self.leave_table,
            self.claim_seat,
            self.leave_server,
            self.return_to_server,
            self.act_as_game_master,
            self.resume_game,
        )
        return (
            *often,
            *rare,
            self.give_time,
            self.seat_computer,
            self.prepare_premove,
            self.delete_person,
            self.plan_vacation,
        )


async def begin_game(world: World, random: Random) -> RandomActions:
    settings = TableSettings(
        clock=random.choice(CLOCKS),
        absent=random.choice((None, *AbsencePolicy)),
        extension=random.random() < 0.5,
        vacation=random.choice((0, 2)),
        latest_end=random.choice((None, 14)),
        replay=random.choice(tuple(ReplayFrom)),
    )
    players = random.choice((2, 3, 4, 4))
    persons = random.sample(PEOPLE[:-1], random.randrange(1, players + 1))
    snapshot = await world.service.lobby.create(
        world.caller(persons[0]), channel=CHANNEL, players=players, settings=settings
    )
    for person in persons[1:]:
        await world.service.lobby.join(world.caller(person), snapshot.id)
    await world.service.lobby.start(world.caller(persons[0]), snapshot.id, fill=True)
    return RandomActions(world, random, snapshot.id)


@pytest.mark.parametrize("seed", range(4))
async def test_a_table_stays_valid_through_random_actions(world: World, seed: int) -> None:
    random = Random(seed)
    actions = await begin_game(world, random)
    for _ in range(120):
        with suppress(TableRefusal, Refusal):
            await random.choice(actions.weighted_actions)()
        snapshot = await actions.load_snapshot()
        record = await record_of(world.store, actions.table)
        if snapshot.status is not Status.PLAYING:
            assert {} == dict(record.deadlines)
            break
        assert (Deadline.IDLE in record.deadlines) or has_running_clock_or_open_question(record)
        assert (Deadline.VOTE in record.deadlines) == (snapshot.vote is not None)
        assert (Deadline.SEAT in record.deadlines) == bool(snapshot.absence.claims)
        assert (Deadline.PROPOSAL in record.deadlines) == (snapshot.proposal is not None)
        assert (Deadline.SUBSTITUTE in record.deadlines) == bool(snapshot.sought)
        runs = record.clocks is not None and record.clocks.owes is not None
        assert (Deadline.CLOCK in record.deadlines) == runs
        assert snapshot.host in snapshot.persons or not snapshot.persons
    assert apply_table_events(None, await events_of(world.store, actions.table)) == await record_of(
        world.store, actions.table
    )
    snapshot = await actions.load_snapshot()
    if snapshot.view is not None and snapshot.view.results and snapshot.status is not Status.PLAYING:
        told = await world.service.past.game_file(actions.table, person=NORTH, guild=GUILD)
        read_record(told.text)
        published = {one.deal for one in snapshot.shuffle if one.seed is not None}
        assert {one.deal for one in snapshot.view.results} == published
