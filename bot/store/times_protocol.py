"""The part of the Store protocol that is about time (see `bot.store.protocol`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class DueTimer:
    """A timer of a table; `version` is the table's version that set it."""

    table: int
    guild: int
    kind: str
    due_at: int
    version: int


@dataclass(frozen=True, slots=True)
class Outage:
    """The bot was away from an instant up to a later one."""

    start_at: int
    end_at: int


class TimesStore(Protocol):
    """What is kept of time."""

    async def next_due(self) -> int | None:
        """The instant of the earliest timer."""

    async def due(self, now: int, limit: int) -> tuple[DueTimer, ...]:
        """Timers whose instant has come, earliest first. They stay until a `commit` clears or sets them."""

    async def timer(self, table: int, kind: str) -> DueTimer | None:
        """The table's timer of that kind, if it has one."""

    async def heartbeat(self, at: int, outage: Outage | None = None) -> None:
        """Note that the bot was ready at that instant and, in one with it, that it had been away before."""

    async def last_heartbeat(self) -> int | None:
        """The latest instant at which the bot was ready."""

    async def outages(self) -> tuple[Outage, ...]:
        """When the bot was away, earliest first."""

    async def personal_times(self, person: int) -> str | None:
        """A person's quiet hours and vacation, as they were written; None where there are none."""

    async def set_personal_times(self, person: int, times: str | None) -> None:
        """Keep a person's quiet hours and vacation; None forgets them."""
