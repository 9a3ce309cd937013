"""What `/me delete` tells, and the form in which a word is typed before anything is deleted.

`/me export` and `/me delete`: what is kept of a person, for that person, and the end of it.
"""

from __future__ import annotations

import gzip
import json
from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.i18n import Words
from cogs.shared.door import interactions
from cogs.shared.door.components import (
    DANGER,
    Attachment,
    Page,
    button,
    buttons,
    container,
    file_page,
    form,
    page,
    text,
)
from cogs.shared.door.interactions import Interaction, answered
from cogs.shared.reading.ids import ControlId
from cogs.shared.serving.context import Context

FORGET: Final = "forget_me"
TYPED: Final = "forget_me_typed"


def delete_page(words: Words) -> Page:
    """What goes and what stays, and the button that opens the form."""
    told = text("\n".join([words("data.title"), words("data.goes"), words("data.stays")]))
    forget = button(ControlId(0, 0, FORGET), words("data.delete"), style=DANGER)
    return page([container(told, buttons(forget))])


class DataControls:
    """Answers the button and the form."""

    def __init__(self, context: Context) -> None:
        self.tables = context.tables
        context.router.add(FORGET, self.ask)
        context.router.add(TYPED, self.typed)

    async def ask(self, interaction: Interaction, _control: ControlId, _chosen: tuple[str, ...]) -> None:
        """A form with one line."""
        words = interactions.words_for(interaction)
        hint = words("data.hint", word=words("data.word"))
        title = words("data.form")
        await interactions.ask(interaction, form(ControlId(0, 0, TYPED), title, hint=hint, filled="", required=True))

    async def typed(self, interaction: Interaction, _control: ControlId, given: tuple[str, ...]) -> None:
        """Nothing is deleted without the word; upper and lower case are one."""
        words = interactions.words_for(interaction)
        word = words("data.word")
        if "".join(given[:1]).strip().casefold() != word.casefold():
            await interactions.say(interaction, words("data.not_deleted", word=word))
            return
        await self.tables.people.forget(interactions.caller_of(interaction))
        await interactions.say(interaction, words("data.deleted"))


LARGEST: Final = 8_000_000
"""Bytes of a file that Discord surely takes; a larger one is packed."""


class DataCommands(commands.Cog):
    """The commands of `/me` about one's data (`docs/data.md`)."""

    context: Context

    @app_commands.command(name="export")
    async def export(self, interaction: Interaction) -> None:
        async with answered(interaction):
            data = await self.context.tables.people.export(interactions.caller_of(interaction))
            words = interactions.words_for(interaction)
            file = packed(json.dumps(data, ensure_ascii=False, indent=1).encode())
            await interactions.show(interaction, file_page(file, words("data.exported")))

    @app_commands.command(name="delete")
    async def delete(self, interaction: Interaction) -> None:
        async with answered(interaction):
            await interactions.show(interaction, delete_page(interactions.words_for(interaction)))


def packed(data: bytes) -> Attachment:
    """The file as Discord takes it."""
    name = "canasta-data.json"
    return Attachment(name, data) if len(data) <= LARGEST else Attachment(f"{name}.gz", gzip.compress(data, mtime=0))
