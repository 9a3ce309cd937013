"""Route every button, select and modal by its custom id.

The library's own dispatch is not used, so controls still work after a restart and days later.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final, TypeAlias

import discord
from discord.ext import commands

from bot.logs import label_log_lines
from bot.tables.state.refusals import TableCode, TableRefusal
from cogs.shared.discord_api.interactions import Interaction, answer_in_time, is_in_private_message
from cogs.shared.posting.board_updates import BoardUpdater
from cogs.shared.reading.custom_ids import ControlId, IdError, is_bot_custom_id, parse_control_id
from cogs.shared.reading.input_problems import InputCode, InputProblem

Handler: TypeAlias = Callable[[Interaction, ControlId, tuple[str, ...]], Awaitable[None]]
"""Answers a control; gets the values chosen in a menu or typed into a form."""

SeatlessHandler: TypeAlias = Callable[[Interaction, int], Awaitable[bool]]
"""Answers a control of a table where the person has no seat; returns whether it could."""

_ROUTED: Final = (discord.InteractionType.component, discord.InteractionType.modal_submit)


class Router:
    """Maps the action in a control's custom id to its handler."""

    def __init__(self) -> None:
        self._handlers: dict[str, Handler] = {}
        self._without_seat: SeatlessHandler | None = None
        self.stopping = False
        """Whether the program is shutting down: controls are then answered with that and start nothing new."""

    def set_seatless_handler(self, handler: SeatlessHandler) -> None:
        """Register the handler for controls of a table at which the person no longer sits."""
        self._without_seat = handler

    def add(self, action: str, handler: Handler) -> None:
        """Register the handler of an action."""
        if action in self._handlers:
            raise ValueError(f"two handlers for {action}")
        self._handlers[action] = handler

    @property
    def actions(self) -> frozenset[str]:
        """Return the actions that have a handler."""
        return frozenset(self._handlers)

    async def route(self, interaction: Interaction) -> None:
        """Answer the control that was used. Raises `InputProblem` if its action is no longer known."""
        data: dict[str, Any] = dict(interaction.data or {})
        text = str(data.get("custom_id", ""))
        if not is_bot_custom_id(text):
            return
        if self.stopping:
            raise InputProblem(InputCode.STOPPING)
        try:
            control = parse_control_id(text)
            handler = self._handlers[control.action]
        except (IdError, KeyError):
            raise InputProblem(InputCode.OLD_CONTROL) from None
        try:
            await handler(interaction, control, tuple(_entered_values(data)))
        except TableRefusal as refusal:
            seatless = self._without_seat if refusal.code is TableCode.NOT_SEATED else None
            if seatless is None or not await seatless(interaction, control.table):
                raise


def table_of_used_control(interaction: Interaction) -> int | None:
    """Return the table of the control that was used, or None."""
    try:
        return parse_control_id(str(dict(interaction.data or {}).get("custom_id", ""))).table
    except IdError:
        return None


def log_fields_of(control: ControlId) -> dict[str, int]:
    """Return the log fields of a control: the number of its table, tournament or series.

    A control of a tournament or series has that number at the beginning of its argument.
    """
    number = control.argument.partition(".")[0]
    if control.table or not number.isdecimal():
        return {"table": control.table}
    if control.action.startswith("s_"):
        return {"series": int(number)}
    return {"tournament": int(number)} if control.action.startswith(("t_", "desk_")) else {}


def _log_fields_of_interaction(interaction: Interaction) -> dict[str, int]:
    """Return the log fields of the control that was used; none if the interaction is no control's."""
    try:
        return log_fields_of(parse_control_id(str(dict(interaction.data or {}).get("custom_id", ""))))
    except IdError:
        return {}


def _entered_values(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the values that the user chose or typed, in order."""
    yield from (str(value) for value in data.get("values", ()))
    if "value" in data:
        yield str(data["value"] or "")
    for inner in (*data.get("components", ()), *([data["component"]] if "component" in data else ())):
        yield from _entered_values(inner)


class ControlListener(commands.Cog):
    """Answers controls; calls `seen` with every person who uses the bot in any way."""

    def __init__(self, router: Router, board_updater: BoardUpdater, seen: Callable[[int], None]) -> None:
        self.router = router
        self.board_updater = board_updater
        self._seen = seen

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Record who was active and answer controls; Discord's library dispatches commands."""
        if interaction.guild_id is not None:
            self.board_updater.record_activity(interaction.guild_id, interaction.user.id)
        if interaction.channel_id is not None:
            self.board_updater.record_latest_message(
                interaction.channel_id, getattr(interaction.channel, "last_message_id", None)
            )
        if interaction.type is not discord.InteractionType.autocomplete:
            self._seen(interaction.user.id)
        if interaction.type in _ROUTED:
            with label_log_lines(**_log_fields_of_interaction(interaction)):
                async with answer_in_time(interaction):
                    with self._answer_context(interaction):
                        await self.router.route(interaction)

    def _answer_context(self, interaction: Interaction) -> AbstractContextManager[None]:
        """Return a context in which the answer to a click on a table's message may update that message."""
        table = table_of_used_control(interaction)
        return (
            nullcontext()
            if table is None or is_in_private_message(interaction)
            else self.board_updater.allow_answer_in_place(table)
        )
