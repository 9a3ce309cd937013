"""Putting the demo together: the bot, the simulated Discord, the page."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import AsyncIterator

import discord

from bot.app import build
from bot.config import Settings
from bot.demo import DEFAULT_PORT
from bot.demo.live import LiveEnvironment, LivePreview
from bot.demo.passing import NO_OUTAGE, ForwardClock, clock_of
from bot.demo.world import found

HOST = "127.0.0.1"


class PortTakenError(Exception):
    """The port that was asked for is in use."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.port = port


def choose_port(wanted: int | None) -> int:
    """The wanted port; without a wish the usual one, or 0 (any) if that is taken. Raises `PortTakenError`."""
    port = DEFAULT_PORT if wanted is None else wanted
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            if wanted is None:
                return 0
            raise PortTakenError(port) from None
    return port


def has_screen() -> bool:
    """Whether a browser could open a window; one that takes over the terminal is worse than none."""
    return sys.platform in {"darwin", "win32"} or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


@contextlib.asynccontextmanager
async def simulated(
    client: discord.AutoShardedClient, clock: ForwardClock | None = None, *, port: int = 0
) -> AsyncIterator[LivePreview]:
    """The simulated Discord with the client connected to it and its page served, by the client's clock."""
    environment = LiveEnvironment(client, clock)
    world = found(environment)
    environment.clock.go_live()
    await environment.start()
    try:
        preview = LivePreview(environment, world.canasta, (*world.people, world.owner), port=port)
        async with preview:
            publishing = asyncio.create_task(preview.keep_publishing())
            try:
                yield preview
            finally:
                publishing.cancel()
                await asyncio.gather(publishing, return_exceptions=True)
    finally:
        await environment.shutdown()


async def until_asked_to_stop() -> None:
    """Return at Ctrl-C or when the process is told to end."""
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()
    # Where the loop cannot take signals, Ctrl-C arrives as KeyboardInterrupt and cancels the task.
    with contextlib.suppress(NotImplementedError):
        for name in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(name, asked.set)
    await asked.wait()


async def serve(settings: Settings, *, port: int | None = None, browser: bool = True) -> None:
    """Serve on 127.0.0.1 until the page's own button, Ctrl-C or a signal ends it. Raises `StoreError`."""
    chosen = choose_port(port)
    clock = await clock_of(settings.database)
    built = build(settings, clock=clock, silence=NO_OUTAGE)
    async with built as application, simulated(application.client, clock, port=chosen) as preview:
        await application.client.wait_until_ready()
        # The simulation begins anew at every start and knows no board of an earlier one.
        await application.client.show_again()
        print(f"Canasta is served at {preview.url}\nCtrl-C ends it; the games are kept.", flush=True)
        if browser and has_screen():
            with contextlib.suppress(webbrowser.Error, OSError):
                await asyncio.to_thread(webbrowser.open, preview.url)
        failing = asyncio.ensure_future(application.broken())
        ends = [asyncio.create_task(preview.wait_closed()), asyncio.create_task(until_asked_to_stop()), failing]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if failing.done():
                raise failing.result()
        finally:
            for end in ends:
                end.cancel()
            await asyncio.gather(*ends, return_exceptions=True)
