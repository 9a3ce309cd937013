"""The command line: `canasta-bot COMMAND …`, or `python -m bot COMMAND …`."""

from __future__ import annotations

import argparse
import gc
import importlib
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Final, NamedTuple, Protocol, cast

from bot import config


class Command(NamedTuple):
    """A command of the command line: its name, the module that implements it, and its summary."""

    name: str
    module: str
    summary: str


class CommandModule(Protocol):
    """The functions that the module of a command must have."""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add the command's own arguments."""

    @staticmethod
    def execute(arguments: argparse.Namespace) -> int:
        """Carry the command out; return 0 on success."""


COMMANDS: Final = (
    Command("run", "bot.run_command", "connect to Discord (needs DISCORD_TOKEN) and serve"),
    Command("demo", "bot.demo", "serve a simulated Discord in a web page, with computer players"),
    Command("referee", "bot.referee.command", "judge positions and actions from files by the rules"),
    Command("render", "render.command", "draw a position from a file"),
    Command("simulate", "bot.computer.simulate", "let computer players play many deals, and print figures"),
    Command("fit", "bot.computer.rollout.fit_command", "fit the strong computer player's numbers to a rule set"),
    Command("bench", "bot.bench", "measure speed, and how much the points of a deal vary"),
    Command("verify", "bot.verify_command", "check a deal against what was published about it"),
    Command("health", "bot.operations.health", "say whether the bot is alive"),
    Command("doctor", "bot.operations.doctor", "check everything that a host is responsible for, and say what to do"),
    Command("backup", "bot.operations.backup", "make a checked copy of the database, while the bot runs"),
    Command("restore", "bot.operations.restore", "replace the database by a backup (bot stopped)"),
    Command("compact", "bot.operations.compact", "pack finished games, and shrink the file (bot stopped)"),
    Command("copy", "bot.operations.copy", "move the database from a file to a PostgreSQL server (bot stopped)"),
    Command("fleet", "bot.operations.fleet", "list the processes that run on a PostgreSQL server"),
    Command("deletions", "bot.operations.deletions", "list the deleted people, to keep beside backups of a server"),
    Command("restored", "bot.operations.restored", "delete people again after a backup of a server was restored"),
    Command("repair", "bot.operations.repair", "repair data that the bot could not read (bot stopped)"),
)


def _load_module(command: Command) -> CommandModule:
    """Import and return the module that implements the command.

    Garbage collection is off during the import: it would take a tenth of the time and find nothing, because the objects
    of a module stay in use.
    """
    gc.disable()
    try:
        return cast(CommandModule, importlib.import_module(command.module))
    finally:
        gc.enable()


def _make_parser(chosen: str | None) -> argparse.ArgumentParser:
    """Return the parser of the command line.

    It loads only the chosen command's module, so `--help` stays quick.
    """
    parser = argparse.ArgumentParser(
        prog="canasta-bot",
        description="Canasta on Discord.",
        epilog="Without a command: `run` if DISCORD_TOKEN is set (in the environment or in .env), else `demo`.",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {version('canasta-bot')}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for command in COMMANDS:
        one = commands.add_parser(command.name, help=command.summary, description=command.summary)
        if command.name == chosen:
            module = _load_module(command)
            module.add_arguments(one)
            one.set_defaults(execute=module.execute)
    return parser


def _default_command(environment: Mapping[str, str]) -> str:
    """Return the command to carry out if none is given: `run` if a token is set, else `demo`."""
    return "run" if config.load_settings(environment).discord_token else "demo"


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out a command and return its exit status.

    2 means wrong arguments or settings, 130 an interruption.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        said = config.read_environment()
        for name in config.unknown_variables(said):
            print(f"canasta-bot: {name} is no setting of ours; .env.example lists all", file=sys.stderr)
        given = given or [_default_command(said)]
        parsed = _make_parser(given[0]).parse_args(given)
        return int(parsed.execute(parsed))
    except config.SettingsError as error:
        for problem in error.problems:
            print(f"canasta-bot: {problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
