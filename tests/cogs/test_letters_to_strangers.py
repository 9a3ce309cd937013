"""Three hundred letters to people whom the bot never wrote to arrive, by few new direct messages.

They are in ten servers.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from simcord import ChannelHandle, MemberActor

from bot.clocks.clock import HOUR, MINUTE, SECOND
from bot.clocks.time_rules import DAY
from bot.tables.state.snapshots import Caller
from bot.tournaments.core.repository import TournamentRequest
from bot.tournaments.event.entries import Person
from bot.tournaments.event.tournament import Audience, Tournament
from bot.tournaments.event.tournament_changes import add_news
from cogs.shared.posting.direct_messages import DirectMessageLimit
from cogs.shared.posting.edit_schedule import EditSchedule
from tests.cogs.test_direct_messages import OPENING, count_opened_messages
from tests.support.discord import controls
from tests.support.discord_tournaments import CupServer, cup_world
from tests.support.seeds import SEARCHING
from tests.support.slow_discord_games import open_direct_messages

SERVERS: Final = 10

EACH: Final = 30 if SEARCHING else 3
"""People with a letter in each server: more at night."""

ALL: Final = SERVERS * EACH

KNOWN: Final = 2
"""People of the first server who have allowed direct messages."""

OFTEN: Final = EditSchedule(DAY, DAY, DAY, DAY)
"""An edit schedule that writes hardly any boards, with the usual budget of requests."""


@dataclass(slots=True)
class TournamentServer:
    """A server with a tournament, and the people in it who get a letter."""

    guild: int
    channel: ChannelHandle
    people: list[MemberActor]
    tournament: int


@pytest.fixture
async def cup(tmp_path: Path) -> AsyncIterator[CupServer]:
    async with cup_world(tmp_path, people=1, rhythm=OFTEN) as world:
        yield world


async def create_tournament_servers(cup: CupServer) -> list[TournamentServer]:
    """Return ten new servers, each with a published tournament that one person has entered."""
    return [await open_tournament_server(cup, number) for number in range(SERVERS)]


async def open_tournament_server(cup: CupServer, number: int) -> TournamentServer:
    environment, entering = cup.discord.environment, cup.discord.application.tournaments.entering
    server = environment.create_guild(f"Server {number}")
    channel = server.create_text_channel("cards")
    people = [server.add_member(environment.create_user(f"guest-{number}-{one}")) for one in range(EACH)]

    def caller(person: MemberActor) -> Caller:
        cup.requests += 1
        return Caller(person.id, "G", server.id, cup.requests)

    plan = cup.plan(name=f"Cup {number}", starts_at=cup.clock.now() + 20 * HOUR)
    draft = await entering.create(caller(people[0]), channel=channel.id, plan=plan)
    await entering.publish(caller(people[0]), draft.id)
    await entering.enter(caller(people[1]), draft.id)
    return TournamentServer(server.id, channel, people, draft.id)


async def write_letters(cup: CupServer, places: list[TournamentServer], people: slice = slice(None)) -> None:
    """Store a private letter, as for a penalty, to these people of every server."""
    for place in places:
        persons = tuple(Person(one.id) for one in place.people[people])

        async def add_penalty_news(
            tournament: Tournament, now: int, persons: tuple[Person, ...] = persons
        ) -> Tournament:
            return add_news(
                tournament,
                "penalty",
                now,
                audience=Audience.PERSONS,
                persons=persons,
                entries=(1,),
                numbers={"level": 1, "points": 0},
                texts={"category": "slow", "reason": "late"},
            )

        await cup.discord.application.tournaments.playing.change(
            place.tournament, TournamentRequest("penalty"), add_penalty_news
        )


def people_reached(cup: CupServer, places: list[TournamentServer]) -> tuple[set[int], set[int]]:
    """Return the people who got the letter as a direct message, and those mentioned with its button."""
    backend = cup.discord.environment.backend
    boxes: set[int] = set()
    mentioned: set[int] = set()
    for place in places:
        shown = [one for one in place.channel.history() if "t_letter" in controls(one)]
        mentioned |= {person.id for message in shown for person in message.mentions}
        for one in place.people:
            box = backend.get_dm_channel(one.id)
            if any("penalty" in str(said.components) for said in backend.messages[box.id].values()):
                boxes.add(one.id)
    return boxes, mentioned


async def pass_time(cup: CupServer, seconds: int) -> None:
    """Let seconds pass, and do in each second what becomes possible.

    If nothing waits in the outbox, they pass at once.
    """
    outbox = cup.discord.application.tables._context.store.outbox
    for left in range(seconds, 0, -1):
        if not await outbox.all_promises():
            cup.clock.advance(left * SECOND)
            return
        for _ in range(20):
            await asyncio.sleep(0.001)
        cup.clock.advance(SECOND)


async def seconds_until_reached(cup: CupServer, places: list[TournamentServer], count: int) -> int:
    """Let time pass until that many people are reached, and return the seconds it took."""
    for second in range(0, 240, 2):
        boxes, mentioned = people_reached(cup, places)
        if len(boxes | mentioned) >= count:
            return second
        await pass_time(cup, 2)
    raise AssertionError("after four minutes some were not reached")


async def test_all_letters_arrive_within_two_minutes_and_few_direct_messages_are_opened(cup: CupServer) -> None:
    places = await create_tournament_servers(cup)
    await write_letters(cup, places)
    took = await seconds_until_reached(cup, places, ALL)
    boxes, mentioned = people_reached(cup, places)
    sys.stdout.write(f"{ALL} letters: {len(boxes)} direct, {len(mentioned)} by mention, all after {took} s\n")
    assert took <= 120
    assert not boxes & mentioned
    for place in places[1:]:
        await pass_time(cup, (10 * MINUTE // SECOND - took - 10) // 9)
        await write_letters(cup, [place])
    await pass_time(cup, 5)
    assert 3 < count_opened_messages(cup.discord) <= 13


@pytest.mark.parametrize("code", [40003, 20026])
async def test_after_a_refusal_only_people_known_before_get_direct_messages(
    cup: CupServer, code: int, caplog: pytest.LogCaptureFixture
) -> None:
    places = await create_tournament_servers(cup)
    known = [one.id for one in places[0].people[:KNOWN]]
    for person in known:
        await open_direct_messages(cup.discord, person)
    cup.discord.environment.inject_error("POST", OPENING, status=403, code=code, times=None)
    before = count_opened_messages(cup.discord)
    await write_letters(cup, places)
    assert await seconds_until_reached(cup, places, ALL) <= 120
    boxes, mentioned = people_reached(cup, places)
    tried = count_opened_messages(cup.discord) - before
    sys.stdout.write(
        f"{ALL} letters after {code}: {len(boxes)} direct, {len(mentioned)} by mention, {tried} openings tried" + "\n"
    )
    assert (set(known), ALL - KNOWN) == (boxes, len(mentioned))
    assert tried <= 4, "as many as are kept at once"
    await write_letters(cup, places)
    await pass_time(cup, 60)
    assert tried == count_opened_messages(cup.discord) - before
    caplog.clear()


async def test_without_a_limit_every_letter_opens_a_direct_message(cup: CupServer) -> None:
    """This shows that the tests above can fail."""
    places = await create_tournament_servers(cup)
    cup.discord.application.client.context.direct._openings = DirectMessageLimit(cup.clock.now() - HOUR, per_hour=10**6)
    await write_letters(cup, places)
    await seconds_until_reached(cup, places, ALL)
    assert count_opened_messages(cup.discord) > ALL // 2
