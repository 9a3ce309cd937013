"""A cache of stored values by number, with a lock for each number.

Cached values always equal the stored ones. Some rows only this process changes; for the others it evicts a value when
it is notified that another process has changed it. Two rules are needed for that: a load never replaces a cached value
and is repeated after an eviction, and every write of a value's row holds the value's lock.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Generic, TypeVar
from weakref import WeakValueDictionary

Value = TypeVar("Value")
Answer = TypeVar("Answer")


class NumberedCache(Generic[Value]):
    """Cache of the `most` recently used values, by number; `load` reads a missing value.

    Exceptions of `load` pass through.
    """

    def __init__(self, most: int, load: Callable[[int], Awaitable[Value]]) -> None:
        self._most = most
        self._load = load
        self._values: OrderedDict[int, Value] = OrderedDict()
        self._loading: dict[int, object] = {}
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def lock(self, number: int) -> asyncio.Lock:
        """Return the lock that serialises writes of this number's row. It is not reentrant."""
        lock = self._locks.get(number)
        if lock is None:
            lock = self._locks[number] = asyncio.Lock()
        return lock

    def is_cached(self, number: int) -> bool:
        """Return whether the value is cached."""
        return number in self._values

    def peek(self, number: int) -> Value | None:
        """Return the value with that number if it is cached, else None; nothing is loaded."""
        return self._values.get(number)

    def items(self) -> tuple[tuple[int, Value], ...]:
        """Return all cached values, each after its number."""
        return tuple(self._values.items())

    async def get(self, number: int) -> Value:
        """Return the value with that number from the cache, or else load and cache it."""
        while number not in self._values:
            mark = self._loading.setdefault(number, object())
            try:
                found = await self._load(number)
            except BaseException:
                self._loading.pop(number, None)
                raise
            if self._is_load_valid(number, mark):
                self.put(number, found)
        self._values.move_to_end(number)
        return self._values[number]

    def _is_load_valid(self, number: int, mark: object) -> bool:
        """Return whether a load may be cached: its number was not cached or evicted since it began."""
        return self._loading.get(number) is mark

    def put(self, number: int, value: Value) -> None:
        """Cache a value that equals the stored one, replacing the cached value of that number."""
        self._loading.pop(number, None)
        self._values[number] = value
        self._values.move_to_end(number)
        if len(self._values) > self._most:
            self._values.popitem(last=False)

    def evict(self, *numbers: int) -> None:
        """Evict the values with these numbers; their loads in progress are repeated."""
        for number in numbers:
            self._loading.pop(number, None)
            self._values.pop(number, None)

    def clear(self) -> None:
        """Evict everything; loads in progress are repeated."""
        self._loading.clear()
        self._values.clear()

    def evict_one_or_all(self, number: int | None) -> None:
        """Evict the value with that number; all values if it is None."""
        if number is None:
            self.clear()
        else:
            self.evict(number)

    async def evict_all(self) -> None:
        """Evict all values now; values that are being changed are evicted again after their changes."""
        self.clear()
        await self.evict_where(lambda _: False)

    async def evict_where(self, affected: Callable[[Value], bool]) -> None:
        """Evict the cached values for which `affected` returns true, after a write of their rows.

        Each value is evicted under its lock, so this waits for changes in progress, also of values that are not cached.
        """
        self._loading.clear()
        changing = [number for number, lock in self._locks.items() if lock.locked()]
        for number in {*changing, *(number for number, value in self._values.items() if affected(value))}:
            async with self.lock(number):
                self.evict(number)


class ShieldedTasks:
    """Runs coroutines that finish even if their callers are cancelled."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    async def run(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Return the result of `work`, which finishes even if the caller is cancelled."""
        return await asyncio.shield(self.start(work))

    def start(self, work: Coroutine[Any, Any, Answer]) -> asyncio.Task[Answer]:
        """Start `work` as a task, for which `finish` waits; return the task."""
        task = asyncio.ensure_future(work)
        self._running.add(task)
        task.add_done_callback(self._forget_task)
        return task

    async def finish(self) -> None:
        """Wait until all started tasks are done."""
        while self._running:
            await asyncio.wait(self._running)

    def _forget_task(self, task: asyncio.Task[Any]) -> None:
        """Drop a finished task from the running ones."""
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # asyncio would log an error that nobody retrieves
