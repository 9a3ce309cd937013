"""Values of parameters as they stand in controls and as people type them: texts in, JSON out, and back."""

from __future__ import annotations

import re
from typing import Any, Final

from bot.engine.rules.options import BELOW_ZERO, written_value
from bot.engine.rules.parameters import Parameter, Shape

NOTHING: Final = "none"
"""What stands for a parameter that does not apply."""

_GROUPED: Final = re.compile(r"([-+−]?[0-9]{1,3})((?:[.,'’ ][0-9]{3})+)")


def chosen(parameter: Parameter, values: tuple[str, ...]) -> Any:
    """What was chosen in a parameter's menu, as JSON has it. What makes no value stays as it is and is refused."""
    if parameter.shape is Shape.WORDS:
        return list(values)
    value = values[0] if values else ""
    if parameter.may_be_none and value == NOTHING:
        return None
    if parameter.shape is Shape.FLAG:
        return {"yes": True, "no": False}.get(value, value)
    return _one_or_several(parameter, value) if parameter.shape is Shape.NUMBER else value


def typed(parameter: Parameter, text: str) -> Any:
    """What was typed, as JSON has it: a number, numbers, or rows of two. What makes no value is refused as it is."""
    text = text.strip()
    if parameter.may_be_none and text.casefold() in ("", NOTHING, "-", "–"):
        return None
    if parameter.shape is Shape.NUMBER:
        return _one_or_several(parameter, text)
    parts = [part.split() for part in re.split(r"[,;\n]", text.replace(":", " ").replace("=", " "))]
    rows = [part for part in parts if part]
    if parameter.shape is Shape.NUMBERS:
        return [_number(one) for row in rows for one in row]
    return [[_beginning(parameter, row[0]), *map(_number, row[1:])] for row in rows]


def written(value: Any) -> str:
    """A value as it can be typed."""
    plain = written_value(value)
    if plain is None:
        return ""
    if not isinstance(plain, list):
        return str(plain)
    return ", ".join(" ".join(map(str, one)) if isinstance(one, list) else str(one) for one in plain)


def _beginning(parameter: Parameter, text: str) -> int | str:
    """What a row begins with: a word of the parameter, or a score."""
    return text if parameter.words or text == BELOW_ZERO else _number(text)


def _one_or_several(parameter: Parameter, text: str) -> int | str | list[int | str]:
    """A number, or one for each deal where the parameter may be that."""
    parts = re.split(r"[,;\s]+", text.strip()) if parameter.by_deal else [text]
    return _number(text) if len(parts) == 1 else [_number(part) for part in parts if part]


def _number(text: str) -> int | str:
    """The number, or the text where it is none; thousands may be set apart."""
    grouped = _GROUPED.fullmatch(text)
    plain = grouped[1] + re.sub(r"[^0-9]", "", grouped[2]) if grouped else text
    try:
        return int(plain.replace("−", "-")) if len(plain) < 20 else text
    except ValueError:
        return text
