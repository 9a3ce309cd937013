"""Game masters and silent seats: commands with reasons, which the table is told."""

from __future__ import annotations

import pytest

from bot.clocks.time_rules import DAY
from bot.tables.state.snapshots import Status
from tests.cogs.test_server_settings import add_manager
from tests.support.discord import Discord, Person, text_of

WHY = "the *tournament* waits"


async def game_master(discord: Discord, manager: Person | None = None) -> Person:
    """Return a person with the role of game masters."""
    role = discord.world.server.create_role("Director")
    await (manager or add_manager(discord)).run("setup game-master", role=role)
    actor = discord.world.server.add_member(discord.environment.create_user("director"), roles=[role])
    return Person(actor, discord.world.canasta)


async def start_game(discord: Discord, clock: str = "daily") -> tuple[Person, Person]:
    """Start a game of Anna and Ben, opponents with computer players as partners; return both."""
    anna, ben = discord.person(0), discord.person(1)
    await anna.run("table new", clock=clock)
    await ben.run("table join", seat=2)
    await anna.run("table start", fill=True)
    return anna, ben


def public_messages(discord: Discord) -> list[str]:
    """Return the public messages of the channel."""
    return [text_of(one) for one in discord.world.canasta.history() if not one.flags.ephemeral]


async def test_a_game_masters_pause_is_announced_and_listed_in_the_audit(discord: Discord) -> None:
    anna, _ = await start_game(discord)
    director = await game_master(discord)
    said = await director.run("master pause", reason=WHY)
    assert ("Done, and announced at table 1.", True) == (text_of(said), said.ephemeral)
    sentence = f"<@{director.id}>, game master, pauses table 1: the \\*tournament\\* waits"
    assert sentence in public_messages(discord)
    pause = (await discord.snapshot()).pause
    assert pause is not None
    assert WHY == pause.reason
    await director.run("master resume", reason="on we go")
    assert (await discord.snapshot()).pause is None
    audit = text_of(await anna.run("master audit"))
    assert f"table 1 · <@{director.id}>: paused. the \\*tournament\\* waits" in audit
    assert audit.index("let the game go on. on we go") < audit.index("paused.")
    assert "No game master has acted here yet." == text_of(await anna.run("master audit", table="7"))


@pytest.mark.parametrize("command", ["pause", "resume", "extend", "replace", "end"])
async def test_people_without_the_role_cannot_use_commands_of_game_masters(discord: Discord, command: str) -> None:
    await start_game(discord)
    version = (await discord.snapshot()).version
    manager = add_manager(discord)
    await game_master(discord, manager)
    options = {"seat": 1} if command in ("extend", "replace") else {}
    for person in (discord.person(0), manager):
        said = await person.run(f"master {command}", reason=WHY, **options)
        assert "Only a game master can do that." in text_of(said)
    assert version == (await discord.snapshot()).version


async def test_a_replaced_player_is_notified_and_can_take_the_seat_back(discord: Discord) -> None:
    anna, _ = await start_game(discord)
    director = await game_master(discord)
    await director.run("master replace", seat=1, reason=WHY)
    snapshot = await discord.snapshot()
    assert anna.id == snapshot.seats[0].kept_for
    (message,) = [one for one in discord.world.canasta.history() if "lets a computer play for" in text_of(one)]
    assert f"<@{anna.id}>" in text_of(message)
    assert anna.id in [user.id for user in message.mentions]
    await anna.run("table join")
    assert anna.id == (await discord.snapshot()).seats[0].person


async def test_time_is_added_in_hours_or_as_one_turns_bonus(discord: Discord) -> None:
    anna, ben = await start_game(discord)
    director = await game_master(discord)
    await director.run("master extend", seat=1, hours=3, reason=WHY)
    assert f"gives <@{anna.id}> more time" in "\n".join(public_messages(discord))
    said = await ben.run("table give-time", seat=1)
    assert "Done, and announced at table 1." == text_of(said)
    assert f"<@{ben.id}> gives <@{anna.id}> more time." in public_messages(discord)
    assert "plays on your side" in text_of(await anna.run("table give-time", seat=1))


async def test_ending_closes_a_game_without_a_finished_deal(discord: Discord) -> None:
    await start_game(discord)
    director = await game_master(discord)
    await director.run("master end", reason=WHY)
    assert Status.CLOSED is (await discord.snapshot()).status
    assert any("ends the game at table 1" in one for one in public_messages(discord))


async def test_a_silent_seat_gets_a_computer_player_after_three_days_without_a_clock(live_discord: Discord) -> None:
    anna, ben = await start_game(live_discord, clock="none")
    assert "A computer player can take seat 1 from" in text_of(await ben.run("table computer", seat=1))
    live_discord.options["clock"].forward += 3 * DAY
    await ben.run("table computer", seat=1)
    assert anna.id == (await live_discord.snapshot()).seats[0].kept_for
    name = f"<@{anna.id}>"
    sentence = f"<@{ben.id}> lets a computer play for {name} until {name} is back. It sees only {name}'s cards."
    assert sentence in public_messages(live_discord)


async def test_a_person_who_left_the_server_is_marked_as_gone(discord: Discord) -> None:
    anna, ben = await start_game(discord)
    assert "has time left" in text_of(await anna.run("table computer", seat=2))
    discord.world.server.remove_member(ben.actor)
    await anna.run("table computer", seat=2)
    assert ben.id == (await discord.snapshot()).seats[1].kept_for


async def test_the_command_for_computer_players_suggests_only_seats_of_people(discord: Discord) -> None:
    anna, _ = await start_game(discord)
    assert ["1", "2"] == [str(seat) for seat in await anna.suggestions("table computer", "seat")]
