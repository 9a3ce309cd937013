"""The command `compact`: archives tables and tournaments that ended over a week ago.

It can also shrink the file. The bot must be stopped.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Final

from bot.clocks.clock import SystemClock
from bot.exit_codes import ExitCode
from bot.operations.report import Report, add_common_arguments, run_on_file
from bot.store.engines import sqlite_copies as copies
from bot.store.upkeep.archives import BEGINNING, KEPT, PackingPlace
from bot.store.upkeep.offline_databases import open_file_for_changes
from bot.store.upkeep.table_archives import DUE_TABLES
from bot.store.upkeep.tournament_archives import DUE_TOURNAMENTS

AT_ONCE: Final = 200
TOURNAMENTS_AT_ONCE: Final = 20
TOLD_EVERY: Final = 5.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the option that shrinks the file."""
    parser.add_argument("--vacuum", action="store_true", help="return unused space to the disk")
    add_common_arguments(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Archive tables and tournaments. Return 0, or 4 while the bot runs, or 5 if the disk is too full."""
    return run_on_file("compact", arguments, partial(_compact_database, arguments))


def _compact_database(arguments: argparse.Namespace, database: Path, report: Report) -> ExitCode:
    """Archive tables and tournaments that ended over a week ago; if requested, shrink the file."""
    size = copies.size_with_log(database) if database.is_file() else 0
    with open_file_for_changes(database) as file:
        if not file.is_current():
            report.add_error("database", "is of an earlier release", "Start the bot once; that brings it up to date.")
            return ExitCode.FILE
    packed = _archive_all(database, "tables", DUE_TABLES.pack, AT_ONCE)
    tournaments = _archive_all(database, "tournaments", DUE_TOURNAMENTS.pack, TOURNAMENTS_AT_ONCE)
    if arguments.vacuum:
        copies.require_disk_space(database.parent, copies.size_with_log(database))
        with open_file_for_changes(database):
            pass  # opening it raises an error if another process has it open
        copies.vacuum_file(database)
    now = copies.size_with_log(database)
    report.add_ok("tables", f"{packed} packed")
    report.add_ok("tournaments", f"{tournaments} packed")
    report.add_ok("file", f"{size // 1024} kB before, {now // 1024} kB now")
    report.facts |= {"packed": packed, "tournaments_packed": tournaments, "bytes_before": size, "bytes": now}
    return ExitCode.DONE


def _archive_all(database: Path, noun: str, pack: Callable[..., tuple[int, PackingPlace]], limit: int) -> int:
    """Archive all tables, or all tournaments, that are due; return how many.

    `pack` archives at most `limit` of them, in a transaction of its own.
    """
    before, packed, told, reached = SystemClock().now() - KEPT, 0, monotonic(), BEGINNING
    while True:
        with open_file_for_changes(database) as file:
            at = reached
            done, reached = pack(file.session, before=before, limit=limit, after=at)
        packed += done
        if monotonic() - told > TOLD_EVERY:
            told = monotonic()
            print(f"{packed} {noun} packed", file=sys.stderr)
        if reached == at:
            return packed
