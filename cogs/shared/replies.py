"""Replies: the one place where an interaction is answered.

Discord waits three seconds. Whatever takes longer than half of that is acknowledged first and shown when it is ready.
An answer that cannot be delivered is lost without harm: what was asked has been done, and the next touch shows it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Final, TypeAlias

import discord

from bot.i18n import Words, words
from bot.tables.looks import Caller
from cogs.shared.calls import Failed, Trouble, attempt
from cogs.shared.layout import Form, Page, text_page

Interaction: TypeAlias = discord.Interaction[Any]

PATIENCE: Final = 1.5
"""Seconds a page may take before the interaction is acknowledged without it."""


def words_for(interaction: Interaction) -> Words:
    """The catalogue of the person who asks."""
    return words(str(interaction.locale))


def words_for_all(interaction: Interaction) -> Words:
    """The catalogue of the server."""
    return words(str(interaction.guild_locale or interaction.locale))


def caller_of(interaction: Interaction) -> Caller:
    """Who asks, from where, and the request's own id."""
    user = interaction.user
    return Caller(user.id, user.display_name, interaction.guild_id, interaction.id, user.name)


async def answer(
    interaction: Interaction, making: Coroutine[Any, Any, Page], *, update: bool = False, private: bool = True
) -> None:
    """Answer with the page that is being made: as a new message, or with `update` in place of the one clicked on."""
    task = asyncio.ensure_future(making)
    await asyncio.wait({task}, timeout=PATIENCE)
    if not task.done() and not interaction.response.is_done():
        if update:
            await attempt(interaction.response.defer(), "acknowledging")
        else:
            await attempt(interaction.response.defer(ephemeral=private, thinking=True), "acknowledging")
    await show(interaction, await task, update=update, private=private)


async def show(interaction: Interaction, page: Page, *, update: bool = False, private: bool = True) -> None:
    """Deliver a finished page as the answer, or after it if there was one."""
    if interaction.response.is_done():
        await _show_later(interaction, page, private=private)
    elif update:
        shown = await attempt(
            interaction.response.edit_message(
                view=page.view, attachments=page.files(), allowed_mentions=page.allowed_mentions
            ),
            "updating a panel",
        )
        if isinstance(shown, Failed) and shown.trouble is Trouble.NOT_TAKEN:
            await _send(interaction, page, private=private)
    else:
        await _send(interaction, page, private=private)


async def ask(interaction: Interaction, form: Form) -> None:
    """Answer with a form; what is typed into it comes back as a control of its own."""
    await attempt(interaction.response.send_modal(form), "asking")


async def say(interaction: Interaction, *texts: str) -> None:
    """Answer in private with a few sentences; a message clicked on stays as it is."""
    page = text_page(*texts)
    if interaction.response.is_done():
        await _follow_up(interaction, page, private=True)
    else:
        await show(interaction, page)


async def _send(interaction: Interaction, page: Page, *, private: bool) -> None:
    await attempt(
        interaction.response.send_message(
            view=page.view, files=page.files(), ephemeral=private, allowed_mentions=page.allowed_mentions
        ),
        "answering",
    )


async def _show_later(interaction: Interaction, page: Page, *, private: bool) -> None:
    """Put the page where the acknowledgement stands; where Discord does not take its picture so, after it."""
    shown = await attempt(
        interaction.edit_original_response(
            view=page.view, attachments=page.files(), allowed_mentions=page.allowed_mentions
        ),
        "showing an answer",
    )
    if isinstance(shown, Failed) and shown.trouble in (Trouble.NOT_TAKEN, Trouble.MESSAGE_GONE):
        await _follow_up(interaction, page, private=private)


async def _follow_up(interaction: Interaction, page: Page, *, private: bool) -> None:
    await attempt(
        interaction.followup.send(
            view=page.view, files=page.files(), ephemeral=private, allowed_mentions=page.allowed_mentions
        ),
        "following up",
    )
