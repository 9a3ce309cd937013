"""Simulated people in a fleet: guests who join and leave a table, and pairs who play a game."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from itertools import count

from bot.loopback.interactions import SECONDS_TO_ANSWER
from bot.loopback.people import Person
from bot.loopback.rest import RestServer
from bot.loopback.world import Channel, Json
from tests.fleet.bot_processes import ServerDatabaseReader
from tests.wire.board_player import Player, board_of, control, shown_version, text_of_message

PATIENCE = 2.0
"""Seconds after which a person presses again."""

_numbers = count(1)


@dataclass(slots=True)
class Guest:
    """A person who repeatedly sits down at a table and leaves it."""

    person: Person
    table: int
    is_seated: bool = False

    def board(self) -> Json | None:
        """Return the message that shows the table, if it exists."""
        return board_of(self.person.channel, self.table)

    async def toggle_seat(self) -> bool:
        """Sit down or leave; return whether the press was answered in time."""
        board = self.board()
        button = None if board is None else control(board, "leave" if self.is_seated else "sit")
        if board is None or button is None:
            await asyncio.sleep(0.1)
            return False
        try:
            async with asyncio.timeout(PATIENCE):
                await self.person.use_control(board, button)
        except TimeoutError:
            return False
        self.is_seated = not self.is_seated
        return True

    async def toggle_seat_by_command(self) -> None:
        """Sit down or leave by a command; its answer does not show the board, which must be edited too."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await self.person.use_command("table leave" if self.is_seated else "table join")
                self.is_seated = not self.is_seated

    async def toggle_seat_until_shown(self) -> float:
        """Sit down or leave, and wait until the board shows it.

        Return the time of the event loop, in seconds.
        """
        board = self.board()
        before = 0 if board is None else shown_version(board, self.table) or 0
        while not await self.toggle_seat():
            pass
        while (board := self.board()) is None or (shown_version(board, self.table) or 0) <= before:
            await asyncio.sleep(0.02)
        return asyncio.get_running_loop().time()


@dataclass(slots=True)
class Pair:
    """Two people who play a game against each other."""

    people: tuple[Person, Person]
    table: int
    stored: ServerDatabaseReader

    @classmethod
    async def begin_game(cls, rest: RestServer, channel: Channel, stored: ServerDatabaseReader) -> Pair:
        """Open a table for two in that channel, begin the game, and return the pair."""
        people = Person(rest, channel, f"host{next(_numbers)}"), Person(rest, channel, f"guest{next(_numbers)}")
        await people[0].use_command("table new", players=2)
        ((table,),) = stored.query_database("SELECT id FROM tables WHERE channel_id = ?", channel.id)
        await people[1].use_command("table join")
        made = cls(people, table, stored)
        await made._player(people[0]).current_board()
        await made._player(people[0]).start_game()
        return made

    async def play_turns(self, turns: int) -> None:
        """Play that many turns, and check that each draw and discard is stored."""
        for _ in range(turns):
            before = self.stored.version(self.table)
            player, panel = await self._open_hand_in_turn()
            answer = (await player.person.use_control(panel, control(panel, "draw") or {})).answer
            assert answer is not None
            await player._discard(answer)
            assert self.stored.version(self.table) > before

    async def try_to_draw(self) -> str:
        """Open both hands and press Draw where it is offered; return the words of the answer.

        The answer must come in time; without an offer return "".
        """
        board, words = board_of(self.people[0].channel, self.table), ""
        assert board is not None
        for person in self.people:
            opened = await person.use_control(board, control(board, "hand") or {})
            draw = None if opened.answer is None else control(opened.answer, "draw")
            if opened.answer is None or draw is None:
                continue
            pressed = await person.use_control(opened.answer, draw)
            assert pressed.answered_after is not None
            assert pressed.answered_after < SECONDS_TO_ANSWER
            assert pressed.answer is not None
            words = text_of_message(pressed.answer)
        return words

    async def _open_hand_in_turn(self) -> tuple[Player, Json]:
        """Open hands until one offers to draw; return its player and panel."""
        for person in self.people:
            player = self._player(person)
            board = await player.current_board()
            panel = (await person.use_control(board, control(board, "hand") or {})).answer
            if panel is not None and control(panel, "draw") is not None:
                return player, panel
        raise AssertionError("nobody is in turn")

    def _player(self, person: Person) -> Player:
        return Player(person, self.table, self.stored)
