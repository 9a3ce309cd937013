"""The service for tables' channels, messages and spectators."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import astuple
from typing import Final

from bot.clocks.clock import HOUR, MINUTE
from bot.store.messages import MessageRow, PostedMessages
from bot.store.outbox import OLD_BOARD, Promise
from bot.store.spectators import Spectator
from bot.tables.context import TableContext
from bot.tables.places import lost_channel
from bot.tables.state.events import AnyEvent
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.requests import Decision, TableRequest
from bot.tables.state.snapshots import BoardMessage, TableSnapshot
from bot.tables.state.table import TableState

MOST_WATCHERS: Final = 25
"""Maximum number of spectators of a table."""

MOST_WATCHED: Final = 10
"""Maximum number of open tables that a person may watch."""


class PlaceService:
    """Channels, messages and spectators of tables.

    Only a lost or restored channel changes a table's version. A call that repeats what is stored changes nothing.
    """

    def __init__(self, context: TableContext) -> None:
        self._context = context

    async def record_lost_channel(self, table: int) -> None:
        """Record that the table's channel was deleted. Refusals: unknown_table, unreadable_table."""
        await self._halt_game_without_channel(table, "channel_gone", lost_channel.WITHOUT_CHANNEL)

    async def record_lost_guild(self, table: int) -> None:
        """Record that the bot left the table's guild. Refusals: unknown_table, unreadable_table."""
        await self._halt_game_without_channel(table, "server_gone", lost_channel.WITHOUT_SERVER)

    async def _halt_game_without_channel(self, table: int, kind: str, kept_for: int) -> None:
        """Halt the game because its channel is gone; close it after `kept_for` milliseconds."""
        now = self._context.clock.now()
        await self._apply_place_events(
            table, kind, lambda record: lost_channel.halt_game_without_channel(record, now=now, kept_for=kept_for)
        )

    async def record_restored_place(self, table: int) -> None:
        """Record that the table is shown in a channel again. Refusals: unknown_table, unreadable_table."""
        now = self._context.clock.now()
        await self._apply_place_events(
            table, "place_found", lambda record: lost_channel.continue_game_with_channel(record, now=now)
        )

    async def _apply_place_events(
        self, table: int, kind: str, decide: Callable[[TableState], tuple[AnyEvent, ...]]
    ) -> None:
        """Apply the events that `decide` returns for the table; do nothing if it returns none."""
        if decide((await self._context.repository.get(table)).record):
            await self._context.repository.change(
                table, TableRequest(kind, {}), lambda current_table: Decision(decide(current_table.record))
            )

    # --- messages ----------------------------------------------------------------------------------------------------

    async def move(self, table: int, *, channel: int, thread: int | None) -> None:
        """Store the channel and thread where the table is now."""
        await self._context.repository.move(table, channel=channel, thread=thread)

    async def board_message(self, table: int) -> BoardMessage | None:
        """Return the message that shows the table."""
        row = await self._context.store.messages.load(table)
        return None if row is None else BoardMessage(*astuple(row))

    async def record_board_message(self, message: BoardMessage) -> None:
        """Store the message that shows the table, and the version it shows."""
        await self._context.store.messages.set_message(MessageRow(*astuple(message)))

    async def record_new_board_message(self, message: BoardMessage, former: BoardMessage, guild: int) -> None:
        """Store the message that shows the table from now on, and let the outbox delete the former one."""
        promise, store = _promise_to_delete(former, guild), self._context.store
        await store.messages.set_message(MessageRow(*astuple(message)), (promise,), at=self._context.clock.now())
        store.outbox.notify_listener()

    async def promise_message_removal(self, former: BoardMessage, guild: int) -> None:
        """Let the outbox delete the table's message in a minute; called before another one replaces it.

        If the bot is killed before it stores the new message, the old one is still stored when the minute is over; then
        it is not deleted and the table is posted again.
        """
        await self._context.store.outbox.add(_promise_to_delete(former, guild), self._context.clock.now() + MINUTE)

    async def forget_board_message(self, table: int) -> None:
        """Store that no message shows the table."""
        await self._context.store.messages.clear_message(table)

    async def outdated_boards(self, *, departed_before: int = 0) -> tuple[int, ...]:
        """Return the tables whose board must be posted or edited.

        They are tables whose message shows an older version, and open tables without a message.

        Tables that wait for a person come first; guilds take turns. Tables of guilds that the bot left before
        `departed_before`, and those whose message was refused within the last hour, are left out.
        """
        set_aside, refused_before = self._context.repository.records.tables_set_aside, self._context.clock.now() - HOUR
        found = await self._context.store.messages.tables_with_outdated_message(
            departed_before=departed_before, refused_before=refused_before
        )
        return tuple(table for table in found if table not in set_aside)

    async def last_posted_sheet(self, table: int) -> int:
        """Return the last deal whose score sheet was posted in its own message; 0 if none was."""
        return await self._context.store.messages.last_posted_sheet(table)

    async def record_posted_sheet(self, table: int, deal: int) -> None:
        """Store that the score sheets up to that deal were posted."""
        await self._context.store.messages.set_last_posted_sheet(table, deal)

    async def record_refused_post(self, table: int) -> None:
        """Store that Discord refused the table's message now."""
        await self._context.store.messages.note_refusal(table, self._context.clock.now())

    async def posted_messages(self, table: int) -> PostedMessages:
        """Return which messages about the table were posted besides its board."""
        return await self._context.store.messages.posted_messages(table)

    async def record_start_message(self, table: int) -> None:
        """Store that the message announcing the start of the game was posted."""
        await self._context.store.messages.note_opening_posted(table)

    async def record_thread_message(self, table: int, *, joinable: bool) -> None:
        """Store that a message announces the table's thread, and whether it offers a seat."""
        await self._context.store.messages.note_announcement(table, joinable=joinable)

    # --- guilds joined and left --------------------------------------------------------------------------------------

    async def record_left_guild(self, guild: int) -> None:
        """Store that the bot has left a guild. Its tables are unchanged."""
        await self._context.store.guilds.note_departure(guild, self._context.clock.now())

    async def record_rejoined_guild(self, guild: int) -> None:
        """Store that the bot is in that guild again."""
        await self._context.store.guilds.forget_departure(guild)

    async def record_present_guilds(self, present: Collection[int]) -> tuple[int, ...]:
        """Store the guilds that the bot is in; return the guilds with open tables that it has left."""
        for departed in await self._context.store.guilds.departures():
            if departed.guild in present:
                await self.record_rejoined_guild(departed.guild)
        missing = tuple([guild for guild in await self._context.store.guilds.active_guilds() if guild not in present])
        for guild in missing:
            await self.record_left_guild(guild)
        return missing

    # --- spectators --------------------------------------------------------------------------------------------------

    async def set_spectator(self, snapshot: TableSnapshot, person: int, *, is_spectator: bool) -> None:
        """Add the person as a spectator of the table if `is_spectator`, else remove them.

        Refusals: too_many_watchers, too_many_watched.
        """
        if is_spectator:
            at_table, followed = await self._context.store.spectators.count_others_and_other_tables(snapshot.id, person)
            if at_table >= MOST_WATCHERS:
                raise TableRefusal(TableCode.TOO_MANY_WATCHERS, {"most": MOST_WATCHERS})
            if followed >= MOST_WATCHED:
                raise TableRefusal(TableCode.TOO_MANY_WATCHED, {"most": MOST_WATCHED})
            told = 0 if snapshot.view is None else len(snapshot.view.results)
            await self._context.store.spectators.add(snapshot.id, person, told=told)
        else:
            await self._context.store.spectators.remove(snapshot.id, person)

    async def spectators(self, table: int) -> tuple[Spectator, ...]:
        """Return the spectators of the table, who get a message after each deal."""
        return await self._context.store.spectators.spectators_at_table(table)

    async def record_message_to_spectator(self, table: int, person: int, deal: int) -> None:
        """Store that a spectator was sent the message about that deal."""
        await self._context.store.spectators.add(table, person, told=deal)


def _promise_to_delete(former: BoardMessage, guild: int) -> Promise:
    """Return the outbox entry that deletes the message that showed a table before."""
    about = {"table": former.table, "channel": former.channel}
    return Promise(kind=OLD_BOARD, key=str(former.message), guild=guild, args=about)
