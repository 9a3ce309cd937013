"""The circumstances of a table's change, for the functions that compute its effects on absent players."""

from __future__ import annotations

from dataclasses import dataclass

from bot.clocks.clock import Spans


@dataclass(frozen=True, slots=True)
class ChangeCircumstances:
    """The instant of a table's change, the person who caused it if any, and when the bot was away."""

    now: int
    by: int | None
    away: Spans
