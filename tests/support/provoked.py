"""Which reasons to refuse the cases and tests provoke: those they expect by code, and those whose words they quote."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Final

from bot.i18n import DEFAULT, words

TESTS: Final = Path(__file__).parents[1]
CASES: Final = TESTS / "data" / "cases"

FEWEST_WORDS: Final = 3
"""Words of a sentence that a test quotes at least; fewer might be anybody's."""


@cache
def expected_by_cases() -> frozenset[str]:
    """What the cases expect of their actions; each case is tried by `tests/referee/test_case_files.py`."""
    cases: list[dict[str, Any]] = [one for file in CASES.glob("*.json") for one in json.loads(file.read_text("utf-8"))]
    return frozenset(action["expect"] for case in cases for action in case.get("actions", ()) if "expect" in action)


@cache
def _found() -> tuple[frozenset[tuple[str, str]], tuple[str, ...]]:
    """The members of enums that tests expect, and every text that may quote a sentence; each file is read once."""
    named: set[tuple[str, str]] = set()
    texts: set[str] = set()
    for file in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Constant):
                if isinstance(node.value, str) and len(node.value.split()) >= FEWEST_WORDS:
                    texts.add(node.value)
            else:
                named.update(_expected(node))
    return frozenset(named), tuple(sorted(texts))


def named_in_tests() -> frozenset[tuple[str, str]]:
    """The members of enums that tests expect, each with its enum's name.

    A code counts in an assertion, in the cases of a parametrised test, and in a value that is kept to compare with.
    """
    return _found()[0]


def _expected(node: ast.AST) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        places: list[ast.AST] = list(node.decorator_list)
    elif isinstance(node, ast.Assert | ast.Assign):
        places = [node]
    else:
        return
    for place in places:
        for one in ast.walk(place):
            if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name):
                yield one.value.id, one.attr


def _texts() -> tuple[str, ...]:
    """Every text of the tests that is long enough to quote a sentence."""
    return _found()[1]


@cache
def _parts() -> Mapping[str, tuple[str, ...]]:
    """The stretches of each English sentence between the values that are put into it, in each of its forms."""
    found = {}
    for key, entry in words(DEFAULT).entries.items():
        forms = [entry] if isinstance(entry, str) else entry.values()
        parts = [part.strip() for form in forms for part in re.split(r"\{[^}]*\}", form)]
        found[key] = tuple(part for part in parts if len(part.split()) >= FEWEST_WORDS)
    return found


@cache
def quoted_in_tests() -> frozenset[str]:
    """The keys of the catalogue of whose English words a test quotes some that no other entry has."""
    every, tests = "\n".join(part for parts in _parts().values() for part in parts), "\n".join(_texts())
    quoted = [text for text in _texts() if text in every]
    quoted += [part for parts in _parts().values() for part in parts if part in tests]
    owners = ([key for key, parts in _parts().items() if any(text in part for part in parts)] for text in quoted)
    return frozenset(keys[0] for keys in owners if len(keys) == 1)


def unprovoked(codes: type[StrEnum], section: str) -> list[str]:
    """The codes that no test names by their enum, and none by the words they have in that section of the catalogue."""
    named = {member for owner, member in named_in_tests() if owner == codes.__name__}
    return [code for code in codes if code.name not in named and f"{section}.{code}" not in quoted_in_tests()]
