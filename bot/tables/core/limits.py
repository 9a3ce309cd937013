"""Limits: how much one person, and one server, may have at a time."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Final, Protocol

from bot.clocks.clock import HOUR, SECOND
from bot.clocks.law import DAY
from bot.tables.state.clocks import TableSettings
from bot.tables.state.refusals import TableCode, TableRefusal

MOST_REMEMBERED: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Every limit and pause of the table service. Times in milliseconds.

    A person may ask for `burst` things at once and gains one more every `refill`. After `silence` a moderator may close
    a game at once. Lobbies and pauses of slow tables are longer. Of a server's tables those count at which a person did
    something `played_within` such a time.
    """

    tables_per_guild: int = 50
    rules_per_guild: int = 20
    lobbies_per_person: int = 3
    seats_per_person: int = 10
    burst: int = 8
    refill: int = SECOND // 2
    lobby_lives: int = 24 * HOUR
    played_within: int = 7 * DAY
    before_next_deal: int = 30 * SECOND
    slow_lobby_lives: int = 7 * DAY
    before_slow_deal: int = HOUR // 2
    silence: int = 24 * HOUR

    def lobby(self, settings: TableSettings) -> int:
        """How long a lobby lives."""
        return self.slow_lobby_lives if settings.slow else self.lobby_lives

    def between(self, settings: TableSettings) -> int:
        """How long after a deal the next one begins by itself."""
        return self.before_slow_deal if settings.slow else self.before_next_deal


class GuildLimits(Protocol):
    """What servers have chosen for themselves."""

    async def open_tables(self, guild: int) -> int | None:
        """How many tables a server wants open at most; None where it has not said."""


class NoGuildLimits:
    """Servers that have chosen nothing: the operator's limits hold."""

    async def open_tables(self, guild: int) -> int | None:  # noqa: ARG002 - whichever it is
        return None


READS: Final = 3
"""So many times as often as something is done, somebody may look."""


class RateLimiter:
    """A token bucket a person: whoever asks too fast is refused until the bucket has filled a little.

    `times` makes it hold so many times as much, and fill as much faster.
    """

    def __init__(self, limits: Limits, *, times: int = 1) -> None:
        self._limits = limits
        self._capacity = limits.burst * limits.refill
        self._cost = limits.refill / times
        self._full_at: dict[int, float] = {}

    def of_reads(self) -> RateLimiter:
        """The pace at which one may look, which is counted apart."""
        return RateLimiter(self._limits, times=READS)

    def spend(self, person: int, now: int) -> None:
        """Count one thing asked; refusal: too_fast."""
        # At the latest one whole bucket from now: a clock that jumped back locks nobody out.
        full_at = min(max(self._full_at.get(person, now), now), now + self._capacity)
        wait = full_at + self._cost - self._capacity - now
        if len(self._full_at) > MOST_REMEMBERED:
            self._full_at = {one: full for one, full in self._full_at.items() if full > now}
        self._full_at[person] = full_at if wait > 0 else full_at + self._cost
        if wait > 0:
            raise TableRefusal(TableCode.TOO_FAST, {"milliseconds": ceil(wait)})
