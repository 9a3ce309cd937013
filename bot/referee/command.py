"""The command `canasta-bot referee`: what the rules make of positions and of the actions tried in them."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot.engine.record.positions import PositionError
from bot.referee.cases import Case, Trial, read_case, try_case
from bot.referee.text import trial_text

HOLDS: Final = 0
FAILS: Final = 1
UNREADABLE: Final = 2

STANDARD_INPUT: Final = "-"


class UnreadableFile(Exception):
    """A file that cannot be read; the text names the file and, where it can, the case and its field."""


@dataclass(frozen=True, slots=True)
class Found:
    """A case and where it was found."""

    where: str
    case: Case


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's own arguments."""
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help="one case as JSON, or a list of them; - is standard input"
    )
    parser.add_argument("--json", action="store_true", help="print the outcomes as JSON: a list, one for each case")
    parser.add_argument(
        "--check", action="store_true", help="0 when everything expected in the files holds, 1 when something does not"
    )


def execute(arguments: argparse.Namespace) -> int:
    """Try every case; 2 where a file cannot be read."""
    found, problems = _read_all(arguments.files)
    for problem in problems:
        print(f"canasta-bot referee: {problem}", file=sys.stderr)
    if problems:
        return UNREADABLE
    trials = [(one, try_case(one.case)) for one in found]
    if arguments.json:
        print(json.dumps([trial.outcome() for _, trial in trials], ensure_ascii=False, indent=1))
    elif not arguments.check:
        print("\n\n".join(trial_text(trial, one.where) for one, trial in trials))
    return _check(trials, quiet=arguments.json) if arguments.check else HOLDS


def _check(trials: Sequence[tuple[Found, Trial]], *, quiet: bool) -> int:
    failures = [f"{one.where}: {failure}" for one, trial in trials for failure in trial.failures()]
    for failure in failures:
        print(failure, file=sys.stderr)
    if failures:
        return FAILS
    if not quiet:
        print(f"{len(trials)} {'case holds' if len(trials) == 1 else 'cases hold'}")
    return HOLDS


# --- reading ---------------------------------------------------------------------------------------------------------


def _read_all(names: Sequence[str]) -> tuple[list[Found], list[str]]:
    """Every case of the files, in their order, and everything that cannot be read."""
    found: list[Found] = []
    problems: list[str] = []
    for name in names:
        shown = "standard input" if name == STANDARD_INPUT else name
        try:
            data = _load(name)
        except UnreadableFile as error:
            problems.append(f"{shown}: {error}")
            continue
        for where, case in _numbered(shown, data):
            try:
                found.append(Found(where, read_case(case)))
            except PositionError as error:
                problems.append(f"{where}: {error}")
    return found, problems


def _load(name: str) -> Any:
    try:
        data = sys.stdin.buffer.read() if name == STANDARD_INPUT else Path(name).read_bytes()
        return json.loads(data.decode("utf-8-sig"))
    except OSError as error:
        raise UnreadableFile(error.strerror or "cannot be read") from error
    except UnicodeDecodeError as error:
        raise UnreadableFile("is not text in UTF-8") from error
    except ValueError as error:
        raise UnreadableFile(f"is not JSON: {error}") from error
    except RecursionError as error:
        raise UnreadableFile("is nested too deeply") from error


def _numbered(shown: str, data: Any) -> Iterator[tuple[str, Any]]:
    """Each case with the file, its number (from 1) where there is a list, and its id."""
    listed = isinstance(data, list)
    for number, case in enumerate(data if listed else [data], 1):
        name = case.get("id") if isinstance(case, dict) else None
        named = [f"case {number}"] if listed else ["the case"]
        yield f"{shown}: {' '.join([*named, *([name] if isinstance(name, str) and name else [])])}", case
