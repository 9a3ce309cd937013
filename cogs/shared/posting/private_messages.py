"""Private messages that can be edited for a while: the answer to an interaction, or one sent after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import discord

from cogs.shared.door.components import Page
from cogs.shared.door.replies import Interaction


class PrivateMessage(Protocol):
    """A message that only one person sees. Every method raises what the library raises."""

    @property
    def id(self) -> int | None:
        """The message's number, where it is known."""

    async def edit(self, page: Page) -> object:
        """Show that page in it."""

    async def delete(self) -> None:
        """Take it away."""

    async def follow(self, page: Page) -> PrivateMessage:
        """Show the page in a new message of the same person."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """The message with which an interaction was answered."""

    interaction: Interaction
    id: int | None

    async def edit(self, page: Page) -> object:
        return await self.interaction.edit_original_response(
            view=page.view, attachments=page.files(), allowed_mentions=page.allowed_mentions
        )

    async def delete(self) -> None:
        await self.interaction.delete_original_response()

    async def follow(self, page: Page) -> PrivateMessage:
        return await _follow(self.interaction, page)


@dataclass(frozen=True, slots=True)
class _Following:
    """A message sent after the answer, by the same token."""

    interaction: Interaction
    message: discord.WebhookMessage

    @property
    def id(self) -> int | None:
        return self.message.id

    async def edit(self, page: Page) -> object:
        return await self.message.edit(view=page.view, attachments=page.files(), allowed_mentions=page.allowed_mentions)

    async def delete(self) -> None:
        await self.message.delete()

    async def follow(self, page: Page) -> PrivateMessage:
        return await _follow(self.interaction, page)


async def _follow(interaction: Interaction, page: Page) -> PrivateMessage:
    message = await interaction.followup.send(
        view=page.view, files=page.files(), ephemeral=True, allowed_mentions=page.allowed_mentions, wait=True
    )
    return _Following(interaction, message)


def answered_in(interaction: Interaction, message: int | None) -> PrivateMessage:
    """The answer to an interaction: a new private message, or the private one whose control was used."""
    return _Answer(interaction, message)
