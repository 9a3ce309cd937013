"""Every reason to refuse is raised somewhere, and a case or a test provokes it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from bot.clocks.law import ClockProblem
from bot.clocks.personal import VacationCode
from bot.engine.law.house_rules import ProblemCode
from bot.engine.moves.refusals import Code
from bot.tables.refusals import TableCode
from bot.tournaments.event.refusals import TournamentCode
from bot.tournaments.ladder import LadderCode
from bot.tournaments.pairing.by_hand import HandCode
from cogs.shared.reading.problems import InputCode
from tests.support.provoked import expected_by_cases, unprovoked

ROOT: Final = Path(__file__).parents[1]

FAMILIES: Final[dict[type[StrEnum], str]] = {
    Code: "refusal",
    ProblemCode: "house_rules",
    TableCode: "table_refusal",
    TournamentCode: "tournament_refusal",
    InputCode: "input",
    LadderCode: "ladder_refusal",
    HandCode: "hand_refusal",
    VacationCode: "vacation",
    ClockProblem: "clock_problem",
}
"""Every enum of reasons, and the section of the catalogue that has its words, where it has words of its own."""


@pytest.mark.parametrize("codes", FAMILIES, ids=lambda codes: codes.__name__)
def test_every_reason_to_refuse_is_provoked(codes: type[StrEnum]) -> None:
    missing = unprovoked(codes, FAMILIES[codes])
    by_cases = expected_by_cases() if codes is Code else frozenset()
    assert [] == [code for code in missing if code not in by_cases]


def test_no_enum_of_reasons_is_left_out() -> None:
    classes = [node for tree in sources() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    enums = {
        node.name for node in classes if any(isinstance(base, ast.Name) and base.id == "StrEnum" for base in node.bases)
    }
    reasons = {name for name in enums if name.endswith(("Code", "Problem"))}
    assert {codes.__name__ for codes in FAMILIES} | {"WhyCode"} == reasons, (
        "WhyCode gives reasons for a table, not against"
    )


@pytest.mark.parametrize("codes", FAMILIES, ids=lambda codes: codes.__name__)
def test_every_reason_to_refuse_is_raised_somewhere(codes: type[StrEnum]) -> None:
    """A table's code that a clock has given its name already is made from that (`bot/tables/choosing_settings.py`)."""
    used = {member for tree in sources() for owner, member in used_in(tree) if owner == codes.__name__}
    of_clocks = {problem.value for problem in ClockProblem} if codes is TableCode else set()
    assert [] == [code for code in codes if code.name not in used and code.value not in of_clocks]


@cache
def sources() -> tuple[ast.Module, ...]:
    """Every file of the program that may refuse something."""
    files = [file for folder in ("bot", "cogs") for file in (ROOT / folder).rglob("*.py")]
    return tuple(ast.parse(file.read_text("utf-8")) for file in files)


def used_in(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The members of enums that a file does something with; only to sort them into groups is not to raise them."""
    sorted_only = {id(one) for node in ast.walk(tree) if isinstance(node, ast.Set) for one in node.elts}
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict) and any(is_plain(value) for value in node.values):
            sorted_only.update(id(key) for key in node.keys)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and id(node) not in sorted_only:
            yield node.value.id, node.attr


def is_plain(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant | ast.Name | ast.Attribute)
