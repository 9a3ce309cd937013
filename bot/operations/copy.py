"""The command `copy`: copies the database from a file to a PostgreSQL server. The bot must be stopped."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path

from bot import config
from bot.exit_codes import ExitCode
from bot.operations.database_checks import OTHERS
from bot.operations.report import Report, add_json_option, run_on_file
from bot.operations.table_rebuilding import table_fault
from bot.store.engines.interface import OfflineBackend
from bot.store.engines.sqlite_connection import DatabaseLock
from bot.store.errors import StorageFailed
from bot.store.upkeep.deletions import deletion_list_path, read_deletions, store_deletions
from bot.store.upkeep.offline_databases import DatabasePlace, OfflineDatabase, open_file_for_reading


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for the file and the server."""
    parser.add_argument("database", type=Path, metavar="FILE", help="the database file")
    parser.add_argument("url", metavar="URL", help="an empty database on a server, postgresql://USER@HOST/NAME")
    add_json_option(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Copy the database. Return 0 if the copy equals the file, 1 if not, 4 while the bot or a fleet runs."""
    return run_on_file("copy", arguments, partial(_copy_to_server, arguments.url))


def _copy_to_server(url: str, database: Path, report: Report) -> ExitCode:
    """Copy the file under its lock, compare both, check some games of the copy, and report."""
    from bot.store.engines.postgres_copy import CopyDiffers, copy_file  # noqa: PLC0415 - psycopg is optional

    if not isinstance(config.read_database(url), config.ServerUrl):
        raise config.SettingsError([f"{url} is no URL of a server"])
    if not database.is_file():
        raise StorageFailed(f"{database} does not exist")
    lock = DatabaseLock(database.resolve())
    try:
        with open_file_for_reading(database) as file:
            if not file.is_current():
                report.add_error(
                    "database", "is of an earlier release", "Start the bot once; that brings it up to date."
                )
                return ExitCode.FILE
        copied = copy_file(database, url, check=partial(_copy_deletions_and_check, database), tell=_print_progress)
    except CopyDiffers as difference:
        report.add_error("copy", str(difference), "Nothing was kept of it. `canasta-bot doctor` looks at the file.")
        return ExitCode.FAILED
    finally:
        lock.release()
    report.add_ok("copy", f"{sum(copied.values())} rows of {len(copied)} tables, all as in the file")
    report.facts |= {"rows": sum(copied.values()), "tables": len(copied)}
    return ExitCode.DONE


def _print_progress(text: str) -> None:
    """Print a line about the progress."""
    print(text, file=sys.stderr)


def _copy_deletions_and_check(database: Path, opened: OfflineBackend) -> None:
    """Copy the list of deletions, and check open and some other tables of the copy.

    Raises `CopyDiffers` for a table that is damaged only in the copy.
    """
    from bot.store.engines.postgres_copy import CopyDiffers  # noqa: PLC0415 - psycopg is optional

    store_deletions(opened.session, read_deletions(deletion_list_path(database)))
    copied = OfflineDatabase(DatabasePlace(database), opened)
    with open_file_for_reading(database) as file:
        for number in copied.table_numbers()[:OTHERS]:
            fault = table_fault(copied, number)
            if fault and not table_fault(file, number):
                raise CopyDiffers(f"table {number} {fault}")
