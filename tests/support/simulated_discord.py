"""SimCord (the simulation of Discord) as the tests use it, with quicker replacements of some parts.

This file alone uses private parts of it, each for the reason given. SimCord is pinned, so a new version breaks this
file and no other.
"""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, Final

from discord import Client
from simcord import ChannelHandle, Env, _dpy_internals, _runtime, components, gateway, results
from simcord.backend import serializers
from simcord.http import router
from simcord.results import to_discord_message

IDLE = 0.005
"""Seconds between checks whether the bot has settled; a tenth of SimCord's own interval."""

BUSY = 10.0
"""Longest time in seconds for any action of the bot, even on a busy machine."""

FIRST_ID = 31
"""The last bits of the first id that actions of the simulated people create."""

UNCHANGING: Final = frozenset({str, int, bool, float, bytes, type(None)})
"""Types of values that a copy shares."""


def copy_payload(value: Any) -> Any:
    """Return a deep copy of a payload.

    It takes a fifth of the time of `copy.deepcopy`, which looks for loops in the payload.
    """
    kind = type(value)
    if kind is dict:
        return {key: inner if type(inner) in UNCHANGING else copy_payload(inner) for key, inner in value.items()}
    if kind is list:
        return [inner if type(inner) in UNCHANGING else copy_payload(inner) for inner in value]
    return copy.deepcopy(value)


# SimCord copies every payload several times on its way; copying was a twentieth of all processor time of these tests.
for _module in (router, gateway):
    vars(_module)["copy"] = SimpleNamespace(deepcopy=copy_payload)
for _module in (components, results, serializers):
    vars(_module)["deepcopy"] = copy_payload

_find_composed_tasks = _dpy_internals.composed_tasks
_find_listener_in_frames = _dpy_internals._listener_wait_for_frame

WAITING_FOR_TASKS: Final = frozenset(
    map(id, (asyncio.wait.__code__, vars(asyncio.tasks)["_wait"].__code__, asyncio.TaskGroup.__aexit__.__code__))
)
"""The functions in whose frames SimCord looks for the tasks that a task waits for: the identities of their code."""


def composed_tasks(task: asyncio.Task[Any], waiter: Any) -> list[Any]:
    """Return the tasks that a task waits for, like the function of SimCord that it replaces.

    That function compares all code on the way to the waiter by its content, which is slow.
    """
    # A plain future with a single callback wakes only this task, so it waits for no other tasks.
    if type(waiter) is not asyncio.Future or len(waiter._callbacks) != 1:
        return _find_composed_tasks(task, waiter)
    awaited: Any = task.get_coro()
    while awaited is not None:
        if id(getattr(awaited, "cr_code", None)) in WAITING_FOR_TASKS:
            return _find_composed_tasks(task, waiter)
        awaited = getattr(awaited, "cr_await", None)
    return []


def is_listener_in_frames(client: Client, task: asyncio.Task[Any]) -> bool:
    """Return whether the task waits for a listener; no frame is read while the client has none."""
    return bool(client._listeners) and _find_listener_in_frames(client, task)


def read_virtual_clock() -> float:
    """Return the seconds of the environment's clock in the bot's own work, of the real clock elsewhere."""
    environment = _runtime._selected_env(driver=False)
    return _dpy_internals.real_monotonic() if environment is None else environment._virtual_time


# SimCord asks every task what it waits for several times at each click, asks for the clock at every turn of the event
# loop, and compares callbacks by their values to remove one. That was a tenth of all processor time of these tests.
vars(_dpy_internals).update(
    composed_tasks=composed_tasks,
    _listener_wait_for_frame=is_listener_in_frames,
    _clock_monotonic=read_virtual_clock,
)
_runtime._CallbackRecord.__eq__ = object.__eq__  # type: ignore[method-assign]


class SimulatedDiscord(Env):
    """SimCord's simulation of Discord with one bot in it; a test can hold the bot's work back."""

    def __init__(self, client: Client) -> None:
        super().__init__(client, shard_count=1, settle_timeout=BUSY)
        self._held = False

    async def _settle_internal(self, **options: Any) -> None:
        """Wait until the bot is idle, looking often; clicks and commands call this private method."""
        if not self._held:
            await super()._settle_internal(**options | {"idle": IDLE})

    @contextmanager
    def hold_requests(self) -> Iterator[None]:
        """Let clicks and commands in this context return before the bot has done anything."""
        self._held = True
        try:
            yield
        finally:
            self._held = False

    @contextmanager
    def separate_command_ids(self) -> Iterator[None]:
        """Give commands registered in this context ids that take nothing from the usual sequence.

        Ids of interactions are contributions to shuffles: a further command would deal other cards in every test.
        Private, because SimCord counts all ids of one instant together.
        """
        backend = self.backend
        register, allocate = backend.register_commands, backend.snowflake
        (instant,) = backend._sequences

        def register_with_separate_ids(guild: int | None, payloads: list[dict[str, Any]]) -> list[dict[str, Any]]:
            vars(backend)["snowflake"] = lambda: backend._allocate_at(instant - 1)
            try:
                return register(guild, payloads)
            finally:
                vars(backend)["snowflake"] = allocate

        vars(backend)["register_commands"] = register_with_separate_ids
        try:
            yield
        finally:
            del vars(backend)["register_commands"]
            vars(backend).pop("snowflake", None)
        # The bot may have created emojis, whose ids come first.
        backend._sequences[instant] = max(FIRST_ID, backend._sequences[instant])


def stored_messages(channel: ChannelHandle) -> list[Any]:
    """Return all messages of a channel as the simulator stores them, oldest first.

    Private, because `ChannelHandle.history` copies every message whole, which costs a hundred times as much.
    """
    return sorted(channel._env.backend.messages.get(channel.id, {}).values(), key=lambda message: message.id)


def message_as_read(channel: ChannelHandle, message: Any) -> Any:
    """Return a message, given as the simulator stores it, as a person's client has it.

    It uses private parts for the same reason as `stored_messages`.
    """
    return to_discord_message(channel._env, message)
