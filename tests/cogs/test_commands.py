"""Commands: described in every language, listed in `/help`, and answered even when outdated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from discord import Locale, app_commands, ui

from bot.i18n import DEFAULT, locales, words
from cogs.guide.help import COMMANDS, GROUPS_OF, PAGES, help_group_of, help_page
from cogs.shared.discord_api.command_tree import (
    LONGEST,
    AnyCommand,
    CatalogueTranslator,
    description_for_key,
    description_key,
)
from cogs.shared.discord_api.components import Page
from tests.support.discord import Discord, text_of
from tests.support.discord_limits import broken_limits
from tests.support.project_files import ROOT


def registered_commands(discord: Discord) -> list[AnyCommand]:
    return list(discord.application.client.tree.walk_commands())


def catalogue_keys(commands: list[AnyCommand]) -> Iterator[str]:
    """Yield the catalogue keys that describe these commands, their groups and options."""
    for command in commands:
        yield description_key(command)
        if isinstance(command, app_commands.Command):
            yield from (description_key(command, option.name) for option in command.parameters)


async def test_every_command_group_and_option_is_described_in_every_language(discord: Discord) -> None:
    wanted = set(catalogue_keys(registered_commands(discord)))
    for locale in locales():
        catalogue = words(locale)
        assert wanted == {key for key in catalogue.entries if key.startswith("command.")}
        assert {} == {
            key: description_for_key(catalogue, key)
            for key in wanted
            if not 0 < len(description_for_key(catalogue, key)) <= LONGEST
        }


async def test_commands_are_described_in_every_language_under_the_same_names(discord: Discord) -> None:
    tree = discord.application.client.tree
    payload = {
        command.name: await command.get_translated_payload(tree, CatalogueTranslator())
        for command in tree.get_commands()
    }
    english = words(DEFAULT)
    draw: dict[str, Any] = payload["draw"]
    assert english("command.draw.about") == draw["description"]
    assert translations_of("command.draw.about") == draw["description_localizations"]
    assert not draw["name_localizations"]
    table = next(option for option in draw["options"] if option["name"] == "table")
    assert (english("command.draw.table"), translations_of("command.draw.table")) == (
        table["description"],
        table["description_localizations"],
    )
    settings = next(one for one in payload["me"]["options"] if one["name"] == "settings")
    assert translations_of("command.me.about") == payload["me"]["description_localizations"]
    (text_only,) = (option for option in settings["options"] if option["name"] == "text-only")
    assert translations_of("command.me.settings.text_only") == text_only["description_localizations"]
    deck = next(option for option in settings["options"] if option["name"] == "deck")
    names = {choice["value"]: choice.get("name_localizations") for choice in deck["choices"]}
    assert {value: translations_of(f"choice.deck_{value}") for value in names} == names


def translations_of(key: str) -> dict[str, str]:
    """Return the texts of a key by Discord's locales.

    Spanish has one folder for Discord's two locales.
    """
    folders = {one.value: one.value.partition("-")[0] for one in Locale}
    return {name: words(folder)(key) for name, folder in folders.items() if folder in set(locales()) - {DEFAULT}}


class ChangedItalian(CatalogueTranslator):
    """A translator that returns the catalogues' texts, except for one changed Italian text."""

    async def translate(
        self, string: app_commands.locale_str, locale: Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        found = await super().translate(string, locale, context)
        return "…" if locale is Locale.italian and found == words("it")("command.draw.about") else found


async def test_commands_are_registered_again_when_a_language_changes(discord: Discord) -> None:
    told = discord.application.client.command_sync
    assert await told.fingerprint() == await told.fingerprint(CatalogueTranslator())
    assert await told.fingerprint() != await told.fingerprint(ChangedItalian())


async def test_a_removed_command_is_answered_with_a_sentence(discord: Discord) -> None:
    you = discord.person(0)
    gone = discord.application.client.tree.remove_command("undo")
    assert gone is not None
    # Discord shows a removed command to clients that have not been updated.
    answered = await you.run("undo")
    assert answered.ephemeral
    assert "no longer exists" in text_of(answered)
    # The simulation records every error that the library raises, even if the bot answers it.
    (met,) = discord.errors()
    assert isinstance(met, app_commands.CommandNotFound)


async def test_help_has_five_pages_and_the_last_two_list_the_commands(discord: Discord) -> None:
    you = discord.person(0)
    page = await you.run("help")
    assert page.ephemeral
    assert "Collect cards of one rank with your partner" in text_of(page)
    page = await open_help_page(you, page, "Your first turn")
    assert "On your turn press **Draw**" in text_of(page)
    page = await open_help_page(you, page, "Long games")
    assert "quiet hours with `/me settings`" in text_of(page)
    assert "Others can see how long you thought" in text_of(page)
    page = await open_help_page(you, page, "Commands")
    assert "`KKK2`, `3 kings and a joker`, `10h`" in text_of(page)
    listed = text_of(page) + text_of(await open_help_page(you, page, "More commands"))
    listed += text_of(await open_help_page(you, page, "Tournaments"))
    for command in registered_commands(discord):
        if isinstance(command, app_commands.Command):
            assert f"`/{command.qualified_name}` {command.description}" in listed
    assert listed.index("**The table**") < listed.index("**Playing**") < listed.index("**Looking up**")
    assert "The bot stores Discord ids" in listed


def texts_of(page: Page) -> list[str]:
    """Return a page's texts as they are sent; too long ones end in an ellipsis."""
    return [one.content for one in page.view.walk_children() if isinstance(one, ui.TextDisplay)]


async def open_help_page(person: Any, page: Any, label: str) -> Any:
    shown = await person.actor.click(page, label=label)
    return shown.response


async def test_the_pages_of_help_fit_and_contain_every_command(discord: Discord) -> None:
    commands = registered_commands(discord)
    groups = {help_group_of(command) for command in commands if isinstance(command, app_commands.Command)}
    assert groups == {group for listed in GROUPS_OF.values() for group in listed}
    for locale in locales():
        for shown in PAGES:
            page = help_page(words(locale), commands, shown)
            assert [] == broken_limits(page.view.to_components())  # type: ignore[no-untyped-call]
            assert not any(text.endswith("…") for text in texts_of(page))


async def test_the_readme_names_every_command(discord: Discord) -> None:
    section = (ROOT / "README.md").read_text().partition("## Playing")[2].partition("\n## ")[0]
    groups = "|".join(
        command.name for command in registered_commands(discord) if isinstance(command, app_commands.Group)
    )
    named = set(re.findall(rf"`/?(?:(?:{groups}) )?([a-z-]+)(?: [a-z]+:)?`", section))
    assert named == {
        command.name for command in registered_commands(discord) if isinstance(command, app_commands.Command)
    }


MOST_SUBCOMMANDS = 22
"""Most subcommands of a group; Discord allows 25, so three can still be added."""

MOST_CHARACTERS = 6_000
"""Most characters of a command's names, descriptions and choices; Discord allows 8,000 per language."""


def count_characters(command: dict[str, Any]) -> int:
    """Return the length of a command, an option or a choice, as Discord counts it with all its parts."""
    described = longest_length(command.get("description", ""), command.get("description_localizations"))
    named = longest_length(command["name"], command.get("name_localizations"))
    below = (*(command.get("options") or ()), *(command.get("choices") or ()))
    return named + described + len(str(command.get("value", ""))) + sum(map(count_characters, below))


def longest_length(text: str, in_languages: dict[str, str] | None) -> int:
    """Return the length of a text in its longest language."""
    return max(map(len, (text, *(in_languages or {}).values())))


async def test_groups_of_commands_have_room_for_more(discord: Discord) -> None:
    tree = discord.application.client.tree
    for command in tree.get_commands():
        told: Any = await command.get_translated_payload(tree, CatalogueTranslator())
        assert len(told.get("options", ())) <= MOST_SUBCOMMANDS, command.name
        assert count_characters(told) <= MOST_CHARACTERS, command.name


async def test_the_help_lists_first_what_beginners_need_and_last_what_helps_in_rare_troubles(discord: Discord) -> None:
    text = "\n".join(texts_of(help_page(words(), registered_commands(discord), COMMANDS)))
    listed = re.findall(r"^`/([a-z -]+)`", text, flags=re.MULTILINE)
    assert ["learn", "table new", "play"] == listed[:3]
    table = listed[: listed.index("hand")]
    rare = [name for name in table if name.startswith("master ") or name in ("table computer", "table give-time")]
    assert len(rare) > 2
    assert rare == table[-len(rare) :]
