"""Names in documents and docstrings exist: files, targets of `make`, modules, what is in them, and commands.

Paths with their folders are checked by `tests/docs/test_citations.py`.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from bot.__main__ import COMMANDS
from tests.docs import citations
from tests.support.project_files import ROOT, project_files

HISTORY: Final = ("CHANGELOG.md", "docs/decisions/")
"""Documents about the past, which may name files that no longer exist."""

ELSEWHERE: Final = re.compile(r"[A-Z]+\.json|canasta-.*|(?:checker|deal|dispute|openapi)\.\w+")
"""Files that a document tells its reader to write, or that the program gives to users."""

FILE: Final = re.compile(r"(?<![\w./-])[\w-]+\.(?:py|json)\b")
"""The name of a file without its folder."""

IN_A_MODULE: Final = re.compile(r"`((?:bot|cogs|render|tests)(?:\.\w+)+)(?:\(\))?`")
"""A module or what is in it, by its whole name: ``bot.tables.service.TableService``."""

IN_A_CLASS: Final = re.compile(r"`([A-Z]\w*[a-z]\w*)\.(\w+)(?:\([^)`]*\))?`")
"""What is in a class: ``TableRepository.change``."""

DOTTED: Final = re.compile(rf"{IN_A_MODULE.pattern}|{IN_A_CLASS.pattern}")


@cache
def listed_files() -> tuple[str, ...]:
    """Return the path of every project file from the project's root."""
    return tuple(str(file.relative_to(ROOT)) for file in project_files())


PAPERS: Final = [name for name in listed_files() if name.endswith(".md")]
TODAY: Final = [name for name in PAPERS if not name.startswith(HISTORY)]


def code_in_document(document: str) -> Iterator[str]:
    """Yield the code in a document: between backticks and in blocks."""
    text = (ROOT / document).read_text(encoding="utf-8")
    yield from re.findall(r"```\w*\n(.*?)```", text, re.DOTALL)
    outside = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    yield from re.findall(r"`([^`]+)`", outside)
    yield from re.findall(r"^ {4}\S.*$", outside, re.MULTILINE)


def files_named_in(document: str) -> set[str]:
    """Return the names of project files that a document mentions."""
    found = {name for code in code_in_document(document) for name in FILE.findall(code)}
    return {name for name in found if not ELSEWHERE.fullmatch(name)}


def test_every_file_named_in_a_document_exists() -> None:
    files = {file.name for file in project_files()}
    assert {} == {paper: missing for paper in TODAY if (missing := files_named_in(paper) - files)}


def test_every_make_target_named_in_a_document_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    for paper in PAPERS:
        code = "\n".join(code_in_document(paper))
        assert set() == set(re.findall(r"\bmake (?:[A-Z_]+=\S+ )*([a-z]+)\b", code)) - targets, paper


def test_every_module_and_command_run_in_a_document_exists() -> None:
    for paper in TODAY:
        code = "\n".join(code_in_document(paper))
        modules = set(re.findall(r"python3? -m ([a-z_][\w.]*)", code))
        assert set() == {module for module in modules if importlib.util.find_spec(module) is None}, paper
        commands = set(re.findall(r"(?:canasta-bot|python -m bot) ([a-z]+)\b", code))
        assert set() == commands - {command.name for command in COMMANDS}, paper


def test_file_names_in_a_document_are_found() -> None:
    assert {"test_foot_and_talon.py", "legal_step_oracle.py", "refusals.json"} <= files_named_in(
        "docs/changing-a-rule.md"
    )


def test_every_test_with_seeds_runs_longer_at_night() -> None:
    """`make nightly` selects tests by their imports of the support modules that use seeds."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    pattern = re.search(r'"(tests\.support\.[^"]*)" tests\)', makefile)
    assert pattern is not None
    named = set(re.findall(r"\w+", pattern[1].partition("support.")[2]))
    imports = re.compile(r"from tests\.support\.seeds import")
    handing_on = [file for file in (ROOT / "tests" / "support").glob("*.py") if imports.search(file.read_text())]
    assert named == {"seeds", *(file.stem for file in handing_on)}


def is_in_module(name: str) -> bool:
    """Return whether a dotted name leads to a module of the project, a name in one, or one in a class there."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        base = ROOT.joinpath(*parts[:count])
        file = base.with_suffix(".py") if base.with_suffix(".py").is_file() else base / "__init__.py"
        if file.is_file():
            inside, source = parts[count:], file.read_text(encoding="utf-8")
            return all(
                re.search(rf"^ *(?:(?:async )?def|class) {one}\b|^ *(?:self\.)?{one} ?[:=]", source, re.MULTILINE)
                for one in inside
            )
        if base.is_dir():
            return count == len(parts)
    return False


@cache
def sources_of_classes() -> Mapping[str, str]:
    """Return the source of every class of the project by name; of several with one name, all of it."""
    found: dict[str, str] = {}
    for file in project_files():
        if file.suffix == ".py":
            for one in re.finditer(r"^class (\w+).*?(?=^\S|\Z)", file.read_text("utf-8"), re.MULTILINE | re.DOTALL):
                found[one[1]] = found.get(one[1], "") + one[0]
    return found


def names_that_lead_nowhere(text: str) -> list[str]:
    """Return the dotted names of a text whose module, class or member does not exist."""
    classes = sources_of_classes()
    members = [(owner, member) for owner, member in IN_A_CLASS.findall(text) if owner in classes]
    return [
        *(name for name in IN_A_MODULE.findall(text) if not is_in_module(name)),
        *(f"{owner}.{member}" for owner, member in members if not re.search(rf"\b{member}\b", classes[owner])),
    ]


def test_every_dotted_name_leads_somewhere() -> None:
    """Decisions and the changelog included: what is gone is named there without its package."""
    assert [] == [
        f"{text.path_from_root}: {name}"
        for file in citations.citing_files()
        for text in citations.texts_of(file, only_with=DOTTED)
        for name in names_that_lead_nowhere(text.text)
    ]


def test_dotted_names_that_lead_nowhere_are_found() -> None:
    good = "`bot.tables.service.TableService.finish`, `TableRepository.change`, `bot.tables.core`, `Random.random`"
    assert [] == names_that_lead_nowhere(good)
    gone = "`bot.tables.service.Nothing`, `bot.nothing.at_all`, `TableRepository.fly_away`"
    assert ["bot.tables.service.Nothing", "bot.nothing.at_all", "TableRepository.fly_away"] == (
        names_that_lead_nowhere(gone)
    )
