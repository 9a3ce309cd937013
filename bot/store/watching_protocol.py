"""The part of the Store protocol that is about games nobody touches, and about those who watch one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Watcher:
    """Somebody who watches a table; `told` is the last deal after which a line was sent."""

    person: int
    told: int


class WatchingStore(Protocol):
    """Nothing here changes a table's version."""

    async def touched_at(self, table: int) -> int | None:
        """When a person last changed the table; None where nobody has."""

    async def games_without_timer(self, kind: str, *, after: int, limit: int) -> tuple[int, ...]:
        """Running games with a higher number that have no timer of that kind, lowest first."""

    async def watch(self, table: int, person: int, *, told: int) -> None:
        """Note that somebody would like a line after each deal but those up to `told`."""

    async def watch_no_more(self, table: int, person: int) -> None:
        """Note that somebody would like no lines."""

    async def watchers(self, table: int) -> tuple[Watcher, ...]:
        """The persons who would like a line after each deal of the table."""
