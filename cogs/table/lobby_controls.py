"""The buttons of the lobby. Which of them an old message may still press, `bot.tables.stale` says."""

from __future__ import annotations

from collections.abc import Awaitable

from bot.tables.looks import Status, TableSnapshot
from bot.tables.refusals import TableCode, TableRefusal
from cogs.shared.door import patience, replies
from cogs.shared.door.components import Page, text_page
from cogs.shared.door.replies import Interaction
from cogs.shared.door.telling_all import post
from cogs.shared.posting.threads import way_there
from cogs.shared.reading.ids import ControlId
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.serving import own_panel
from cogs.shared.serving.context import Context
from cogs.shared.serving.quiet_question import ask_newcomer
from cogs.shared.showing import roll_call_page
from cogs.shared.showing.lobby_page import joined
from cogs.shared.showing.paused import left_page
from cogs.shared.telling.explain import explain

Chosen = tuple[str, ...]


class LobbyControls:
    """Answers the buttons of the lobby's message, and those of lobbies as earlier releases showed them."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        handlers = {
            "join": self.join,
            "sit": self.sit,
            "let_in": self.let_in,
            "turn_away": self.turn_away,
            "leave": self.leave,
            "computer": self.computer,
            "start": self.start,
            "present": self.present,
            "close": self.close,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    async def join(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        await self._seat(interaction, self.tables.join(replies.caller_of(interaction), control.table))

    async def sit(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """The seat named, or another one of its side where somebody was quicker."""
        if not (control.argument.isascii() and control.argument.isdigit()):
            raise InputProblem(InputCode.OLD_CONTROL)
        seat = int(control.argument[:3])
        await self._seat(
            interaction, self.tables.join(replies.caller_of(interaction), control.table, seat=seat, or_beside=True)
        )

    async def _seat(self, interaction: Interaction, asking: Awaitable[TableSnapshot]) -> None:
        look = await asking
        words = replies.words_for(interaction)
        said = [joined(words, look, interaction.user.id), *way_there(words, look, interaction)]
        await self._changed(interaction, look, text_page(*said))
        await ask_newcomer(self.context, interaction, look)

    async def let_in(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Whoever waits gets a seat; the host alone decides that."""
        if not control.argument.isdecimal():
            raise InputProblem(InputCode.OLD_CONTROL)
        asking = self.tables.let_in(replies.caller_of(interaction), control.table, int(control.argument))
        await self._decided(interaction, await asking)

    async def turn_away(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Nobody waits any more."""
        await self._decided(interaction, await self.tables.turn_away(replies.caller_of(interaction), control.table))

    async def _decided(self, interaction: Interaction, look: TableSnapshot) -> None:
        said = replies.words_for(interaction)("lobby.decided", table=look.id)
        await self._changed(interaction, look, text_page(said))

    async def leave(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """From the lobby, or from a running game."""
        words = replies.words_for(interaction)
        asking = self.tables.leave(replies.caller_of(interaction), control.table, seen=control.version)
        look = await self._unless_stale(interaction, control.table, asking)
        if look is not None:
            await self._changed(interaction, look, left_page(words, look))

    async def computer(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        asking = self.tables.add_computer(replies.caller_of(interaction), control.table, seen=control.version)
        look = await self._unless_stale(interaction, control.table, asking)
        if look is not None:
            said = replies.words_for(interaction)("done.computer_added", table=look.id)
            await self._changed(interaction, look, text_page(said))

    async def close(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """A lobby only; a running game has a control of its own."""
        caller, moderator = replies.caller_of(interaction), interaction.permissions.manage_guild
        asking = self.tables.close(caller, control.table, moderator=moderator, seen=control.version)
        look = await self._unless_stale(interaction, control.table, asking)
        if look is not None:
            said = replies.words_for(interaction)("done.closed", table=look.id)
            await self._changed(interaction, look, text_page(said))

    async def start(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        asking = self.tables.start(replies.caller_of(interaction), control.table, fill=True, seen=control.version)
        look = await self._unless_stale(interaction, control.table, asking)
        if look is not None and look.roll is not None:
            await call_roll(self.context, interaction, look)
        elif look is not None:
            await own_panel.answer(self.context, interaction, own_panel.hand_page(self.context, interaction, look.id))

    async def present(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Who joined long ago is in."""
        look = await self.tables.present(replies.caller_of(interaction), control.table)
        said = replies.words_for(interaction)("roll_call.said", table=look.id)
        await replies.say(interaction, said)

    async def _unless_stale(
        self, interaction: Interaction, table: int, asking: Awaitable[TableSnapshot]
    ) -> TableSnapshot | None:
        """What came of it; None where it was asked of an older table, which is told with how the table stands."""
        try:
            return await asking
        except TableRefusal as refusal:
            look = await self.tables.look_for(table, person=interaction.user.id, guild=interaction.guild_id)
            if refusal.code not in _MOVED_ON or not _can_be_shown(interaction, look):
                raise
            await replies.answer(interaction, self._present(interaction, look, refusal))
            return None

    async def _present(self, interaction: Interaction, look: TableSnapshot, refusal: TableRefusal) -> Page:
        words = replies.words_for(interaction)
        if look.status is Status.LOBBY:
            return await self.context.pages.lobby(words, look, note=explain(words, refusal, look))
        return await own_panel.refused_page(self.context, interaction, look.id, refusal)

    async def _changed(self, interaction: Interaction, look: TableSnapshot, said: Page) -> None:
        """Show a changed lobby in place when its own message was clicked; elsewhere say what was done."""
        if patience.in_panel(interaction) and look.status is Status.CLOSED:
            await replies.show(interaction, said, update=True)
            return
        if not await self.context.presenter.answer_in_place(interaction, look):
            await replies.show(interaction, said)


async def call_roll(context: Context, interaction: Interaction, look: TableSnapshot) -> None:
    """Call those who joined long ago, and tell whoever would begin that they are asked."""
    words = replies.words_for(interaction)
    said = roll_call_page.asked_text(words, look)
    calling = roll_call_page.calling_page(replies.words_for_all(interaction, context.servers.locale(look.guild)), look)
    if calling is not None:
        await replies.say(interaction, said)
        await post(interaction, look, calling)


_MOVED_ON = frozenset({TableCode.STALE_REQUEST, TableCode.ALREADY_STARTED})


def _can_be_shown(interaction: Interaction, look: TableSnapshot) -> bool:
    """A lobby to everybody, a game to those who sit there."""
    return look.status is Status.LOBBY or (look.view is not None and look.seat_of(interaction.user.id) is not None)
