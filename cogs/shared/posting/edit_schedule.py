"""Decides when and how a table's message is written; pure functions on milliseconds.

Also the `Alarm` that wakes tables, and `MessageState`: what was requested, shown and rejected.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.clocks.clock import HOUR, MINUTE, SECOND, Clock
from bot.tables.state.snapshots import BoardMessage, Status, TableSnapshot
from cogs.shared.discord_api import table_places
from cogs.shared.discord_api.discord_calls import CallTrouble
from cogs.shared.posting import mentions
from cogs.shared.posting.request_budget import BURST, RATE, Priority

LONGEST: Final = 15 * SECOND
"""Longest sleep in milliseconds, so that a change of the system clock is noticed."""


class Alarm:
    """Calls `ring` with the number of a table at the time that was set for it.

    Each table has one time: the last one set.
    """

    def __init__(self, clock: Clock, ring: Callable[[int], None]) -> None:
        self._clock = clock
        self._ring = ring
        self._instants: dict[int, int] = {}
        self._queue: list[tuple[int, int]] = []
        self._sooner = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> asyncio.Task[None]:
        """Start and return the alarm's task; should it ever end, the program must end too."""
        self._task = asyncio.create_task(self._wake_tables_forever(), name="alarm for boards")
        return self._task

    async def stop(self) -> None:
        """Stop the alarm's task."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def set(self, table: int, instant: int) -> None:
        """Set the table's time, replacing an earlier one."""
        if self._instants.get(table) == instant:
            return
        self._instants[table] = instant
        first = not self._queue or instant < self._queue[0][0]
        heapq.heappush(self._queue, (instant, table))
        if first:
            self._sooner.set()

    def clear(self, table: int) -> None:
        """Remove the table's time."""
        self._instants.pop(table, None)

    async def _wake_tables_forever(self) -> None:
        while True:
            self._sooner.clear()
            now = self._clock.now()
            while self._queue and self._queue[0][0] <= now:
                instant, table = heapq.heappop(self._queue)
                if self._instants.get(table) == instant:
                    del self._instants[table]
                    self._ring(table)
            await self._sleep(self._queue[0][0] - now if self._queue else LONGEST)

    async def _sleep(self, milliseconds: int) -> None:
        """Sleep for at most that many milliseconds, waking early if an earlier time is set."""
        sleeping = asyncio.ensure_future(self._clock.sleep(min(milliseconds, LONGEST)))
        sooner = asyncio.ensure_future(self._sooner.wait())
        try:
            await asyncio.wait((sleeping, sooner), return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeping.cancel()
            sooner.cancel()


YOUNG: Final = 55 * MINUTE
"""Maximum age of a message to edit, in milliseconds: Discord limits edits after one hour."""

SETTLED: Final = 10 * MINUTE
"""Age from which a message with others below it is posted again, in milliseconds."""


@dataclass(frozen=True, slots=True)
class EditSchedule:
    """Waiting times before a board is written again, and limits of requests; times in milliseconds.

    `between`: minimum time between two writes of one board. `computers`: the longest wait for a person's turn while
    computer players act. `alone`: time over which the steps of a turn are collected if one person plays alone.
    `panels`: how long a live panel waits before its update. `rate` and `burst` belong to the request budget; `openings`
    is how many direct messages the bot opens by itself in an hour.
    """

    between: int = 2 * SECOND
    computers: int = 10 * SECOND
    alone: int = 4 * SECOND
    panels: int = 2 * SECOND
    rate: int = RATE
    burst: int = BURST
    openings: int = 60


AT_ONCE: Final = EditSchedule(0, 0, 0, 0, rate=1_000_000, burst=1_000)
"""Show every change as soon as possible."""


def next_write_time(
    snapshot: TableSnapshot, mention_record: str, rhythm: EditSchedule, *, since: int, wrote: int
) -> int:
    """Return when to write a board that is outdated since `since` and was last written at `wrote`."""
    return max(since + _time_to_collect_changes(snapshot, mention_record, rhythm), wrote + rhythm.between)


def _time_to_collect_changes(snapshot: TableSnapshot, mention_record: str, rhythm: EditSchedule) -> int:
    """Return for how many milliseconds changes are collected into one write; usually 0.

    They are collected while a computer player acts, and during the turn of a person who plays alone.
    """
    if snapshot.status is not Status.PLAYING or snapshot.actor is None:
        return 0
    if snapshot.actor.kind == "computer" and snapshot.persons:
        return rhythm.computers
    return (
        rhythm.alone
        if mentions.is_solo_table(snapshot) and mentions.person_newly_in_turn(snapshot, mention_record) is None
        else 0
    )


# --- how --------------------------------------------------------------------------------------------------------------


class EditKind(StrEnum):
    """How a message is updated."""

    EDIT = "edit"
    POST = "post"


@dataclass(frozen=True, slots=True)
class PlannedEdit:
    """The edit to make: how, and which person it mentions."""

    way: EditKind
    calls: int | None = None
    mends: bool = False

    @property
    def priority(self) -> Priority:
        """The priority of the edit's request among the waiting ones."""
        if self.mends:
            return Priority.MEND
        return Priority.EDIT if self.calls is None else Priority.NOTIFY


@dataclass(frozen=True, slots=True)
class EditRequest:
    """What the next write of a message must also do.

    `repost` posts the message again, `rewrite` edits it even if it shows no change.
    """

    repost: bool = False
    rewrite: bool = False


def plan_edit(
    snapshot: TableSnapshot,
    board_message: BoardMessage | None,
    request: EditRequest,
    *,
    now: int,
    newest: int,
    pictures_refused: bool,
    muted: bool = False,
) -> PlannedEdit | None:
    """Return the edit that a table's message needs, or None.

    `newest` is the latest message known in its channel. With `pictures_refused` Discord rejects edits with a picture:
    then the board is posted again when a turn changes hands, and otherwise waits. If `muted`, the edit mentions nobody.
    """
    if board_message is None:
        calls = None if muted else mentions.person_to_mention(snapshot, "")
        return None if snapshot.status is Status.CLOSED else PlannedEdit(EditKind.POST, calls)
    if board_message.version == snapshot.version and not (request.repost or request.rewrite):
        return None
    calls = None if muted else mentions.person_to_mention(snapshot, board_message.told)
    if request.repost or calls is not None or _is_out_of_place(snapshot, board_message, now, newest):
        return PlannedEdit(EditKind.POST, calls)
    if pictures_refused and snapshot.view is not None:
        return PlannedEdit(EditKind.POST) if mentions.has_turn_changed_hands(snapshot, board_message.told) else None
    return PlannedEdit(EditKind.EDIT)


def _is_out_of_place(snapshot: TableSnapshot, board_message: BoardMessage, now: int, newest: int) -> bool:
    """Return whether the message is in the wrong place, too old to edit, or has scrolled away."""
    age = now - board_message.posted_at
    moved = board_message.channel != table_places.place_of_table(snapshot).post_channel
    return moved or age > YOUNG or (age > SETTLED and newest > board_message.message)


# --- after a refusal --------------------------------------------------------------------------------------------------

PASSING: Final = frozenset(
    {CallTrouble.DISCORD_DOWN, CallTrouble.NO_CONNECTION, CallTrouble.TOO_MANY, CallTrouble.SHUT_OUT}
)
"""Temporary failures, after which the board is retried automatically."""


def pause_after_failures(trouble: CallTrouble, refused: int) -> int:
    """Return how long to wait after `refused` failures in a row, in milliseconds."""
    first, longest = (5 * SECOND, 5 * MINUTE) if trouble in PASSING else (30 * SECOND, HOUR)
    return int(min(first * 2 ** min(refused - 1, 20), longest))


@dataclass(slots=True)
class MessageState:
    """State of the message that shows a table; times in UTC milliseconds.

    `dirty`: the message must be written; it was first marked at `since`; `marks` counts all marks. `joined`: a new
    person may have a seat. `answering` counts clicks whose answer may show the table. `mends`: it was outdated already
    when this process started, so it is written after other messages. After `refused` failures in a row, the last at
    `tried`, nothing is written before `not_before`.
    """

    dirty: bool = False
    marks: int = 0
    since: int = 0
    wrote: int = 0
    repost: bool = False
    rewrite: bool = False
    joined: bool = False
    answering: int = 0
    trouble: CallTrouble | None = None
    refused: int = 0
    tried: int = 0
    not_before: int = 0
    shown: bool = False
    mends: bool = False

    @property
    def pending(self) -> EditRequest:
        """Return which extra requests wait: to post the message again, or to write it without a change."""
        return EditRequest(repost=self.repost, rewrite=self.rewrite)

    def request_write(self, now: int, *, repost: bool, rewrite: bool) -> None:
        """Record that the message must be written; with `repost` it is posted again, even after failures."""
        self.marks += 1
        self.mends = False
        if not self.dirty:
            self.dirty, self.since = True, now
        self.repost = self.repost or repost
        self.rewrite = self.rewrite or rewrite
        self.not_before = 0 if repost else self.not_before

    def begin_write(self) -> EditRequest:
        """Start a write: return the pending requests and reset them."""
        pending = self.pending
        self.dirty = self.repost = self.rewrite = False
        return pending

    def record_failure(self, now: int, trouble: CallTrouble) -> None:
        """Record that a write failed, and when to retry."""
        self.trouble, self.tried = trouble, now
        self.refused += 1
        self.not_before = now + pause_after_failures(trouble, self.refused)

    def record_success(self) -> None:
        """Record that the message shows the table, and forget earlier failures."""
        self.trouble, self.refused, self.not_before, self.shown, self.mends = None, 0, 0, True, False
