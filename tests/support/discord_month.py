"""Days or weeks of slow games in the simulated Discord, where only a manual clock advances time.

Habits and absences of the people are recorded here, apart from the program (`tests.support.slow_player_habits`). The
people whom the bot mentions are read from its messages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from random import Random

import discord as library
from simcord import ChannelHandle, Env, SetupError, UserHandle

from bot.clocks.clock import HOUR, MINUTE, SECOND
from bot.clocks.time_rules import DAY, ClockTerms
from bot.computer.player import player_for
from bot.tables.state.clocks import DEFAULT_LEVEL
from bot.tables.state.snapshots import Caller, Status, TableSnapshot
from tests.support.clock import ManualClock
from tests.support.computer_choices import next_move, play_by_command
from tests.support.discord import Discord, Message, Person, discord_world, enabled_actions
from tests.support.mention_reader import Mention, MentionReader
from tests.support.slow_discord_games import SlowGames
from tests.support.slow_month_checks import check_alarms
from tests.support.slow_player_habits import Habits, random_people

CLOCK = ClockTerms("custom", 20 * HOUR, 4 * HOUR, 20 * HOUR)
WRITTEN = "20h+4h max 20h"
PLAYER = player_for(DEFAULT_LEVEL, seed=1)

MOST_STEPS = 40
"""Upper limit of steps per turn, higher than any real turn needs."""


class SharedClock(ManualClock):
    """A manual clock that the simulated Discord shares with the bot.

    It tells the simulated Discord of its sleepers, so that the simulation does not wait for them.
    """

    environment: Env | None = None

    async def sleep(self, milliseconds: int) -> None:
        if self.environment is not None:
            # The simulator refuses the wait of a task that is not the bot's, and a second wait of the same task.
            with suppress(SetupError):
                await self.environment.external_wait(super().sleep(milliseconds), reason="the clock is moved by hand")
                return
        await super().sleep(milliseconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthScenario:
    """The size of a simulation: games of four players, deals per game, days, and restarts of the bot.

    One outage takes nine hours, and once the machine's clock is put forward a day. With `wholly`, everything goes
    through Discord; otherwise only joins, notices and one turn of each game, and the other moves go through the table
    service.
    """

    games: int
    deals: int
    days: int
    restarts: int
    wholly: bool


@dataclass(slots=True)
class SimulatedPerson:
    """A simulated person: their habits, and whether they are in the server now."""

    user: UserHandle
    habits: Habits
    person: Person
    is_member: bool = True


@dataclass(slots=True)
class DiscordMonth:
    """The simulated Discord with its people, tables, and a record of the bot's mentions.

    `rooms` are the tables' channels by table, `seats` the tables that a person has sat at. `pings` counts the mentions
    by person and subject, `woken` are the mentions in quiet hours; `spoken` are tables of which a turn has gone through
    Discord, `closed` is the person who refuses direct messages.
    """

    games: SlowGames
    scenario: MonthScenario
    chance: Random
    somebody: dict[int, SimulatedPerson] = field(default_factory=dict)
    rooms: dict[int, ChannelHandle] = field(default_factory=dict)
    seats: dict[int, list[int]] = field(default_factory=dict)
    outages: list[tuple[int, int]] = field(default_factory=list)
    pings: Counter[Mention] = field(default_factory=Counter)
    woken: list[Mention] = field(default_factory=list)
    spoken: set[int] = field(default_factory=set)
    closed: int = 0
    sights: dict[int, list[int]] = field(default_factory=dict)
    _looks: list[tuple[int, int]] = field(default_factory=list)
    _requests: Iterator[int] = field(default_factory=lambda: count(10**15))
    _reader: MentionReader | None = None

    @property
    def discord(self) -> Discord:
        return self.games.discord

    @property
    def clock(self) -> ManualClock:
        assert isinstance(self.games.clock, ManualClock)
        return self.games.clock

    # --- the beginning

    async def begin_games(self) -> None:
        """Create the people with their quiet hours, and seat them at tables, each in its own channel."""
        await self._create_people(max(10, self.scenario.games * 6 // 5))
        letters = {self.games.dm_channel(one.person).id: number for number, one in self.somebody.items()}
        await self._refuse_direct_messages(next(iter(letters)), next(iter(letters.values())))
        letters.pop(next(iter(letters)))
        rooms: dict[int, int] = {}
        self._reader = MentionReader(self.discord, rooms, letters)
        no_threads = library.PermissionOverwrite(create_public_threads=False, create_private_threads=False)
        server = self.discord.world.server
        for table in range(1, self.scenario.games + 1):
            room = server.create_text_channel(f"table-{table}", overwrites={server.default_role: no_threads})
            self.rooms[table], rooms[room.id] = room, table
            await self._start_game(table)

    async def _create_people(self, count: int) -> None:
        """Create people with random habits, and store their quiet hours and vacations."""
        server, personal = self.discord.world.server, self.discord.application.client.context.personal_times
        for habits in random_people(self.chance, count).values():
            user = self.discord.environment.create_user(f"person-{habits.person}")
            one = SimulatedPerson(user, habits, Person(server.add_member(user), self.discord.world.canasta))
            self.somebody[user.id], self.seats[user.id] = one, []
            if habits.window is not None:
                await personal.set_quiet_hours(user.id, habits.window, self.clock.now())
            if habits.away is not None:
                await personal.plan_vacation(user.id, *habits.away, self.clock.now())
            if habits.person % 3 == 1:
                await self.games.choose_notices(one.person, notices="dm")
            heappush(self._looks, (self._next_visit(habits), user.id))

    async def _refuse_direct_messages(self, room: int, person: int) -> None:
        """Let the person choose direct messages, and make Discord reject every one."""
        self.closed = person
        await self.games.choose_notices(self.somebody[person].person, notices="dm")
        path = f"/channels/{room}/messages"
        self.discord.environment.inject_error("POST", path, status=403, code=50007, times=None)

    async def _start_game(self, table: int) -> None:
        """Open a table for four random people, let them join, and start the game."""
        host, *others = seated = self.chance.sample(sorted(self.somebody), 4)
        for person in seated:
            self.seats[person].append(table)
        await self._person_at(host, table).run("table new", players=4, clock=WRITTEN, length=self.scenario.deals)
        for person in others:
            await self._person_at(person, table).run("table join")
        await self._person_at(host, table).run("table start")
        await self._wait_until_idle()

    def _person_at(self, person: int, table: int) -> Person:
        """Return the person acting in the table's channel."""
        return Person(self.somebody[person].person.actor, self.rooms[table])

    # --- time

    async def let_time_pass(self, milliseconds: int) -> None:
        """Let this much time pass with the bot running and people visiting their games."""
        end = self.clock.now() + milliseconds
        while (now := self.clock.now()) < end:
            alarms = [instant for instant, _ in self.discord.application.client.notices._alarm._queue[:1]]
            due = await self.discord.application.tables._context.store.times.next_due_at()
            coming = min((end, self._looks[0][0], *alarms, *(() if due is None else (due,))))
            self.clock.advance(max(coming - now, SECOND))
            await self.games._ring_alarms()
            await self._wait_until_idle()
            while self._looks[0][0] <= self.clock.now():
                _, person = heappop(self._looks)
                await self._visit_games_as(self.somebody[person])
                heappush(self._looks, (self._next_visit(self.somebody[person].habits), person))

    def _next_visit(self, habits: Habits) -> int:
        """Return a random instant for the next visit of a person with these habits."""
        return self.clock.now() + round(self.chance.expovariate(habits.looks / DAY)) + SECOND

    async def _wait_until_idle(self) -> None:
        """Wait until everything due is done and sent, and note the mentions."""
        await self.games.wait_until_idle()
        await self._record_mentions()

    async def _record_mentions(self) -> None:
        """Record new mentions while the turns they are about are still running."""
        assert self._reader is not None
        for ping in await self._reader.read_new():
            self.pings[ping] += 1
            if self.somebody[ping.person].habits.is_quiet(self.clock.now()):
                self.woken.append(ping)

    async def restart_bot_after(self, milliseconds: int) -> None:
        """Restart the bot after this much time; the recorded outage begins at its last heartbeat."""
        crash, noted = self.clock.now(), await self._last_heartbeat()
        await self.discord.restart(meanwhile=lambda: self.clock.advance(milliseconds))
        noted_at_crash = await self._last_heartbeat()  # The bot may have written another heartbeat while it stopped.
        noted = noted_at_crash if noted_at_crash <= crash else noted
        while await self._last_heartbeat() <= crash:
            self.clock.advance(SECOND)
            await self.games.wait_until_idle()
        self.outages.append((noted, await self._last_heartbeat()))
        await self._wait_until_idle()

    async def set_clock_forward(self, milliseconds: int) -> None:
        """Set the machine's clock forward while the bot runs."""
        start = self.clock.now()
        self.clock.shift_wall_clock(milliseconds)
        await self._wait_until_idle()
        self.outages.append((start, self.clock.now()))

    async def _last_heartbeat(self) -> int:
        """Return the time of the bot's last heartbeat."""
        return await self.discord.application.tables._context.store.times.last_heartbeat() or 0

    # --- people

    async def _visit_games_as(self, visitor: SimulatedPerson) -> None:
        """Visit all games as one person, and do everything that this person wants to do."""
        now, server = self.clock.now(), self.discord.world.server
        if visitor.habits.is_outside_server(now) is visitor.is_member:
            if visitor.is_member:
                server.remove_member(visitor.person.actor)
            else:
                visitor.person.actor = server.add_member(visitor.user)
            visitor.is_member = not visitor.is_member
        leaves = visitor.habits.has_given_up_seats(now)
        if not visitor.is_member or not (leaves or visitor.habits.is_visiting(now)):
            return
        self.sights.setdefault(visitor.person.id, []).append(now)
        for table in self.seats[visitor.person.id]:
            snapshot = await self.discord.snapshot(table)
            if snapshot.status is not Status.PLAYING:
                continue
            at = self._person_at(visitor.person.id, table)
            if leaves and snapshot.seat_of(at.id) is not None:
                await at.run("table leave")
            elif not leaves:
                await self._reclaim_vote_and_play(at, snapshot)
            await self._wait_until_idle()

    async def _reclaim_vote_and_play(self, player: Person, snapshot: TableSnapshot) -> None:
        """Reclaim a seat that is kept for the person, or vote; then play the person's turn."""
        board = await self._board(snapshot.id)
        kept = any(holder.kept_for == player.id for holder in snapshot.seats)
        votes = sorted(one for one in enabled_actions(board) if one.startswith("vote_"))
        if kept and "back" in enabled_actions(board):
            await player.click(board, "back")
        elif snapshot.seat_of(player.id) is not None and votes and self.chance.random() < 0.6:
            await player.click(board, self.chance.choice(votes))
        await (
            self._wait_until_idle()
        )  # a computer player may take over and end the turn, so the mention must be recorded first
        await self._play_turn(player, snapshot.id)

    async def _play_turn(self, player: Person, table: int) -> None:
        """Play while it is the person's turn: by commands if possible, else through the table service."""
        speaks = self.scenario.wholly or table not in self.spoken
        tables = self.discord.application.tables
        for _ in range(MOST_STEPS):
            snapshot = await self.discord.snapshot(table)
            if snapshot.actor is None or snapshot.actor.person != player.id:
                return
            if speaks:
                await play_by_command(player, next_move(await self.discord.game_state(table)))
                self.spoken.add(table)
                await self._record_mentions()
                if (await self.discord.snapshot(table)).version > snapshot.version:
                    continue
            # Also used for melds that a command cannot distinguish.
            seen = await tables.reading.seat_snapshot_of(table, player.id)
            if seen.view is None or not seen.view.legal:
                return
            caller = Caller(player.id, "x", self.discord.world.server.id, next(self._requests))
            await tables.play.act(caller, table, PLAYER.choose(seen.view).step)
        raise AssertionError(f"table {table} takes no step")

    async def _board(self, table: int) -> Message:
        """Return the message that shows the table."""
        row = await self.discord.application.tables.places.board_message(table)
        assert row is not None
        return next(message for message in self.rooms[table].history() if message.id == row.message)


@asynccontextmanager
async def play_month(folder: Path, scenario: MonthScenario) -> AsyncIterator[DiscordMonth]:
    """Play the scenario and yield its state after the last day."""
    clock, random = SharedClock(), Random(scenario.games)
    async with discord_world(folder, clock=clock, silence=1000 * DAY) as world:
        clock.environment = world.environment
        month = DiscordMonth(SlowGames(world, clock), scenario, random)
        await month.begin_games()
        end = clock.now() + scenario.days * DAY
        for number in range(scenario.restarts):
            await month.let_time_pass(round(random.uniform(0.5, 1.2) * scenario.days * DAY / (scenario.restarts + 1)))
            await check_alarms(world.application.tables, month.rooms, clock.now())
            if number == scenario.restarts // 2:
                await month.set_clock_forward(DAY)
            await month.restart_bot_after(
                9 * HOUR if number == scenario.restarts // 3 else random.randrange(1, 20) * MINUTE
            )
        await month.let_time_pass(max(end - clock.now(), HOUR))
        yield month
