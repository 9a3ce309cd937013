"""Limits on the open tables of a person and of a guild, and on a person's requests."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Final, Protocol

from bot.clocks.clock import HOUR, SECOND
from bot.clocks.time_rules import DAY
from bot.tables.state.clocks import TableSettings
from bot.tables.state.refusals import TableCode, TableRefusal

MOST_REMEMBERED: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """All limits of the table service, and its waiting times in milliseconds.

    A person may send `burst` requests at once, and one more after each `refill` milliseconds. A moderator may close a
    game in which no player has moved for `silence`. Lobbies and pauses between deals are longer at slow tables. A
    guild's limit counts the tables at which a person did something within `played_within`.
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

    def lobby_lifetime(self, settings: TableSettings) -> int:
        """Return how long a lobby stays open."""
        return self.slow_lobby_lives if settings.is_slow else self.lobby_lives

    def pause_between_deals(self, settings: TableSettings) -> int:
        """Return the pause after a deal until the next one begins automatically."""
        return self.before_slow_deal if settings.is_slow else self.before_next_deal


class GuildLimits(Protocol):
    """Limits chosen by the guilds themselves."""

    async def open_table_limit(self, guild: int) -> int | None:
        """Return the guild's own limit on open tables; None if it has set none."""


class NoGuildLimits:
    """Guilds without limits of their own: the operator's limits apply."""

    async def open_table_limit(self, guild: int) -> int | None:  # noqa: ARG002 - the same for every guild
        return None


READS: Final = 3
"""Number of reads allowed per write."""


class RateLimiter:
    """Limits the requests of each person by a token bucket; too many raise too_fast.

    `times` multiplies the size of the bucket and the speed at which it fills.
    """

    def __init__(self, limits: Limits, *, times: int = 1) -> None:
        self._limits = limits
        self._capacity = limits.burst * limits.refill
        self._cost = limits.refill / times
        self._full_at: dict[int, float] = {}

    def limiter_for_reads(self) -> RateLimiter:
        """Return a separate limiter for reads, of which more are allowed."""
        return RateLimiter(self._limits, times=READS)

    def count_request(self, person: int, now: int) -> None:
        """Count one request of the person; refusal: too_fast."""
        # At most one bucket from now, so that a person is not locked out after the clock was set back.
        full_at = min(max(self._full_at.get(person, now), now), now + self._capacity)
        wait = full_at + self._cost - self._capacity - now
        if len(self._full_at) > MOST_REMEMBERED:
            self._full_at = {one: full for one, full in self._full_at.items() if full > now}
        self._full_at[person] = full_at if wait > 0 else full_at + self._cost
        if wait > 0:
            raise TableRefusal(TableCode.TOO_FAST, {"milliseconds": ceil(wait)})
