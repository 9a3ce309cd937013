"""Read the bot's mentions in a simulated Discord: the person, the turn, and the stage of the clock."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from cogs.shared.notices.turn_decisions import turn_notice_name
from tests.cogs.test_table_messages import mentioned_people
from tests.support.discord import Discord
from tests.support.slow_discord_games import text_of_body

STAGES: Mapping[str, str] = {
    "your turn at (?:table|\\d+ tables)|, your turn\\.": "turn",
    "your partner asks": "answer",
    "half your time at": "half",
    "last reminder": "last",
    "Your extra day runs": "extended",
    "A day of your vacation has begun": "vacation",
    "is up\\. A computer plays for you|, a computer plays for you": "kept",
    "time at table \\d+ is up\\. .* has until": "allowance",
}
"""Patterns of notices with the stage they announce; for boards, patterns of the mention's text."""


class Mention(NamedTuple):
    """A mention of a person.

    It is about a turn (deal and turn) of a table, or about the nth time that a computer player took the seat.
    """

    person: int
    table: int
    turn: str
    stage: str


class MentionReader:
    """Reads the messages that the bot has sent since the last reading.

    `rooms` maps channels to the tables in them, `letters` channels of direct messages to their persons.
    """

    def __init__(self, discord: Discord, rooms: Mapping[int, int], letters: Mapping[int, int]) -> None:
        self._discord = discord
        self._rooms = rooms
        self._letters = letters
        self._read = 0

    async def read_new(self) -> list[Mention]:
        """Return the new mentions, one for each table that a message names.

        Messages that Discord refused are left out.
        """
        log = self._discord.environment.http_requests
        sent, self._read = log[self._read :], len(log)
        found = []
        for one in sent:
            room = re.fullmatch(r"/channels/(\d+)/messages", one.path)
            if one.method != "POST" or room is None or not isinstance(one.json, dict):
                continue
            channel = int(room[1])
            letter = self._letters.get(channel)
            persons = [int(person) for person in mentioned_people(one.json)] if letter is None else [letter]
            for person in persons:
                found += [
                    await self._parse_mention(person, table, text_of_body(one.json))
                    for table in self._table_numbers_in(channel, one.json)
                ]
        return found

    def _table_numbers_in(self, channel: int, body: Mapping[str, object]) -> list[int]:
        text = text_of_body(dict(body))
        if "your turn at" in text or channel not in self._rooms:
            return [int(table) for table in re.findall(r"table (\d+)", text)]
        return [self._rooms[channel]]

    async def _parse_mention(self, person: int, table: int, text: str) -> Mention:
        stages = {stage for words, stage in STAGES.items() if re.search(words, text)}
        snapshot = await self._discord.snapshot(table)
        if not stages:
            # Each text of this kind is sent only once, or once for each time that a computer player takes the seat.
            return Mention(person, table, f"{text} {snapshot.absence.kept}", "matter")
        (stage,) = stages
        if stage == "kept":
            seat = next(seat for seat, holder in enumerate(snapshot.seats) if holder.kept_for == person)
            lapses = 0 if snapshot.clocks is None else snapshot.clocks.seats[seat].lapses
            return Mention(person, table, f"kept {lapses}", stage)
        if stage == "allowance":  # the others are told once a turn that an allowance begins
            return Mention(person, table, turn_notice_name(snapshot), stage)
        # The game may have ended since the message was sent.
        assert snapshot.actor is None or person == snapshot.actor.person, (person, table, text)
        # The other players may grant a day several times in a turn, and each grant is notified.
        granted = snapshot.absence.waits.count(snapshot.seat_of(person)) if stage == "extended" else 0
        return Mention(
            person, table, f"{turn_notice_name(snapshot)} {granted}" if granted else turn_notice_name(snapshot), stage
        )
