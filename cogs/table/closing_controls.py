"""Closing a table: the board's controls, and what `/table close` answers."""

from __future__ import annotations

from bot.tables.looks import Status, TableLook
from cogs.shared.boards.closing import alone_page, waiting_text
from cogs.shared.interactions import patience, replies
from cogs.shared.interactions.context import Context
from cogs.shared.interactions.ids import ControlId
from cogs.shared.interactions.layout import Page, text_page
from cogs.shared.interactions.replies import Interaction

Chosen = tuple[str, ...]


class ClosingControls:
    """Answers what concerns the end of a running game."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        handlers = {
            "close_game": self.close,
            "close_alone": self.close_alone,
            "close_keep": self.keep,
            "close_yes": self.agree,
            "close_no": self.play_on,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    async def close(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        await replies.show(interaction, await close_page(self.context, interaction, control.table))

    async def close_alone(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Whoever has come back meanwhile is asked after all."""
        page = await close_page(self.context, interaction, control.table, confirmed=True)
        await replies.show(interaction, page, update=patience.in_panel(interaction))

    async def keep(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        said = replies.words_for(interaction)("closing.declined", table=control.table)
        await replies.show(interaction, text_page(said), update=patience.in_panel(interaction))

    async def agree(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        look = await self._answer(interaction, control, agrees=True)
        await replies.show(interaction, _came_of_it(interaction, look, "closing.agreed"))

    async def play_on(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        look = await self._answer(interaction, control, agrees=False)
        await replies.say(interaction, replies.words_for(interaction)("closing.declined", table=look.id))

    async def _answer(self, interaction: Interaction, control: ControlId, *, agrees: bool) -> TableLook:
        asked_at = int(control.argument) if control.argument.isascii() and control.argument.isdigit() else 0
        caller = replies.caller_of(interaction)
        return await self.tables.answer_close(caller, control.table, agrees=agrees, asked_at=asked_at)


async def close_page(context: Context, interaction: Interaction, table: int, *, confirmed: bool = False) -> Page:
    """Close a table, or ask those who sit there; a person who is alone at a game is asked to confirm it first.

    Refusals as `TableService.close`.
    """
    look = await context.tables.look_for(table, guild=interaction.guild_id)
    alone = look.status is Status.PLAYING and look.persons == (interaction.user.id,)
    if alone and not confirmed:
        return alone_page(replies.words_for(interaction), look)
    moderator = interaction.permissions.manage_guild
    look = await context.tables.close(replies.caller_of(interaction), table, moderator=moderator)
    return _came_of_it(interaction, look, "closing.asked")


def _came_of_it(interaction: Interaction, look: TableLook, key: str) -> Page:
    """That the table is closed, or who has not answered yet."""
    words = replies.words_for(interaction)
    if look.status is Status.CLOSED:
        return text_page(words("done.closed", table=look.id))
    return text_page(waiting_text(words, look, key))
