"""The buttons of the lobby, and functions with which panels change a lobby for its host.

`bot.tables.core.repository` decides which buttons still work on an outdated message.
"""

from __future__ import annotations

from collections.abc import Awaitable

from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import Status, TableSnapshot
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import Page, text_page
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.discord_api.table_messages import post_at_table
from cogs.shared.posting.threads import place_link_lines
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving import panel
from cogs.shared.serving.context import Context
from cogs.shared.serving.late_presses import request_unless_already_decided
from cogs.shared.serving.new_tables import offer_lessons
from cogs.shared.serving.quiet_hours import ask_newcomer_for_quiet_hours
from cogs.shared.showing import lobby
from cogs.shared.showing.lobby import join_result
from cogs.shared.showing.paused_games import page_after_leaving
from cogs.shared.telling.explanations import explain_problem
from cogs.shared.telling.status_text import ABSOLUTE, discord_timestamp

Chosen = tuple[str, ...]


class LobbyControls:
    """Handlers of the buttons on the lobby's message."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        handlers = {
            "join": self.join_lobby,
            "sit": self.take_named_seat,
            "let_in": self.admit_person,
            "turn_away": self.reject_waiting_people,
            "leave": self.leave_table,
            "computer": self.add_computer,
            "start": self.start_game,
            "present": self.confirm_presence,
            "start_missed": self.start_with_computers,
            "keep_lobby": self.keep_lobby_open,
            "sit_again": self.sit_again,
            "start_waiting": self.fill_and_start,
            "wait_on": self.keep_waiting,
            "close": self.close_lobby,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    async def join_lobby(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        await self._join_and_answer(
            interaction, self.tables.lobby.join(interactions.caller_of(interaction), control.table)
        )

    async def take_named_seat(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Take the named seat, or another seat on its side if it is already taken."""
        if not (control.argument.isascii() and control.argument.isdigit()):
            raise InputProblem(InputCode.OLD_CONTROL)
        seat = int(control.argument[:3])
        await self._join_and_answer(
            interaction,
            self.tables.lobby.join(interactions.caller_of(interaction), control.table, seat=seat, or_same_side=True),
        )

    async def _join_and_answer(self, interaction: Interaction, request: Awaitable[TableSnapshot]) -> None:
        snapshot = await request
        words = interactions.words_for(interaction)
        said = [join_result(words, snapshot, interaction.user.id), *place_link_lines(words, snapshot, interaction)]
        await self._show_changed_lobby(interaction, snapshot, text_page(*said))
        await ask_newcomer_for_quiet_hours(self.context, interaction, snapshot)
        await offer_lessons(self.context, interaction)

    async def admit_person(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Give a seat to a person who waits for one; only the host may do this."""
        if not control.argument.isdecimal():
            raise InputProblem(InputCode.OLD_CONTROL)
        asking = self.tables.lobby.admit(interactions.caller_of(interaction), control.table, int(control.argument))
        await self._answer_host_decision(interaction, await asking)

    async def reject_waiting_people(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Reject everyone who waits for a seat; only the host may do this."""
        await self._answer_host_decision(
            interaction, await self.tables.lobby.reject_all_waiting(interactions.caller_of(interaction), control.table)
        )

    async def _answer_host_decision(self, interaction: Interaction, snapshot: TableSnapshot) -> None:
        said = interactions.words_for(interaction)("lobby.decided", table=snapshot.id)
        await self._show_changed_lobby(interaction, snapshot, text_page(said))

    async def leave_table(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Leave the lobby or a running game."""
        words = interactions.words_for(interaction)
        asking = self.tables.lobby.leave(
            interactions.caller_of(interaction), control.table, expected_version=control.version
        )
        snapshot = await self._change_lobby(interaction, control.table, asking)
        if snapshot is not None:
            await self._show_changed_lobby(interaction, snapshot, page_after_leaving(words, snapshot))

    async def add_computer(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        asking = self.tables.lobby.add_computer(
            interactions.caller_of(interaction), control.table, expected_version=control.version
        )
        snapshot = await self._change_lobby(interaction, control.table, asking)
        if snapshot is not None:
            said = interactions.words_for(interaction)("done.computer_added", table=snapshot.id)
            await self._show_changed_lobby(interaction, snapshot, text_page(said))

    async def close_lobby(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Close the lobby; a running game is closed with another control."""
        caller, moderator = interactions.caller_of(interaction), interaction.permissions.manage_guild
        asking = self.tables.lobby.close(caller, control.table, moderator=moderator, expected_version=control.version)
        snapshot = await self._change_lobby(interaction, control.table, asking)
        if snapshot is not None:
            said = interactions.words_for(interaction)("done.closed", table=snapshot.id)
            await self._show_changed_lobby(interaction, snapshot, text_page(said))

    async def start_game(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        asking = self.tables.lobby.start(
            interactions.caller_of(interaction), control.table, fill=True, expected_version=control.version
        )
        snapshot = await self._change_lobby(interaction, control.table, asking)
        if snapshot is not None and snapshot.roll is not None:
            await call_roll(self.context, interaction, snapshot)
        elif snapshot is not None:
            await panel.answer_with_panel(
                self.context, interaction, panel.hand_page(self.context, interaction, snapshot.id)
            )

    async def confirm_presence(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Confirm that a player who joined long ago is still there."""
        person = interaction.user.id
        asking = self.tables.lobby.confirm_presence(interactions.caller_of(interaction), control.table)
        snapshot = await request_unless_already_decided(
            self.context,
            interaction,
            control,
            asking,
            lambda said, at, _since: said("decided.freed", table=at.id) if _has_missed_roll_call(at, person) else "",
            lobby=True,
        )
        if snapshot is not None:
            await interactions.answer_privately(
                interaction, interactions.words_for(interaction)("roll_call.said", table=snapshot.id)
            )

    async def start_with_computers(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Start the game with computer players in the seats that did not answer the roll call."""
        caller = interactions.caller_of(interaction)
        asking = self.tables.lobby.start(caller, control.table, fill=True, expected_version=control.version)
        snapshot = await self._answer_lobby_question(interaction, control, asking, "")
        if snapshot is not None and snapshot.roll is not None:
            await call_roll(self.context, interaction, snapshot)
        elif snapshot is not None:
            await panel.answer_with_panel(
                self.context, interaction, panel.hand_page(self.context, interaction, snapshot.id)
            )

    async def keep_lobby_open(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Keep the lobby open for a week after a player did not answer the roll call."""
        caller = interactions.caller_of(interaction)
        asking = self.tables.lobby.keep_lobby(caller, control.table, asked_at=_question_time(control))
        snapshot = await self._answer_lobby_question(interaction, control, asking, "decided.stays_open")
        if snapshot is not None:
            when = discord_timestamp(snapshot.expires_at or 0, ABSOLUTE)
            said = interactions.words_for(interaction)("roll_call.kept", table=snapshot.id, when=when)
            await interactions.answer_privately(interaction, said)

    async def fill_and_start(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Fill a lobby that has waited long with computer players, and start the game.

        The first answer of the people in it counts.
        """
        asking = self.tables.lobby.start_with_computers(
            interactions.caller_of(interaction), control.table, asked_at=_question_time(control)
        )
        snapshot = await self._answer_wait_question(interaction, control, asking)
        if snapshot is not None:
            await panel.answer_with_panel(
                self.context, interaction, panel.hand_page(self.context, interaction, snapshot.id)
            )

    async def keep_waiting(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Let a lobby that has waited long keep waiting for players.

        The first answer of the people in it counts.
        """
        asking = self.tables.lobby.keep_waiting(
            interactions.caller_of(interaction), control.table, asked_at=_question_time(control)
        )
        snapshot = await self._answer_wait_question(interaction, control, asking)
        if snapshot is not None:
            await interactions.answer_privately(
                interaction, interactions.words_for(interaction)("waiting.waits", table=snapshot.id)
            )

    async def sit_again(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Take a seat again after not answering the roll call."""
        asking = self.tables.lobby.join(interactions.caller_of(interaction), control.table)
        snapshot = await self._answer_lobby_question(interaction, control, asking, "")
        if snapshot is not None:
            await interactions.answer_privately(
                interaction, join_result(interactions.words_for(interaction), snapshot, interaction.user.id)
            )

    async def _answer_wait_question(
        self, interaction: Interaction, control: ControlId, request: Awaitable[TableSnapshot]
    ) -> TableSnapshot | None:
        """Await an answer on whether the lobby keeps waiting; return the lobby.

        If another player has answered already, tell the user and return None.
        """
        return await request_unless_already_decided(
            self.context,
            interaction,
            control,
            request,
            lambda said, snapshot, _since: (
                said("decided.waits_on", table=snapshot.id) if snapshot.waiting is None else ""
            ),
            lobby=True,
        )

    async def _answer_lobby_question(
        self, interaction: Interaction, control: ControlId, request: Awaitable[TableSnapshot], key: str
    ) -> TableSnapshot | None:
        """Await an answer to a question about the lobby; return the lobby.

        If the question is settled already, tell the user how (by the sentence `key`, unless the game has begun) and
        return None.
        """
        return await request_unless_already_decided(
            self.context,
            interaction,
            control,
            request,
            lambda said, snapshot, _since: said(key, table=snapshot.id) if key else "",
            lobby=True,
        )

    async def _change_lobby(
        self, interaction: Interaction, table: int, change: Awaitable[TableSnapshot]
    ) -> TableSnapshot | None:
        """Await the change and return the changed lobby.

        If the click came too late, show the user the table as it is now and return None.
        """
        try:
            return await change
        except TableRefusal as refusal:
            snapshot = await self.tables.reading.snapshot_for(
                table, person=interaction.user.id, guild=interaction.guild_id
            )
            if refusal.code not in _MOVED_ON or not _may_see_table(interaction, snapshot):
                raise
            await interactions.answer_with_page(interaction, self._page_after_refusal(interaction, snapshot, refusal))
            return None

    async def _page_after_refusal(
        self, interaction: Interaction, snapshot: TableSnapshot, refusal: TableRefusal
    ) -> Page:
        words = interactions.words_for(interaction)
        if snapshot.status is Status.LOBBY:
            return await self.context.pages.lobby(words, snapshot, note=explain_problem(words, refusal, snapshot))
        return await panel.refusal_page(self.context, interaction, snapshot.id, refusal)

    async def _show_changed_lobby(self, interaction: Interaction, snapshot: TableSnapshot, answer: Page) -> None:
        """Update the lobby's message if its button was clicked; otherwise answer with `answer`."""
        if interactions.is_in_private_message(interaction) and snapshot.status is Status.CLOSED:
            await interactions.show_page(interaction, answer, update=True)
            return
        if not await self.context.board_updater.answer_in_place(interaction, snapshot):
            await interactions.show_page(interaction, answer)


def _question_time(control: ControlId) -> int:
    """Return when the question was asked that a button answers (UTC milliseconds); 0 if unknown."""
    return int(control.argument) if control.argument.isascii() and control.argument.isdigit() else 0


def _has_missed_roll_call(snapshot: TableSnapshot, person: int) -> bool:
    """Return whether the person did not answer the last roll call of the lobby."""
    return snapshot.missed is not None and any(one.person == person for one in snapshot.missed.holders)


async def call_roll(context: Context, interaction: Interaction, snapshot: TableSnapshot) -> None:
    """Mention the players who joined long ago, because the game starts once they confirm attendance.

    The person who starts the game is told so privately.
    """
    words = interactions.words_for(interaction)
    said = lobby.roll_call_text(words, snapshot)
    calling = lobby.roll_call_page(
        interactions.server_words(interaction, context.servers.locale(snapshot.guild)), snapshot
    )
    if calling is not None:
        await interactions.answer_privately(interaction, said)
        await post_at_table(interaction, snapshot, calling)


_MOVED_ON = frozenset({TableCode.STALE_REQUEST, TableCode.ALREADY_STARTED})


def _may_see_table(interaction: Interaction, snapshot: TableSnapshot) -> bool:
    """Return whether the table may be shown to the person: a lobby always, a game only to its players."""
    return snapshot.status is Status.LOBBY or (
        snapshot.view is not None and snapshot.seat_of(interaction.user.id) is not None
    )


async def require_lobby_host(context: Context, interaction: Interaction, table: int) -> TableSnapshot:
    """Return the lobby, if the person is its host.

    Refusals: unknown_table, wrong_server, already_started, table_closed, not_host.
    """
    snapshot = await context.tables.reading.snapshot_for(table, person=interaction.user.id, guild=interaction.guild_id)
    if snapshot.status is Status.CLOSED:
        raise TableRefusal(TableCode.TABLE_CLOSED, {"table": table})
    if snapshot.status is not Status.LOBBY:
        raise TableRefusal(TableCode.ALREADY_STARTED, {"table": table})
    if snapshot.host != interaction.user.id:
        raise TableRefusal(TableCode.NOT_HOST, {"table": table, "host": snapshot.host})
    return snapshot


async def apply_lobby_change(
    context: Context, interaction: Interaction, table: int, change: Awaitable[TableSnapshot]
) -> tuple[TableSnapshot, str, bool]:
    """Await a change of the lobby; return the lobby, a note on the result, and whether it succeeded."""
    words = interactions.words_for(interaction)
    try:
        return await change, words("options.saved"), True
    except TableRefusal as refusal:
        return await require_lobby_host(context, interaction, table), explain_problem(words, refusal), False
