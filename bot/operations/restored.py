"""The command `restored`: deletes people again after a server's backup was put back, before the first start."""

from __future__ import annotations

import argparse
import asyncio
from functools import partial
from pathlib import Path

from bot.clocks.clock import SystemClock
from bot.exit_codes import ExitCode
from bot.operations.report import Report, add_json, carry_out_on_server
from bot.operations.restore import forget_people
from bot.store.engines.seam import ShardPlan
from bot.store.errors import OtherFleet
from bot.store.store import open_store
from bot.store.upkeep import restoring
from bot.store.upkeep.deletions import KEPT, deleted_of, deletions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the argument for the list of deletions."""
    parser.add_argument("--deletions", type=Path, required=True, metavar="FILE", help="what `deletions` printed last")
    add_json(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Prepare a restored database; return 0 if done, 1 if it is too old, 4 while a process runs."""
    return carry_out_on_server("restored", arguments, partial(_prepare, arguments.deletions))


def _prepare(listed: Path, url: str, report: Report) -> ExitCode:
    """Delete the listed people again, and have every table say that its last moments are lost."""
    return asyncio.run(_prepare_in_store(listed, url, report))


async def _prepare_in_store(listed: Path, url: str, report: Report) -> ExitCode:
    """Do the work of `_prepare`."""
    from bot.store.engines.postgres_upkeep import columns_of, fleet_state, look_at  # noqa: PLC0415 - psycopg is optional

    now = SystemClock().now()
    with look_at(url) as session:
        state = fleet_state(session)
        as_of = restoring.last_change(session)
        people = restoring.people_of(session, columns_of(session))
    if as_of < now - KEPT:
        remedy = "It is not known who has been deleted since; begin with a new database."
        report.bad("backup", f"is of more than {KEPT // 86_400_000} days ago", remedy)
        return ExitCode.FAILED
    again = deleted_of(people, deletions(listed), since=as_of)

    def refuse() -> None:
        raise OtherFleet("a process runs on this database; stop all first")

    async with open_store(url, plan=ShardPlan(state.count, state.count, "restored"), waiting=refuse) as store:
        await forget_people(store, again)
        await store.run_upkeep(partial(restoring.have_tables_told, as_of=as_of, now=now))
    report.ok("people", f"{len(again)} deleted again")
    report.facts |= {"people_deleted": len(again), "as_of": as_of}
    return ExitCode.DONE
