"""The command `restore`: puts a backup in the place of the database (bot stopped).

Everything is done in a copy beside the database; a kill at any moment leaves the old file or the new one.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Collection
from functools import partial
from itertools import chain, count
from pathlib import Path

from bot.clocks.clock import SystemClock
from bot.clocks.quiet_hours_and_vacation import PersonalTimes
from bot.clocks.uptime import Uptime
from bot.exit_codes import ExitCode
from bot.operations.checking import check_tables
from bot.operations.report import Report, add_common, carry_out
from bot.operations.stamps import count_text, file_stamp, span_text
from bot.store.engines import sqlite_copies as copies
from bot.store.engines.sqlite_connection import DatabaseLock
from bot.store.errors import StoreError
from bot.store.store import Store, open_store
from bot.store.upkeep import restoring
from bot.store.upkeep.deletions import KEPT, deleted_of, deletions, list_of, merge_lists
from bot.store.upkeep.offline import OfflineDatabase, change_file, read_file
from bot.tables.core.limits import Limits
from bot.tables.people.notices import NoticeRepository
from bot.tables.service import TableService
from bot.tables.timing.timekeeping import TimeKeeper
from bot.tournaments.service import TournamentService


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the argument for the backup file."""
    parser.add_argument("file", type=Path, help="a file that `canasta-bot backup` has made")
    add_common(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Restore a backup; return 0 if done, 1 if it is not sound, 4 while the bot runs, 5 if the disk is too full."""
    return carry_out("restore", arguments, partial(_restore, arguments))


def _restore(arguments: argparse.Namespace, database: Path, report: Report) -> ExitCode:
    """Lock the database, then restore the backup."""
    database = database.resolve()
    lock = DatabaseLock(database)
    try:
        return _restore_under_lock(arguments.file, database, report)
    finally:
        lock.release()


def _restore_under_lock(backup: Path, database: Path, report: Report) -> ExitCode:
    """Copy and check the backup, delete forgotten people from it, and put it in place."""
    now = SystemClock().now()
    with read_file(backup) as file:
        as_of = restoring.last_heartbeat(file)
        if as_of < now - KEPT:
            remedy = "It is not known who has been deleted since; begin with a new file."
            report.bad("backup", f"is of more than {KEPT // 86_400_000} days ago", remedy)
            return ExitCode.FAILED
        if damage := file.damage():
            report.bad("backup", f"is damaged: {damage[0][:200]}", "Take another one.")
            return ExitCode.FAILED
    copies.require_room(database.parent, backup.stat().st_size)
    copy = database.with_name(f"{database.name}.unfinished")
    _remove_all(copy)
    copies.copy_database(backup, copy)
    deleted = _forget_again(copy, [list_of(database), list_of(backup)], as_of)
    with read_file(copy) as file:
        if not check_tables(file, "open", report):
            _remove_all(copy)
            return ExitCode.FAILED
    with change_file(copy) as file:
        restoring.prepare_restored(file, as_of=as_of, now=now)
    copies.rewrite(copy)
    present = _heartbeat_of(database)
    old = _free_name(database, file_stamp(now))
    merge_lists(list_of(database), others=[list_of(backup)])
    copies.put_in_place(copy, database, old=old)
    _remove_all(copy)
    report.ok("restored", f"{backup}; set back by {span_text((present or now) - as_of)}")
    report.ok("deletions", f"{count_text(deleted, 'person', 'people')} deleted again")
    if old.exists():
        report.ok("old file", f"{old}; delete it when all is well, for it holds people who were deleted")
    report.facts |= {"people_deleted": deleted, "as_of": as_of, "old": str(old) if old.exists() else None}
    return ExitCode.DONE


def _free_name(database: Path, stamp: str) -> Path:
    """Return an unused name under which to keep the present file, even after a restore killed in the same second."""
    name = database.with_name(f"{database.name}.old-{stamp}")
    later = (name.with_name(f"{name.name}-{number}") for number in count(2))
    return next(one for one in chain([name], later) if not one.exists())


def _remove_all(copy: Path) -> None:
    """Remove a copy with its log files."""
    for path in copy.parent.glob(f"{copy.name}*"):
        path.unlink()


def _heartbeat_of(database: Path) -> int | None:
    """Return the instant of the present file's last heartbeat; None if it cannot be read."""
    try:
        with read_file(database) as file:
            return restoring.last_heartbeat(file) or None
    except (StoreError, *restoring.UNREADABLE):
        return None


# --- people ----------------------------------------------------------------------------------------------------------


def _forget_again(copy: Path, lists: list[Path], as_of: int) -> int:
    """Migrate the copy, delete people whose deletion is listed after `as_of`, and return their number."""
    return asyncio.run(_forget_all(copy, lists, as_of))


async def _forget_all(copy: Path, lists: list[Path], as_of: int) -> int:
    """Delete the listed people from the copy and return their number."""
    async with open_store(copy) as store:
        with read_file(copy) as file:
            people = _people_deleted_since(file, lists, as_of)
        await forget_people(store, people)
    return len(people)


async def forget_people(store: Store, people: Collection[int]) -> None:
    """Delete people from a store that no bot uses."""
    clock = SystemClock()
    readiness, personal = Uptime(store.times, clock), PersonalTimes(store.times)
    await readiness.load()
    keeper = TimeKeeper(personal, readiness, NoticeRepository(store))
    tables = TableService(store, clock, Limits(), personal=personal, keeper=keeper)
    tournaments = TournamentService(store, clock, tables, away=readiness.away)
    tables.people.on_forget(tournaments.entering.withdraw_everywhere)
    for person in people:
        await tables.people.carry_out_forgetting(person)
    await tournaments.playing.finish()
    await tables.finish()


def _people_deleted_since(file: OfflineDatabase, lists: list[Path], as_of: int) -> tuple[int, ...]:
    """Return the people in the file whose deletion is listed after `as_of`."""
    return deleted_of(restoring.people_in(file), deletions(*lists), since=as_of)
