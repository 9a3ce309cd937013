"""Options: the parameters of a rule set that a case changes, read from JSON and written to it.

What a parameter may be follows from its type in `RuleSet`: numbers and booleans, a word of an enumeration, a list for
a set or for a row of numbers. `open_table` is a list of ``[from, minimum]``, ``"neg"`` being the row below zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from bot.engine.fields import Fields, PositionError, flag, rows, whole
from bot.engine.rules import RuleSet

BELOW_ZERO: Final = "neg"

_TOLD_ELSEWHERE: Final = {"name": "rules", "players": "players", "teams": "sides"}
_LOWEST: Final = {
    "meld_max": 3,
    "decks": 1,
    "hand_size": 1,
    "draw": 1,
    "meld_min": 1,
    "min_naturals": 1,
    "canasta_size": 3,
}
_HIGHEST: Final = {"decks": 12, "jokers_per_deck": 12, "hand_size": 100, "draw": 20}
_MOST: Final = 1_000_000

_HINTS: Final = get_type_hints(RuleSet)
OPTIONS: Final = frozenset(field.name for field in fields(RuleSet) if field.init) - set(_TOLD_ELSEWHERE)
"""The parameters that a case can change."""


def read_options(rules: RuleSet, data: object) -> RuleSet:
    """The rule set with the options in place. Raises `PositionError`."""
    if isinstance(data, dict):
        for name in data.keys() & _TOLD_ELSEWHERE:
            raise PositionError(f"options.{name}", f"is told by the field {_TOLD_ELSEWHERE[name]!r}")
    given = Fields(data, "options", OPTIONS).data
    return with_options(rules, given)


def with_options(rules: RuleSet, options: Mapping[str, object]) -> RuleSet:
    """The rule set with these parameters in place of its own. Raises `PositionError` for a value that none can have.

    Whether the parameters work together is another question (`bot.engine.house_rules.validate`).
    """
    unknown = sorted(options.keys() - OPTIONS)
    if unknown:
        raise PositionError(f"options.{unknown[0]}", "there is no such parameter")
    changes = {name: _read(name, value, f"options.{name}") for name, value in options.items()}
    return replace(rules, **changes)


def written_options(rules: RuleSet, base: RuleSet) -> dict[str, Any]:
    """The parameters in which a rule set differs from another, as `read_options` reads them."""
    return {
        name: _written(name, getattr(rules, name))
        for name in sorted(OPTIONS)
        if getattr(rules, name) != getattr(base, name)
    }


def _read(name: str, value: object, path: str) -> Any:
    hint = _HINTS[name]
    if name == "open_table":
        return _read_open_table(value, path)
    if hint is bool:
        return flag(value, path)
    if hint == int | None:
        return None if value is None else whole(value, path, lowest=_LOWEST.get(name, 1), highest=_MOST)
    if hint is int:
        return whole(value, path, lowest=_LOWEST.get(name, 0), highest=_HIGHEST.get(name, _MOST))
    if get_origin(hint) is Literal:
        return _word(value, hint, path)
    members = rows(value, path)
    if get_origin(hint) is frozenset:
        return frozenset(_word(one, get_args(hint)[0], f"{path}.{place}") for place, one in enumerate(members))
    return tuple(whole(one, f"{path}.{place}", lowest=-_MOST, highest=_MOST) for place, one in enumerate(members))


def _word(value: object, hint: Any, path: str) -> str:
    allowed: tuple[str, ...] = get_args(hint)
    if not isinstance(value, str) or value not in allowed:
        raise PositionError(path, f"is one of {', '.join(allowed)}, not {value!r}")
    return value


def _read_open_table(value: object, path: str) -> tuple[tuple[int | None, int], ...]:
    """Rows in ascending order; the one for scores below zero can only be the first."""
    table: list[tuple[int | None, int]] = []
    for place, row in enumerate(rows(value, path)):
        pair = rows(row, f"{path}.{place}")
        if len(pair) != 2:
            raise PositionError(f"{path}.{place}", "needs two: the score it begins at, and the minimum")
        start = None if pair[0] == BELOW_ZERO else whole(pair[0], f"{path}.{place}.0")
        last = table[-1][0] if table else None
        if table and (start is None or (last is not None and start <= last)):
            raise PositionError(f"{path}.{place}.0", "the rows have to ascend")
        table.append((start, whole(pair[1], f"{path}.{place}.1", lowest=0)))
    if not table:
        raise PositionError(path, "needs at least one row")
    return tuple(table)


def _written(name: str, value: Any) -> Any:
    if name == "open_table":
        return [[BELOW_ZERO if start is None else start, points] for start, points in value]
    if isinstance(value, frozenset):
        return sorted(value)
    return list(value) if isinstance(value, tuple) else value
