"""Scenes of a game that tests interrupt with faults: a start, a turn, a call, the close of a table."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Final

from bot.loopback.interactions import Interaction
from bot.loopback.people import Person
from bot.loopback.process import BotProcess
from bot.loopback.requests import Request
from bot.loopback.rest import RestServer
from bot.loopback.world import Channel, Json
from tests.wire.board_player import (
    DatabaseReader,
    board_of,
    control,
    controls,
    discard_controls,
    shown_version,
    text_of_message,
)

MOST_SECONDS: Final = 150.0
"""Longest wait in seconds: far more than needed, for busy machines."""

OF_BOARD: Final = {"start", "more", "next_deal", "rematch"}
"""Actions of controls that stand on a board and on no other public message."""

SCENES: Final = ("start", "turn", "call", "close")
"""The scenes; `call` is the notice to the next player after a turn at a slow table."""


@dataclass(slots=True)
class Scene:
    """Two people at a table in a thread, in a channel of their own.

    `last` is the control that was used last.
    """

    rest: RestServer
    bot: BotProcess
    name: str
    channel: Channel
    table: int = 0
    host: Person = field(init=False)
    guest: Person = field(init=False)
    actor: Person = field(init=False)
    panel: Json = field(default_factory=dict)
    last: tuple[Person, Json, Json, tuple[str, ...]] | None = None
    slowly: bool = False
    """Whether the board shows what was drawn before a card is discarded; else both may be shown together."""
    more: list[asyncio.Task[Interaction]] = field(default_factory=list)
    """Second clicks on a control."""

    def __post_init__(self) -> None:
        self.host = self.actor = Person(self.rest, self.channel, "host")
        self.guest = Person(self.rest, self.channel, "guest")

    @property
    def stored(self) -> DatabaseReader:
        return DatabaseReader(self.bot.database)

    @property
    def table_channel(self) -> Channel:
        """Return the channel of the table: its thread, or the main channel once the thread is gone."""
        (number,) = self.stored.query_database("SELECT thread_id FROM tables WHERE id = ?", self.table)[0]
        return self.rest.world.channels.get(number, self.channel)

    @property
    def threads(self) -> list[Channel]:
        """Return the threads of the scene's channel."""
        return [one for one in self.rest.world.threads if one.parent == self.channel.id]

    def is_about_table(self, request: Request) -> bool:
        """Return whether a request concerns the scene's channel or its threads."""
        place = self.rest.channel_of_request(request)
        found = None if place is None else self.rest.world.channels.get(place)
        return found is not None and self.channel.id in (found.id, found.parent)

    async def board(self, *actions: str) -> Json:
        """Return the table's message, as soon as it is current and offers one of these actions."""
        async with asyncio.timeout(MOST_SECONDS):
            while True:
                found = board_of(self.table_channel, self.table)
                if found is not None and any(control(found, one) for one in actions) and self.is_board_right():
                    return found
                await asyncio.sleep(0.05)

    async def use_control(
        self, person: Person, message: Json, found: Json | None, values: tuple[str, ...] = ()
    ) -> Json:
        """Use a control, and return the message that the person then sees.

        After a failed press that is the hand or the lobby.
        """
        assert found is not None, f"not offered: {text_of_message(message)}"
        self.last = person.with_channel(self.table_channel), message, found, values
        answer = (await self.last[0].use_control(message, found, values)).answer
        if answer is not None:
            return answer
        board = await self.board("hand", "start", "sit")
        hand = control(board, "hand")
        return board if hand is None else await self.use_control(person, board, hand)

    def click_again(self) -> None:
        """Use the last control again, at the same time as the next request."""
        if self.last is not None:
            person, message, found, values = self.last
            self.more.append(asyncio.create_task(person.use_control(message, found, values)))

    # --- before

    async def prepare(self) -> None:
        """Seat both people; for a turn or a call also start the game.

        Then the hand of the player in turn is open.
        """
        await self.host.use_command("table new", players=2, clock="daily" if self.name == "call" else "none")
        (self.table,) = self.stored.query_database("SELECT id FROM tables WHERE channel_id = ?", self.channel.id)[0]
        while not self.stored.query_database("SELECT 1 FROM seated WHERE person_id = ?", self.guest.id):
            board = await self.board("sit")
            await self.use_control(self.guest, board, control(board, "sit"))
        await self.wait_until_boards_are_right()
        if self.name in ("turn", "call"):
            await self.start()
            await self.wait_until_boards_are_right()
            await self._open_hand_in_turn()

    async def _open_hand_in_turn(self) -> None:
        for person in (self.host, self.guest):
            board = await self.board("hand")
            self.panel = await self.use_control(person, board, control(board, "hand"))
            if control(self.panel, "draw") is not None:
                self.actor = person
                return
        raise AssertionError(f"nobody can draw: {text_of_message(self.panel)}")

    # --- the scenes

    async def play(self) -> None:
        """Play this scene, whose name says which it is."""
        match self.name:
            case "start":
                await self.start()
            case "close":
                async with asyncio.timeout(MOST_SECONDS):
                    while self._has_status("lobby"):
                        await self.host.with_channel(self.table_channel).use_command("table close")
            case _:
                await self._take_turn()

    async def play_next(self) -> None:
        """Let the other player take a turn."""
        self.actor = self.next_player
        board = board_of(self.table_channel, self.table)
        assert board is not None
        self.panel = await self.use_control(self.actor, board, control(board, "hand"))
        await self._take_turn()

    async def start(self) -> None:
        """Press *Start* until the game has begun: on a busy machine a press may come too late."""
        while self._has_status("lobby"):
            board = await self.board("start")
            await self.use_control(self.host, board, control(board, "start"))

    async def _take_turn(self) -> None:
        """Draw, and discard the first card that may be discarded."""
        while (draw := control(self.panel, "draw")) is not None:
            self.panel = await self.use_control(self.actor, self.panel, draw)
        if self.slowly:
            await self.wait_until_boards_are_right()
        before = self.stored.version(self.table)
        for number in range(len(discard_controls(self.panel))):
            found, values = discard_controls(self.panel)[number]
            self.panel = await self.use_control(self.actor, self.panel, found, values)
            surely = control(self.panel, "discard_surely")
            if surely is not None:
                self.panel = await self.use_control(self.actor, self.panel, surely)
            if self.stored.version(self.table) > before:
                return
        raise AssertionError(f"nothing could be discarded: {text_of_message(self.panel)}")

    def _has_status(self, status: str) -> bool:
        return bool(self.stored.query_database("SELECT 1 FROM tables WHERE id = ? AND status = ?", self.table, status))

    # --- afterwards

    def actions_of_people(self) -> list[tuple[str, str]]:
        """Return each action of a person in the stored log, and whose it was."""
        names = {self.guest.id: "guest", self.host.id: "host"}
        moves = ("draw", "discard") if self.name in ("turn", "call") else ()
        query = "SELECT kind, person_id FROM actions WHERE table_id = ? AND person_id IS NOT NULL ORDER BY version"
        return [
            (str(kind), "actor" if kind in moves and person == self.actor.id else names.get(person, ""))
            for kind, person in self.stored.query_database(query, self.table)
        ]

    def is_board_right(self) -> bool:
        """Return whether exactly one message shows the table's stored version.

        A closed table may be shown by none.
        """
        ((status, version),) = self.stored.query_database("SELECT status, version FROM tables WHERE id = ?", self.table)
        boards = self._boards()
        if str(status) == "closed":
            return not boards
        here = board_of(self.table_channel, self.table)
        return here is not None and len(boards) == 1 and shown_version(boards[0], self.table) == version

    def _boards(self) -> list[Json]:
        """Return the messages that show the whole table, unlike notices of a turn."""
        messages = [one for channel in (self.channel, *self.threads) for one in channel.messages.values()]
        found = [one for one in messages if shown_version(one, self.table) is not None]
        return [one for one in found if {name for name, _ in controls(one)} & OF_BOARD]

    async def wait_until_boards_are_right(self, seconds: float = MOST_SECONDS) -> None:
        """Wait until one message shows the table's stored version; fail after that many seconds."""
        try:
            async with asyncio.timeout(seconds):
                while not self.is_board_right():
                    await asyncio.sleep(0.05)
        except TimeoutError:
            boards = [(one["id"], shown_version(one, self.table)) for one in self._boards()]
            stored = self.stored.query_database("SELECT status, version FROM tables WHERE id = ?", self.table)
            raise TimeoutError(f"table {self.table} is stored as {stored} and shown by {boards}") from None

    async def request_hand_until_board_is_right(self) -> None:
        """Let the host ask for the hand until the table is shown correctly.

        That makes the bot write a refused board again.
        """
        async with asyncio.timeout(MOST_SECONDS):
            while not self.is_board_right():
                await self.host.with_channel(self.table_channel).use_command("hand")
                await asyncio.sleep(0.5)

    async def wait_until_called(self) -> None:
        """Wait until the next player has been called, if the scene is a turn."""
        following = {"turn": self.next_player, "call": self.next_player}.get(self.name)
        async with asyncio.timeout(MOST_SECONDS):
            while following is not None and following.id not in [person for person, _ in self.mentions_with_text()]:
                await asyncio.sleep(0.05)

    @property
    def next_player(self) -> Person:
        """Return the player who is not the last one in turn."""
        return self.guest if self.actor is self.host else self.host

    def mentions_with_text(self) -> list[tuple[int, str]]:
        """Return the mentions of both people: the person and the text of each message."""
        both = (self.host.id, self.guest.id)
        return [
            (person, text_of_message(one))
            for one in self.rest.made
            for person in map(int, one["allowed"].get("users", []))
            if person in both
        ]
