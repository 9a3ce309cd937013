"""Controls that the program never makes are refused as outdated, but only to directors."""

from __future__ import annotations

import pytest

from tests.cogs.tournament_desk.conftest import Desk
from tests.support.discord import controls, press_stale_control, text_of

MALFORMED = [
    ("desk_boarded", "1.1.1", "reason"),
    ("desk_boarded", "1.1.1.9", "reason"),
    ("desk_boarded", "1.1.99.none", "reason"),
    ("desk_forfeits", "1.1", ""),
    ("desk_forfeits", "1.1.x.open", ""),
    ("desk_forfeited", "1.1", "reason"),
    ("desk_forfeited", "1.1.7.open", "reason"),
    ("desk_penalised", "1.1", "reason"),
    ("desk_penalised", "1.x.late.3", "reason"),
    ("desk_penalised", "1.1.late.9", "reason"),
    ("desk_do", "1.1", ""),
    ("desk_do", "1.1.nonsense.none", ""),
    ("desk_rung_set", "1.1", "1"),
]


async def press_control(desk: Desk, place: int | None, action: str, argument: str, value: str) -> str:
    """Press a made-up control as a person at that place, or as Vera; return the answer."""
    person = desk.vera if place is None else desk.cup.person(place)
    shown = await desk.open_desk()
    parts = controls(shown)["desk_pause"]["custom_id"].split(":")
    custom_id = ":".join([*parts[:3], action, argument, *parts[5:]])
    other = await person.run("help")
    return text_of(await press_stale_control(desk.discord, person, other, custom_id, *([value] if value else [])))


async def test_malformed_controls_are_outdated_for_directors_and_refused_to_others(desk: Desk) -> None:
    await desk.evening.draw_first_round()
    await desk.evening.begin_round()
    before = await desk.evening.tournament()
    for control in MALFORMED:
        assert "out of date" in await press_control(desk, None, *control), control
        assert "Only directors of this tournament can do that." in await press_control(desk, 0, *control), control
        assert before == await desk.evening.tournament(), control


@pytest.mark.parametrize(("action", "argument", "value"), [("t_partners", "1", "abc"), ("t_why", "1.x", "")])
async def test_players_controls_are_outdated_too(desk: Desk, action: str, argument: str, value: str) -> None:
    await desk.evening.draw_first_round()
    assert "out of date" in await press_control(desk, 0, action, argument, value)


async def test_an_unknown_field_of_a_draft_is_outdated(desk: Desk) -> None:
    panel = await desk.vera.run("tournament create", name="Cup")
    parts = controls(panel)["t_page"]["custom_id"].split(":")
    for argument in ("1", "1.nonsense"):
        custom_id = ":".join([*parts[:3], "t_ask", argument, *parts[5:]])
        answer = await press_stale_control(desk.discord, desk.vera, await desk.vera.run("help"), custom_id)
        assert "out of date" in text_of(answer)
