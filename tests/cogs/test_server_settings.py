"""The settings of a server: who may choose them, what they do, and what the check reports."""

from __future__ import annotations

import discord as library

from bot.clocks.clock_notation import NAMED_CLOCKS
from bot.i18n import words
from bot.profiles.guild_settings import DEFAULT_SETTINGS, ServerSettings
from cogs.shared.reading.input_problems import InputCode
from tests.support.discord import Discord, Person, input_error_text, text_of


def add_manager(discord: Discord) -> Person:
    """Add a person who may manage the server, and return them."""
    role = discord.world.server.create_role("Keeper", permissions=library.Permissions(manage_guild=True))
    actor = discord.world.server.add_member(discord.environment.create_user("keeper"), roles=[role])
    return Person(actor, discord.world.canasta)


async def chosen_settings(discord: Discord) -> ServerSettings:
    return await discord.application.client.context.servers.settings(discord.world.server.id)


async def test_chosen_settings_of_a_server_are_shown_and_stored(discord: Discord) -> None:
    manager = add_manager(discord)
    assert "**Clock:** Live: 5 min each, +1 min after each turn, at most 10 min." in text_of(
        await manager.run("setup show")
    )
    await manager.run("setup clock", clock="3d+12h max 4d")
    await manager.run("setup threads", threads="private")
    await manager.run("setup limits", tables=12)
    await manager.run("setup idle", days=60)
    await manager.run("setup rules", rules="samba")
    await manager.run("setup channels", add=discord.world.tables)
    await discord.restart()
    text = text_of(await manager.run("setup show"))
    for line in (
        f"**Channels:** <#{discord.world.tables.id}>",
        "**Clock:** Clock: 72 h each, +12 h after each turn, at most 96 h.",
        "**Rules:** Samba",
        "**Threads:** Private: only for players at the table",
        "**Open tables:** 12 at most",
        "**Idle:** closed after 60 days without a move",
        "**Game masters:** none",
    ):
        assert line in text


CHANGES: tuple[tuple[str, dict[str, str | int | bool]], ...] = (
    ("setup clock", {"clock": "none"}),
    ("setup language", {"language": "it"}),
    ("setup threads", {"threads": "private"}),
    ("setup limits", {"tables": 3}),
    ("setup idle", {"days": 60}),
    ("setup channels", {"everywhere": True}),
    ("setup game-master", {}),
    ("setup rules", {"rules": "samba"}),
    ("setup show", {}),
    ("setup check", {}),
)
"""Every command of `/setup` with options."""


async def test_only_server_managers_change_its_settings(discord: Discord) -> None:
    tree, guest = discord.application.client.tree, discord.person(2)
    (known,) = [one for one in await tree.fetch_commands() if one.name == "setup"]
    discord.world.server.set_command_permissions(known, {guest.actor: True})
    for command, options in CHANGES:
        said = await guest.run(command, **options)
        assert "you need the permission to manage this server" in text_of(said), command
        assert DEFAULT_SETTINGS == await chosen_settings(discord), command


async def test_tables_are_made_only_where_the_server_wants_them(discord: Discord) -> None:
    manager, you = add_manager(discord), discord.person(0)
    await manager.run("setup channels", add=discord.world.tables)
    said = await you.run("table new")
    assert f"You cannot open tables here, only in <#{discord.world.tables.id}>." == text_of(said)
    await manager.run("setup channels", add=discord.world.canasta)
    await manager.run("setup channels", remove=discord.world.tables)
    await you.run("table new")
    assert 1 == (await discord.snapshot()).id
    await manager.run("setup channels", everywhere=True)
    assert () == (await chosen_settings(discord)).channels


async def test_a_server_at_its_table_limit_opens_no_more(discord: Discord) -> None:
    manager = add_manager(discord)
    await manager.run("setup limits", tables=1)
    await discord.person(0).run("table new")
    text = text_of(await discord.person(1).run("table new"))
    assert words()("table_refusal.too_many_tables", open=1, allowed=1) == text


async def test_boards_use_the_servers_language(discord: Discord) -> None:
    manager, you = add_manager(discord), discord.person(0)
    await you.run("table new")
    assert "Table 1" in text_of(await discord.board())
    await manager.run("setup language", language="it")
    assert "Tavolo 1" in text_of(await discord.board())
    await discord.restart()
    await you.run("table show")
    assert "Tavolo 1" in text_of(await discord.board())
    await manager.run("setup language", language="discord")
    assert "Table 1" in text_of(await discord.board())


async def test_a_table_uses_the_servers_clock_by_default(discord: Discord) -> None:
    manager, you = add_manager(discord), discord.person(0)
    await manager.run("setup clock", clock="daily")
    await you.run("table new")
    settings = (await discord.snapshot()).settings
    assert settings.clock is not None
    assert ("daily", None) == (settings.clock.name, settings.deals)
    await you.run("table new", clock="none")
    assert (await discord.snapshot(2)).settings.clock is None


async def test_an_unreadable_or_impossible_clock_is_refused_in_words(discord: Discord) -> None:
    manager, you = add_manager(discord), discord.person(0)
    assert input_error_text(InputCode.NOT_A_CLOCK, text="soon", clocks=", ".join(NAMED_CLOCKS)) == text_of(
        await you.run("table new", clock="soon")
    )
    assert "A clock must start with 30 seconds" in text_of(await you.run("table new", clock="10s"))
    assert input_error_text(InputCode.NOT_A_CLOCK, text="soon", clocks=", ".join(NAMED_CLOCKS)) == text_of(
        await manager.run("setup clock", clock="soon")
    )
    assert "You cannot choose that." == text_of(await manager.run("setup clock", clock="10s"))
    assert DEFAULT_SETTINGS == await chosen_settings(discord)


async def test_clocks_are_suggested_with_their_numbers(discord: Discord) -> None:
    you = discord.person(0)
    assert ["live", "daily", "tournament", "none"] == await you.suggestions("table new", "clock")
    assert ["daily"] == await you.suggestions("table new", "clock", "dai")
    assert ["5d+1d"] == await you.suggestions("table new", "clock", "5d+1d")
    assert [] == await you.suggestions("table new", "clock", "5 weeks")


async def test_a_private_thread_is_only_for_its_players(discord: Discord) -> None:
    manager = add_manager(discord)
    await manager.run("setup threads", threads="private")
    you, friend = discord.person(0, discord.world.tables), discord.person(1, discord.world.tables)
    await you.run("table new")
    snapshot = await discord.snapshot()
    assert snapshot.settings.private_thread
    assert snapshot.thread is not None
    thread = discord.application.client.guilds[0].get_thread(snapshot.thread)
    assert thread is not None
    assert library.ChannelType.private_thread is thread.type
    text = f"<#{snapshot.thread}> is private: players are let in when they sit down."
    (announced,) = [one for one in discord.world.tables.history() if text in text_of(one)]
    await friend.click(announced, "join")
    await discord.board()
    members = {member.id for member in await thread.fetch_members()}
    assert {you.id, friend.id} <= members


# --- the check


async def test_the_check_of_settings_reports_nothing_if_nothing_is_missing(discord: Discord) -> None:
    manager = add_manager(discord)
    await manager.run("setup channels", add=discord.world.tables)
    text = text_of(await manager.run("setup check"))
    assert "Checked: one channel" in text
    assert "Nothing is missing." in text


async def test_the_check_of_settings_names_missing_permissions_and_their_repair(discord: Discord) -> None:
    text = text_of(await add_manager(discord).run("setup check"))
    assert "Checked: 2 channels" in text
    assert f"**Create Public Threads** is denied in <#{discord.world.canasta.id}>. There: Edit Channel" in text
    assert f"<#{discord.world.tables.id}>" not in text
    assert 1 == text.count("\n- ")
