"""The wizard's changes to a plan: one function per field, from plan and typed text to the new plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY
from bot.engine.rules.rule_set import RuleSet
from bot.tables.state.clocks import LEVELS, MOST_DEALS, TableSettings
from bot.tournaments.event.plan import MOST_BOARDS, SLOW, BoardScoring, Duplicate, Plan, Seeding
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.formats.by_kind import FORMATS
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.typed_times import parse_duration, parse_two_durations
from cogs.shared.reading.vocabulary import Vocabulary
from cogs.shared.serving.option_choices import clock_problem, parse_clock


def parse_number(text: str, least: int, most: int) -> int:
    """Return the text as an integer from `least` to `most`. Raises `InputProblem`."""
    if not text.strip().isdecimal() or not least <= int(text) <= most:
        raise InputProblem(InputCode.NOT_BETWEEN, {"text": text[:40], "least": least, "most": most})
    return int(text)


MOST_ENTRIES: Final = 1000
MOST_ROUNDS: Final = 40
LONGEST_NAME: Final = 60

Edit: TypeAlias = Callable[[Plan, str], Plan]


def fill_in_plan(plan: Plan) -> Plan:
    """Return the plan with the values that its rules and format imply, such as the size of entries."""
    return FORMATS[plan.kind].fill_in_plan(plan)


def plan_with_rules(plan: Plan, rules: RuleSet, *, saved_as: str = "") -> Plan:
    """Return the plan with other rules; `saved_as` is their name if the server has saved them."""
    return fill_in_plan(replace(plan, rules=rules, saved_as=saved_as))


def _set_kind(plan: Plan, value: str) -> Plan:
    if value not in {one.value for one in FormatKind}:
        raise InputProblem(InputCode.OLD_CONTROL)
    return fill_in_plan(replace(plan, kind=FormatKind(value), rounds=None))


def _switch_live_or_slow(plan: Plan, _value: str) -> Plan:
    """Return the plan changed from live to slow or back, with the default values of the new kind."""
    usual = Plan(name="", rules=plan.rules)
    chosen: dict[str, Any] = dict(SLOW) if plan.live else {name: getattr(usual, name) for name in SLOW}
    return replace(plan, **chosen)


def _set_clock(plan: Plan, value: str) -> Plan:
    terms = parse_clock(value)
    if terms is None:
        raise clock_problem(value)
    return replace(plan, settings=TableSettings(clock=terms, vacation=0))


def _set_deals(plan: Plan, value: str) -> Plan:
    return replace(plan, deals=None if value == "target" else parse_number(value, 1, MOST_DEALS))


def _set_check_in(plan: Plan, value: str, vocabulary: Vocabulary) -> Plan:
    opens, closes = parse_two_durations(value, MINUTE if plan.live else HOUR, vocabulary)
    return replace(plan, check_in_from=opens, check_in_until=closes)


def _duplicate_settings(plan: Plan) -> Duplicate:
    return plan.duplicate or Duplicate()


def _set_minimums(plan: Plan, value: str) -> Plan:
    given = tuple(parse_number(one, 0, 1000) for one in value.replace(",", " ").split())
    return replace(plan, duplicate=replace(_duplicate_settings(plan), minimums=given or Duplicate().minimums))


def _set_scoring(plan: Plan, value: str) -> Plan:
    return fill_in_plan(replace(plan, duplicate=replace(_duplicate_settings(plan), scoring=BoardScoring(value))))


def _set_boards(plan: Plan, value: str) -> Plan:
    return replace(plan, duplicate=replace(_duplicate_settings(plan), boards=parse_number(value, 1, MOST_BOARDS)))


def _set_boards_in_round(plan: Plan, value: str) -> Plan:
    return replace(plan, duplicate=replace(_duplicate_settings(plan), in_a_round=parse_number(value, 1, MOST_BOARDS)))


def _switch_one_or_two_winners(plan: Plan, _value: str) -> Plan:
    duplicate = _duplicate_settings(plan)
    return replace(plan, duplicate=replace(duplicate, two_winners=not duplicate.two_winners))


def _set_rounds(plan: Plan, value: str) -> Plan:
    return replace(plan, rounds=parse_number(value, 1, MOST_ROUNDS) if value.strip() else None)


def _set_places(plan: Plan, value: str) -> Plan:
    """Return the plan with another number of places, at most as many entries as a tournament may have."""
    most = MOST_ENTRIES * (1 if plan.traits.partners_change else plan.persons_in_entry)
    return replace(plan, places=parse_number(value, 2, most))


def _set_name(plan: Plan, value: str) -> Plan:
    return replace(plan, name=" ".join(value.split())[:LONGEST_NAME])


def _set_level(plan: Plan, value: str) -> Plan:
    """Return the plan with another level of the computer players who fill in."""
    chosen = next(one for one in LEVELS if one == value)
    return replace(plan, settings=replace(plan.settings, level=chosen))


MOST_REGULARS: Final = 4


def _set_regulars(plan: Plan, value: str) -> Plan:
    """Return the plan with another limit of regulars per entry."""
    return replace(plan, regulars=parse_number(value, 0, MOST_REGULARS))


EDITS: Final[Mapping[str, Edit]] = {
    "kind": _set_kind,
    "rounds": _set_rounds,
    "cycles": lambda plan, _value: replace(plan, cycles=3 - plan.cycles),
    "third": lambda plan, _value: replace(plan, third_place=not plan.third_place),
    "second": lambda plan, _value: replace(plan, second_chance=not plan.second_chance),
    "boards": _set_boards,
    "each": _set_boards_in_round,
    "minimums": _set_minimums,
    "scoring": _set_scoring,
    "winners": _switch_one_or_two_winners,
    "deals": _set_deals,
    "live": _switch_live_or_slow,
    "clock": _set_clock,
    "places": _set_places,
    "regulars": _set_regulars,
    "drawn": lambda plan, _value: fill_in_plan(replace(plan, drawn=not plan.drawn)),
    "seeding": lambda plan, value: replace(plan, seeding=Seeding(value)),
    "computers": lambda plan, _value: replace(plan, computers=not plan.computers),
    "level": _set_level,
    "rated": lambda plan, _value: replace(plan, rated=not plan.rated),
    "late": lambda plan, _value: replace(plan, late_entry=not plan.late_entry),
    "name": _set_name,
}
"""Fields that need only the plan; rules, themes and the start are read by the controls."""

TIMED: Final[Mapping[str, Callable[[Plan, str, Vocabulary], Plan]]] = {
    "length": lambda plan, value, vocabulary: replace(
        plan, round_time=parse_duration(value, MINUTE if plan.live else DAY, vocabulary)
    ),
    "between": lambda plan, value, vocabulary: replace(
        plan, between=parse_duration(value, MINUTE if plan.live else HOUR, vocabulary)
    ),
    "checkin": _set_check_in,
    "answer": lambda plan, value, vocabulary: replace(plan, partner_answer=parse_duration(value, HOUR, vocabulary)),
}
"""Fields for a duration, which organisers type in their language."""

PAGE_OF: Final[Mapping[str, str]] = {
    "kind": "format",
    "rounds": "format",
    "cycles": "format",
    "third": "format",
    "second": "format",
    "boards": "format",
    "each": "format",
    "minimums": "format",
    "scoring": "format",
    "winners": "format",
    "rules": "game",
    "players": "game",
    "deals": "game",
    "themes": "game",
    "start": "time",
    "live": "time",
    "clock": "time",
    "length": "time",
    "between": "time",
    "checkin": "time",
    "places": "people",
    "drawn": "people",
    "seeding": "people",
    "computers": "people",
    "level": "people",
    "rated": "people",
    "late": "people",
    "answer": "people",
    "regulars": "people",
    "name": "check",
}
"""The page of each field."""
