"""The command `health`: reports whether the bot is alive, for containers and monitors."""

from __future__ import annotations

import argparse
from pathlib import Path

from bot.clocks.clock import SystemClock
from bot.exit_codes import ExitCode
from bot.heartbeat_file import is_alive, read_heartbeat
from bot.operations.report import Report, add_common_arguments, run_on_file
from bot.operations.text_formats import number_with_noun


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the common arguments of host commands; there are no others."""
    add_common_arguments(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Return 0 if the bot's heartbeat is younger than 45 seconds and it serves or pauses, else 1."""
    return run_on_file("health", arguments, _report_heartbeat)


def _report_heartbeat(database: Path, report: Report) -> ExitCode:
    """Report the state in the bot's heartbeat file."""
    now, sign = SystemClock().now(), read_heartbeat(database)
    if sign is None:
        report.add_error("bot", "has given no sign of life", "Is it started on this database?")
        return ExitCode.FAILED
    seconds = (now - sign.at) // 1000
    report.facts |= {"state": sign.state, "shards": sign.shards, "commits": sign.commits, "seconds": seconds}
    text = f"{sign.state} {seconds} s ago, {number_with_noun(sign.shards, 'shard')}"
    if is_alive(sign, now):
        report.add_ok("bot", text)
        return ExitCode.DONE
    report.add_error("bot", text, "`canasta-bot doctor` and the log tell more.")
    return ExitCode.FAILED
