"""Play with the controls in messages; a control is found by its action."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bot.loopback.interactions import Interaction
from bot.loopback.people import Person
from bot.loopback.rest import RestServer
from bot.loopback.world import Channel, Json, all_components

MENU = 3

OF_BOARDS = frozenset({"start", "hand", "next_deal", "rematch"})
"""Actions of controls that stand on a table's board and on no other public message."""

SECONDS = 90.0
"""Longest wait for anything, in seconds: far more than it should take, less than a test may take."""


def controls(message: Json) -> Iterator[tuple[str, Json]]:
    """Yield the controls of a message: each one's action, and the button or menu."""
    for one in all_components(message["components"]):
        if str(one.get("custom_id", "")).startswith("cn:") and not one.get("disabled"):
            yield one["custom_id"].split(":")[3], one


def control(message: Json, action: str) -> Json | None:
    """Return the first control of a message with that action."""
    return next((one for name, one in controls(message) if name == action), None)


def text_of_message(message: Json) -> str:
    """Return all text of a message."""
    return "\n".join(one["content"] for one in all_components(message["components"]) if one["type"] == 10)


def shown_version(message: Json, table: int) -> int | None:
    """Return the table's version that a message's controls name; None if it has none."""
    for _, one in controls(message):
        number, version = one["custom_id"].split(":")[1:3]
        if int(number) == table:
            return int(version)
    return None


def board_of(channel: Channel, table: int) -> Json | None:
    """Return the latest message in a channel with controls of that table; None if there is none."""
    messages = [one for one in channel.messages.values() if shown_version(one, table) is not None]
    boards = [one for one in messages if any(name in OF_BOARDS for name, _ in controls(one))]
    return boards[-1] if boards else None


@dataclass(frozen=True, slots=True)
class DatabaseReader:
    """The bot's database, read while the bot runs."""

    database: Path

    def query_database(self, query: str, *values: object) -> list[tuple[int, ...]]:
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            return connection.execute(query, values).fetchall()

    def tables(self) -> list[int]:
        return [number for (number,) in self.query_database("SELECT id FROM tables ORDER BY id")]

    def stored_versions(self) -> dict[int, list[int]]:
        """Return every table's version, as a list, by table: the only one that boards may show."""
        return {table: [version] for table, version in self.query_database("SELECT id, version FROM tables")}

    def version(self, table: int) -> int:
        return self.query_database("SELECT version FROM tables WHERE id = ?", table)[0][0]

    def waits_for_computer(self, table: int) -> bool:
        return bool(self.query_database("SELECT computer_to_act FROM tables WHERE id = ?", table)[0][0])


async def wait_until_computers_have_moved(stored: DatabaseReader, *, computers_done: int) -> None:
    """Wait until no computer player has to move at the table `computers_done`."""
    async with asyncio.timeout(SECONDS):
        while stored.waits_for_computer(computers_done):
            await asyncio.sleep(0.1)


async def wait_until_boards_are_right(rest: RestServer, stored: DatabaseReader, *, seconds: float) -> None:
    """Wait until every board shows its table's stored version; fail after that many seconds."""
    try:
        async with asyncio.timeout(seconds):
            while versions_shown_by_boards(rest) != stored.stored_versions():
                await asyncio.sleep(0.1)
    except TimeoutError:
        found, wanted = versions_shown_by_boards(rest), stored.stored_versions()
        wrong = {table: (found.get(table), wanted.get(table)) for table in wanted if found.get(table) != wanted[table]}
        raise AssertionError(f"tables that are shown wrongly, and their versions: {wrong}") from None


def versions_shown_by_boards(rest: RestServer) -> dict[int, list[int]]:
    """Return the versions that the boards of each table show."""
    found = defaultdict[int, list[int]](list)
    for channel in rest.world.channels.values():
        for message in channel.messages.values():
            board = next((one for name, one in controls(message) if name in OF_BOARDS), None)
            if board is not None:
                table, version = (int(part) for part in board["custom_id"].split(":")[1:3])
                found[table].append(version)
    return dict(found)


@dataclass(slots=True)
class Player:
    """A person at a table of their own with computer players."""

    person: Person
    table: int
    stored: DatabaseReader

    async def start_game(self) -> Json:
        """Start the game from the lobby's board, and return the panel."""
        return answer_of(await self._press(await self.board("start"), "start"))

    async def board(self, *actions: str) -> Json:
        """Return the table's message, as soon as it offers one of these actions."""
        async with asyncio.timeout(SECONDS):
            while True:
                found = board_of(self.person.channel, self.table)
                if found is not None and any(control(found, action) for action in actions):
                    return found
                await asyncio.sleep(0.05)

    async def current_board(self) -> Json:
        """Return the table's message, as soon as it shows the current version."""
        async with asyncio.timeout(SECONDS):
            while True:
                found = board_of(self.person.channel, self.table)
                if found is not None and shown_version(found, self.table) == self.stored.version(self.table):
                    return found
                await asyncio.sleep(0.05)

    async def play_turn(self, *, thinking: float = 0.0) -> None:
        """Play one turn: draw, think, and discard any legal card; then wait for the computer players."""
        panel = await self._draw()
        await asyncio.sleep(thinking)
        await self._discard(panel)
        await wait_until_computers_have_moved(self.stored, computers_done=self.table)

    async def _draw(self) -> Json:
        """Draw on the board, or in the panel if the board does not offer it, and return the panel.

        If the deal is over, start the next one first.
        """
        board = await self.current_board()
        if control(board, "next_deal") is not None:
            await self._press(board, "next_deal")
            await wait_until_computers_have_moved(self.stored, computers_done=self.table)
            board = await self.current_board()
        if control(board, "draw") is not None:
            panel = answer_of(await self._press(board, "draw"))
        else:
            panel = answer_of(await self._press(board, "hand"))
        return answer_of(await self._press(panel, "draw")) if control(panel, "draw") is not None else panel

    async def _discard(self, panel: Json) -> None:
        """Try to discard one card after another until one is accepted."""
        before = self.stored.version(self.table)
        for number in range(len(discard_controls(panel))):
            found, values = discard_controls(panel)[number]
            panel = answer_of(await self.person.use_control(panel, found, values))
            surely = control(panel, "discard_surely")
            panel = panel if surely is None else answer_of(await self.person.use_control(panel, surely))
            if self.stored.version(self.table) > before:
                return
        raise AssertionError(f"nothing could be discarded: {text_of_message(panel)}")

    async def _press(self, message: Json, action: str) -> Interaction:
        found = control(message, action)
        assert found is not None, (
            f"no {action} in {[name for name, _ in controls(message)]}: {text_of_message(message)}"
        )
        return await self.person.use_control(message, found)


def discard_controls(panel: Json) -> list[tuple[Json, tuple[str, ...]]]:
    """Return each way to discard that a panel offers: the control, and a menu's chosen value."""
    found: list[tuple[Json, tuple[str, ...]]] = []
    for name, one in controls(panel):
        if name == "discard":
            values = [(option["value"],) for option in one["options"]] if one["type"] == MENU else [()]
            found += [(one, value) for value in values]
    return found


def answer_of(interaction: Interaction) -> Json:
    assert interaction.answer is not None
    return interaction.answer
