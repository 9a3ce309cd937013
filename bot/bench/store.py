"""Measure how fast the store writes actions durably, and how soon a bot with many tables is ready.

The figures are compared with a floor, the least cost of as many actions on the same disk in the same run: `executemany`
of the standard library with one commit per batch, and one row per table in each batch. With `--database URL` the same
is measured on a server in the same run, beside psycopg's `executemany` there. Start and memory are measured in separate
processes, on a file with that many open tables and alarms, after an outage of nine hours.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final

from bot.clocks.clock import HOUR, SystemClock
from bot.clocks.scheduler import Scheduler
from bot.clocks.uptime import Uptime
from bot.store.engines.sqlite_connection import plain_sqlite3_rate
from bot.store.store import Store, open_store
from bot.store.table_changes import NewTable, TableChange, TimerChange

AT_ONCE: Final = (1, 32, 256)
ACTIONS: Final = 2_048
TABLES: Final = 10_000
ALARMS: Final = 50_000
KINDS: Final = ("clock", "idle", "latest_end", "expire", "next_deal")
AWAY: Final = 9 * HOUR

PAYLOAD: Final = json.dumps({"action": {"action": "discard"}, "events": [{"event": "discarded", "card": "4c"}] * 3})
SNAPSHOT: Final = json.dumps(
    {"format": 1, "game": {"hands": ["4c" * 15] * 4, "stock": "7d" * 60, "log": ["x" * 60] * 90}}
)
"""A text about as long as the snapshot of a game for four."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this measurement."""
    parser.add_argument("--actions", type=int, default=ACTIONS, help=f"actions a figure (default: {ACTIONS})")
    parser.add_argument("--tables", type=int, default=TABLES, help=f"open tables at the start (default: {TABLES})")
    parser.add_argument("--alarms", type=int, default=ALARMS, help=f"alarms that are set (default: {ALARMS})")
    parser.add_argument(
        "--database", metavar="URL", help="measure on a server too, in an empty database that keeps the tables"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(arguments: argparse.Namespace) -> int:
    """Measure durable actions and the bot's start, and print the figures."""
    figures: dict[str, Any] = {}
    with TemporaryDirectory() as folder:
        for number in AT_ONCE:  # the file and the server take turns, so that other programs slow both down
            figures[f"{number}_tables"] = _measure_durable_actions(Path(folder), number, arguments.actions)
            if arguments.database:
                on_server = _measure_on_server(arguments.database, number, arguments.actions)
                figures[f"{number}_tables_on_server"] = on_server
        figures["start"] = _measure_start(Path(folder), arguments.tables, arguments.alarms)
    _print_figures(figures, as_json=arguments.json)
    return 0


def _print_figures(figures: Mapping[str, Any], *, as_json: bool) -> None:
    """Print the figures, as JSON or one line each."""
    if as_json:
        print(json.dumps(figures))
        return
    for name, values in figures.items():
        print(f"{name}: " + ", ".join(f"{key} {value}" for key, value in values.items()))


# --- durable actions --------------------------------------------------------------------------------------------------


def _measure_durable_actions(folder: Path, tables: int, actions: int) -> Mapping[str, float]:
    """Return the actions per second of the store and of the floor, and their ratio."""
    rounds = max(1, actions // tables)
    ours = asyncio.run(_actions_per_second(folder / f"store-{tables}.db", tables, rounds))
    floor = plain_sqlite3_rate(folder / f"floor-{tables}.db", tables, rounds, snapshot=SNAPSHOT, payload=PAYLOAD)
    return {"actions_per_second": round(ours), "floor_per_second": round(floor), "ratio": round(ours / floor, 2)}


def _measure_on_server(address: str, tables: int, actions: int) -> Mapping[str, float]:
    """Return the actions per second of the store on a server and of the floor there, and their ratio."""
    from bot.store.engines.postgres_baseline import plain_psycopg_rate  # noqa: PLC0415 - psycopg is optional

    rounds = max(1, actions // tables)
    ours = asyncio.run(_actions_per_second(address, tables, rounds))
    floor = plain_psycopg_rate(address, tables, rounds, snapshot=SNAPSHOT, payload=PAYLOAD)
    return {"actions_per_second": round(ours), "floor_per_second": round(floor), "ratio": round(ours / floor, 2)}


async def _actions_per_second(path: Path | str, tables: int, rounds: int) -> float:
    """Return how many actions per second the store writes durably, to a file or a server."""
    async with open_store(path) as store:
        first = tables * 1_000_000  # a server still has the tables of earlier measurements, so requests need other ids
        numbers = await asyncio.gather(*(store.tables.create(_new_table(first + number)) for number in range(tables)))
        began = perf_counter()
        await asyncio.gather(*(_write_actions(store, table, rounds) for table in numbers))
        return tables * rounds / (perf_counter() - began)


async def _write_actions(store: Store, table: int, rounds: int) -> None:
    """Write `rounds` actions at a table, one after the other."""
    for version in range(1, rounds + 1):
        await store.tables.commit(_change_of_table(table, version))


# --- a start with many tables -----------------------------------------------------------------------------------------


def _measure_start(folder: Path, tables: int, alarms: int) -> Mapping[str, float]:
    """Measure the start of the bot with a full and an empty file; return time and memory by name."""
    empty, full = folder / "empty.db", folder / "full.db"
    asyncio.run(_fill_database(empty, 0, 0))
    asyncio.run(_fill_database(full, tables, alarms))
    before, after = (_measure_in_new_process(path) for path in (empty, full))
    return {
        "tables": tables,
        "alarms": after["alarms"],
        "ready_ms": round(after["ready_ms"]),
        "empty_ready_ms": round(before["ready_ms"]),
        "more_memory_mb": round(after["memory_mb"] - before["memory_mb"], 1),
        "outages_stored": after["outages"],
        "alarms_moved": after["moved"],
    }


async def _fill_database(path: Path, tables: int, alarms: int) -> None:
    """Create a database with that many open tables, of which `alarms` have an alarm."""
    now = SystemClock().now()
    each = -(-alarms // tables) if tables else 0
    async with open_store(path) as store:
        numbers = await asyncio.gather(*(store.tables.create(_new_table(number)) for number in range(tables)))
        timers = tuple(TimerChange(kind, now + HOUR) for kind in KINDS[:each])
        await asyncio.gather(*(store.tables.commit(_change_of_table(table, 1, timers)) for table in numbers))
        await store.times.note_heartbeat(now - AWAY)


def _measure_in_new_process(path: Path) -> Mapping[str, float]:
    """Return the figures of a start on that file, measured in a new process."""
    call = f"import json; from bot.bench import store; print(json.dumps(store.figures_of_new_start({str(path)!r})))"
    done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True, check=True)  # noqa: S603 - the arguments are constants
    found: Mapping[str, float] = json.loads(done.stdout)
    return found


def figures_of_new_start(path: str) -> Mapping[str, float]:
    """Return, by name, the figures of the bot's start on that file; called in a new process.

    The start ends when the scheduler has looked for due alarms for the first time.
    """
    return asyncio.run(_figures_of_start(Path(path)))


class _TablesWithoutAlarms:
    """A handler of deadlines for a file in which no deadline is due."""

    async def fire_deadline(self, table: int, kind: str) -> None:
        raise LookupError(f"{kind} of {table} is not due")


async def _figures_of_start(path: Path) -> Mapping[str, float]:
    """Start the bot's store and tables on that file; return the milliseconds, memory and counts."""
    clock, began = SystemClock(), perf_counter()
    async with open_store(path) as store:
        readiness = Uptime(store.times, clock)
        await readiness.load()
        await Scheduler(store.times, clock, _TablesWithoutAlarms(), readiness=readiness).fire_due()
        await store.tables.tables_awaiting_computers()
        ready = perf_counter() - began
        memory = _memory_megabytes()
        timers = await store.times.due_timers(2**62, 2**62)
        dues = {one.due_at for one in timers}
        return {
            "ready_ms": 1000 * ready,
            "memory_mb": memory,
            "outages": len(await store.times.outages()),
            "alarms": len(timers),
            "moved": sum(one.version != 2 for one in timers) + max(0, len(dues) - 1),
        }


def _memory_megabytes() -> float:
    """Return the memory of this process in megabytes."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    held = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(held.split()[1]) / 1024


def _new_table(number: int) -> NewTable:
    """Return the data of a new table."""
    return NewTable(
        guild=number % 50,
        channel=number,
        thread=None,
        request=number + 1,
        person=number,
        kind="create",
        payload=PAYLOAD,
        status="playing",
        snapshot=SNAPSHOT,
        at=1,
        seated=(number,),
    )


def _change_of_table(table: int, version: int, timers: tuple[TimerChange, ...] = ()) -> TableChange:
    """Return a change of a table to store, with the version that follows `version`."""
    return TableChange(
        table=table,
        expected_version=version,
        request=None,
        person=None,
        seat=0,
        kind="discard",
        payload=PAYLOAD,
        status="playing",
        snapshot=SNAPSHOT,
        at=version,
        timers=timers,
    )
