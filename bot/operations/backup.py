"""The command `backup`: makes a copy of the database while the bot runs, and checks it."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import Final

from bot.clocks.clock import SystemClock
from bot.exit_codes import ExitCode
from bot.operations.database_checks import check_file
from bot.operations.report import Report, add_common_arguments, run_on_file
from bot.operations.text_formats import file_stamp, parse_stamp
from bot.store.engines import sqlite_copies as copies
from bot.store.upkeep.deletions import deletion_list_path, merge_deletion_lists
from bot.store.upkeep.offline_databases import open_file_for_reading

FOLDER: Final = Path("backups")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options for the folder, the number of backups to keep and the depth of the check."""
    parser.add_argument("folder", nargs="?", type=Path, help="where to put it (default: backups beside the database)")
    parser.add_argument(
        "--keep", type=_parse_backup_count, default=14, metavar="NUMBER", help="backups to keep (default: 14)"
    )
    parser.add_argument(
        "--verify",
        choices=["open", "all", "none"],
        default="open",
        help="tables to rebuild from their logs and compare: open ones and 50 others (default), all, none",
    )
    add_common_arguments(parser)


def _parse_backup_count(text: str) -> int:
    """Parse a number of backups from 1 to 10,000. Raises `ValueError`."""
    number = int(text)
    if not 1 <= number <= 10_000:
        raise ValueError(text)
    return number


def execute(arguments: argparse.Namespace) -> int:
    """Make a backup. Return 0 if it is sound, 1 if it is not and was removed, 5 if the disk is too full."""
    return run_on_file("backup", arguments, partial(_back_up_database, arguments))


def _back_up_database(arguments: argparse.Namespace, database: Path, report: Report) -> ExitCode:
    """Copy the database, check the copy, give it the time as its name, and remove old backups."""
    with open_file_for_reading(database):
        pass  # opening it raises an error if it is not a file of this program
    folder = arguments.folder or database.resolve().parent / FOLDER
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    copies.require_disk_space(folder, copies.size_with_log(database))
    unfinished = folder / f"{database.name}.unfinished"
    copies.copy_database(database, unfinished)
    with open_file_for_reading(unfinished) as file:
        sound = check_file(file, arguments.verify, report)
    _remove_log(unfinished)
    if not sound:
        unfinished.unlink()
        report.add_error("backup", "the copy is not sound and was removed", "`canasta-bot doctor` tells more.")
        return ExitCode.FAILED
    name = folder / f"{database.stem}-{file_stamp(SystemClock().now())}.db"
    deletion_list_path(name).unlink(missing_ok=True)
    merge_deletion_lists(deletion_list_path(name), others=[deletion_list_path(database)])
    unfinished.replace(name)
    copies.sync_folder(folder)
    removed = _remove_old_backups(folder, database.stem, arguments.keep)
    report.add_ok("backup", f"{name}, {name.stat().st_size // 1024} kB")
    report.facts |= {"backup": str(name), "bytes": name.stat().st_size, "removed": removed}
    return ExitCode.DONE


def _remove_log(database: Path) -> None:
    """Remove the ``-wal`` and ``-shm`` files that reading leaves beside a database."""
    for end in ("-wal", "-shm"):
        database.with_name(f"{database.name}{end}").unlink(missing_ok=True)


def backups_in(folder: Path, stem: str) -> list[tuple[int, Path]]:
    """Return (instant, path) of each backup of the database `stem` in a folder, oldest first."""
    found = []
    for path in folder.glob(f"{stem}-*.db"):
        at = parse_stamp(path.stem.removeprefix(f"{stem}-"))
        if at is not None:
            found.append((at, path))
    return sorted(found)


def _remove_old_backups(folder: Path, stem: str, keep: int) -> int:
    """Remove all but the newest `keep` backups with their deletion lists; return the number removed."""
    old = backups_in(folder, stem)[:-keep]
    for _, path in old:
        path.unlink()
        deletion_list_path(path).unlink(missing_ok=True)
    return len(old)
