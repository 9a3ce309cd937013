"""Owners that are killed, cut off or stopped, and killed servers: nothing acknowledged is lost.

A normal run tries this a few times, a nightly run often. The controls show that the harness notices a loss.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.loopback.process import Process
from tests.support import forked_processes
from tests.support.cutting_proxy import run_cutting_proxy
from tests.support.postgres import Server
from tests.support.project_files import ROOT

NIGHT = pytest.mark.nightly
LONG = (NIGHT, pytest.mark.timeout(900))
QUICK = {"settings": {"idle_session_timeout": "3s"}, "silence": 2.0, "beat": 0.5, "again": 0.5, "silent_for": 3}
"""Settings as in a fleet, but quicker, so that a day need not wait fifteen seconds."""

Tell = Callable[[str], None]

ENDLESS = {"idle_session_timeout": "0", "idle_in_transaction_session_timeout": "0"}


@pytest.fixture
def server(safe_server: Server) -> Server:
    return safe_server


@dataclass(slots=True)
class WritingProcesses:
    """Writing processes of a fleet, and the notes that they make."""

    server: Server
    folder: Path
    size: int
    count: int
    options: dict[str, Any]
    port: int = 0
    running: dict[str, Process] = field(default_factory=dict)

    async def start(self, name: str) -> None:
        """Start a writing process of that name."""
        arguments = (self.server.address("canasta", self.port), str(self.folder), name, str(self.size), str(self.count))
        with (self.folder / f"{name}.log").open("ab") as log:
            self.running[name] = await forked_processes.start_forked(
                "tests.support.fleet_writer", *arguments, json.dumps(self.options), cwd=ROOT, env=os.environ, log=log
            )

    def noted_lines(self, name: str) -> list[list[str]]:
        """Return the complete lines that a process has noted, split into words."""
        path = self.folder / name
        text = path.read_text() if path.exists() else ""
        return [line.split() for line in text[: text.rfind("\n") + 1].splitlines()]

    def owners(self) -> dict[int, str]:
        """Return by first shard of each range the running process that became its owner last."""
        owned = [
            (float(at), int(shard), name)
            for name in self.running
            for kind, shard, at in self.lines_of_kind(name, "own")
        ]
        return {shard: name for _, shard, name in sorted(owned)}

    def lines_of_kind(self, name: str, kind: str) -> list[list[str]]:
        """Return a process's lines of that kind."""
        return [line for line in self.noted_lines(name) if line[0] == kind]

    def count_acknowledged(self) -> int:
        """Return the number of acknowledged changes."""
        return sum(len(self.lines_of_kind(path.name, "ack")) for path in self.folder.iterdir() if "." not in path.name)

    async def wait_until_written(self, count: int, seconds: float = 60) -> None:
        """Wait until `count` further changes are acknowledged."""
        wanted = self.count_acknowledged() + count
        async with asyncio.timeout(seconds):
            while self.count_acknowledged() < wanted:
                await asyncio.sleep(0.05)

    async def wait_until_owned(self, shard: int, name: str, seconds: float = 40) -> None:
        """Wait until a process other than `name` owns the range that begins with `shard`."""
        async with asyncio.timeout(seconds):
            while self.owners().get(shard, name) == name:
                await asyncio.sleep(0.02)

    def count_unacknowledged(self) -> int:
        """Return the number of stored changes that no process has noted."""
        stored = self.server.run_sql("SELECT count(*) FROM actions WHERE version > 1", "canasta")
        return int(stored) - self.count_acknowledged()

    def counts_line(self) -> str:
        """Return a text with the numbers of acknowledged and lost changes and of acts by former owners."""
        found = self.faults()
        lost, acts = (sum(word in fault for fault in found) for word in ("lost", "acted for"))
        return f"{self.count_acknowledged()} acknowledged, {lost} lost or twice, {acts} acts of former owners"

    def faults(self) -> list[str]:
        """Return a sentence for each lost or repeated change and each act of a former owner."""
        rows = self.server.run_sql("SELECT table_id, version FROM actions ORDER BY 1, 2", "canasta").split()
        stored = defaultdict[int, list[int]](list)
        for row in rows:
            table, version = map(int, row.split("|"))
            stored[table].append(version)
        found = [f"the log of {one} has a gap" for one, log in stored.items() if log != list(range(1, len(log) + 1))]
        posts, acknowledged = [], set[tuple[int, int]]()
        for path in self.folder.iterdir():
            if "." in path.name:
                continue
            for kind, first, second in self.noted_lines(path.name):
                if kind != "ack":
                    posts.append((float(second), kind, int(first), path.name))
                    continue
                change = int(first), int(second)
                # acknowledged twice: it was lost and made again
                if change[1] > len(stored[change[0]]) or change in acknowledged:
                    found.append(f"version {second} of table {first} is lost")
                acknowledged.add(change)
        owner: dict[int, str] = {}
        for at, kind, shard, name in sorted(posts):
            if kind == "own":
                owner[shard] = name
            elif owner.get(shard) != name:
                found.append(f"{name} acted for {shard} at {at}, which {owner.get(shard)} has")
        return found


@asynccontextmanager
async def writers(
    server: Server, folder: Path, *, names: str, size: int = 1, count: int = 3, port: int = 0, **options: Any
) -> AsyncIterator[WritingProcesses]:
    """Run processes that write until the context ends.

    They connect to `port` if it is given, else to the server's own port.
    """
    made = WritingProcesses(
        server, folder, size, count, QUICK | options if options.pop("quick", True) else options, port
    )
    try:
        for name in names.split():
            await made.start(name)
        async with asyncio.timeout(60):
            while len(made.owners()) < count // size:
                await asyncio.sleep(0.05)
        yield made
    finally:
        for process in made.running.values():
            with suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGCONT)
                process.kill()
            await process.wait()


async def kill_owners(fleet: WritingProcesses, times: int, random: Random) -> None:
    """Kill a random owner and restart it as the spare, that many times."""
    for number in range(times):
        shard, name = random.choice(sorted(fleet.owners().items()))
        await fleet.wait_until_written(20)
        fleet.running[name].kill()
        await fleet.running.pop(name).wait()
        await fleet.wait_until_owned(shard, name)
        await fleet.start(f"again{number}")
        await fleet.wait_until_written(20)


@pytest.mark.parametrize("times", [1, pytest.param(20, marks=LONG)])
async def test_no_acknowledged_change_is_lost_when_owners_are_killed(
    server: Server, tmp_path: Path, times: int, print_past_capture: Tell
) -> None:
    async with writers(server, tmp_path, names="a b c spare") as fleet:
        await kill_owners(fleet, times, Random(7))
    print_past_capture(f"{times} kills of an owner: {fleet.counts_line()}")
    assert [] == fleet.faults()
    assert fleet.count_acknowledged() > 40


@pytest.mark.parametrize("times", [1, pytest.param(10, marks=LONG)])
async def test_no_acknowledged_change_is_lost_when_the_server_is_killed(
    server: Server, tmp_path: Path, times: int, print_past_capture: Tell
) -> None:
    async with writers(server, tmp_path, names="a b c", again=20) as fleet:
        for _ in range(times):
            await fleet.wait_until_written(100)
            server.kill()
            server.start()
            await fleet.wait_until_written(50)
        assert {None} == {process.returncode for process in fleet.running.values()}
    print_past_capture(f"{times} kills of the server: {fleet.counts_line()}")
    assert [] == fleet.faults()


@NIGHT
@pytest.mark.parametrize("seconds", [0, 3, 12])
async def test_owners_take_their_shards_before_the_spare_when_the_database_returns(
    server: Server, tmp_path: Path, seconds: int
) -> None:
    async with writers(server, tmp_path, names="a spare", count=1, again=5) as fleet:
        before = fleet.owners()
        await fleet.wait_until_written(20)
        async with asyncio.timeout(30):
            while "waiting" not in server.run_sql("SELECT application_name FROM pg_stat_activity"):
                await asyncio.sleep(0.2)
        server.kill()
        await asyncio.sleep(seconds)
        server.start()
        await fleet.wait_until_written(50)
        await asyncio.sleep(6)  # longer than the five seconds after which the spare takes over
        assert before == fleet.owners()
        assert {None} == {process.returncode for process in fleet.running.values()}
    assert [] == fleet.faults()


@pytest.mark.parametrize(("times", "seconds"), [(1, 0), pytest.param(5, 20, marks=LONG)])
async def test_a_process_that_stands_still_is_replaced_and_does_nothing_afterwards(
    server: Server, tmp_path: Path, times: int, seconds: int, print_past_capture: Tell
) -> None:
    async with writers(server, tmp_path, names="a spare", count=1, quick=not seconds) as fleet:
        for number in range(times):
            ((_, name),) = fleet.owners().items()
            await fleet.wait_until_written(20)
            os.kill(fleet.running[name].pid, signal.SIGSTOP)
            waking = asyncio.create_task(asyncio.sleep(seconds))
            await fleet.wait_until_owned(0, name)
            await fleet.wait_until_written(20)
            await waking
            os.kill(fleet.running[name].pid, signal.SIGCONT)
            assert 1 == await asyncio.wait_for(fleet.running.pop(name).wait(), 20)
            await fleet.start(f"again{number}")
    print_past_capture(f"{times} pauses of {seconds} s: {fleet.counts_line()}")
    assert [] == fleet.faults()


@pytest.mark.parametrize("times", [pytest.param(200, marks=LONG)])
async def test_cut_connections_lose_no_change_and_make_none_twice(
    server: Server, tmp_path: Path, times: int, print_past_capture: Tell
) -> None:
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'canasta _ %'"
    async with writers(server, tmp_path, names="a b", count=2, again=20) as fleet:
        for _ in range(times):
            await fleet.wait_until_written(3)
            server.run_sql(cut)
        await fleet.wait_until_written(3)
        assert {None} == {process.returncode for process in fleet.running.values()}
    print_past_capture(f"{times} cut connections: {fleet.counts_line()}")
    assert [] == fleet.faults()


@pytest.mark.parametrize("times", [3, pytest.param(200, marks=LONG)])
async def test_a_commit_whose_answer_is_cut_off_is_neither_lost_nor_done_twice(
    server: Server, tmp_path: Path, times: int, print_past_capture: Tell
) -> None:
    async with (
        run_cutting_proxy(server.port) as proxy,
        writers(server, tmp_path, names="a b", count=2, again=20, port=proxy.port) as fleet,
    ):
        for _ in range(times):
            await fleet.wait_until_written(3)
            await proxy.cut_after_commit()
        await fleet.wait_until_written(3)
        assert {None} == {process.returncode for process in fleet.running.values()}
    print_past_capture(f"{times} commits whose answer was cut off: {fleet.counts_line()}")
    assert [] == fleet.faults()
    # changes in progress at the end; a request that is not repeated would add one more
    assert fleet.count_unacknowledged() <= 2


async def cut_sessions_with_locks(server: Server, shard: int) -> None:
    """End the database session that holds a shard's lock."""
    held = f"locktype = 'advisory' AND mode = 'ExclusiveLock' AND objid = {shard}"
    server.run_sql(f"SELECT pg_terminate_backend(pid) FROM pg_locks WHERE {held}", "canasta")  # noqa: S608


@NIGHT
@pytest.mark.parametrize("apart", [False, True])
async def test_only_locks_on_the_connection_that_writes_keep_two_owners_apart(
    server: Server, tmp_path: Path, print_past_capture: Tell, *, apart: bool
) -> None:
    """With locks on another connection (`apart`), a process that has lost them goes on writing."""
    async with writers(server, tmp_path, names="a spare", count=1, again=5, apart=apart) as fleet:
        for _ in range(4):
            ((_, name),) = fleet.owners().items()
            await fleet.wait_until_written(20)
            await cut_sessions_with_locks(server, 0)
            with suppress(TimeoutError):  # the former owner may be the first to claim the shard again
                await fleet.wait_until_owned(0, name, seconds=3)
            await fleet.wait_until_written(20)
    print_past_capture(f"locks {'apart' if apart else 'on the writer'}, cut off 4 times: {fleet.counts_line()}")
    assert apart is any("acted for" in fault for fault in fleet.faults())
    assert apart is bool(fleet.faults())


# --- controls: the harness notices what goes wrong without protection -------------------------------------------------


@NIGHT
async def test_with_commits_that_are_not_synchronised_a_killed_server_loses_changes(
    server: Server, tmp_path: Path, print_past_capture: Tell
) -> None:
    settings = {**QUICK["settings"], "synchronous_commit": "off"}  # type: ignore[dict-item]
    async with writers(server, tmp_path, names="a b c", again=20, settings=settings) as fleet:
        for _ in range(10):
            await fleet.wait_until_written(100)
            server.kill()
            server.start()
            await fleet.wait_until_written(50)
    print_past_capture(f"not synchronised, 10 kills of the server: {fleet.counts_line()}")
    assert any("is lost" in fault for fault in fleet.faults())


@NIGHT
async def test_without_an_end_of_silent_sessions_a_process_that_stands_still_is_not_replaced(
    server: Server, tmp_path: Path, print_past_capture: Tell
) -> None:
    options: dict[str, Any] = {"settings": ENDLESS, "silent_for": 10**6}
    async with writers(server, tmp_path, names="a spare", count=1, **options) as fleet:
        ((_, name),) = fleet.owners().items()
        os.kill(fleet.running[name].pid, signal.SIGSTOP)
        with pytest.raises(TimeoutError):
            await fleet.wait_until_owned(0, name, seconds=20)
    print_past_capture("silent sessions never end: nobody took over within 20 s")


@NIGHT
async def test_without_the_limit_of_silence_a_paused_owner_acts_after_losing_its_shards(
    server: Server, tmp_path: Path, print_past_capture: Tell
) -> None:
    async with writers(server, tmp_path, names="a spare", count=1, never_silent=True) as fleet:
        ((_, name),) = fleet.owners().items()
        os.kill(fleet.running[name].pid, signal.SIGSTOP)
        await fleet.wait_until_owned(0, name)
        os.kill(fleet.running[name].pid, signal.SIGCONT)
        await fleet.running[name].wait()
    print_past_capture(f"no limit of silence: {fleet.counts_line()}")
    assert any(f"{name} acted" in fault for fault in fleet.faults())
