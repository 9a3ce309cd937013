"""The report of a command to the bot's host: findings with remedies, as lines or JSON.

No report names a card, a person or a token.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final, Literal

from bot import config
from bot.config import Settings
from bot.exit_codes import ExitCode, exit_code_of
from bot.store.engines.sqlite_connection import FILE_ERRORS
from bot.store.errors import StoreError, error_text
from bot.store.upkeep.offline_databases import DatabasePlace

Level = Literal["ok", "warn", "bad"]

_ORDER: Final[tuple[Level, ...]] = ("ok", "warn", "bad")


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check: its level, a text, and a remedy unless all is well."""

    level: Level
    about: str
    text: str
    remedy: str = ""


@dataclass(slots=True)
class Report:
    """The report of a command: its findings, and `facts` such as numbers and file names for scripts."""

    command: str
    findings: list[Finding] = field(default_factory=list)
    facts: dict[str, object] = field(default_factory=dict)

    def add_ok(self, about: str, text: str) -> None:
        """Add a finding that needs no action."""
        self.findings.append(Finding("ok", about, text))

    def add_warning(self, about: str, text: str, remedy: str = "") -> None:
        """Add a warning with its remedy."""
        self.findings.append(Finding("warn", about, text, remedy))

    def add_error(self, about: str, text: str, remedy: str = "") -> None:
        """Add an error with its remedy."""
        self.findings.append(Finding("bad", about, text, remedy))

    @property
    def worst_level(self) -> Level:
        """The worst level among the findings."""
        return max((one.level for one in self.findings), key=_ORDER.index, default="ok")

    def data(self) -> Mapping[str, object]:
        """Return the report as data for JSON."""
        findings = [asdict(one) for one in self.findings]
        return {"command": self.command, "level": self.worst_level, **self.facts, "findings": findings}

    def lines(self) -> list[str]:
        """Return the report as lines of text."""
        lines = []
        for one in self.findings:
            lines.append(f"{one.level:4}  {one.about}: {one.text}")
            if one.remedy:
                lines.append(f"      {one.remedy}")
        return lines


def add_common_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that every command for hosts takes."""
    parser.add_argument(
        "--database",
        type=config.read_database,
        metavar="FILE",
        help="the database file; for doctor and repair a server's URL too (default: CANASTA_DATABASE, else canasta.db)",
    )
    add_json_option(parser)


def add_json_option(parser: argparse.ArgumentParser) -> None:
    """Add the option for JSON."""
    parser.add_argument("--json", action="store_true", help="report as one JSON object")


def database_place(arguments: argparse.Namespace) -> DatabasePlace:
    """Return where the database is: as the arguments say, else the settings. Raises `SettingsError`."""
    chosen: Path | config.ServerUrl | None = arguments.database
    if isinstance(chosen, Path):
        return DatabasePlace(chosen)
    settings = server_settings("" if chosen is None else chosen)
    if isinstance(settings.database, Path):
        return DatabasePlace(settings.database)
    return DatabasePlace(settings.own_files_base, str(settings.database))


def database_file(arguments: argparse.Namespace) -> Path:
    """Return the database file: as the arguments say, else the settings. Raises `SettingsError`."""
    place = database_place(arguments)
    if arguments.command == "health" and arguments.database is None:
        return config.load_settings(config.read_environment()).heartbeat_base
    if place.url:
        problem = f"`{arguments.command}` is for a file; docs/operating.md names what a server needs"
        raise config.SettingsError([problem])
    return place.path


def server_settings(url: str = "") -> Settings:
    """Return the settings of a command for a server, which writes no heartbeat file.

    If `url` is not empty, it replaces the database of the settings.
    """
    said = config.read_environment()
    said["CANASTA_ALIVE"] = said.get("CANASTA_ALIVE") or "canasta.alive"
    return config.load_settings(said | ({"CANASTA_DATABASE": url} if url else {}))


def run_on_server(command: str, arguments: argparse.Namespace, work: Callable[[str, Report], ExitCode]) -> int:
    """Run `work` with the URL in `CANASTA_DATABASE`, print its report, and return the exit status."""
    database = server_settings().database
    if not isinstance(database, config.ServerUrl):
        raise config.SettingsError([f"`{command}` needs the URL of a server in CANASTA_DATABASE"])
    return _run_and_report(command, arguments, lambda report: work(str(database), report), Path())


def run_on_file(command: str, arguments: argparse.Namespace, work: Callable[[Path, Report], ExitCode]) -> int:
    """Run `work` with the path of the database file, print its report, and return the exit status."""
    path = database_file(arguments)
    return _run_and_report(command, arguments, lambda report: work(path, report), path)


def run_on_file_or_server(
    command: str, arguments: argparse.Namespace, work: Callable[[DatabasePlace, Report], ExitCode]
) -> int:
    """Run `work` with the place of the database, print its report, and return the exit status."""
    place = database_place(arguments)
    return _run_and_report(command, arguments, lambda report: work(place, report), place.path)


def _run_and_report(command: str, arguments: argparse.Namespace, work: Callable[[Report], ExitCode], path: Path) -> int:
    """Run `work`, print its report, and return the exit status. Errors of the database become findings."""
    report = Report(command)
    try:
        code = work(report)
    except StoreError as error:
        report.add_error("database", str(error))
        code = exit_code_of(error)
    except FILE_ERRORS as error:
        report.add_error("database", error_text(error))
        code = ExitCode.FILE
    except OSError as error:
        report.add_error("disk", f"{error.filename or path}: {error.strerror}")
        code = ExitCode.DISK
    if arguments.json:
        print(json.dumps({**report.data(), "status": int(code)}, ensure_ascii=False))
    else:
        for line in report.lines():
            print(line)
    return int(code)
