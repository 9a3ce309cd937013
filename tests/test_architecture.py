"""Which way things depend: what the contracts in `pyproject.toml` cannot see."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = sorted(file for package in ("bot", "cogs", "render") for file in (ROOT / package).rglob("*.py"))


def named(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


@cache
def nodes(file: Path) -> tuple[ast.AST, ...]:
    """Every node of a module's tree."""
    return tuple(ast.walk(ast.parse(file.read_text())))


def imported(file: Path) -> Iterator[str]:
    for node in nodes(file):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def test_the_rules_load_nothing_but_themselves_and_the_standard_library() -> None:
    """In an interpreter without installed packages, with the project's folder as its only path."""
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


def test_one_module_asks_for_secret_chance() -> None:
    asking = {named(file) for file in SOURCES if "secrets" in imported(file)}
    assert asking <= {"bot/tables/dealing.py"}


@pytest.mark.parametrize("file", SOURCES, ids=named)
def test_one_module_reads_the_wall_clock(file: Path) -> None:
    if named(file) in {"bot/clocks/clock.py", "bot/logs.py"} or named(file).startswith("bot/demo/"):
        return
    calls = {
        ast.unparse(node.func)
        for node in nodes(file)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }
    wall = {
        "time.time",
        "time.time_ns",
        "datetime.now",
        "datetime.utcnow",
        "datetime.datetime.now",
        "discord.utils.utcnow",
    }
    assert not calls & wall


def test_statements_of_the_database_are_written_in_the_store_only() -> None:
    words = ("SELECT ", "INSERT INTO ", "UPDATE ", "DELETE FROM ", "CREATE TABLE ", "PRAGMA ")
    outside = {
        named(file)
        for file in SOURCES
        if not named(file).startswith("bot/store/")
        for node in nodes(file)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith(words)
    }
    assert not outside
