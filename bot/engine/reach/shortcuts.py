"""Shortcuts: answers that spare a search, each behind the door of the search and with a switch of its own.

A shortcut answers exactly what the search would, or says that it does not know. With all of them switched off every
list of legal steps comes out alike, only later: a test plays every form so and compares.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Literal, TypeAlias, get_args

Shortcut: TypeAlias = Literal["plain", "bounds", "sums"]
"""Sets of one rank without exceptions; certain bounds; sums of what ranks come to in an initial meld."""

SHORTCUTS: Final[tuple[Shortcut, ...]] = get_args(Shortcut)

SWITCHED_OFF: Final[set[Shortcut]] = set()
"""Those that are not used now: none, but while a test compares."""


@contextmanager
def without(*shortcuts: Shortcut) -> Iterator[None]:
    """Do without these as long as the context lasts."""
    before = frozenset(SWITCHED_OFF)
    SWITCHED_OFF.update(shortcuts)
    try:
        yield
    finally:
        SWITCHED_OFF.clear()
        SWITCHED_OFF.update(before)
