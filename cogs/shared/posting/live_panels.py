"""Live panels: keep each person's private panel of a table up to date while Discord lets it be edited.

Every click brings a token with which its answer can be edited for fifteen minutes. Tokens stay in memory, by person and
table, and are used when something happens: the turn comes, a partner asks, a deal ends. A newer panel deletes the older
one. A panel of a waiting player is replaced by one line before its token expires, because it would become outdated; a
panel whose owner is to act stays, because its controls work at any age.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Awaitable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeAlias

import discord

from bot.clocks.clock import MINUTE, Clock
from bot.i18n import Words
from bot.tables.service import TableService
from bot.tables.state.refusals import TableRefusal
from bot.tables.state.snapshots import SeatSnapshot, TableChanged
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import Page, button, button_row, page, text
from cogs.shared.discord_api.discord_calls import CallTrouble, FailedCall, attempt_call
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.discord_api.panel_state import PanelState
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.meld_draft import Draft
from cogs.shared.showing.lost_seat_page import lost_seat_page


class PrivateMessage(Protocol):
    """A message that only one person sees. Every method raises the errors of Discord's library."""

    @property
    def id(self) -> int | None:
        """The message's id, if known."""

    async def edit(self, page: Page) -> object:
        """Replace the content by the page."""

    async def delete(self) -> None:
        """Delete the message."""

    async def send_follow_up(self, page: Page) -> PrivateMessage:
        """Send the page as a new message to the same person, and return that message."""


@dataclass(frozen=True, slots=True)
class _AnswerMessage:
    """The message that answered an interaction."""

    interaction: Interaction
    id: int | None

    async def edit(self, page: Page) -> object:
        return await self.interaction.edit_original_response(
            view=page.view, attachments=page.files(), allowed_mentions=page.allowed_mentions
        )

    async def delete(self) -> None:
        await self.interaction.delete_original_response()

    async def send_follow_up(self, page: Page) -> PrivateMessage:
        return await _send_follow_up(self.interaction, page)


@dataclass(frozen=True, slots=True)
class _FollowUpMessage:
    """A message sent after the answer, with the same token."""

    interaction: Interaction
    message: discord.WebhookMessage

    @property
    def id(self) -> int | None:
        return self.message.id

    async def edit(self, page: Page) -> object:
        return await self.message.edit(view=page.view, attachments=page.files(), allowed_mentions=page.allowed_mentions)

    async def delete(self) -> None:
        await self.message.delete()

    async def send_follow_up(self, page: Page) -> PrivateMessage:
        return await _send_follow_up(self.interaction, page)


async def _send_follow_up(interaction: Interaction, page: Page) -> PrivateMessage:
    message = await interaction.followup.send(
        view=page.view, files=page.files(), ephemeral=True, allowed_mentions=page.allowed_mentions, wait=True
    )
    return _FollowUpMessage(interaction, message)


def private_message_of(interaction: Interaction, message: discord.Message) -> PrivateMessage:
    """Return the private message that shows a panel.

    It is the answer to the interaction (a new message, or the one whose control was used), or a message sent after the
    answer, which may be public: then only that message may ever be edited.
    """
    if isinstance(message, discord.WebhookMessage):
        return _FollowUpMessage(interaction, message)
    return _AnswerMessage(interaction, message.id)


TOKEN_LIFE: Final = 15 * MINUTE
"""How long a token can edit its answer, in milliseconds."""

FOLD_BEFORE: Final = MINUTE
"""How long before its token expires a waiting panel is replaced by one line, in milliseconds."""

Key: TypeAlias = tuple[int, int]
"""A person and a table."""


class PanelRenderer(Protocol):
    """Builds a person's panel from the snapshot of their seat; without `pictured` as text only."""

    def __call__(
        self, interaction: Interaction, snapshot: SeatSnapshot, draft: Draft, *, pictured: bool = True
    ) -> Awaitable[Page]: ...


@dataclass(slots=True)
class _Panel:
    """A panel that can be edited until the time `until` (UTC milliseconds).

    `turning`: a check is scheduled; `covered`: messages that stay were posted below it, so that it is posted again;
    `tasks` are running for it. They run in the `context` of the interaction, so their requests are made like its
    answer.
    """

    interaction: Interaction
    message: PrivateMessage
    until: int
    shown: PanelState
    context: contextvars.Context = field(default_factory=contextvars.copy_context)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    turning: bool = False
    covered: bool = False


class LivePanels:
    """The panels that can be edited; one instance for the whole process, kept in memory only.

    After a change it waits `pause` milliseconds, so that several changes are shown together.
    """

    def __init__(self, tables: TableService, clock: Clock, *, pause: int) -> None:
        self._tables = tables
        self._clock = clock
        self._pause = pause
        self._panels: dict[Key, _Panel] = {}
        self._by_table: dict[int, set[Key]] = {}
        self._tasks: set[asyncio.Task[object]] = set()
        self._draw: PanelRenderer | None = None
        self._pictures_refused = False

    def begin(self, draw: PanelRenderer) -> None:
        """Update panels from now on; `draw` builds them."""
        self._draw = draw

    def register_panel(self, interaction: Interaction, message: discord.Message, panel_state: PanelState) -> None:
        """Register a panel shown in that message; delete the person's older panel of the table."""
        key = (interaction.user.id, panel_state.table)
        before = self._forget_panel(key)
        if before is not None and before.message.id != message.id:
            self._run_in_background(before.message.delete())
        until = self._clock.now() + TOKEN_LIFE
        panel = _Panel(interaction, private_message_of(interaction, message), until, panel_state)
        self._panels[key] = panel
        self._by_table.setdefault(panel_state.table, set()).add(key)
        self._start_task(panel, self._collapse_before_expiry(key, panel), "growing old")
        self._schedule_update(key, panel)  # the table may have changed while the answer was being sent

    def on_change(self, change: TableChanged) -> None:
        """Update the panels of a changed table; the table service calls this after each change."""
        for key in self._by_table.get(change.table, ()):
            self._schedule_update(key, self._panels[key])

    def repost_panels(self, table: int) -> None:
        """Post the table's panels again, because messages that stay have been posted below them."""
        for key in self._by_table.get(table, ()):
            self._panels[key].covered = True
            self._schedule_update(key, self._panels[key])

    def has_open_panel(self, person: int, table: int) -> bool:
        """Return whether the person has a panel of the table that can still be edited."""
        return (person, table) in self._panels

    async def close(self) -> None:
        """Stop all updates."""
        tasks = [*self._tasks, *(task for panel in self._panels.values() for task in panel.tasks)]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._panels.clear()
        self._by_table.clear()

    # --- one panel

    def _start_task(self, panel: _Panel, work: Coroutine[Any, Any, None], name: str) -> None:
        context = panel.context.copy()
        task = asyncio.create_task(work, name=f"panel of table {panel.shown.table}, {name}", context=context)
        panel.tasks.add(task)
        task.add_done_callback(panel.tasks.discard)

    def _schedule_update(self, key: Key, panel: _Panel) -> None:
        """Schedule an update of the panel unless one is already scheduled."""
        if not panel.turning:
            panel.turning = True
            self._start_task(panel, self._update_later(key, panel), "turning")

    async def _collapse_before_expiry(self, key: Key, panel: _Panel) -> None:
        """Replace a waiting panel by one line before its token expires, then forget it."""
        await self._clock.sleep(TOKEN_LIFE - FOLD_BEFORE)
        if panel.shown.waits:
            await attempt_call(panel.message.edit(_collapsed_page(panel)), "folding a panel", table=key[1])
        await self._clock.sleep(FOLD_BEFORE)
        if self._panels.get(key) is panel:
            self._forget_panel(key)

    async def _update_later(self, key: Key, panel: _Panel) -> None:
        """Update the panel after a short pause, so that several changes are shown together."""
        try:
            await self._clock.sleep(self._pause)
            panel.turning = False
            if self._clock.now() < panel.until - FOLD_BEFORE:
                await self._refresh_panel(key, panel)
        except TableRefusal:
            await self._show_lost_seat(key, panel)
        except Exception as error:  # noqa: BLE001 - the next press makes a new panel
            interactions.log_unexpected_error(error, "keeping a panel", table=key[1])

    async def _refresh_panel(self, key: Key, panel: _Panel) -> None:
        """Update the panel if its table has changed, or if messages were posted below it.

        While a computer player acts it waits, so that all computer players' steps are shown together.
        """
        person, table = key
        # The version is compared first because most checks find no change, and a snapshot is expensive to build.
        current = await self._tables.reading.version(table) <= panel.shown.version
        if self._draw is None or (current and not panel.covered):
            return
        snapshot = await self._tables.reading.seat_snapshot_of(table, person)
        actor = snapshot.table.actor
        if actor is not None and actor.person is None:
            return  # computer players' steps are shown together
        page = await self._draw(panel.interaction, snapshot, panel.shown.draft)
        if page.shown is None or (panel.shown.version >= snapshot.table.version and not panel.covered):
            return
        done = await (self._send_as_new_message(panel, page) if panel.covered else self._show_page(panel, page))
        if isinstance(done, FailedCall) and done.trouble is CallTrouble.NOT_TAKEN:
            page = await self._draw(panel.interaction, snapshot, panel.shown.draft, pictured=False)
            done = await attempt_call(panel.message.edit(page), "turning a panel in words", table=key[1])
        if not isinstance(done, FailedCall) and page.shown is not None:
            panel.shown = page.shown

    async def _show_lost_seat(self, key: Key, panel: _Panel) -> None:
        """Show who plays the seat that the person has lost; the panel returns once they have it back."""
        person, table = key
        snapshot = await self._tables.reading.snapshot(table)
        page = lost_seat_page(interactions.words_for(panel.interaction), snapshot, person)
        if page is None or panel.shown.version >= snapshot.version:
            return
        if not isinstance(await attempt_call(panel.message.edit(page), "showing a lost seat", table=table), FailedCall):
            panel.shown = PanelState(table, snapshot.version, panel.shown.draft, waits=True)

    async def _show_page(self, panel: _Panel, page: Page) -> object:
        """Put the page into the panel; if Discord rejects its picture, send a new message instead.

        Returns the failure, if any. The rejection is remembered for the process: it is a permanent fault of Discord
        (discord-api-docs 7529).
        """
        table = panel.shown.table
        if not (self._pictures_refused and page.pictures):
            edited = await attempt_call(panel.message.edit(page), "turning a panel", table=table)
            if not isinstance(edited, FailedCall) or edited.trouble is not CallTrouble.NOT_TAKEN:
                return edited
        followed = await self._send_as_new_message(panel, page)
        self._pictures_refused = self._pictures_refused or not isinstance(followed, FailedCall)
        return followed

    async def _send_as_new_message(self, panel: _Panel, page: Page) -> object:
        """Send the page as a new message in place of the panel's; return the failure, if any."""
        followed = await attempt_call(
            panel.message.send_follow_up(page), "turning a panel again", table=panel.shown.table
        )
        if not isinstance(followed, FailedCall):
            panel.covered = False
            older, panel.message = panel.message, followed
            self._run_in_background(older.delete())
        return followed

    def _forget_panel(self, key: Key) -> _Panel | None:
        """Remove a panel and cancel its tasks; return it, or None if it is unknown."""
        panel = self._panels.pop(key, None)
        if panel is None:
            return None
        self._by_table[key[1]].discard(key)
        if not self._by_table[key[1]]:
            del self._by_table[key[1]]
        for task in panel.tasks - {asyncio.current_task()}:
            task.cancel()
        return panel

    def _run_in_background(self, work: Awaitable[object]) -> None:
        async def run_ignoring_failures() -> None:
            await attempt_call(work, "removing an older panel")

        task: asyncio.Task[object] = asyncio.create_task(run_ignoring_failures(), name="older panel")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _collapsed_page(panel: _Panel) -> Page:
    """Return the one-line page that replaces a waiting panel after a quarter of an hour."""
    words: Words = interactions.words_for(panel.interaction)
    wake = button(ControlId(panel.shown.table, panel.shown.version, "refresh"), words("panel.wake"))
    row = button_row(wake)
    return page([text(words("panel.asleep", table=panel.shown.table)), *([row] if row is not None else [])])
