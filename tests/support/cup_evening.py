"""A whole tournament through Discord: people enter, check in, play, are late, leave or do not come.

The tests read all mentions and posts that the bot sends, even across a restart.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from simcord import ChannelHandle

from bot.clocks.clock import MINUTE
from bot.tables.state.snapshots import Status
from bot.tournaments.event.match_state import MatchState
from bot.tournaments.event.tournament import Stage, Tournament
from tests.cogs.test_table_messages import mentioned_people
from tests.support.computer_choices import next_move, play_by_command
from tests.support.discord import Person, controls, enabled_actions, text_of
from tests.support.discord_tournaments import CupServer
from tests.support.slow_discord_games import text_of_body

MOST_MINUTES = 60 * 24 * 60
"""Upper limit, higher than any of these tournaments needs."""

_ROUND = re.compile(r"Round (\d+), table \d+: (?!we wait)")


@dataclass(slots=True)
class CupEvening:
    """The people of a cup and their actions; with `wholly`, they play their matches through Discord too.

    `absent` are people who come to no table; `number` is the tournament's. `aside` counts the steps that went through
    the table service because no command fits them.
    """

    cup: CupServer
    wholly: bool = False
    number: int = 1
    absent: set[int] = field(default_factory=set)
    aside: int = 0

    async def tournament(self) -> Tournament:
        return await self.cup.tournament(self.number)

    def place_of_person(self, person: int) -> int:
        """Return a person's place among the people of the cup."""
        return next(place for place, one in enumerate(self.cup.actors) if one.id == person)

    # --- before the first round

    async def press_enter(self, place: int, *partners: int) -> str:
        """Press Enter, choose partners if any are given, and return the answer."""
        person = self.cup.person(place)
        answer = await person.click(self._announcement(), "t_enter")
        if partners:
            named = [self.cup.actors[one] for one in partners]
            menu = controls(answer)["t_partners"]["custom_id"]
            answer = (await person.actor.select(answer, named, custom_id=menu)).response
        await self.cup.wait_until_idle()
        return text_of(answer)

    async def answer_invitation(self, place: int, *, accepts: bool = True) -> str:
        """Answer an invitation to be a partner, and return the reply."""
        person = self.cup.person(place)
        asked = [
            one for one in self.cup.messages() if "t_yes" in enabled_actions(one) and f"<@{person.id}>" in text_of(one)
        ]
        answer = await person.click(asked[-1], "t_yes" if accepts else "t_no")
        await self.cup.wait_until_idle()
        return text_of(answer)

    async def enter_together(self, *places: int) -> None:
        """Enter as one team: the first person enters, each of the others presses Yes."""
        await self.press_enter(*places)
        for place in places[1:]:
            assert "You are in" in await self.answer_invitation(place)

    async def press_leave(self, place: int) -> str:
        """Press Leave, confirm it, and return the text of the question."""
        person = self.cup.person(place)
        asked = await person.click(self._announcement(), "t_leave")
        text = text_of(asked)
        await person.click(asked, "t_leave_yes")
        await self.cup.wait_until_idle()
        return text

    async def check_in(self, places: Sequence[int]) -> None:
        """Let time pass until check-in opens, and have these people press the button."""
        await self.cup.advance_to(Stage.CHECK_IN, self.number)
        message = self.cup.message("Check-in is open until")
        for place in places:
            assert "You are here" in text_of(await self.cup.person(place).click(message, "t_here"))
        await self.cup.wait_until_idle()

    def _announcement(self) -> Any:
        return next(one for one in self.cup.messages() if {"t_enter", "t_leave"} & enabled_actions(one))

    # --- rounds

    async def wait_for_matches_of_round(self, round_number: int) -> list[MatchState]:
        """Let time pass until that round is called and every match has a table; return its matches."""
        for _ in range(MOST_MINUTES):
            matches = (await self.tournament()).matches_of(round_number)
            if matches and all(one.tables or one.result for one in matches):
                return list(matches)
            await self.cup.pass_time(MINUTE)
        raise AssertionError(f"round {round_number} was never called")

    async def play_round(self, round_number: int) -> None:
        """Play a round to its last result; time advances where a player is absent."""
        await self.wait_for_matches_of_round(round_number)
        for _ in range(MOST_MINUTES):
            snapshot = await self.tournament()
            if all(one.result is not None or one.voided for one in snapshot.matches_of(round_number)):
                return
            playable = [one for one in snapshot.matches_of(round_number) if self._can_play(one)]
            for one in playable:
                await self.play_match(one)
            for one in snapshot.matches_of(round_number):
                if one.result is None and self._absent_persons(one):
                    await self._play_until_absent_turn(one)
            if not playable:
                await self.cup.pass_time(MINUTE)
        raise AssertionError(f"round {round_number} never ended")

    async def _play_until_absent_turn(self, match: MatchState) -> None:
        """Play the match until the player in turn is absent."""
        for one in match.tables:
            reading = self.cup.discord.application.tables.reading
            while (
                snapshot := await reading.snapshot(one.table)
            ).status is Status.PLAYING and snapshot.view is not None:
                actor = snapshot.view.actor
                if actor is not None and snapshot.seats[actor].person in self._absent_persons(match):
                    break
                await self.cup.act_or_begin_deal(match, one.table)
        await self.cup.wait_until_idle()

    def _can_play(self, match: MatchState) -> bool:
        return match.result is None and bool(match.tables) and not self._absent_persons(match)

    def _absent_persons(self, match: MatchState) -> set[int]:
        """Return the persons of a match who are absent."""
        return {one for one in match.seats if one is not None and self.place_of_person(one) in self.absent}

    async def open_hands(self, round_number: int) -> None:
        """Let every present player open the hand at their table."""
        for match in (await self.tournament()).matches_of(round_number):
            missing = self._absent_persons(match)
            for person in match.seats:
                if missing and person is not None and person not in missing:
                    thread = self.thread_of(match)
                    call = self.cup.message(f"Round {match.round}, table {match.table}: ", channel=thread)
                    await Person(self.cup.actors[self.place_of_person(person)], thread).click(call, "t_hand")
        await self.cup.wait_until_idle()

    async def play_match(self, match: MatchState) -> None:
        """Play a match until it is over or until the player in turn is absent."""
        if not self.wholly:
            await self.cup.play_match(match)
            return
        for one in match.tables:
            while (await self.cup.discord.snapshot(one.table)).status is Status.PLAYING:
                await self._play_by_command(match, one.table)
        await self.cup.wait_until_idle()

    async def _play_by_command(self, match: MatchState, table: int) -> None:
        """Let each player act by commands in the match's thread; use the service where no command fits."""
        snapshot, state = await self.cup.discord.snapshot(table), await self.cup.discord.game_state(table)
        if snapshot.actor is not None and snapshot.actor.person is not None:
            person = Person(self.cup.actors[self.place_of_person(snapshot.actor.person)], self.thread_of(match))
            await play_by_command(person, next_move(state))
        if (await self.cup.discord.snapshot(table)).version == snapshot.version:
            self.aside += 1
            await self.cup.act_or_begin_deal(match, table)

    def thread_of(self, match: MatchState) -> ChannelHandle:
        """Return the thread in which a match is played."""
        return next(one for one in self.cup.threads() if one.id == match.place)

    # --- what was sent

    def count_mentions(self) -> Counter[tuple[int, str, str]]:
        """Return how often each person was mentioned, by channel and text."""
        found: Counter[tuple[int, str, str]] = Counter()
        for one in self.cup.discord.environment.http_requests:
            if (
                one.method == "POST"
                and re.fullmatch(r"/channels/\d+/messages", one.path)
                and isinstance(one.json, dict)
            ):
                for person in mentioned_people(one.json):
                    found[int(person), one.path, text_of_body(one.json)] += 1
        return found

    def count_mentions_by_round(self) -> Counter[tuple[int, int]]:
        """Return how often each person was mentioned at a table, by round."""
        found: Counter[tuple[int, int]] = Counter()
        for (person, _, text), count in self.count_mentions().items():
            called = _ROUND.match(text)
            if called is not None:
                found[person, int(called[1])] += count
        return found

    def texts_posted_twice(self) -> list[str]:
        """Return texts that were posted more than once in a channel."""
        found: list[str] = []
        for channel in (self.cup.channel, *self.cup.threads()):
            count = Counter(text for text in self.cup.public_texts(channel) if text)
            found += [text for text, times in count.items() if times > 1]
        return found

    async def request_export(self) -> dict[str, Any]:
        """Press the export button under the closing message as a person; return the exported data."""
        closing = self.cup.message("** is over.")
        given = await self.cup.person(0).click(closing, "t_export")
        (file,) = [one for one in given.attachments if one.filename.endswith(".json")]
        found: dict[str, Any] = json.loads(await file.read())
        return found
