"""Notes on a rule set: where it comes from, how sure that is, and what is open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, kw_only=True, slots=True)
class RuleSetNotes:
    """What somebody should know who chooses a rule set; `sure` is how well its facts are founded."""

    source: str
    sure: Literal["high", "medium", "low"]
    open_points: tuple[str, ...] = ()
