"""Directors are told what fails at a tournament, and can retry it (`docs/tournaments.md` 8, 55, 56)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.clocks.clock import MINUTE
from bot.tournaments.event.match_state import RoundStage
from tests.cogs.tournament_desk.conftest import Desk
from tests.support.discord import controls, enabled_actions, press_stale_control, text_of


def run_sql(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute(sql).rowcount
        connection.commit()


CUT = "UPDATE tournament_parts SET value = substr(value, 2) WHERE part = 'matches' AND number = 1"
NOBODY_IN_IT = """
UPDATE tournament_parts SET value = json_set(value, '$.people', json('[]')) WHERE part = 'entrants' AND number = 1
"""
MEND = "UPDATE tournament_parts SET value = '{' || value WHERE part = 'matches' AND number = 1"


async def test_8_56_a_tournament_that_cannot_be_read_is_told_listed_and_repaired(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    await desk.evening.draw_first_round()
    await desk.evening.begin_round()
    path = desk.discord.database
    await desk.discord.restart(meanwhile=lambda: run_sql(path, CUT))
    await desk.evening.wait_until_idle()
    (told,) = [one for one in desk.cup.direct_messages(desk.vera) if "cannot be read" in text_of(one)]
    assert "Friday cup cannot be read (no. 1, fault " in text_of(told)
    assert {"t_try"} == enabled_actions(told)
    listed = await desk.vera.run("tournament list")
    assert "Friday cup cannot be read (no. 1)." in text_of(listed)
    anna = desk.cup.person(0)
    again = controls(told)["t_try"]["custom_id"]
    pressed = await press_stale_control(desk.discord, anna, await anna.run("help"), again)
    assert "director" in text_of(pressed)
    run_sql(path, MEND)
    done = await press_stale_control(desk.discord, desk.vera, await desk.vera.run("help"), again)
    assert "It works again." in text_of(done)
    await desk.evening.wait_until_idle()
    assert "Friday cup can be read again" in text_of(desk.cup.direct_messages(desk.vera)[-1])
    assert "tournament 1, matches 1: JSONDecodeError" in caplog.text
    caplog.clear()


async def test_8_55_an_alarm_that_fails_is_told_with_the_ways_to_act(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    await desk.evening.draw_first_round()
    path = desk.discord.database
    await desk.discord.restart(meanwhile=lambda: run_sql(path, NOBODY_IN_IT))
    service = desk.evening.service = desk.discord.application.client.context.tournaments
    for _ in range(3):  # the restart counts as an outage, which postpones the call
        await desk.evening.advance_and_ring_alarms(5 * MINUTE)
    (told,) = [one for one in desk.cup.direct_messages(desk.vera) if "calling round 1 failed" in text_of(one)]
    assert "Nothing was changed; I try again at <t:" in text_of(told)
    assert {"t_try", "desk_pause", "desk"} == enabled_actions(told)
    failed = await press_stale_control(
        desk.discord, desk.vera, await desk.vera.run("help"), controls(told)["t_try"]["custom_id"]
    )
    assert "still fails after 3 tries" in text_of(failed)
    assert RoundStage.DRAWN is (await service.overview.get_tournament(desk.evening.number)).rounds[0].stage
    assert "call 1 (fault " in caplog.text
    caplog.clear()
