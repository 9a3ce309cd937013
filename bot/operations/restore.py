"""The command `restore`: replaces the database by a backup. The bot must be stopped.

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
from bot.operations.database_checks import check_tables
from bot.operations.report import Report, add_common_arguments, run_on_file
from bot.operations.text_formats import duration_text, file_stamp, number_with_noun
from bot.store.engines import sqlite_copies as copies
from bot.store.engines.sqlite_connection import DatabaseLock
from bot.store.errors import StoreError
from bot.store.store import Store, open_store
from bot.store.upkeep import restoring
from bot.store.upkeep.deletions import KEPT, deleted_since, deletion_list_path, merge_deletion_lists, read_deletions
from bot.store.upkeep.offline_databases import OfflineDatabase, open_file_for_changes, open_file_for_reading
from bot.tables.core.limits import Limits
from bot.tables.people.notices import NoticeRepository
from bot.tables.service import TableService
from bot.tables.timing.timekeeping import StoredTimeLookup
from bot.tournaments.service import TournamentService


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the argument for the backup file."""
    parser.add_argument("file", type=Path, help="a file that `canasta-bot backup` has made")
    add_common_arguments(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Restore a backup.

    Return 0 if done, 1 if it is not sound, 4 while the bot runs, 5 if the disk is too full.
    """
    return run_on_file("restore", arguments, partial(_restore_backup, arguments))


def _restore_backup(arguments: argparse.Namespace, database: Path, report: Report) -> ExitCode:
    """Lock the database, then restore the backup."""
    database = database.resolve()
    lock = DatabaseLock(database)
    try:
        return _restore_under_lock(arguments.file, database, report)
    finally:
        lock.release()


def _restore_under_lock(backup: Path, database: Path, report: Report) -> ExitCode:
    """Copy and check the backup, delete people again who were deleted since, and put the copy in place."""
    now = SystemClock().now()
    with open_file_for_reading(backup) as file:
        as_of = restoring.last_heartbeat(file)
        if as_of < now - KEPT:
            remedy = "It is not known who has been deleted since; begin with a new file."
            report.add_error("backup", f"is of more than {KEPT // 86_400_000} days ago", remedy)
            return ExitCode.FAILED
        if damage := file.find_damage():
            report.add_error("backup", f"is damaged: {damage[0][:200]}", "Take another one.")
            return ExitCode.FAILED
    copies.require_disk_space(database.parent, backup.stat().st_size)
    copy = database.with_name(f"{database.name}.unfinished")
    _remove_copy(copy)
    copies.copy_database(backup, copy)
    deleted = _delete_people_again(copy, [deletion_list_path(database), deletion_list_path(backup)], as_of)
    with open_file_for_reading(copy) as file:
        if not check_tables(file, "open", report):
            _remove_copy(copy)
            return ExitCode.FAILED
    with open_file_for_changes(copy) as file:
        restoring.prepare_restored_database(file, as_of=as_of, now=now)
    copies.vacuum_file(copy)
    present = _last_heartbeat(database)
    old = _unused_path(database, file_stamp(now))
    merge_deletion_lists(deletion_list_path(database), others=[deletion_list_path(backup)])
    copies.replace_database(copy, database, old=old)
    _remove_copy(copy)
    report.add_ok("restored", f"{backup}; set back by {duration_text((present or now) - as_of)}")
    report.add_ok("deletions", f"{number_with_noun(deleted, 'person', 'people')} deleted again")
    if old.exists():
        report.add_ok("old file", f"{old}; delete it when all is well, for it holds people who were deleted")
    report.facts |= {"people_deleted": deleted, "as_of": as_of, "old": str(old) if old.exists() else None}
    return ExitCode.DONE


def _unused_path(database: Path, stamp: str) -> Path:
    """Return an unused path under which the present file is kept.

    Even after a restore that was killed in the same second the path is new.
    """
    name = database.with_name(f"{database.name}.old-{stamp}")
    later = (name.with_name(f"{name.name}-{number}") for number in count(2))
    return next(one for one in chain([name], later) if not one.exists())


def _remove_copy(copy: Path) -> None:
    """Remove the copy of a backup with its log files."""
    for path in copy.parent.glob(f"{copy.name}*"):
        path.unlink()


def _last_heartbeat(database: Path) -> int | None:
    """Return the instant of the database's last heartbeat; None if it cannot be read."""
    try:
        with open_file_for_reading(database) as file:
            return restoring.last_heartbeat(file) or None
    except (StoreError, *restoring.UNREADABLE):
        return None


# --- people ----------------------------------------------------------------------------------------------------------


def _delete_people_again(copy: Path, lists: list[Path], as_of: int) -> int:
    """Delete from the copy all people whose deletion is listed after `as_of`; return their number.

    The copy is migrated to the newest schema.
    """
    return asyncio.run(_delete_listed_people(copy, lists, as_of))


async def _delete_listed_people(copy: Path, lists: list[Path], as_of: int) -> int:
    """Delete from the copy all people whose deletion is listed after `as_of`; return their number."""
    async with open_store(copy) as store:
        with open_file_for_reading(copy) as file:
            people = _people_deleted_since(file, lists, as_of)
        await forget_people(store, people)
    return len(people)


async def forget_people(store: Store, people: Collection[int]) -> None:
    """Delete people from a store that no bot uses."""
    clock = SystemClock()
    readiness, personal = Uptime(store.times, clock), PersonalTimes(store.times)
    await readiness.load()
    time_lookup = StoredTimeLookup(personal, readiness, NoticeRepository(store))
    tables = TableService(store, clock, Limits(), personal=personal, time_lookup=time_lookup)
    tournaments = TournamentService(store, clock, tables, away=readiness.outages)
    tables.people.subscribe_before_deletion(tournaments.entering.withdraw_all_entries)
    for person in people:
        await tables.people.carry_out_deletion(person)
    await tournaments.playing.finish()
    await tables.finish()


def _people_deleted_since(file: OfflineDatabase, lists: list[Path], as_of: int) -> tuple[int, ...]:
    """Return the people in the file whose deletion is listed after `as_of`."""
    return deleted_since(restoring.people_in_database(file), read_deletions(*lists), since=as_of)
