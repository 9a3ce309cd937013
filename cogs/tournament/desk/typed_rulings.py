"""What directors type: scores deal by deal, points, lengths of time, pairings. Each raises `InputProblem`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.law import DAY
from bot.tables.timing.settings import MOST_DEALS
from cogs.shared.reading.problems import InputCode, InputProblem

MOST_POINTS: Final = 100_000
MOST_TIME: Final = 60 * DAY

_MINUS: Final = str.maketrans({"−": "-", "–": "-"})
_NUMBER: Final = re.compile(r"-?[0-9]{1,6}")
_LENGTH: Final = re.compile(r"([0-9]{1,5})\s*([a-z]*)")
_UNITS: Final = {"": MINUTE, "m": MINUTE, "min": MINUTE, "h": HOUR, "d": DAY, "g": DAY}


def scores(typed: str, *, sides: int) -> tuple[tuple[int, ...], ...]:
    """The scores of deals as in "510:420, −75:300", in the order of the sides."""
    deals = [one for one in re.split(r"[,;\n]", typed) if one.strip()]
    found = tuple(points(one, sides=sides, lowest=-MOST_POINTS) for one in deals)
    if not 1 <= len(found) <= MOST_DEALS:
        raise InputProblem(InputCode.NOT_SCORES, {"text": typed[:40]})
    return found


def points(typed: str, *, sides: int, lowest: int = 0) -> tuple[int, ...]:
    """A number for each side, as in "2:0"."""
    parts = [part.strip() for part in typed.translate(_MINUS).split(":")]
    if len(parts) != sides or not all(_NUMBER.fullmatch(part) for part in parts):
        raise InputProblem(InputCode.NOT_SCORES, {"text": typed.strip()[:40]})
    found = tuple(int(part) for part in parts)
    if not all(lowest <= one <= MOST_POINTS for one in found):
        raise InputProblem(InputCode.NOT_SCORES, {"text": typed.strip()[:40]})
    return found


def length(typed: str) -> int:
    """Milliseconds of a length such as "10", "10 min", "2 h" or "1 d"."""
    match = _LENGTH.fullmatch(typed.strip().casefold())
    if match is None or match[2] not in _UNITS or not 0 < int(match[1]) * _UNITS[match[2]] <= MOST_TIME:
        raise InputProblem(InputCode.NOT_A_LENGTH, {"text": typed.strip()[:40]})
    return int(match[1]) * _UNITS[match[2]]


def pairing(typed: str) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Tables and byes as in "1-5, 2-6; 9": entries by their numbers, a table for each group joined by dashes."""
    tables: list[tuple[int, ...]] = []
    byes: list[tuple[int, ...]] = []
    for one in re.split(r"[,;\n]", typed.translate(_MINUS)):
        if one.strip():
            entries = numbers(one.replace("-", " "))
            (tables if len(entries) > 1 else byes).append(entries)
    return tuple(tables), tuple(entry for one in byes for entry in one)


def numbers(typed: str) -> tuple[int, ...]:
    """Numbers with spaces or commas between them."""
    parts = [part for part in re.split(r"[\s,]+", typed) if part]
    if not all(part.isdecimal() and len(part) < 6 for part in parts):
        raise InputProblem(InputCode.NOT_ENTRIES, {"text": typed.strip()[:40]})
    return tuple(int(part) for part in parts)


def written(deals: Sequence[Sequence[int]]) -> str:
    """Scores as they are typed."""
    return ", ".join(":".join(str(one) for one in deal) for deal in deals)
