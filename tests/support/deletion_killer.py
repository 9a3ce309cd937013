"""The bot, killed once in the midst of deleting a person: `python -m tests.support.deletion_killer POINT ADDRESS`.

The owner of shard 2 is killed `between_tables`, when it has left the first one, or when it has `left` all but not yet
noted it; the owner of shard 0 `before_commit` of the last transaction, or when the person is `deleted` and it is not
yet noted. A file in the working folder keeps later processes from dying too.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
from contextlib import suppress
from functools import partialmethod

from bot.loopback.bootstrap import point_at
from bot.store.engines.postgres_connection import ServerSession
from bot.store.outbox import FORGET, LEAVE, OutboxRow, OutboxStore
from bot.tables.people.service import DataService

POINTS = ("between_tables", "left", "before_commit", "deleted")

give_up, notify, done = DataService._give_up, ServerSession.notify, OutboxStore.done


def die() -> None:
    """Kill this process, unless one of the fleet was killed before."""
    with suppress(FileExistsError):
        os.close(os.open("killed", os.O_CREAT | os.O_EXCL))
        os.kill(os.getpid(), signal.SIGKILL)


async def give_up_one(people: DataService, table: int, person: int) -> None:
    """Leave a table, and die if that was at the owner of shard 2."""
    await give_up(people, table, person)
    if people._context.store.shards.first == 2:
        die()


def notify_or_die(session: ServerSession, text: str) -> None:
    """Die before the processes of the fleet are told of a deletion, which is written but not committed."""
    if text.startswith("forgotten"):
        die()
    notify(session, text)


async def note_or_die(outbox: OutboxStore, row: OutboxRow, *, kind: str) -> None:
    """Die before it is noted that a promise of this kind was kept; of those to leave, at the owner of shard 2."""
    if row.kind == kind and (kind == FORGET or outbox._database.shards.first == 2):
        die()
    await done(outbox, row)


def arm(point: str) -> None:
    """Have this process, which is one of its own, die at that point."""
    if point == "between_tables":
        DataService._give_up = give_up_one  # type: ignore[method-assign,assignment]
    elif point == "before_commit":
        ServerSession.notify = notify_or_die  # type: ignore[method-assign,assignment]
    else:
        kind = LEAVE if point == "left" else FORGET
        OutboxStore.done = partialmethod(note_or_die, kind=kind)  # type: ignore[method-assign,assignment]


if __name__ == "__main__":
    arm(sys.argv[1])
    point_at(sys.argv[2])
    sys.argv[1:] = ["run"]
    runpy.run_module("bot", run_name="__main__", alter_sys=True)
