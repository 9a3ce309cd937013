"""Start the demo: the bot, the simulated Discord and the page."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import sys
import webbrowser
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import partial
from typing import Final

import discord

from bot.app import Application, build_application, stop_at_signals
from bot.clocks.clock import SECOND
from bot.computer.player import player_for
from bot.config import Settings
from bot.demo import DEFAULT_PORT
from bot.demo.club_members import ClubMembers, Member
from bot.demo.forward_clock import NO_OUTAGE, ForwardClock, continued_clock
from bot.demo.real_time_discord import LiveEnvironment, LivePreview
from bot.demo.simulated_server import CLUB_MEMBERS, SimulatedServer, make_server

HOST = "127.0.0.1"

MEMBER_LEVELS: Final = ("easy", "casual")
"""The members' levels in turn: only those that choose at once, since up to five tables are in play."""

_LOOK_SECONDS: Final = 0.05
_PATIENCE: Final = 100
"""Most checks for an alarm that is due: one that fails is not waited for."""


class PortTakenError(Exception):
    """Raised because the requested port is in use."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.port = port


def choose_port(wanted: int | None, *, usual: int = DEFAULT_PORT) -> int:
    """Return the wanted port; without one the usual port, or 0 (any port) if that is in use.

    Raises `PortTakenError`.
    """
    port = usual if wanted is None else wanted
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
    """Return whether a browser can open a window here, not only inside the terminal."""
    return sys.platform in {"darwin", "win32"} or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


@dataclass(frozen=True, slots=True)
class Simulation:
    """The simulated Discord: its page, and the guild with its people."""

    preview: LivePreview
    world: SimulatedServer


@contextlib.asynccontextmanager
async def run_simulation(
    client: discord.AutoShardedClient, clock: ForwardClock | None = None, *, port: int = 0
) -> AsyncIterator[Simulation]:
    """Run the simulated Discord with the client connected to it, and serve its page on that port."""
    environment = LiveEnvironment(client, clock)
    world = make_server(environment)
    environment.clock.go_live()
    await environment.start()
    try:
        preview = LivePreview(environment, world.canasta, (*world.people, world.owner), port=port)
        async with preview:
            publishing = asyncio.create_task(preview.keep_publishing())
            try:
                yield Simulation(preview, world)
            finally:
                publishing.cancel()
                await asyncio.gather(publishing, return_exceptions=True)
    finally:
        await environment.shutdown()


async def serve(settings: Settings, *, port: int | None = None, browser: bool = True) -> None:
    """Serve the demo on 127.0.0.1 until the page's button, Ctrl-C or a signal stops it.

    Raises `StoreError`.
    """
    chosen = choose_port(port)
    clock = await continued_clock(settings.own_files_base)
    built = build_application(settings, clock=clock, silence=NO_OUTAGE)
    async with built as application, run_simulation(application.client, clock, port=chosen) as simulation:
        preview = simulation.preview
        await application.client.wait_until_ready()
        # Each start makes a new simulated Discord, without the boards that were posted before.
        await application.client.repost_boards()
        members = club_members_of(application, simulation.world, clock)
        members.start()
        clock.next_stop = partial(finish_due_work, application, members, clock)
        print(f"Canasta is served at {preview.url}\nCtrl-C ends it; the games are kept.", flush=True)
        if browser and has_screen():
            with contextlib.suppress(webbrowser.Error, OSError):
                await asyncio.to_thread(webbrowser.open, preview.url)
        failing = asyncio.ensure_future(application.broken())
        stop = asyncio.Event()
        stop_at_signals(stop)
        ends = [asyncio.create_task(preview.wait_closed()), asyncio.create_task(stop.wait()), failing]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if failing.done():
                raise failing.result()
        finally:
            await members.stop()
            for end in ends:
                end.cancel()
            await asyncio.gather(*ends, return_exceptions=True)


async def finish_due_work(application: Application, members: ClubMembers, clock: ForwardClock) -> int | None:
    """Wait until tournaments and members have done all that is due; return the next tournament's time.

    It is the instant at which a tournament has to act next, or None.

    The clock stops there, so that a visitor who lets time pass misses no check-in or round.
    """
    await members.wait_until_caught_up()
    due = await application.tournaments.alarms.next_due_at()
    looks = 0
    while due is not None and due <= clock.now() and looks < _PATIENCE:
        looks += 1
        await asyncio.sleep(_LOOK_SECONDS)
        await members.wait_until_caught_up()
        due = await application.tournaments.alarms.next_due_at()
    return due


def club_members_of(application: Application, world: SimulatedServer, clock: ForwardClock) -> ClubMembers:
    """Return the members who take part in tournaments automatically, at the pace of computer players."""
    return ClubMembers(
        application.tables,
        application.tournaments,
        application.client.context.series,
        [player_for(level) for level in MEMBER_LEVELS],
        clock,
        guild=world.server.id,
        members=[Member(member.id, name) for member, name in zip(world.crowd, CLUB_MEMBERS, strict=True)],
        pace=round(application.settings.computer_pace * SECOND),
    )
