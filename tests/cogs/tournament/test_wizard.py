"""The wizard that plans a tournament: its pages change the stored draft, and Check lists all faults.

An old panel shows the present draft.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import discord
import pytest

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY
from bot.i18n import words
from bot.tournaments.event.plan import Plan
from bot.tournaments.event.refusals import TournamentRefusal
from bot.tournaments.event.tournament import Stage
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.formats.by_kind import require_playable_plan
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.typed_times import parse_duration, parse_instant, parse_two_durations
from cogs.shared.reading.vocabulary import vocabulary_of
from cogs.shared.telling.explanations import explain_problem
from cogs.tournament.wizard.plan_edits import PAGE_OF, parse_number
from tests.support.clock import START
from tests.support.discord import Message, all_components, controls, press_stale_control, text_of
from tests.support.discord_tournaments import CupServer, cup_world

KNOWN = vocabulary_of()


@pytest.fixture
async def cup(tmp_path: Path) -> AsyncIterator[CupServer]:
    async with cup_world(tmp_path, people=1) as world:
        yield world


async def test_a_friday_cup_is_planned_and_published(cup: CupServer) -> None:
    vera = cup.organiser
    panel = await vera.run("tournament create", name="Friday cup")
    assert "**Friday cup** · Format" in text_of(panel)
    panel = await vera.press_exact_button(panel, "t_page", "1.time")
    panel = await type_value(cup, panel, "start", "Fri 20:00")
    assert "Starts <t:1700251200:f>" in text_of(panel)
    panel = await vera.press_exact_button(panel, "t_page", "1.check")
    assert "Swiss, 4 rounds of 3 deals, 40 min each, about 3 h. 8 pairs, drawn." in text_of(panel)
    await vera.press_exact_button(panel, "t_publish", "1")
    assert Stage.OPEN is (await cup.tournament()).stage
    await cup.wait_until_idle()
    assert "Classic · 16 places · partners drawn" in text_of(cup.message("**Friday cup** ·"))


async def test_an_old_panel_shows_the_current_draft(cup: CupServer) -> None:
    vera = cup.organiser
    old = await vera.run("tournament create", name="Cup")
    new = await vera.choose(old, "t_pick", "round_robin")
    assert FormatKind.ROUND_ROBIN is (await cup.tournament()).plan.kind
    assert "t_set" in controls(new)
    tournaments = cup.discord.application.client.context.tournaments
    plan = (await cup.tournament()).plan
    await tournaments.entering.change_plan(cup.caller(vera), 1, Plan(name="Other", rules=plan.rules))
    shown = await vera.press_exact_button(new, "t_set", "1.cycles")
    assert "The tournament has changed meanwhile." in text_of(shown)
    assert "**Other**" in text_of(shown)
    assert FormatKind.SWISS is (await cup.tournament()).plan.kind


async def test_an_unplayable_plan_cannot_be_published(cup: CupServer) -> None:
    panel = await cup.organiser.run("tournament create", name="Cup")
    cup.clock.advance(2 * DAY)
    panel = await cup.organiser.press_exact_button(panel, "t_page", "1.check")
    assert "Not yet: it starts in the past." in text_of(panel)
    assert controls(panel)["t_publish"]["disabled"]


async def type_value(cup: CupServer, panel: Message, field: str, value: str) -> Message:
    """Type a value into the form of a field, and return the page shown then."""
    window = await cup.organiser.actor.click(panel, custom_id=_control_id_of_field(panel, f"1.{field}"))
    assert window.modal is not None
    return (await cup.organiser.actor.submit_modal(window, {"text": value})).response


def _control_id_of_field(panel: Message, argument: str) -> str:
    found = [str(one["custom_id"]) for one in all_components(panel) if "custom_id" in one]
    return next(one for one in found if one.endswith(f":t_ask:{argument}"))


def test_start_times_are_parsed_as_people_type_them() -> None:
    day = START - START % DAY  # 00:00 UTC on a Tuesday
    assert day + 3 * DAY + 20 * HOUR == parse_instant("Fri 20:00", "", START, KNOWN)
    assert day + 3 * DAY + 19 * HOUR == parse_instant("venerdì, 20", "Europe/Rome", START, vocabulary_of("it"))
    assert day + 7 * DAY + 20 * HOUR == parse_instant("tue 20:00", "", START, KNOWN)
    assert day + DAY + 20 * HOUR == parse_instant("20:00", "", START, KNOWN)
    assert day + 13 * DAY + 20 * HOUR + 30 * MINUTE == parse_instant("2023-11-27 20:30", "", START, KNOWN)
    for text in ("", "soon", "Fri", "xyz 20:00", "20:00 Fri"):
        with pytest.raises(InputProblem) as caught:
            parse_instant(text, "", START, KNOWN)
        assert InputCode.NOT_AN_INSTANT is caught.value.code


def test_lengths_of_time_are_parsed_as_people_type_them() -> None:
    assert 40 * MINUTE == parse_duration("40", MINUTE, KNOWN)
    assert 10 * DAY == parse_duration("10 d", MINUTE, KNOWN)
    assert (24 * HOUR, HOUR) == parse_two_durations("24 h - 1 h", MINUTE, KNOWN)
    assert (30 * MINUTE, 5 * MINUTE) == parse_two_durations("30–5", MINUTE, KNOWN)
    for text in ("", "x", "5 years"):
        with pytest.raises(InputProblem) as caught:
            parse_duration(text, MINUTE, KNOWN)
        assert InputCode.NOT_A_SPAN is caught.value.code


@pytest.mark.parametrize("text", ["", "0", "9", "-3", "three", "3.5"])
def test_a_tournament_setting_outside_its_bounds_is_refused(text: str) -> None:
    with pytest.raises(InputProblem) as caught:
        parse_number(text, 1, 8)
    assert InputCode.NOT_BETWEEN is caught.value.code
    assert {"text": text, "least": 1, "most": 8} == caught.value.detail
    assert [1, 8] == [parse_number("1", 1, 8), parse_number(" 8 ", 1, 8)]


async def test_a_duplicate_without_private_threads_is_refused_with_the_reason(cup: CupServer) -> None:
    panel = await cup.organiser.run("tournament create", name="Cup")
    panel = await cup.organiser.choose(panel, "t_pick", "duplicate")
    panel = await cup.organiser.press_exact_button(panel, "t_page", "1.check")
    server = await cup.discord.application.client.fetch_guild(cup.discord.world.server.id)
    channel = next(one for one in await server.fetch_channels() if one.id == cup.channel.id)
    assert isinstance(channel, discord.TextChannel)
    none = discord.PermissionOverwrite(create_private_threads=False)
    await channel.set_permissions(server.default_role, overwrite=none)
    told = await cup.organiser.press_exact_button(panel, "t_publish", "1")
    assert "A duplicate needs private threads" in text_of(told)
    assert Stage.DRAFT is (await cup.tournament()).stage


async def test_without_private_threads_the_first_panel_offers_no_duplicate_and_says_why(cup: CupServer) -> None:
    offered = await cup.organiser.run("tournament create", name="Cup")
    assert "duplicate" in [one["value"] for one in controls(offered)["t_pick"]["options"]]
    stale = controls(offered)["t_pick"]["custom_id"]
    server = await cup.discord.application.client.fetch_guild(cup.discord.world.server.id)
    channel = next(one for one in await server.fetch_channels() if one.id == cup.channel.id)
    assert isinstance(channel, discord.TextChannel)
    none = discord.PermissionOverwrite(create_private_threads=False)
    await channel.set_permissions(server.default_role, overwrite=none)
    panel = await cup.organiser.run("tournament create", name="Second cup")
    assert "duplicate" not in [one["value"] for one in controls(panel)["t_pick"]["options"]]
    assert "You cannot choose duplicate here: I may not open private threads" in text_of(panel)
    told = await press_stale_control(cup.discord, cup.organiser, offered, stale, "duplicate")
    assert "A duplicate needs private threads" in text_of(told)
    assert (await cup.tournament()).plan.duplicate is None


async def test_the_check_of_a_plan_tells_a_duplicates_movement_and_fitting_numbers_of_boards(cup: CupServer) -> None:
    panel = await cup.organiser.run("tournament create", name="Cup")
    panel = await cup.organiser.choose(panel, "t_pick", "duplicate")
    assert "Two winners (Mitchell): no" in [one.get("label") for one in all_components(panel)]
    panel = await type_value(cup, panel, "boards", "14")
    panel = await cup.organiser.press_exact_button(panel, "t_page", "1.check")
    assert "Howell, 8 pairs, 7 rounds, one winner, balance 0.00. All tables play the same boards" in text_of(panel)

    panel = await cup.organiser.press_exact_button(panel, "t_page", "1.format")
    panel = await cup.organiser.press_exact_button(panel, "t_set", "1.winners")
    panel = await cup.organiser.press_exact_button(panel, "t_page", "1.check")
    assert "Not yet: 8 pairs play 3 to 4 rounds. Boards a round that fit: 4, 5, 6." in text_of(panel)
    assert controls(panel)["t_publish"]["disabled"]
    panel = await cup.organiser.press_exact_button(panel, "t_page", "1.format")
    panel = await type_value(cup, panel, "each", "4")
    panel = await cup.organiser.press_exact_button(panel, "t_page", "1.check")
    assert "Mitchell, 8 pairs, 4 rounds, two winners." in text_of(panel)

    for field, value, text in (
        ("boards", "2", "Not yet: 2 boards do not make 3 to 4 rounds. Choose another number of boards, at least 3."),
        ("places", "7", "Not yet: boards are compared by at least 4 pairs: that takes 8 places or more."),
        ("places", "82", "Not yet: a duplicate is for at most 40 pairs: it has room for 82 players."),
    ):
        panel = await cup.organiser.press_exact_button(panel, "t_page", f"1.{PAGE_OF[field]}")
        panel = await type_value(cup, panel, field, value)
        panel = await cup.organiser.press_exact_button(panel, "t_page", "1.check")
        assert text in text_of(panel)
    with pytest.raises(TournamentRefusal) as caught:
        require_playable_plan((await cup.tournament()).plan, cup.clock.now())
    assert "room for 82 players" in explain_problem(words(), caught.value)


async def test_the_game_page_says_how_a_draft_gets_house_rules(cup: CupServer) -> None:
    panel = await cup.organiser.run("tournament create", name="Cup")
    panel = await cup.organiser.press_exact_button(panel, "t_page", "1.game")
    assert "To choose house rules of your own here, first save them in this server" in text_of(panel)
