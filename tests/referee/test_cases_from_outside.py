"""Cases written outside of this project are decided as they expect, from unchanged copies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.case_failures import find_failures

ROOT: Final = Path(__file__).parents[2]
GIVEN: Final = ROOT / "tests" / "data" / "given"
BESIDE: Final = ROOT.parent / "shared"
ORIGINALS: Final = {"cases": BESIDE / "cases", "corrections": BESIDE / "review" / "corrections.json"}


def read_cases(path: Path) -> list[Any]:
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    return [case for file in files for case in json.loads(file.read_text("utf-8"))]


def cases_from_outside() -> Iterator[Any]:
    for name in ORIGINALS:
        yield from (pytest.param(case, id=f"{name}-{case['id']}") for case in read_cases(GIVEN / f"{name}.json"))


@pytest.mark.parametrize("case", list(cases_from_outside()))
def test_a_case_from_outside_holds(case: dict[str, Any]) -> None:
    assert [] == find_failures(case)


@pytest.mark.parametrize("name", ORIGINALS)
def test_the_copy_of_the_outside_cases_equals_the_original(name: str) -> None:
    if not ORIGINALS[name].exists():
        pytest.skip("the original is not beside this checkout; its copy in tests/data/given is tried everywhere")
    assert read_cases(ORIGINALS[name]) == read_cases(GIVEN / f"{name}.json")
