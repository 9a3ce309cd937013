"""The referee's cases in `tests/data/cases`: the engine decides each as the case expects.

The cases of one paragraph are one test, which names each case that fails; cases from outside are tried in
`tests/referee`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.case_failures import find_failures

ROOT = Path(__file__).parents[3]
FILES = sorted((ROOT / "tests" / "data" / "cases").glob("*.json"))

PARAGRAPHS = {*(f"1_{number}" for number in range(1, 22)), "1_23", "2_1", "2_2", "2_3", "2_4"}
EDGE_CASES = {f"4_{number}" for number in range(1, 79)}
NOT_CLASSIC = {
    "4_75": "five and six players rotate; two and four do not",
    "4_76": "cutthroat is a game for three",
    "4_77": "cutthroat is a game for three",
}
"""Paragraphs about what no existing form can bring about, each with the reason."""

NAMED_BY_PARAGRAPH = ("cut_throat", "game_from_deal_to_deal", "pack_and_deal", "resting_seats", "turn_without_cases")
"""The test files whose tests are named after paragraphs of the classic rules."""


def read_cases(files: list[Path]) -> Iterator[dict[str, Any]]:
    for file in files:
        yield from json.loads(file.read_text())


CASES = list(read_cases(FILES))


BY_PARAGRAPH: dict[str, list[dict[str, Any]]] = {}
for each in CASES:
    beginning = re.match(r"[a-z]*\d+(?:_\d+)?(?=_|$)|[a-z]+", each["id"])
    assert beginning is not None, each["id"]
    BY_PARAGRAPH.setdefault(beginning[0], []).append(each)


@pytest.mark.parametrize("paragraph", BY_PARAGRAPH)
def test_the_engine_decides_every_case_of_a_paragraph_as_expected(paragraph: str) -> None:
    assert {} == {case["id"]: failures for case in BY_PARAGRAPH[paragraph] if (failures := find_failures(case))}


def test_every_case_expects_something() -> None:
    for case in CASES:
        assert case.get("expect") or any("expect" in action for action in case["actions"]), case["id"]


def test_every_paragraph_and_every_edge_case_has_a_test() -> None:
    names = [case["id"] for case in read_cases([file for file in FILES if file.name.startswith("classic")])]
    for file in NAMED_BY_PARAGRAPH:
        names += re.findall(r"^def test_(\w+)", Path(__file__).with_name(f"test_{file}.py").read_text(), re.MULTILINE)
    told = {match[0] for name in names if (match := re.match(r"[124]_\d+(?=_)", name))}
    assert sorted((PARAGRAPHS | EDGE_CASES) - NOT_CLASSIC.keys() - told) == []
    assert sorted(told - PARAGRAPHS - EDGE_CASES) == []
