"""A league of divisions in Discord, from the wizard's *Divisions…* to the sign-up for the next season."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.clocks.clock import HOUR
from bot.clocks.time_rules import DAY
from bot.engine.rules.sets import rule_set
from bot.series.series import NightStage
from bot.tournaments.event.plan import SLOW
from bot.tournaments.format_traits import FormatKind
from tests.cogs.series.test_series_in_discord import send_form, series_of, series_service
from tests.support.discord import text_of
from tests.support.discord_tournaments import CupServer, cup_world
from tests.support.tournaments import one_round_rules


@pytest.fixture
async def cup(tmp_path: Path) -> AsyncIterator[CupServer]:
    async with cup_world(tmp_path, people=4) as world:
        yield world


async def test_a_season_of_divisions_is_played_in_discord(cup: CupServer) -> None:
    tournaments = cup.discord.application.client.context.tournaments
    chosen = {**SLOW, "kind": FormatKind.ROUND_ROBIN, "rules": one_round_rules(rule_set("classic", 2)), "drawn": False}
    plan = cup.plan(**chosen, name="League", starts_at=cup.clock.now() + DAY, rounds=None)
    draft = await tournaments.entering.create(cup.caller(cup.organiser), channel=cup.channel.id, plan=plan)
    await cup.discord.application.client.context.profiles.change_preferences(
        cup.organiser.id, {"zone": "Europe/Berlin"}
    )
    check = await cup.organiser.press_exact_button(
        await cup.organiser.run("tournament desk"), "t_page", f"{draft.id}.check"
    )
    wrong = await send_form(cup.organiser, check, "s_repeat", size="3", pause="14")
    assert "4" in text_of(wrong)
    answer = await send_form(cup.organiser, check, "s_repeat", size="6", pause="14")
    assert "in divisions of about 6; a season begins 14 days after the last one." in text_of(answer)
    await cup.pass_time(HOUR)
    sign_up = cup.message("**League 1**")
    assert "The divisions are made on <t:" in text_of(sign_up)
    for place in range(4):
        assert "You are in. The divisions are made on" in text_of(await cup.person(place).click(sign_up, "t_enter"))
    await cup.pass_time(DAY)
    assert "The divisions are made." in text_of(cup.message("**League 1** ·"))
    cup.message("**League**, season 1: 1 division is made and begins now.")
    shown = await cup.person(0).run("series standings")
    assert "**Division 1**\nIn play." in text_of(shown)
    for _ in range(40):
        (division,) = (await series_of(cup)).divisions_of(1)
        if division.stage is not NightStage.MADE:
            break
        for match in (await cup.tournament(division.tournament)).matches:
            if match.tables and match.result is None:
                await cup.play_match(match)
        await cup.pass_time(HOUR)
    assert "1\\. " in text_of(await cup.person(0).run("series standings"))
    asked = [one for one in cup.messages() if "Do you play again?" in text_of(one)]
    assert 1 == len(asked), "one message asks all who are told in the channel"
    assert all(f"<@{cup.person(place).id}>" in text_of(asked[0]) for place in range(4))
    await cup.pass_time(HOUR)
    assert "You play the next season, from <t:" in text_of(await cup.person(1).click(asked[0], "s_again"))
    stranger = await cup.organiser.click(asked[0], "s_again")
    assert "You did not finish a division in the last season." in text_of(stranger)
    series = await series_of(cup)
    assert 2 == series.season
    assert await series_service(cup).get_series(1) == series
