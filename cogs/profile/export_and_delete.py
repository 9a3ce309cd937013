"""`/me export` and `/me delete`: send a person's stored data, or delete it after a typed confirmation."""

from __future__ import annotations

import gzip
import json
from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.i18n import Words
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import (
    DANGER,
    Attachment,
    Page,
    button,
    button_row,
    container,
    file_page,
    form,
    page,
    text,
)
from cogs.shared.discord_api.interactions import Interaction, answer_in_time
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.serving.context import Context

FORGET: Final = "forget_me"
TYPED: Final = "forget_me_typed"


def confirm_deletion_page(words: Words) -> Page:
    """Return the page that explains what is deleted, with the button that opens the form."""
    told = text("\n".join([words("data.title"), words("data.goes"), words("data.stays")]))
    forget = button(ControlId(0, 0, FORGET), words("data.delete"), style=DANGER)
    return page([container(told, button_row(forget))])


class DeleteDataControls:
    """Handlers of the button and the form that delete a person's data."""

    def __init__(self, context: Context) -> None:
        self.tables = context.tables
        context.router.add(FORGET, self.ask_for_confirmation)
        context.router.add(TYPED, self.delete_data)

    async def ask_for_confirmation(
        self, interaction: Interaction, _control: ControlId, _chosen: tuple[str, ...]
    ) -> None:
        """Open the form in which the person types the confirmation word."""
        words = interactions.words_for(interaction)
        hint = words("data.hint", word=words("data.word"))
        title = words("data.form")
        await interactions.show_form(
            interaction, form(ControlId(0, 0, TYPED), title, hint=hint, filled="", required=True)
        )

    async def delete_data(self, interaction: Interaction, _control: ControlId, typed: tuple[str, ...]) -> None:
        """Delete the data, if the confirmation word was typed; upper and lower case do not matter."""
        words = interactions.words_for(interaction)
        word = words("data.word")
        if "".join(typed[:1]).strip().casefold() != word.casefold():
            await interactions.answer_privately(interaction, words("data.not_deleted", word=word))
            return
        done = await self.tables.people.forget(interactions.caller_of(interaction))
        await interactions.answer_privately(interaction, words("data.deleted" if done else "data.being_deleted"))


LARGEST: Final = 8_000_000
"""Most bytes of a file that Discord surely accepts; a larger one is compressed."""


class PersonalDataCommands(commands.Cog):
    """The commands of `/me` about the person's stored data (`docs/data.md`)."""

    context: Context

    @app_commands.command(name="export")
    async def export(self, interaction: Interaction) -> None:
        async with answer_in_time(interaction):
            data = await self.context.tables.people.export(interactions.caller_of(interaction))
            words = interactions.words_for(interaction)
            file = data_file(json.dumps(data, ensure_ascii=False, indent=1).encode())
            await interactions.show_page(interaction, file_page(file, words("data.exported")))

    @app_commands.command(name="delete")
    async def delete(self, interaction: Interaction) -> None:
        async with answer_in_time(interaction):
            await interactions.show_page(interaction, confirm_deletion_page(interactions.words_for(interaction)))


def data_file(data: bytes) -> Attachment:
    """Return a person's stored data as a file to send them; compressed if it is too large."""
    name = "canasta-data.json"
    return Attachment(name, data) if len(data) <= LARGEST else Attachment(f"{name}.gz", gzip.compress(data, mtime=0))
