"""Measure how fast the bot answers clicks, beside a bot that does nothing else.

Three processes talk over real sockets on this machine: the loopback Discord with its people (this one), the bot with
many open tables, and a bare responder that answers with pages of the same shape (`bot.loopback.bare_responder`). Both
bots get the same clicks, in turn: for words ("⋯" on a board), for the private panel with its picture, and for a board
(sitting down in a lobby and leaving). Each figure is measured with a fixed number of clicks under way at a time.
Milliseconds are wall time from the click to its whole answer; `processor_ms` is the bot's processor time per click, and
`ratio` is that time divided by the bare responder's. All are medians of the rounds. With `--profile` a table shows
where the bot's time for panels goes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final, TypeAlias

from bot.bench.discord_profile import milliseconds_by_part
from bot.clocks.clock import SystemClock
from bot.loopback.people import Person
from bot.loopback.process import PROGRAM, BotProcess, run_bot
from bot.loopback.rest import RestServer
from bot.loopback.server import loopback_discord
from bot.loopback.world import WITHOUT_THREADS, Channel, Json, World, all_components
from bot.store.store import open_store
from bot.tables.core.limits import Limits
from bot.tables.service import TableService
from bot.tables.state.snapshots import Caller

TEXT, PANEL, BOARD = "text", "panel", "board"
"""Kinds of presses, as the bare responder names them too."""

TABLES: Final = 1_000
ROUNDS: Final = 3
IN_FLIGHT: Final = (1, 20, 200)
PRESSES: Final = 200
"""Presses measured for one figure in a round; at least twice as many as are under way at a time."""

TABLES_A_SERVER: Final = 20
LOBBIES: Final = 4
"""One table in this number is a lobby, in which people sit down and leave."""

PICTURE: Final = 40_000
AIMS: Final = {20: ("p99_ms", 250), 200: ("longest_ms", 3_000)}
SECONDS_FOR_BOARDS: Final = 900

Press: TypeAlias = Callable[[], Awaitable[object]]
Figures: TypeAlias = dict[str, float]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this measurement."""
    parser.add_argument("--tables", type=int, default=TABLES, help=f"open tables (default: {TABLES})")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"rounds for the medians (default: {ROUNDS})")
    parser.add_argument("--presses", type=int, default=PRESSES, help=f"presses a figure (default: {PRESSES})")
    parser.add_argument("--most", type=int, default=max(IN_FLIGHT), help="most presses under way (default: 200)")
    parser.add_argument("--profile", action="store_true", help="also profile the bot while panels are opened")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(arguments: argparse.Namespace) -> int:
    """Measure how fast the bot answers clicks, and print the figures."""
    if arguments.tables < LOBBIES or arguments.rounds < 1 or arguments.presses < 1:
        print(f"canasta-bot bench discord: at least {LOBBIES} tables, one round and one press")
        return 2
    with TemporaryDirectory() as folder:
        figures = asyncio.run(_measure_presses(Path(folder), arguments))
        if arguments.profile:
            figures["profile"] = asyncio.run(_profile_panels(Path(folder), arguments))
    if arguments.json:
        print(json.dumps(figures))
    else:
        _print_figures(figures)
    return 0


def _print_figures(figures: Mapping[str, Any]) -> None:
    """Print one line for each figure, with the aim that it should reach."""
    for name, value in figures.items():
        if not isinstance(value, dict):
            print(f"{name.replace('_', ' ')}: {value}")
    for kind in (TEXT, PANEL, BOARD):
        for number, found in figures[kind].items():
            text = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in found.items())
            print(f"{kind}, {number} in flight: {text}")
    for name, share in figures.get("profile", {}).items():
        print(f"a panel, {name}: {share}")


# --- both bots --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _MeasuredBot:
    """A bot that is measured: its Discord, its process, and endless clicks of each kind.

    `started_in` is how many seconds passed from its start until it had posted the boards of all tables.
    """

    rest: RestServer
    bot: BotProcess
    presses: Mapping[str, cycle[Press]]
    started_in: float = 0.0

    def processor_seconds(self) -> float:
        """Return the processor time of the bot and of the processes it has started, in seconds.

        0 if the system does not provide it.
        """
        return processor_seconds(self.bot.process.pid)


def processor_seconds(number: int) -> float:
    """Return the processor time of a process and of those it has started, in seconds.

    `number` is the id of the process. 0 if the system does not provide the time.
    """
    return sum(map(_processor_seconds, (number, *_child_processes(number))))


def _child_processes(number: int) -> Sequence[int]:
    try:
        text = Path(f"/proc/{number}/task/{number}/children").read_text("ascii")
    except OSError:
        return ()
    return [int(one) for one in text.split()]


def _processor_seconds(number: int) -> float:
    try:
        texts = Path(f"/proc/{number}/stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(texts[11]) + int(texts[12])) / os.sysconf("SC_CLK_TCK")


async def _measure_presses(folder: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    """Click controls of both bots, and return all figures by name."""
    numbers = sorted({min(one, arguments.most) for one in IN_FLIGHT})
    figures: dict[str, Any] = {"tables": arguments.tables, "rounds": arguments.rounds}
    async with AsyncExitStack() as stack:
        ours = await stack.enter_async_context(_run_our_bot(folder, arguments.tables))
        figures["boards_posted_after_s"] = round(ours.started_in, 1)
        broken = _broken_limits(ours.rest, "start")
        bare = await stack.enter_async_context(_run_bare_responder(folder))
        for kind in (TEXT, PANEL, BOARD):
            await _press_many(ours, kind, numbers[-1], 2 * numbers[-1])
            await _press_many(bare, kind, numbers[-1], 2 * numbers[-1])
            figures[kind] = {number: await _compare_medians(ours, bare, kind, number, arguments) for number in numbers}
            broken += _broken_limits(ours.rest, kind)[len(broken) :]
        figures["picture_bytes"] = _median_picture_bytes(ours.rest)
        figures["limits_broken"] = len(broken)
        figures["limits"] = ", ".join(broken)
    return figures


def _broken_limits(rest: RestServer, during: str) -> list[str]:
    """Return a text for each rate limit that the bot has exceeded so far.

    It has the phase of the measurement (`during`) and the route without ids.
    """
    return [f"{during}: {re.sub(r'[0-9]+', '', one)}" for one in rest.limits.broken]


async def _compare_medians(
    ours: _MeasuredBot, bare: _MeasuredBot, kind: str, in_flight: int, arguments: argparse.Namespace
) -> Figures:
    """Measure both bots in turn, and return the medians of their figures and their ratio."""
    presses = max(arguments.presses, 2 * in_flight)
    rounds = [
        (await _press_many(ours, kind, in_flight, presses), await _press_many(bare, kind, in_flight, presses))
        for _ in range(arguments.rounds)
    ]
    own = {name: median(one[name] for one, _ in rounds) for name in rounds[0][0]}
    other = {name: median(one[name] for _, one in rounds) for name in rounds[0][1]}
    figures = {name: round(value, 2) for name, value in own.items()}
    figures |= {f"bare_{name}": round(value, 2) for name, value in other.items()}
    spent = other["processor_ms"] and round(own["processor_ms"] / other["processor_ms"], 2)
    figures |= {"ratio": spent, "p99_ratio": round(own["p99_ms"] / other["p99_ms"], 2)}
    if in_flight in AIMS:
        name, most = AIMS[in_flight]
        figures["aim_met"] = figures[name] <= most
    return figures


async def _press_many(side: _MeasuredBot, kind: str, in_flight: int, presses: int) -> Figures:
    """Click `presses` times, with `in_flight` clicks at a time; return how long the answers took."""
    left, took = iter(range(presses)), list[float]()
    requests, spent = len(side.rest.requests), side.processor_seconds()

    async def keep_pressing() -> None:
        for _ in left:
            press, began = next(side.presses[kind]), perf_counter()
            await press()
            took.append(1000 * (perf_counter() - began))

    await asyncio.gather(*(keep_pressing() for _ in range(in_flight)))
    took.sort()
    return {
        "p50_ms": took[len(took) // 2],
        "p99_ms": took[max(0, len(took) * 99 // 100 - 1)],
        "longest_ms": took[-1],
        "processor_ms": 1000 * (side.processor_seconds() - spent) / presses,
        "requests": (len(side.rest.requests) - requests) / presses,
    }


# --- the bare responder -----------------------------------------------------------------------------------------------


@asynccontextmanager
async def _run_bare_responder(folder: Path) -> AsyncIterator[_MeasuredBot]:
    """Run the bare responder with a message that has controls, and yield it as a bot to measure."""
    place = folder / "bare"
    place.mkdir()
    async with loopback_discord(World()) as rest:
        channel = rest.world.add_channel("bare")
        buttons = [{"type": 2, "style": 1, "label": one, "custom_id": f"bare:{one}"} for one in (TEXT, PANEL, BOARD)]
        body = {"flags": 1 << 15, "components": [{"type": 1, "components": buttons}]}

        def press(kind: str) -> Press:
            person, message = Person(rest, channel, "somebody"), rest.world.make_message(channel.id, body, [])
            control = next(
                one for one in all_components(message["components"]) if one.get("custom_id") == f"bare:{kind}"
            )
            return lambda: person.use_control(message, control)

        program = ("bot.loopback.bare_responder", str(PICTURE))
        async with run_bot(rest, place, program=program) as bot:
            presses = {kind: cycle([press(kind) for _ in range(max(IN_FLIGHT))]) for kind in (TEXT, PANEL, BOARD)}
            yield _MeasuredBot(rest, bot, presses)


# --- the bot with its tables ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Table:
    """A table in its own channel, with the people who click there.

    In a lobby `guest` sits down and leaves.
    """

    host: Person
    guest: Person
    seated: bool = False

    def board(self) -> Json | None:
        """Return the message that shows the table; None if it is not posted yet."""
        return next(
            (one for one in self.host.channel.messages.values() if _find_enabled_control(one, "hand", "leave")), None
        )

    async def press(self, kind: str) -> None:
        """Click the control that is answered with words, with the panel or with the board."""
        board = self.board()
        if board is None:
            raise RuntimeError("a table has no board")
        if kind == BOARD:
            action, person = "leave" if self.seated else "sit", self.guest
            self.seated = not self.seated
        else:
            action, person = "more" if kind == TEXT else "hand", self.host
        control = _find_enabled_control(board, action)
        if control is not None:
            await person.use_control(board, control)


def _find_enabled_control(message: Json, *actions: str) -> Json | None:
    """Return the first enabled control of a message whose custom id has one of these actions."""
    for one in all_components(message["components"]):
        parts = str(one.get("custom_id", "")).split(":")
        if len(parts) > 3 and parts[3] in actions and not one.get("disabled"):
            return one
    return None


@asynccontextmanager
async def _run_our_bot(folder: Path, tables: int, program: Sequence[str] = PROGRAM) -> AsyncIterator[_MeasuredBot]:
    """Run the bot with that many open tables, each with its board, and yield it as a bot to measure."""
    place = folder / program[0]
    place.mkdir()
    world = World()
    async with loopback_discord(world) as rest:
        channels = _make_channels(world, tables)
        made = [_Table(Person(rest, one, "host"), Person(rest, one, "guest")) for one in channels]
        await _open_tables(place / "canasta.db", made)
        began = perf_counter()
        async with run_bot(rest, place, program=program, computer_pace="0", lobby_hours="720") as bot:
            async with asyncio.timeout(SECONDS_FOR_BOARDS):
                while any(one.board() is None for one in made):
                    rest.posted.clear()
                    await rest.posted.wait()
            started_in = perf_counter() - began
            lobbies = [one for number, one in enumerate(made) if number % LOBBIES == 0]
            games = [one for number, one in enumerate(made) if number % LOBBIES]
            of_kind = {TEXT: games, PANEL: games, BOARD: lobbies}
            presses: dict[str, cycle[Press]] = {
                kind: cycle([partial(one.press, kind) for one in those]) for kind, those in of_kind.items()
            }
            yield _MeasuredBot(rest, bot, presses, started_in)


def _make_channels(world: World, tables: int) -> list[Channel]:
    """Return a channel for each table, in servers of some tables each."""
    servers = [world.add_server(f"server {number}") for number in range(-(-tables // TABLES_A_SERVER))]
    return [
        world.add_channel(f"table-{number}", WITHOUT_THREADS, servers[number // TABLES_A_SERVER])
        for number in range(tables)
    ]


async def _open_tables(database: Path, tables: Sequence[_Table]) -> None:
    """Open a table in each channel: lobbies, and games of a person with a computer player."""
    limits = Limits(tables_per_guild=len(tables), burst=1_000_000, refill=1)
    async with open_store(database) as store:
        service = TableService(store, SystemClock(), limits)
        for number, one in enumerate(tables):
            channel, is_game = one.host.channel, bool(number % LOBBIES)
            caller = Caller(one.host.id, one.host.name, channel.guild, number * 2 + 1)
            snapshot = await service.lobby.create(
                caller, channel=channel.id, rules="classic", players=2, computers=int(is_game)
            )
            if is_game:
                await service.lobby.start(replace(caller, request=number * 2 + 2), snapshot.id)
        await service.finish()


def _median_picture_bytes(rest: RestServer) -> int:
    """Return the median size of the bot's pictures in private panels, in bytes."""
    sizes = [file["size"] for one in rest.requests if one.path.startswith("/interactions/") for file in one.files]
    return round(median(sizes)) if sizes else 0


async def _profile_panels(folder: Path, arguments: argparse.Namespace) -> Mapping[str, float]:
    """Return the milliseconds that each part of the program takes to open a panel."""
    told = folder / "profile.jsonl"
    async with _run_our_bot(folder, min(arguments.tables, 100), ("bot.loopback.profiled_bot", str(told))) as side:
        await _press_many(side, PANEL, 20, 40)
        for presses in (0, arguments.presses):
            if presses:
                await _press_many(side, PANEL, 1, presses)
            side.bot.process.send_signal(signal.SIGUSR1)
            await _press_many(side, TEXT, 1, 1)
    return milliseconds_by_part(told.read_text("utf-8"), arguments.presses)
