"""Read and write game clocks as text.

The text is ``daily`` or another preset, ``none``, or bank, increment and cap as in ``3d+12h max 4d``.
"""

from __future__ import annotations

import re
from typing import Final

from bot.clocks.clock import HOUR, MINUTE, SECOND
from bot.clocks.time_rules import DAY, PRESETS, ClockProblem, ClockTerms, terms_problems

NO_CLOCK: Final = "none"
"""The text for a table without a clock."""

NAMED_CLOCKS: Final = (*PRESETS, NO_CLOCK)
"""The clocks that have names."""

CUSTOM: Final = "custom"
"""The word for a clock that is none of those with a name."""

LONGEST: Final = 60

_UNITS: Final = {"d": DAY, "h": HOUR, "m": MINUTE, "min": MINUTE, "s": SECOND}
_PART: Final = re.compile(r"(\d{1,6})(d|h|min|m|s)")
_SPAN: Final = r"(?:\d{1,6}(?:d|h|min|m|s))+"
_CLOCK: Final = re.compile(rf"(?P<bank>{_SPAN})(?:\+(?P<increment>{_SPAN}|0))?(?:(?:max|<=|≤|/)(?P<cap>{_SPAN}))?")


class UnreadableClock(ValueError):
    """Raised for a text that is not a clock; clocks out of bounds are found by `clock_problems`."""


def read_clock(text: str) -> ClockTerms | None:
    """Return the clock that a text describes; None if it says that there is none.

    Without a cap the bank is the cap.

    Raises `UnreadableClock`.
    """
    joined = "".join(text[:LONGEST].casefold().split())
    if joined == NO_CLOCK:
        return None
    if joined in PRESETS:
        return PRESETS[joined]
    found = _CLOCK.fullmatch(joined)
    if found is None:
        raise UnreadableClock(text[:LONGEST])
    bank = _parse_duration(found["bank"])
    cap = bank if found["cap"] is None else _parse_duration(found["cap"])
    return matching_preset(ClockTerms(CUSTOM, bank, _parse_duration(found["increment"] or "0"), cap))


def matching_preset(terms: ClockTerms) -> ClockTerms:
    """Return the preset with the same bank, increment and cap; without one, the clock itself."""
    same = (one for one in PRESETS.values() if (one.bank, one.increment, one.cap) == _clock_numbers(terms))
    return next(same, terms)


def write_clock(terms: ClockTerms | None) -> str:
    """Return a clock as a text that `read_clock` can read."""
    if terms is None:
        return NO_CLOCK
    if terms.name in PRESETS:
        return terms.name
    return f"{_duration_text(terms.bank)}+{_duration_text(terms.increment)}max{_duration_text(terms.cap)}"


def clock_problems(terms: ClockTerms | None) -> tuple[ClockProblem, ...]:
    """Return the reasons why a table may not have this clock; none for a preset."""
    return () if terms is None or terms in PRESETS.values() else terms_problems(terms)


def _clock_numbers(terms: ClockTerms) -> tuple[int, int, int]:
    """Return bank, increment and cap, for comparing clocks."""
    return terms.bank, terms.increment, terms.cap


def _parse_duration(text: str) -> int:
    """Return a duration such as ``3d12h`` in milliseconds."""
    return sum(int(number) * _UNITS[unit] for number, unit in _PART.findall(text))


def _duration_text(amount: int) -> str:
    """Return a duration in milliseconds as text such as ``3d12h``, in whole seconds."""
    told = []
    for unit in ("d", "h", "m", "s"):
        count, amount = divmod(amount, _UNITS[unit])
        told.append(f"{count}{unit}" if count else "")
    return "".join(told) or "0s"
