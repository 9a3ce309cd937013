"""Cups in the simulated Discord whose bot is killed at a random request or write.

Nothing is lost, and nothing is done twice.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from bot.clocks.clock import MINUTE
from bot.store.outbox import ARCHIVE
from bot.tournaments.core.promised_effects import direct_message_recipients
from bot.tournaments.core.repository import TournamentRequest
from bot.tournaments.event import matches
from bot.tournaments.event.match_state import MatchStage
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.export.document import tournament_document
from tests.support.bot_killer import KillCountdown
from tests.support.discord_tournaments import CupServer, cup_world
from tests.support.season_of_killed_process import invented_result
from tests.support.seeds import SEARCHING, seeds
from tests.support.slow_discord_games import open_direct_messages

PEOPLE: Final = 4

OPERATIONS: Final = 120
"""Requests and writes of nearly a whole cup."""

PARTS: Final = range(20 if SEARCHING else 1)

KILLS: Final = 10 if SEARCHING else 2
"""Cups of one part of the test, each killed once; by night 200."""


async def advance_cup(cup: CupServer, tournament_number: int) -> None:
    """Let people enter the cup, check in and end their matches, and let five minutes pass.

    What they have already done is skipped.
    """
    tournaments = cup.discord.application.tournaments
    snapshot = await cup.tournament(tournament_number)
    people = [cup.person(place) for place in range(PEOPLE)]
    for one in people if snapshot.stage is Stage.OPEN else ():
        if snapshot.entry_of(one.id) is None:
            await tournaments.entering.enter(cup.caller(one), tournament_number)
    for one in people if snapshot.stage is Stage.CHECK_IN else ():
        await tournaments.entering.check_in(cup.caller(one), tournament_number)
    for match in snapshot.matches:
        if match.stage in (MatchStage.CALLED, MatchStage.PLAYING) and match.place is not None and match.result is None:
            await end_match(cup, tournament_number, match.id)
    await cup.pass_time(5 * MINUTE)


async def end_match(cup: CupServer, tournament_number: int, match: int) -> None:
    async def set_made_up_result(tournament: Tournament, now: int) -> Tournament:
        return matches.set_result(tournament, match=match, result=invented_result(tournament.match(match), now))

    await cup.discord.application.tournaments.playing.change(
        tournament_number, TournamentRequest("result", None), set_made_up_result
    )


async def work_until_killed(work: Awaitable[None], countdown: KillCountdown) -> None:
    """Await the work until it is done or the bot is killed."""
    task = asyncio.ensure_future(work)
    while not task.done() and not countdown.is_bot_killed:
        await asyncio.sleep(0.001)
    if countdown.is_bot_killed:
        task.cancel()
    (outcome,) = await asyncio.gather(task, return_exceptions=True)
    if isinstance(outcome, Exception) and not countdown.is_bot_killed:
        raise outcome


async def publish_cup(cup: CupServer, name: str) -> None:
    """Publish a cup, unless that was done before a kill."""
    open_ones = await cup.discord.application.tournaments.overview.open_tournaments_in(cup.discord.world.server.id)
    entering = cup.discord.application.tournaments.entering
    known = next((one for one in open_ones if one.plan.name == name), None)
    draft = known or await entering.create(
        cup.caller(cup.organiser), channel=cup.channel.id, plan=cup.plan(name=name, rated=True, places=PEOPLE)
    )
    if draft.stage is Stage.DRAFT:
        await entering.publish(cup.caller(cup.organiser), draft.id)
    await cup.wait_until_idle()


async def play_cup_with_kill(cup: CupServer, tournament_number: int, countdown: KillCountdown) -> bool:
    """Play a cup to its close with a kill and a restart; return whether the bot was really killed."""
    countdown.wrap_requests_and_writes()
    for _ in range(60):
        if countdown.is_bot_killed or not await is_cup_unfinished(cup, tournament_number):
            break
        await work_until_killed(publish_or_advance_cup(cup, tournament_number), countdown)
    countdown.left = 0
    if countdown.is_bot_killed:
        await countdown.killer.restart_bot()
        await cup.wait_until_idle()
    for _ in range(60):
        if await is_cup_unfinished(cup, tournament_number):
            await publish_or_advance_cup(cup, tournament_number)
    for _ in range(3):
        await cup.pass_time(MINUTE)
    assert Stage.CLOSED is (await cup.tournament(tournament_number)).stage
    return countdown.is_bot_killed


async def is_cup_unfinished(cup: CupServer, tournament_number: int) -> bool:
    """Return whether the cup of that number is not yet created or not yet closed."""
    return (
        not await _is_cup_created(cup, tournament_number)
        or (await cup.tournament(tournament_number)).stage is not Stage.CLOSED
    )


async def publish_or_advance_cup(cup: CupServer, tournament_number: int) -> None:
    """Publish the cup if it is not public yet, else take the next steps in it."""
    is_published = (
        await _is_cup_created(cup, tournament_number)
        and (await cup.tournament(tournament_number)).stage is not Stage.DRAFT
    )
    await (advance_cup(cup, tournament_number) if is_published else publish_cup(cup, f"Cup {tournament_number}."))


async def _is_cup_created(cup: CupServer, tournament_number: int) -> bool:
    """Return whether the cup of that number was created."""
    return await cup.discord.application.tables._context.store.tournaments.outline(tournament_number) is not None


async def check_effects(cup: CupServer, tournament_number: int) -> None:
    """Check that every match is rated, each letter was sent once, and nothing was made twice."""
    snapshot = await cup.tournament(tournament_number)
    shown = tournament_document(
        await cup.discord.application.tournaments.exports.export_input(tournament_number, person=cup.organiser.id)
    )
    played = {one["id"] for turn in shown["rounds"] for one in turn["matches"] if not one["unrated"]}
    assert played == {one["match"] for one in shown["ratings"]["log"]}, "a match of a closed cup is unrated"
    promises = await cup.discord.application.tables._context.store.outbox.all_promises()
    assert [] == [one.key for one in promises if one.kind != ARCHIVE], "boards, and so archives, come rarely here"
    wanted = Counter(person for news in snapshot.news for person in direct_message_recipients(snapshot, news))
    assert wanted == Counter(
        {person: count for person, count in count_letters(cup, tournament_number).items() if count}
    )
    server = await cup.discord.application.client.fetch_guild(cup.discord.world.server.id)
    assert sum(one.name == snapshot.plan.name for one in await server.fetch_scheduled_events()) <= 1
    names = Counter(one.name for one in cup.threads() if one.id in {match.place for match in snapshot.matches})
    assert len(snapshot.matches) == sum(names.values())
    said = Counter(text for text in cup.public_texts() if f"Cup {tournament_number}" in text and "Round" in text)
    assert not [text for text, count in said.items() if count > 1]


def count_letters(cup: CupServer, tournament_number: int) -> Counter[int]:
    """Return the number of a cup's letters to each person; repetitions with the same nonce count once."""
    backend, found = cup.discord.environment.backend, Counter[int]()
    for person in (cup.organiser, *(cup.person(place) for place in range(PEOPLE))):
        box = backend.get_dm_channel(person.id)
        sent: list[Any] = [
            one.json for one in cup.discord.environment.http_requests if one.path == f"/channels/{box.id}/messages"
        ]
        nonces = {
            one["nonce"]
            for one in sent
            if f"Cup {tournament_number}." in str(one) and str(one["nonce"]).startswith("o")
        }
        found[person.id] = len(nonces)
    return found


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("part", PARTS)
async def test_a_cup_whose_bot_is_killed_anywhere_loses_and_repeats_nothing(
    tmp_path: Path, part: int, caplog: pytest.LogCaptureFixture
) -> None:
    random = Random(seeds(1)[0] * 1_000 + part)
    async with cup_world(tmp_path, people=PEOPLE) as cup:
        for person in (cup.organiser, *(cup.person(place) for place in range(PEOPLE))):
            await cup.discord.application.client.context.profiles.change_preferences(person.id, {"notices": "dm"})
            await open_direct_messages(cup.discord, person.id)
        killed = 0
        for number in range(1, KILLS + 1):
            countdown = KillCountdown(cup.discord, random.randint(1, OPERATIONS), random.random() < 0.5)
            killed += await play_cup_with_kill(cup, number, countdown)
            await check_effects(cup, number)
    assert killed
    caplog.clear()  # tasks of the killed process log their failure
