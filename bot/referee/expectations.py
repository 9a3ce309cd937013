"""Expectations: what a case says its outcome should be, and in what the outcome differs.

Objects are compared on the fields they name. Hands, melds, red threes and penalty cards have no order; stock and pile
have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from bot.engine.cards.notation import cards_text
from bot.engine.rules.fields import Fields, cards, rows
from bot.referee.outcome import OUTCOME_FIELDS


def read_expectation(data: object) -> dict[str, Any]:
    """The outcome's fields that are expected, cards in the order they are compared in. Raises `PositionError`."""
    expected = dict(Fields(data, "expect", OUTCOME_FIELDS).data)
    if isinstance(expected.get("position"), Mapping):
        expected["position"] = _comparable(expected["position"], "expect.position")
    return expected


def differences(expected: Mapping[str, Any], outcome: Mapping[str, Any]) -> Iterator[str]:
    """Every field, by its path, in which the outcome is not what was expected."""
    position = _comparable(outcome["position"], "position")
    yield from _differences("expect", expected, {**outcome, "position": position})


def _differences(path: str, expected: object, actual: object) -> Iterator[str]:
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        for name, value in expected.items():
            yield from _differences(f"{path}.{name}", value, actual.get(name))
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for number, (one, other) in enumerate(zip(expected, actual, strict=True)):
            yield from _differences(f"{path}.{number}", one, other)
    elif expected != actual or isinstance(expected, bool) != isinstance(actual, bool):
        yield f"{path}: expected {_shown(expected)}, got {_shown(actual)}"


def _shown(value: object) -> str:
    return {"None": "null", "True": "true", "False": "false"}.get(str(value), repr(value))


# --- positions, so that what has no order is compared without it -----------------------------------------------------


def _comparable(position: Mapping[str, Any], path: str) -> dict[str, Any]:
    """The position with its cards rewritten; a field that is null is one that is not there."""
    return {
        name: value if value is None or name not in _FORMS else _FORMS[name](value, f"{path}.{name}")
        for name, value in position.items()
    }


def _in_order(value: object, path: str) -> str:
    return cards_text(cards(value, path))


def _any_order(value: object, path: str) -> str:
    return cards_text(sorted(cards(value, path)))


def _melds(value: object, path: str) -> list[str]:
    return sorted(_any_order(text, f"{path}.{number}") for number, text in enumerate(rows(value, path)))


def _sorted(value: object, path: str) -> list[Any]:
    return sorted(rows(value, path), key=str)


def _penalties(value: object, path: str) -> dict[str, Any]:
    """What was paid for irregularities: penalty cards have no order, nor have seats."""
    given = Fields(value, path, value if isinstance(value, Mapping) else ()).data
    forms: dict[str, Callable[[object, str], object]] = {"exposed": _each(_any_order), "until_opened": _sorted}
    return {name: forms[name](one, f"{path}.{name}") if name in forms else one for name, one in given.items()}


def _each(form: Callable[[object, str], object]) -> Callable[[object, str], object]:
    """A form for an object of seats or sides, each of them read by that form."""

    def read(value: object, path: str) -> object:
        given = Fields(value, path, value if isinstance(value, Mapping) else ()).data
        return {number: form(one, f"{path}.{number}") for number, one in given.items()}

    return read


_FORMS: Final[Mapping[str, Callable[[object, str], object]]] = {
    "stock": _in_order,
    "pile": _in_order,
    "hands": _each(_any_order),
    "feet": _each(_any_order),
    "red_threes": _each(_any_order),
    "threes": _each(_any_order),
    "melds": _each(_melds),
    "melded_before": _sorted,
    "penalties": _penalties,
}
