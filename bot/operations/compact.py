"""The command `compact`: archives all tables that ended over a week ago, and can shrink the file (bot stopped)."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Final

from bot.clocks.clock import SystemClock
from bot.exit_codes import ExitCode
from bot.operations.report import Report, add_common, carry_out
from bot.store.engines import sqlite_copies as copies
from bot.store.upkeep.archives import BEGINNING, KEPT, pack_due
from bot.store.upkeep.offline import change_file

AT_ONCE: Final = 200
TOLD_EVERY: Final = 5.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the option that shrinks the file."""
    parser.add_argument("--vacuum", action="store_true", help="give unused room back to the disk")
    add_common(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Archive all tables that are due; return 0, 4 while the bot runs, or 5 without disk space for `--vacuum`."""
    return carry_out("compact", arguments, partial(_compact, arguments))


def _compact(arguments: argparse.Namespace, database: Path, report: Report) -> ExitCode:
    """Archive the tables that are due and, if requested, write the file anew without unused pages."""
    before, packed, told, reached = SystemClock().now() - KEPT, 0, monotonic(), BEGINNING
    size = copies.size_of(database) if database.is_file() else 0
    while True:
        with change_file(database) as file:
            if not file.is_current():
                report.bad("database", "is of an earlier release", "Start the bot once; that brings it up to date.")
                return ExitCode.FILE
            at = reached
            done, reached = pack_due(file.session, before=before, limit=AT_ONCE, after=at)
        packed += done
        if monotonic() - told > TOLD_EVERY:
            told = monotonic()
            print(f"{packed} tables packed", file=sys.stderr)
        if reached == at:
            break
    if arguments.vacuum:
        copies.require_room(database.parent, copies.size_of(database))
        with change_file(database):
            pass  # no other process has it open
        copies.write_anew(database)
    now = copies.size_of(database)
    report.ok("tables", f"{packed} packed")
    report.ok("file", f"{size // 1024} kB before, {now // 1024} kB now")
    report.facts |= {"packed": packed, "bytes_before": size, "bytes": now}
    return ExitCode.DONE
