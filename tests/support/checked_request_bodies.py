"""Counts the request bodies that all workers of a run have checked; the number must not fall."""

from __future__ import annotations

from pathlib import Path
from typing import Final

FLOOR: Final = Path(__file__).parents[1] / "data" / "discord" / "checked_bodies.txt"
"""The least number of bodies that a whole run must check; raise it after adding tests."""

_checked: int = 0


def add_to_checked_body_count(count: int) -> None:
    """Add `count` to the number of request bodies that this process, or a worker that has ended, has checked."""
    global _checked  # noqa: PLW0603 - one count for the process, as the workers are processes
    _checked += count


def checked_body_count() -> int:
    """Return the number of request bodies that this run has checked so far."""
    return _checked


def required_body_count() -> int:
    """Return the least number of request bodies that a run of the whole suite must check."""
    return int(FLOOR.read_text(encoding="ascii"))


def describe_shortfall(count: int, least: int) -> str:
    """Return an error text if a whole run checked `count` bodies, fewer than `least`; else an empty text."""
    return f"{count} bodies were checked, {least - count} fewer than {FLOOR.name} asks for" if count < least else ""
