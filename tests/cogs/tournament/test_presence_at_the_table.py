"""Saying "I am here" at the table by button and command (`docs/tournaments.md` 2, 8 case 52)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.clocks.clock import MINUTE
from bot.tournaments.event.tournament import Stage
from tests.support.discord import Message, Person, controls, labels, text_of
from tests.support.discord_tournaments import CupServer, cup_world


@pytest.fixture
async def cup(tmp_path: Path) -> AsyncIterator[CupServer]:
    async with cup_world(tmp_path, people=5) as world:
        yield world


async def call_of_match(cup: CupServer) -> tuple[Message, list[Person]]:
    """Return the message that calls the only match, and its people by seat."""
    await cup.publish(rounds=1)
    for place in range(4):
        await cup.person(place).run("tournament enter")
    await cup.advance_to(Stage.CHECK_IN)
    for place in range(4):
        assert "You are here." in text_of(await cup.person(place).run("tournament here"))
    await cup.advance_to(Stage.RUNNING)
    while not (await cup.tournament()).matches[0].tables:
        await cup.pass_time(MINUTE)
    seats = (await cup.tournament()).matches[0].seats
    persons = {person.id: person for person in map(cup.person, range(4))}
    (thread,) = cup.threads()
    return cup.message("Round 1, table 1: <@", channel=thread), [persons[one or 0] for one in seats]


async def test_8_52_players_say_that_they_are_here_and_the_call_waits_for_one_person(cup: CupServer) -> None:
    call, seats = await call_of_match(cup)
    assert ["I am here", "My hand"] == labels(call)[:2]
    answer = await seats[1].click(call, "t_present")
    assert "You are here: round 1, table 1." in text_of(answer)
    assert {"t_hand"} == set(controls(answer))
    answer = await seats[3].run("tournament here")
    assert "You are here: round 1, table 1." in text_of(answer)
    assert (seats[1].id, seats[3].id) == (await cup.tournament()).matches[0].arrived
    refused = text_of(await cup.person(4).click(call, "t_present"))
    assert "You are not in this tournament, or not in that match." in refused
    await cup.pass_time(5 * MINUTE)
    (thread,) = cup.threads()
    text = text_of(cup.message("Round 1, table 1: we wait for", channel=thread))
    assert f"wait for <@{seats[0].id}> until <t:" in text
    assert f"<@{seats[2].id}>: press *I am here*, if you are." in text
    await cup.pass_time(5 * MINUTE)
    result = (await cup.tournament()).matches[0].result
    assert result is not None
    assert ((0,), 1) == (result.forfeited, result.winner)
