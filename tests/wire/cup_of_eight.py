"""A knock-out tournament of eight over real sockets: a director, members, a clock set by the test."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY
from bot.loopback.interactions import Interaction
from bot.loopback.people import Person
from bot.loopback.process import BotProcess
from bot.loopback.rest import RestServer
from bot.loopback.world import Channel, Json
from tests.wire.board_player import DatabaseReader, control, controls, discard_controls, text_of_message
from tests.wire.steered_bot import PASSED

SECONDS: Final = 60.0
BEFORE: Final = 23 * HOUR
"""A new tournament begins in a day; check-in opens half an hour before."""

STEP: Final = 5 * MINUTE

TO_ACT: Final = frozenset({"draw", "discard", "pass"})
"""Actions of controls that a panel offers to the player in turn."""


async def let_time_pass(bot: BotProcess, milliseconds: int) -> None:
    """Put the clock of a steered bot forward, and wait until the bot, however slow, has done all that is due."""
    before = bot.log.count(PASSED)
    assert bot.process.stdin is not None
    bot.process.stdin.write(b"%d wait\n" % milliseconds)
    await wait_for(lambda: bot.log.count(PASSED) > before)


async def wait_for(condition: Callable[[], object]) -> None:
    """Wait until the condition is true."""
    async with asyncio.timeout(SECONDS):
        while not condition():
            await asyncio.sleep(0.05)


def latest_message_offering(channel: Channel, action: str) -> Json | None:
    """Return the latest message in a channel that offers this action; None if there is none."""
    return next((one for one in reversed(list(channel.messages.values())) if control(one, action)), None)


def latest_message_with_words(channel: Channel, words: str) -> Json | None:
    """Return the latest message in a channel with these words."""
    return next((one for one in reversed(list(channel.messages.values())) if words in text_of_message(one)), None)


@dataclass(slots=True)
class CupOfEight:
    """The people of the cup, and what they do in its channel."""

    rest: RestServer
    bot: BotProcess
    channel: Channel
    vera: Person = field(init=False)
    members: list[Person] = field(init=False)

    def __post_init__(self) -> None:
        self.vera = Person(self.rest, self.channel, "Vera")
        self.members = [Person(self.rest, self.channel, f"member {number}") for number in range(8)]

    @property
    def stored(self) -> DatabaseReader:
        return DatabaseReader(self.bot.database)

    @property
    def stage(self) -> str:
        return str(self.stored.query_database("SELECT stage FROM tournaments")[0][0])

    def member(self, number: int) -> Person:
        """Return the member with this id."""
        return next(one for one in self.members if one.id == number)

    async def announce(self) -> None:
        """Plan a knock-out of matches of one deal for two players, page by page, and publish it."""
        page = await self._require_answer(self.vera.use_command("tournament create", name="Friday cup"))
        page = await self._use_wizard(page, "t_pick", "kind", "single")
        page = await self._use_wizard(page, "t_page", "game")
        page = await self._use_wizard(page, "t_pick", "players", "2")
        page = await self._use_wizard(page, "t_pick", "deals", "1")
        page = await self._use_wizard(page, "t_page", "check")
        await self.press(self.vera, page, "t_publish")
        await wait_for(lambda: latest_message_offering(self.channel, "t_enter"))

    async def press_as_everybody(self, action: str) -> None:
        """Let every member press this button on the latest message that has it."""
        await wait_for(lambda: latest_message_offering(self.channel, action))
        for one in self.members:
            message = latest_message_offering(self.channel, action)
            assert message is not None
            await self.press(one, message, action)

    async def let_time_pass(self, milliseconds: int) -> None:
        """Put the bot's clock forward, and wait until the bot has done all that is due."""
        await let_time_pass(self.bot, milliseconds)

    async def pass_time_until(self, stage: str) -> None:
        """Put the clock forward, a few minutes at a time, until the tournament is in that stage."""
        for _ in range(DAY // STEP):
            if self.stage == stage:
                return
            await self.let_time_pass(STEP)
        raise AssertionError(f"{self.stage}, and not {stage}")

    async def call_next_round(self, matches: int) -> list[Channel]:
        """Put the clock forward until the next round is called; return the threads of its matches.

        The clock stays as it is from the first thread on: if it went on while the other threads are opened, players who
        have not come yet would forfeit.
        """
        before = {one.id for one in self.rest.world.threads}

        def called_threads() -> list[Channel]:
            return [
                one
                for one in self.rest.world.threads
                if one.id not in before and latest_message_offering(one, "t_hand")
            ]

        for _ in range(DAY // MINUTE):
            if len(self.rest.world.threads) > len(before):
                break
            await self.let_time_pass(MINUTE)
        await wait_for(lambda: len(called_threads()) == matches)
        return called_threads()

    def players_called(self, thread: Channel) -> list[int]:
        """Return the players whom the call in a match's thread mentions."""
        message = latest_message_offering(thread, "t_hand")
        return [] if message is None else [int(one) for one in message["allowed"]["users"]]

    async def call_director(self, thread: Channel) -> None:
        """Let a player of the match press the button that calls the director."""
        player = self.member(self.players_called(thread)[0])
        await player.with_channel(thread).use_command("tournament problem", what="a card was counted twice")

    async def play_match(self, thread: Channel, *, turns: int) -> None:
        """Play a match: open both hands, take some turns, and let the player then in turn resign."""
        match = Match(self, thread)
        for person in self.players_called(thread):
            await match.open_hand(self.member(person).with_channel(thread))
        for _ in range(turns):
            actor = await match.player_in_turn()
            if actor is None:
                return
            await match.take_turn(actor)
        loser = await match.player_in_turn()
        if loser is not None:
            question = await self._require_answer(loser.use_command("table resign"))
            await self.press(loser, question, "resign_sure")
            await wait_for(lambda: match.is_over)

    # --- presses

    async def press(self, person: Person, message: Json, action: str) -> Json:
        """Press the message's control with this action, and return the answer."""
        return await self._require_answer(person.use_control(message, require_control(message, action)))

    async def _use_wizard(self, page: Json, action: str, field_: str, *values: str) -> Json:
        """Use the control of the wizard's page with this action, for that field; return the next page."""
        found = next(one for name, one in controls(page) if name == action and one["custom_id"].endswith(f".{field_}"))
        return await self._require_answer(self.vera.use_control(page, found, values))

    async def _require_answer(self, using: Awaitable[Interaction]) -> Json:
        answer = (await using).answer
        assert answer is not None
        return answer


@dataclass(slots=True)
class Match:
    """A match in its thread, with its players' panels, which update themselves."""

    cup: CupOfEight
    thread: Channel
    panels: dict[int, Json] = field(default_factory=dict)

    async def open_hand(self, person: Person) -> None:
        """Open the hand from the call, repeating a press that Discord reports as failed."""
        async with asyncio.timeout(SECONDS):
            while True:
                call = latest_message_offering(self.thread, "t_hand")
                assert call is not None
                panel = (await person.use_control(call, require_control(call, "t_hand"))).answer
                if panel is not None:
                    self.panels[person.id] = panel
                    return

    @property
    def is_over(self) -> bool:
        ((status,),) = self.cup.stored.query_database("SELECT status FROM tables WHERE thread_id = ?", self.thread.id)
        return str(status) == "finished"

    async def player_in_turn(self) -> Person | None:
        """Return the player whose panel offers a move; None if the match is over."""
        try:
            async with asyncio.timeout(SECONDS):
                while not self.is_over:
                    for number in self.panels:
                        panel = self._panel_to_act(number)
                        if panel is not None:
                            self.panels[number] = panel
                            return self.cup.member(number).with_channel(self.thread)
                    await asyncio.sleep(0.05)
        except TimeoutError:
            offered = {number: [name for name, _ in controls(panel)] for number, panel in self.panels.items()}
            raise AssertionError(f"nobody can go on: {offered}") from None
        return None

    def _panel_to_act(self, number: int) -> Json | None:
        """Return the player's newest panel in the thread that offers a move; None if there is none.

        Panels update themselves, and move below new messages.
        """
        used = [one for one in self.cup.member(number).done if one.channel == self.thread.id]
        shown = [each for one in used for each in (one.message, *one.followups) if each is not None]
        kept = (one for one in reversed(shown) if int(one["id"]) in self.cup.rest.world.private)
        return next((one for one in kept if any(name in TO_ACT for name, _ in controls(one))), None)

    async def take_turn(self, actor: Person) -> None:
        """Draw, or pass if that is impossible; then discard the first card that may be discarded."""
        tried = 0
        while not self.is_over:
            panel = self.panels[actor.id]
            ways = discard_controls(panel)
            first = next((action for action in ("discard_surely", "draw") if control(panel, action) is not None), None)
            if first is not None:
                await self._use_control(actor, require_control(panel, first))
            elif tried < len(ways):
                found, values = ways[tried]
                tried += 1
                await self._use_control(actor, found, values)
            elif ways:
                raise AssertionError(f"nothing could be discarded: {text_of_message(panel)}")
            elif control(panel, "pass") is not None:
                await self._use_control(actor, require_control(panel, "pass"))
            else:
                return

    async def _use_control(self, actor: Person, found: Json, values: tuple[str, ...] = ()) -> None:
        """Use a control of the panel; if Discord reports that it has failed, open the hand again."""
        panel = (await actor.use_control(self.panels[actor.id], found, values)).answer
        if panel is None:
            await self.open_hand(actor)
        else:
            self.panels[actor.id] = panel


def require_control(message: Json, action: str) -> Json:
    """Return the message's control with this action; fail if it has none."""
    found = control(message, action)
    assert found is not None, f"no {action}: {text_of_message(message)}"
    return found
