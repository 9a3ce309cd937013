"""A cache of stored values by number, with a lock for each number.

A process owns its tables, and hears when another one has changed what all may change, so a cached value is the truth.
Two rules keep it true: a load never replaces a cached value and is repeated after an eviction; every write of a value's
row holds the value's lock.
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
    """The `most` recently used values, by number; `load` reads a missing one.

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

    def has(self, number: int) -> bool:
        """Return whether the value is cached."""
        return number in self._values

    def peek(self, number: int) -> Value | None:
        """Return the value if it is cached."""
        return self._values.get(number)

    def items(self) -> tuple[tuple[int, Value], ...]:
        """Return all cached values by number."""
        return tuple(self._values.items())

    async def get(self, number: int) -> Value:
        """Return the value, cached or loaded."""
        while number not in self._values:
            mark = self._loading.setdefault(number, object())
            try:
                found = await self._load(number)
            except BaseException:
                self._loading.pop(number, None)
                raise
            if self._is_valid(number, mark):
                self.put(number, found)
        self._values.move_to_end(number)
        return self._values[number]

    def _is_valid(self, number: int, mark: object) -> bool:
        """Return whether a load is still valid: nothing was cached or evicted since its mark was set."""
        return self._loading.get(number) is mark

    def put(self, number: int, value: Value) -> None:
        """Cache a value that is stored, replacing the previous one."""
        self._loading.pop(number, None)
        self._values[number] = value
        self._values.move_to_end(number)
        if len(self._values) > self._most:
            self._values.popitem(last=False)

    def evict(self, *numbers: int) -> None:
        """Evict these values; a load in progress is repeated."""
        for number in numbers:
            self._loading.pop(number, None)
            self._values.pop(number, None)

    def clear(self) -> None:
        """Evict everything; loads in progress are repeated."""
        self._loading.clear()
        self._values.clear()

    def evict_one_or_all(self, number: int | None) -> None:
        """Evict a value, or everything for None."""
        if number is None:
            self.clear()
        else:
            self.evict(number)

    async def evict_all(self) -> None:
        """Evict everything now, and values that are being changed once more when their changes are done."""
        self.clear()
        await self.evict_where(lambda _: False)

    async def evict_where(self, affected: Callable[[Value], bool]) -> None:
        """Evict the values affected by a write of many rows. Call it after that write.

        Each value is evicted under its lock, so this waits for changes in progress, also of values that are not cached.
        """
        self._loading.clear()
        changing = [number for number, lock in self._locks.items() if lock.locked()]
        for number in {*changing, *(number for number, value in self._values.items() if affected(value))}:
            async with self.lock(number):
                self.evict(number)


class ShieldedTasks:
    """Work that finishes even if its caller is cancelled."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    async def run(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Return the result of `work`; finish it even if the caller is cancelled."""
        return await asyncio.shield(self.start(work))

    def start(self, work: Coroutine[Any, Any, Answer]) -> asyncio.Task[Answer]:
        """Start work that `finish` waits for."""
        task = asyncio.ensure_future(work)
        self._running.add(task)
        task.add_done_callback(self._forget_task)
        return task

    async def finish(self) -> None:
        """Wait until all work is done."""
        while self._running:
            await asyncio.wait(self._running)

    def _forget_task(self, task: asyncio.Task[Any]) -> None:
        """Forget a finished task."""
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # Retrieve the exception: otherwise asyncio logs it if no caller is waiting any more.
