"""Slow games in the simulated Discord, where only the test advances time; and the bot's mentions."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from simcord import ChannelHandle

from bot.clocks.clock import HOUR, SECOND
from bot.clocks.time_rules import ClockTerms, Stage
from bot.engine.moves.actions import DRAW, Discard
from bot.tables.state.clocks import TableSettings
from tests.cogs.test_table_messages import RecordedRequests, caller, mentioned_people
from tests.support.clock import ManualClock, ShiftedClock
from tests.support.discord import Discord, Message, Person, all_components, text_of

TERMS = ClockTerms("custom", 20 * HOUR, 4 * HOUR, 20 * HOUR)
"""A clock with reminders after ten hours, when half of the time is gone, and after eighteen, when two are left."""

SETTINGS = TableSettings(clock=TERMS)


async def open_direct_messages(discord: Discord, person: int) -> None:
    """Store the person's channel for direct messages, as choosing them in the settings does.

    No message is written there.
    """
    channel = discord.environment.backend.get_dm_channel(person)
    book = discord.application.client.context.services.notices
    await book.store_direct_channel(person, channel.id, 0)


@dataclass(slots=True)
class SlowGames:
    """A simulated Discord with slow games, in which only the test advances time.

    None of that time counts as an outage.
    """

    discord: Discord
    clock: ManualClock | ShiftedClock
    persons: tuple[Person, ...] = field(default=())

    async def start_game(self, *, table: int = 1, thread: bool = False, settings: TableSettings = SETTINGS) -> None:
        """Start a game for two people with slow clocks."""
        tables, world = self.discord.application.tables, self.discord.world
        you, friend = self.persons = self.discord.person(0), self.discord.person(1)
        channel = world.tables if thread else world.canasta
        place: dict[str, Any] = {"channel": channel.id}
        if thread:
            opened = self.discord.environment.backend.create_thread(channel.id, "table", world.server.owner.id)
            place["thread"] = opened.id
        await tables.lobby.create(caller(self.discord, you), players=2, settings=settings, **place)
        await tables.lobby.join(caller(self.discord, friend), table)
        await tables.lobby.start(caller(self.discord, you), table)
        await self.wait_until_idle()

    async def person_in_turn(self, table: int = 1) -> Person:
        """Return the person who has to move."""
        holder = (await self.discord.snapshot(table)).actor
        assert holder is not None
        return next(one for one in self.persons if one.id == holder.person)

    async def play_turn(self, table: int = 1) -> None:
        """Let the person in turn draw and discard through the table service, without a message."""
        tables, person = self.discord.application.tables, await self.person_in_turn(table)
        snapshot = await tables.play.act(caller(self.discord, person), table, DRAW)
        card = (await self.discord.game_state(table)).hands[snapshot.snapshot.seat][0]
        await tables.play.act(caller(self.discord, person), table, Discard(card >> 2))
        await self.wait_until_idle()

    async def pass_time(self, milliseconds: int, stage: Stage | None = None, table: int = 1) -> None:
        """Advance the time, with `stage` on until the table's clock is in it; then wait for all notices."""
        self.clock.advance(milliseconds)
        await self._ring_alarms()
        while stage is not None and await self.clock_stage(table) is not stage:
            self.clock.advance(10 * SECOND)
            await self._ring_alarms()
        for _ in range(50):
            await asyncio.sleep(0)
        await self.wait_until_idle()

    async def _ring_alarms(self) -> None:
        """Do everything that is due now; the scheduler is not used."""
        tables = self.discord.application.tables
        for timer in await tables._context.store.times.due_timers(self.clock.now(), 50):
            await tables.deadlines.fire_deadline(timer.table, timer.kind)

    async def clock_stage(self, table: int = 1) -> Stage | None:
        clocks = (await self.discord.snapshot(table)).clocks
        return None if clocks is None else clocks.stage

    async def wait_until_idle(self) -> None:
        """Wait until everything that is due now is shown and sent."""
        for _ in range(3):
            await self.discord.environment.settle()
            await self.discord.application.client.board_updater.wait_until_idle()
            await self.discord.application.client.notices.wait_until_idle()

    async def choose_notices(self, person: Person, **chosen: str) -> None:
        """Store how a person wants to be notified, as the settings do."""
        store = self.discord.application.client.context.services.notices._store
        await store.preferences.set("person", person.id, chosen)
        if chosen.get("notices") == "dm" or "digest" in chosen:
            await open_direct_messages(self.discord, person.id)

    def direct_messages(self, person: Person) -> list[Message]:
        """Return the direct messages that the person has received."""
        return list(self.dm_channel(person).history())

    def dm_channel(self, person: Person) -> ChannelHandle:
        """Return the channel of direct messages with the person."""
        environment = self.discord.environment
        return ChannelHandle(environment, None, environment.backend.get_dm_channel(person.id))

    def reminders(self, *, thread: bool = False) -> list[Message]:
        """Return the public reminders of time running out in the channel, or with `thread` in threads."""
        world = self.discord.world
        channels = [*world.tables.threads, world.tables] if thread else [world.canasta]
        found = [one for channel in channels for one in channel.history() if not one.flags.ephemeral]
        return [one for one in found if any(word in text_of(one) for word in ("reminder", "half your", "your turn at"))]


def mentions(requests: RecordedRequests) -> list[tuple[str, str]]:
    """Return each person whom the bot mentioned in these requests, with the text."""
    made = [
        (mentioned_people(body), text_of_body(body))
        for method, body in requests.requests_about_messages()
        if method == "POST"
    ]
    return [(persons[0], text) for persons, text in made if persons]


def text_of_body(body: dict[str, Any]) -> str:
    """Return all text in the body of a message."""
    return "\n".join(one["content"] for one in all_components(MessageBody(body["components"])) if one["type"] == 10)


@dataclass(slots=True)
class MessageBody:
    components: list[dict[str, Any]]
