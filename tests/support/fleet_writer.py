"""A process of a fleet that only writes.

Run it with `python -m tests.support.fleet_writer URL FOLDER NAME SIZE COUNT OPTIONS`. It owns the tables of its shards,
commits one action after another at each, and appends a line to its file for every one that is acknowledged: ``ack
<table> <version>``. As long as its store permits it to act by itself, it also appends ``post <shard> <instant>``
several times a second, where a bot would post a board. `OPTIONS` is JSON: see `switch_off_safeguards`.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from bot.store import database
from bot.store.engines import postgres_connection, postgres_server
from bot.store.engines.interface import Session, ShardPlan, Shards
from bot.store.engines.postgres_connection import ServerSession
from bot.store.errors import DatabaseAway, StaleVersion, StorageFailed, StoreClosed
from bot.store.store import Store, open_store
from tests.support.fleet import guild_id_of_shard
from tests.support.stored_tables import new_change, new_table

PAUSE = 0.002

LOSING: list[type[Exception]] = []
"""Further errors that the process survives: if two writers own a table, because locks are off, each loses at times."""


class NotesFile:
    """A file to which lines are appended, each by one write, so that they survive a kill."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def add(self, line: str) -> None:
        os.write(self._file, f"{line}\n".encode())


async def write_actions(store: Store, shard: int, count: int, notes: NotesFile) -> None:
    """Commit actions at the table of a shard without end, beginning at the table's stored version.

    A request whose answer was lost is repeated, as by a person who clicks again: it may have been served.
    """
    request = time.time_ns()
    while True:
        with suppress(DatabaseAway, *LOSING):
            found = await store.tables.tables_in_guild(guild_id_of_shard(shard, count=count), ("lobby", "playing"))
            new = new_table(guild=guild_id_of_shard(shard, count=count), request=None)
            table = found[0].id if found else await store.tables.create(new)
            loaded, served = await store.tables.load(table), await store.tables.action_of_request(request)
            assert loaded is not None
            version = loaded.version
            if served is not None:
                notes.add(f"ack {table} {served.version}")
                request = time.time_ns()
            while True:
                version = await store.tables.commit(new_change(table, version, request=request))
                notes.add(f"ack {table} {version}")
                request = time.time_ns()
                await asyncio.sleep(PAUSE)
        await asyncio.sleep(0.05)


async def note_permissions_to_post(store: Store, notes: NotesFile) -> None:
    """Note again and again that this process may post a board, as long as its store permits it."""
    while True:
        if store.may_act:
            notes.add(f"post {store.shards.first} {time.time():.3f}")
        await asyncio.sleep(0.02)


async def run_writer(address: str, folder: Path, name: str, plan: ShardPlan) -> int:
    """Commit actions in all shards of this process until the store fails; then return 1."""
    notes = NotesFile(folder / name)
    async with open_store(address, plan=plan, waiting=lambda: None) as store:
        shards: Shards = store.shards
        notes.add(f"own {shards.first} {time.time():.3f}")
        tasks = [asyncio.create_task(note_permissions_to_post(store, notes))]
        owned = range(shards.first, shards.last + 1)
        tasks += [asyncio.create_task(write_actions(store, shard, plan.count, notes)) for shard in owned]
        failing = asyncio.create_task(store.wait_for_failure())
        await asyncio.wait([*tasks, failing], return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return 1


def hold_locks_on_other_connection(address: str, name: str) -> None:
    """Hold the locks of shards on a connection other than the one that writes: a mistake, made on purpose."""
    claim, apart = postgres_server.claim_shards, list[ServerSession]()

    def claim_shards_apart(_session: Session, shards: Shards) -> bool:
        if not apart:
            apart.append(ServerSession(postgres_connection.open_connection(address, {}, f"{name} locks")))
        return claim(apart[0], shards)

    postgres_server.claim_shards = claim_shards_apart  # type: ignore[assignment]


def switch_off_safeguards(options: Mapping[str, Any], address: str, name: str) -> None:
    """Switch off safeguards of the program in this process, so that a test can show what they prevent."""
    postgres_connection.WRITER.update(options.get("settings", {}))
    database.LONGEST_SILENCE = options.get("silence", database.LONGEST_SILENCE)  # type: ignore[misc]
    database.BEAT_EVERY = options.get("beat", database.BEAT_EVERY)  # type: ignore[misc]
    postgres_server.SILENT_FOR = options.get("silent_for", postgres_server.SILENT_FOR)  # type: ignore[misc]
    if options.get("apart"):
        hold_locks_on_other_connection(address, name)
        LOSING.append(StaleVersion)
    if options.get("never_silent"):
        database.Database.may_act = property(lambda _: True)  # type: ignore[assignment,method-assign]


if __name__ == "__main__":
    chosen: dict[str, Any] = json.loads(sys.argv[6])
    switch_off_safeguards(chosen, sys.argv[1], sys.argv[3])
    with suppress(StorageFailed, StoreClosed):
        parts = ShardPlan(int(sys.argv[4]), int(sys.argv[5]), sys.argv[3], try_for=chosen.get("again", 5.0))
        asyncio.run(run_writer(sys.argv[1], Path(sys.argv[2]), sys.argv[3], parts))
    sys.exit(1)
