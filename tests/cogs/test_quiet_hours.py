"""Quiet hours and days off: the questions about them, their forms, and refused values."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from bot.clocks.clock import HOUR
from bot.clocks.quiet_hours import DAY, QuietWindow
from bot.clocks.quiet_hours_and_vacation import PersonalHours
from bot.clocks.time_rules import PRESETS
from bot.tables.state.clocks import TableSettings
from bot.tables.state.snapshots import Caller
from cogs.shared.reading.input_problems import InputCode
from cogs.shared.reading.typed_times import current_date, days_between, midnight, parse_day, parse_hours
from cogs.shared.reading.vocabulary import vocabulary_of
from tests.support.clock import START, ManualClock, ShiftedClock
from tests.support.discord import (
    Discord,
    Message,
    Person,
    controls,
    discord_world,
    input_error_text,
    labels,
    press_stale_control,
    text_of,
)

KNOWN = vocabulary_of()

ROME = "Europe/Rome"


async def personal_hours(discord: Discord, person: Person) -> PersonalHours:
    return await discord.application.client.context.personal_times.hours_of(person.id)


async def open_time_page(you: Person) -> Message:
    return await you.press_exact_button(await you.run("me settings"), "settings_page", "time")


async def send_form(you: Person, panel: Message, action: str, argument: str, text: str) -> Message:
    """Press a button that opens a form, send the form with this text, and return the answer."""
    wanted = f"cn:0:0:{action}:{argument}"
    answer = await you.actor.click(panel, custom_id=wanted)
    assert answer.modal is not None
    sent = await you.actor.submit_modal(answer, {"text": text})
    assert sent.acknowledged
    return sent.followups[-1] if sent.followups else sent.response


async def test_quiet_hours_are_chosen_after_the_time_zone(discord: Discord) -> None:
    you = discord.person(0)
    panel = await open_time_page(you)
    assert "Your clock stops while you sleep. When do you sleep?" in text_of(panel)
    panel = await send_form(you, panel, "quiet_set", "1320.10", "rome")
    assert QuietWindow(ROME, 22 * 60, 10) == (await personal_hours(discord, you)).window
    assert "Quiet hours: 22:00–08:00, Europe/Rome. They apply at once." in text_of(panel)
    assert ROME == (await discord.application.client.context.profiles.preferences_of(you.id)).zone


async def test_a_change_of_quiet_hours_takes_effect_after_a_day(discord: Discord) -> None:
    you = discord.person(0)
    await send_form(you, await open_time_page(you), "quiet_set", "1320.10", "Rome")
    first = (await personal_hours(discord, you)).quiet[0].at
    panel = await you.press_exact_button(await open_time_page(you), "quiet_set", "1380.8")
    after = (await personal_hours(discord, you)).quiet
    assert [QuietWindow(ROME, 22 * 60, 10), QuietWindow(ROME, 23 * 60, 8)] == [one.window for one in after]
    assert after[1].at >= first + DAY
    text = text_of(panel)
    assert f"They apply from <t:{after[1].at // 1000}:f> on." in text
    assert "Quiet hours: 22:00–08:00, Europe/Rome" in text
    assert f"From <t:{after[1].at // 1000}:f> on: 23:00–07:00" in text


async def test_choosing_the_current_hours_changes_nothing(discord: Discord) -> None:
    you = discord.person(0)
    await send_form(you, await open_time_page(you), "quiet_set", "1320.10", "Rome")
    before = await personal_hours(discord, you)
    await you.press_exact_button(await open_time_page(you), "quiet_set", "1320.10")
    assert before == await personal_hours(discord, you)


async def test_a_person_may_have_no_quiet_hours(discord: Discord) -> None:
    you = discord.person(0)
    panel = await you.click(await open_time_page(you), "quiet_never")
    assert (True, None) == (
        bool((await personal_hours(discord, you)).quiet),
        (await personal_hours(discord, you)).window,
    )
    assert "Quiet hours: none. They apply at once." in text_of(panel)


async def test_quiet_hours_that_the_menu_lacks_are_typed_into_a_form(discord: Discord) -> None:
    you = discord.person(0)
    assert "Set your time zone first" in text_of(await you.fill_form(await open_time_page(you), "quiet_other", "1-9"))
    await send_form(you, await open_time_page(you), "quiet_zone", "", "New York")
    panel = await you.fill_form(await open_time_page(you), "quiet_other", "0:30 – 9:30")
    assert QuietWindow("America/New_York", 30, 9) == (await personal_hours(discord, you)).window
    assert "00:30–09:30, America/New_York" in text_of(panel)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("always", input_error_text(InputCode.NO_HOURS, text="always")),
        ("22-9", input_error_text(InputCode.TOO_MANY_HOURS, hours=11, most=10)),
        ("22-7:30", input_error_text(InputCode.NO_HOURS, text="22-7:30")),
    ],
)
async def test_invalid_quiet_hours_are_refused(discord: Discord, text: str, answer: str) -> None:
    you = discord.person(0)
    await send_form(you, await open_time_page(you), "quiet_zone", "", "Rome")
    assert answer == text_of(await you.fill_form(await open_time_page(you), "quiet_other", text))
    assert () == (await personal_hours(discord, you)).quiet


async def test_an_unknown_zone_is_refused_with_the_nearest_names(discord: Discord) -> None:
    you = discord.person(0)
    said = text_of(await send_form(you, await open_time_page(you), "quiet_zone", "", "Romee"))
    near = said.partition("Do you mean ")[2].removesuffix("?")
    assert "Europe/Rome" in near.split(", ")
    assert input_error_text(InputCode.UNKNOWN_ZONE, zone="Romee", near=near) == said
    said = await send_form(you, await open_time_page(you), "quiet_zone", "", "qqqqqqqqqqqq")
    assert input_error_text(InputCode.NO_ZONE_LIKE, zone="qqqqqqqqqqqq") == text_of(said)
    assert "" == (await discord.application.client.context.profiles.preferences_of(you.id)).zone


async def test_a_zone_given_with_the_command_moves_the_quiet_hours(discord: Discord) -> None:
    you = discord.person(0)
    await send_form(you, await open_time_page(you), "quiet_set", "1320.10", "Rome")
    assert ["Asia/Tokyo"] == await you.suggestions("me settings", "zone", "toky")
    panel = await you.run("me settings", zone="asia/tokyo")
    assert QuietWindow("Asia/Tokyo", 22 * 60, 10) == (await personal_hours(discord, you)).window
    assert "Time zone: Asia/Tokyo" in text_of(panel)


async def test_an_invented_control_argument_in_the_settings_is_refused(discord: Discord) -> None:
    you = discord.person(0)
    panel = await open_time_page(you)
    for argument in ("9999.3", "x", "5.11", ""):
        said = await press_stale_control(discord, you, panel, f"cn:0:0:quiet_set:{argument}")
        assert "out of date" in text_of(said)
    assert "out of date" in text_of(await press_stale_control(discord, you, panel, "cn:0:0:settings_page:nowhere"))


async def test_automatic_vacation_is_chosen(discord: Discord) -> None:
    you = discord.person(0)
    panel = await you.choose(await open_time_page(you), "set_vacation", "off")
    assert not (await personal_hours(discord, you)).automatic
    assert ["off"] == [one["value"] for one in controls(panel)["set_vacation"]["options"] if one.get("default")]
    await you.choose(panel, "set_vacation", "on")
    assert (await personal_hours(discord, you)).automatic


# --- newcomers --------------------------------------------------------------------------------------------------------


async def open_slow_lobby(discord: Discord, host: Person) -> None:
    caller = Caller(host.id, "Host", discord.world.server.id, 5)
    settings = TableSettings(clock=PRESETS["daily"])
    await discord.application.tables.lobby.create(caller, channel=host.channel.id, settings=settings)


async def test_newcomers_to_a_slow_table_are_asked_when_they_sleep(discord: Discord) -> None:
    host, guest = discord.person(0), discord.person(1)
    await open_slow_lobby(discord, host)
    asked = await guest.click(await discord.board(), "sit")
    assert "Your clock stops while you sleep. When do you sleep?" == text_of(asked)
    assert ["Time zone", "22–08", "23–07", "Other", "Never"] == labels(asked)
    panel = await send_form(guest, asked, "quiet_set", "1320.10", "Rome")
    assert QuietWindow(ROME, 22 * 60, 10) == (await personal_hours(discord, guest)).window
    assert "They apply at once" in text_of(panel)


async def test_the_host_of_a_slow_table_is_asked_for_quiet_hours_too(discord: Discord) -> None:
    asked = await discord.person(0).run("table new", clock="daily")
    assert "Your clock stops while you sleep. When do you sleep?" == text_of(asked)


async def test_a_person_who_has_chosen_quiet_hours_is_not_asked_again(discord: Discord) -> None:
    host, guest = discord.person(0), discord.person(1)
    await guest.click(await open_time_page(guest), "quiet_never")
    await open_slow_lobby(discord, host)
    assert "You have seat 2" in text_of(await guest.run("table join"))
    assert "Your clock stops" in text_of(await discord.person(2).run("table join"))


async def test_newcomers_to_a_fast_table_are_not_asked_for_quiet_hours(discord: Discord) -> None:
    await discord.person(0).run("table new")
    assert "You have seat 2" in text_of(await discord.person(1).run("table join"))


# --- days off ---------------------------------------------------------------------------------------------------------


async def test_days_off_are_planned_in_the_persons_time_zone(tmp_path: Path) -> None:
    clock = ShiftedClock()
    async with discord_world(tmp_path, clock=clock) as discord:
        you = discord.person(0)
        await you.run("me settings", zone="Rome")
        later = date.fromordinal(current_date(ROME, clock.now()).toordinal() + 30)
        last = date.fromordinal(later.toordinal() + 4)
        panel = await you.run("me away", **{"from": later.isoformat(), "until": last.isoformat()})
        (planned,) = (await personal_hours(discord, you)).vacations
        assert (midnight(later, ROME), midnight(later, ROME) + 5 * DAY) == (planned.start, planned.end)
        assert f"You are away from <t:{planned.start // 1000}:f> to <t:{planned.end // 1000}:f>" in text_of(panel)
        assert "9 of 14 days left" in text_of(panel)


async def test_more_days_off_than_are_left_are_refused_with_numbers(tmp_path: Path) -> None:
    clock = ShiftedClock()
    async with discord_world(tmp_path, clock=clock) as discord:
        you = discord.person(0)
        first = date.fromordinal(current_date("", clock.now()).toordinal() + 3)
        last = date.fromordinal(first.toordinal() + 14)
        said = await you.run("me away", **{"from": first.isoformat(), "until": last.isoformat()})
        assert "15 days of vacation; you have 14 left" in text_of(said)
        assert () == (await personal_hours(discord, you)).vacations


@pytest.mark.parametrize(
    ("first", "last", "answer"),
    [
        ("2020-01-01", "2020-01-03", "must be today or later"),
        ("2999-05-05", "2999-05-04", "must be today or later"),
        ("soon", "2999-05-04", "I do not understand the day “soon”"),
    ],
)
async def test_invalid_days_off_are_refused(discord: Discord, first: str, last: str, answer: str) -> None:
    assert answer in text_of(await discord.person(0).run("me away", **{"from": first, "until": last}))


async def test_days_off_that_begin_today_begin_now(tmp_path: Path) -> None:
    clock = ShiftedClock()
    async with discord_world(tmp_path, clock=clock) as discord:
        you, today = discord.person(0), current_date("", clock.now()).isoformat()
        before = clock.now()
        await you.run("me away", **{"from": today, "until": today})
        (planned,) = (await personal_hours(discord, you)).vacations
        assert planned.start >= before
        assert DAY == planned.end - planned.start


# --- typed texts ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2027-03-27", date(2027, 3, 27)),
        ("27.3.2027", date(2027, 3, 27)),
        ("27.3.", date(2027, 3, 27)),
        (" 27/12 ", date(2026, 12, 27)),
        ("22.11.", date(2026, 11, 22)),
        ("31.2.", None),
        ("tomorrow", None),
        ("", None),
        ("1.1.1.1", None),
    ],
)
def test_days_off_are_parsed_as_people_write_them(text: str, expected: date | None) -> None:
    assert expected == parse_day(text, date(2026, 11, 22))


def test_the_29th_of_february_of_a_common_year_is_refused() -> None:
    assert parse_day("29.2.", date(2028, 3, 1)) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("22-08", (1320, 10)),
        ("22:30–7:30", (1350, 9)),
        ("from 22", None),
        ("23 until 7", (1380, 8)),
        ("1 9", (60, 8)),
        ("22-8:30", None),
        ("25-8", None),
        ("8-8", (480, 0)),
        ("1-2-3", None),
    ],
)
def test_quiet_hours_are_parsed_as_people_write_them(text: str, expected: tuple[int, int] | None) -> None:
    assert expected == parse_hours(text, KNOWN)


def test_quiet_hours_are_parsed_in_the_readers_language() -> None:
    assert (1380, 8) == parse_hours("23 alle 7", vocabulary_of("it"))
    assert parse_hours("23 alle 7", KNOWN) is None


def test_days_begin_at_midnight_of_the_persons_zone() -> None:
    clock = ManualClock()
    assert date(2023, 11, 14) == current_date("", clock.now())
    assert date(2023, 11, 15) == current_date("Asia/Tokyo", START)
    assert HOUR == midnight(date(2023, 11, 14), "") - midnight(date(2023, 11, 14), ROME)
    assert (3, 0) == (
        days_between(date(2023, 2, 27), date(2023, 3, 1)),
        days_between(date(2023, 3, 1), date(2023, 2, 28)),
    )
