"""Shortcuts: answers that spare a search, each behind the door of the search and with a switch of its own.

A shortcut answers exactly what the search would, or says that it does not know. With all of them switched off every
list of legal steps comes out alike, only later: a test plays every form so and compares.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Literal, TypeAlias, get_args

Shortcut: TypeAlias = Literal["plain", "bounds", "sums"]
"""Plain rules (`bot.engine.reach.plain`), certain bounds (`bounds`), and sums for an initial meld (`reaching`)."""

SHORTCUTS: Final[tuple[Shortcut, ...]] = get_args(Shortcut)

SWITCHED_OFF: Final[set[Shortcut]] = set()
"""The shortcuts that are not used now; none is here unless a test compares."""


@contextmanager
def without(*shortcuts: Shortcut) -> Iterator[None]:
    """Do without these shortcuts as long as the context lasts."""
    before = frozenset(SWITCHED_OFF)
    SWITCHED_OFF.update(shortcuts)
    try:
        yield
    finally:
        SWITCHED_OFF.clear()
        SWITCHED_OFF.update(before)
