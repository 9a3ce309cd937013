"""The controls of the panel in which a host sets the table up: each answers with the panel as it stands then."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.i18n import Words
from bot.tables.looks import Status, TableSnapshot
from bot.tables.refusals import TableRefusal
from cogs.shared.door import patience, replies
from cogs.shared.door.components import Page
from cogs.shared.door.replies import Interaction
from cogs.shared.reading.ids import ControlId
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.shared.showing.lobby_page import seat_label
from cogs.shared.telling import names
from cogs.shared.telling.explain import explain, host_name
from cogs.table.lobby_changes import host_look
from cogs.table.setup_panel import setup_panel

Chosen = tuple[str, ...]


class SetupControls:
    """Answers everything in the panel; what it is asked for is checked again by the table service."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        handlers = {
            "setup": self.open,
            "players": self.players,
            "computers": self.computers,
            "place": self.pick,
            "place_at": self.place,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    async def open(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """From the lobby's message, or back from a panel that was opened here; others are told whom to ask."""
        look = await self.tables.look_for(control.table, person=interaction.user.id, guild=interaction.guild_id)
        words = replies.words_for(interaction)
        if look.status is Status.LOBBY and look.host != interaction.user.id:
            await replies.say(interaction, words("setup.not_host", host=host_name(words, look)))
            return
        page = await setup_page(self.context, interaction, control.table)
        await replies.show(interaction, page, update=patience.in_panel(interaction))

    async def players(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        count = _number(chosen)
        asking = self.tables.set_players(replies.caller_of(interaction), control.table, count)
        await self._change(
            interaction, control.table, asking, lambda words, look: words("setup.players_changed", count=look.players)
        )

    async def computers(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        count = _number(chosen)
        asking = self.tables.set_computers(replies.caller_of(interaction), control.table, count)
        await self._change(
            interaction, control.table, asking, lambda words, _: words("setup.computers_changed", count=count)
        )

    async def pick(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        """Whose seat is to change; a menu of seats appears."""
        page = await setup_page(self.context, interaction, control.table, moving=_number(chosen))
        await replies.show(interaction, page, update=True)

    async def place(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        to = _number(chosen)
        asking = self.tables.place(
            replies.caller_of(interaction),
            control.table,
            seat=_number((control.argument,)),
            to=to,
            seen=control.version,
        )
        await self._change(interaction, control.table, asking, lambda words, look: placed(words, look, to))

    async def _change(
        self,
        interaction: Interaction,
        table: int,
        asking: Awaitable[TableSnapshot],
        said: Callable[[Words, TableSnapshot], str],
    ) -> None:
        """In place of the panel that was used: the panel with what was done, or with the reason why it was not."""
        words = replies.words_for(interaction)
        try:
            note = said(words, await asking)
        except TableRefusal as refusal:
            note = explain(words, refusal)
        page = await setup_page(self.context, interaction, table, note=note)
        await replies.show(interaction, page, update=True)


async def setup_page(
    context: Context, interaction: Interaction, table: int, *, moving: int | None = None, note: str = ""
) -> Page:
    """The panel for the host. Refusals: as `host_look`."""
    look = await host_look(context, interaction, table)
    there = moving if moving is not None and moving < look.players and look.seats[moving].kind != "empty" else None
    return setup_panel(replies.words_for(interaction), look, moving=there, note=note)


def placed(words: Words, look: TableSnapshot, seat: int) -> str:
    """Who has come to sit in a seat, and with whom."""
    return words("setup.moved", name=names.of_seat(words, look, seat), seat=names.shown(seat_label(words, look, seat)))


def _number(chosen: Chosen) -> int:
    """The number that was chosen; a control of another release may carry something else."""
    if len(chosen) != 1 or not (chosen[0].isascii() and chosen[0].isdigit()) or len(chosen[0]) > 2:
        raise InputProblem(InputCode.OLD_CONTROL)
    return int(chosen[0])
