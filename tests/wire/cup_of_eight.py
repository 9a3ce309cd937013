"""A knock-out of eight over the wire: a director and eight members, with a clock that the test puts forward."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY
from bot.loopback.interactions import Interaction
from bot.loopback.people import Person
from bot.loopback.process import Bot
from bot.loopback.rest import Rest
from bot.loopback.world import Channel, Json
from tests.wire.board_player import Stored, control, controls, discard_controls, words_of
from tests.wire.steered_bot import PASSED

SECONDS: Final = 60.0
BEFORE: Final = 23 * HOUR
"""A new tournament begins in a day; check-in opens half an hour before."""

STEP: Final = 5 * MINUTE


async def wait_for(happens: Callable[[], object]) -> None:
    """Wait until the condition holds."""
    async with asyncio.timeout(SECONDS):
        while not happens():
            await asyncio.sleep(0.05)


def latest(channel: Channel, action: str) -> Json | None:
    """Return the latest message in a channel that offers this action."""
    return next((one for one in reversed(list(channel.messages.values())) if control(one, action)), None)


def with_words(channel: Channel, words: str) -> Json | None:
    """Return the latest message in a channel with these words."""
    return next((one for one in reversed(list(channel.messages.values())) if words in words_of(one)), None)


@dataclass(slots=True)
class CupOfEight:
    """The people of the cup, in its channel."""

    rest: Rest
    bot: Bot
    channel: Channel
    vera: Person = field(init=False)
    members: list[Person] = field(init=False)
    waits: int = 0

    def __post_init__(self) -> None:
        self.vera = Person(self.rest, self.channel, "Vera")
        self.members = [Person(self.rest, self.channel, f"member {number}") for number in range(8)]

    @property
    def stored(self) -> Stored:
        return Stored(self.bot.database)

    @property
    def stage(self) -> str:
        return str(self.stored.ask("SELECT stage FROM tournaments")[0][0])

    def member(self, number: int) -> Person:
        """Return the member with this id."""
        return next(one for one in self.members if one.id == number)

    async def announce(self) -> None:
        """Plan a knock-out of single matches of one deal for two, page by page, and publish it."""
        page = await self._answer(self.vera.types("tournament create", name="Friday cup"))
        page = await self._turn(page, "t_pick", "kind", "single")
        page = await self._turn(page, "t_page", "game")
        page = await self._turn(page, "t_pick", "players", "2")
        page = await self._turn(page, "t_pick", "deals", "1")
        page = await self._turn(page, "t_page", "check")
        await self.presses(self.vera, page, "t_publish")
        await wait_for(lambda: latest(self.channel, "t_enter"))

    async def everybody(self, action: str) -> None:
        """Let all members press this on the latest message that offers it."""
        await wait_for(lambda: latest(self.channel, action))
        for one in self.members:
            message = latest(self.channel, action)
            assert message is not None
            await self.presses(one, message, action)

    async def lets_pass(self, milliseconds: int) -> None:
        """Put the bot's clock forward, and wait until it has done what was due: a slow one would miss it."""
        assert self.bot.process.stdin is not None
        self.waits += 1
        self.bot.process.stdin.write(b"%d wait\n" % milliseconds)
        await wait_for(lambda: self.bot.log.count(PASSED) == self.waits)

    async def passes_until(self, stage: str) -> None:
        """Put the clock forward, some minutes at a time, until the tournament is in that stage."""
        for _ in range(DAY // STEP):
            if self.stage == stage:
                return
            await self.lets_pass(STEP)
        raise AssertionError(f"{self.stage}, and not {stage}")

    async def called(self, matches: int) -> list[Channel]:
        """Put the clock forward until the next round is called in its threads; return these.

        It stands still from the first thread on: players who do not come while the others are opened would forfeit.
        """
        before = {one.id for one in self.rest.world.threads}

        def found() -> list[Channel]:
            return [one for one in self.rest.world.threads if one.id not in before and latest(one, "t_hand")]

        for _ in range(DAY // MINUTE):
            if len(self.rest.world.threads) > len(before):
                break
            await self.lets_pass(MINUTE)
        await wait_for(lambda: len(found()) == matches)
        return found()

    def called_in(self, thread: Channel) -> list[int]:
        """Return the players whom the match's call mentions."""
        message = latest(thread, "t_hand")
        return [] if message is None else [int(one) for one in message["allowed"]["users"]]

    async def calls_director(self, thread: Channel) -> None:
        """Let a player of the match call the director."""
        player = self.member(self.called_in(thread)[0])
        await player.at(thread).types("tournament problem", what="a card was counted twice")

    async def plays(self, thread: Channel, *, turns: int) -> None:
        """Play a match: open both hands, take turns, and let whoever is then in turn resign."""
        message = latest(thread, "t_hand")
        assert message is not None
        panels: dict[int, Json] = {}
        for person in map(self.member, self.called_in(thread)):
            panels[person.id] = await self.presses(person.at(thread), message, "t_hand")
        for _ in range(turns):
            actor = await self._in_turn(thread, panels)
            await self._takes_turn(actor, panels)
            if self._is_over(thread):
                return
        loser = await self._in_turn(thread, panels)
        question = await self._answer(loser.types("table resign"))
        await self.presses(loser, question, "resign_sure")
        await wait_for(lambda: self._is_over(thread))

    def _is_over(self, thread: Channel) -> bool:
        ((status,),) = self.stored.ask("SELECT status FROM tables WHERE thread_id = ?", thread.id)
        return str(status) == "finished"

    async def _in_turn(self, thread: Channel, panels: dict[int, Json]) -> Person:
        """Return the player who may draw, by the panels, which update themselves and move below new messages."""
        async with asyncio.timeout(SECONDS):
            while True:
                for number in panels:
                    panel = self._panel_to_draw(number, thread)
                    if panel is not None:
                        panels[number] = panel
                        return self.member(number).at(thread)
                await asyncio.sleep(0.05)

    def _panel_to_draw(self, number: int, thread: Channel) -> Json | None:
        """Return the person's newest private message in the thread that offers to draw and is still there."""
        used = [one for one in self.member(number).done if one.channel == thread.id]
        shown = [each for one in used for each in (one.message, *one.followups) if each is not None]
        kept = (one for one in reversed(shown) if int(one["id"]) in self.rest.world.private)
        return next((one for one in kept if control(one, "draw") is not None), None)

    async def _takes_turn(self, actor: Person, panels: dict[int, Json]) -> None:
        """Draw, and discard the first card that may be discarded."""
        panel = panels[actor.id] = await self.presses(actor, panels[actor.id], "draw")
        for number in range(len(discard_controls(panel))):
            found, values = discard_controls(panel)[number]
            panel = panels[actor.id] = await self._answer(actor.uses(panel, found, values))
            surely = control(panel, "discard_surely")
            if surely is not None:
                panel = panels[actor.id] = await self._answer(actor.uses(panel, surely))
            if not discard_controls(panel):
                return
        raise AssertionError(f"nothing could be discarded: {words_of(panel)}")

    # --- presses

    async def presses(self, person: Person, message: Json, action: str) -> Json:
        """Press the control with this action, and return the answer."""
        found = control(message, action)
        assert found is not None, f"no {action}: {words_of(message)}"
        return await self._answer(person.uses(message, found))

    async def _turn(self, page: Json, action: str, field_: str, *values: str) -> Json:
        """Use the wizard's control of that name for a page or a field."""
        found = next(one for name, one in controls(page) if name == action and one["custom_id"].endswith(f".{field_}"))
        return await self._answer(self.vera.uses(page, found, values))

    async def _answer(self, using: Awaitable[Interaction]) -> Json:
        answer = (await using).answer
        assert answer is not None
        return answer
