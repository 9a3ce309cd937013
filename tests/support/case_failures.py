"""Run the referee on its own test cases, and list the expectations that the engine does not meet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.referee.cases import read_case, try_case


def find_failures(case: Mapping[str, Any]) -> list[str]:
    """Return an error text for each expectation of a case that the engine does not meet."""
    return try_case(read_case(case)).failures()
