"""Fields of a case (`docs/referee.md`): reads them one by one, and refuses wrong ones by their path.

A null field counts as missing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from bot.engine.cards.cards import Card
from bot.engine.cards.notation import NotationError, parse_cards

Word = TypeVar("Word", bound=str)


class PositionError(ValueError):
    """A case that cannot be read: `field` is the path of the field, `reason` describes the mistake."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}" if field else reason)
        self.field = field
        self.reason = reason


class CaseFields:
    """A JSON object in a file of cases; `path` is its place there, `known` the fields that it may have."""

    def __init__(self, data: object, path: str, known: Collection[str]) -> None:
        if not isinstance(data, Mapping):
            raise PositionError(path, "needs an object")
        self.data: Mapping[str, Any] = data
        self.path = path
        for name in data:
            if name not in known:
                raise PositionError(self.path_of(name), f"there is no such field; there are {', '.join(sorted(known))}")

    def path_of(self, name: str) -> str:
        """Return the path of a field."""
        return f"{self.path}.{name}" if self.path else str(name)

    def has_field(self, name: str) -> bool:
        """Return whether the field is present."""
        return self.data.get(name) is not None

    def value(self, name: str) -> Any:
        """Return the raw value of the field, or None if it is missing."""
        return self.data.get(name)

    def flag(self, name: str, *, default: bool) -> bool:
        """Return the field's value, which must be true or false."""
        return read_flag(self.value(name), self.path_of(name)) if self.has_field(name) else default

    def whole_number(self, name: str, default: int, *, lowest: int | None = None) -> int:
        """Return the field's value, which must be a whole number within the bounds."""
        return (
            read_whole_number(self.value(name), self.path_of(name), lowest=lowest) if self.has_field(name) else default
        )

    def item_index(self, name: str, noun: str, count: int, default: int) -> int:
        """Return the field's value, which must be the number of a seat or a side, from 0 to `count` - 1."""
        return read_item_index(self.value(name), self.path_of(name), noun, count) if self.has_field(name) else default

    def item_indices(self, name: str, noun: str, count: int) -> tuple[int, ...]:
        """Return the field's values, which must be numbers of seats, sides or melds, from 0 to `count` - 1."""
        return tuple(
            read_item_index(value, f"{self.path_of(name)}.{place}", noun, count)
            for place, value in enumerate(self.rows(name))
        )

    def text(self, name: str, default: str) -> str:
        """Return the field's value, which must be a text."""
        value = self.value(name)
        if value is None:
            return default
        if not isinstance(value, str):
            raise PositionError(self.path_of(name), "needs a text")
        return value

    def choice(self, name: str, choices: Collection[Word], default: str) -> Word:
        """Return the field's value, which must be one of the `choices`."""
        value = self.text(name, default)
        for word in choices:
            if word == value:
                return word
        raise PositionError(self.path_of(name), f"is one of {', '.join(choices)}, not {value!r}")

    def cards(self, name: str) -> tuple[Card, ...]:
        """Return the cards that the field's text names, in its order; empty if the field is missing."""
        return read_cards(self.value(name), self.path_of(name)) if self.has_field(name) else ()

    def rows(self, name: str) -> list[Any]:
        """Return the field's value, which must be a list; empty if the field is missing."""
        return read_rows(self.value(name), self.path_of(name)) if self.has_field(name) else []

    def by_number(self, name: str, noun: str, count: int) -> dict[int, tuple[Any, str]]:
        """Return the field's entries by the number of their seat or side; each is a value and its path."""
        if not self.has_field(name):
            return {}
        given = self.value(name)
        if not isinstance(given, Mapping):
            raise PositionError(self.path_of(name), f"needs an object, with a {noun}'s number before each entry")
        found: dict[int, tuple[Any, str]] = {}
        for key, value in given.items():
            path = f"{self.path_of(name)}.{key}"
            if key not in map(str, range(count)):
                raise PositionError(path, f"there is no {noun} {key!r}, but 0 to {count - 1}")
            if value is not None:
                found[int(key)] = (value, path)
        return found


def read_flag(value: object, path: str) -> bool:
    """Return a JSON value that must be true or false. Raises `PositionError`, like the functions that follow."""
    if not isinstance(value, bool):
        raise PositionError(path, "needs true or false")
    return value


def read_whole_number(value: object, path: str, *, lowest: int | None = None, highest: int | None = None) -> int:
    """Return a JSON value that must be a whole number within the bounds."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise PositionError(path, "needs a whole number")
    if (lowest is not None and value < lowest) or (highest is not None and value > highest):
        bounds = f"from {lowest}" if highest is None else f"from {lowest} to {highest}"
        raise PositionError(path, f"needs a whole number {bounds}")
    return value


def read_item_index(value: object, path: str, noun: str, count: int) -> int:
    """Return a JSON value that must be the number of a seat, a side or a meld, from 0 to `count` - 1."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < count:
        raise PositionError(path, f"needs a {noun}, from 0 to {count - 1}" if count else f"there is no {noun}")
    return value


def read_cards(value: object, path: str) -> tuple[Card, ...]:
    """Return the cards named by a JSON value that must be a text, in the order of the text."""
    if not isinstance(value, str):
        raise PositionError(path, "needs cards in one text, separated by blanks")
    try:
        return parse_cards(value)
    except NotationError as error:
        raise PositionError(path, f"no card is written {error.text!r}") from error


def read_rows(value: object, path: str) -> list[Any]:
    """Return the value if it is a list; otherwise raise an error that names its `path`."""
    if not isinstance(value, list | tuple):
        raise PositionError(path, "needs a list")
    return list(value)
