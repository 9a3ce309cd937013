"""The outbox: keeps promises that were stored with changes, each at least once (`docs/decisions/0036-outbox.md`).

What a promise comes to follows from what is stored when it is kept, so keeping it twice does no harm. Promises of one
kind and person, else of one kind and server, are kept one after another, the oldest first.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from bot.clocks.clock import HOUR, MINUTE, SECOND, Clock
from bot.logs import record_failure
from bot.metrics import METRICS
from bot.store.errors import FATAL_ERRORS
from bot.store.outbox import OutboxRow, OutboxStore

AT_ONCE: Final = 4
"""Most promises of one kind that are kept at the same time."""

FIRST_WAIT: Final = 5 * SECOND
LONGEST_WAIT: Final = 5 * MINUTE
"""How long a promise waits after a trouble that passes: twice as long each time, between these."""

REFUSED_WAIT: Final = HOUR
"""How long it waits after any other failure."""

logger = logging.getLogger("canasta.outbox")

Promised: TypeAlias = OutboxRow
"""A promise that is to be kept; the name for modules that do not know the store."""

Lane: TypeAlias = tuple[str, bool, int | None]
"""The promises that are kept one after another: their kind, whether of a person, and the number of it or the server."""


class PassingTrouble(Exception):
    """An obstacle that passes by itself, such as a connection that is lost."""


class NotYet(PassingTrouble):
    """Something else must be done first; that is no failure, and the log does not tell of it."""


class Refused(Exception):
    """Discord does not allow it now."""


class CannotKeep(Exception):
    """The promise can never be kept: it is given up at once."""


@dataclass(frozen=True, slots=True)
class PromiseKind:
    """How promises of a kind are kept; `lifetime` is the time after which one is given up (milliseconds), or None.

    One that needs Discord (`online`) waits for `Outbox.go_online`. `give_up` is awaited with one that is given up.
    """

    keep: Callable[[OutboxRow], Awaitable[None]]
    lifetime: int | None = None
    online: bool = False
    give_up: Callable[[OutboxRow], Awaitable[None]] | None = None


async def _refuse(row: OutboxRow) -> None:
    raise LookupError(row.kind)


_UNKNOWN: Final = PromiseKind(_refuse)


class Outbox:
    """Keeps the stored promises of all kinds; one per process."""

    def __init__(self, store: OutboxStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._kinds: dict[str, PromiseKind] = {}
        self._lanes: dict[Lane, asyncio.Task[None]] = {}
        self._is_online = False
        self._beginning = asyncio.Lock()
        self._poked = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def add(self, name: str, kind: PromiseKind) -> None:
        """Keep promises of that kind from now on."""
        self._kinds[name] = kind

    def wake(self) -> None:
        """Look for promises now; call it after a change that made one."""
        self._poked.set()

    def go_online(self) -> None:
        """Keep promises that need Discord too, from now on."""
        self._is_online = True
        self.wake()

    def start(self) -> asyncio.Task[None]:
        """Keep promises, first those that the last process left; should the task ever end, the program must end too."""
        self._store.on_promised(self.wake)
        self._task = asyncio.create_task(self._run(), name="outbox")
        return self._task

    async def stop(self) -> None:
        """Stop; promises that are being kept are kept again at the next start."""
        tasks = [*self._lanes.values(), *(() if self._task is None else (self._task,))]
        self._task = None
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def catch_up(self) -> None:
        """Keep every promise that is due, and return when no more is."""
        while await self._begin() or self._lanes:
            await asyncio.gather(*self._lanes.values())

    async def _run(self) -> None:
        try:
            while True:
                self._poked.clear()
                await self._begin_or_pause()
                await self._sleep()
        except FATAL_ERRORS as error:
            logger.critical("the outbox stands still: %s", type(error).__name__)

    async def _begin_or_pause(self) -> None:
        """Begin what is due; after an unexpected error wait a while."""
        try:
            await self._begin()
        except FATAL_ERRORS:
            raise
        except Exception as error:  # noqa: BLE001 - other promises must go on
            record_failure(logger, "a look for promises", error)
            await self._clock.sleep(FIRST_WAIT)

    async def _sleep(self) -> None:
        """Sleep until the next promise is due, or until there is a new one."""
        now = self._clock.now()
        due = await self._store.next_due(now)
        waits = [
            asyncio.ensure_future(self._clock.sleep(REFUSED_WAIT if due is None else min(due - now, REFUSED_WAIT))),
            asyncio.ensure_future(self._poked.wait()),
        ]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()

    async def _begin(self) -> int:
        """Begin with the oldest due promise of every lane that is free, and return how many were begun."""
        begun = 0
        async with self._beginning:
            busy = set(self._lanes)
            for row in await self._store.due(self._clock.now()):
                lane, kind = _lane_of(row), self._kinds.get(row.kind, _UNKNOWN)
                if kind.online and not self._is_online:
                    continue
                running = Counter(kind for kind, *_ in self._lanes)
                if lane in busy or running[row.kind] >= AT_ONCE:
                    continue  # the end of another one looks again
                task = asyncio.create_task(self._keep(row), name=f"keeping a promise: {row.kind}")
                self._lanes[lane] = task
                task.add_done_callback(partial(self._free, lane))
                begun += 1
        return begun

    def _free(self, lane: Lane, task: asyncio.Task[None]) -> None:
        del self._lanes[lane]
        self._poked.set()
        if not task.cancelled():
            task.exception()  # the store has failed then, and says so

    async def _keep(self, row: OutboxRow) -> None:
        kind = self._kinds.get(row.kind, _UNKNOWN)
        try:
            await kind.keep(row)
        except FATAL_ERRORS:
            return  # the whole program ends; the next start goes on
        except Exception as error:  # noqa: BLE001 - a promise that cannot be kept never keeps others from theirs
            await self._put_off(row, error, kind)
        else:
            await self._store.done(row)

    async def _put_off(self, row: OutboxRow, error: Exception, kind: PromiseKind) -> None:
        """Try again later, or give up if the promise is too old. Says so once, without the error's text."""
        now, told = self._clock.now(), (row.kind, _key_told(row), type(error).__name__)
        too_old = kind.lifetime is not None and now >= row.made_at + kind.lifetime
        if too_old or isinstance(error, CannotKeep):
            logger.warning("%s %s is given up: %s", *told, extra=_place_of(row))
            METRICS.count("given_up_total", kind=row.kind)
            if kind.give_up is not None:
                await kind.give_up(row)
            await self._store.done(row)
            return
        passing, expected = isinstance(error, PassingTrouble), isinstance(error, PassingTrouble | Refused)
        if row.tries == 0 and not isinstance(error, NotYet):
            level = logging.WARNING if expected else logging.ERROR
            logger.log(level, "%s %s failed and is tried again: %s", *told, extra=_place_of(row))
        wait = min(FIRST_WAIT * 2 ** min(row.tries, 10), LONGEST_WAIT) if passing else REFUSED_WAIT
        await self._store.put_off(row, now + wait)


def _place_of(row: OutboxRow) -> dict[str, int]:
    """Return the table or tournament of a promise, which its key begins with, for the log."""
    kind, number = row.key[:1], row.key[1:].partition(":")[0]
    names = {"b": "table", "t": "tournament"}
    return {names[kind]: int(number)} if kind in names and number.isdecimal() else {}


def _lane_of(row: OutboxRow) -> Lane:
    return row.kind, row.person is not None, row.guild if row.person is None else row.person


def _key_told(row: OutboxRow) -> str:
    """Return the key as the log tells it, without the number of a person."""
    return row.key if row.person is None else row.key.replace(str(row.person), "…")
