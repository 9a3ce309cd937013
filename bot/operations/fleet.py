"""The command `fleet`: reports which processes run on a PostgreSQL server, and which shards they own."""

from __future__ import annotations

import argparse

from bot.exit_codes import ExitCode
from bot.operations.report import Report, add_json_option, run_on_server
from bot.operations.server_check import report_fleet


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the option for JSON."""
    add_json_option(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Report the fleet. Return 0 if every shard has an owner, else 1."""
    return run_on_server("fleet", arguments, _show_fleet)


def _show_fleet(url: str, report: Report) -> ExitCode:
    """Report which processes run and which shards they own."""
    from bot.store.engines.postgres_upkeep import open_session  # noqa: PLC0415 - psycopg is optional

    with open_session(url) as session:
        return ExitCode.DONE if report_fleet(session, report) else ExitCode.FAILED
