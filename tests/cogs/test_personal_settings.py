"""Personal settings: chosen by menu or command, shown at once, kept over a restart."""

from __future__ import annotations

import discord as library
import pytest

from bot.i18n import words
from bot.profiles.preferences import CHOICES, DEFAULTS, SERVER_CHOICES, Preferences
from cogs.profile.settings import PAGES, page_of_setting
from cogs.shared.serving import option_choices
from cogs.shared.serving.option_choices import preferences_text
from tests.support.discord import Discord, Message, Person, controls, picture_captions, text_of


def selected_values(panel: Message) -> dict[str, str]:
    """Return the selected value of each menu of the settings."""
    return {
        action.removeprefix("set_"): next(one["value"] for one in menu["options"] if one.get("default"))
        for action, menu in controls(panel).items()
        if action.removeprefix("set_") in CHOICES
    }


async def open_page(you: Person, page: str) -> Message:
    """Open this page of the settings panel, and return the panel."""
    panel = await you.run("me settings")
    return panel if page == "look" else await you.press_exact_button(panel, "settings_page", page)


def values_on_page(preferences: Preferences, page: str) -> dict[str, str]:
    return {name: getattr(preferences, name) for name in PAGES[page]}


def test_every_setting_is_on_exactly_one_page() -> None:
    names = [name for page in PAGES.values() for name in page]
    assert sorted(CHOICES) == sorted(names)


@pytest.mark.parametrize("page", PAGES)
async def test_each_page_of_settings_shows_its_values(discord: Discord, page: str) -> None:
    panel = await open_page(discord.person(0), page)
    assert values_on_page(DEFAULTS, page) == selected_values(panel)
    offered = {name: [one["value"] for one in controls(panel)[f"set_{name}"]["options"]] for name in PAGES[page]}
    assert {name: list(CHOICES[name]) for name in PAGES[page]} == offered
    assert preferences_text(words(), DEFAULTS, PAGES[page]) in text_of(panel)


async def test_the_panel_opens_with_the_look_and_a_preview(discord: Discord) -> None:
    panel = await discord.person(0).run("me settings")
    assert panel.ephemeral
    assert 1 == len(panel.attachments)
    assert "Your hand, 14 cards" in picture_captions(panel)[0]


@pytest.mark.parametrize("name", CHOICES)
async def test_every_value_can_be_chosen_in_its_menu(discord: Discord, name: str) -> None:
    you = discord.person(0)
    panel = await open_page(you, page_of_setting(name))
    for value in reversed(CHOICES[name][:5]):
        panel = await you.choose(panel, f"set_{name}", value)
        assert value == selected_values(panel)[name]
        assert value == getattr(await discord.application.client.context.profiles.preferences_of(you.id), name)
        assert bool(panel.attachments) == (page_of_setting(name) == "look" and value != "text")
        assert words(value if name == "language" and value != "discord" else None)("settings.saved") in text_of(panel)


async def test_settings_can_be_given_with_the_command_and_are_personal(discord: Discord) -> None:
    you, friend = discord.person(0), discord.person(1)
    panel = await you.run("me settings", theme="light", deck="two", order="value", **{"text-only": True})
    wanted = Preferences("light", "two", "value", "text")
    assert values_on_page(wanted, "look") == selected_values(panel)
    assert preferences_text(words(), wanted, PAGES["look"]) in text_of(panel)
    assert values_on_page(DEFAULTS, "look") == selected_values(await friend.run("me settings"))


async def test_a_language_applies_to_all_private_answers_and_after_a_restart(discord: Discord) -> None:
    you, friend = discord.person(0), discord.person(1)
    assert "Salvato." in text_of(await you.run("me settings", language="it"))
    await discord.restart()
    assert "Non hai un posto a nessun tavolo" in text_of(await you.run("me games"))
    assert "Non hai un posto" in text_of(await you.run("hand"))
    assert "You have no seat at any table" in text_of(await friend.run("me games"))
    panel = await you.choose(await you.run("me settings"), "set_language", "discord")
    assert "Saved." in text_of(panel)


async def test_the_menus_work_after_a_restart_and_settings_last(discord: Discord) -> None:
    you = discord.person(0)
    panel = await you.run("me settings", theme="large")
    await discord.restart()
    panel = await you.choose(panel, "set_order", "value")
    assert Preferences(
        theme="large", order="value"
    ) == await discord.application.client.context.profiles.preferences_of(you.id)
    assert {"theme": "large", "order": "value"}.items() <= selected_values(panel).items()


def add_manager(discord: Discord) -> Person:
    """Add a person who may manage the server, and return them."""
    role = discord.world.server.create_role("Keeper", permissions=library.Permissions(manage_guild=True))
    actor = discord.world.server.add_member(discord.environment.create_user("keeper"), roles=[role])
    return Person(actor, discord.world.canasta)


async def server_preferences(discord: Discord) -> Preferences:
    return await discord.application.client.context.profiles.server_preferences(discord.world.server.id)


async def test_a_servers_boards_change_at_once_with_its_theme(discord: Discord) -> None:
    you, manager = discord.person(0), add_manager(discord)
    await you.run("table new", computers=3)
    await you.run("table start")
    before = await discord.board()
    assert "Light felt" in text_of(await manager.run("setup theme", theme="light"))
    after = await discord.board()
    assert before.id == after.id
    assert [one.filename for one in before.attachments] != [one.filename for one in after.attachments]
    assert Preferences(theme="light") == await server_preferences(discord)
    assert "Light felt" in text_of(await manager.run("setup theme"))
    assert DEFAULTS == await discord.application.client.context.profiles.preferences_of(manager.id)


async def test_only_server_managers_change_how_its_boards_look(discord: Discord) -> None:
    """Discord hides the command from other people; if the server shows it to them, the bot refuses."""
    tree = discord.application.client.tree
    (setup,) = [command for command in tree.get_commands() if command.name == "setup"]
    assert library.Permissions(manage_guild=True).value == int(setup.to_dict(tree)["default_member_permissions"])
    guest = discord.person(2)
    (known,) = [command for command in await tree.fetch_commands() if command.name == "setup"]
    discord.world.server.set_command_permissions(known, {guest.actor: True})
    said = await guest.run("setup theme", theme="light")
    assert "you need the permission to manage this server" in text_of(said)
    assert DEFAULTS == await server_preferences(discord)


def test_every_value_of_a_setting_has_a_distinct_name() -> None:
    for name, values in CHOICES.items():
        assert len(values) == len({option_choices.preference_value_name(words(), name, value) for value in values})
    assert set(SERVER_CHOICES) <= set(CHOICES)
