"""The laws as data: cases of the referee's format, each named after the paragraph or edge case it holds.

`tests/data/cases/classic-*.json` are tried here; all other files, and cases that were given, in `tests/referee`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.cases import failures

ROOT = Path(__file__).parents[3]
OWN = sorted((ROOT / "tests" / "data" / "cases").glob("classic-*.json"))

PARAGRAPHS = {*(f"1_{number}" for number in range(1, 22)), "1_23", "2_1", "2_2", "2_3", "2_4"}
EDGE_CASES = {f"4_{number}" for number in range(1, 79)}
NOT_CLASSIC = {
    "4_75": "five and six players rotate; two and four do not",
    "4_76": "cutthroat is a game for three",
    "4_77": "cutthroat is a game for three",
}
"""What cannot happen in the forms that exist, and why."""


def read(files: list[Path]) -> Iterator[dict[str, Any]]:
    for file in files:
        yield from json.loads(file.read_text())


OWN_CASES = list(read(OWN))


@pytest.mark.parametrize("case", OWN_CASES, ids=lambda case: case["id"])
def test_the_law_holds(case: dict[str, Any]) -> None:
    assert not failures(case)


def test_every_case_has_a_name_of_its_own() -> None:
    names = [case["id"] for case in OWN_CASES]
    assert sorted(set(names)) == sorted(names)


def test_every_case_expects_something() -> None:
    for case in OWN_CASES:
        assert case.get("expect") or any("expect" in action for action in case["actions"]), case["id"]


def test_every_paragraph_and_every_edge_case_has_a_test() -> None:
    names = [case["id"] for case in OWN_CASES]
    for file in Path(__file__).parent.glob("test_laws_*.py"):
        names += re.findall(r"^def test_(\w+)", file.read_text(), re.MULTILINE)
    told = {match[0] for name in names if (match := re.match(r"[124]_\d+(?=_)", name))}
    assert sorted((PARAGRAPHS | EDGE_CASES) - NOT_CLASSIC.keys() - told) == []
    assert sorted(told - PARAGRAPHS - EDGE_CASES) == []
