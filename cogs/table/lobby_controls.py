"""The buttons of the lobby. Which of them an old message may still press, `bot.tables.core.repository` says.

Changing a lobby's rules from a panel: for whom it opens, and what it says of what was asked.
"""

from __future__ import annotations

from collections.abc import Awaitable

from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import Status, TableSnapshot
from cogs.shared.door import interactions
from cogs.shared.door.components import Page, text_page
from cogs.shared.door.interactions import Interaction
from cogs.shared.door.table_messages import post
from cogs.shared.posting.threads import directions
from cogs.shared.reading.ids import ControlId
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.serving import panel
from cogs.shared.serving.context import Context
from cogs.shared.serving.quiet_hours import ask_newcomer
from cogs.shared.showing import lobby
from cogs.shared.showing.lobby import join_result
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
        await self._seat(interaction, self.tables.lobby.join(interactions.caller_of(interaction), control.table))

    async def sit(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """The seat named, or another one of its side where somebody was quicker."""
        if not (control.argument.isascii() and control.argument.isdigit()):
            raise InputProblem(InputCode.OLD_CONTROL)
        seat = int(control.argument[:3])
        await self._seat(
            interaction,
            self.tables.lobby.join(interactions.caller_of(interaction), control.table, seat=seat, or_beside=True),
        )

    async def _seat(self, interaction: Interaction, asking: Awaitable[TableSnapshot]) -> None:
        look = await asking
        words = interactions.words_for(interaction)
        said = [join_result(words, look, interaction.user.id), *directions(words, look, interaction)]
        await self._changed(interaction, look, text_page(*said))
        await ask_newcomer(self.context, interaction, look)

    async def let_in(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Whoever waits gets a seat; the host alone decides that."""
        if not control.argument.isdecimal():
            raise InputProblem(InputCode.OLD_CONTROL)
        asking = self.tables.lobby.admit(interactions.caller_of(interaction), control.table, int(control.argument))
        await self._decided(interaction, await asking)

    async def turn_away(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Nobody waits any more."""
        await self._decided(
            interaction, await self.tables.lobby.reject(interactions.caller_of(interaction), control.table)
        )

    async def _decided(self, interaction: Interaction, look: TableSnapshot) -> None:
        said = interactions.words_for(interaction)("lobby.decided", table=look.id)
        await self._changed(interaction, look, text_page(said))

    async def leave(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """From the lobby, or from a running game."""
        words = interactions.words_for(interaction)
        asking = self.tables.lobby.leave(interactions.caller_of(interaction), control.table, seen=control.version)
        look = await self._unless_stale(interaction, control.table, asking)
        if look is not None:
            await self._changed(interaction, look, left_page(words, look))

    async def computer(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        asking = self.tables.lobby.add_computer(
            interactions.caller_of(interaction), control.table, seen=control.version
        )
        look = await self._unless_stale(interaction, control.table, asking)
        if look is not None:
            said = interactions.words_for(interaction)("done.computer_added", table=look.id)
            await self._changed(interaction, look, text_page(said))

    async def close(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """A lobby only; a running game has a control of its own."""
        caller, moderator = interactions.caller_of(interaction), interaction.permissions.manage_guild
        asking = self.tables.lobby.close(caller, control.table, moderator=moderator, seen=control.version)
        look = await self._unless_stale(interaction, control.table, asking)
        if look is not None:
            said = interactions.words_for(interaction)("done.closed", table=look.id)
            await self._changed(interaction, look, text_page(said))

    async def start(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        asking = self.tables.lobby.start(
            interactions.caller_of(interaction), control.table, fill=True, seen=control.version
        )
        look = await self._unless_stale(interaction, control.table, asking)
        if look is not None and look.roll is not None:
            await call_roll(self.context, interaction, look)
        elif look is not None:
            await panel.answer(self.context, interaction, panel.hand_page(self.context, interaction, look.id))

    async def present(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Who joined long ago is in."""
        look = await self.tables.lobby.confirm_presence(interactions.caller_of(interaction), control.table)
        said = interactions.words_for(interaction)("roll_call.said", table=look.id)
        await interactions.say(interaction, said)

    async def _unless_stale(
        self, interaction: Interaction, table: int, asking: Awaitable[TableSnapshot]
    ) -> TableSnapshot | None:
        """What came of it; None where it was asked of an older table, which is told with how the table stands."""
        try:
            return await asking
        except TableRefusal as refusal:
            look = await self.tables.reading.snapshot_for(table, person=interaction.user.id, guild=interaction.guild_id)
            if refusal.code not in _MOVED_ON or not _can_be_shown(interaction, look):
                raise
            await interactions.answer(interaction, self._present(interaction, look, refusal))
            return None

    async def _present(self, interaction: Interaction, look: TableSnapshot, refusal: TableRefusal) -> Page:
        words = interactions.words_for(interaction)
        if look.status is Status.LOBBY:
            return await self.context.pages.lobby(words, look, note=explain(words, refusal, look))
        return await panel.refused_page(self.context, interaction, look.id, refusal)

    async def _changed(self, interaction: Interaction, look: TableSnapshot, said: Page) -> None:
        """Show a changed lobby in place when its own message was clicked; elsewhere say what was done."""
        if interactions.in_panel(interaction) and look.status is Status.CLOSED:
            await interactions.show(interaction, said, update=True)
            return
        if not await self.context.presenter.answer_in_place(interaction, look):
            await interactions.show(interaction, said)


async def call_roll(context: Context, interaction: Interaction, look: TableSnapshot) -> None:
    """Call those who joined long ago, and tell whoever would begin that they are asked."""
    words = interactions.words_for(interaction)
    said = lobby.asked_text(words, look)
    calling = lobby.calling_page(interactions.words_for_all(interaction, context.servers.locale(look.guild)), look)
    if calling is not None:
        await interactions.say(interaction, said)
        await post(interaction, look, calling)


_MOVED_ON = frozenset({TableCode.STALE_REQUEST, TableCode.ALREADY_STARTED})


def _can_be_shown(interaction: Interaction, look: TableSnapshot) -> bool:
    """A lobby to everybody, a game to those who sit there."""
    return look.status is Status.LOBBY or (look.view is not None and look.seat_of(interaction.user.id) is not None)


async def host_look(context: Context, interaction: Interaction, table: int) -> TableSnapshot:
    """A lobby for its host. Refusals: unknown_table, wrong_server, already_started, table_closed, not_host."""
    look = await context.tables.reading.snapshot_for(table, person=interaction.user.id, guild=interaction.guild_id)
    if look.status is Status.CLOSED:
        raise TableRefusal(TableCode.TABLE_CLOSED, {"table": table})
    if look.status is not Status.LOBBY:
        raise TableRefusal(TableCode.ALREADY_STARTED, {"table": table})
    if look.host != interaction.user.id:
        raise TableRefusal(TableCode.NOT_HOST, {"table": table, "host": look.host})
    return look


async def changed(
    context: Context, interaction: Interaction, table: int, asking: Awaitable[TableSnapshot]
) -> tuple[TableSnapshot, str, bool]:
    """The lobby after what is asked of it, what to say of that, and whether it was done."""
    words = interactions.words_for(interaction)
    try:
        return await asking, words("options.saved"), True
    except TableRefusal as refusal:
        return await host_look(context, interaction, table), explain(words, refusal), False
