"""A Friday cup from its announcement to its close, as all people see it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.clocks.clock import MINUTE, SECOND
from bot.tournaments.event.tournament import Stage
from tests.cogs.test_table_messages import RecordedRequests
from tests.support.discord import controls, text_of
from tests.support.discord_tournaments import CupServer, cup_world
from tests.support.slow_discord_games import mentions


@pytest.fixture
async def cup(tmp_path: Path) -> AsyncIterator[CupServer]:
    async with cup_world(tmp_path, people=9) as world:
        yield world


async def test_a_cup_of_eight_runs_without_a_director(cup: CupServer) -> None:
    await cup.publish()
    announcement = cup.message("**Friday cup**")
    assert "8 places · partners drawn" in text_of(announcement)
    answers = [text_of(await cup.person(place).click(announcement, "t_enter")) for place in range(9)]
    assert answers[4].startswith("You are in, 5 of 8. Check in <t:")
    assert answers[8].startswith("The tournament is full. You wait as 1st.")
    await cup.wait_until_idle()
    announcement = cup.message("**Friday cup**")
    assert "Waiting: Ida" in text_of(announcement)

    requests = RecordedRequests(cup.discord)
    await cup.pass_time(30 * MINUTE)
    ((_, text),) = mentions(requests)
    assert "Check-in is open until" in text
    check_in = cup.message("Check-in is open until")
    for place in (0, 2, 3, 4, 5, 6, 7, 8):
        assert "You are here" in text_of(await cup.person(place).click(check_in, "t_here"))
    await cup.pass_time(25 * MINUTE)
    cup.message("Ben did not check in; Ida plays.")
    assert "t_here" not in controls(cup.message("Check-in is over."))

    await cup.pass_time(5 * MINUTE)
    tournament = await cup.tournament()
    assert Stage.RUNNING is tournament.stage
    first_pairing = cup.message("**Friday cup**, round 1")
    assert "Table 1: " in text_of(first_pairing)
    assert 2 == len(cup.threads())
    for match, thread in zip(tournament.matches, cup.threads(), strict=True):
        assert match.place == thread.id
        call = cup.message(f"Round 1, table {match.table}: ", channel=thread)
        assert "1 deal, until <t:" in text_of(call)
        assert {"t_present", "t_hand", "t_why", "t_problem"} == set(controls(call))
    first, second = tournament.matches
    await cup.play_match(first)
    so_far = text_of(cup.message("**Friday cup**, standings while round 1 is played"))
    assert [" (shared)" in line for line in so_far.splitlines()] == [False, False, True, True, False], so_far
    await cup.pass_time(15 * SECOND)
    await cup.play_match(second)
    await cup.pass_time(15 * SECOND)
    cup.message("**Friday cup**, standings after round 1")
    cup.message("Round 2 in 2 minutes.")
    await cup.pass_time(2 * MINUTE)
    tournament = await cup.tournament()
    for match in tournament.matches_of(2):
        await cup.play_match(match)
    await cup.pass_time(2 * MINUTE)
    assert Stage.CLOSED is (await cup.tournament()).stage
    closing = cup.message("**Friday cup** is over.")
    # The dot is escaped, because Discord would make a list of it and number that itself.
    assert "\n1\\. " in text_of(closing)
    assert {"t_export"} == set(controls(closing))
    assert ["event-1-places.png"] == [file.filename for file in closing.attachments]

    for given in (await cup.person(0).click(closing, "t_export"), await cup.person(1).run("tournament export")):
        assert ["canasta-event-1.html", "canasta-event-1.json", "canasta-event-1.zip"] == [
            file.filename for file in given.attachments
        ]
