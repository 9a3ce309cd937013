"""What the papers name exists: every file, target of `make`, module that is run, and command of the program."""

from __future__ import annotations

import importlib.util
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from bot.__main__ import COMMANDS

ROOT: Final = Path(__file__).parents[2]

HISTORY: Final = ("CHANGELOG.md", "docs/decisions/")
"""Papers that tell what was, whose files may be gone since."""

MADE: Final = frozenset({"build", ".venv", "dist", "htmlcov"})
"""Folders that commands make."""

ELSEWHERE: Final = re.compile(r"[A-Z]+\.json|canasta-.*|(?:checker|deal|dispute|openapi)\.\w+")
"""Files that a paper tells its reader to write, or that the program gives its people."""

FILE: Final = re.compile(r"(?:[\w.-]+/)+[\w.*-]*|[\w-]+\.(?:py|md|toml|json|sql|txt)")
"""A path with a folder, or the name of a file."""


@cache
def listed() -> frozenset[str]:
    """Every file of the project, and every folder with a stroke after it."""
    asked = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(asked, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")
    files = {name for name in names if name and (ROOT / name).exists()}
    folders = {f"{folder}/" for name in files for folder in map(str, Path(name).parents) if folder != "."}
    return frozenset(files | folders)


PAPERS: Final = sorted(name for name in listed() if name.endswith(".md"))
TODAY: Final = [name for name in PAPERS if not name.startswith(HISTORY)]


def code_of(paper: str) -> Iterator[str]:
    """What stands in a paper as code: between grave accents, and in blocks."""
    text = (ROOT / paper).read_text(encoding="utf-8")
    yield from re.findall(r"```\w*\n(.*?)```", text, re.DOTALL)
    outside = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    yield from re.findall(r"`([^`]+)`", outside)
    yield from re.findall(r"^ {4}\S.*$", outside, re.MULTILINE)


def exists(path: str, paper: str) -> bool:
    """Whether there is such a file, seen from the root or from the paper; a star stands for any name."""
    beside = str(Path(paper).parent / path)
    pattern = re.compile("|".join(re.escape(one.rstrip("/")).replace(r"\*", "[^/]*") for one in (path, beside)))
    named = path if "/" not in path else None
    return any(pattern.fullmatch(one.rstrip("/")) or (named and Path(one).name == named) for one in listed())


def paths_of(paper: str) -> Iterator[str]:
    """The files and folders that a paper names as its own project's."""
    tops = {name.partition("/")[0] for name in listed()} - MADE
    for code in code_of(paper):
        for found in FILE.findall(code.split("::")[0]):
            if "/" in found and found.partition("/")[0] in tops:
                yield found.rstrip(".")
            elif "/" not in found and found.endswith((".py", ".json")) and not ELSEWHERE.fullmatch(found):
                yield found


@pytest.mark.parametrize("paper", TODAY)
def test_every_file_that_a_paper_names_exists(paper: str) -> None:
    assert [] == [path for path in paths_of(paper) if not exists(path, paper)]


@pytest.mark.parametrize("paper", PAPERS)
def test_every_target_of_make_that_a_paper_names_exists(paper: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    named = {found for code in code_of(paper) for found in re.findall(r"\bmake (?:[A-Z_]+=\S+ )*([a-z]+)\b", code)}
    assert set() == named - targets


@pytest.mark.parametrize("paper", TODAY)
def test_every_module_and_command_that_a_paper_runs_exists(paper: str) -> None:
    code = "\n".join(code_of(paper))
    modules = set(re.findall(r"python3? -m ([a-z_][\w.]*)", code))
    assert set() == {module for module in modules if importlib.util.find_spec(module) is None}
    commands = set(re.findall(r"(?:canasta-bot|python -m bot) ([a-z]+)\b", code))
    assert set() == commands - {command.name for command in COMMANDS}


def test_papers_name_many_files_commands_and_targets() -> None:
    assert {"tests/referee/test_coverage.py", "bot/engine/refusals.py", "test_foot.py"} <= {
        path for paper in TODAY for path in paths_of(paper)
    }
    assert not exists("tests/engine/test_nothing.py", "CONTRIBUTING.md")
    assert not exists("nothing.py", "docs/changing-a-rule.md")
