"""Read referee cases, run them, and compare outcomes with expectations.

Only the named fields are compared. Hands, melds, red threes and penalty cards are unordered; stock and pile are
ordered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bot.engine.cards.notation import cards_text
from bot.engine.moves.events import Penalized
from bot.engine.moves.refusals import Refusal
from bot.engine.positions.position_parts import detail_by_place
from bot.engine.positions.position_reading import CASE_FIELDS, read_position
from bot.engine.rules.case_fields import CaseFields, read_cards, read_rows
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State
from bot.referee.case_actions import OK, CaseAction, read_action, try_action, with_turn_begun
from bot.referee.judgement import (
    OUTCOME_FIELDS,
    Judgement,
    JudgementWords,
    judgement_of_allowed_action,
    judgement_of_penalized_action,
    judgement_of_refused_action,
    outcome_of,
)


def read_expectation(data: object) -> dict[str, Any]:
    """Return the expected fields of the outcome, in a form that can be compared. Raises `PositionError`."""
    expected = dict(CaseFields(data, "expect", OUTCOME_FIELDS).data)
    if isinstance(expected.get("position"), Mapping):
        expected["position"] = _comparable_position(expected["position"], "expect.position")
    return expected


def find_differences(expected: Mapping[str, Any], outcome: Mapping[str, Any]) -> Iterator[str]:
    """Yield a text for every field of the outcome that differs from the expectation, with its path."""
    position = _comparable_position(outcome["position"], "position")
    yield from _find_differences("expect", expected, {**outcome, "position": position})


def _find_differences(path: str, expected: object, actual: object) -> Iterator[str]:
    """Yield a text for each difference between two values, with its path."""
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        for name, value in expected.items():
            yield from _find_differences(f"{path}.{name}", value, actual.get(name))
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for number, (one, other) in enumerate(zip(expected, actual, strict=True)):
            yield from _find_differences(f"{path}.{number}", one, other)
    elif expected != actual or isinstance(expected, bool) != isinstance(actual, bool):
        yield f"{path}: expected {_value_text(expected)}, got {_value_text(actual)}"


def _value_text(value: object) -> str:
    """Return a value as text for a line about a difference."""
    return {"None": "null", "True": "true", "False": "false"}.get(str(value), repr(value))


# --- comparable positions: unordered cards are sorted ----------------------------------------------------------------


def _comparable_position(position: Mapping[str, Any], path: str) -> dict[str, Any]:
    """Return the position with every field in a uniform form, so that equal positions are equal values.

    A null field counts as missing.
    """
    return {
        name: value if value is None or name not in _FORMS else _FORMS[name](value, f"{path}.{name}")
        for name, value in position.items()
    }


def _cards_in_order(value: object, path: str) -> str:
    """Return the cards of a text in their order, in uniform writing."""
    return cards_text(read_cards(value, path))


def _cards_in_any_order(value: object, path: str) -> str:
    """Return the cards of a text, sorted, in uniform writing."""
    return cards_text(sorted(read_cards(value, path)))


def _comparable_melds(value: object, path: str) -> list[str]:
    """Return the melds of a list as texts, each with its cards sorted, in sorted order."""
    return sorted(_cards_in_any_order(text, f"{path}.{number}") for number, text in enumerate(read_rows(value, path)))


def _sorted_values(value: object, path: str) -> list[Any]:
    """Return the values of a list, sorted."""
    return sorted(read_rows(value, path), key=str)


def _comparable_penalties(value: object, path: str) -> dict[str, Any]:
    """Return the penalties with their penalty cards and their seats sorted."""
    given = CaseFields(value, path, value if isinstance(value, Mapping) else ()).data
    forms: dict[str, Callable[[object, str], object]] = {
        "exposed": _normaliser_of_each_value(_cards_in_any_order),
        "until_opened": _sorted_values,
    }
    return {name: forms[name](one, f"{path}.{name}") if name in forms else one for name, one in given.items()}


def _normaliser_of_each_value(form: Callable[[object, str], object]) -> Callable[[object, str], object]:
    """Return a function that applies `form` to the value of each seat or side."""

    def normalise_each(value: object, path: str) -> object:
        given = CaseFields(value, path, value if isinstance(value, Mapping) else ()).data
        return {number: form(one, f"{path}.{number}") for number, one in given.items()}

    return normalise_each


_FORMS: Final[Mapping[str, Callable[[object, str], object]]] = {
    "stock": _cards_in_order,
    "pile": _cards_in_order,
    "hands": _normaliser_of_each_value(_cards_in_any_order),
    "feet": _normaliser_of_each_value(_cards_in_any_order),
    "red_threes": _normaliser_of_each_value(_cards_in_any_order),
    "threes": _normaliser_of_each_value(_cards_in_any_order),
    "melds": _normaliser_of_each_value(_comparable_melds),
    "melded_before": _sorted_values,
    "penalties": _comparable_penalties,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A case: its position, its actions, and the expected outcome."""

    name: str | None
    state: State
    requests: tuple[CaseAction, ...]
    expected: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CaseTrial:
    """The result of trying a case: a judgement on each action, and the final state."""

    case: Case
    judgements: tuple[Judgement, ...]
    state: State

    def outcome(self) -> dict[str, Any]:
        """Return the outcome of the case as data (`docs/referee.md`)."""
        return outcome_of(self.case.name, self.judgements, self.state)

    def failures(self) -> list[str]:
        """Return a text for everything that differs from the expectation; empty if nothing does."""
        return list(self._find_failures())

    def _find_failures(self) -> Iterator[str]:
        """Yield a text for everything that differs from the expectation."""
        for number, (request, judgement) in enumerate(zip(self.case.requests, self.judgements, strict=True)):
            outcome = result_name(judgement)
            if not request.is_expected(outcome):
                why = "" if judgement.allowed else f": {judgement.words}"
                yield f"actions.{number}: expected {request.expect}, got {outcome}{why}"
        yield from find_differences(self.case.expected, self.outcome())


def result_name(judgement: Judgement) -> str:
    """Return the name of the result: ``ok``, a refusal's code, or the irregularity that was paid for."""
    if judgement.penalized is not None:
        return judgement.penalized.irregularity.value
    return OK if judgement.code is None else judgement.code.value


def read_case(data: Mapping[str, Any]) -> Case:
    """Return a case from its data. Raises `PositionError`."""
    fields = CaseFields(data, "", CASE_FIELDS)
    name = fields.text("id", "")
    return Case(
        name=name or None,
        state=with_turn_begun(read_position(data)),
        requests=tuple(read_action(entry, f"actions.{number}") for number, entry in enumerate(fields.rows("actions"))),
        expected=read_expectation(fields.value("expect") if fields.has_field("expect") else {}),
    )


def try_case(case: Case, speech: JudgementWords | None = None) -> CaseTrial:
    """Try every action in order and return the result; a refused action changes nothing."""
    speech = speech or JudgementWords()
    state = case.state
    judgements: list[Judgement] = []
    for request in case.requests:
        try:
            events = try_action(state, request)
        except Refusal as refusal:
            by_place = Refusal(refusal.code, detail_by_place(state, refusal.detail), refusal.list_legal)
            by_place.penalty = refusal.penalty
            judgements.append(judgement_of_refused_action(state.rules, by_place, speech))
            continue
        # A penalty counts only if the case attempts it; other costs of an allowed step show in the position.
        paid = next((event for event in events if isinstance(event, Penalized)), None) if request.attempted else None
        judgements.append(
            judgement_of_allowed_action(request.paragraph, speech)
            if paid is None
            else judgement_of_penalized_action(state, paid, speech)
        )
        # A red three that a position left in a hand is laid out at its holder's next turn.
        state = with_turn_begun(fold(state, events))
    return CaseTrial(case, tuple(judgements), state)
