"""The whole bot in a simulated Discord, on a real file, with simulated people who type and click."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from discord import app_commands
from simcord import ChannelHandle, MemberActor

from bot.app import Application, build_application
from bot.clocks.clock import HOUR, MINUTE, SECOND, Clock
from bot.clocks.time_rules import DAY
from bot.clocks.uptime import LONGEST_SILENCE
from bot.computer.player import ComputerPlayer
from bot.config import Settings
from bot.demo.simulated_server import SimulatedServer, make_server
from bot.engine.table.state import State
from bot.i18n import DEFAULT, words
from bot.tables.core.limits import Limits
from bot.tables.state.clocks import Conclusion
from bot.tables.state.events import GameConcluded
from bot.tables.state.requests import Decision, TableRequest
from bot.tables.state.snapshots import TableSnapshot
from bot.tables.state.table import Table
from cogs.shared.discord_api.command_tree import AnyCommand
from cogs.shared.discord_api.components import TEXT_STYLE
from cogs.shared.posting.edit_schedule import AT_ONCE, EditSchedule
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.telling.explanations import explain_problem
from render.picture_inputs import Picture
from render.picture_queue import PictureQueue
from tests.support.clock import ShiftedClock
from tests.support.discord_schema import request_faults
from tests.support.empty_database import write_empty_database
from tests.support.simulated_discord import SimulatedDiscord, message_as_read, stored_messages
from tests.support.stacked_dealer import StackedDealer, numbered_seeds

_small_pictures = PictureQueue(pixels=200)


@lru_cache(maxsize=1_000)
def _draw_small(picture: Picture) -> bytes:
    return _small_pictures.draw_blocking(picture)


class SmallPictures(PictureQueue):
    """Draws every picture completely but small, because drawing is slow and these tests do not look at it.

    Many tests begin with the same cards, so a picture is drawn once for all of them.
    """

    def draw_blocking(self, picture: Picture) -> bytes:
        """Draw the picture small, unless a test of this process has needed an equal one lately."""
        return _draw_small(picture)


PATIENT = Limits(burst=1_000_000, refill=1)
"""Limits that no test exceeds."""

STILL = replace(AT_ONCE, panels=HOUR)
"""Boards are written at once; panels change only when used."""

LIVELY = replace(AT_ONCE, panels=MINUTE)
"""Boards are written at once; panels update after a minute (`Discord.pass_time`)."""

Message = Any
"""A message from SimCord: an interaction's answer, or one from a channel's history."""


def all_components(message: Message) -> Iterator[dict[str, Any]]:
    """Yield every component of a message, outer ones first."""
    yield from _components_within([one if isinstance(one, dict) else one.to_dict() for one in message.components])


def _components_within(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield these components and those nested in them, outer ones first."""
    for one in components:
        yield one
        yield from _components_within([*one.get("components", []), *([one["accessory"]] if "accessory" in one else [])])


def text_of(message: Message) -> str:
    """Return all text of a message, with suits as plain symbols (no emoji style), as users type them."""
    text = "\n".join(one["content"] for one in all_components(message) if one["type"] == 10)
    return text.replace(TEXT_STYLE, "")


def controls(message: Message) -> dict[str, dict[str, Any]]:
    """Return the message's button or menu for each action."""
    return {one["custom_id"].split(":")[3]: one for one in all_components(message) if "custom_id" in one}


def control_arguments(message: Message, action: str) -> list[str]:
    """Return the arguments of the controls with that name, in display order."""
    ids = [one["custom_id"].split(":") for one in all_components(message) if "custom_id" in one]
    return [parts[4] for parts in ids if parts[3] == action]


def labels(message: Message) -> list[str]:
    """Return the labels of a message's buttons."""
    return [str(one.get("label") or "").replace(TEXT_STYLE, "") for one in all_components(message) if one["type"] == 2]


def enabled_actions(message: Message) -> set[str]:
    """Return the actions of a message's enabled controls."""
    return {action for action, one in controls(message).items() if not one.get("disabled")}


def input_error_text(code: InputCode, **detail: int | str) -> str:
    """Return the bot's error text for the code of an invalid input."""
    return explain_problem(words(DEFAULT), InputProblem(code, detail)).replace(TEXT_STYLE, "")


def picture_captions(message: Message) -> list[str]:
    """Return the captions of a message's pictures."""
    galleries = (one for one in all_components(message) if one["type"] == 12)
    return [item.get("description") or "" for gallery in galleries for item in gallery["items"]]


def all_content_text(message: Message) -> str:
    """Return all content of a message as text: words, captions, file names, custom ids, menu options."""
    attachments = [f"{one.filename} {one.description or ''}" for one in message.attachments]
    return "\n".join([repr(list(all_components(message))), *attachments])


@dataclass(slots=True)
class Person:
    """A simulated server member acting in one channel."""

    actor: MemberActor
    channel: ChannelHandle

    @property
    def id(self) -> int:
        return self.actor.id

    async def run(self, command: str, /, **options: Any) -> Message:
        """Use a slash command and return the bot's answer."""
        answer = await self.actor.slash(self.channel, command, **options)
        assert answer.acknowledged
        return answer.followups[-1] if answer.followups else answer.response

    async def click(self, message: Message, action: str, argument: str | None = None) -> Message:
        """Click an action's button, with this argument if several share it.

        Return the answer or updated message.
        """
        custom_id = controls(message)[action]["custom_id"]
        if argument is not None:
            custom_id = ":".join([*custom_id.split(":")[:4], argument])
        answer = await self.actor.click(message, custom_id=custom_id)
        assert answer.acknowledged
        return answer.followups[-1] if answer.followups else answer.response

    async def press_exact_button(self, message: Message, action: str, argument: str) -> Message:
        """Click the button with exactly this action and argument, and return the answer."""
        ids = [one["custom_id"] for one in all_components(message) if "custom_id" in one]
        wanted = next(one for one in ids if one.split(":")[3:] == [action, argument])
        answer = await self.actor.click(message, custom_id=wanted)
        assert answer.acknowledged
        return answer.followups[-1] if answer.followups else answer.response

    async def open_description(self, panel: Message) -> Message:
        """Open the description of table and hand in words by the ⋯ menu, and return it."""
        return await self.click(await self.click(panel, "more"), "board_text")

    async def choose(self, message: Message, action: str, *values: str) -> Message:
        """Choose values in a menu and return the answer."""
        answer = await self.actor.select(message, values, custom_id=controls(message)[action]["custom_id"])
        assert answer.acknowledged
        return answer.followups[-1] if answer.followups else answer.response

    async def fill_form(self, message: Message, action: str, text: str) -> Message:
        """Click a button that opens a form, submit the form with this text, and return the answer."""
        answer = await self.actor.click(message, custom_id=controls(message)[action]["custom_id"])
        assert answer.modal is not None
        sent = await self.actor.submit_modal(answer, {"text": text})
        assert sent.acknowledged
        return sent.followups[-1] if sent.followups else sent.response

    async def suggestions(self, command: str, option: str, typed: str = "", /, **filled: Any) -> list[str]:
        """Return the autocompletion values for a command option."""
        found = await self.actor.autocomplete(self.channel, command, option, typed, **filled)
        return [choice["value"] for choice in found]

    def visible_messages(self) -> list[Message]:
        """Return every message in the channel that this person can see."""
        return list(self.channel.history(viewer=self.actor))

    def panels(self) -> list[Message]:
        """Return this person's private panels (hand or waiting), each with its current content."""
        own = (one for one in stored_messages(self.channel) if one.is_ephemeral and one.visible_to(self.id))
        return [message_as_read(self.channel, one) for one in own if {"more", "refresh"} & controls(one).keys()]

    def panel(self) -> Message:
        """Return this person's only panel; fail if there is not exactly one."""
        (panel,) = self.panels()
        return panel


@dataclass(slots=True)
class Discord:
    """The simulated server with the bot in it."""

    environment: SimulatedDiscord
    world: SimulatedServer
    database: Path
    application: Application
    options: dict[str, Any]
    stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    errors_seen: int = 0

    @property
    def dealer(self) -> StackedDealer:
        """The source of seeds and packs, which a test can replace with a stacked pack or numbered seeds."""
        dealer: StackedDealer = self.options["dealer"]
        return dealer

    def person(self, index: int, channel: ChannelHandle | None = None) -> Person:
        """Return a simulated person by index, in the given channel or the default one."""
        return Person(self.world.people[index], channel or self.world.canasta)

    def errors(self) -> tuple[BaseException, ...]:
        """Return the errors that the bot has raised since the last call.

        A world that closes fails on any others.
        """
        found = self.environment.errors_since(self.errors_seen)
        self.errors_seen += len(found)
        return found

    async def restart(self, *, meanwhile: Callable[[], None] = lambda: None, in_every_language: bool = False) -> None:
        """Stop the bot, discard everything that it held in memory, and start it on the same file.

        It describes its commands briefly (`describe_commands_briefly`), or `in_every_language`.
        """
        await self.stack.aclose()
        meanwhile()
        self.stack = AsyncExitStack()
        self.application = await self.stack.enter_async_context(build_application(**self.options))
        with nullcontext() if in_every_language else describe_commands_briefly():
            await self.environment.restart_bot(self.application.client)
        await self.environment.settle()

    @asynccontextmanager
    async def hold_requests(self) -> AsyncIterator[None]:
        """Hold all clicks and commands made in this context, so that the bot gets them together at its end."""
        with self.environment.hold_requests():
            yield
        await self.environment.settle()

    async def pass_time(self, seconds: float = 61) -> None:
        """Let this many seconds pass; live panels update meanwhile."""
        clock = self.options["clock"]
        if isinstance(clock, ShiftedClock):
            clock.forward += round(seconds * SECOND)
        await self.environment.advance_time(seconds)

    async def snapshot(self, table: int = 1) -> TableSnapshot:
        """Return the table's public snapshot."""
        return await self.application.tables.reading.snapshot(table)

    async def game_state(self, table: int = 1) -> State:
        """Return the full state of the game, with hidden cards.

        Tests check with it that hidden cards are never shown.
        """
        game = (await self.application.tables._context.repository.get(table)).record.game
        assert game is not None
        return game

    async def wait_until_boards_shown(self) -> None:
        """Wait until every board is written, and replaced messages are deleted."""
        await self.application.client.board_updater.wait_until_idle()
        await self.application.outbox.carry_out_due_effects()

    async def board(self, table: int = 1) -> Message:
        """Return the table's board message after all pending updates."""
        await self.wait_until_boards_shown()
        row = await self.application.tables.places.board_message(table)
        assert row is not None
        return self._public_messages(lambda message: message.id == row.message)[0]

    async def sheet(self, deal: int, table: int = 1) -> Message:
        """Return the score sheet message of a finished deal after all pending updates."""
        await self.wait_until_boards_shown()
        (sheet,) = self._public_messages(lambda message: _is_score_sheet(message, deal, table))
        return sheet

    def _public_messages(self, is_wanted: Callable[[Message], bool]) -> list[Message]:
        channels = [self.world.canasta, *self.world.tables.threads, self.world.tables]
        found = ((channel, one) for channel in channels for one in stored_messages(channel) if not one.is_ephemeral)
        return [message_as_read(channel, one) for channel, one in found if is_wanted(one)]


def _is_score_sheet(message: Message, deal: int, table: int) -> bool:
    """Return whether the message is the score sheet of this deal at this table."""
    control = controls(message).get("sheet_text", {}).get("custom_id", "").split(":")
    return [str(table), str(deal)] == [*control[1:2], *control[4:5]]


async def press_stale_control(
    discord: Discord, person: Person, message: Message, custom_id: str, *values: str
) -> Message:
    """Use a control that the message no longer shows, as an outdated client may; return the answer."""
    # An interaction's answer has a channel id; a message from the history has the channel itself.
    channel = message.channel_id if hasattr(message, "channel_id") else message.channel.id
    raw = discord.environment.backend.get_message(channel, message.id)
    shown = raw.components
    component: dict[str, object] = {"type": 2, "custom_id": custom_id, "label": "old", "style": 1}
    if values:
        options = [{"label": value, "value": value} for value in values]
        component = {"type": 3, "custom_id": custom_id, "options": options, "max_values": len(values)}
    raw.components = [{"type": 1, "components": [component]}]
    try:
        if values:
            result = await person.actor.select(message, values, custom_id=custom_id)
        else:
            result = await person.actor.click(message, custom_id=custom_id)
    finally:
        if raw.components[0].get("components", [{}])[0].get("label") == "old":
            raw.components = shown
    return result.followups[-1] if result.followups else result.response


async def conclude_game(discord: Discord, conclusion: Conclusion, table: int = 1) -> None:
    """End the table's game at once with this conclusion."""

    async def decide_conclusion(_: Table) -> Decision:
        return Decision((GameConcluded(conclusion),))

    await discord.application.tables._context.repository.change(table, TableRequest("conclude", {}), decide_conclusion)


_payloads: dict[str, dict[str, Any]] = {}
"""The description of each command for Discord, cached after the first start."""


@contextmanager
def describe_commands_briefly() -> Iterator[None]:
    """Describe the commands to Discord in English only, and once per process, while the context is open.

    The library asks for every text of every command in thirty languages, twice at each start, and the simulation copies
    and checks all of it: that was half of the cost of a test world. Tests of commands describe everything.
    """
    work_out: dict[type[Any], Any] = {
        kind: kind.get_translated_payload for kind in (app_commands.Command, app_commands.Group)
    }

    async def describe_in_english(
        command: AnyCommand, tree: app_commands.CommandTree[Any], translator: app_commands.Translator
    ) -> dict[str, Any]:
        name = command.qualified_name
        if name not in _payloads:
            _payloads[name] = _without_translations(await work_out[type(command)](command, tree, translator))
        return dict(_payloads[name])

    with pytest.MonkeyPatch.context() as patch:
        for kind in work_out:
            patch.setattr(kind, "get_translated_payload", describe_in_english)
        yield


def _without_translations(payload: Any) -> Any:
    """Return the description of a command for Discord without names and texts in other languages."""
    if isinstance(payload, dict):
        return {
            key: _without_translations(value)
            for key, value in payload.items()
            if key not in ("name_localizations", "description_localizations")
        }
    return [_without_translations(one) for one in payload] if isinstance(payload, list) else payload


@asynccontextmanager
async def discord_world(
    folder: Path,
    *,
    clock: Clock | None = None,
    limits: Limits | None = None,
    pace: float = 0,
    emojis: str = "off",
    rhythm: EditSchedule = STILL,
    silence: int | None = None,
    pictures: Callable[[], PictureQueue] = SmallPictures,
    newcomers: bool = False,
    dealer: StackedDealer | None = None,
    adviser: ComputerPlayer | None = None,
) -> AsyncIterator[Discord]:
    """Yield the bot, running in a new simulated Discord with a new database.

    Silence longer than `silence` counts as an outage. With `newcomers`, lessons have not yet been offered to the
    people.
    """
    usual = 1000 * DAY if isinstance(clock, ShiftedClock) else LONGEST_SILENCE
    settings = Settings(database=folder / "canasta.db", computer_pace=pace, emojis=emojis)
    options: dict[str, Any] = {
        "settings": settings,
        "clock": clock,
        "limits": limits or PATIENT,
        "rhythm": rhythm,
        # Time that a test advances must not count as an outage.
        "silence": silence or usual,
        "pictures": pictures,
        "dealer": dealer or StackedDealer(seeds=numbered_seeds()),
        "adviser": adviser,
    }
    await write_empty_database(settings.own_files_base)
    stack = AsyncExitStack()
    application = await stack.enter_async_context(build_application(**options))
    # Not `simulated`, because a fixture cannot enter a context in one task and leave it in another.
    environment = SimulatedDiscord(application.client)
    discord = Discord(environment, make_server(environment), settings.own_files_base, application, options, stack)
    try:
        if not newcomers:
            offer = application.client.context.lessons.mark_offered_to_newcomer
            await asyncio.gather(*(offer(person.id) for person in discord.world.people))
        with environment.separate_command_ids(), describe_commands_briefly():
            await environment.start()
        yield discord
    finally:
        await environment.shutdown()
        await discord.stack.aclose()
    assert [] == request_faults(discord.environment.http_requests)
    if errors := discord.errors():
        raise BaseExceptionGroup("the bot raised errors", errors)
