"""Which cases prove which values of the rules: found by trying every case with another value in its place.

A case shows that a value allows something where an action that it expects to be legal is refused under another value,
or where the outcome it expects is another; that a value refuses something where an action that it expects to be refused
is legal, or refused for another reason; and where less is counted than under another value, or the game goes on.
A case whose pack or position cannot be under another value shows both, as far as it expects both. Where another
parameter says the same a second time, a case changes that one among its `options`. What no trial can show a case says
of itself, `"accepts": ["take_add_canasta"]`, for a reason that `tests.support.declared` gives.

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

from bot.engine.law.house_rules import Problem, ProblemCode, validate
from bot.engine.rules.fields import PositionError
from bot.engine.rules.options import read_options, write_value
from bot.engine.rules.parameters import BY_NAME, PARAMETERS, Parameter, Shape
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS
from bot.engine.rules.topics import Topic
from bot.referee.cases import differences, read_case, result_name, try_case
from bot.referee.requests import OK
from tests.support.declared import IDLE, TELL_NOTHING

CASES: Final = Path(__file__).parents[1] / "data" / "cases"

PROOFS: Final = CASES.parent / "proofs.json"
"""The cases that prove each value, as the search found them last."""

CLASSIC: Final = "classic"

ACCEPTED: Final = "accepted"
REFUSED: Final = "refused"

SHOWN_BY_DEALING: Final = frozenset({Topic.CARDS, Topic.TURN, Topic.THREES, Topic.FOOT})
"""Topics whose parameters whole deals may show; others are not looked for in them, which would take long."""
OF_THEIR_OWN: Final = frozenset({"italian-club", "uruguay-modern"})
"""Rule sets that are called like others and are not made of them."""

PASSED_OVER: Final = frozenset({ProblemCode.RED_THREE_VALUES, ProblemCode.WILD_RATIO_IDLE})
"""Problems of rules that can be tried all the same: nothing is said of some red threes, or a ratio never decides."""

COUNTED: Final = frozenset({"scores", "deal_scores", "breakdown", "game_over"})
"""Fields of an outcome in which more under one value is less under another; other fields are the same or not."""
COUNTING: Final = tuple([f"expect.{name}" for name in COUNTED])

Case = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Point:
    """A value that a rule set gives to a parameter, and for how many players."""

    rule_set: str
    parameter: str
    players: tuple[int, ...]

    def __str__(self) -> str:
        value = write_value(getattr(RULE_SETS[self.rule_set][self.players[0]], self.parameter))
        return f"{self.rule_set} {self.parameter}={json.dumps(value)} for {', '.join(map(str, self.players))}"


def points(name: str) -> Iterator[Point]:
    """Every value of a rule set that has to be proved: of the classic laws each that they decide, of another rule set
    each in which it differs from the one it is made of."""
    return _points(name, idle=False)


def idle_points(name: str) -> Iterator[Point]:
    """Those values of a rule set that decide nothing beside its others."""
    return _points(name, idle=True)


def _points(name: str, *, idle: bool) -> Iterator[Point]:
    for parameter in PARAMETERS:
        if parameter.name in TELL_NOTHING:
            continue
        values: dict[object, list[int]] = {}
        for players, rules in sorted(RULE_SETS[name].items()):
            if name == CLASSIC:
                wanted = not parameter.paragraph.startswith("v")
            else:
                wanted = parameter.value_in(rules) != parameter.value_in(base(rules))
            if wanted and is_idle(parameter.name, rules) == idle:
                values.setdefault(getattr(rules, parameter.name), []).append(players)
        yield from (Point(name, parameter.name, tuple(players)) for players in values.values())


def is_idle(parameter: str, rules: RuleSet) -> bool:
    """Whether a parameter decides nothing under these rules."""
    return parameter in IDLE and IDLE[parameter](rules)


def base(rules: RuleSet) -> RuleSet:
    """What a rule set is made of, for as many players or else for four: `singkep` of `singkep-13`, else `classic`."""
    longer = [name for name in RULE_SETS if rules.name.startswith(f"{name}-") and rules.name not in OF_THEIR_OWN]
    forms = RULE_SETS[max(longer, key=len) if longer else CLASSIC]
    return forms.get(rules.players) or forms.get(4) or forms[min(forms)]


def said_of(point: Point) -> set[str]:
    """What cases say of themselves that they show of the value, ``accepted`` or ``refused``."""
    return set().union(*(declared(case, point.parameter) for case in cases_of(point)))


def search(point: Point) -> dict[str, str]:
    """The first case that is accepted and the first that is refused because of the value, as far as there are.

    What a case says of itself is not searched for.
    """
    wanted = {ACCEPTED, REFUSED} - said_of(point)
    found: dict[str, str] = {}
    for case in cases_of(point):
        for shown in shown_by(case, point):
            if shown in wanted:
                wanted.remove(shown)
                found[shown] = case["id"]
            if not wanted:
                return found
    return found


@cache
def proofs() -> Mapping[str, Mapping[str, str]]:
    """The kept result of the search: by value the ids of the cases that are accepted and refused because of it."""
    kept: dict[str, dict[str, str]] = json.loads(PROOFS.read_text(encoding="utf-8"))
    return kept


def proves(point: Point, what: str) -> bool:
    """Whether the case kept as the proof of the value still shows it accepted or refused."""
    kept = proofs().get(str(point), {}).get(what)
    return any(what in shown_by(case, point) for case in cases_of(point) if case["id"] == kept)


def search_all() -> dict[str, dict[str, str]]:
    """The result of the search for every value of every rule set."""
    return {str(point): search(point) for name in RULE_SETS for point in points(name)}


def cases_of(point: Point) -> list[Case]:
    """The cases of the rule set and those players that leave the parameter as it is, the likeliest first.

    Those are the ones that declare it, then those that are named by its paragraph.
    """
    parameter = BY_NAME[point.parameter]
    candidates = [
        case
        for case in all_cases()
        if case.get("rules", CLASSIC) == point.rule_set
        and case.get("players", 4) in point.players
        and point.parameter not in case.get("options", {})
        and ("deck" not in case or parameter.topic in SHOWN_BY_DEALING)
    ]
    paragraph = f"{parameter.paragraph.replace('.', '_')}_"

    def likeliest(case: Case) -> tuple[bool, bool]:
        return not declared(case, point.parameter), not case["id"].startswith(paragraph)

    return sorted(candidates, key=likeliest)


def rules_of(case: Case) -> RuleSet:
    """The rules that a case is played by."""
    return _rules(case.get("rules", CLASSIC), case.get("players", 4), json.dumps(case.get("options", {})))


@cache
def _rules(name: str, players: int, options: str) -> RuleSet:
    return read_options(RULE_SETS[name][players], json.loads(options))


def declared(case: Case, parameter: str) -> set[str]:
    """Return the case's own declarations about a parameter."""
    said = {ACCEPTED: case.get("accepts", ()), REFUSED: case.get("refuses", ())}
    return {shown for shown, names in said.items() if parameter in names}


@cache
def all_cases() -> tuple[Case, ...]:
    """Every case of the project."""
    files = sorted(CASES.glob("*.json"))
    return tuple(case for file in files for case in json.loads(file.read_text(encoding="utf-8")))


# --- with another value ----------------------------------------------------------------------------------------------


def shown_by(case: Case, point: Point) -> Iterator[str]:
    """Yield ``accepted`` or ``refused`` for a value, once for each other value that changes the result."""
    rules = rules_of(case)
    for other in others(BY_NAME[point.parameter], rules):
        yield from with_value(case, point.parameter, other)


def with_value(case: Case, name: str, value: object) -> Iterator[str]:
    """What the case shows by being tried with that value."""
    changed = {**case, "options": {**case.get("options", {}), name: write_value(value)}}
    expected = [action.get("expect") for action in case.get("actions", ())]
    try:
        trial = try_case(read_case(changed))
    except PositionError:
        yield from (ACCEPTED if one == OK else REFUSED for one in expected if one is not None)
        return
    for request, judgement in zip(trial.case.requests, trial.judgements, strict=True):
        outcome = result_name(judgement)
        if not request.holds(outcome):
            yield ACCEPTED if request.expect == OK else REFUSED
            if OK in (request.expect, outcome):
                return  # what follows is tried in another position
    if not trial.case.expected:
        return
    result = trial.outcome()
    for failure in differences(trial.case.expected, result):
        if not failure.startswith(COUNTING):
            yield ACCEPTED
    for field in COUNTED & trial.case.expected.keys():
        yield from _counted(trial.case.expected[field], result[field])


def _counted(expected: Any, actual: Any) -> Iterator[str]:
    """What differing counts show: more is accepted, less is refused. That something is over counts as more."""
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        for name, value in expected.items():
            yield from _counted(value, actual.get(name))
    elif isinstance(expected, list) and isinstance(actual, list):
        for one, other in zip(expected, actual, strict=True):
            yield from _counted(one, other)
    elif isinstance(expected, int) and isinstance(actual, int) and expected != actual:
        yield ACCEPTED if expected > actual else REFUSED
    elif expected != actual:
        yield ACCEPTED


@cache
def others(parameter: Parameter, rules: RuleSet) -> tuple[object, ...]:
    """Other values that the parameter might have: that of the rules these are made of first, then all near it."""
    value = getattr(rules, parameter.name)
    found = dict.fromkeys([getattr(base(rules), parameter.name), *_near(parameter, value)])
    return tuple(
        other for other in found if other != value and not _problems(replace(rules, **{parameter.name: other}))
    )


def _problems(rules: RuleSet) -> list[Problem]:
    """Why the rules cannot be played. That some of them are idle then does not keep the others from being tried."""
    return [problem for problem in validate(rules) if problem.code not in PASSED_OVER]


def _near(parameter: Parameter, value: Any) -> Iterator[object]:
    if parameter.may_be_none and value is not None:
        yield None
    match parameter.shape:
        case Shape.FLAG:
            yield not value
        case Shape.WORD:
            yield from parameter.words
        case Shape.WORDS:
            yield from (value ^ {word} for word in parameter.words)
            yield frozenset()
        case Shape.NUMBER:
            near = value if value is not None else 8
            steps = (near + parameter.multiple, near - parameter.multiple, *parameter.usual)
            yield from (number for number in steps if parameter.lowest <= number <= parameter.highest)
        case Shape.NUMBERS:
            for step in (parameter.multiple, -parameter.multiple):
                yield tuple(number + step for number in value)
        case Shape.TABLE:
            for step in (parameter.multiple, -parameter.multiple):
                yield tuple((start, max(parameter.lowest, points + step)) for start, points in value)
                yield tuple(
                    (start + step if isinstance(start, int) and start else start, points) for start, points in value
                )


if __name__ == "__main__":
    PROOFS.write_text(json.dumps(search_all(), indent=1, sort_keys=True) + "\n", encoding="utf-8")
