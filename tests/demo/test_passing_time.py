"""Letting time pass in the demo: a clock that is put forward, and a slow game played with it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import aiohttp
import pytest

from bot.app import Application, build_application
from bot.clocks.clock import HOUR, MINUTE, SystemClock
from bot.clocks.time_rules import DAY
from bot.clocks.uptime import HEARTBEAT_INTERVAL
from bot.config import Settings
from bot.demo.forward_clock import NO_OUTAGE, ForwardClock, continued_clock
from bot.demo.real_time_discord import LivePreview
from bot.demo.serve import club_members_of, finish_due_work, run_simulation
from bot.demo.simulated_server import CLUB_MEMBERS, SimulatedServer
from bot.engine.rules.sets import rule_set
from bot.store.store import open_store
from bot.tables.state.snapshots import Caller
from bot.tournaments.event.entries import EntryStage
from bot.tournaments.event.plan import Plan
from bot.tournaments.event.tournament import Stage
from tests.support.discord import Message, Person, SmallPictures, enabled_actions, text_of
from tests.support.page_visitor import Visitor
from tests.support.simulated_discord import message_as_read, stored_messages


@dataclass(frozen=True, slots=True)
class Demo:
    """The demo, run in this process, with its clock."""

    preview: LivePreview
    application: Application
    clock: ForwardClock
    world: SimulatedServer

    def person(self, index: int) -> Person:
        return Person(self.preview.viewers[index], self.preview.channel)

    async def wait_for_message(self, words: str, offers: str | None = None) -> Message:
        """Return the channel's newest message with this text and this action, as soon as there is one."""
        while True:
            for one in reversed(stored_messages(self.preview.channel)):
                if words in text_of(one) and (offers is None or offers in enabled_actions(one)):
                    return message_as_read(self.preview.channel, one)
            await asyncio.sleep(0.02)

    async def wait_until_seen(self, person: Person) -> None:
        """Wait until the bot has noted that the person uses it now."""
        book = self.application.client.context.services.notices
        while await book.last_seen(person.id) < self.clock.now() - HOUR:
            await asyncio.sleep(0.02)

    async def actor(self) -> int | None:
        """Return the person who has to move."""
        holder = (await self.application.tables.reading.snapshot(1)).actor
        return None if holder is None else holder.person


@pytest.fixture
async def demo(tmp_path: Path) -> AsyncIterator[Demo]:
    clock = ForwardClock()
    settings = Settings(database=tmp_path / "c.db", computer_pace=0, emojis="off")
    async with (
        build_application(settings, clock=clock, silence=NO_OUTAGE, pictures=SmallPictures) as application,
        run_simulation(application.client, clock) as simulation,
    ):
        await application.client.wait_until_ready()
        yield Demo(simulation.preview, application, clock, simulation.world)


async def test_sleepers_are_woken_in_order() -> None:
    clock, woken = ForwardClock(), []

    async def sleep_hours(hours: int) -> None:
        await clock.sleep(hours * HOUR)
        woken.append(hours)

    sleepers = [asyncio.create_task(sleep_hours(hours)) for hours in (3, 1, 2, 30)]
    await asyncio.sleep(0)
    now = clock.now()
    await clock.let_time_pass(DAY + MINUTE)
    assert [1, 2, 3] == woken
    assert DAY + MINUTE <= clock.now() - now < DAY + HOUR
    clock.put_forward(6 * HOUR)
    await asyncio.gather(*sleepers)


async def test_a_clock_put_forward_stops_at_each_instant_that_needs_players() -> None:
    clock = ForwardClock()
    stops, asked = [clock.now() + 3 * HOUR, clock.now() + 30 * HOUR], 0

    async def next_stop() -> int | None:
        nonlocal asked
        asked += 1
        return next((one for one in stops if one > clock.now()), None)

    clock.next_stop = next_stop
    await clock.let_time_pass(DAY)
    assert 0 <= clock.now() - stops[0] < MINUTE
    await clock.let_time_pass(HOUR)
    assert 0 <= clock.now() - stops[0] - HOUR < MINUTE
    assert asked > 2 * 15


async def test_time_stops_at_check_in_and_waits_for_the_members(demo: Demo) -> None:
    """Otherwise a day would pass over the check-in of a tournament that starts on the next day."""
    tournaments, world = demo.application.tournaments, demo.world
    crowd = club_members_of(demo.application, world, demo.clock)
    crowd.start()
    demo.clock.next_stop = partial(finish_due_work, demo.application, crowd, demo.clock)
    owner = Caller(world.owner.id, "Card Club", world.server.id, 1)
    starts = demo.clock.now() + 3 * HOUR
    plan = Plan(name="Friday cup", rules=rule_set("classic", 4), drawn=True, starts_at=starts)
    draft = await tournaments.entering.create(owner, channel=world.canasta.id, plan=plan)
    await tournaments.entering.publish(replace(owner, request=2), draft.id)
    await demo.clock.let_time_pass(DAY)
    tournament = await tournaments.overview.get_tournament(draft.id)
    assert Stage.CHECK_IN is tournament.stage
    assert 0 <= demo.clock.now() - (starts - 30 * MINUTE) < MINUTE
    assert {EntryStage.HERE} == {one.stage for one in tournament.entrants}
    assert len(CLUB_MEMBERS) == len(tournament.entrants)
    await crowd.stop()


async def test_the_next_demo_continues_at_the_same_hour(tmp_path: Path) -> None:
    database = tmp_path / "c.db"
    assert (await continued_clock(database)).forward == 0
    async with open_store(database) as store:
        await store.times.note_heartbeat(SystemClock().now() + 30 * DAY)
    assert 29 * DAY < (await continued_clock(database)).forward <= 30 * DAY + HEARTBEAT_INTERVAL


async def test_the_page_lets_time_pass(demo: Demo) -> None:
    async with aiohttp.ClientSession() as session:
        visitor = Visitor(demo.preview.url, session)
        await visitor.open_page()
        async with session.get(visitor.address) as page:
            assert "/passing.js" in await page.text()
        asked = {"kind": "let_time_pass", "milliseconds": 0}
        before = (await visitor.send_request("POST", "api/action", asked))["now"]
        after = (await visitor.send_request("POST", "api/action", asked | {"milliseconds": HOUR}))["now"]
        assert HOUR <= after - before < 2 * HOUR
        for wrong in (-HOUR, 2 * DAY, "1"):
            assert (await visitor.send_request("POST", "api/action", asked | {"milliseconds": wrong}))[
                "now"
            ] < after + HOUR


PASSES = (
    (36 * HOUR, "half your time at table 1 is gone"),
    (30 * HOUR, "last reminder for table 1"),
    (7 * HOUR, "'s extra day runs until"),
    *((DAY, f"is on vacation: day {day} of 7") for day in (1, 2)),
    (DAY, "'s time is up. What now?"),
)
"""How much time passes while somebody does not play, and what the channel says then."""


async def test_a_slow_game_is_played_to_its_end_in_the_demo(demo: Demo) -> None:
    anna, ben = demo.person(0), demo.person(1)
    await anna.run("table new", players=2, clock="daily")
    await ben.run("table join")
    await anna.run("table start")
    while await demo.actor() is None:
        await asyncio.sleep(0.02)
    away, other = (anna, ben) if await demo.actor() == anna.id else (ben, anna)
    for passes, text in PASSES:
        demo.clock.put_forward(passes)
        await demo.wait_for_message(text)
        if text.startswith("last"):
            await away.run("help")
            await demo.wait_until_seen(away)
    await other.click(await demo.wait_for_message("What now?", "vote_computer"), "vote_computer")
    await demo.wait_for_message("A computer plays for")
    while await demo.actor() != other.id:
        await asyncio.sleep(0.02)
    assert "Welcome back. Played for you: " in text_of(
        await away.click(await demo.wait_for_message("A computer plays for", "back"), "back")
    )
    while "back" in enabled_actions(await demo.wait_for_message("is back.")):
        await asyncio.sleep(0.02)
    await other.run("draw")
    await other.run("table offer", what="end")
    await away.click(await demo.wait_for_message("offers to end the game", "close_yes"), "close_yes")
    await demo.wait_for_message("The game was ended by agreement.")
