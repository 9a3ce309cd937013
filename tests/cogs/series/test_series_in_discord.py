"""A series in Discord, from *Repeat…* to its champion, with the buttons that people press."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY
from bot.series.series import Series, SeriesStage
from bot.series.service import SeriesService
from bot.tournaments.event.tournament import Stage
from bot.tournaments.export.document import tournament_document
from cogs.series.html_page_folder import PageFolder
from cogs.shared.reading.input_problems import InputCode
from tests.support.discord import (
    Message,
    Person,
    controls,
    enabled_actions,
    input_error_text,
    labels,
    press_stale_control,
    text_of,
)
from tests.support.discord_tournaments import CupServer, cup_world

NUMBERS = {"weeks": "1", "nights": "2", "best": "2", "final": "4", "left_out": ""}


@pytest.fixture
async def cup(tmp_path: Path) -> AsyncIterator[CupServer]:
    async with cup_world(tmp_path, people=4) as world:
        yield world


async def send_form(person: Person, message: Message, action: str, **typed: str) -> Message:
    """Press a button that opens a form of several lines, send the form, and return the answer."""
    answer = await person.actor.click(message, custom_id=controls(message)[action]["custom_id"])
    assert answer.modal is not None
    sent = await person.actor.submit_modal(answer, typed)
    return sent.followups[-1] if sent.followups else sent.response


def series_service(cup: CupServer) -> SeriesService:
    return cup.discord.application.client.context.series


async def series_of(cup: CupServer, number: int = 1) -> Series:
    return await series_service(cup).get_series(number)


async def begin_series(cup: CupServer, **chosen: object) -> Message:
    """Begin a series by the button of a draft, and return the bot's answer."""
    tournaments = cup.discord.application.client.context.tournaments
    start = cup.clock.now() + 7 * DAY
    draft = await tournaments.entering.create(
        cup.caller(cup.organiser), channel=cup.channel.id, plan=cup.plan(starts_at=start, **chosen)
    )
    await cup.discord.application.client.context.profiles.change_preferences(
        cup.organiser.id, {"zone": "Europe/Berlin"}
    )
    desk = await cup.organiser.run("tournament desk")
    check = await cup.organiser.press_exact_button(desk, "t_page", f"{draft.id}.check")
    answer = await send_form(cup.organiser, check, "s_repeat", **NUMBERS)
    await cup.wait_until_idle()
    return answer


async def advance_to(cup: CupServer, instant: int) -> None:
    """Let time pass, an hour at a time, up to an instant."""
    while cup.clock.now() < instant:
        await cup.pass_time(min(HOUR, instant - cup.clock.now()))


async def series_web_page(cup: CupServer) -> str:
    """Return the web page that is attached to the message of the series, as HTML."""
    (message,) = [one for one in cup.messages() if any(file.filename == "series-1.html" for file in one.attachments)]
    told: bytes = await message.attachments[0].read()
    return told.decode()


def texts_in(folder: Path) -> dict[str, str]:
    """Return the texts of the files in a folder, by their names; empty if it does not exist."""
    return {one.name: one.read_text("utf-8") for one in sorted(folder.glob("*"))}


async def publish_page(cup: CupServer, folder: Path) -> Path:
    """Publish the web page of the series, after the server has allowed it; return its folder."""
    posts = cup.discord.application.client.series_updater
    posts.folder = PageFolder(folder)
    posts.request_update(1)
    await cup.wait_until_idle()
    assert {} == texts_in(folder), "only where the server allows it"
    assert "**Pages of series:** Published" in text_of(await cup.organiser.run("setup pages", pages="on"))
    await cup.wait_until_idle()
    assert {"series-1.html": await series_web_page(cup)} == texts_in(folder)
    await posts.remove_pages(cup.discord.world.server.id)
    assert {} == texts_in(folder), "as when the bot leaves the server"
    posts.request_update(1)
    await cup.wait_until_idle()
    assert {"series-1.html": await series_web_page(cup)} == texts_in(folder)
    return folder


async def check_export_and_withdraw(cup: CupServer, folder: Path) -> None:
    """Check that the final's export names its series, and that the server can withdraw the page."""
    final = await cup.tournament((await series_of(cup)).nights[-1].tournament)
    exports = cup.discord.application.client.context.tournaments.exports
    exported = tournament_document(await exports.export_input_of(final))
    assert {"id": 1, "name": "Friday cup", "season": 1, "night": 3, "final": True} == exported["event"]["series"]
    await cup.organiser.run("setup pages", pages="off")
    await cup.wait_until_idle()
    assert {} == texts_in(folder)


async def play_night(cup: CupServer) -> None:
    """Let everybody enter the published night, check in and play it."""
    night = (await series_of(cup)).nights[-1]
    number = night.tournament
    if not night.final:
        for place in range(4):
            await cup.person(place).run("tournament enter", tournament=str(number))
    await advance_to(cup, night.starts_at - 30 * MINUTE)
    for place in range(4):
        await cup.person(place).run("tournament here", tournament=str(number))
    await advance_to(cup, night.starts_at)
    while (tournament := await cup.tournament(number)).stage is not Stage.CLOSED:
        for match in tournament.matches:
            if match.tables and match.result is None:
                await cup.play_match(match)
        await cup.pass_time(MINUTE)
    await cup.wait_until_idle()


async def test_a_series_is_played_from_repeat_to_its_champion(cup: CupServer, tmp_path: Path) -> None:
    answer = await begin_series(cup)
    assert "The series has begun" in text_of(answer)
    shown = cup.message("**Friday cup**, every")
    assert "(Europe/Berlin), 2 nights a season, the best 2 count, final for 4." in text_of(shown)
    assert "Next: <t:" in text_of(shown)
    assert ["Standings", "Hall of fame", "Desk"] == labels(shown)
    assert Stage.CANCELLED is (await cup.tournament(1)).stage  # the draft is gone, its plan serves the nights
    for _ in range(2):
        known = len((await series_of(cup)).nights)
        while len((await series_of(cup)).nights) == known:
            await cup.pass_time(HOUR)
        await play_night(cup)
    standings = await cup.person(0).click(cup.message("**Friday cup**, every"), "s_standings")
    assert "season 1: 2 of 2 nights played" in text_of(standings)
    assert "\n1\\. " in f"\n{text_of(standings)}"
    while (await series_of(cup)).asking is None:
        await cup.pass_time(HOUR)
    asked = [one for one in cup.messages() if "Do you play the final on" in text_of(one)]
    assert 4 == len(asked)
    for place in range(4):
        answered = await cup.person(place).click(asked[0], "s_yes")
        assert "You play the final." in text_of(answered)
    asking = (await series_of(cup)).asking
    assert asking is not None
    await advance_to(cup, asking.starts_at - 2 * HOUR)
    await play_night(cup)
    cup.message("**Friday cup**, season 1: the champion")
    hall = await cup.person(1).run("series hall")
    assert "Season 1: **" in text_of(hall)
    assert "Ana" in await series_web_page(cup)
    folder = await publish_page(cup, tmp_path / "pages")
    await cup.discord.application.tables.people.forget(cup.caller(cup.person(0)))
    await cup.wait_until_idle()
    text = await series_web_page(cup)
    assert "Ana" not in text
    assert "<bdi>Former player</bdi>" in text
    assert {"series-1.html": text} == texts_in(folder)
    await check_export_and_withdraw(cup, folder)


async def test_a_host_skips_pauses_and_ends_a_series_at_the_desk(cup: CupServer) -> None:
    await begin_series(cup)
    stranger = await cup.person(0).run("series desk")
    assert "Hosts: " in text_of(stranger)
    assert set() == enabled_actions(stranger)
    desk = await cup.organiser.run("series desk")
    before = (await series_of(cup)).plan
    skipped = await cup.organiser.click(desk, "s_skip")
    assert "No night on: <t:" in text_of(skipped)
    assert len(before.left_out) + 1 == len((await series_of(cup)).plan.left_out)
    paused = await cup.organiser.click(skipped, "s_pause")
    assert "s_go_on" in enabled_actions(paused)
    going = await cup.organiser.click(paused, "s_go_on")
    assert SeriesStage.RUNNING is (await series_of(cup)).stage
    changed = await send_form(
        cup.organiser, going, "s_numbers", **{**NUMBERS, "weeks": "2, 13", "nights": "6", "best": ""}
    )
    assert "every 2 weeks on" in text_of(changed)
    assert "6 nights a season, the best 4 count" in text_of(changed)
    assert 13 * DAY == (await series_of(cup)).plan.ahead
    late = await send_form(cup.organiser, changed, "s_numbers", **{**NUMBERS, "weeks": "1, 7"})
    assert input_error_text(InputCode.NOT_BETWEEN, text="7", least=1, most=6) in text_of(late)
    wrong = await send_form(cup.organiser, changed, "s_numbers", **{**NUMBERS, "left_out": "2023-11-16"})
    assert input_error_text(InputCode.NOT_A_DATE, text="2023-11-16") in text_of(wrong)
    unfit = await send_form(cup.organiser, changed, "s_numbers", **{**NUMBERS, "final": "6"})
    assert "not for 6" in text_of(unfit)
    guests = await cup.organiser.actor.select(
        changed, [cup.person(1).actor], custom_id=controls(changed)["s_guests"]["custom_id"]
    )
    assert "Guests, not listed: Ben" in text_of(guests.response)
    hosts = await cup.organiser.actor.select(
        changed, [cup.person(0).actor], custom_id=controls(changed)["s_hosts"]["custom_id"]
    )
    assert "Ana" in text_of(hosts.response)
    await cup.organiser.click(changed, "s_end")
    await cup.wait_until_idle()
    assert SeriesStage.ENDED is (await series_of(cup)).stage
    cup.message("This series is over.")


async def test_changed_settings_of_a_series_are_stored_through_the_wizard(cup: CupServer) -> None:
    await begin_series(cup)
    desk = await cup.organiser.run("series desk")
    check = await cup.organiser.click(desk, "s_settings")
    assert "not yet published" in text_of(check)
    which = await cup.organiser.click(check, "s_repeat")
    kept = await cup.organiser.choose(which, "s_use", "1")
    assert "The settings of **Friday cup** hold" in text_of(kept)
    assert {Stage.CANCELLED} == {(await cup.tournament(number)).stage for number in (1, 2)}


async def test_the_host_of_a_series_is_asked_for_the_time_zone(cup: CupServer) -> None:
    panel = await cup.organiser.run("series create", name="Friday cup")
    assert "*Repeat…* makes a series from it" in text_of(panel)
    check = await cup.organiser.press_exact_button(panel, "t_page", "1.check")
    asked = await cup.organiser.click(check, "s_repeat")
    assert "In which time zone do you live?" in text_of(asked)
    told = await cup.organiser.fill_form(asked, "s_zone", "berlin")
    assert "Europe/Berlin" in text_of(told)
    answer = await send_form(cup.organiser, told, "s_repeat", **NUMBERS)
    assert "The series has begun" in text_of(answer)


async def test_commands_use_the_only_series_and_ask_which_of_several(cup: CupServer) -> None:
    assert input_error_text(InputCode.NO_SERIES) in text_of(await cup.organiser.run("series standings"))
    assert "There is no series here" in text_of(await cup.organiser.run("series list"))
    await begin_series(cup)
    assert "No night of this season has been played yet." in text_of(await cup.organiser.run("series standings"))
    assert "**Friday cup**, every" in text_of(await cup.organiser.run("series list"))
    assert input_error_text(InputCode.NOT_A_SERIES, text="x") in text_of(
        await cup.organiser.run("series standings", series="x")
    )
    service_ = series_service(cup)
    plan = (await series_of(cup)).plan
    await service_.create(cup.caller(cup.organiser), channel=cup.channel.id, plan=plan)
    text = input_error_text(InputCode.WHICH_SERIES, series="Friday cup, Friday cup")
    assert text in text_of(await cup.organiser.run("series standings"))
    assert ["1", "2"] == await cup.organiser.suggestions("series standings", "series", "fri")


async def test_a_moderator_takes_over_a_series_without_hosts(cup: CupServer) -> None:
    await begin_series(cup)
    await series_service(cup).remove_person(1, cup.organiser.id)
    await cup.wait_until_idle()
    news = cup.message("**Friday cup** no longer has a host.")
    refused = await cup.person(0).click(news, "s_take_over")
    assert input_error_text(InputCode.NOT_ORGANISER) in text_of(refused)
    taken = await cup.organiser.click(news, "s_take_over")
    assert "Hosts: " in text_of(taken)
    assert (cup.organiser.id,) == (await series_of(cup)).hosts


async def test_a_lost_channel_is_a_fault_that_hosts_are_told_of_until_the_series_moves(cup: CupServer) -> None:
    await begin_series(cup)
    client = cup.discord.application.client
    server = await client.fetch_guild(cup.discord.world.server.id)
    channel = next(one for one in await server.fetch_channels() if one.id == cup.channel.id)
    await channel.delete()
    await series_service(cup).skip_next_date(cup.caller(cup.organiser), 1)
    for _ in range(3):
        client.series_updater.request_update(1)
        await cup.wait_until_idle()
    (first,) = cup.direct_messages(cup.organiser)
    assert text_of(first).startswith("**Friday cup**: I cannot write in")
    assert ["Try now", "Pause", "Open desk"] == labels(first)
    again, elsewhere = controls(first)["s_try"]["custom_id"], Person(cup.discord.world.owner, cup.discord.world.canasta)
    guest = Person(cup.actors[0], cup.discord.world.canasta)
    refused = await press_stale_control(cup.discord, guest, await guest.run("help"), again)
    assert "Only hosts of the series may do that." in text_of(refused)
    pressed = await press_stale_control(cup.discord, elsewhere, await elsewhere.run("help"), again)
    assert "I am trying again now." in text_of(pressed)
    await cup.wait_until_idle()
    assert text_of(cup.direct_messages(cup.organiser)[-1]).startswith(
        "**Friday cup**: after 2 tries I still cannot write in"
    )
    waits = []
    for _ in range(6):
        fault = await series_service(cup).faults.fault_of(1)
        assert fault is not None
        waits.append(fault.again_at - cup.clock.now())
        await cup.pass_time(fault.again_at - cup.clock.now())
        client.series_updater.request_update(1)
        await cup.wait_until_idle()
    assert [one * MINUTE for one in (2, 4, 8, 16, 32, 64)] == waits
    assert 4 == len(cup.direct_messages(cup.organiser)), "told again about hourly"
    moved = await elsewhere.click(await elsewhere.run("series desk"), "s_here")
    assert f"The series is in <#{elsewhere.channel.id}> from now on." in text_of(moved)
    await cup.wait_until_idle()
    cup.message("**Friday cup**, every", channel=elsewhere.channel)
    assert elsewhere.channel.id == (await series_of(cup)).channel
    assert "I can write in" in text_of(cup.direct_messages(cup.organiser)[-1])
    assert await series_service(cup).faults.fault_of(1) is None
