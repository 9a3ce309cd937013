"""The command `deletions`: the list of deletions of a database on a server, to keep beside its backups."""

from __future__ import annotations

import argparse
import json

from bot.exit_codes import ExitCode
from bot.operations.report import Report, run_on_server
from bot.store.upkeep.deletions import stored_deletions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments; the output is a list as it stands beside a file."""
    parser.set_defaults(json=False)


def execute(arguments: argparse.Namespace) -> int:
    """Print the list; return 0."""
    return run_on_server("deletions", arguments, _print_deletions)


def _print_deletions(url: str, _report: Report) -> ExitCode:
    """Print each deletion with its key."""
    from bot.store.engines.postgres_upkeep import open_session  # noqa: PLC0415 - psycopg is optional

    with open_session(url) as session:
        for one in stored_deletions(session):
            print(json.dumps({"key": one.key.hex()}))
            print(json.dumps({"at": one.at, "who": one.who}))
    return ExitCode.DONE
