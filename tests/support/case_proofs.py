"""Find the cases that prove each parameter value, by trying every case again with other values.

A case proves that a value allows something if, under another value, an action that the case expects to be legal is
refused, or the outcome differs. It proves that a value refuses something if, under another value, an action that the
case expects to be refused is legal or refused for another reason, or if more is scored, or if the game does not end. A
case whose pack or position is impossible under another value proves both, as far as it expects both. If two parameters
have the same effect, the case changes the other one by its `options`. If no trial can prove something, the case
declares it, as in `"accepts": ["take_add_canasta"]`, and `tests.support.unprovable_values` gives the reason.

The search takes half a minute, so its result is kept in `tests/data/proofs.json`: for each value the case that proves
it. Every run tries those cases only; `make nightly` searches again. `make proofs` searches and writes the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from bot.engine.law.rule_conflicts import ProblemCode, RuleProblem, find_rule_problems
from bot.engine.rules.case_fields import PositionError
from bot.engine.rules.parameter_declarations import Topic
from bot.engine.rules.parameters import BY_NAME, PARAMETERS, Parameter, ValueType
from bot.engine.rules.rule_options import read_options, write_value
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS
from bot.referee.case_actions import OK
from bot.referee.cases import find_differences, read_case, result_name, try_case
from tests.support.unprovable_values import ONLY_INFORM, WITHOUT_EFFECT

CASES: Final = Path(__file__).parents[1] / "data" / "cases"

PROOFS: Final = CASES.parent / "proofs.json"
"""The cases that prove each value, from the last search."""

CLASSIC: Final = "classic"

ACCEPTED: Final = "accepted"
REFUSED: Final = "refused"

SHOWN_BY_DEALING: Final = frozenset({Topic.CARDS, Topic.TURN, Topic.THREES, Topic.FOOT})
"""Topics whose parameters may be proved by whole deals; trying those for other topics would take long."""
SETS_WITHOUT_BASE: Final = frozenset({"italian-club", "uruguay-modern"})
"""Rule sets whose names begin like another's, but which are not based on it."""

PASSED_OVER: Final = frozenset({ProblemCode.RED_THREE_VALUES, ProblemCode.WILD_RATIO_IDLE})
"""Problems of rules that do not prevent a trial: a value is missing for some red threes, or a ratio never decides."""

COUNTED: Final = frozenset({"scores", "deal_scores", "breakdown", "game_over"})
"""Fields of an outcome that differ by more or less; any other field is the same or not."""
COUNTING: Final = tuple([f"expect.{name}" for name in COUNTED])

Case = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ParameterValue:
    """A parameter of a rule set with its value, for some number of players."""

    rule_set: str
    parameter: str
    players: tuple[int, ...]

    def __str__(self) -> str:
        value = write_value(getattr(RULE_SETS[self.rule_set][self.players[0]], self.parameter))
        return f"{self.rule_set} {self.parameter}={json.dumps(value)} for {', '.join(map(str, self.players))}"


def values_to_prove(rule_set_name: str) -> Iterator[ParameterValue]:
    """Return the values of a rule set that need proof: those that differ from its base rule set.

    For classic, all values need it.
    """
    return _select_values(rule_set_name, without_effect=False)


def values_without_effect(rule_set_name: str) -> Iterator[ParameterValue]:
    """Return the values of a rule set that have no effect because of its other values."""
    return _select_values(rule_set_name, without_effect=True)


def _select_values(rule_set_name: str, *, without_effect: bool) -> Iterator[ParameterValue]:
    """Yield the values of a rule set that need proof, or with `without_effect` those that have no effect."""
    for parameter in PARAMETERS:
        if parameter.name in ONLY_INFORM:
            continue
        values: dict[object, list[int]] = {}
        for players, rules in sorted(RULE_SETS[rule_set_name].items()):
            if rule_set_name == CLASSIC:
                wanted = not parameter.paragraph.startswith("v")
            else:
                wanted = parameter.value_in(rules) != parameter.value_in(base_rules_of(rules))
            if wanted and has_no_effect(parameter.name, rules) == without_effect:
                values.setdefault(getattr(rules, parameter.name), []).append(players)
        yield from (ParameterValue(rule_set_name, parameter.name, tuple(players)) for players in values.values())


def has_no_effect(parameter: str, rules: RuleSet) -> bool:
    """Return whether a parameter has no effect under these rules."""
    return parameter in WITHOUT_EFFECT and WITHOUT_EFFECT[parameter](rules)


def base_rules_of(rules: RuleSet) -> RuleSet:
    """Return the rule set from which this one is made: `singkep` for `singkep-13`, else `classic`."""
    longer = [name for name in RULE_SETS if rules.name.startswith(f"{name}-") and rules.name not in SETS_WITHOUT_BASE]
    forms = RULE_SETS[max(longer, key=len) if longer else CLASSIC]
    return forms.get(rules.players) or forms.get(4) or forms[min(forms)]


def results_declared_by_cases(parameter_value: ParameterValue) -> set[str]:
    """Return the results (``accepted``, ``refused``) that some case declares to prove for this value."""
    return set().union(*(declared_results(case, parameter_value.parameter) for case in cases_of(parameter_value)))


def search_proofs(parameter_value: ParameterValue) -> dict[str, str]:
    """Return the ids of the first case that the value makes accepted, and of the first that it makes refused.

    Results that cases declare are not searched.
    """
    wanted = {ACCEPTED, REFUSED} - results_declared_by_cases(parameter_value)
    found: dict[str, str] = {}
    for case in cases_of(parameter_value):
        for text in results_shown_by(case, parameter_value):
            if text in wanted:
                wanted.remove(text)
                found[text] = case["id"]
            if not wanted:
                return found
    return found


@cache
def load_proofs() -> Mapping[str, Mapping[str, str]]:
    """Return the stored result of the search: for each value the ids of its proofs.

    One case is accepted because of the value, another is refused.
    """
    kept: dict[str, dict[str, str]] = json.loads(PROOFS.read_text(encoding="utf-8"))
    return kept


def is_still_proved(parameter_value: ParameterValue, result: str) -> bool:
    """Return whether the case stored as proof of the value still proves `result`: accepted or refused."""
    kept = load_proofs().get(str(parameter_value), {}).get(result)
    return any(
        result in results_shown_by(case, parameter_value) for case in cases_of(parameter_value) if case["id"] == kept
    )


def search_all_proofs() -> dict[str, dict[str, str]]:
    """Return the proofs of every value of every rule set."""
    return {str(point): search_proofs(point) for name in RULE_SETS for point in values_to_prove(name)}


def cases_of(parameter_value: ParameterValue) -> list[Case]:
    """Return the cases that may prove the value: those that do not change its parameter, likely ones first.

    First come those that declare the parameter, then those named after its paragraph.
    """
    parameter = BY_NAME[parameter_value.parameter]
    candidates = [
        case
        for case in all_cases()
        if case.get("rules", CLASSIC) == parameter_value.rule_set
        and case.get("players", 4) in parameter_value.players
        and parameter_value.parameter not in case.get("options", {})
        and ("deck" not in case or parameter.topic in SHOWN_BY_DEALING)
    ]
    paragraph = f"{parameter.paragraph.replace('.', '_')}_"

    def sort_key(case: Case) -> tuple[bool, bool]:
        return not declared_results(case, parameter_value.parameter), not case["id"].startswith(paragraph)

    return sorted(candidates, key=sort_key)


def rules_of(case: Case) -> RuleSet:
    """Return the rules by which a case is played."""
    return _rules_with_options(case.get("rules", CLASSIC), case.get("players", 4), json.dumps(case.get("options", {})))


@cache
def _rules_with_options(name: str, players: int, options: str) -> RuleSet:
    """Return a rule set with house rules, which are given as JSON."""
    return read_options(RULE_SETS[name][players], json.loads(options))


def declared_results(case: Case, parameter: str) -> set[str]:
    """Return which results (``accepted``, ``refused``) a case declares for a parameter."""
    said = {ACCEPTED: case.get("accepts", ()), REFUSED: case.get("refuses", ())}
    return {text for text, names in said.items() if parameter in names}


@cache
def all_cases() -> tuple[Case, ...]:
    """Return every case of the project."""
    files = sorted(CASES.glob("*.json"))
    return tuple(case for file in files for case in json.loads(file.read_text(encoding="utf-8")))


# --- with another value ----------------------------------------------------------------------------------------------


def results_shown_by(case: Case, parameter_value: ParameterValue) -> Iterator[str]:
    """Try a case with each other value of the parameter, and yield the results that it proves for this one."""
    rules = rules_of(case)
    for other in other_values(BY_NAME[parameter_value.parameter], rules):
        yield from results_proved_by_value(case, parameter_value.parameter, other)


def results_proved_by_value(case: Case, parameter_name: str, value: object) -> Iterator[str]:
    """Yield which results (``accepted``, ``refused``) a case proves when it is tried with that value."""
    changed = {**case, "options": {**case.get("options", {}), parameter_name: write_value(value)}}
    expected = [action.get("expect") for action in case.get("actions", ())]
    try:
        trial = try_case(read_case(changed))
    except PositionError:
        yield from (ACCEPTED if one == OK else REFUSED for one in expected if one is not None)
        return
    for request, judgement in zip(trial.case.requests, trial.judgements, strict=True):
        outcome = result_name(judgement)
        if not request.is_expected(outcome):
            yield ACCEPTED if request.expect == OK else REFUSED
            if OK in (request.expect, outcome):
                return  # the position differs from now on, so later requests show nothing
    if not trial.case.expected:
        return
    result = trial.outcome()
    for failure in find_differences(trial.case.expected, result):
        if not failure.startswith(COUNTING):
            yield ACCEPTED
    for field in COUNTED & trial.case.expected.keys():
        yield from _compare_counts(trial.case.expected[field], result[field])


def _compare_counts(expected: Any, actual: Any) -> Iterator[str]:
    """Yield `ACCEPTED` for each number that is lower than the case expects, `REFUSED` for each higher one.

    Any other difference, such as a finished game, is `ACCEPTED`.
    """
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        for name, value in expected.items():
            yield from _compare_counts(value, actual.get(name))
    elif isinstance(expected, list) and isinstance(actual, list):
        for one, other in zip(expected, actual, strict=True):
            yield from _compare_counts(one, other)
    elif isinstance(expected, int) and isinstance(actual, int) and expected != actual:
        yield ACCEPTED if expected > actual else REFUSED
    elif expected != actual:
        yield ACCEPTED


@cache
def other_values(parameter: Parameter, rules: RuleSet) -> tuple[object, ...]:
    """Return other playable values of the parameter: that of the base rule set first, then all near it."""
    value = getattr(rules, parameter.name)
    found = dict.fromkeys([getattr(base_rules_of(rules), parameter.name), *_near_values(parameter, value)])
    return tuple(
        other for other in found if other != value and not _rule_problems(replace(rules, **{parameter.name: other}))
    )


def _rule_problems(rules: RuleSet) -> list[RuleProblem]:
    """Return the reasons why the rules cannot be played, ignoring parameters without effect."""
    return [problem for problem in find_rule_problems(rules) if problem.code not in PASSED_OVER]


def _near_values(parameter: Parameter, value: Any) -> Iterator[object]:
    """Yield values near this one that the parameter may have, including None where allowed."""
    if parameter.may_be_none and value is not None:
        yield None
    match parameter.shape:
        case ValueType.FLAG:
            yield not value
        case ValueType.WORD:
            yield from parameter.words
        case ValueType.WORDS:
            yield from (value ^ {word} for word in parameter.words)
            yield frozenset()
        case ValueType.NUMBER:
            near = value if value is not None else 8
            steps = (near + parameter.multiple, near - parameter.multiple, *parameter.usual)
            yield from (number for number in steps if parameter.lowest <= number <= parameter.highest)
        case ValueType.NUMBERS:
            for step in (parameter.multiple, -parameter.multiple):
                yield tuple(number + step for number in value)
        case ValueType.TABLE:
            for step in (parameter.multiple, -parameter.multiple):
                yield tuple((start, max(parameter.lowest, points + step)) for start, points in value)
                yield tuple(
                    (start + step if isinstance(start, int) and start else start, points) for start, points in value
                )


if __name__ == "__main__":
    PROOFS.write_text(json.dumps(search_all_proofs(), indent=1, sort_keys=True) + "\n", encoding="utf-8")
