"""Cheap waiting until the bot has finished its work.

SimCord settles by asking of every task of the bot, whenever one is done, what each of them waits for, and else looks
again every twentieth of a second. Here whatever was not there when the bot last rested is waited for first, unasked.
When then nothing is there but what rested before, each task waiting for the very thing that it waited for, the bot
rests again; of all else SimCord decides, and is asked once of each thing that a task waits for (`asked_once`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary, ref

import pytest
from simcord import Env, env
from simcord._settlement import _park_reason, _run_due_virtual_callbacks, _virtualize_recognized_waits

UNASKED = 0.02
"""Seconds that are waited unasked, at most: a new task may rest as well, and a thread may take long."""

IDLE = 0.005
"""Seconds after which SimCord looks again."""


@dataclass(frozen=True, slots=True)
class Rest:
    """A bot that rests: what each of its tasks waits for, and the timers that are set."""

    waits: dict[asyncio.Task[Any], Any]
    timers: tuple[Any, ...]


def settle_quickly(environment: Env) -> None:
    """Let this environment settle so from now on; while a bot starts, all that will rest is new."""
    settle, last = environment._settle_internal, [_rest(environment)]

    async def quickly(**options: Any) -> None:
        if "timeout" not in options and await _rests_again(environment, last[0]):
            return
        await settle(**{"idle": IDLE, **options})
        last[0] = _rest(environment)

    vars(environment)["_settle_internal"] = quickly


COMPOSED = "composed external wait"
"""What SimCord says of a task that waits for several things, one of which may be there a moment before the task is."""


@contextmanager
def asked_once() -> Iterator[None]:
    """Inside, a task that was found to wait on purpose does so until the very thing it waits for is there.

    SimCord asks anew at each look, of every task and timer: that was a fifth of what a test of Discord costs.
    """
    found: WeakKeyDictionary[asyncio.Task[Any], ref[Any]] = WeakKeyDictionary()

    def known(task: asyncio.Task[Any]) -> bool:
        waiter = getattr(task, "_fut_waiter", None)
        return waiter is not None and not waiter.done() and task in found and found[task]() is waiter

    def is_parked(state: Any, task: asyncio.Task[Any], deadline: float) -> bool:
        if known(task):
            return True
        reason, waiter = _park_reason(state, task, deadline), getattr(task, "_fut_waiter", None)
        if reason is not None and reason != COMPOSED and waiter is not None:
            found[task] = ref(waiter)
        return reason is not None

    def virtualize(state: Any, pending: list[asyncio.Task[Any]]) -> None:
        _virtualize_recognized_waits(state, [task for task in pending if not known(task)])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(env, "_is_parked", is_parked)
        patch.setattr(env, "_virtualize_recognized_waits", virtualize)
        yield


def _rest(environment: Env) -> Rest:
    work = environment._work
    waits = {task: getattr(task, "_fut_waiter", None) for task in work.tasks if not task.done()}
    return Rest(waits, tuple(_live(environment)))


def _live(environment: Env) -> Iterator[Any]:
    """Callbacks of the bot that are still to come."""
    return (one for one in environment._work.callbacks if one.handle is not None and not one.handle.cancelled())


async def _rests_again(environment: Env, before: Rest) -> bool:
    """Wait until nothing runs but what rested before, not for long, and say whether all of that rests as it did."""
    loop, work = asyncio.get_running_loop(), environment._work
    limit = loop.time() + UNASKED
    _run_due_virtual_callbacks(environment._settlement_state(), limit)
    await asyncio.sleep(0)
    while new := [*(work.tasks.keys() - before.waits.keys()), *work.executors]:
        if loop.time() >= limit:
            return False
        await asyncio.wait(new, timeout=limit - loop.time())
        await asyncio.sleep(0)
    # What has just been done may still make something start.
    await asyncio.sleep(0)
    return _as_before(environment, before)


def _as_before(environment: Env, before: Rest) -> bool:
    """Whether the very tasks wait for the very things, and no timer is set that was not."""
    if environment._work.executors or environment._real_advance_task is not None:
        return False
    now, known = _rest(environment), {id(one) for one in before.timers}
    same = now.waits.keys() <= before.waits.keys() and all(
        waiter is not None and not waiter.done() and waiter is before.waits[task] for task, waiter in now.waits.items()
    )
    return same and all(id(one) in known for one in now.timers)
