"""Options: the parameters of a rule set that a table changes, read from JSON and written to it.

`bot.engine.rules.parameters` lists the possible values. In tables `"neg"` is the row for scores below zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Literal, get_args, get_origin

from bot.engine.rules.case_fields import CaseFields, PositionError, read_flag, read_rows, read_whole_number
from bot.engine.rules.option_names import NAMES, options_by_parameter_name
from bot.engine.rules.parameter_declarations import MOST
from bot.engine.rules.parameters import BY_NAME, COLUMNS, FIXED, Parameter, ValueType, may_be_none, without_none
from bot.engine.rules.rule_set import ByDeal, RuleSet

BELOW_ZERO: Final = "neg"

OPTIONS: Final = frozenset(BY_NAME)
"""The parameters that can be changed."""


def read_options(rules: RuleSet, data: object) -> RuleSet:
    """Return the rule set with the options set, under any of their names. Raises `PositionError`."""
    if isinstance(data, dict):
        for name in data.keys() & FIXED:
            raise PositionError(f"options.{name}", f"is told by the field {FIXED[name]!r}")
    given = CaseFields(data, "options", OPTIONS | NAMES).data
    return with_options(rules, options_by_parameter_name(rules, given))


def with_options(rules: RuleSet, options: Mapping[str, object]) -> RuleSet:
    """Return the rule set with these parameters replaced. Raises `PositionError` for an impossible value.

    Whether the parameters fit together is checked by `bot.engine.law.rule_conflicts.find_rule_problems`.
    """
    unknown = sorted(options.keys() - OPTIONS)
    if unknown:
        raise PositionError(f"options.{unknown[0]}", "there is no such parameter")
    changes = {name: read_value(BY_NAME[name], value, f"options.{name}") for name, value in options.items()}
    return replace(rules, **changes)


def write_options(rules: RuleSet, base: RuleSet) -> dict[str, Any]:
    """Return the parameters in which a rule set differs from `base`, in the form of `read_options`."""
    return {
        name: write_value(getattr(rules, name))
        for name in sorted(OPTIONS)
        if getattr(rules, name) != getattr(base, name)
    }


def read_value(parameter: Parameter, value: object, path: str) -> Any:
    """Return a parameter's value from JSON; `path` locates it in errors. Raises `PositionError`."""
    if value is None and parameter.may_be_none:
        return None
    hint = without_none(parameter.hint)
    match parameter.shape:
        case ValueType.FLAG:
            return read_flag(value, path)
        case ValueType.NUMBER if parameter.may_differ_by_deal and isinstance(value, list | tuple):
            return _read_by_deal(parameter, value, path)
        case ValueType.NUMBER:
            return read_whole_number(value, path, lowest=parameter.lowest, highest=parameter.highest)
        case ValueType.WORD:
            return _read_word(value, get_args(hint), path)
        case ValueType.WORDS:
            members = enumerate(read_rows(value, path))
            return frozenset(_read_word(one, parameter.words, f"{path}.{place}") for place, one in members)
        case ValueType.NUMBERS:
            return _read_numbers(parameter, value, path)
        case ValueType.TABLE:
            return _read_table(parameter, get_args(get_args(hint)[0]), value, path)


def write_value(value: Any) -> Any:
    """Return a parameter's value for JSON, as `read_value` reads it."""
    if isinstance(value, frozenset):
        return sorted(value)
    if not isinstance(value, tuple):
        return value
    if value and isinstance(value[0], tuple):
        return [[BELOW_ZERO if one is None else one for one in row] for row in value]
    return list(value)


def _read_word(value: object, allowed: tuple[str, ...], path: str) -> str:
    if not isinstance(value, str) or value not in allowed:
        raise PositionError(path, f"is one of {', '.join(allowed)}, not {value!r}")
    return value


def _read_sized_list(parameter: Parameter, value: object, path: str) -> list[Any]:
    """Return the entries of a list. Raises `PositionError` if there are too few or too many."""
    listed = read_rows(value, path)
    if len(listed) < parameter.least:
        raise PositionError(path, f"needs at least {'one row' if parameter.least == 1 else parameter.least}")
    if len(listed) > parameter.most:
        raise PositionError(path, f"has at most {parameter.most}")
    return listed


def _read_numbers(parameter: Parameter, value: object, path: str) -> tuple[int, ...]:
    return tuple(
        read_whole_number(one, f"{path}.{place}", lowest=parameter.lowest, highest=parameter.highest)
        for place, one in enumerate(_read_sized_list(parameter, value, path))
    )


def _read_by_deal(parameter: Parameter, value: object, path: str) -> ByDeal:
    """Return a number for each deal, or one number if all are equal.

    Repetitions at the end are dropped.
    """
    numbers = _read_numbers(parameter, value, path)
    while len(numbers) > 1 and numbers[-1] == numbers[-2]:
        numbers = numbers[:-1]
    return numbers[0] if len(numbers) == 1 else numbers


def _read_table(parameter: Parameter, columns: tuple[Any, ...], value: object, path: str) -> tuple[Any, ...]:
    """Return the rows of a table, two entries each.

    Rows that begin with a number must ascend; the row for scores below zero can only be the first.
    """
    if isinstance(value, dict):  # a table of words may also be given as a JSON object
        value = [list(entry) for entry in sorted(value.items())]
    table: list[tuple[Any, Any]] = []
    for place, row in enumerate(_read_sized_list(parameter, value, path)):
        pair = read_rows(row, f"{path}.{place}")
        if len(pair) != COLUMNS:
            raise PositionError(f"{path}.{place}", "needs two entries")
        start = _read_entry(columns[0], pair[0], f"{path}.{place}.0", lowest=-MOST, highest=MOST)
        end = _read_entry(columns[1], pair[1], f"{path}.{place}.1", lowest=parameter.lowest, highest=parameter.highest)
        if not _may_row_follow([one for one, _ in table], start):
            raise PositionError(f"{path}.{place}.0", "the rows have to ascend")
        table.append((start, end))
    return tuple(table)


def _may_row_follow(before: list[Any], start: str | int | None) -> bool:
    """Return whether a row that begins with `start` may come after rows that begin with `before`.

    Words may come in any order, each once.
    """
    if isinstance(start, str) or not before:
        return start not in before
    return start is not None and (before[-1] is None or start > before[-1])


def _read_entry(hint: Any, value: object, path: str, *, lowest: int, highest: int) -> Any:
    """Return one entry of a table's row, validated."""
    if value in (None, BELOW_ZERO) and may_be_none(hint):
        return None
    if get_origin(without_none(hint)) is Literal:
        return _read_word(value, get_args(without_none(hint)), path)
    return read_whole_number(value, path, lowest=lowest, highest=highest)
