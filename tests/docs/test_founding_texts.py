"""The page `docs/rules/founding-texts.md` covers every sentence of the founding texts.

Everything that it names exists.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, get_args, get_type_hints

import pytest

from bot.engine.rules.parameters import BY_NAME
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS
from bot.referee.cases import read_case
from tests.support import case_proofs, unprovable_values
from tests.support.case_failures import find_failures
from tests.support.founding_texts import SEEDS, load_stored_sentence_beginnings, read_sentence_beginnings

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "rules" / "founding-texts.md"
HEADINGS: Final = ("line", "sentence", "what it says", "parameter", "proof, or why there is none")
HINTS: Final = get_type_hints(RuleSet)


@dataclass(frozen=True)
class Row:
    """A row of a table on the page, and the rule sets of its section."""

    rule_sets: tuple[str, ...]
    cells: tuple[str, ...]

    def __str__(self) -> str:
        return " | ".join(self.cells[1:4])


def sections() -> list[tuple[tuple[str, ...], list[Row]]]:
    """Return the rule sets and the rows of each founding text."""
    return [_section(text) for text in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]]


def _section(text: str) -> tuple[tuple[str, ...], list[Row]]:
    played = re.findall(r"`([^`]+)`", text.partition("Played as ")[2].partition("\n")[0])
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    cells = [tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]) for line in lines]
    assert HEADINGS == cells[0]
    return tuple(played), [Row(tuple(played), row) for row in cells[1:]]


ROWS: Final = [row for _, rows in sections() for row in rows]


# --- all names exist --------------------------------------------------------------------------------------------------


def text_of(value: object) -> str:
    """Return a parameter's value in the notation of the page."""
    match value:
        case bool():
            return "yes" if value else "no"
        case None:
            return "none"
        case frozenset():
            return ",".join(sorted(value)) or "none"
        case tuple():
            return " ".join(map(row_text, value)) or "none"
        case _:
            return str(value)


def row_text(row: object) -> str:
    """Return one member of a list of values in the notation of the page.

    A row of the table of minimums is its first score and its minimum.
    """
    if not isinstance(row, tuple):
        return str(row)
    start, minimum = row
    return f"{'neg' if start is None else start}:{minimum}"


def values_of(name: str, rule_sets: tuple[str, ...]) -> set[str]:
    """Return the values that a parameter has in all forms of these rule sets."""
    return {text_of(getattr(rules, name)) for one in rule_sets for rules in RULE_SETS[one].values()}


def words_of(hint: Any) -> set[str]:
    """Return the words that a type annotation allows."""
    inner = get_args(hint)
    return {one for one in inner if isinstance(one, str)}.union(*(words_of(one) for one in inner))


def is_possible_value(name: str, value: str) -> bool:
    """Return whether a table can choose that value."""
    hint = HINTS[name]
    if hint is bool:
        return value in ("yes", "no")
    return value.lstrip("-").isdigit() or value == "none" or set(value.split(",")) <= words_of(hint)


def rule_sets_of(row: Row) -> tuple[str, ...]:
    """Return the rule sets that a row is about: those it names, else all of its section."""
    return tuple(one for one in re.findall(r"`([^`]+)`", row.cells[3]) if one in RULE_SETS) or row.rule_sets


def wrong_parameters(row: Row) -> Iterator[str]:
    """Yield parameters of the row that do not exist or have another value than it says."""
    named = re.findall(r"`([^`]+)`", row.cells[3])
    rule_sets = rule_sets_of(row)
    for one in named:
        name, equals, value = one.partition("=")
        if not equals:
            known = name in RULE_SETS
        elif name not in HINTS:
            known = False
        elif row.cells[3].startswith("house rule"):
            known = is_possible_value(name, value)
        else:
            known = value in values_of(name, rule_sets)
        if not known:
            yield f"{row}: {one}"


def test_every_named_parameter_has_the_named_value() -> None:
    assert [] == [wrong for row in ROWS for wrong in wrong_parameters(row)]


@cache
def cases_by_name() -> Mapping[str, Mapping[str, Any]]:
    """Return the referee's cases by name."""
    files = (ROOT / "tests" / "data" / "cases").glob("*.json")
    return {case["id"]: case for file in files for case in json.loads(file.read_text(encoding="utf-8"))}


@cache
def functions_of(file: Path) -> frozenset[str]:
    """Return the names of a file's functions; empty if the file does not exist."""
    tree = ast.parse(file.read_text(encoding="utf-8") if file.is_file() else "")
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def wrong_proofs(row: Row) -> Iterator[str]:
    """Yield proofs named by the row that are no existing test, case, rule set or command."""
    for one in re.findall(r"`([^`]+)`", row.cells[4]):
        file, _, name = one.partition("::")
        if name:
            known = name.startswith("test_") and name in functions_of(ROOT / file)
        else:
            known = one in cases_by_name() or one in RULE_SETS or one.startswith("/")
        if not known:
            yield f"{row}: {one}"


def test_every_proof_that_the_page_names_exists() -> None:
    assert [] == [wrong for row in ROWS for wrong in wrong_proofs(row)]


def test_a_classic_case_holds_under_the_rules_that_it_proves() -> None:
    """Classic cases prove the rules that a text shares with classic; here they run under its rules."""
    failing = []
    for row in ROWS:
        if row.cells[3].startswith("house rule"):
            continue
        for name in re.findall(r"`([^`]+)`", row.cells[4]):
            case = cases_by_name().get(name, {})
            if case and "rules" not in case and "options" not in case:
                players = case.get("players", 4)
                rules = next(one for one in rule_sets_of(row) if players in RULE_SETS[one])
                failing += [f"{row}: {name}: {failure}" for failure in find_failures({**case, "rules": rules})]
    assert [] == failing


NOT_IN_A_POSITION: Final = {
    "teams": "how many play and with whom is told by the case itself",
    "top_blocks": "no meld takes a wild card or a three from the pile, whatever else the rules say",
    **unprovable_values.ONLY_INFORM,
}
"""Parameters whose values no case can prove by failing under another value, with the reason."""


def is_proof_of(case: Mapping[str, Any], name: str, value: str, row: Row) -> bool:
    """Return whether a case proves that the parameter has this value in the row's rules.

    It does if it declares so, or if it fails with another value.
    """
    if row.cells[3].startswith("house rule"):
        tried = case
    else:
        forms = [one for one in rule_sets_of(row) if case.get("players", 4) in RULE_SETS[one]]
        tried = case if case.keys() & {"rules", "options"} else {**case, "rules": forms[0]}
    rules = read_case(tried).state.rules
    if value != text_of(getattr(rules, name)):
        return False
    if case_proofs.declared_results(tried, name):
        return True
    return any(
        any(case_proofs.results_proved_by_value(tried, name, other))
        for other in case_proofs.other_values(BY_NAME[name], rules)
    )


def unproved_parameters(row: Row) -> Iterator[str]:
    """Yield parameters of a row that no case or test named by it proves."""
    named = re.findall(r"`([^`]+)`", row.cells[4])
    kept = [cases_by_name()[one] for one in named if one in cases_by_name()]
    if not kept or any("::" in one for one in named):
        return
    for one in re.findall(r"`([^`]+)`", row.cells[3]):
        name, equals, value = one.partition("=")
        if equals and name not in NOT_IN_A_POSITION and not any(is_proof_of(case, name, value, row) for case in kept):
            yield f"{row}: {one}"


def test_a_case_that_proves_a_parameter_fails_under_another_value() -> None:
    assert [] == [one for row in ROWS for one in unproved_parameters(row)]


def test_every_row_names_a_proof_of_its_parameters_or_a_reason() -> None:
    assert [] == [str(row) for row in ROWS if row.cells[4] in ("", "–") or (row.cells[3] and "`" not in row.cells[4])]


# --- completeness -----------------------------------------------------------------------------------------------------


def plain_text(cell: str) -> str:
    return re.sub(r"\\(.)", r"\1", cell)


def is_beginning_of(sentence: str, quotation: str) -> bool:
    return sentence.startswith(quotation.removesuffix("…").rstrip())


def covered_sentences(rows: list[Row]) -> Iterator[tuple[int, str, str]]:
    """Yield for each row its line number and the beginnings of its first and last sentence."""
    for row in rows:
        first, _, last = plain_text(row.cells[1]).partition(" – ")
        yield int(row.cells[0].partition("–")[0]), first, last or first


@pytest.mark.parametrize("number", range(4))
def test_the_page_covers_every_sentence_of_a_founding_text(number: int) -> None:
    left = load_stored_sentence_beginnings()[number]
    for line, first, last in covered_sentences(sections()[number][1]):
        assert (line, True) == (left[0][0], is_beginning_of(left[0][1], first)), (left[0], first)
        while not is_beginning_of(left[0][1], last):
            left.pop(0)
        left.pop(0)
    assert [] == left


@pytest.mark.skipif(not SEEDS.is_dir(), reason="the founding texts are not beside this checkout")
def test_the_stored_excerpts_are_the_beginnings_of_sentences() -> None:
    assert read_sentence_beginnings() == load_stored_sentence_beginnings()
