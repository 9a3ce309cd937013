"""Tournaments in the simulated Discord: only the test advances time, computer players play matches."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from simcord import ChannelHandle, MemberActor

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY
from bot.computer.player import player_for
from bot.engine.play.building_views import seat_view
from bot.engine.table.state import seat_to_act
from bot.tables.core.limits import Limits
from bot.tables.state.snapshots import Caller, Status
from bot.tournaments.event.match_state import MatchState
from bot.tournaments.event.plan import Plan
from bot.tournaments.event.tournament import Stage, Tournament
from cogs.shared.posting.edit_schedule import EditSchedule
from cogs.tournament.wizard.plan_edits import fill_in_plan
from tests.support.clock import START, ManualClock, ShiftedClock
from tests.support.discord import Discord, Message, Person, discord_world, text_of
from tests.support.discord_month import SharedClock
from tests.support.tournaments import one_round_rules

RARELY = EditSchedule(DAY, DAY, DAY, DAY, rate=1_000_000, burst=1_000)
"""Table boards are rarely written, because these tests look at tournaments."""

PLAYER = player_for("casual", 0)

NAMES = (
    "Ana",
    "Ben",
    "Cy",
    "Dov",
    "Eli",
    "Flo",
    "Gus",
    "Hal",
    "Ida",
    "Jon",
    "Kim",
    "Lou",
    "Mia",
    "Nic",
    "Oz",
    "Pia",
    "Quin",
    "Rob",
)


@dataclass(slots=True)
class CupServer:
    """A simulated Discord with an organiser and people who can enter a tournament."""

    discord: Discord
    clock: ManualClock | ShiftedClock
    actors: list[MemberActor] = field(default_factory=list)
    requests: int = 10**15

    @property
    def channel(self) -> ChannelHandle:
        """Return the channel of tournaments; threads may be opened there."""
        return self.discord.world.tables

    @property
    def organiser(self) -> Person:
        """Return the organiser, who owns the server."""
        return Person(self.discord.world.owner, self.channel)

    def person(self, place: int) -> Person:
        """Return one of the people, by their place in `NAMES`."""
        return Person(self.actors[place], self.channel)

    def caller(self, person: Person) -> Caller:
        """Return the `Caller` with which a service is called for that person."""
        self.requests += 1
        return Caller(person.id, person.actor.user.global_name or "?", self.discord.world.server.id, self.requests)

    def plan(self, **chosen: object) -> Plan:
        """Return the plan of a cup that begins in an hour: two rounds, one deal each."""
        usual: dict[str, object] = {
            "name": "Friday cup",
            "rules": one_round_rules(),
            "drawn": True,
            "deals": 1,
            "rounds": 2,
            "places": 8,
            "starts_at": self.clock.now() + HOUR,
        }
        return fill_in_plan(Plan(**(usual | chosen)))  # type: ignore[arg-type]

    async def publish(self, **chosen: object) -> Tournament:
        """Publish a tournament that people can enter, and return it."""
        tournaments = self.discord.application.client.context.tournaments
        draft = await tournaments.entering.create(
            self.caller(self.organiser), channel=self.channel.id, plan=self.plan(**chosen)
        )
        done = await tournaments.entering.publish(self.caller(self.organiser), draft.id)
        await self.wait_until_idle()
        return done

    async def tournament(self, tournament_number: int = 1) -> Tournament:
        return await self.discord.application.client.context.tournaments.overview.get_tournament(tournament_number)

    async def pass_time(self, milliseconds: int) -> None:
        """Advance the clock, and wait until all consequences are done and shown."""
        self.clock.advance(milliseconds)
        tournaments, tables = self.discord.application.client.context.tournaments, self.discord.application.tables
        for due in await tournaments.alarms.due_timers(self.clock.now(), 50):
            await tournaments.alarms.fire_deadline(due.table, due.kind)
        series = self.discord.application.client.context.series
        for due in await series.nights.due_timers(self.clock.now(), 50):
            await series.nights.fire_deadline(due.table, due.kind)
        for timer in await tables._context.store.times.due_timers(self.clock.now(), 50):
            await tables.deadlines.fire_deadline(timer.table, timer.kind)
        await self.wait_until_idle()

    async def advance_to(self, stage: Stage, tournament_number: int = 1) -> None:
        """Advance the clock minute by minute until the tournament has reached that stage."""
        for _ in range(600):
            if (await self.tournament(tournament_number)).stage is stage:
                return
            await self.pass_time(MINUTE)
        raise AssertionError(f"never {stage.value}")

    async def wait_until_idle(self) -> None:
        """Wait until all work that is due now is done and shown."""
        client = self.discord.application.client
        for _ in range(3):
            await self.discord.environment.settle()
            await client.context.tournaments.playing.finish()
            await client.context.series.nights.finish()
            await client.tournament_updater.wait_until_idle()
            await client.series_updater.wait_until_idle()
            await self.discord.application.outbox.carry_out_due_effects()
            await client.board_updater.wait_until_idle()
            await asyncio.sleep(0)

    async def play_match(self, match: MatchState) -> None:
        """Play a match to its end; everyone plays as a casual computer player."""
        tables = self.discord.application.tables
        for one in match.tables:
            while (await tables.reading.snapshot(one.table)).status is Status.PLAYING:
                await self.act_or_begin_deal(match, one.table)
        await self.wait_until_idle()

    async def act_or_begin_deal(self, match: MatchState, table: int) -> None:
        """Let the player in turn make a move through the table service; between deals, begin the next deal."""
        tables, state = self.discord.application.tables, await self.discord.game_state(table)
        seat = seat_to_act(state)
        if seat is None:
            await tables.play.begin_next_deal(self.caller(self.person(0)), table)
            return
        person = match.seats[seat]
        assert person is not None
        self.requests += 1
        asking = Caller(person, "?", self.discord.world.server.id, self.requests)
        await tables.play.act(asking, table, PLAYER.choose(seat_view(state, seat)).step)

    def public_texts(self, channel: ChannelHandle | None = None) -> list[str]:
        """Return all public messages of a channel as text, oldest first."""
        return [text_of(one) for one in self.messages(channel)]

    def messages(self, channel: ChannelHandle | None = None) -> list[Message]:
        """Return the public messages of a channel, oldest first."""
        found = [one for one in (channel or self.channel).history() if not one.flags.ephemeral]
        return sorted(found, key=lambda one: one.id)

    def message(self, *words: str, channel: ChannelHandle | None = None) -> Message:
        """Return the only message of a channel that contains all these words."""
        found = [one for one in self.messages(channel) if all(word in text_of(one) for word in words)]
        assert len(found) == 1, (words, self.public_texts(channel))
        return found[0]

    def direct_messages(self, person: Person) -> list[Message]:
        """Return the direct messages of a person."""
        environment = self.discord.environment
        box = ChannelHandle(environment, None, environment.backend.get_dm_channel(person.id))
        return list(box.history())

    def threads(self) -> list[ChannelHandle]:
        """Return the threads of matches, oldest first."""
        return sorted(self.channel.threads, key=lambda one: one.id)


@asynccontextmanager
async def cup_world(
    folder: Path,
    people: int = 8,
    clock: ManualClock | ShiftedClock | None = None,
    rhythm: EditSchedule = RARELY,
    limits: Limits | None = None,
) -> AsyncIterator[CupServer]:
    """Yield a simulated Discord with the bot, an organiser and the given number of people."""
    clock = clock or SharedClock(START)
    async with discord_world(folder, clock=clock, silence=1000 * DAY, rhythm=rhythm, limits=limits) as discord:
        if isinstance(clock, SharedClock):
            clock.environment = discord.environment
        server, environment = discord.world.server, discord.environment
        names = [*NAMES, *(f"Guest {number}" for number in range(len(NAMES), people))][:people]
        users = [environment.create_user(name.lower().replace(" ", "-"), global_name=name) for name in names]
        actors = [server.add_member(user) for user in users]
        yield CupServer(discord, clock, actors)
