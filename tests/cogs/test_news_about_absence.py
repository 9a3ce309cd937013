"""News about an absence: for the other players, the host, the absent player, and a missed roll call."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY, PRESETS, Stage
from bot.tables.state.clocks import TableSettings
from bot.tables.state.snapshots import ClosingReason, Status
from tests.cogs.test_notice_buttons import notices_with_buttons, only_notice
from tests.cogs.test_table_messages import RecordedRequests, caller
from tests.support.clock import ManualClock
from tests.support.discord import Person, controls, discord_world, enabled_actions, press_stale_control, text_of
from tests.support.slow_discord_games import SlowGames, mentions

DAILY = TableSettings(clock=PRESETS["daily"])
TIMED = "<t:{}:f>"


@pytest.fixture
async def games(tmp_path: Path) -> AsyncIterator[SlowGames]:
    clock = ManualClock()
    async with discord_world(tmp_path, clock=clock, silence=1000 * DAY) as world:
        yield SlowGames(world, clock)


def time_text(instant: int | None) -> str:
    return TIMED.format((instant or 0) // 1000)


async def note_use_of_bot(games: SlowGames, *persons: Person) -> None:
    """Record that these people use the bot now."""
    for person in persons:
        games.discord.application.client.notices.record_activity(person.id)
    await games.wait_until_idle()


# --- stages -----------------------------------------------------------------------------------------------------------


async def test_after_half_of_the_time_the_board_says_since_when_others_wait_and_calls_nobody(
    games: SlowGames,
) -> None:
    await games.start_game(settings=DAILY)
    start = games.clock.now()
    await games.pass_time(35 * HOUR)
    assert "Waiting for" not in text_of(await games.discord.board())
    requests = RecordedRequests(games.discord)
    actor = await games.person_in_turn()
    await games.pass_time(HOUR, Stage.HALF)
    board = text_of(await games.discord.board())
    clocks = (await games.discord.snapshot()).clocks
    assert clocks is not None
    latest = time_text(clocks.decided_at)
    text = f"Waiting for x since {time_text(start)}. If x does not play, you decide on {latest} at the latest."
    assert text in board
    assert {str(actor.id)} == {person for person, _ in mentions(requests)}, "the others are not called"


async def test_the_others_are_told_once_a_turn_that_an_allowance_begins(games: SlowGames) -> None:
    await games.start_game(settings=DAILY)
    actor = await games.person_in_turn()
    other = next(one for one in games.persons if one.id != actor.id)
    await games.pass_time(71 * HOUR)
    await note_use_of_bot(games, actor)
    requests = RecordedRequests(games.discord)
    await games.pass_time(HOUR, Stage.EXTENDED)
    until = (await games.discord.snapshot()).clocks
    assert until is not None
    said = [said for person, said in mentions(requests) if person == str(other.id)]
    assert [
        f"<@{other.id}>: x's time at table 1 is up. x has until {time_text(until.decided_at)}; then you decide."
    ] == said
    await note_use_of_bot(games, actor)
    await games.pass_time(24 * HOUR, Stage.VACATION)
    assert [] == [said for person, said in mentions(requests) if person == str(other.id)], "once a turn"
    await games.play_turn()
    assert [] == [one for one in notices_with_buttons(games) if "time at table 1 is up" in text_of(one)]


@pytest.mark.parametrize("present", [True, False])
async def test_the_last_reminder_says_what_comes_and_how_to_get_an_extra_day(games: SlowGames, present: bool) -> None:  # noqa: FBT001
    await games.start_game(settings=DAILY)
    actor = await games.person_in_turn()
    await note_use_of_bot(games, actor)
    await games.pass_time(36 * HOUR, Stage.HALF)
    if present:
        await note_use_of_bot(games, actor)
    requests = RecordedRequests(games.discord)
    await games.pass_time(28 * HOUR, Stage.LAST)
    clocks = (await games.discord.snapshot()).clocks
    assert clocks is not None
    ((_, text),) = [one for one in mentions(requests) if "last reminder" in one[1]]
    begins = f"<@{actor.id}>, last reminder for table 1: you have until {time_text(clocks.until)}. Then "
    comes = "your extra day begins."
    if not present:
        comes = "the others vote. If you use the bot before then, you get an extra day."
    assert text.startswith(begins + comes + " Your turn came <t:")


async def test_no_vacation_is_named_after_a_return_or_on_the_last_deal(games: SlowGames) -> None:
    await games.start_game(settings=TableSettings(clock=PRESETS["daily"], extension=False))
    actor = await games.person_in_turn()
    await note_use_of_bot(games, actor)
    await games.pass_time(72 * HOUR)
    await games.pass_time(MINUTE)
    await games.discord.application.tables.absence.confirm_return(caller(games.discord, actor), 1)
    await games.wait_until_idle()
    requests = RecordedRequests(games.discord)
    await games.pass_time(9 * HOUR, Stage.HALF)
    await games.pass_time(5 * HOUR, Stage.LAST)
    ((_, text),) = [one for one in mentions(requests) if "last reminder" in one[1]]
    assert "Then the others vote. Your turn came" in text


async def test_a_paused_board_tells_what_is_open_without_instants_or_buttons(games: SlowGames) -> None:
    await games.start_game(settings=DAILY)
    actor = await games.person_in_turn()
    await note_use_of_bot(games, actor)
    await games.pass_time(72 * HOUR)
    await games.pass_time(MINUTE)
    assert "vote_computer" in enabled_actions(await games.discord.board())
    master = games.discord.person(3)
    await games.discord.application.tables.masters.pause(caller(games.discord, master), 1, reason="storm")
    await games.wait_until_idle()
    board = await games.discord.board()
    texts = text_of(board).splitlines()
    assert ["x's time is up.", "The game is paused. Votes and questions wait until it goes on."] == texts[1:3]
    assert "<t:" not in "".join(texts[:3])
    assert "vote_computer" not in enabled_actions(board)


# --- roll call --------------------------------------------------------------------------------------------------------


async def end_roll_call(games: SlowGames) -> tuple[Person, Person, Person]:
    """Return the host, a guest and a silent member of a lobby whose roll call has just ended."""
    tables, world = games.discord.application.tables, games.discord.world
    host, chi, guest = games.persons = games.discord.person(0), games.discord.person(1), games.discord.person(2)
    await tables.lobby.create(caller(games.discord, host), players=3, settings=DAILY, channel=world.canasta.id)
    await tables.lobby.join(caller(games.discord, chi), 1)
    games.clock.advance(DAY)
    await tables.lobby.join(caller(games.discord, guest), 1)
    await host.click(await games.discord.board(), "start")
    await games.pass_time(24 * HOUR)
    await games.pass_time(MINUTE)
    return host, chi, guest


async def test_the_end_of_a_roll_call_is_told_to_the_host_and_to_the_silent_player(games: SlowGames) -> None:
    host, chi, guest = await end_roll_call(games)
    late = await press_stale_control(games.discord, chi, await games.discord.board(), "cn:1:1:present:")
    assert "Already decided: your seat at table 1 is free again." == text_of(late)
    asked, silent = await only_notice(games, "start_missed"), await only_notice(games, "sit_again")
    closes = f"<t:{((await games.discord.snapshot()).expires_at or 0) // 1000}:R>"
    assert (
        f"<@{host.id}>: x did not answer; a seat at table 1 is free. If you do nothing, the table closes {closes}."
        == text_of(asked)
    )
    text = f"<@{chi.id}>: You did not answer in time. Your seat at table 1 is free again."
    assert text == text_of(silent)
    assert ({"start_missed", "keep_lobby"}, {"sit_again"}) == (enabled_actions(asked), enabled_actions(silent))
    assert "host" in text_of(await guest.click(asked, "keep_lobby"))
    assert "Table 1 stays open until <t:" in text_of(await host.click(asked, "keep_lobby"))
    await games.wait_until_idle()
    assert [] == notices_with_buttons(games, "start_missed"), "decided"
    keep = controls(asked)["keep_lobby"]["custom_id"]
    late = await press_stale_control(games.discord, host, await games.discord.board(), keep)
    assert "Already decided: table 1 stays open." == text_of(late)
    assert "You have seat 2 at table 1." == text_of(await chi.click(silent, "sit_again"))
    await games.wait_until_idle()
    assert [] == notices_with_buttons(games, "sit_again")


async def test_the_host_starts_with_a_computer_in_the_free_seat(games: SlowGames) -> None:
    host, chi, guest = await end_roll_call(games)
    asked = await only_notice(games, "start_missed")
    await host.click(asked, "start_missed")
    snapshot = await games.discord.snapshot()
    assert snapshot.roll is not None, "the guest too joined a day ago by now, and is asked"
    await press_stale_control(games.discord, guest, await games.discord.board(), f"cn:1:{snapshot.version}:present:")
    snapshot = await games.discord.snapshot()
    assert Status.PLAYING is snapshot.status
    assert {host.id, guest.id} == set(snapshot.persons)
    assert chi.id not in snapshot.persons
    await games.wait_until_idle()
    assert [] == notices_with_buttons(games, "start_missed"), "decided"


async def test_a_lobby_that_nobody_decides_about_is_closed_a_day_later_and_that_is_told(games: SlowGames) -> None:
    host, chi, guest = await end_roll_call(games)
    asked = await only_notice(games, "start_missed")
    start = controls(asked)["start_missed"]["custom_id"]
    requests = RecordedRequests(games.discord)
    await games.pass_time(24 * HOUR)
    snapshot = await games.discord.snapshot()
    assert (Status.CLOSED, ClosingReason.EXPIRED) == (snapshot.status, snapshot.closed_because)
    made = [
        body for method, body in requests.requests_about_messages() if method == "POST" and "is closed" in str(body)
    ]
    called = {int(person) for body in made for person in body["allowed_mentions"].get("users", [])}
    assert {host.id, chi.id, guest.id} == called
    late = await press_stale_control(games.discord, host, await games.discord.board(), start)
    assert "Already decided: table 1 is closed." == text_of(late)


async def test_start_with_a_computer_begins_the_game(games: SlowGames) -> None:
    host, chi, _ = await end_roll_call(games)
    silent = await only_notice(games, "sit_again")
    sit = controls(silent)["sit_again"]["custom_id"]
    tables = games.discord.application.tables
    await tables.lobby.start(caller(games.discord, host), 1, fill=True)
    snapshot = await games.discord.snapshot()
    if snapshot.roll is not None:
        await tables.lobby.confirm_presence(caller(games.discord, games.persons[2]), 1)
    await games.wait_until_idle()
    assert Status.PLAYING is (await games.discord.snapshot()).status
    late = await press_stale_control(games.discord, chi, await games.discord.board(), sit)
    assert "Already decided: the game at table 1 has begun." == text_of(late)
