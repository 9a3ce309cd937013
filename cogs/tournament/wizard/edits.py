"""What a page of the wizard changes in a plan: each field a function of the plan and of what the organiser types."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.law import DAY
from bot.clocks.quiet_hours import minutes_of
from bot.engine.rules.rule_set import RuleSet
from bot.tables.state.clocks import MOST_DEALS, TableSettings
from bot.tournaments.event.plan import MOST_BOARDS, SLOW, BoardScoring, Duplicate, Plan, Seeding
from bot.tournaments.formats.by_kind import FORMATS
from bot.tournaments.traits import FormatKind
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.reading.typed_times import day_of
from cogs.shared.serving.choices import typed_clock

WEEKDAYS: Final = (
    ("mon", "lun"),
    ("tue", "mar"),
    ("wed", "mer"),
    ("thu", "gio"),
    ("fri", "ven"),
    ("sat", "sab"),
    ("sun", "dom"),
)
"""How the days of the week begin, Monday first, in every language there is a catalogue for."""

_UNITS: Final = {"m": MINUTE, "min": MINUTE, "h": HOUR, "d": DAY, "g": DAY}
_SPAN: Final = re.compile(r"(\d{1,4})\s*([a-z]*)")


def instant_of(text: str, zone: str, now: int) -> int:
    """UTC milliseconds of "Fri 20:00", "20:00" or "2026-11-27 20:00" in a time zone (UTC for none), the next there is.

    Raises `InputProblem`.
    """
    *before, last = text.replace(",", " ").split() or [""]
    minutes = minutes_of(last)
    if minutes is None or len(before) > 1:
        raise InputProblem(InputCode.NOT_AN_INSTANT, {"text": text[:40]})
    where = ZoneInfo(zone or "UTC")
    today = datetime.fromtimestamp(now / 1000, where)
    if not before:
        found = _at(today, minutes)
        return _milliseconds(found if _milliseconds(found) > now else _at(today + timedelta(days=1), minutes))
    weekday = next((number for number, names in enumerate(WEEKDAYS) if before[0].casefold().startswith(names)), None)
    if weekday is not None:
        found = _at(today + timedelta(days=(weekday - today.weekday()) % 7), minutes)
        return _milliseconds(found if _milliseconds(found) > now else _at(found + timedelta(days=7), minutes))
    day = day_of(before[0], today.date())
    if day is None:
        raise InputProblem(InputCode.NOT_AN_INSTANT, {"text": text[:40]})
    return _milliseconds(_at(datetime(day.year, day.month, day.day, tzinfo=where), minutes))


def _at(day: datetime, minutes: int) -> datetime:
    return day.replace(hour=minutes // 60, minute=minutes % 60, second=0, microsecond=0)


def _milliseconds(found: datetime) -> int:
    return round(found.astimezone(UTC).timestamp()) * 1000


def span_of(text: str, unit: int) -> int:
    """Milliseconds of "40", "40 min", "2 h" or "10 d"; a bare number counts that unit. Raises `InputProblem`."""
    found = _SPAN.fullmatch(text.strip().casefold())
    if found is None or (found[2] and found[2] not in _UNITS):
        raise InputProblem(InputCode.NOT_A_SPAN, {"text": text[:40]})
    return int(found[1]) * (_UNITS[found[2]] if found[2] else unit)


def spans_of(text: str, unit: int) -> tuple[int, int]:
    """Two lengths of time, as in "30-5" or "24 h - 1 h". Raises `InputProblem`."""
    first, mark, second = re.sub(r"[–—]", "-", text).partition("-")
    if not mark:
        raise InputProblem(InputCode.NOT_A_SPAN, {"text": text[:40]})
    return span_of(first, unit), span_of(second, unit)


def number_of(text: str, least: int, most: int) -> int:
    """A whole number between those. Raises `InputProblem`."""
    if not text.strip().isdecimal() or not least <= int(text) <= most:
        raise InputProblem(InputCode.NOT_BETWEEN, {"text": text[:40], "least": least, "most": most})
    return int(text)


MOST_PLACES: Final = 256
MOST_ROUNDS: Final = 40
LONGEST_NAME: Final = 60

Edit = Callable[[Plan, str], Plan]


def fitted(plan: Plan) -> Plan:
    """The plan with what follows from its rules and format: sides, the size of an entry, boards, the unit of swing."""
    return FORMATS[plan.kind].fitted(plan)


def with_rules(plan: Plan, rules: RuleSet, *, saved_as: str = "") -> Plan:
    """The plan with other rules."""
    return fitted(replace(plan, rules=rules, saved_as=saved_as))


def _kind(plan: Plan, value: str) -> Plan:
    if value not in {one.value for one in FormatKind}:
        raise InputProblem(InputCode.OLD_CONTROL)
    return fitted(replace(plan, kind=FormatKind(value), rounds=None))


def _live(plan: Plan, _value: str) -> Plan:
    """A live tournament becomes a slow one with all that is usual of those, and the other way round."""
    usual = Plan(name="", rules=plan.rules)
    chosen: dict[str, Any] = dict(SLOW) if plan.live else {name: getattr(usual, name) for name in SLOW}
    return replace(plan, **chosen)


def _clock(plan: Plan, value: str) -> Plan:
    terms = typed_clock(value)
    if terms is None:
        raise InputProblem(InputCode.NOT_A_CLOCK, {"text": value})
    return replace(plan, settings=TableSettings(clock=terms, vacation=0))


def _deals(plan: Plan, value: str) -> Plan:
    return replace(plan, deals=None if value == "target" else number_of(value, 1, MOST_DEALS))


def _check_in(plan: Plan, value: str) -> Plan:
    opens, closes = spans_of(value, MINUTE if plan.live else HOUR)
    return replace(plan, check_in_from=opens, check_in_until=closes)


def _duplicate(plan: Plan) -> Duplicate:
    return plan.duplicate or Duplicate()


def _minimums(plan: Plan, value: str) -> Plan:
    given = tuple(number_of(one, 0, 1000) for one in value.replace(",", " ").split())
    return replace(plan, duplicate=replace(_duplicate(plan), minimums=given or Duplicate().minimums))


def _scored(plan: Plan, value: str) -> Plan:
    return fitted(replace(plan, duplicate=replace(_duplicate(plan), scoring=BoardScoring(value))))


def _boards(plan: Plan, value: str) -> Plan:
    return replace(plan, duplicate=replace(_duplicate(plan), boards=number_of(value, 1, MOST_BOARDS)))


def _each(plan: Plan, value: str) -> Plan:
    return replace(plan, duplicate=replace(_duplicate(plan), in_a_round=number_of(value, 1, MOST_BOARDS)))


def _rounds(plan: Plan, value: str) -> Plan:
    return replace(plan, rounds=number_of(value, 1, MOST_ROUNDS) if value.strip() else None)


def _name(plan: Plan, value: str) -> Plan:
    return replace(plan, name=" ".join(value.split())[:LONGEST_NAME])


EDITS: Final[Mapping[str, Edit]] = {
    "kind": _kind,
    "rounds": _rounds,
    "cycles": lambda plan, _value: replace(plan, cycles=3 - plan.cycles),
    "third": lambda plan, _value: replace(plan, third_place=not plan.third_place),
    "second": lambda plan, _value: replace(plan, second_chance=not plan.second_chance),
    "boards": _boards,
    "each": _each,
    "minimums": _minimums,
    "scoring": _scored,
    "deals": _deals,
    "live": _live,
    "clock": _clock,
    "length": lambda plan, value: replace(plan, round_time=span_of(value, MINUTE if plan.live else DAY)),
    "between": lambda plan, value: replace(plan, between=span_of(value, MINUTE if plan.live else HOUR)),
    "checkin": _check_in,
    "places": lambda plan, value: replace(plan, places=number_of(value, 2, MOST_PLACES)),
    "drawn": lambda plan, _value: fitted(replace(plan, drawn=not plan.drawn)),
    "seeding": lambda plan, value: replace(plan, seeding=Seeding(value)),
    "computers": lambda plan, _value: replace(plan, computers=not plan.computers),
    "rated": lambda plan, _value: replace(plan, rated=not plan.rated),
    "late": lambda plan, _value: replace(plan, late_entry=not plan.late_entry),
    "answer": lambda plan, value: replace(plan, partner_answer=span_of(value, HOUR)),
    "name": _name,
}
"""Fields whose text needs nothing but the plan; rules, themes and the start are read by the controls."""

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
    "rated": "people",
    "late": "people",
    "answer": "people",
    "name": "check",
}
"""On which page each field stands."""
