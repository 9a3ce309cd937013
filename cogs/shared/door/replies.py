"""Replies: the one place where an interaction is answered.

An interaction that waits too long is acknowledged meanwhile (`cogs.shared.door.patience`); its answer then
takes the place of the acknowledgement. An answer that cannot be delivered is lost without harm: what was asked has been
done, and the next touch shows it.
"""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, Final

import discord

from bot.i18n import Words, words
from bot.tables.looks import Caller
from cogs.shared.door import patience
from cogs.shared.door.calls import Failed, Trouble, attempt
from cogs.shared.door.components import Form, Page, text_page
from cogs.shared.door.patience import AckState, Interaction

__all__ = ["Interaction", "answer", "ask", "caller_of", "say", "show", "words_for", "words_for_all"]

LANGUAGE: Final = "language"
"""Where an interaction keeps the language that its person has chosen (`cogs.shared.door.languages`)."""

_REFUSED: Final = (Trouble.NOT_TAKEN, Trouble.MESSAGE_GONE)
"""A page that was not taken where it should stand may be taken as a new message."""


def words_for(interaction: Interaction) -> Words:
    """The catalogue of the person who asks: as chosen, else as Discord is set."""
    return words(interaction.extras.get(LANGUAGE) or str(interaction.locale))


def words_for_all(interaction: Interaction, chosen: str | None) -> Words:
    """The catalogue of the server: what it has chosen, or else its language in Discord."""
    return words(chosen or str(interaction.guild_locale or interaction.locale))


def caller_of(interaction: Interaction) -> Caller:
    """Who asks, from where, and the request's own id."""
    user = interaction.user
    return Caller(user.id, user.display_name, interaction.guild_id, interaction.id, user.name)


async def answer(
    interaction: Interaction, making: Coroutine[Any, Any, Page], *, update: bool = False, private: bool = True
) -> discord.Message | None:
    """Answer with the page that is being made; otherwise as `show`."""
    return await show(interaction, await making, update=update, private=private)


async def show(
    interaction: Interaction, page: Page, *, update: bool = False, private: bool = True
) -> discord.Message | None:
    """Deliver a page as the answer: as a new message, or with `update` in place of the one that was used.

    After an acknowledgement it takes the place of that, for the same readers; a further answer is a further message.
    Returns the message as far as it is known; None where it could not be delivered.
    """
    standing = await patience.settle(interaction)
    if not interaction.response.is_done():
        return await (_update(interaction, page) if update else _send(interaction, page, private=private))
    if standing in (AckState.PRIVATE, AckState.PUBLIC):
        patience.filled(interaction)
        return await _edit(interaction, page)
    if update:
        return await _edit(interaction, page)
    return await _follow_up(interaction, page, private=private)


async def ask(interaction: Interaction, form: Form) -> None:
    """Answer with a form; what is typed into it comes back as a control of its own.

    A form can only be the first answer: who had to wait too long for it is asked to try again.
    """
    await patience.settle(interaction)
    if interaction.response.is_done():
        await say(interaction, words_for(interaction)("error.form_late"))
    else:
        await attempt(interaction.response.send_modal(form), "asking")


async def say(interaction: Interaction, *texts: str) -> None:
    """Answer in private with a few sentences; a message clicked on stays as it is."""
    await show(interaction, text_page(*texts))


async def _send(interaction: Interaction, page: Page, *, private: bool) -> discord.Message | None:
    sent = await attempt(
        interaction.response.send_message(
            view=page.view, files=page.files(), ephemeral=private, allowed_mentions=page.allowed_mentions
        ),
        "answering",
    )
    return None if isinstance(sent, Failed) or not isinstance(sent.resource, discord.Message) else sent.resource


async def _update(interaction: Interaction, page: Page) -> discord.Message | None:
    """Put the page in place of the message that was used; where Discord does not take it so, send it as a new one."""
    edited = await attempt(
        interaction.response.edit_message(
            view=page.view, attachments=page.files(), allowed_mentions=page.allowed_mentions
        ),
        "updating a panel",
    )
    if isinstance(edited, Failed):
        return await _send(interaction, page, private=True) if edited.trouble is Trouble.NOT_TAKEN else None
    return interaction.message


async def _edit(interaction: Interaction, page: Page) -> discord.Message | None:
    """Put the page where the acknowledgement stands; where Discord does not take its picture so, after it."""
    edited = await attempt(
        interaction.edit_original_response(
            view=page.view, attachments=page.files(), allowed_mentions=page.allowed_mentions
        ),
        "showing an answer",
    )
    if isinstance(edited, Failed):
        return await _follow_up(interaction, page, private=True) if edited.trouble in _REFUSED else None
    return edited


async def _follow_up(interaction: Interaction, page: Page, *, private: bool) -> discord.Message | None:
    sent = await attempt(
        interaction.followup.send(
            view=page.view, files=page.files(), ephemeral=private, allowed_mentions=page.allowed_mentions, wait=True
        ),
        "following up",
    )
    return None if isinstance(sent, Failed) else sent
