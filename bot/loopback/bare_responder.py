"""A bot that only answers, as a comparison for the bot's speed.

Start it by `python -m bot.loopback.bare_responder 127.0.0.1:PORT BYTES`. It uses the same library, and answers with a
page of the same shape: words, a picture of a given size, two rows of buttons. The bot's own cost is the difference
between what a click costs it and what it costs this responder.
"""

from __future__ import annotations

import io
import os
import sys
from typing import Any, Final

import discord

from bot.loopback.bootstrap import redirect_discord_library

TEXT, PANEL, BOARD = "text", "panel", "board"

WORDS: Final = "Your turn: draw two cards, or take the pile.\n" * 6


def bare_page(*, picture: bool) -> discord.ui.LayoutView:
    """Return a page with words, the picture if there is one, and ten buttons."""
    view = discord.ui.LayoutView(timeout=None)
    parts: list[discord.ui.Item[Any]] = [discord.ui.TextDisplay(WORDS)]
    if picture:
        parts.append(discord.ui.MediaGallery(discord.MediaGalleryItem("attachment://hand.png", description=WORDS)))
    for row in range(2):
        buttons = [discord.ui.Button[Any](label=f"{row}{one}", custom_id=f"bare:{row}:{one}") for one in range(5)]
        parts.append(discord.ui.ActionRow(*buttons))
    view.add_item(discord.ui.Container(*parts))
    view.stop()
    return view


class Responder(discord.Client):
    """A client that answers each click in the way that the control's custom id names."""

    def __init__(self, size: int) -> None:
        super().__init__(intents=discord.Intents(guilds=True), max_messages=None)
        self._picture = os.urandom(size)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Answer a click with words, with words and a picture, or by editing the message."""
        data: Any = interaction.data
        kind = str(data["custom_id"]).partition(":")[2]
        picture = discord.File(io.BytesIO(self._picture), "hand.png")
        if kind == TEXT:
            await interaction.response.send_message(view=bare_page(picture=False), ephemeral=True)
        elif kind == PANEL:
            await interaction.response.send_message(view=bare_page(picture=True), file=picture, ephemeral=True)
        else:
            await interaction.response.edit_message(view=bare_page(picture=True), attachments=[picture])


if __name__ == "__main__":
    redirect_discord_library(sys.argv[1])
    Responder(int(sys.argv[2])).run(os.environ["DISCORD_TOKEN"], log_handler=None)
