"""SimCord (the simulation of Discord) as the tests use it, with quicker replacements of some parts.

This file alone uses private parts of it, each for the reason given. SimCord is pinned, so a new version breaks this
file and no other.
"""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import Context
from types import SimpleNamespace
from typing import Any, Final

from discord import Client
from discord.ext.tasks import Loop
from discord.ui.view import BaseView
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
_is_timeout_of_view = _dpy_internals._view_timeout_task_identity
_is_sleep_of_loop = _dpy_internals.tasks_loop_sleep
_find_listener_in_frames = _dpy_internals._listener_wait_for_frame
_is_asleep = _dpy_internals.is_sleep_waiter

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


def is_timeout_of_view(client: Client, task: asyncio.Task[Any]) -> bool:
    """Return whether the task waits for a view's timeout; without any such view, no view is looked for."""
    store: Any = client._connection._view_store
    waits = _coroutine_code(task) is TIMEOUT or store._views or store._modals
    return bool(waits) and _is_timeout_of_view(client, task)


def is_sleep_of_loop(task: asyncio.Task[Any], waiter: Any) -> bool:
    """Return whether the task is a loop of the library between two iterations; frames of others are not read."""
    return _coroutine_code(task) is LOOP and _is_sleep_of_loop(task, waiter)


def is_asleep(waiter: Any, loop: Any, deadline: float) -> bool:
    """Return whether the future is that of a sleep beyond the deadline; timers of others are not looked at."""
    own = any(handle._args and handle._args[0] is waiter for handle in loop._scheduled)
    return own and _is_asleep(waiter, loop, deadline)


def _coroutine_code(task: asyncio.Task[Any]) -> Any:
    return getattr(task.get_coro(), "cr_code", None)


TIMEOUT: Final = vars(BaseView)["_BaseView__timeout_task_impl"].__code__
LOOP: Final = Loop._loop.__code__


def read_virtual_clock() -> float:
    """Return the seconds of the environment's clock in the bot's own work, of the real clock elsewhere."""
    environment = _runtime._selected_env(driver=False)
    return _dpy_internals.real_monotonic() if environment is None else environment._virtual_time


# SimCord asks every task what it waits for several times at each click, and the clock at every turn of the event loop.
# That was a tenth of all processor time of these tests.
vars(_dpy_internals).update(
    composed_tasks=composed_tasks,
    is_sleep_waiter=is_asleep,
    _listener_wait_for_frame=is_listener_in_frames,
    _view_timeout_task_identity=is_timeout_of_view,
    tasks_loop_sleep=is_sleep_of_loop,
    _clock_monotonic=read_virtual_clock,
)


class TrackedCallback:
    """A callback of the bot that SimCord knows from its scheduling until it has run or is cancelled.

    It does what SimCord's record and the function around the callback do together. Those refer to each other through
    a handle, so that every callback was left to the garbage collector, with a dozen other objects: they were most of
    its work, which is a twelfth of all processor time of these tests.
    """

    __slots__ = ("__simcord_original_callback__", "_record_error", "_work", "called", "handle", "real_handle", "when")

    def __init__(self, work: Any, callback: Any, record_error: Callable[[BaseException], None], when: float | None):
        self.__simcord_original_callback__ = callback
        self._work = work
        self._record_error = record_error
        self.when = when
        self.called = False
        self.handle: asyncio.Handle | None = None
        self.real_handle: asyncio.TimerHandle | None = None

    @property
    def label(self) -> str:
        """The callback's name, for SimCord's message about a bot that does not settle."""
        callback = self.__simcord_original_callback__
        return str(getattr(callback, "__qualname__", type(callback).__name__))

    def __call__(self, *arguments: Any) -> None:
        self.called = True
        if self.real_handle is not None:
            self.real_handle.cancel()
            self.real_handle = None
        if self.handle is not None:
            self.handle = None
            with suppress(ValueError):
                self._work.callbacks.remove(self)
        try:
            self.__simcord_original_callback__(*arguments)
        except BaseException as error:
            self._record_error(error)
            raise


def track_callback(
    work: Any,
    original: Callable[..., asyncio.Handle],
    callback: Any,
    args: tuple[Any, ...],
    *,
    identity: tuple[Any, int],
    loop: asyncio.AbstractEventLoop,
    context_for_scope: Callable[..., Context],
    record_error: Callable[[BaseException], None],
    schedule_timer: Callable[..., None],
    context: Context | None,
    when: float | None,
    schedule_args: tuple[Any, ...] = (),
) -> asyncio.Handle:
    """Schedule a callback as SimCord's function does, with a `TrackedCallback` if the bot has scheduled it."""
    task = getattr(callback, "__self__", None)
    scope: tuple[Any, int] | None
    if isinstance(task, asyncio.Task):
        # A task continues in its own context, a copy of which could not reset what was set in the original.
        owner = work.tasks.get(task)
        if owner is not None:
            scope = identity[0], owner.generation
        else:
            scope = None if context is None else context.get(_runtime._BOT_SCOPE)
    else:
        scope = _runtime._BOT_SCOPE.get()
        if context is not None:
            scope = scope or context.get(_runtime._BOT_SCOPE)
            context = context_for_scope(context, scope)
    if scope != identity:
        return original(*schedule_args, callback, *args, context=context)
    tracked = TrackedCallback(work, callback, record_error, when)
    if when is None:
        handle = original(*schedule_args, tracked, *args, context=context)
    else:
        handle = asyncio.TimerHandle(when, tracked, args, loop, context=context)
        schedule_timer(tracked, callback, args, context)
    # In another thread the callback may have run by now.
    if not tracked.called:
        tracked.handle = handle
        work.callbacks.append(tracked)
    return handle


vars(_runtime)["_track_callback"] = track_callback


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
