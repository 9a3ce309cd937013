"""The codes of every enum of refusals are noted while the tests run.

See `tests/support/recorded_refusals.py`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from bot.engine.law.rule_conflicts import ProblemCode, find_rule_problems
from bot.engine.moves.refusals import Code
from bot.engine.rules.sets import rule_set
from bot.tables.state.refusals import TableCode, TableRefusal
from tests.support import recorded_refusals

ROOT: Final = Path(__file__).parents[1]


def test_no_enum_of_reasons_is_left_out() -> None:
    """`tests/refusals` judges the refusals of the rules; "PairingReasonCode" refuses nothing."""
    reasons = {name for name in text_enums() if name.endswith(("Code", "Problem"))}
    assert {Code.__name__, "PairingReasonCode", *(codes.__name__ for codes in recorded_refusals.CARRIERS)} == reasons


def text_enums() -> Iterator[str]:
    """Return the program's enums of text values."""
    for file in (one for folder in ("bot", "cogs") for one in (ROOT / folder).rglob("*.py")):
        text = file.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if "StrEnum" in text else ():
            if isinstance(node, ast.ClassDef):
                bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
                yield from [node.name] if "StrEnum" in bases else []


def test_refusals_of_the_program_are_noted_and_those_that_a_test_makes_are_not() -> None:
    with recorded_refusals.hide_earlier_notes():
        TableRefusal(TableCode.TABLE_FULL)
        assert [] == recorded_refusals.noted_refusals()
        assert find_rule_problems(replace(rule_set("classic", 4), meld_kinds=frozenset({"wild"})))
        assert ("RuleProblem", ProblemCode.NO_SETS.value) in recorded_refusals.noted_refusals()
        recorded_refusals.add_notes([["TableRefusal", TableCode.TABLE_FULL.value]])
        assert {TableCode.TABLE_FULL, ProblemCode.NO_SETS}.isdisjoint(recorded_refusals.codes_without_refusal())
