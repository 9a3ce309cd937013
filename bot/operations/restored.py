"""The command `restored`: prepares a database on a server that was restored from a backup.

It deletes people again who were deleted since the backup; it must run before the first start.
"""

from __future__ import annotations

import argparse
import asyncio
from functools import partial
from pathlib import Path

from bot.clocks.clock import SystemClock
from bot.exit_codes import ExitCode
from bot.operations.report import Report, add_json_option, run_on_server
from bot.operations.restore import forget_people
from bot.operations.text_formats import number_with_noun
from bot.store.upkeep import restoring
from bot.store.upkeep.deletions import KEPT, deleted_since, read_deletions
from bot.store.upkeep.offline_databases import DatabasePlace, open_database_for_reading, open_store_alone


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the argument for the list of deletions."""
    parser.add_argument("--deletions", type=Path, required=True, metavar="FILE", help="what `deletions` printed last")
    add_json_option(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Prepare a restored database; return 0 if done, 1 if it is too old, 4 while a process runs."""
    return run_on_server("restored", arguments, partial(_prepare_database, arguments.deletions))


def _prepare_database(listed: Path, url: str, report: Report) -> ExitCode:
    """Delete the listed people again, and promise each table a message that its last moves are lost."""
    return asyncio.run(_prepare_in_store(listed, url, report))


async def _prepare_in_store(listed: Path, url: str, report: Report) -> ExitCode:
    """Prepare the restored database in the event loop; see `_prepare_database`."""
    now, place = SystemClock().now(), DatabasePlace(Path(), url)
    with open_database_for_reading(place) as database:
        as_of = restoring.last_heartbeat(database)
        people = restoring.people_in_database(database)
    if as_of < now - KEPT:
        remedy = "It is not known who has been deleted since; begin with a new database."
        report.add_error("backup", f"is of more than {KEPT // 86_400_000} days ago", remedy)
        return ExitCode.FAILED
    again = deleted_since(people, read_deletions(listed), since=as_of)
    async with open_store_alone(place) as store:
        await forget_people(store, again)
        await store.run_upkeep(partial(restoring.promise_restore_messages, as_of=as_of, now=now))
    report.add_ok("deletions", f"{number_with_noun(len(again), 'person', 'people')} deleted again")
    report.facts |= {"people_deleted": len(again), "as_of": as_of}
    return ExitCode.DONE
