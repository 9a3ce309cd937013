"""Find citations in docstrings, comments, data and documents, and the paragraphs that exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
FOLDERS: Final = ("bot", "cogs", "render", "tests", "docs")
AT_THE_ROOT: Final = ("Makefile", "pyproject.toml", ".env.example")
MADE: Final = "build/"
"""The folder into which commands write files that are not kept."""

SUFFIXES: Final = (".py", ".md", ".toml", ".json", ".sql")

NUMBER: Final = r"(?:\d+(?:\.\d+)?|H\d+|[A-J]\.\d|S[0-3])(?![\w.]*\w)"
SEPARATOR: Final = r"(?:, |; | and |–)"
CITED: Final = re.compile(
    rf"(?<![\w/.\[-])(?P<path>(?:[\w.-]+/)*[\w-]+\.md)`?(?:,? (?P<numbers>{NUMBER}(?:{SEPARATOR}{NUMBER})*))?"
)
"""A paper by its path, and the paragraphs of it that follow: ``docs/law/classic.md 1.14, 1.15``."""

PATH: Final = re.compile(r"`((?:[\w.-]+/)+[\w-]+\.(?:md|py|toml|json|sql|txt))(?:::\w+)?`")
LINK: Final = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([\w-]+))?\)")
COMMENT: Final = re.compile(r"(?:^| )\s*#:? (.*)")
SENTENCE: Final = re.compile(r"\bS0 (\d(?:\.\d)*(?:\.[a-z])*)(?![\w]|\.\w)")

CITING: Final = re.compile(rf"\.md|{PATH.pattern}|{SENTENCE.pattern}")
"""Anything in a file that may cite a file or a paragraph."""

OF_OTHERS: Final = ROOT / "tests" / "data" / "given"
"""The folder of cases written by other people, who cite their own papers."""


@dataclass(frozen=True, slots=True)
class ProjectText:
    """A text for people from a file of the project, with runs of white space as one space."""

    file: Path
    text: str

    @property
    def path_from_root(self) -> str:
        """Return the file's path from the root of the project."""
        return self.file.relative_to(ROOT).as_posix()


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation of a document, with the cited paragraphs in order."""

    where: str
    path: str
    numbers: tuple[str, ...]


@cache
def project_texts() -> tuple[ProjectText, ...]:
    """Return the texts of the project that may cite a file or a paragraph."""
    return tuple(text for file in citing_files() for text in texts_of(file, only_with=CITING))


def texts_of(file: Path, *, only_with: re.Pattern[str]) -> Iterator[ProjectText]:
    """Yield a file's texts for people: of a module its docstrings and comments, else the whole file.

    Nothing of a file in which `only_with` finds nothing.
    """
    content = file.read_text(encoding="utf-8")
    if only_with.search(content):
        for part in docstrings_and_comments(content) if file.suffix == ".py" else (content,):
            yield ProjectText(file, _plain_text(part))


def citing_files() -> list[Path]:
    """Return the project's files that may contain citations, also those at its root."""
    found = [file for folder in FOLDERS for file in (ROOT / folder).rglob("*") if file.suffix in SUFFIXES]
    found = [file for file in found if not file.is_relative_to(OF_OTHERS)]
    return sorted([*found, *ROOT.glob("*.md"), *(ROOT / name for name in AT_THE_ROOT)])


def docstrings_and_comments(source: str) -> Iterator[str]:
    """Yield a module's docstrings and its comments; comments on consecutive lines are joined."""
    for node in _statements_in(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value
    comments = [COMMENT.search(line) for line in source.splitlines()]
    yield "".join(f" {found[1]}" if found else " ·" for found in comments)


def _statements_in(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield all statements of a module; expressions, which are most of a tree, are not looked into."""
    waiting = [tree]
    while waiting:
        for node in ast.iter_child_nodes(waiting.pop()):
            if isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
                waiting.append(node)
                yield node


def _plain_text(text: str) -> str:
    return re.sub(r"\s+(?:# |-- )?\s*", " ", text)


def citations_in(text: ProjectText) -> list[Citation]:
    """Return the documents that a text cites.

    The words of a link are skipped, because the link itself is checked.
    """
    return [
        Citation(text.path_from_root, found["path"], listed_paragraphs(found["numbers"]))
        for found in CITED.finditer(text.text)
    ]


def listed_paragraphs(text: str | None) -> tuple[str, ...]:
    """Return the paragraphs listed in a citation; of a range, both ends."""
    return tuple(re.split(SEPARATOR, text)) if text else ()


def resolve_path(path: str, file: Path) -> Path | None:
    """Return the cited file, looked up from the project's root or the citing file's folder."""
    for folder in (ROOT, file.parent):
        found = (folder / path).resolve()
        if found.exists() and found.is_relative_to(ROOT):
            return found
    return None


@cache
def _path_endings() -> frozenset[str]:
    """Return every ending, with at least one folder, of the paths of project files."""
    parts = [file.relative_to(ROOT).parts for file in citing_files()]
    return frozenset("/".join(one[start:]) for one in parts for start in range(len(one) - 1))


def is_project_path(path: str) -> bool:
    """Return whether a path names a file of the project, from its root or by the end of its path."""
    return path in _path_endings() or (ROOT / path).is_file() or path.startswith(MADE)


@cache
def paragraphs_of(document: Path) -> frozenset[str]:
    """Return the numbers of a document's paragraphs.

    They are numbered headings and sentences; rows and points are numbered within their section.
    """
    found = set()
    section = ""
    for line in document.read_text(encoding="utf-8").splitlines():
        if heading := re.match(rf"#+ ({NUMBER}|[A-J](?= ))", line):
            section = heading[1]
            found.add(section)
        elif bold := re.match(rf"\*\*({NUMBER})", line):
            found.add(bold[1])
        elif row := re.match(rf"\| ({NUMBER}) \|", line):
            found |= {row[1]} if not row[1].isdigit() else {f"{section}.{row[1]}"}
        elif point := re.match(r"(\d{1,2})\. ", line):
            found.add(f"{section}.{point[1]}")
    return frozenset(found)


def missing_paragraphs(citation: Citation, document: Path) -> list[str]:
    """Return the cited paragraphs that do not exist.

    A whole number may be a row of the section cited before it.
    """
    lacking = []
    section = ""
    for number in citation.numbers:
        known = number in paragraphs_of(document)
        if not known and f"{section}.{number}" not in paragraphs_of(document):
            lacking.append(number)
        section = number if known else section
    return lacking


@cache
def anchors_of(document: Path) -> frozenset[str]:
    """Return the possible targets of links into a document: its marks and headings."""
    text = document.read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    made = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    return frozenset(made | set(re.findall(r'<a id="([\w-]+)">', text)))
