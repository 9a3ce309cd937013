"""A bot that is killed after posting a board, before it notes that, finds the message again."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

from bot.clocks.clock import MINUTE
from bot.loopback.injected_faults import Fault
from bot.loopback.people import Person
from bot.loopback.process import BotProcess
from bot.loopback.requests import Request
from bot.loopback.rest import RestServer
from bot.loopback.world import WITHOUT_THREADS, Channel
from tests.support.forked_processes import running_forked_bot
from tests.wire.board_player import OF_BOARDS, SECONDS, DatabaseReader, controls

STEERED = ("tests.wire.steered_bot",)


@dataclass(slots=True)
class KillAfterPost:
    """Kills the bot when Discord has posted a board, before the bot can read the answer."""

    bot: BotProcess
    channel: Channel
    killed: asyncio.Event = field(default_factory=asyncio.Event)

    async def before_request(self, asked: Request) -> Fault | None:
        """Let Discord answer every request."""

    async def after_request(self, asked: Request) -> None:
        is_post = (asked.method, asked.path) == ("POST", f"/channels/{self.channel.id}/messages")
        if (
            is_post
            and not self.killed.is_set()
            and board_ids_in_channel(self.channel)[-1:] == [max(self.channel.messages)]
        ):
            await self.bot.kill()
            self.killed.set()


def board_ids_in_channel(channel: Channel) -> list[int]:
    """Return the ids of the messages with the controls of a board."""
    return [
        number
        for number, message in channel.messages.items()
        if any(action in {*OF_BOARDS, "sit"} for action, _ in controls(message))
    ]


async def kill_after_command(bot: BotProcess, host: Person, act: str, **options: int) -> None:
    """Let the person use a command; kill the bot as soon as it has posted the board because of it."""
    kill = KillAfterPost(bot, host.channel)
    host.rest.disturbances.append(kill)
    asked = asyncio.create_task(host.use_command(act, **options))
    await asyncio.wait_for(kill.killed.wait(), SECONDS)
    asked.cancel()
    host.rest.disturbances.remove(kill)


async def wait_until_message_is_noted(bot: BotProcess, channel: Channel, *, shown: int, minutes: int = 0) -> None:
    """Put the bot's clock forward until it has noted its message, and `shown` boards are left."""
    stored = DatabaseReader(bot.database)
    await bot.put_clock_forward(minutes * MINUTE)
    async with asyncio.timeout(SECONDS):
        while (
            stored.query_database("SELECT id FROM outbox")
            or not stored.query_database("SELECT 1 FROM messages WHERE behind = 0")
            or len(board_ids_in_channel(channel)) != shown
        ):
            await asyncio.sleep(0.05)


async def test_a_posted_board_is_found_again(rest: RestServer, tmp_path: Path) -> None:
    """The board is the first one of a table, or replaces another one."""
    host = Person(rest, rest.world.add_channel("canasta", WITHOUT_THREADS), "host")
    async with running_forked_bot(rest, tmp_path, program=STEERED) as bot:
        await kill_after_command(bot, host, "table new", players=2)
    first = board_ids_in_channel(host.channel)
    async with running_forked_bot(rest, tmp_path, program=STEERED) as bot:
        await wait_until_message_is_noted(bot, host.channel, shown=1)
        assert first == board_ids_in_channel(host.channel)
        await kill_after_command(bot, host, "table show")
    second = board_ids_in_channel(host.channel)
    assert (2, first) == (len(second), second[:1])
    async with running_forked_bot(rest, tmp_path, program=STEERED) as bot:
        await wait_until_message_is_noted(bot, host.channel, shown=1, minutes=2)
    assert second[1:] == board_ids_in_channel(host.channel)


async def test_a_post_that_discord_does_not_know_any_more_is_made_again(rest: RestServer, tmp_path: Path) -> None:
    """If Discord has forgotten the nonce, a second board is posted; so the test above can fail."""
    host = Person(rest, rest.world.add_channel("canasta", WITHOUT_THREADS), "host")
    async with running_forked_bot(rest, tmp_path, program=STEERED) as bot:
        await kill_after_command(bot, host, "table new", players=2)
    rest.world.nonces.clear()
    async with running_forked_bot(rest, tmp_path, program=STEERED) as bot:
        await wait_until_message_is_noted(bot, host.channel, shown=2)
