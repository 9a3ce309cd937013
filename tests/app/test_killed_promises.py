"""Promised effects of a change happen exactly once, wherever the process is killed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Protocol

import discord as library
import pytest

from bot.clocks.clock import MINUTE, SECOND
from bot.ratings.rating_rules import MatchId
from bot.tables.core.limits import Limits
from bot.tables.state.clocks import TableSettings
from tests.cogs.test_rating_displays import WON
from tests.support.bot_killer import POINTS, BotKilled, BotKiller
from tests.support.database_search import columns_containing
from tests.support.discord import STILL, conclude_game
from tests.support.discord_tournaments import CupServer, cup_world
from tests.support.seeds import SEARCHING
from tests.support.slow_discord_games import open_direct_messages

ROUNDS: Final = 10 if SEARCHING else 1
"""How often the process is killed at each point."""

PLACES: Final = ROUNDS * len(POINTS)


class ChangeWithPromise(Protocol):
    """A kind of change that promises an effect; each `number` concerns other people and targets."""

    kind: str
    method: str

    async def prepare_change(self, cup: CupServer, case_number: int) -> str:
        """Prepare what the change needs; return the path of the request that keeps its promise."""

    async def make_promising_change(self, cup: CupServer, case_number: int) -> None:
        """Make the change that promises the effect."""

    async def count_effects(self, cup: CupServer, case_number: int) -> int:
        """Return how often the promised effect has happened."""


class ChangePromisingLetters:
    kind, method = "letter", "POST"

    async def prepare_change(self, cup: CupServer, case_number: int) -> str:
        if not case_number:
            await cup.publish(drawn=False, places=64)
        partner = cup.person(2 * case_number + 1)
        await cup.discord.application.client.context.profiles.change_preferences(partner.id, {"notices": "dm"})
        await open_direct_messages(cup.discord, partner.id)
        return f"/channels/{self._private_channel(cup, case_number)}/messages"

    def _private_channel(self, cup: CupServer, case_number: int) -> int:
        return cup.discord.environment.backend.get_dm_channel(cup.person(2 * case_number + 1).id).id

    async def make_promising_change(self, cup: CupServer, case_number: int) -> None:
        first, second = cup.person(2 * case_number), cup.person(2 * case_number + 1)
        entering = cup.discord.application.tournaments.entering
        await entering.enter(cup.caller(first), 1, partners={second.id: "Ben"})

    async def count_effects(self, cup: CupServer, case_number: int) -> int:
        """Discord makes no second message for a repeated nonce."""
        path = f"/channels/{self._private_channel(cup, case_number)}/messages"
        sent: list[Any] = [one.json for one in cup.discord.environment.http_requests if one.path == path]
        assert all(one["enforce_nonce"] for one in sent)
        return len({one["nonce"] for one in sent})


class ChangePromisingEvents:
    kind, method = "event", "POST"

    async def prepare_change(self, cup: CupServer, case_number: int) -> str:
        plan = cup.plan(name=f"Cup {case_number}.")
        entering = cup.discord.application.tournaments.entering
        await entering.create(cup.caller(cup.organiser), channel=cup.channel.id, plan=plan)
        return rf"/guilds/{cup.discord.world.server.id}/scheduled-events"

    async def make_promising_change(self, cup: CupServer, case_number: int) -> None:
        await cup.discord.application.tournaments.entering.publish(cup.caller(cup.organiser), case_number + 1)

    async def count_effects(self, cup: CupServer, case_number: int) -> int:
        server = await cup.discord.application.client.fetch_guild(cup.discord.world.server.id)
        return sum(one.name == f"Cup {case_number}." for one in await server.fetch_scheduled_events())


async def open_thread(cup: CupServer, kind: library.ChannelType) -> int:
    """Return a new thread that the bot has opened."""
    channel: Any = cup.discord.application.client.get_channel(cup.channel.id)
    return int((await channel.create_thread(name="table", type=kind)).id)


class ChangePromisingMembers:
    kind, method = "member", "PUT"

    async def prepare_change(self, cup: CupServer, case_number: int) -> str:
        thread = await open_thread(cup, library.ChannelType.private_thread)
        await cup.discord.application.tables.lobby.create(
            cup.caller(cup.person(2 * case_number)),
            channel=cup.channel.id,
            thread=thread,
            players=2,
            settings=replace(TableSettings(), private_thread=True),
        )
        return rf"/channels/{thread}/thread-members/\d+"

    async def make_promising_change(self, cup: CupServer, case_number: int) -> None:
        await cup.discord.application.tables.lobby.join(cup.caller(cup.person(2 * case_number + 1)), case_number + 1)

    async def count_effects(self, cup: CupServer, case_number: int) -> int:
        snapshot = await cup.discord.snapshot(case_number + 1)
        channel = cup.discord.environment.backend.get_channel(snapshot.thread or 0)
        return int(cup.person(2 * case_number + 1).id in channel.thread_members)


class ChangePromisingArchives:
    kind, method = "archive", "PATCH"

    async def prepare_change(self, cup: CupServer, case_number: int) -> str:
        thread = await open_thread(cup, library.ChannelType.public_thread)
        await cup.discord.application.tables.lobby.create(
            cup.caller(cup.person(case_number)), channel=cup.channel.id, thread=thread, players=2
        )
        await cup.wait_until_idle()
        return f"/channels/{thread}"

    async def make_promising_change(self, cup: CupServer, case_number: int) -> None:
        await cup.discord.application.tables.lobby.close(cup.caller(cup.person(case_number)), case_number + 1)

    async def count_effects(self, cup: CupServer, case_number: int) -> int:
        snapshot = await cup.discord.snapshot(case_number + 1)
        metadata = cup.discord.environment.backend.get_channel(snapshot.thread or 0).thread_metadata
        return int(metadata is not None and metadata.archived)


class ChangePromisingBoardDeletions:
    kind, method = "old_board", "DELETE"

    async def prepare_change(self, cup: CupServer, case_number: int) -> str:
        await cup.discord.application.tables.lobby.create(
            cup.caller(cup.person(case_number)), channel=cup.channel.id, players=2
        )
        await cup.wait_until_idle()
        self._before = (await cup.discord.board(case_number + 1)).id
        return f"/channels/{cup.channel.id}/messages/{self._before}"

    async def make_promising_change(self, cup: CupServer, case_number: int) -> None:
        cup.discord.application.client.board_updater.request_update(case_number + 1, repost=True)

    async def count_effects(self, cup: CupServer, case_number: int) -> int:
        shown = await cup.discord.board(case_number + 1)
        there = [message.id for message in cup.channel.history()]
        return int(self._before not in there and shown.id in there)


class ChangePromisingPersonDeletions:
    kind, method = "forget", "RUN"

    async def prepare_change(self, cup: CupServer, case_number: int) -> str:
        await cup.discord.application.client.context.profiles.change_preferences(
            cup.person(case_number).id, {"notices": "dm"}
        )
        return r"PlayerStore.forget.*"

    async def make_promising_change(self, cup: CupServer, case_number: int) -> None:
        await cup.discord.application.tables.people.forget(cup.caller(cup.person(case_number)))

    async def count_effects(self, cup: CupServer, case_number: int) -> int:
        return int(not columns_containing(cup.discord.database, str(cup.person(case_number).id)))


class ChangePromisingRatings:
    kind, method = "rate", "RUN"

    async def prepare_change(self, cup: CupServer, case_number: int) -> str:
        lobby = cup.discord.application.tables.lobby
        settings = replace(TableSettings(), rated=True)
        host, guest = cup.person(2 * case_number), cup.person(2 * case_number + 1)
        await lobby.create(cup.caller(host), channel=cup.channel.id, players=2, settings=settings)
        await lobby.join(cup.caller(guest), case_number + 1)
        await lobby.start(cup.caller(host), case_number + 1)
        return r"RatingStore.*"

    async def make_promising_change(self, cup: CupServer, case_number: int) -> None:
        await conclude_game(cup.discord, WON, case_number + 1)

    async def count_effects(self, cup: CupServer, case_number: int) -> int:
        ratings = cup.discord.application.client.context.ratings
        return int(await ratings.is_rated(MatchId(0, case_number + 1)))


ALL: Final[tuple[ChangeWithPromise, ...]] = (
    ChangePromisingLetters(),
    ChangePromisingEvents(),
    ChangePromisingMembers(),
    ChangePromisingArchives(),
    ChangePromisingBoardDeletions(),
    ChangePromisingPersonDeletions(),
    ChangePromisingRatings(),
)


ROOMY: Final = Limits(burst=1_000_000, refill=1, tables_per_guild=1_000)
"""Limits that allow as many tables as the nightly search opens."""


@pytest.fixture
async def cup(tmp_path: Path) -> AsyncIterator[CupServer]:
    async with cup_world(tmp_path, people=2 * PLACES, rhythm=STILL, limits=ROOMY) as world:
        yield world


async def wait_until_killed(cup: CupServer, killer: BotKiller) -> None:
    """Let time pass until the process is killed, or its request has been sent."""
    for _ in range(500):
        if killer.is_bot_killed or not killer.point:
            return
        await asyncio.sleep(0.01)
        cup.clock.advance(SECOND)
    raise AssertionError("nothing was done")


async def kill_and_restart(
    cup: CupServer, promising: ChangeWithPromise, case_number: int, point: str, *, late: bool = False
) -> None:
    """Make a change, kill the process at that point of keeping its promise, and restart it."""
    path = await promising.prepare_change(cup, case_number)
    await cup.wait_until_idle()
    without_request = promising.method == "RUN" and point == "stopping"
    killer = BotKiller(cup.discord, promising.kind, promising.method, path, "" if without_request else point, late)
    killer.wrap_requests_and_writes()
    try:
        await promising.make_promising_change(cup, case_number)
    except BotKilled:
        assert killer.is_bot_killed
    await wait_until_killed(cup, killer)
    await killer.restart_bot()
    await cup.wait_until_idle()
    cup.clock.advance(MINUTE + 10 * SECOND)  # an old board whose successor is unknown is removed after a minute
    await cup.wait_until_idle()


async def wait_until_promises_are_kept(cup: CupServer) -> None:
    """Let time pass until no promise is open, for at most three minutes.

    That much may be needed: pauses between attempts grow, and tournaments played before add effects of their own.
    """
    outbox = cup.discord.application.tables._context.store.outbox
    for _ in range(6):
        if not await outbox.all_promises():
            return
        cup.clock.advance(30 * SECOND)
        await cup.wait_until_idle()
    assert [] == [one.key for one in await outbox.all_promises()]


@pytest.mark.parametrize("promising", ALL, ids=lambda one: one.kind)
async def test_a_promise_is_kept_once_wherever_the_process_is_killed(
    cup: CupServer, promising: ChangeWithPromise
) -> None:
    for number in range(PLACES):
        point = POINTS[number % len(POINTS)]
        await kill_and_restart(cup, promising, number, point)
        if point == "before_commit":
            assert 0 == await promising.count_effects(cup, number)
            await promising.make_promising_change(cup, number)
            await cup.wait_until_idle()
            cup.clock.advance(10 * SECOND)
            await cup.wait_until_idle()
        await wait_until_promises_are_kept(cup)
        assert (point, 1) == (point, await promising.count_effects(cup, number))


async def test_a_promise_written_after_its_change_is_lost_with_the_process(cup: CupServer) -> None:
    """A control: the other tests of this file would notice a lost promise."""
    await kill_and_restart(cup, ChangePromisingLetters(), 0, "after_commit", late=True)
    assert 0 == await ChangePromisingLetters().count_effects(cup, 0)
