"""Every reason to refuse is raised somewhere, and a case or a test provokes it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from bot.clocks.law import ClockProblem
from bot.clocks.personal import VacationCode
from bot.engine.law.house_rules import ProblemCode
from bot.engine.moves.refusals import Code
from bot.tables.state.refusals import TableCode
from bot.tournaments.event.ladder import LadderCode
from bot.tournaments.event.refusals import TournamentCode
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
    reasons = {name for name in written().enums if name.endswith(("Code", "Problem"))}
    assert {codes.__name__ for codes in FAMILIES} | {"PairingReasonCode"} == reasons, (
        "PairingReasonCode gives reasons for a table, not against"
    )


@pytest.mark.parametrize("codes", FAMILIES, ids=lambda codes: codes.__name__)
def test_every_reason_to_refuse_is_raised_somewhere(codes: type[StrEnum]) -> None:
    """A table's code that a clock has given its name already is made from that (`bot/tables/seating/rules.py`)."""
    used = {member for owner, member in written().used if owner == codes.__name__}
    of_clocks = {problem.value for problem in ClockProblem} if codes is TableCode else set()
    assert [] == [code for code in codes if code.name not in used and code.value not in of_clocks]


@dataclass(frozen=True, slots=True)
class Written:
    """What is written in the files that may refuse something: enums of texts, and members used of the families."""

    enums: frozenset[str]
    used: frozenset[tuple[str, str]]


@cache
def written() -> Written:
    """Found in those files of the program that name an enum, each read once."""
    names = ("StrEnum", *(codes.__name__ for codes in FAMILIES))
    enums: set[str] = set()
    used: set[tuple[str, str]] = set()
    for file in (one for folder in ("bot", "cogs") for one in (ROOT / folder).rglob("*.py")):
        text = file.read_text("utf-8")
        if any(name in text for name in names):
            nodes = list(ast.walk(ast.parse(text)))
            enums.update(enums_in(nodes))
            used.update(used_in(nodes))
    return Written(frozenset(enums), frozenset(used))


def enums_in(nodes: list[ast.AST]) -> Iterator[str]:
    """The enums of texts that a file makes."""
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
            yield from [node.name] if "StrEnum" in bases else []


def used_in(nodes: list[ast.AST]) -> Iterator[tuple[str, str]]:
    """The members of enums that a file does something with; only to sort them into groups is not to raise them."""
    sorted_only = {id(one) for node in nodes if isinstance(node, ast.Set) for one in node.elts}
    for node in nodes:
        if isinstance(node, ast.Dict) and any(is_plain(value) for value in node.values):
            sorted_only.update(id(key) for key in node.keys)
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and id(node) not in sorted_only:
            yield node.value.id, node.attr


def is_plain(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant | ast.Name | ast.Attribute)
