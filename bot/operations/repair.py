"""The command `repair`: repairs stored data that the bot could not read.

The bot must be stopped. Without `--yes` the command only reports what it would do.
"""

from __future__ import annotations

import argparse
import asyncio
from functools import partial
from typing import Final, cast

from bot import config
from bot.clocks.clock import SystemClock
from bot.exit_codes import ExitCode
from bot.operations.report import Report, add_common_arguments, run_on_file_or_server
from bot.operations.settings_check import delete_setting, unreadable_settings
from bot.operations.table_rebuilding import RebuiltTable, rebuild_table, table_fault
from bot.operations.text_formats import file_stamp, number_with_noun
from bot.operations.tournament_repair import repair_series, repair_tournament, report_repair
from bot.ratings.service import RatingService
from bot.store.table_changes import TableChange
from bot.store.upkeep import repairs
from bot.store.upkeep.offline_databases import (
    DatabasePlace,
    OfflineDatabase,
    open_database_for_changes,
    open_store_alone,
)
from bot.store.upkeep.repairs import Owner
from bot.store.upkeep.table_archives import unpack_table
from bot.tables.core import stored_forms
from bot.tables.core.repository import is_waiting_for_computer, timer_changes
from bot.tables.state.table import TablePersons, TableState

_BACKUP: Final = "take its rows from that backup: a file, or the URL of a database into which a dump was put back"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add a subcommand for each thing that can be repaired, such as a table."""
    kinds = parser.add_subparsers(dest="kind", metavar="WHAT", required=True)
    table = kinds.add_parser("table", help="rebuild the snapshot of a table from its log")
    table.add_argument("number", type=int)
    table.add_argument("--to", type=int, metavar="VERSION", help="set the table back; later rows move to a file")
    tournament = kinds.add_parser("tournament", help="take a tournament from a backup, or cancel it")
    tournament.add_argument("number", type=int)
    how = tournament.add_mutually_exclusive_group(required=True)
    how.add_argument("--from", dest="backup", type=config.read_database, metavar="BACKUP", help=_BACKUP)
    how.add_argument("--cancel", action="store_true", help="cancel it, even if it cannot be read")
    series = kinds.add_parser("series", help="take a series from a backup, or end it")
    series.add_argument("number", type=int)
    how = series.add_mutually_exclusive_group(required=True)
    how.add_argument("--from", dest="backup", type=config.read_database, metavar="BACKUP", help=_BACKUP)
    how.add_argument("--end", action="store_true", help="end it, even if it cannot be read")
    ratings = kinds.add_parser("ratings", help="recompute all ratings from their log")
    settings = kinds.add_parser("settings", help="delete settings that cannot be read; the defaults then apply")
    settings.add_argument("owner", choices=["person", "server"])
    settings.add_argument("number", type=int)
    for one in (table, tournament, series, ratings, settings):
        add_common_arguments(one)
        one.add_argument("--yes", action="store_true", help="do it; without this, only say what would be done")


def execute(arguments: argparse.Namespace) -> int:
    """Repair stored data, or without `--yes` report the steps. Return 0 if the repair is possible."""
    work = {
        "table": _repair_table,
        "tournament": repair_tournament,
        "series": repair_series,
        "ratings": _repair_ratings,
        "settings": _repair_settings,
    }[arguments.kind]
    return run_on_file_or_server("repair", arguments, partial(work, arguments))


# --- a table ---------------------------------------------------------------------------------------------------------


def _repair_table(arguments: argparse.Namespace, place: DatabasePlace, report: Report) -> ExitCode:
    """Rebuild a table from its log, as far as it is now or to an earlier version."""
    number, about = arguments.number, f"table {arguments.number}"
    with open_database_for_changes(place) as file:
        if number not in file.table_numbers():
            report.add_error(about, "there is no such table")
            return ExitCode.FAILED
        unpack_table(file.session, number)
        holders = TablePersons(file.holders(number))
        folded = rebuild_table(file.actions(number), holders, to=arguments.to)
        if folded.record is None or (arguments.to is not None and folded.version != arguments.to):
            report.add_error(about, f"its log cannot be read to that version: {folded.fault or 'it ends before'}")
            return ExitCode.FAILED
        if not folded.is_whole and arguments.to is None:
            remedy = f"`--to {folded.version}` sets the table back and moves the rest of its log to a file."
            report.add_error(about, f"its log can be read up to version {folded.version} ({folded.fault})", remedy)
            return ExitCode.FAILED
        if arguments.to is None and not table_fault(file, number):
            report.add_ok(about, "is as its log tells; nothing to repair")
            return ExitCode.DONE
        _set_table_back(arguments, file, (folded, folded.record), report)
    return ExitCode.DONE


def _set_table_back(
    arguments: argparse.Namespace, file: OfflineDatabase, rebuilt: tuple[RebuiltTable, TableState], report: Report
) -> None:
    """Store the table as rebuilt from its log; move later rows of the log to a file."""
    number, (folded, record) = arguments.number, rebuilt
    lost = folded.rows - folded.version
    what = f"a new snapshot of version {folded.version}"
    what += f"; {number_with_noun(lost, 'row of its log moves', 'rows of its log move')} to a file" if lost else ""
    if not arguments.yes:
        report.add_warning(f"table {number}", f"would get {what}", "Add --yes to do it.")
        return
    holders = TablePersons(file.holders(number))
    at = file.actions(number)[folded.version - 1].at
    change = TableChange(
        table=number,
        expected_version=folded.version,
        request=None,
        person=None,
        seat=None,
        kind="repair",
        payload="",
        status=record.status,
        snapshot=stored_forms.write_record(record, holders),
        at=at,
        timers=timer_changes(None, record),
        seated=record.persons,
        computer_to_act=is_waiting_for_computer(record),
    )
    if lost:
        kept = file.path.with_name(f"{file.path.name}.table-{number}-{file_stamp(SystemClock().now())}")
        repairs.write_private(kept, repairs.log_rows_after(file, number, folded.version))
        report.add_ok("file", f"{kept} has the rows that went; it holds cards")
        report.facts["kept"] = str(kept)
    repairs.set_table_back(file, change)
    report.add_ok(f"table {number}", f"has {what}")


# --- the others ------------------------------------------------------------------------------------------------------


def _repair_ratings(arguments: argparse.Namespace, place: DatabasePlace, report: Report) -> ExitCode:
    """Recompute all ratings from the log of matches."""
    if arguments.yes:
        asyncio.run(_recompute_ratings(place, report))
    return report_repair(report, "ratings", "recomputed from their log", done=arguments.yes)


async def _recompute_ratings(place: DatabasePlace, report: Report) -> None:
    """Open the store and recompute all ratings."""
    async with open_store_alone(place) as store:
        await RatingService(store.ratings, SystemClock()).recompute_all_ladders()
        left_out = store.set_aside.counts().get("rating", 0)
        if left_out:
            text = number_with_noun(left_out, "match cannot be rated and was", "matches cannot be rated and were")
            report.add_warning("ratings", f"{text} left out")


def _repair_settings(arguments: argparse.Namespace, place: DatabasePlace, report: Report) -> ExitCode:
    """Delete a person's or server's settings that cannot be read."""
    owner, number = cast(Owner, arguments.owner), arguments.number
    with open_database_for_changes(place) as file:
        bad = unreadable_settings(file, owner, number)
        for which in bad if arguments.yes else ():
            delete_setting(file, owner, number, which)
    if not bad:
        report.add_ok(f"settings of {owner} {number}", "can all be read; nothing to repair")
        return ExitCode.DONE
    what = f"without {number_with_noun(len(bad), 'setting')} that cannot be read"
    return report_repair(report, f"settings of {owner} {number}", what, done=arguments.yes)
