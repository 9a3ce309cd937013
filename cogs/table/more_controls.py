"""What stands behind ⋯, on the board and in the panel."""

from __future__ import annotations

from cogs.shared.door import replies
from cogs.shared.door.components import Page
from cogs.shared.door.patience import in_panel
from cogs.shared.door.replies import Interaction
from cogs.shared.reading.ids import ControlId
from cogs.shared.serving import own_panel
from cogs.shared.serving.context import Context
from cogs.shared.showing.panels.more import leaving_page, more_page

Chosen = tuple[str, ...]


class MoreControls:
    """Answers `more` and `leave_ask`: in the panel by turning it over, from the board with a message of its own."""

    def __init__(self, context: Context) -> None:
        self.context = context
        context.router.add("more", self.more)
        context.router.add("leave_ask", self.leave)

    async def more(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """All that is rarely wanted."""
        look = await self.context.tables.look_for(control.table, person=interaction.user.id, guild=interaction.guild_id)
        seated = look.seat_of(interaction.user.id) is not None
        words, panel = replies.words_for(interaction), in_panel(interaction)
        await self._show(interaction, more_page(words, look, seated=seated, back=panel and seated))

    async def leave(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Ask before a seat in a running game is given up."""
        look = await self.context.tables.look_for(control.table, person=interaction.user.id, guild=interaction.guild_id)
        back = in_panel(interaction)
        await self._show(interaction, leaving_page(replies.words_for(interaction), look, back=back))

    async def _show(self, interaction: Interaction, page: Page) -> None:
        """In a panel the page takes its place, and the panel comes back with what happens next."""
        if in_panel(interaction):
            await own_panel.answer(self.context, interaction, _made(page))
        else:
            await replies.show(interaction, Page(page.view))


async def _made(page: Page) -> Page:
    return page
