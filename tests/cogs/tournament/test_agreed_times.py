"""Agreeing on a time for a slow match, by a form and its buttons."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.clocks.clock import HOUR
from bot.clocks.time_rules import DAY, PRESETS
from bot.tournaments.event.plan import SLOW
from bot.tournaments.event.tournament import Stage
from cogs.shared.reading.input_problems import InputCode
from tests.support.discord import input_error_text, text_of
from tests.support.discord_tournaments import CupServer, cup_world


@pytest.fixture
async def cup(tmp_path: Path) -> AsyncIterator[CupServer]:
    async with cup_world(tmp_path, people=4) as world:
        yield world


async def test_players_propose_a_time_for_their_match_and_agree_on_it(cup: CupServer) -> None:
    await cup.publish(**{**SLOW, "rounds": 1, "starts_at": cup.clock.now() + 26 * HOUR})
    for place in range(4):
        await cup.person(place).run("tournament enter")
    while (await cup.tournament()).stage is not Stage.CHECK_IN:
        await cup.pass_time(HOUR)
    for place in range(4):
        await cup.person(place).run("tournament here")
    while not (await cup.tournament()).matches:
        await cup.pass_time(HOUR)
    while not (await cup.tournament()).matches[0].tables:
        await cup.pass_time(HOUR)
    (thread,) = cup.threads()
    call = cup.message("Round 1, table 1: <@", channel=thread)
    profiles = cup.discord.application.client.context.profiles
    people = {cup.person(place).id: cup.person(place) for place in range(4)}
    first, *others = [people[one or 0] for one in (await cup.tournament()).matches[0].seats]
    assert input_error_text(InputCode.ZONE_FIRST) in text_of(await first.click(call, "t_offer"))
    await profiles.change_preferences(first.id, {"zone": "Europe/Berlin"})
    wrong = await first.fill_form(call, "t_offer", "2023-12-01 20:00, soon")
    assert input_error_text(InputCode.NOT_AN_INSTANT, text="soon") in text_of(wrong)
    assert () == (await cup.tournament()).matches[0].times
    at = cup.clock.now() // DAY * DAY + 3 * DAY + 19 * HOUR
    typed = f"{day_as_typed(at)} 20:00"
    shown = await first.fill_form(call, "t_offer", typed)
    assert f"1. <t:{at // 1000}:F>: suits" in text_of(shown)
    await cup.wait_until_idle()
    offered = cup.message("could play at these times", channel=thread)
    for one in others[:2]:
        assert "It is agreed once it suits everyone." in text_of(await one.click(offered, "t_suits"))
    assert f"Agreed: <t:{at // 1000}:F>." in text_of(await others[2].click(offered, "t_suits"))
    await cup.wait_until_idle()
    cup.message("Agreed: you play on", channel=thread)
    assert "Agreed: <t:" in text_of(await first.run("tournament times"))
    while cup.clock.now() < at:
        await cup.pass_time(min(HOUR, at - cup.clock.now()))
    cup.message("the live clock counts", channel=thread)
    match = (await cup.tournament()).matches[0]
    table = await cup.discord.snapshot(match.tables[0].table)
    assert PRESETS["live"] == table.settings.clock
    await first.click(call, "t_present")
    assert (first.id,) == (await cup.tournament()).matches[0].came


def day_as_typed(milliseconds: int) -> str:
    """Return the date of an instant, as people type it."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).date().isoformat()
