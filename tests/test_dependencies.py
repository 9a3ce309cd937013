"""Dependencies between parts of the program that the contracts in `pyproject.toml` do not check."""

import ast
import itertools
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Final

import networkx as nx

from bot.engine.rules.rule_set import RuleSet

ROOT = Path(__file__).parent.parent
SOURCES = sorted(file for package in ("bot", "cogs", "render") for file in (ROOT / package).rglob("*.py"))

NO_BEGINNING = ("The same", "These", "Those", "This", "It", "Here")
"""Words that refer to something else: a docstring that begins with one cannot be understood alone."""

MOST_BY_POSITION = 5
"""The most arguments that cogs may tell apart by position alone."""


def name_of(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def syntax_nodes(file: Path, mentioning: str) -> Iterator[ast.AST]:
    """Yield every node of a module's syntax tree, if the module's text matches the pattern."""
    text = file.read_text("utf-8")
    if re.search(mentioning, text):
        yield from ast.walk(ast.parse(text))


def imports_module(file: Path, module: str) -> bool:
    """Return whether a file imports that module."""
    for node in syntax_nodes(file, module):
        if isinstance(node, ast.Import) and module in [name.name for name in node.names]:
            return True
        if isinstance(node, ast.ImportFrom) and node.module == module:
            return True
    return False


def docstrings(tree: ast.Module) -> Iterator[str]:
    """Yield the docstrings of modules, classes and functions, and the texts below assignments."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""
        if isinstance(node, ast.Module | ast.ClassDef):
            yield from (
                below.value.value
                for above, below in itertools.pairwise(node.body)
                if isinstance(above, ast.Assign | ast.AnnAssign)
                and isinstance(below, ast.Expr)
                and isinstance(below.value, ast.Constant)
                and isinstance(below.value.value, str)
            )


def test_the_rules_load_only_themselves_and_the_standard_library() -> None:
    """They are loaded by an interpreter without installed packages, with only the project's folder."""
    script = """
import sys
sys.path.insert(0, sys.argv[1])
before = set(sys.modules)
import importlib, pkgutil, bot.engine
for module in pkgutil.walk_packages(bot.engine.__path__, "bot.engine."):
    importlib.import_module(module.name)
for name in sorted(set(sys.modules) - before):
    top = name.partition(".")[0]
    if not (name in ("bot", "bot.engine") or name.startswith("bot.engine.") or top in sys.stdlib_module_names):
        print(name)
"""
    loaded = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script, str(ROOT)], check=True, capture_output=True, text=True, timeout=60
    )
    assert loaded.stdout == ""


def test_the_program_package_holds_a_docstring_only() -> None:
    body = ast.parse((ROOT / "bot/__init__.py").read_text()).body
    assert [type(node) for node in body] == [ast.Expr]


def test_only_one_module_imports_secrets() -> None:
    asking = {name_of(file) for file in SOURCES if imports_module(file, "secrets")}
    assert asking <= {"bot/tables/state/shuffle.py"}


WALL: Final = {
    "time.time",
    "time.time_ns",
    "datetime.now",
    "datetime.utcnow",
    "datetime.datetime.now",
    "discord.utils.utcnow",
}
"""Calls that read the time."""


def test_only_one_module_reads_the_wall_clock() -> None:
    allowed = ("bot/clocks/clock.py", "bot/logs.py", "bot/demo/", "bot/loopback/")
    reading = {
        f"{name_of(file)}: {ast.unparse(node)}"
        for file in SOURCES
        if not name_of(file).startswith(allowed)
        for node in syntax_nodes(file, r"\btime\s*\.\s*time|\b(?:utc)?now\b")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and ast.unparse(node.func) in WALL
    }
    assert not reading


def test_statements_of_the_database_are_written_in_the_store_only() -> None:
    words = ("SELECT ", "INSERT INTO ", "UPDATE ", "DELETE FROM ", "CREATE TABLE ", "PRAGMA ")
    outside = {
        name_of(file)
        for file in SOURCES
        if not name_of(file).startswith("bot/store/")
        for node in syntax_nodes(file, "|".join(words))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith(words)
    }
    assert not outside


def test_every_part_of_the_program_has_its_layer() -> None:
    """No contract would restrict the imports of a package that no layer names."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["id"] == "layers")
    placed = {name.strip(" ()") for layer in layers for name in layer.replace("|", ":").split(":")}
    parts = {
        f"bot.{file.stem}"
        for file in (ROOT / "bot").iterdir()
        if file.suffix == ".py" or (file / "__init__.py").exists()
    }
    assert placed == parts - {"bot.__init__"} | {"cogs"}


MOST_FILES = 20
"""The most files in one folder of the program, besides `__init__.py`."""


IMPORT: Final = re.compile(r"^from ([\w.]+) import (?:\(([^)]*)\)|(.+))$", re.MULTILINE)
"""Matches an import at the top of a module; ten times as fast as parsing the whole file."""


def imports_of_modules() -> "nx.DiGraph[str]":
    """Return the import graph: an edge from each module to every module that it imports when loaded."""
    modules = {name_of(file).removesuffix(".py").removesuffix("/__init__").replace("/", "."): file for file in SOURCES}
    graph: nx.DiGraph[str] = nx.DiGraph()
    for module, file in modules.items():
        for source, inner, rest in IMPORT.findall(file.read_text()):
            targets = {f"{source}.{name}" for name in re.findall(r"\w+", inner or rest)} | {source}
            graph.add_edges_from((module, target) for target in targets & modules.keys() - {module})
    return graph


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = imports_of_modules()
    packages = {
        name_of(file).removesuffix("/__init__.py").replace("/", ".") for file in SOURCES if file.stem == "__init__"
    }
    graph.remove_nodes_from(packages)
    assert [] == [sorted(circle) for circle in nx.strongly_connected_components(graph) if len(circle) > 1]


def test_no_folder_holds_more_files_than_a_reader_can_take_in() -> None:
    files = Counter(name_of(file.parent) for file in SOURCES if file.stem != "__init__")
    assert {} == {folder: number for folder, number in files.items() if number > MOST_FILES}


def test_every_docstring_can_be_read_alone() -> None:
    pointing = re.compile(rf"(?:{'|'.join(NO_BEGINNING)})\b")
    found = {
        f"{name_of(file)}: {text[:60]}"
        for file in SOURCES
        if re.search(rf'"""\s*{pointing.pattern}', file.read_text())
        for text in docstrings(ast.parse(file.read_text()))
        if pointing.match(text)
    }
    assert not found


def test_chapters_of_the_law_list_the_parameters_that_they_read() -> None:
    """A docstring's list after the word Reads has only parameters, and all that the file reads itself.

    The first docstring of an engine file may have such a list of the parameters on which it depends.
    """
    known = {field.name for field in fields(RuleSet) if field.init}
    wrong = {}
    for file in (ROOT / "bot" / "engine").rglob("*.py"):
        tree = ast.parse(file.read_text())
        head = " ".join((ast.get_docstring(tree) or "").split())
        lists = re.findall(r"\bReads (`[^.]*`)\.", head)
        if not lists:
            continue
        listed = {parameter for one in lists for parameter in re.findall(r"`(\w+)`", one)}
        asked = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and is_named_rules(node.value)}
        if found := (listed - known) | ((asked & known) - listed - {"name", "players"}):
            wrong[name_of(file)] = found
    assert {} == wrong


def is_named_rules(node: ast.expr) -> bool:
    """Return whether an expression is the name `rules`, or an attribute `rules`."""
    return "rules" == (node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", ""))


def test_functions_of_the_discord_side_take_few_arguments_by_position() -> None:
    found = {
        f"{name_of(file)}: {node.name}"
        for file in SOURCES
        if name_of(file).startswith("cogs/")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and len([one for one in node.args.args if one.arg not in ("self", "cls")]) > MOST_BY_POSITION
    }
    assert not found
