"""Every case in the project's own case files is decided as it expects."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from tests.docs.citations import paragraphs_of

ROOT = Path(__file__).parents[2]
LAW = ROOT / "docs" / "law"
OWN = sorted((ROOT / "tests" / "data" / "cases").glob("*.json"))


def cases(files: list[Path]) -> Iterator[Any]:
    for file in files:
        data = json.loads(file.read_text(encoding="utf-8"))
        for number, case in enumerate(data if isinstance(data, list) else [data], 1):
            yield pytest.param(case, id=f"{file.stem}-{case.get('id', number)}")


@pytest.mark.parametrize("file", OWN, ids=lambda file: file.stem)
def test_every_case_of_a_project_file_holds(file: Path) -> None:
    assert 0 == main(["referee", "--check", str(file)])


def test_every_case_has_a_unique_name_that_begins_with_its_paragraph() -> None:
    """A name like `1_10_…` is about `docs/law/classic.md` 1.10, `v3_1_…` about `docs/law/variants.md` 3.1.

    Names with `4_17_…` are edge cases, `s0_…` to `s3_…` founding texts, `h4_…` house rules that were found, `themes_…`
    themes.
    """
    names = [case.values[0]["id"] for case in cases(OWN)]
    assert sorted(set(names)) == sorted(names)
    classic = {paragraph.lower() for paragraph in paragraphs_of(LAW / "classic.md")}
    known = {"themes", *classic, *(f"v{paragraph}" for paragraph in paragraphs_of(LAW / "variants.md"))}
    begins = {name: re.match(r"(s\d|h\d+|v?\d+(?:_\d+)?|themes)_", name) for name in names}
    assert [] == [name for name, begun in begins.items() if begun is None or begun[1].replace("_", ".") not in known]
