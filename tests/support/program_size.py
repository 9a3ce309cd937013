"""Print the figures of the program's size and shape: ``python -m tests.support.program_size``."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tests.support.project_files import ROOT, project_files

PROGRAM: Final = ("bot", "cogs", "render")

LAYERS: Final = (
    "service",
    "deadlines rating",
    "contest",
    "premoves people places past",
    "masters",
    "lobby",
    "absence",
    "consent",
    "play",
    "context",
    "snapshots",
    "seating",
    "advice",
    "timing",
    "core",
    "state",
)
"""The layers of `bot.tables`, highest first; parts of one layer may import each other."""

FORMATS: Final = "SWISS|ROUND_ROBIN|SINGLE|DOUBLE|INDIVIDUAL|LADDER|DUPLICATE"


def python_files(*parts: str) -> list[Path]:
    """Return the Python files below these folders of the project."""
    return [file for file in project_files() if file.suffix == ".py" and file.relative_to(ROOT).parts[0] in parts]


def count_lines(files: Sequence[Path]) -> int:
    return sum(count_file_lines(file) for file in files)


def count_file_lines(file: Path) -> int:
    return len(file.read_text(encoding="utf-8").splitlines())


def module_name(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports_of(file: Path, known_modules: set[str]) -> set[str]:
    """Return the modules of `known_modules` that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= inner & known_modules or {node.module}
    return found & known_modules


def count_table_imports() -> tuple[int, int, int]:
    """Count the imports inside `bot.tables`.

    Returned are those to a higher layer, those from or to a part without a layer, and all.
    """
    layer = {f"bot.tables.{part}": number for number, parts in enumerate(LAYERS) for part in parts.split()}
    by_name = {module_name(file): file for file in python_files("bot") if (ROOT / "bot/tables") in file.parents}
    up, unknown, all_of_them = 0, 0, 0
    for name, file in by_name.items():
        for other in imports_of(file, set(by_name)):
            of, to = (layer.get(".".join(one.split(".")[:3])) for one in (name, other))
            all_of_them += 1
            if of is None or to is None:
                unknown += 1
            else:
                up += to < of
    return up, unknown, all_of_them


def own_classes() -> Iterator[type]:
    """Yield every class that the program defines."""
    for file in python_files(*PROGRAM):
        name = module_name(file)
        module = importlib.import_module(name)
        for _, one in inspect.getmembers(module, inspect.isclass):
            if one.__module__ == name:
                yield one


def count_own_bases(own_class: type) -> int:
    """Return how many of the program's classes this class inherits from.

    Its own class is included.
    """
    return sum(base.__module__.split(".")[0] in PROGRAM for base in own_class.__mro__)


def files_naming_formats() -> list[Path]:
    """Return the files outside the folder of tournament formats that name a format by its kind."""
    texts = {file: file.read_text(encoding="utf-8") for file in python_files(*PROGRAM)}
    name = "FormatKind" if any("class FormatKind" in text for text in texts.values()) else "Kind"
    named = re.compile(rf"\b{name}\.({FORMATS})\b")
    return [
        file
        for file, text in texts.items()
        if named.search(text) and "formats" not in file.parts and file.name != "traits.py"
    ]


def main() -> int:
    program, tests = python_files(*PROGRAM), python_files("tests")
    folders = Counter(file.parent.relative_to(ROOT).as_posix() for file in program)
    fullest, most = folders.most_common(1)[0]
    longest = max(program, key=count_file_lines)
    up, unknown, imports = count_table_imports()
    deepest = max(own_classes(), key=count_own_bases)
    kinds = files_naming_formats()
    told = {
        "Python files of the program": len(program),
        "lines of the program": count_lines(program),
        "lines with tests": count_lines([*program, *tests]),
        "fullest folder": f"{most} files ({fullest})",
        "longest file": f"{count_file_lines(longest)} lines ({longest.relative_to(ROOT)})",
        "imports inside bot.tables": f"{up} upwards, {unknown} of parts without a layer, of {imports}",
        "own classes in an MRO": f"{count_own_bases(deepest)} ({deepest.__module__}.{deepest.__qualname__})",
        "classes with several own bases": sum(count_own_bases(one) > 2 for one in own_classes()),
        "files that test a format's kind": len(kinds),
    }
    width = max(map(len, told))
    sys.stdout.writelines(f"{name:{width}}  {value}\n" for name, value in told.items())
    return 0


if __name__ == "__main__":
    sys.exit(main())
