"""Card emojis of the application: uploaded once, in the background, and used when all exist.

An emoji's name changes with its picture (`render.drawing.emojis`), so a new drawing makes a new emoji. Failed uploads
are retried at intervals longer than Discord's rate limit; until then cards are text (`K♠`).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, Protocol, TypeAlias

import discord

from bot.engine.cards.cards import Card
from bot.engine.cards.notation import parse_cards
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.discord_calls import FailedCall, attempt_call

Draw: TypeAlias = Callable[[], Awaitable[Mapping[str, bytes]]]
"""Draws the emojis: PNG files by name."""

EmojiOf: TypeAlias = Callable[[Card | None], discord.PartialEmoji | None]
"""Returns the emoji of a card, or None."""

WAITS: Final = (60, 600, 3600)
"""Seconds between retries; the last value repeats."""

POLL: Final = 600
"""Seconds between two checks of a process that waits for another process to upload."""

KEEP: Final = 86_400
"""Seconds for which emojis of older drawings stay where several processes serve the bot."""

_CARD: Final = re.compile(r"c([2-9TJQKA][shdc]|JK)_[0-9a-f]{4}", re.ASCII)
_OURS: Final = re.compile(rf"{_CARD.pattern}|(cback|sign_[a-z]+)_[0-9a-f]{{4}}", re.ASCII)


def no_emoji(_card: Card | None) -> discord.PartialEmoji | None:
    """Return None: cards are written as text."""
    return None


class EmojiClient(Protocol):
    """The methods this module needs of a Discord client."""

    async def wait_until_ready(self) -> None: ...

    async def fetch_application_emojis(self) -> list[discord.Emoji]: ...

    async def create_application_emoji(self, *, name: str, image: bytes) -> discord.Emoji: ...


class CardEmojis:
    """Uploads the emojis of the cards and looks them up; one for the whole process."""

    def __init__(self, client: EmojiClient, draw: Draw | None, *, uploads: bool = True, shared: bool = False) -> None:
        """Take the Discord client and the function `draw` that returns all card emojis (None: no emojis).

        Without `uploads`, wait until another process has uploaded them. If other processes use the same emojis
        (`shared`), those of older drawings are kept for a day, because an older process may still use them in messages.
        """
        self._client = client
        self._uploads = uploads
        self._shared = shared
        self._draw = draw
        self._known: Mapping[Card, discord.PartialEmoji] = {}
        self._task: asyncio.Task[None] | None = None

    def emoji_of(self, card: Card | None) -> discord.PartialEmoji | None:
        """Return the card's emoji, or None while some are missing."""
        return None if card is None else self._known.get(card)

    def start(self) -> None:
        """Start uploading missing emojis in the background, if a drawing function is given."""
        if self._draw is not None and self._task is None:
            self._task = asyncio.create_task(self._upload_in_background(self._draw), name="card emojis")

    async def close(self) -> None:
        """Stop uploading; the next start continues."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _upload_in_background(self, draw: Draw) -> None:
        try:
            await self._client.wait_until_ready()
            wanted = await draw()
            tries = 0
            while not await self._upload_missing(wanted):
                await asyncio.sleep(WAITS[min(tries, len(WAITS) - 1)] if self._uploads else POLL)
                tries += 1
            if self._uploads:
                await asyncio.sleep(KEEP if self._shared else 0)
                await self._remove_old(wanted)
        except Exception as error:  # noqa: BLE001 - cards are then written as text; nothing else depends on emojis
            interactions.log_unexpected_error(error, "providing the cards' emojis")

    async def _upload_missing(self, wanted: Mapping[str, bytes]) -> bool:
        """Upload missing emojis; return whether all exist."""
        listed = await attempt_call(self._client.fetch_application_emojis(), "listing the application's emojis")
        if isinstance(listed, FailedCall):
            return False
        there = {emoji.name: emoji for emoji in listed}
        if not self._uploads and not wanted.keys() <= there.keys():
            return False
        for name, image in wanted.items():
            if name not in there:
                made = await attempt_call(
                    self._client.create_application_emoji(name=name, image=image), "uploading a card's emoji"
                )
                if isinstance(made, FailedCall):
                    return False
                there[name] = made
        found = {name: _CARD.fullmatch(name) for name in wanted}
        self._known = {
            parse_cards(card[1])[0]: discord.PartialEmoji(name=name, id=there[name].id)
            for name, card in found.items()
            if card is not None
        }
        return True

    async def _remove_old(self, wanted: Mapping[str, bytes]) -> None:
        """Delete emojis of older drawings; failures are retried after the next start."""
        listed = await attempt_call(self._client.fetch_application_emojis(), "listing the application's emojis")
        for emoji in () if isinstance(listed, FailedCall) else listed:
            if emoji.name not in wanted and _OURS.fullmatch(emoji.name):
                await attempt_call(emoji.delete(), "removing an old emoji")
