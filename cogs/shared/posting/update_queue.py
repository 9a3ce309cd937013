"""A queue of subjects, such as tournaments, whose messages are out of date.

One task updates each of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any, Final, TypeVar

from bot.clocks.clock import MINUTE, Clock
from bot.logs import label_log_lines
from cogs.shared.discord_api import interactions
from cogs.shared.posting.edit_schedule import Alarm

AFTER_ERROR: Final = 10 * MINUTE
"""Milliseconds until a subject whose update failed unexpectedly is tried again."""

Value = TypeVar("Value")

Update = Callable[[int], Awaitable[int | None]]
"""Updates all messages of a subject; returns the instant of the next attempt, or None if all is done."""


class UpdateQueue:
    """Updates subjects in the background on request, and again at the time that `update` returns.

    `subject` is the word for them in task names and log lines. `gone`: the refusals of a subject that no longer exists.
    """

    def __init__(self, update: Update, *, clock: Clock, subject: str, gone: type[Exception] | tuple[()] = ()) -> None:
        self._update = update
        self._clock = clock
        self._subject = subject
        self._gone = gone
        self._marked: set[int] = set()
        self._workers: dict[int, asyncio.Task[None]] = {}
        self._alarm = Alarm(clock, self.request_update)
        self._begun = False

    def request_update(self, subject_number: int) -> None:
        """Have the subject's messages updated soon."""
        self._marked.add(subject_number)
        if self._begun and subject_number not in self._workers:
            self._workers[subject_number] = asyncio.create_task(
                self._update_while_requested(subject_number), name=f"present {self._subject} {subject_number}"
            )

    def is_update_requested(self, subject_number: int) -> bool:
        """Return whether the subject is to be updated again after its present update."""
        return subject_number in self._marked

    def start(self) -> asyncio.Task[None]:
        """Start and return the timer's task; nothing is updated before `begin`."""
        return self._alarm.start()

    def begin(self, numbers: Iterable[int]) -> None:
        """Begin to update the subjects marked so far, and these."""
        self._begun = True
        for number in {*self._marked, *numbers}:
            self.request_update(number)

    async def wait_until_idle(self) -> None:
        """Wait until all updates are done, except those scheduled for later."""
        while self._workers:
            await asyncio.wait(list(self._workers.values()))

    async def close(self) -> None:
        """Finish the updates under way and start no others."""
        self._begun = False
        await self._alarm.stop()
        tasks = list(self._workers.values())
        if tasks:
            await asyncio.wait(tasks, timeout=5)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _update_while_requested(self, subject_number: int) -> None:
        try:
            while self._begun and subject_number in self._marked:
                self._marked.discard(subject_number)
                with label_log_lines(**{self._subject: subject_number}):
                    again_at = await self._update(subject_number)
                if again_at is not None:
                    self._alarm.set(subject_number, again_at)
        except self._gone:
            self._marked.discard(subject_number)
        except Exception as error:  # noqa: BLE001 - an error in one subject must not stop the others
            self._marked.discard(subject_number)
            self._alarm.set(subject_number, self._clock.now() + AFTER_ERROR)
            interactions.log_unexpected_error(
                error, f"showing {self._subject} {subject_number}", **{self._subject: subject_number}
            )
        finally:
            self._workers.pop(subject_number, None)


async def run_concurrently(parts: Iterable[Coroutine[Any, Any, Value]]) -> list[Value]:
    """Await these awaitables concurrently and return their results.

    An error is raised once all of them have ended.
    """
    found = await asyncio.gather(*parts, return_exceptions=True)
    for one in found:
        if isinstance(one, BaseException):
            raise one
    return [one for one in found if not isinstance(one, BaseException)]
