"""The command `run`: connects to Discord and serves until it is stopped."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import logging
import socket
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import aiohttp
import discord

from bot import config, logs
from bot.app import Application, BackgroundTaskEnded, StoppedWhileWaiting, build_application, stop_at_signals
from bot.client import CanastaBot
from bot.clocks.clock import SystemClock
from bot.config import Settings
from bot.exit_codes import ExitCode, exit_code_of
from bot.heartbeat_file import Heartbeat, keep_writing_heartbeats
from bot.i18n import locales, words
from bot.store.errors import StorageFailed, StoreError
from cogs.shared.discord_api.interactions import log_unexpected_error

log = logging.getLogger("canasta")

RECONNECT_PAUSES: Final = (1.0, 5.0, 30.0, 120.0, 600.0)
"""Seconds before each new attempt to connect after an error."""

STABLE_AFTER: Final = 3600.0
"""After this many seconds of connection the pauses start over with the first."""


ACTIONS_END: Final = 5.0
"""Seconds that running actions get to finish when the program stops."""


Connect = Callable[[CanastaBot, str], Awaitable[None]]
"""Connects a client to Discord with a token, and serves until the connection ends."""


async def serve_until_stopped(
    settings: Settings, *, pauses: Sequence[float] = RECONNECT_PAUSES, connect: Connect = CanastaBot.start
) -> int:
    """Serve until Discord refuses the token or the process is stopped; return the exit status.

    After an unexpected error (such as an event that the library cannot read) it connects again. The first time it waits
    for the first of the `pauses` (seconds), then for the next; after the last one it returns 1. Raises `StoreError`.
    """
    stop = asyncio.Event()
    stop_at_signals(stop)
    loop = asyncio.get_running_loop()
    left = list(pauses)
    while True:
        began = loop.time()
        try:
            return await _serve_once(settings, stop, connect)
        except (StoreError, BackgroundTaskEnded):
            raise
        except StoppedWhileWaiting:
            return 0
        except Exception as error:  # noqa: BLE001 - it is logged, and games must go on
            log_unexpected_error(error, "the connection to Discord")
            if loop.time() - began > STABLE_AFTER:
                left = list(pauses)
            if not left:
                print(f"canasta-bot: the connection broke again ({type(error).__name__}); giving up.", file=sys.stderr)
                return 1
        pause = left.pop(0)
        log.warning("connecting again in %g s", pause)
        if await _wait_or_stop(pause, stop, settings):
            return 0


async def _wait_or_stop(seconds: float, stop: asyncio.Event, settings: Settings) -> bool:
    """Wait `seconds` while writing the heartbeat file. Return whether `stop` was set meanwhile."""
    pausing = keep_writing_heartbeats(settings.heartbeat_base, SystemClock(), lambda now: Heartbeat(now, "pausing"))
    signing = asyncio.create_task(pausing, name="sign of life")
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except TimeoutError:
        return False
    else:
        return True
    finally:
        signing.cancel()


async def _serve_once(settings: Settings, stop: asyncio.Event, connect: Connect) -> int:
    """Serve until the connection ends or `stop` is set, and return the exit status.

    Raises `StorageFailed`, `StoppedWhileWaiting`, and unexpected errors.
    """
    async with build_application(settings, is_stopping=stop.is_set) as application:
        serving = asyncio.create_task(connect_when_allowed(application, connect))
        stopping = asyncio.create_task(stop.wait())
        failing = asyncio.ensure_future(application.broken())
        await asyncio.wait({serving, stopping, failing}, return_when=asyncio.FIRST_COMPLETED)
        failure = failing.result() if failing.done() else None
        log.info("stopping")
        application.client.begin_to_stop()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(application.tables.finish(), ACTIONS_END)
        await application.client.close()
        if failing.done() and isinstance(
            failing.result(), StorageFailed
        ):  # when the program stops, its other parts may end
            failure = failing.result()
        for task in (serving, stopping, failing):
            task.cancel()
        await asyncio.wait({serving, stopping, failing})
        if failure is not None:
            raise failure
        return _exit_status(serving)


SETTLED_AFTER: Final = 60.0
"""Seconds after which a start counts as over: by then outdated boards have been written."""


async def connect_when_allowed(
    application: Application, connect: Connect = CanastaBot.start, *, settled_after: float = SETTLED_AFTER
) -> None:
    """Connect and serve as soon as the start guard allows it.

    Raises `StorageFailed` if the start cannot be stored.
    """
    client, guard = application.client, application.guard
    await guard.pause(await guard.record_start())
    watching = asyncio.create_task(guard.mark_good_start(client), name="watch the start")
    sparing = asyncio.create_task(_exempt_objects_from_collection(settled_after), name="spare lasting objects")
    try:
        await connect(client, application.settings.discord_token)
    finally:
        watching.cancel()
        sparing.cancel()


async def _exempt_objects_from_collection(seconds: float) -> None:
    """Wait `seconds`, then exempt all objects that exist from Python's garbage collection.

    A collection delays every answer: measured with 300 open tables and 400 panels, a full one takes 60 ms instead of
    150. Catalogues that were not read at the start are read before, so that the first player with a language does not
    wait for its catalogue.
    """
    await asyncio.sleep(seconds)
    for locale in locales():
        await asyncio.to_thread(words, locale)
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def _exit_status(serving: asyncio.Task[None]) -> int:
    """Return the exit status after the task `serving` has ended.

    Errors that an operator can fix are printed, all others raised.
    """
    error = None if serving.cancelled() else serving.exception()
    if error is None:
        return 0
    if isinstance(error, discord.LoginFailure):
        print("canasta-bot: Discord does not know this token. Set a new one:", file=sys.stderr)
        print("DISCORD_TOKEN, or the file that DISCORD_TOKEN_FILE names.", file=sys.stderr)
        return ExitCode.TOKEN
    if isinstance(error, _UNREACHABLE):
        print(f"canasta-bot: Discord cannot be reached ({type(error).__name__}).", file=sys.stderr)
        return 1
    raise error


_UNREACHABLE: Final = (discord.HTTPException, aiohttp.ClientError, ConnectionError, TimeoutError, socket.gaierror)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments: `run` reads everything from the settings."""
    parser.epilog = "Settings come from the environment and from .env; see .env.example."


def execute(_arguments: argparse.Namespace) -> int:
    """Connect to Discord and serve."""
    settings = config.load_settings(config.read_environment())
    if not settings.discord_token:
        print("canasta-bot: DISCORD_TOKEN is not set. Try `canasta-bot demo`.", file=sys.stderr)
        return 2
    logs.set_up_logging(settings.log_level, settings.log_format)
    try:
        return asyncio.run(serve_until_stopped(settings))
    except (StoreError, BackgroundTaskEnded) as error:
        print(f"canasta-bot: {error}", file=sys.stderr)
        return exit_code_of(error) if isinstance(error, StoreError) else ExitCode.FAILED
