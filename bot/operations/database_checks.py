"""Checks of a database: for damage, and whether each table's log still gives its stored state."""

from __future__ import annotations

from itertools import islice
from typing import Final, Literal

from bot.operations.report import Report
from bot.operations.table_rebuilding import table_fault
from bot.operations.text_formats import number_with_noun
from bot.store.upkeep.offline_databases import OfflineDatabase

OTHERS: Final = 50
"""Number of finished tables that are checked besides all open ones."""

Depth = Literal["open", "all", "none"]

_MOST_TOLD: Final = 5


def check_file(file: OfflineDatabase, depth: Depth, report: Report) -> bool:
    """Check a database for damage, and its tables to that depth; return whether it is sound.

    With the depth ``none`` nothing is checked. Findings are added to the report.
    """
    if depth == "none":
        return True
    damage = file.find_damage()
    if damage:
        report.add_error(
            "integrity", f"{number_with_noun(len(damage), 'fault')}, such as: {damage[0][:200]}", "Restore a backup."
        )
        return False
    report.add_ok("integrity", "nothing is damaged")
    if not file.is_current():
        report.add_warning(
            "tables", "not looked at: the database is of an earlier release", "The next start brings it up to date."
        )
        return True
    return check_tables(file, depth, report)


def check_tables(file: OfflineDatabase, depth: Depth, report: Report) -> bool:
    """Check whether the logs of tables give their stored states; return whether all do.

    The tables are the open and some finished ones, or all.
    """
    open_ones = file.open_tables()
    limit = None if depth == "all" else len(open_ones) + OTHERS
    checked, faults = 0, []
    for number in islice(file.table_numbers(), limit):
        checked += 1
        fault = table_fault(file, number)
        if fault:
            faults.append((number, fault))
    for number, fault in faults[:_MOST_TOLD]:
        report.add_error(f"table {number}", fault, f"With the bot stopped: `canasta-bot repair table {number}`.")
    if not faults:
        report.add_ok("tables", f"{len(open_ones)} open; {checked} rebuilt from their logs, all as stored")
    report.facts |= {"tables_checked": checked, "tables_damaged": [number for number, _ in faults]}
    return not faults
