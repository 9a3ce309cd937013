"""Cases of the referee's format, tried against the engine by the referee itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.referee.cases import read_case, try_case


def failures(case: Mapping[str, Any]) -> list[str]:
    """Everything a case expects and the engine does not do; empty when it holds."""
    return try_case(read_case(case)).failures()
