"""Waiting until the bot has done what it was asked, cheaply.

SimCord settles by asking of every task of the bot, whenever one is done, what each of them waits for, and else looks
again every twentieth of a second. Here whatever was not there when the bot last rested is waited for first, unasked.
Whether the bot rests is still for SimCord to say.
"""

from __future__ import annotations

import asyncio
from typing import Any

from simcord import Env
from simcord._settlement import _run_due_virtual_callbacks

UNASKED = 0.02
"""Seconds that are waited unasked, at most: a new task may rest as well, and a thread may take long."""

IDLE = 0.002
"""Seconds after which SimCord looks again."""


def settle_quickly(environment: Env) -> None:
    """Let this environment settle so from now on; while a bot starts, all that will rest is new."""
    settle, resting = environment._settle_internal, set(environment._work.tasks)

    async def quickly(**options: Any) -> None:
        if "timeout" not in options:
            await _nothing_new(environment, resting)
        await settle(**{"idle": IDLE, **options})
        resting.clear()
        resting.update(environment._work.tasks)

    vars(environment)["_settle_internal"] = quickly


async def _nothing_new(environment: Env, resting: set[asyncio.Task[Any]]) -> None:
    """Wait until nothing runs but what rested before; not for long."""
    loop, work = asyncio.get_running_loop(), environment._work
    limit = loop.time() + UNASKED
    _run_due_virtual_callbacks(environment._settlement_state(), limit)
    await asyncio.sleep(0)
    while new := [*(work.tasks.keys() - resting), *work.executors]:
        if loop.time() >= limit:
            return
        await asyncio.wait(new, timeout=limit - loop.time())
        await asyncio.sleep(0)
