"""The bot opens few direct messages; a text that does not arrive is sent in another way."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.clocks.clock import HOUR, MINUTE, SECOND
from bot.clocks.time_rules import DAY
from bot.tables.state.refusals import TableCode, TableRefusal
from cogs.shared.discord_api.components import text_page
from cogs.shared.discord_api.discord_calls import CallTrouble, FailedCall
from cogs.shared.notices.daily_digests import is_digest_due, minute_of_digest
from cogs.shared.posting.direct_messages import DirectMessageLimit
from tests.cogs.tournament.test_tournament_messages import start_cup
from tests.support.clock import START
from tests.support.discord import Discord, controls, labels, text_of
from tests.support.discord_tournaments import CupServer, cup_world
from tests.support.seeds import SEARCHING
from tests.support.slow_discord_games import open_direct_messages
from tests.support.tables import EAST, NORTH, SOUTH, WEST, World, open_world

DIRECTORS = 40 if SEARCHING else 12

OPENING = "/users/@me/channels"


def count_opened_messages(discord: Discord) -> int:
    """Return how many direct messages the bot has opened."""
    return sum(one.path == OPENING for one in discord.environment.http_requests)


def test_the_bot_opens_thirteen_direct_messages_in_ten_minutes() -> None:
    openings = DirectMessageLimit(START, per_hour=60)
    taken = [openings.try_to_count_opening(START + second * SECOND) for second in range(600) for _ in range(2)]
    assert (3, 12) == (sum(taken[:10]), sum(taken))
    assert [True, False] == [openings.try_to_count_opening(START + 600 * SECOND) for _ in range(2)]
    assert not any(DirectMessageLimit(START, per_hour=0).try_to_count_opening(START + day * DAY) for day in range(3))


def test_each_refusal_doubles_the_time_without_new_direct_messages() -> None:
    openings, now, pauses = DirectMessageLimit(START, per_hour=600), START, []
    for _ in range(8):
        openings.stop_openings(now)
        pauses.append(openings.none_until - now)
        assert not openings.try_to_count_opening(openings.none_until - 1)
        now = openings.none_until
        assert openings.try_to_count_opening(now)
    assert [10, 20, 40, 80, 160, 320, 360, 360] == [pause // MINUTE for pause in pauses]


async def test_a_person_who_chooses_direct_messages_is_written_to_at_once(discord: Discord) -> None:
    you = discord.person(0)
    panel = await you.run("me settings", zone="Europe/Rome")
    panel = await you.choose(panel, "set_notices", "dm")
    assert (1, "Saved." in text_of(panel)) == (count_opened_messages(discord), True)
    panel = await you.choose(panel, "set_digest", "19")
    assert 1 == count_opened_messages(discord), "the channel is known"
    box = discord.environment.backend.get_dm_channel(you.id)
    (said,) = discord.environment.backend.messages[box.id].values()
    assert "I will send your notices here." in text_of(said)


async def test_a_person_who_cannot_be_written_to_learns_it_at_once(discord: Discord) -> None:
    you = discord.person(0)
    discord.environment.inject_error("POST", "/channels/*/messages", status=403, code=50007)
    panel = await you.choose(await you.run("me settings", zone="Europe/Rome"), "set_notices", "dm")
    assert "Discord does not let me write to you" in text_of(panel)
    assert "set_fallback" in controls(panel)
    assert "Saved." in text_of(await you.choose(panel, "set_notices", "dm")), "it is tried again"


@pytest.mark.parametrize(
    ("code", "trouble", "after"),
    [(40003, CallTrouble.OPENING_TOO_MANY, 10 * MINUTE), (20026, CallTrouble.QUARANTINED, DAY)],
)
async def test_known_people_get_messages_while_discord_refuses_openings(
    cup: CupServer, caplog: pytest.LogCaptureFixture, code: int, trouble: CallTrouble, after: int
) -> None:
    discord, page = cup.discord, text_page("hello")
    direct = discord.application.client.context.direct
    await open_direct_messages(discord, cup.person(0).id)
    discord.environment.inject_error("POST", OPENING, status=403, code=code)
    assert FailedCall(trouble) == await direct.send(cup.person(1).id, page, "1", opens=True)
    assert FailedCall(CallTrouble.NO_ROOM) == await direct.send(cup.person(2).id, page, "2", opens=True)
    assert not isinstance(await direct.send(cup.person(0).id, page, "3"), FailedCall)
    cup.clock.advance(after - 1)
    assert FailedCall(CallTrouble.NO_ROOM) == await direct.send(cup.person(2).id, page, "4", opens=True)
    cup.clock.advance(1)
    assert not isinstance(await direct.send(cup.person(2).id, page, "5", opens=True), FailedCall)
    told = [one for one in caplog.records if one.levelno == logging.CRITICAL]
    assert (trouble is CallTrouble.QUARANTINED) == (len(told) == 1)
    caplog.clear()


async def test_a_notice_opens_no_direct_message_if_the_bot_knows_no_channel(cup: CupServer) -> None:
    direct = cup.discord.application.client.context.direct
    assert FailedCall(CallTrouble.NO_ROOM) == await direct.send(cup.person(0).id, text_page("hello"), "1")
    assert 0 == count_opened_messages(cup.discord)


async def test_letters_to_many_people_reach_all_and_open_few_direct_messages(cup: CupServer) -> None:
    """Three letters are written at once; all other people are mentioned, with a button for the letter."""
    discord, tournaments = cup.discord, cup.discord.application.tournaments
    (match,) = (await start_cup(cup, 4, places=4)).matches
    directors = [cup.person(4 + place) for place in range(DIRECTORS)]
    for one in directors:
        await tournaments.desk_entries.add_director(cup.caller(cup.organiser), 1, person=one.id, name="D")
    await tournaments.entering.call_director(cup.caller(cup.person(0)), 1, match.id, text="a card was counted twice")
    await cup.wait_until_idle()
    boxes = [one for one in (cup.organiser, *directors) if cup.direct_messages(one)]
    waiting = {
        person.id: message for message in cup.messages() if "Read" in labels(message) for person in message.mentions
    }
    assert 3 == count_opened_messages(discord) == len(boxes)
    assert {one.id for one in (cup.organiser, *directors)} == {one.id for one in boxes} | set(waiting)
    reader = next(one for one in directors if one.id in waiting)
    assert "a card was counted twice" not in text_of(waiting[reader.id])
    letter = await reader.click(waiting[reader.id], "t_letter")
    assert letter.ephemeral
    assert "calls a director" in text_of(letter)
    assert "for another person" in text_of(await cup.person(0).click(waiting[reader.id], "t_letter"))


@pytest.fixture
async def cup(tmp_path: Path) -> AsyncIterator[CupServer]:
    async with cup_world(tmp_path, people=DIRECTORS + 4) as world:
        yield world


def test_digests_are_spread_over_their_hour() -> None:
    minutes = Counter(minute_of_digest(person) for person in range(10**18, 10**18 + 3_000))
    assert 60 == len(minutes)
    assert max(minutes.values()) < 90
    begins = START - START % DAY + 19 * HOUR
    assert is_digest_due(begins + 30 * MINUTE, 19, "UTC", last=begins - DAY + 30 * MINUTE, minute=30)
    assert not is_digest_due(begins + 29 * MINUTE, 19, "UTC", last=begins - DAY + 30 * MINUTE, minute=30)


async def test_followers_of_a_table_and_tables_followed_by_a_person_are_limited(tmp_path: Path) -> None:
    async with open_world(tmp_path / "canasta.db") as world:
        snapshot = await world.start_game(NORTH, EAST, players=2)
        for person in range(100, 125):
            await world.service.places.set_spectator(snapshot, person, is_spectator=True)
        with pytest.raises(TableRefusal) as refused:
            await world.service.places.set_spectator(snapshot, 200, is_spectator=True)
        assert TableCode.TOO_MANY_WATCHERS is refused.value.code
        await world.service.places.set_spectator(snapshot, 100, is_spectator=True)
        await world.service.places.set_spectator(snapshot, 100, is_spectator=False)
        await world.service.places.set_spectator(snapshot, 200, is_spectator=True)
        await check_followed_tables_limit(world)


async def check_followed_tables_limit(world: World) -> None:
    for number in range(10):
        snapshot = await world.start_game(*((NORTH, EAST), (SOUTH, WEST))[number % 2], players=2)
        await world.service.places.set_spectator(snapshot, 300, is_spectator=True)
    snapshot = await world.start_game(NORTH, SOUTH, players=2)
    with pytest.raises(TableRefusal) as refused:
        await world.service.places.set_spectator(snapshot, 300, is_spectator=True)
    assert TableCode.TOO_MANY_WATCHED is refused.value.code
