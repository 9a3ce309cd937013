"""The command `deletions`: prints the list of deletions of a database on a server.

The output is kept beside the backups of the database.
"""

from __future__ import annotations

import argparse
import json

from bot.exit_codes import ExitCode
from bot.operations.report import Report, run_on_server
from bot.store.upkeep.deletions import stored_deletions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments: the output always has the format of the list beside a file."""
    parser.set_defaults(json=False)


def execute(arguments: argparse.Namespace) -> int:
    """Print the list of deletions; return 0."""
    return run_on_server("deletions", arguments, _print_deletions)


def _print_deletions(url: str, _report: Report) -> ExitCode:
    """Print each deletion, after the key with which it was made."""
    from bot.store.engines.postgres_upkeep import open_session  # noqa: PLC0415 - psycopg is optional

    with open_session(url) as session:
        for one in stored_deletions(session):
            print(json.dumps({"key": one.key.hex()}))
            print(json.dumps({"at": one.at, "who": one.who}))
    return ExitCode.DONE
