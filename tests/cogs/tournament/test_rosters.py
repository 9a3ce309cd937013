"""Regulars, line-ups and *I play for …*, by buttons and by `/tournament lineup`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.clocks.clock import MINUTE
from bot.tournaments.event.tournament import Stage
from bot.tournaments.format_traits import FormatKind
from tests.support.discord import Person, controls, labels, text_of
from tests.support.discord_tournaments import NAMES, CupServer, cup_world


@pytest.fixture
async def cup(tmp_path: Path) -> AsyncIterator[CupServer]:
    async with cup_world(tmp_path, people=6) as world:
        yield world


async def open_cup_with_two_pairs(cup: CupServer) -> list[Person]:
    """Publish a cup of pairs with a regular each, and enter two pairs.

    Return all six people.
    """
    await cup.publish(kind=FormatKind.ROUND_ROBIN, drawn=False, regulars=1, rounds=None)
    people = [cup.person(place) for place in range(6)]
    for first, second in ((0, 1), (2, 3)):
        await people[first].run("tournament enter", partner=people[second].actor)
        await cup.wait_until_idle()
        await people[second].click(cup.message(f"{NAMES[first]} asks you to be their partner"), "t_yes")
        await cup.wait_until_idle()
    return people


async def test_a_regular_joins_an_entry_and_its_line_up_and_plays(cup: CupServer) -> None:
    ana, ben, cy, dov, eli, flo = await open_cup_with_two_pairs(cup)
    announcement = cup.message("Friday cup", "4 of 8")
    assert "t_lineup" in controls(announcement)
    assert "You are not in this tournament" in text_of(await eli.click(announcement, "t_lineup"))
    shown = await ana.click(announcement, "t_lineup")
    assert "No regulars yet. You can ask 1 player" in text_of(shown)
    assert "Your next matches are played by Ana & Ben." in text_of(shown)
    assert "t_players" not in controls(shown)
    answer = await ana.actor.select(shown, [eli.actor], custom_id=controls(shown)["t_regular"]["custom_id"])
    assert "Asked: Eli, who can answer until <t:" in text_of(answer.response)
    await cup.wait_until_idle()
    question = cup.message("Ana asks you to be a regular in")
    assert "Your answer is no longer needed." in text_of(await flo.click(question, "t_reg_yes"))
    assert "You are a regular of Ana & Ben in **Friday cup**" in text_of(await eli.click(question, "t_reg_yes"))
    await cup.wait_until_idle()
    assert any("Eli is now a regular of Ana & Ben" in text for text in cup.public_texts())
    shown = await eli.run("tournament lineup")
    assert "Regulars: Eli." in text_of(shown)
    set_ = await eli.choose(shown, "t_players", str(eli.id), str(ben.id))
    assert "Your next matches are played by Eli & Ben." in text_of(set_)
    assert "You are a regular of Ana & Ben." in text_of(await eli.run("tournament enter"))
    await cup.advance_to(Stage.CHECK_IN)
    for one in (eli, ben, cy, dov):
        await one.run("tournament here")
    await cup.advance_to(Stage.RUNNING)
    while not (await cup.tournament()).matches[0].tables:
        await cup.pass_time(MINUTE)
    assert {eli.id, ben.id, cy.id, dov.id} == set((await cup.tournament()).matches[0].seats)
    (thread,) = cup.threads()
    call = cup.message("Round 1, table 1", channel=thread)
    for one in (ben, cy, dov):
        await one.click(call, "t_present")
    while not (await cup.tournament()).matches[0].turns:
        match = (await cup.tournament()).matches[0]
        await cup.act_or_begin_deal(match, match.tables[0].table)
        await cup.wait_until_idle()
    await cup.pass_time(5 * MINUTE)
    waits = cup.message("wait for", channel=thread)
    assert "I play for Eli" in labels(waits)
    refusal = "For that you must be a member of that player's entry and not be playing a match now."
    assert refusal in text_of(await cy.click(waits, "t_stand_in"))
    assert "I play for Eli" in labels(await ana.run("tournament lineup"))
    assert "You are here: round 1, table 1." in text_of(await ana.click(waits, "t_stand_in"))
    await cup.wait_until_idle()
    assert {ana.id, ben.id, cy.id, dov.id} == set((await cup.tournament()).matches[0].seats)
    cup.message("plays this match for Eli", channel=thread)
    leaving = await eli.click(announcement, "t_leave")
    assert "You will no longer be a regular of this entry" in text_of(leaving)
    assert "You have left" in text_of(await eli.click(leaving, "t_leave_yes"))
    assert ((), True) == ((await cup.tournament()).entrants[0].regulars, (await cup.tournament()).entrants[0].is_active)
