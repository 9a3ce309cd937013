"""`/help` in pages: Canasta in a minute, the first turn, long games, and a list of all commands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from discord import app_commands
from discord.ext import commands

from bot.i18n import Words, language, locales
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.command_tree import AnyCommand, description_of
from cogs.shared.discord_api.components import (
    PRIMARY,
    SECONDARY,
    SUCCESS,
    Page,
    button,
    button_row,
    button_rows,
    container,
    page,
    separator,
    text,
)
from cogs.shared.discord_api.interactions import Interaction, answer_in_time
from cogs.shared.discord_api.serving_bot import LegalPages
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.shared.showing.lobby import LESSONS

ACTION: Final = "help"
MINUTE: Final = "1"
FIRST_TURN: Final = "2"
COMMANDS: Final = "3"
MORE: Final = "4"
LONG_GAMES: Final = "5"
EVENTS: Final = "6"
PAGES: Final = (MINUTE, FIRST_TURN, LONG_GAMES, COMMANDS, MORE, EVENTS)

GROUP: Final = "help_group"
"""Key in a command's `extras`, or attribute of its cog: its group in the list of commands."""

OTHERS: Final = "look_up"
"""The group of commands that do not name a group."""

GROUPS_OF: Final[Mapping[str, tuple[str, ...]]] = {
    COMMANDS: ("table", "play"),
    MORE: ("look_up", "yours"),
    EVENTS: ("tournaments",),
}
"""The groups that each page lists; all commands together would exceed Discord's message length."""


FIRST: Final = ("learn", "table new", "play", "hand")
"""Commands that beginners need, which come first in their groups."""

LAST: Final = ("table computer", "table give-time", "master")
"""Commands, or groups of them, for rare troubles, which come last."""


def help_page(words: Words, commands: Iterable[AnyCommand], shown: str, legal: LegalPages | None = None) -> Page:
    """Return a page of the help, with buttons that lead to the others."""
    told = {
        MINUTE: lambda: _page_text(words, words("help.minute_title"), _introduction_text(words)),
        FIRST_TURN: lambda: _page_text(words, words("help.turn_title"), words("help.turn")),
        LONG_GAMES: lambda: _page_text(words, words("help.long_title"), f"{words('help.long')}\n{words('help.speed')}"),
        COMMANDS: lambda: _commands_text(words, commands, COMMANDS, words("help.cards")),
        MORE: lambda: _commands_text(words, commands, MORE, _privacy_text(words, legal or LegalPages())),
        EVENTS: lambda: _commands_text(words, commands, EVENTS, words("help.events")),
    }
    labels = {
        MINUTE: "help.minute_title",
        FIRST_TURN: "help.turn_title",
        LONG_GAMES: "help.long_title",
        COMMANDS: "help.commands_title",
        MORE: "help.more_title",
        EVENTS: "help_group.tournaments",
    }
    leading = [
        button(
            ControlId(0, 0, ACTION, number),
            words(labels[number]),
            style=PRIMARY if number == shown else SECONDARY,
            enabled=number != shown,
        )
        for number in PAGES
    ]
    learn = button(ControlId(0, 0, LESSONS), words("lesson.learn_canasta"), style=SUCCESS) if shown == MINUTE else None
    return page([container(text(told[shown]()), button_row(learn), separator(), *button_rows(leading))])


def _introduction_text(words: Words) -> str:
    """Return text on Canasta in a minute and how to start, and the languages by their own names."""
    listed = " · ".join(language(locale).name for locale in locales())
    return "\n".join([words("help.minute"), words("help.start"), words("help.languages", names=listed)])


def _privacy_text(words: Words, legal: LegalPages) -> str:
    """Return the text on which personal data is stored, with links to the operator's pages."""
    links = [
        words(f"help.{name}_link", url=url) for name, url in (("policy", legal.privacy), ("terms", legal.terms)) if url
    ]
    return " ".join([words("help.privacy"), *links])


def help_group_of(command: app_commands.Command[Any, ..., Any]) -> str:
    """Return the name of the group of commands in which `/help` lists a command."""
    return str(command.extras.get(GROUP) or getattr(command.binding, GROUP, OTHERS))


def _page_text(words: Words, title: str, body: str) -> str:
    return words("help.page", title=title, text=body)


def _commands_text(words: Words, commands: Iterable[AnyCommand], shown: str, last: str) -> str:
    """Return the commands of a page's groups as text, followed by the line `last`."""
    lines: dict[str, list[str]] = {group: [] for group in GROUPS_OF[shown]}
    for command in sorted(commands, key=_command_order):
        if isinstance(command, app_commands.Command):
            group = help_group_of(command)
            if group in lines:
                message = words("help.command", command=command.qualified_name, about=description_of(words, command))
                lines[group].append(message)
    headings = {group: words("help.group", group=words(f"help_group.{group}")) for group in lines}
    if len(headings) == 1:
        headings = dict.fromkeys(lines, "")  # the page's title says the same
    parts = ["\n".join(filter(None, [headings[group], *those])) for group, those in lines.items() if those]
    title = {COMMANDS: "help.commands_title", MORE: "help.more_title", EVENTS: "help_group.tournaments"}[shown]
    return _page_text(words, words(title), "\n".join([*parts, last]))


def _command_order(command: AnyCommand) -> int:
    """Return the key that sorts commands in the help: beginners' commands first, rarely needed ones last."""
    name = command.qualified_name
    if name in FIRST:
        return FIRST.index(name) - len(FIRST)
    return int(name in LAST or name.partition(" ")[0] in LAST)


class GuideCommands(commands.Cog):
    """The command `/help`, and the buttons to its pages."""

    def __init__(self, context: Context) -> None:
        context.router.add(ACTION, self.turn_page)

    @app_commands.command()
    async def help(self, interaction: Interaction) -> None:
        async with answer_in_time(interaction):
            await self._show_page(interaction, MINUTE)

    async def turn_page(self, interaction: Interaction, control: ControlId, _chosen: tuple[str, ...]) -> None:
        if control.argument not in PAGES:
            raise InputProblem(InputCode.OLD_CONTROL)
        await self._show_page(interaction, control.argument, update=True)

    async def _show_page(self, interaction: Interaction, shown: str, *, update: bool = False) -> None:
        words, tree = interactions.words_for(interaction), interaction.client.tree
        found = help_page(words, tree.walk_commands(), shown, interaction.client.legal)
        await interactions.show_page(interaction, found, update=update)
