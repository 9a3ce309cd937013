"""Run a bot process that kills itself once, at a chosen point of the deletion of a person.

Run it with `python -m tests.support.kill_points_of_deletions POINT ADDRESS`. POINT names the moment. The owner of shard
2 is killed `between_tables`, after the person has left the first table, or when the person has `left` all tables but
that is not noted yet. The owner of shard 0 is killed `before_commit` of the last transaction, or when the person is
`deleted` but that is not noted yet. A file in the working folder prevents that later processes are killed too.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
from contextlib import suppress
from functools import partialmethod

from bot.loopback.bootstrap import redirect_discord_library
from bot.store.engines.postgres_connection import ServerSession
from bot.store.outbox import FORGET, LEAVE, OutboxRow, OutboxStore
from bot.tables.people.service import PersonalDataService

POINTS = ("between_tables", "left", "before_commit", "deleted")

give_up, notify, done = PersonalDataService._give_up_seats, ServerSession.notify, OutboxStore.delete_promise


def kill_process_once() -> None:
    """Kill this process, unless another one of the fleet has been killed already."""
    with suppress(FileExistsError):
        os.close(os.open("killed", os.O_CREAT | os.O_EXCL))
        os.kill(os.getpid(), signal.SIGKILL)


async def leave_table_then_kill(people: PersonalDataService, table: int, person: int) -> None:
    """Let the person leave a table; then kill this process if it owns shard 2."""
    await give_up(people, table, person)
    if people._context.store.shards.first == 2:
        kill_process_once()


def notify_or_kill(session: ServerSession, text: str) -> None:
    """Send a notification to the fleet; if it announces a deletion, kill this process before the commit."""
    if text.startswith("forgotten"):
        kill_process_once()
    notify(session, text)


async def delete_row_or_kill(outbox: OutboxStore, row: OutboxRow, *, kind: str) -> None:
    """Delete an outbox row whose work is done; if it is of this kind, kill this process first.

    For `LEAVE`, only the process with shard 2 is killed.
    """
    if row.kind == kind and (kind == FORGET or outbox._database.shards.first == 2):
        kill_process_once()
    await done(outbox, row)


def arm_kill_point(point: str) -> None:
    """Patch this process so that it is killed at that point."""
    if point == "between_tables":
        PersonalDataService._give_up_seats = leave_table_then_kill  # type: ignore[method-assign,assignment]
    elif point == "before_commit":
        ServerSession.notify = notify_or_kill  # type: ignore[method-assign,assignment]
    else:
        kind = LEAVE if point == "left" else FORGET
        OutboxStore.delete_promise = partialmethod(delete_row_or_kill, kind=kind)  # type: ignore[method-assign,assignment]


if __name__ == "__main__":
    arm_kill_point(sys.argv[1])
    redirect_discord_library(sys.argv[2])
    sys.argv[1:] = ["run"]
    runpy.run_module("bot", run_name="__main__", alter_sys=True)
