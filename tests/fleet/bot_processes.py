"""Real bot processes of one fleet, on a local stand-in for Discord and a real PostgreSQL server."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from bot.heartbeat_file import read_heartbeat
from bot.loopback.people import Person
from bot.loopback.process import ROOT
from bot.loopback.process import Process as Running
from bot.loopback.rest import RestServer
from bot.loopback.world import WITHOUT_THREADS, Channel, Server
from tests.support import forked_processes
from tests.support.postgres import Server as Postgres
from tests.wire.board_player import DatabaseReader

SECONDS = 60.0
BOT = "bot.loopback.bootstrap"


@dataclass(slots=True)
class Process:
    """A bot process of the fleet."""

    name: str
    folder: Path
    process: Running

    @property
    def state(self) -> str:
        """Return the state that the process has written into its heartbeat file."""
        sign = read_heartbeat(self.folder / self.name)
        return "" if sign is None else sign.state

    @property
    def log(self) -> str:
        """Return everything that the process has logged."""
        return (self.folder / f"{self.name}.log").read_text(encoding="utf-8")

    @property
    def warnings_and_errors(self) -> list[str]:
        """Return level and logger of each warning and error that the process has logged."""
        return [str(one) for one in re.findall(r"^\S+ ((?:WARNING|ERROR|CRITICAL) [\w.]+):", self.log, re.MULTILINE)]

    async def kill(self) -> None:
        """Kill the process without warning."""
        self.process.kill()
        await self.process.wait()

    def pause(self) -> None:
        """Stop the process without ending it, like a machine that sleeps."""
        os.kill(self.process.pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Let a paused process go on."""
        os.kill(self.process.pid, signal.SIGCONT)


@dataclass(frozen=True, slots=True)
class ServerDatabaseReader(DatabaseReader):
    """Queries to the fleet's database."""

    server: Postgres
    address: str

    def query_database(self, query: str, *values: object) -> list[tuple[int, ...]]:
        for value in values:
            query = query.replace("?", str(value), 1)
        lines = self.server.run_sql(query, urlsplit(self.address).path[1:]).splitlines()
        return [tuple(int(cell) for cell in line.split("|")) for line in lines]


@dataclass(slots=True)
class BotFleet:
    """A fleet of real processes with the same settings."""

    rest: RestServer
    folder: Path
    server: Postgres
    address: str
    shards: str
    all: list[Process] = field(default_factory=list)

    @property
    def stored(self) -> ServerDatabaseReader:
        return ServerDatabaseReader(self.folder, self.server, self.address)

    async def start(self, name: str, *, program: str = BOT) -> Process:
        """Start one more process; `program` is its module with arguments besides the address."""
        environment = {
            **{known: os.environ[known] for known in ("PATH", "HOME", "LANG") if known in os.environ},
            "PYTHONPATH": str(ROOT),
            "DISCORD_TOKEN": "none.of.yours",
            "CANASTA_DATABASE": self.address,
            "CANASTA_ALIVE": str(self.folder / f"{name}.alive"),
            "CANASTA_SHARDS": self.shards,
            "CANASTA_EMOJIS": "off",
        }
        with (self.folder / f"{name}.log").open("ab") as log:
            module, *arguments = (*program.split(), self.rest.address)
            started = await forked_processes.start_forked(module, *arguments, cwd=self.folder, env=environment, log=log)
        self.all.append(Process(name, self.folder, started))
        return self.all[-1]

    def logs(self) -> str:
        """Return the logs of all processes."""
        return "\n".join(f"--- {one.name}\n{one.log}" for one in self.all)

    async def wait_until(self, condition: Callable[[], bool], description: str, seconds: float = SECONDS) -> None:
        """Wait until the condition is true; fail after `seconds`, naming `description`."""
        try:
            async with asyncio.timeout(seconds):
                while not condition():
                    await asyncio.sleep(0.05)
        except TimeoutError:
            raise AssertionError(f"{description} took more than {seconds} s\n{self.logs()}") from None

    def owner_of(self, shard: int) -> Process:
        """Return the process that holds a shard."""
        held = f"locktype = 'advisory' AND mode = 'ExclusiveLock' AND objid = {shard}"
        sql = f"SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE {held}"  # noqa: S608
        named = self.server.run_sql(sql, urlsplit(self.address).path[1:]).split()[1]
        return next(one for one in self.all if one.name == named.rpartition("/")[2])


@asynccontextmanager
async def fleet_of(
    rest: RestServer,
    folder: Path,
    server: Postgres,
    address: str,
    *,
    shards: str,
    names: str,
    at_once: int = 16,
    program: str = BOT,
) -> AsyncIterator[BotFleet]:
    """Run processes with these names and shards; stop them all at the end.

    Paused processes are resumed first.
    """
    bots = BotFleet(rest, folder, server, address, shards)
    rest.world.starts["max_concurrency"] = at_once
    try:
        for name in names.split():
            await bots.start(name, program=program)
        yield bots
    finally:
        for one in bots.all:
            if one.process.returncode is None:
                one.resume()
                one.process.terminate()
        for one in bots.all:
            try:
                await asyncio.wait_for(one.process.wait(), 15)
            except TimeoutError:
                await one.kill()


def channel_of_shard(rest: RestServer, shard: int, count: int) -> Channel:
    """Return a channel in a new server that belongs to that shard."""
    number = (rest.world.guild >> 22) // count * count + count + shard
    made = Server(number << 22, f"Club {shard}")
    rest.world.servers[made.id] = made
    return rest.world.add_channel("canasta", WITHOUT_THREADS, made)


def new_member(rest: RestServer, channel: Channel, name: str) -> Person:
    """Return a new person with access to that channel."""
    return Person(rest, channel, name)
