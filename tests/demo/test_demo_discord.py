"""The demo's simulated Discord: the features of SimCord that it needs, tried with a tiny bot."""

import asyncio
import socket
from collections.abc import AsyncIterator

import aiohttp
import discord
import pytest
import simcord
from discord.ext import commands

from bot.demo.real_time_discord import LiveEnvironment, LivePreview
from bot.demo.serve import HOST, PortTakenError, choose_port, run_simulation
from bot.demo.simulated_server import SimulatedServer, make_server
from tests.support.page_visitor import Visitor


def buttons(*labels: str) -> discord.ui.View:
    """Return a row of buttons with these labels, which are their custom ids too."""
    row = discord.ui.View(timeout=None)
    for label in labels:
        row.add_item(discord.ui.Button(label=label, custom_id=label))
    return row


class EchoBot(commands.AutoShardedBot):
    """A bot that answers `/say`, and edits its answer a moment later by a timer of its own.

    It answers `/choose` with buttons, and notes which are `pressed`. A click is acknowledged at once, and answered when
    the bot is `ready_to_answer`.
    """

    def __init__(self) -> None:
        super().__init__(commands.when_mentioned, intents=discord.Intents(guilds=True))
        self.later = asyncio.Event()
        self.pressed: list[object] = []
        self.ready_to_answer = asyncio.Event()

    async def setup_hook(self) -> None:
        @self.tree.command(name="say", description="Say something")
        async def say(interaction: discord.Interaction, words: str) -> None:
            await interaction.response.send_message(words)
            self.edit = asyncio.create_task(self.edit_later(interaction))

        @self.tree.command(name="choose", description="Show buttons")
        async def choose(interaction: discord.Interaction) -> None:
            await interaction.response.send_message(view=buttons("Left", "Right"))
            self.choice = await interaction.original_response()

        await self.tree.sync()

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        if interaction.type is discord.InteractionType.component:
            self.pressed.append(dict(interaction.data or {})["custom_id"])
            await interaction.response.defer()
            await self.ready_to_answer.wait()
            await interaction.edit_original_response(view=buttons("Done"))

    async def edit_later(self, interaction: discord.Interaction) -> None:
        await asyncio.sleep(0.05)
        message = await interaction.original_response()
        await message.edit(content=f"{message.content}!")
        self.later.set()


@pytest.fixture
async def preview() -> AsyncIterator[LivePreview]:
    async with run_simulation(EchoBot()) as one:
        yield one.preview


def echo(preview: LivePreview) -> EchoBot:
    assert isinstance(preview.env.bot, EchoBot)
    return preview.env.bot


@pytest.fixture
async def visitor(preview: LivePreview) -> AsyncIterator[Visitor]:
    async with aiohttp.ClientSession() as session:
        one = Visitor(preview.url, session)
        await one.open_page()
        yield one


def ids_in_world(world: SimulatedServer) -> list[int]:
    people = [person.id for person in world.people]
    return [world.server.id, world.server.owner.id, world.canasta.id, world.tables.id, *people]


async def test_server_channels_and_people_have_the_same_ids_at_every_start() -> None:
    first, second = LiveEnvironment(EchoBot()), LiveEnvironment(EchoBot())
    assert ids_in_world(make_server(first)) == ids_in_world(make_server(second))
    assert first.backend.bot_user.id == second.backend.bot_user.id
    assert first.backend.application_id == second.backend.application_id


async def test_the_world_can_also_be_made_in_a_test_environment() -> None:
    environment = simcord.Env(EchoBot(), shard_count=1)
    world = make_server(environment)
    await environment.start()
    try:
        answer = await world.people[1].slash(world.tables, "say", words="Hello")
        assert answer.response is not None
    finally:
        await environment.shutdown()


async def test_later_ids_never_repeat_ids_of_an_earlier_start() -> None:
    given = []
    for _ in range(2):
        async with run_simulation(EchoBot()) as simulation:
            preview = simulation.preview
            answer = await preview.viewers[0].slash(preview.channel, "say", words="Hello")
            given.append({answer._interaction.id, answer.response.id})
            await echo(preview).later.wait()
    assert not given[0] & given[1]


async def test_a_command_returns_with_its_answer(visitor: Visitor) -> None:
    receipt = await visitor.run_command("say", words="Hello")
    assert (receipt["settlement"], receipt["acknowledgement"]) == ("settled", "acknowledged")
    assert (await visitor.message_texts())[-1].startswith("Hello")


async def test_actions_of_the_bot_itself_are_shown(visitor: Visitor) -> None:
    await visitor.run_command("say", words="Hello")
    while (await visitor.message_texts())[-1] != "Hello!":
        await asyncio.sleep(0.02)


async def test_a_page_that_has_changed_meanwhile_still_takes_a_click(preview: LivePreview, visitor: Visitor) -> None:
    await preview.viewers[1].slash(preview.channel, "say", words="first")
    await echo(preview).later.wait()
    while (await visitor.send_request("GET", "api/state"))["publishedRevision"] == visitor.page["publishedRevision"]:
        await asyncio.sleep(0.02)
    receipt = await visitor.run_command("say", words="second")
    assert not receipt["rejected"]


@pytest.mark.parametrize("now", [("Right", "Left"), ("Right",), ("Other",), ("Left", "Right")])
async def test_a_click_presses_the_button_that_the_visitor_saw(
    preview: LivePreview, visitor: Visitor, now: tuple[str, ...]
) -> None:
    await visitor.run_command("choose")
    await visitor.message_texts()
    await echo(preview).choice.edit(view=buttons(*now))
    receipt = await visitor.press("Left")
    assert ("settled", ["Left"]) == (receipt["settlement"], echo(preview).pressed)


async def test_a_click_is_reported_as_acknowledged_until_it_is_answered(preview: LivePreview, visitor: Visitor) -> None:
    await visitor.run_command("choose")
    await visitor.message_texts()
    assert "deferred" == (await visitor.press("Left"))["acknowledgement"]
    await echo(preview).choice.edit(view=buttons("Left", "Other"))
    while "Other" not in (await visitor.message_texts())[-1]:
        await asyncio.sleep(0.02)
    assert ["deferred"] == [one["kind"] for one in visitor.page["lastAction"]["outcomes"]]
    echo(preview).ready_to_answer.set()
    while "Done" not in (await visitor.message_texts())[-1]:
        await asyncio.sleep(0.02)
    assert ["source_edit"] == [one["kind"] for one in visitor.page["lastAction"]["outcomes"]]


async def test_the_bot_may_open_public_threads_in_one_channel_and_private_ones_in_both(preview: LivePreview) -> None:
    """So tables can be seen in the channel, and a duplicate can be tried there."""
    server = preview.env.bot.guilds[0]
    allowed = {channel.name: channel.permissions_for(server.me) for channel in server.text_channels}
    may = {name: (one.create_public_threads, one.create_private_threads) for name, one in allowed.items()}
    assert may == {"canasta": (False, True), "tables": (True, True)}


def test_a_taken_port_is_reported_if_requested_and_avoided_otherwise() -> None:
    with socket.socket() as other:
        other.bind((HOST, 0))
        other.listen()
        taken = other.getsockname()[1]
        with pytest.raises(PortTakenError):
            choose_port(taken)
        assert choose_port(None, usual=taken) == 0
