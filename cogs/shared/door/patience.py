"""Patience: whoever waits too long for an answer is told that it comes.

Discord waits three seconds. Half of that after an interaction has arrived it is acknowledged by itself, whatever its
handler is doing; the answer is shown when it is there (`cogs.shared.door.replies`). A control of a private
message is acknowledged by leaving that message as it is, everything else by a message that says "thinking": a private
one, unless the handler has said before that its answer is for everybody.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from enum import StrEnum
from typing import Any, Final, TypeAlias

import discord

from bot.clocks.clock import SECOND, SystemClock
from cogs.shared.door.calls import Failed, attempt

Interaction: TypeAlias = discord.Interaction[Any]

PATIENCE: Final = 1.5
"""Seconds from the arrival of an interaction until it is acknowledged without its answer."""

SECONDS_TO_ANSWER: Final = 3.0
"""Discord takes no first answer after that."""

_GUARD: Final = "guard"


class AckState(StrEnum):
    """What an acknowledgement has left where the answer belongs."""

    NOTHING = "nothing"  # there was none, or its place has been filled
    PANEL = "panel"  # the private message that was used, as it was
    PRIVATE = "private"  # a message that waits to be filled
    PUBLIC = "public"


class AckGuard:
    """Acknowledges one interaction when its time has come and nobody has answered it."""

    def __init__(self, interaction: Interaction) -> None:
        self._interaction = interaction
        self._sending = False
        self.public = False
        self.standing = AckState.NOTHING
        self._task = asyncio.create_task(self._watch(), name="patience")

    async def _watch(self) -> None:
        await asyncio.sleep(max(0.0, PATIENCE - _waited(self._interaction)))
        response = self._interaction.response
        if response.is_done():
            return
        self._sending = True
        if in_panel(self._interaction):
            standing, call = AckState.PANEL, response.defer()
        else:
            standing = AckState.PUBLIC if self.public else AckState.PRIVATE
            call = response.defer(ephemeral=not self.public, thinking=True)
        if not isinstance(await attempt(call, "acknowledging"), Failed):
            self.standing = standing

    async def settle(self) -> AckState:
        """No acknowledgement begins after this, and one under way has arrived; what it has left."""
        if not self._sending:
            self._task.cancel()
        await asyncio.wait({self._task})
        return self.standing


@asynccontextmanager
async def guarding(interaction: Interaction) -> AsyncIterator[None]:
    """Acknowledge the interaction in time, whatever is done inside; a "thinking" that nobody filled is removed."""
    guard = AckGuard(interaction)
    interaction.extras[_GUARD] = guard
    try:
        yield
    finally:
        if await guard.settle() in (AckState.PRIVATE, AckState.PUBLIC):
            await remove_acknowledgement(interaction)


def publicly(interaction: Interaction) -> None:
    """Acknowledge for everybody: the first answer will be seen by everybody then, so it may hold nothing private."""
    guard = interaction.extras.get(_GUARD)
    if isinstance(guard, AckGuard):
        guard.public = True


async def settle(interaction: Interaction) -> AckState:
    """What an acknowledgement has left; none begins after this."""
    guard = interaction.extras.get(_GUARD)
    return await guard.settle() if isinstance(guard, AckGuard) else AckState.NOTHING


def filled(interaction: Interaction) -> None:
    """The message that waited has its answer."""
    guard = interaction.extras.get(_GUARD)
    if isinstance(guard, AckGuard):
        guard.standing = AckState.NOTHING


async def remove_acknowledgement(interaction: Interaction) -> None:
    """Take away a message that says "thinking"."""
    filled(interaction)
    await attempt(interaction.delete_original_response(), "removing an acknowledgement")


def _waited(interaction: Interaction) -> float:
    """Seconds that the interaction has been on its way; 0 where its clock and this one disagree."""
    seconds = SystemClock().now() / SECOND - interaction.created_at.timestamp()
    return seconds if 0 <= seconds <= SECONDS_TO_ANSWER else 0.0


def in_panel(interaction: Interaction) -> bool:
    """Whether what was used stands in a private message, which the answer can replace."""
    return interaction.message is not None and interaction.message.flags.ephemeral
