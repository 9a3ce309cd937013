"""Keep the one message that shows each table up to date.

Every change marks its table. A marked table is written when `cogs.shared.posting.edit_schedule` allows; changes until
then share one edit. Tables of the same channel wait for each other, tables of different channels only for the request
budget. Only one task writes a message at a time, and it writes the table's latest state. After Discord rejects a write,
it is tried again later, or when a person uses the table.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final
from weakref import WeakValueDictionary

from bot.clocks.clock import HOUR, SECOND, Clock
from bot.logs import label_log_lines
from bot.tables.service import TableService
from bot.tables.state.events import Deadline
from bot.tables.state.refusals import TableRefusal
from bot.tables.state.snapshots import OPEN, BoardMessage, TableChanged, TableSnapshot
from cogs.shared.discord_api import interactions, table_places
from cogs.shared.discord_api.discord_calls import CallTrouble
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.posting import edit_schedule
from cogs.shared.posting.edit_schedule import AT_ONCE, Alarm, EditRequest, EditSchedule, MessageState
from cogs.shared.posting.mentions import MentionPolicy, members_to_check
from cogs.shared.posting.poster import Poster
from cogs.shared.posting.request_budget import Budget
from cogs.shared.posting.threads import Threads

ANSWER_TIME: Final = 1_500
"""How long the answer to a click may take to update the table's message, in milliseconds.

Until then no other writer changes the message.
"""


class EditPlanner:
    """Decides what to write for a table and when: from its message, its channel and the budget.

    Channels in `hold_new_boards` get no new board, because a new table is being placed there.
    """

    def __init__(self, poster: Poster, *, clock: Clock, budget: Budget, pace: EditSchedule) -> None:
        self._poster = poster
        self._clock = clock
        self._budget = budget
        self._pace = pace
        self._newest: dict[int, int] = {}
        self.placing: Counter[int] = Counter()

    def record_latest_message(self, channel: int, message: int) -> None:
        """Store the latest message id of a channel."""
        self._newest[channel] = max(message, self._newest.get(channel, 0))

    def plan_edit(
        self, snapshot: TableSnapshot, board_message: BoardMessage | None, request: EditRequest, *, muted: bool = False
    ) -> edit_schedule.PlannedEdit | None:
        """Return the edit to make, or None if the message is up to date; `muted` mentions nobody."""
        return edit_schedule.plan_edit(
            snapshot,
            board_message,
            request,
            now=self._clock.now(),
            newest=0 if board_message is None else self._newest.get(board_message.channel, 0),
            pictures_refused=self._poster.pictures_refused,
            muted=muted,
        )

    def milliseconds_until_write(
        self, snapshot: TableSnapshot, board_message: BoardMessage | None, state: MessageState
    ) -> int | None:
        """Return milliseconds until the table is to be written; None if there is nothing to write."""
        now = self._clock.now()
        if self.plan_edit(snapshot, board_message, state.pending) is None:
            state.shown = True
            return None
        if state.not_before > now:
            return state.not_before - now if state.trouble in edit_schedule.PASSING else None
        if board_message is None and self.placing[table_places.place_of_table(snapshot).post_channel]:
            return ANSWER_TIME
        pace = AT_ONCE if state.repost else self._pace
        due = edit_schedule.next_write_time(
            snapshot, "" if board_message is None else board_message.told, pace, since=state.since, wrote=state.wrote
        )
        due = max(due, state.since + ANSWER_TIME) if state.answering else due
        return max(due - now, self._budget.paused_until - now, 0)


MOST_CONCURRENT_REPAIRS: Final = 8
"""Most outdated tables written at the same time.

Their pages are drawn before they wait for the budget.
"""

GRACE: Final = 24 * HOUR
"""How long after the bot left a server its tables are still mended, in milliseconds."""

RETRY_INTERVAL: Final = 10 * SECOND
"""Minimum time between retries of a failed board that users trigger, in milliseconds."""


class BoardUpdater:
    """Writes the messages of all tables; one for the whole process."""

    def __init__(
        self,
        tables: TableService,
        poster: Poster,
        threads: Threads,
        calls: MentionPolicy,
        *,
        clock: Clock,
        budget: Budget,
        pace: EditSchedule,
    ) -> None:
        self._tables = tables
        self._poster = poster
        self._threads = threads
        self._calls = calls
        self._clock = clock
        self._budget = budget
        self._planner = EditPlanner(poster, clock=clock, budget=budget, pace=pace)
        self._states: dict[int, MessageState] = {}
        self._workers: dict[int, asyncio.Task[None]] = {}
        self._channel_locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._table_locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._alarm = Alarm(clock, self._check_table)
        self._begun = False
        self._mending = asyncio.Lock()

    # --- called by other modules

    def on_change(self, change: TableChanged) -> None:
        """Request a write for a changed table; the table service calls this after each change.

        A tournament's table is shown once its game has begun.
        """
        if change.kind in _NOT_SHOWN or (change.contest is not None and change.kind in _BEFORE_ITS_GAME):
            return
        if change.kind in _SEATING_PEOPLE:
            self._message_state(change.table).joined = True
        self.request_update(change.table, repost=change.kind in _REMINDERS)

    def request_update(self, table: int, *, repost: bool = False, rewrite: bool = False) -> None:
        """Have the table's message written soon.

        `repost` posts its message again at the table's place; `rewrite` edits it even if nothing changed.
        """
        self._message_state(table).request_write(self._clock.now(), repost=repost, rewrite=rewrite)
        self._check_table(table)

    def retry_board(self, table: int) -> None:
        """Retry a board that failed or was not shown since the start, because a person uses the table."""
        state = self._message_state(table)
        if state.trouble is not None and self._clock.now() - state.tried >= RETRY_INTERVAL:
            state.not_before = 0
            self.request_update(table)
        elif state.trouble is None and not state.shown:
            self.request_update(table)

    def record_latest_message(self, channel: int, last_message: int | None) -> None:
        """Store the latest message id of a channel, as reported by an interaction."""
        if last_message is not None:
            self._planner.record_latest_message(channel, last_message)

    def record_activity(self, guild: int, person: int) -> None:
        """Record that a person was active in a server."""
        self._poster.members.record_activity(guild, person)

    def record_thread_members(self, thread: int, persons: Sequence[int]) -> None:
        """Record that a message in a thread has mentioned these people: Discord adds them to the thread."""
        self._threads.record_thread_members(thread, persons)

    def board_trouble(self, table: int) -> CallTrouble | None:
        """Return why the table's message cannot be shown, or None."""
        state = self._states.get(table)
        return None if state is None else state.trouble

    @contextlib.contextmanager
    def hold_new_boards(self, channel: int) -> Iterator[None]:
        """Post no new board in the channel while the body places a table there."""
        self._planner.placing[channel] += 1
        try:
            yield
        finally:
            self._planner.placing[channel] -= 1
            self._check_all_tables()

    @contextlib.contextmanager
    def allow_answer_in_place(self, table: int) -> Iterator[None]:
        """While the body runs, let the answer to a click update the table's message (`answer_in_place`)."""
        state = self._message_state(table)
        state.answering += 1
        try:
            yield
        finally:
            state.answering -= 1
            self._check_table(table)

    async def answer_in_place(self, interaction: Interaction, snapshot: TableSnapshot) -> bool:
        """Show a lobby by answering a click on its message; return False if it is written later instead.

        Never waits for a writer of that message, and never overwrites a newer version.
        """
        if self._table_lock(snapshot.id).locked() or interaction.response.is_done() or interaction.message is None:
            return False
        async with self._table_lock(snapshot.id):
            snapshot, shown = (
                await self._tables.reading.snapshot(snapshot.id),
                await self._tables.places.board_message(snapshot.id),
            )
            if snapshot.view is not None or shown is None or shown.message != interaction.message.id:
                return False
            if not await interactions.edit_used_message(interaction, await self._poster.build_page(snapshot)):
                return False
            await self._poster.record_board(snapshot, shown, shown.told)
            self._message_state(snapshot.id).wrote = self._clock.now()
            return True

    # --- start and end

    def start(self) -> asyncio.Task[None]:
        """Start and return the alarm's task; nothing is written before `begin`."""
        return self._alarm.start()

    def begin(self) -> None:
        """Allow writing: the servers and their languages are known."""
        self._begun = True
        self._check_all_tables()

    async def repair_boards(self) -> None:
        """Write every table whose message is missing or outdated, starting with those that wait for a person.

        Tables of running games are first. Their requests have the low priority MEND. Does nothing before `begin`, or
        while an earlier call still runs.
        """
        if not self._begun or self._mending.locked():
            return
        async with self._mending:
            found = iter(await self._tables.places.outdated_boards(departed_before=self._clock.now() - GRACE))
            await asyncio.gather(*(self._repair_boards_one_by_one(found) for _ in range(MOST_CONCURRENT_REPAIRS)))

    async def _repair_boards_one_by_one(self, tables: Iterator[int]) -> None:
        """Write the messages of these tables one by one; several such workers share the iterator."""
        for table in tables:
            if not self._begun:
                return
            if table not in self._workers:
                self.request_update(table)
                self._message_state(table).mends = True
            if (worker := self._workers.get(table)) is not None:
                await asyncio.wait([worker])

    async def handle_lost_channel(self, guild: int, channel: int) -> None:
        """Handle a deleted channel or thread: tables of a thread move to its channel, others wait."""
        for one in await self._tables.reading.open_refs_in(guild):
            if one.channel == channel:
                await self._record_failed_write(one.id, self._message_state(one.id), CallTrouble.CHANNEL_GONE)
                await self._tables.places.record_lost_channel(one.id)
            elif one.thread == channel:
                await self._tables.places.move(one.id, channel=one.channel, thread=None)
                self._calls.record_move_to_channel(one.id)
                self.request_update(one.id, repost=True)  # the old message is gone, even if it showed the present state

    async def wait_until_idle(self) -> None:
        """Wait until nothing is being written; later alarms may remain."""
        while tasks := tuple(self._workers.values()):
            await asyncio.wait(tasks)

    async def close(self) -> None:
        """Finish running writes and start no more."""
        self._begun = False
        await self._alarm.stop()
        for state in self._states.values():
            state.dirty = False
        tasks = list(self._workers.values())
        if tasks:
            await asyncio.wait(tasks, timeout=5)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._budget.close()

    # --- one table

    def _check_table(self, table: int) -> None:
        """Check whether the table is to be written now."""
        state = self._states.get(table)
        if self._begun and state is not None and state.dirty and table not in self._workers:
            self._alarm.clear(table)
            self._workers[table] = asyncio.create_task(
                self._write_while_due(table, state), name=f"present table {table}"
            )

    def _check_all_tables(self) -> None:
        """Check every known table for a due write."""
        for table in list(self._states):
            self._check_table(table)

    async def _write_while_due(self, table: int, state: MessageState) -> None:
        """Write the table while an edit is due; leave later ones to the alarm."""
        try:
            while state.dirty:
                marks = state.marks
                snapshot, shown = (
                    await self._tables.reading.snapshot(table),
                    await self._tables.places.board_message(table),
                )
                wait = self._planner.milliseconds_until_write(snapshot, shown, state)
                if wait is None:
                    # The table may have been marked again during the read, so it is checked once more.
                    state.dirty = state.marks != marks
                elif wait > 0:
                    self._alarm.set(table, self._clock.now() + wait)
                    return
                else:
                    async with self._channel_lock(table_places.place_of_table(snapshot).post_channel):
                        with label_log_lines(table=table):
                            await self._write_table(table, state)
        except TableRefusal:
            state.dirty = False
        except Exception as error:  # noqa: BLE001 - one table's trouble must not end the others' boards
            state.dirty = False
            interactions.log_unexpected_error(error, "showing a table", table=table)
        finally:
            self._workers.pop(table, None)

    async def _write_table(self, table: int, state: MessageState) -> None:
        """Write what the table needs; changes during the write wait for the next one."""
        async with self._table_lock(table):
            request = state.begin_write()
            snapshot, shown = await self._tables.reading.snapshot(table), await self._tables.places.board_message(table)
            edit = self._planner.plan_edit(snapshot, shown, request)
            reached = self._poster.is_in_server(snapshot)
            if edit is not None and reached and await self._record_players_who_left(snapshot, edit.calls):
                return
            if edit is not None and edit.calls is not None and reached:
                muted = not await self._calls.may_mention(snapshot, edit.calls)
                edit = self._planner.plan_edit(snapshot, shown, request, muted=muted)
            if edit is None:
                return
            edit = replace(edit, mends=state.mends)
            trouble = await self._poster.write_board(snapshot, shown, edit) if reached else CallTrouble.NO_ACCESS
        state.wrote = self._clock.now()
        if trouble is not None:
            await self._record_failed_write(table, state, trouble)
            if trouble is CallTrouble.CHANNEL_GONE:
                await self._tables.places.record_lost_channel(table)
            self.request_update(table)
            return
        state.record_success()
        self._calls.record_board_shown(table)
        if snapshot.place_lost is not None:
            await self._tables.places.record_restored_place(table)
        state.joined = not await self._threads.update_thread(snapshot, joined=state.joined)
        if snapshot.status not in OPEN and not state.dirty:
            self._states.pop(table, None)

    async def _record_players_who_left(self, snapshot: TableSnapshot, calls: int | None) -> bool:
        """Record players who are to be mentioned, or out of time, and have left the server; return whether any has."""
        gone = [
            one
            for one in members_to_check(snapshot, calls)
            if await self._poster.members.has_left_server(snapshot.guild, one)
        ]
        for person in gone:
            await self._tables.absence.handle_departure(snapshot.id, person)
        return bool(gone)

    async def _record_failed_write(self, table: int, state: MessageState, trouble: CallTrouble) -> None:
        """Record a failed write; store one that would fail again, and report a lost channel."""
        state.record_failure(self._clock.now(), trouble)
        if trouble not in edit_schedule.PASSING:
            await self._tables.places.record_refused_post(table)
        if trouble is CallTrouble.CHANNEL_GONE:
            self._calls.record_channel_loss(table)

    # --- steps

    def _message_state(self, table: int) -> MessageState:
        return self._states.setdefault(table, MessageState())

    def _channel_lock(self, channel: int) -> asyncio.Lock:
        return self._channel_locks.setdefault(channel, asyncio.Lock())

    def _table_lock(self, table: int) -> asyncio.Lock:
        return self._table_locks.setdefault(table, asyncio.Lock())


_SEATING_PEOPLE: Final = frozenset(
    (
        *("create", "join", "rematch", "let_in", "answer_claim", "take_seat"),
        *("begin_contest", "contest_substitute", "next_deal"),
    )
)
"""Kinds of changes after which a new person may have a seat."""

_NOT_SHOWN: Final = frozenset({"hint"})
"""Kinds of changes that no table's message shows."""

_BEFORE_ITS_GAME: Final = frozenset({"open_contest", "commit_seed"})
_REMINDERS: Final = frozenset({Deadline.PAUSE.value})
"""Kinds of changes that alter nothing but are announced again as a reminder."""
