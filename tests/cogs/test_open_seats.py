"""Open seats: `/play`, the message that lists them, calls for players, and lobbies that wait."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import discord as library
import pytest

from bot.clocks.clock import HOUR, MINUTE, SECOND
from bot.tables.core.limits import Limits
from bot.tables.state.clocks import TableSettings
from bot.tables.state.snapshots import Caller, Status
from cogs.admin.open_seats_check import require_permission_to_post
from cogs.shared.discord_api.components import LONGEST_TEXT, MOST_COMPONENTS
from cogs.shared.posting.open_seats_message import BETWEEN
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.showing.open_seats_page import MOST_LISTED
from tests.support.clock import ShiftedClock
from tests.support.discord import (
    Discord,
    Message,
    Person,
    all_components,
    controls,
    discord_world,
    enabled_actions,
    input_error_text,
    labels,
    press_stale_control,
    text_of,
)
from tests.support.seeds import SEARCHING
from tests.support.simulated_discord import message_as_read, stored_messages

ZONE = "Africa/Abidjan"
"""A zone whose clocks show UTC all year."""


@pytest.fixture
async def discord(tmp_path: Path) -> AsyncIterator[Discord]:
    async with discord_world(tmp_path, clock=ShiftedClock()) as world:
        yield world


def add_manager(discord: Discord) -> Person:
    role = discord.world.server.create_role("Keeper", permissions=library.Permissions(manage_guild=True))
    actor = discord.world.server.add_member(discord.environment.create_user("keeper"), roles=[role])
    return Person(actor, discord.world.canasta)


def mentionable_role(discord: Discord, **fields: Any) -> Any:
    """Return a role that the bot may give to people, and that everyone may mention."""
    return discord.world.server.create_role("Players", **{"mentionable": True, **fields})


def open_seat_messages(discord: Discord) -> list[Message]:
    """Return the channel's messages that list open seats."""
    those = (
        message_as_read(discord.world.canasta, one)
        for one in stored_messages(discord.world.canasta)
        if not one.is_ephemeral
    )
    return [one for one in those if "open_table" in controls(one)]


async def let_time_pass(discord: Discord, seconds: float) -> None:
    """Let time pass, then do everything that is due, as the scheduler would."""
    discord.options["clock"].forward += round(seconds * SECOND)
    tables, clock = discord.application.tables, discord.options["clock"]
    for timer in await tables._context.store.times.due_timers(clock.now(), 200):
        await tables.deadlines.fire_deadline(timer.table, timer.kind)
    for guild in await tables.open_seats.guilds_with_posted_list():
        discord.application.client.open_seats.request_update(guild)
    await discord.application.client.open_seats.wait_until_idle()
    await discord.application.client.notices.wait_until_idle()
    await discord.environment.settle()


async def only_open_seat_message(discord: Discord) -> Message:
    await discord.application.client.open_seats.wait_until_idle()
    (found,) = open_seat_messages(discord)
    return found


async def test_two_strangers_sit_at_one_table_after_three_presses(discord: Discord) -> None:
    await add_manager(discord).run("setup open-seats")
    you, other = discord.person(0), discord.person(1)
    await you.click(await only_open_seat_message(discord), "open_table")
    await let_time_pass(discord, 6)
    shown = await only_open_seat_message(discord)
    assert "**Classic** · table 1" in text_of(shown)
    assert "Live · 3 of 4 seats free · Anna" in text_of(shown)
    assert "You have seat 2 at table 1." in text_of(await other.click(shown, "join"))
    await you.click(await discord.board(), "start")
    snapshot = await discord.snapshot()
    assert (Status.PLAYING, {you.id, other.id}) == (snapshot.status, set(snapshot.persons))


async def test_the_play_command_seats_a_player_at_a_fitting_lobby_or_opens_one(discord: Discord) -> None:
    you, other, third = (discord.person(index) for index in range(3))
    assert "No open table suits you, so table 1 is yours." in text_of(await you.run("play", game="samba"))
    assert "You have seat 2 at table 1." in text_of(await other.run("play"))
    assert "You already have a seat at table 1" in text_of(await other.run("play"))
    await third.run("play", game="samba", pace="slow")
    await third.run("play", rated=True)
    snapshots = [await discord.snapshot(number) for number in (1, 2, 3)]
    assert ["samba", "samba", "classic"] == [snapshot.rules for snapshot in snapshots]
    assert [False, True, False] == [snapshot.settings.is_slow for snapshot in snapshots]
    assert [False, False, True] == [snapshot.settings.rated for snapshot in snapshots]
    assert [(you.id, other.id), (third.id,), (third.id,)] == [snapshot.persons for snapshot in snapshots]


async def test_twenty_who_press_at_once_sit_at_five_tables(discord: Discord) -> None:
    server = discord.world.server
    crowd = [
        Person(server.add_member(discord.environment.create_user(f"guest{number}")), discord.world.tables)
        for number in range(20)
    ]
    for one in crowd:
        await discord.application.client.context.lessons.mark_offered_to_newcomer(one.id)
    async with discord.hold_requests():
        for one in crowd:
            await one.actor.slash(one.channel, "play")
    snapshots = await discord.application.tables.reading.open_tables_in(server.id)
    assert [4] * 5 == [len(snapshot.persons) for snapshot in snapshots]
    assert {one.id for one in crowd} == {person for snapshot in snapshots for person in snapshot.persons}


async def test_twenty_who_press_one_seat_at_once_never_share_it(discord: Discord) -> None:
    await add_manager(discord).run("setup open-seats")
    await discord.person(0).run("table new")
    await let_time_pass(discord, 6)
    shown, server = await only_open_seat_message(discord), discord.world.server
    crowd = [server.add_member(discord.environment.create_user(f"guest{number}")) for number in range(20)]
    async with discord.hold_requests():
        for one in crowd:
            await one.click(shown, custom_id=controls(shown)["join"]["custom_id"])
    snapshot = await discord.snapshot()
    assert 4 == len(set(snapshot.persons)) == len(snapshot.persons)


LOBBIES: Final = 1_000 if SEARCHING else 300


async def test_hundreds_of_lobbies_fit_into_one_message(tmp_path: Path) -> None:
    limits = Limits(tables_per_guild=2_000, lobbies_per_person=2_000, seats_per_person=2_000, burst=10**6, refill=1)
    clock = ShiftedClock()
    async with discord_world(tmp_path, limits=limits, clock=clock) as discord:
        await add_manager(discord).run("setup open-seats")
        await only_open_seat_message(discord)
        guild, channel = discord.world.server.id, discord.world.canasta.id
        # Many lobbies at once; no boards are written, because the test only looks at the list.
        discord.application.client.board_updater._begun = False
        before, began = len(open_seat_requests(discord)), clock.now()
        lobby = discord.application.tables.lobby
        for number in range(LOBBIES):
            caller = Caller(7_000 + number, "W" * 32, guild, 10**6 + number)
            await lobby.create(caller, channel=channel, settings=TableSettings(rated=True))
        await discord.application.client.open_seats.wait_until_idle()
        await let_time_pass(discord, 6)
        shown = await only_open_seat_message(discord)
        assert 1 + (clock.now() - began) / BETWEEN >= len(open_seat_requests(discord)) - before
        assert f"And {LOBBIES - MOST_LISTED} more tables: `/play` finds you a seat." in text_of(shown)
        assert MOST_LISTED == len([one for one in labels(shown) if one == "Sit here"])
        assert MOST_COMPONENTS >= len(list(all_components(shown)))
        assert LONGEST_TEXT >= len(text_of(shown))


def open_seat_requests(discord: Discord) -> list[Any]:
    """Return the requests that posted or edited a message in the channel of open seats."""
    channel = f"/channels/{discord.world.canasta.id}/messages"
    return [
        one
        for one in discord.environment.http_requests
        if one.method in ("POST", "PATCH") and channel in one.path and "open_table" in repr(one.json)
    ]


async def test_nobody_is_seated_with_somebody_they_have_blocked(discord: Discord) -> None:
    host, guest, stranger = (discord.person(index) for index in range(3))
    await host.run("table new")
    await guest.run("table join")
    await stranger.run("me block", person=guest.actor)
    assert "A person whom you have blocked sits at table 1." in text_of(await stranger.run("table join"))
    assert "No open table suits you" in text_of(await stranger.run("play"))
    await stranger.run("table leave")
    await stranger.run("me unblock", person=guest.actor)
    await guest.run("me block", person=stranger.actor)
    assert "This table is not open to you." == text_of(await stranger.run("table join", table="1"))
    assert "so table 3 is yours" in text_of(await stranger.run("play"))
    assert (host.id, guest.id) == (await discord.snapshot()).persons


async def test_lobbies_by_invitation_and_in_hidden_channels_are_not_listed(discord: Discord) -> None:
    await add_manager(discord).run("setup open-seats")
    server = discord.world.server
    staff = server.create_text_channel(
        "staff", overwrites={server.default_role: library.PermissionOverwrite(view_channel=False)}
    )
    you, other = discord.person(0), discord.person(1)
    await you.run("me joiners", who="asked")
    await you.run("table new")
    snapshot = await discord.application.tables.lobby.create(
        Caller(discord.person(2).id, "Carla", server.id, 77), channel=staff.id
    )
    await let_time_pass(discord, 6)
    assert "No open seats right now" in text_of(await only_open_seat_message(discord))
    assert "No open table suits you" in text_of(await other.run("play"))
    assert (discord.person(2).id,) == (await discord.snapshot(snapshot.id)).persons


async def test_the_list_of_open_seats_is_posted_again_after_a_deletion_and_a_restart(discord: Discord) -> None:
    await add_manager(discord).run("setup open-seats")
    first = await only_open_seat_message(discord)
    discord.environment.backend.delete_message(first.channel.id, first.id)
    await discord.restart()
    second = await only_open_seat_message(discord)
    assert first.id != second.id
    await discord.restart()
    assert second.id == (await only_open_seat_message(discord)).id
    await add_manager(discord).run("setup open-seats", off=True)
    await discord.application.client.open_seats.wait_until_idle()
    assert [] == open_seat_messages(discord)
    await discord.restart()
    assert [] == open_seat_messages(discord)


async def test_members_who_take_the_role_are_called_once(tmp_path: Path) -> None:
    clock = ShiftedClock()
    async with discord_world(tmp_path, clock=clock) as discord:
        role, you, other = mentionable_role(discord), discord.person(0), discord.person(1)
        await add_manager(discord).run("setup open-seats", role=role, zone=ZONE, quiet=_quiet_hours_from(clock, 12))
        assert "Your role" in text_of(await other.click(await only_open_seat_message(discord), "call_me"))
        assert role.id in discord.environment.backend.get_member(discord.world.server.id, other.id).role_ids
        await you.run("table new")
        await let_time_pass(discord, 10)
        assert "looking for players" not in text_of(await only_open_seat_message(discord))
        await let_time_pass(discord, 60)
        called = await only_open_seat_message(discord)
        assert f"<@&{role.id}>: table 1 is looking for players" in text_of(called)
        assert [role.id] == [one.id for one in called.role_mentions]
        await discord.restart()
        await you.run("table new")
        await let_time_pass(discord, 120)
        assert "looking for players" not in text_of(await only_open_seat_message(discord))
        clock.forward += HOUR
        await other.run("table new")
        await let_time_pass(discord, 120)
        assert f"<@&{role.id}>: table 3 is looking for players" in text_of(await only_open_seat_message(discord))
        assert "no longer call you for games" in text_of(
            await other.click(await only_open_seat_message(discord), "call_me")
        )
        assert role.id not in discord.environment.backend.get_member(discord.world.server.id, other.id).role_ids


def _quiet_hours_from(clock: ShiftedClock, hours: int) -> str:
    """Return eight quiet hours (UTC) that begin in `hours` hours."""
    start = (clock.now() // HOUR + hours) % 24
    return f"{start}-{(start + 8) % 24}"


async def test_nobody_is_called_in_the_servers_quiet_hours(tmp_path: Path) -> None:
    clock = ShiftedClock()
    async with discord_world(tmp_path, clock=clock) as discord:
        role = mentionable_role(discord)
        await add_manager(discord).run("setup open-seats", role=role, zone=ZONE, quiet=_quiet_hours_from(clock, -1))
        await discord.person(0).run("table new")
        await let_time_pass(discord, 120)
        assert "looking for players" not in text_of(await only_open_seat_message(discord))
        clock.forward += 8 * HOUR
        await let_time_pass(discord, 120)
        assert "looking for players" not in text_of(await only_open_seat_message(discord))


async def test_the_setting_of_open_seats_is_checked_before_it_is_stored(discord: Discord) -> None:
    keeper, server = add_manager(discord), discord.world.server
    zone = {"zone": "Europe/Rome"}
    plain, firm = mentionable_role(discord), mentionable_role(discord, mentionable=False)
    strong = mentionable_role(discord, permissions=library.Permissions(kick_members=True))
    high = mentionable_role(discord)
    discord.environment.backend.reorder_roles(server.id, [{"id": str(high.id), "position": 50}])
    deaf = make_channel(discord, "deaf", mention_everyone=False)
    mute = make_channel(discord, "mute", send_messages=False)
    for options, code, detail in (
        ({"role": plain}, InputCode.SERVER_ZONE_FIRST, {}),
        ({"quiet": "22-8"}, InputCode.SERVER_ZONE_FIRST, {}),
        ({"zone": "Qqqqq"}, InputCode.NO_ZONE_LIKE, {"zone": "Qqqqq"}),
        ({"zone": "Lisbonn"}, InputCode.UNKNOWN_ZONE, {"zone": "Lisbonn", "near": "Europe/Lisbon, Europe/London"}),
        ({"quiet": "soon", **zone}, InputCode.NO_HOURS, {"text": "soon"}),
        ({"quiet": "10-22", **zone}, InputCode.TOO_MANY_HOURS, {"hours": 12, "most": 10}),
        ({"role": strong, **zone}, InputCode.ROLE_WITH_RIGHTS, {"role": strong.id}),
        ({"role": high, **zone}, InputCode.ROLE_TOO_HIGH, {"role": high.id}),
        ({"role": firm, "channel": deaf, **zone}, InputCode.ROLE_NOT_CALLABLE, {"role": firm.id, "channel": deaf.id}),
    ):
        assert input_error_text(code, **detail) == text_of(await keeper.run("setup open-seats", **options)), options
    assert "Send Messages" in text_of(await keeper.run("setup open-seats", channel=mute))
    assert "**Open seats:** not listed" in text_of(await keeper.run("setup show"))
    await keeper.run("setup open-seats", role=plain, **zone)
    assert ", but not from 22:00–08:00 (Europe/Rome)" in text_of(await keeper.run("setup show"))
    await keeper.run("setup open-seats", quiet="23:30-7:30")
    assert ", but not from 23:30–07:30 (Europe/Rome)" in text_of(await keeper.run("setup show"))
    assert ["Europe/Rome"] == await keeper.suggestions("setup open-seats", "zone", "rome")


def make_channel(discord: Discord, name: str, **denied: bool) -> Any:
    """Return a new channel in which these permissions are denied to everyone."""
    server = discord.world.server
    return server.create_text_channel(name, overwrites={server.default_role: library.PermissionOverwrite(**denied)})


async def test_a_lost_role_and_a_lost_channel_are_reported_once(discord: Discord) -> None:
    keeper, role, backend = add_manager(discord), mentionable_role(discord), discord.environment.backend
    place = make_channel(discord, "seats")
    await keeper.run("setup open-seats", role=role, zone=ZONE, channel=place)
    await let_time_pass(discord, 0)
    (shown,) = [message_as_read(place, one) for one in stored_messages(place)]
    backend.delete_role(discord.world.server.id, role.id)
    assert input_error_text(InputCode.NO_CALL_ROLE) == text_of(await discord.person(0).click(shown, "call_me"))
    for _ in range(2):
        await discord.person(0).run("table new")
        await let_time_pass(discord, 6)
    assert 1 == sum("is gone. Choose another" in one for one in direct_messages_of(discord, keeper))
    (shown,) = [message_as_read(place, one) for one in stored_messages(place) if not one.is_ephemeral]
    assert "call_me" not in enabled_actions(shown)
    backend.delete_channel(place.id)
    for _ in range(2):
        await discord.person(1).run("table new")
        await let_time_pass(discord, HOUR / SECOND)
    assert 1 == sum("the channel is gone" in one for one in direct_messages_of(discord, keeper))


async def test_a_role_that_may_no_longer_be_mentioned_is_told_once_and_not_called(discord: Discord) -> None:
    keeper, role, backend = add_manager(discord), mentionable_role(discord), discord.environment.backend
    place = make_channel(discord, "seats", mention_everyone=False)
    await keeper.run("setup open-seats", role=role, zone=ZONE, quiet="0-0:00", channel=place)
    backend.edit_role(discord.world.server.id, role.id, {"mentionable": False})
    await discord.person(0).run("table new")
    for _ in range(2):
        await let_time_pass(discord, 120)
    assert 1 == sum("may no longer mention the role" in one for one in direct_messages_of(discord, keeper))
    assert not any("looking for players" in text_of(message_as_read(place, one)) for one in stored_messages(place))


def direct_messages_of(discord: Discord, person: Person) -> list[str]:
    """Return the texts of a person's direct messages."""
    box = discord.environment.backend.get_dm_channel(person.id)
    return [text_of(one) for one in discord.environment.backend.messages.get(box.id, {}).values()]


async def test_a_role_that_the_bot_may_no_longer_give_is_refused_plainly(discord: Discord) -> None:
    keeper, role = add_manager(discord), mentionable_role(discord)
    await keeper.run("setup open-seats", role=role, zone=ZONE)
    shown = await only_open_seat_message(discord)
    discord.environment.backend.reorder_roles(discord.world.server.id, [{"id": str(role.id), "position": 50}])
    assert input_error_text(InputCode.ROLE_TOO_HIGH, role=role.id) == text_of(
        await discord.person(0).click(shown, "call_me")
    )


async def test_people_in_a_lobby_that_waits_are_asked_once_what_to_do(tmp_path: Path) -> None:
    clock = ShiftedClock()
    async with discord_world(tmp_path, clock=clock) as discord:
        you, other = discord.person(0), discord.person(1)
        await you.run("table new")
        await other.run("table join")
        clock.forward += 10 * MINUTE - 5_000
        await discord.restart()
        await let_time_pass(discord, 10)
        (asked,) = lobby_questions(discord)
        assert "table 1 has waited ten minutes, and 2 seats are free" in text_of(asked)
        assert {you.id, other.id} == {one.id for one in asked.mentions}
        assert ["Start with computers", "Keep waiting"] == labels(asked)
        assert "You have no seat at table 1." in text_of(await discord.person(2).click(asked, "start_waiting"))
        assert Status.LOBBY is (await discord.snapshot()).status
        await other.click(asked, "start_waiting")
        snapshot = await discord.snapshot()
        assert (Status.PLAYING, ["person", "person", "computer", "computer"]) == (
            snapshot.status,
            [one.kind for one in snapshot.seats],
        )


async def test_people_who_choose_to_wait_on_are_not_asked_again(tmp_path: Path) -> None:
    clock = ShiftedClock()
    async with discord_world(tmp_path, clock=clock) as discord:
        you = discord.person(0)
        await you.run("table new")
        await let_time_pass(discord, 601)
        (asked,) = lobby_questions(discord)
        assert "keeps waiting for players" in text_of(await you.click(asked, "wait_on"))
        late = controls(asked)["start_waiting"]["custom_id"]
        answered = await press_stale_control(discord, you, await discord.board(), late)
        assert "Already decided: table 1 keeps waiting" in text_of(answered)
        await let_time_pass(discord, 1_200)
        assert [] == lobby_questions(discord)
        assert Status.LOBBY is (await discord.snapshot()).status


async def test_people_in_full_and_slow_lobbies_are_not_asked_what_to_do(tmp_path: Path) -> None:
    async with discord_world(tmp_path, clock=ShiftedClock()) as discord:
        await discord.person(0).run("table new", computers=3)
        await discord.person(1).run("table new", clock="daily")
        await let_time_pass(discord, 601)
        assert [] == lobby_questions(discord)


def lobby_questions(discord: Discord) -> list[Message]:
    """Return the channel's messages that ask the people of waiting lobbies what to do."""
    those = (
        message_as_read(discord.world.canasta, one)
        for one in stored_messages(discord.world.canasta)
        if not one.is_ephemeral
    )
    return [one for one in those if "wait_on" in controls(one)]


async def test_a_channel_that_is_gone_is_refused_for_the_list_of_open_seats(discord: Discord) -> None:
    with pytest.raises(InputProblem) as raised:
        require_permission_to_post(discord.application.client.guilds[0], 1)
    assert InputCode.NOT_A_CHANNEL is raised.value.code
