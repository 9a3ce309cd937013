"""Routing: every button, select and modal of ours comes through one listener and goes by its custom id.

The library's own dispatch is not used, so controls work after a restart and days later.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final, TypeAlias

import discord
from discord.ext import commands

from cogs.shared.door.interactions import Interaction, answered, in_panel
from cogs.shared.posting.presenter import Presenter
from cogs.shared.reading.ids import ControlId, IdError, is_ours, parse
from cogs.shared.reading.problems import InputCode, InputProblem

Handler: TypeAlias = Callable[[Interaction, ControlId, tuple[str, ...]], Awaitable[None]]
"""Answers a control; the texts are what was chosen in a menu, or typed into a form."""

_ROUTED: Final = (discord.InteractionType.component, discord.InteractionType.modal_submit)


class Router:
    """Which handler answers which action; each action has one."""

    def __init__(self) -> None:
        self._handlers: dict[str, Handler] = {}

    def add(self, action: str, handler: Handler) -> None:
        """Let `handler` answer every control of that action."""
        if action in self._handlers:
            raise ValueError(f"two handlers for {action}")
        self._handlers[action] = handler

    @property
    def actions(self) -> frozenset[str]:
        """The actions that are answered."""
        return frozenset(self._handlers)

    async def route(self, interaction: Interaction) -> None:
        """Answer the control that was used. Raises `InputProblem` for one of ours that is not known any more."""
        data: dict[str, Any] = dict(interaction.data or {})
        text = str(data.get("custom_id", ""))
        if not is_ours(text):
            return
        try:
            control = parse(text)
            handler = self._handlers[control.action]
        except (IdError, KeyError):
            raise InputProblem(InputCode.OLD_CONTROL) from None
        await handler(interaction, control, tuple(_given(data)))


def table_of(interaction: Interaction) -> int | None:
    """The table of the control that was used."""
    try:
        return parse(str(dict(interaction.data or {}).get("custom_id", ""))).table
    except IdError:
        return None


def _given(data: Mapping[str, Any]) -> Iterator[str]:
    """What was chosen or typed, in order."""
    yield from (str(value) for value in data.get("values", ()))
    if "value" in data:
        yield str(data["value"] or "")
    for inner in (*data.get("components", ()), *([data["component"]] if "component" in data else ())):
        yield from _given(inner)


class Controls(commands.Cog):
    """Listens for controls, and to what Discord tells with everything that somebody does.

    `seen` is called with whoever does anything.
    """

    def __init__(self, router: Router, presenter: Presenter, seen: Callable[[int], None]) -> None:
        self.router = router
        self.presenter = presenter
        self._seen = seen

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Discord tells about everything somebody did with the bot; commands go their own way."""
        if interaction.guild_id is not None:
            self.presenter.there(interaction.guild_id, interaction.user.id)
        if interaction.channel_id is not None:
            self.presenter.seen(interaction.channel_id, getattr(interaction.channel, "last_message_id", None))
        self._seen(interaction.user.id)
        if interaction.type in _ROUTED:
            async with answered(interaction):
                with self._left_to_the_answer(interaction):
                    await self.router.route(interaction)

    def _left_to_the_answer(self, interaction: Interaction) -> AbstractContextManager[None]:
        """A press on the message of a table may be answered by showing the table there."""
        table = table_of(interaction)
        return nullcontext() if table is None or in_panel(interaction) else self.presenter.answering(table)
