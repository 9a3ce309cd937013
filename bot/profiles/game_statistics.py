"""Statistics of a person's finished games, alone and by partner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bot.clocks.clock import Clock
from bot.clocks.quiet_hours import DAY
from bot.engine.rules.sets import RULE_SETS
from bot.store.people.players import GameResult, PartnerResult, PlayerStore

__all__ = [
    "GameResult",
    "GameStatistics",
    "GameStatisticsService",
    "HeadToHead",
    "Partnership",
    "game_statistics",
    "partnerships_of",
]

LAPSES_COUNT_FOR: Final = 90 * DAY
"""How long a lapse (time that ran out) counts in the statistics, in milliseconds."""

MOST_PARTNERSHIPS: Final = 5

AGREED: Final = "agreed"
PLAYED: Final = "played"
"""Stable names of ways in which a game ended: by agreement, or played to its end."""


@dataclass(frozen=True, slots=True)
class Partnership:
    """Games that a person finished with a partner, and how many they won."""

    partner: int
    games: int
    won: int


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Games that a person finished against another, and how many were won and lost."""

    games: int
    won: int
    lost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStatistics:
    """Statistics of a person's finished games.

    - `together`: games with other people at the table; `agreed`: games that were ended by agreement.
    - `canastas`: counted in `canasta_deals` deals only.
    - `best_deal`: the most points in a deal; None if no deal was scored.
    - `fastest`: the number of deals of the shortest game won at the rules' usual target, or None.
    - `lapses`: how often the person's time ran out in the last 90 days.
    """

    games: int = 0
    together: int = 0
    won: int = 0
    agreed: int = 0
    deals: int = 0
    canastas: int = 0
    canasta_deals: int = 0
    best_deal: int | None = None
    fastest: int | None = None
    lapses: int = 0
    partnerships: tuple[Partnership, ...] = ()

    @property
    def canastas_a_deal(self) -> float | None:
        """Average canastas of the person's side per deal; None if not counted."""
        return self.canastas / self.canasta_deals if self.canasta_deals else None


def game_statistics(
    results: Iterable[GameResult], partners: Iterable[PartnerResult] = (), *, lapses: int = 0
) -> GameStatistics:
    """Return the statistics of a person's results."""
    all_of_them = tuple(results)
    return GameStatistics(
        games=len(all_of_them),
        together=sum(one.persons > 1 for one in all_of_them),
        won=sum(one.won for one in all_of_them),
        agreed=sum(one.how == AGREED for one in all_of_them),
        deals=sum(one.deals for one in all_of_them),
        canastas=sum(one.canastas for one in all_of_them),
        canasta_deals=sum(one.canasta_deals for one in all_of_them),
        best_deal=max((one.best_deal for one in all_of_them if one.best_deal is not None), default=None),
        fastest=min((one.deals for one in all_of_them if _is_won_at_target(one)), default=None),
        lapses=lapses,
        partnerships=partnerships_of(partners),
    )


def _is_won_at_target(result: GameResult) -> bool:
    """Return whether the person won and the game ended at its usual target, so that lengths compare."""
    rules = RULE_SETS.get(result.rules, {}).get(result.players)
    goes_to_target = rules is not None and rules.rounds is None and result.score >= rules.target
    return result.won and result.how == PLAYED and goes_to_target


def partnerships_of(results: Iterable[PartnerResult]) -> tuple[Partnership, ...]:
    """Return the person's partnerships, those with most games first, then those with most wins."""
    all_of_them = tuple(results)
    games = Counter(one.partner for one in all_of_them)
    won = Counter(one.partner for one in all_of_them if one.won)
    found = [Partnership(partner, count, won[partner]) for partner, count in games.items()]
    return tuple(sorted(found, key=lambda one: (-one.games, -one.won, one.partner))[:MOST_PARTNERSHIPS])


class GameStatisticsService:
    """Looks up the stored results of finished games."""

    def __init__(self, players: PlayerStore, clock: Clock) -> None:
        self._players = players
        self._clock = clock

    async def finished_games(self, person: int, *, most: int) -> tuple[GameResult, ...]:
        """Return the person's latest finished games, latest first."""
        return await self._players.results(person, limit=most)

    async def head_to_head(self, person: int, other: int) -> HeadToHead:
        """Return the statistics of a person's games against another."""
        found = await self._players.opposed_results(person, other)
        return HeadToHead(len(found), sum(one.won for one in found), sum(one.lost for one in found))

    async def statistics_of(self, person: int) -> GameStatistics:
        """Return the statistics of a person's finished games."""
        since = self._clock.now() - LAPSES_COUNT_FOR
        return game_statistics(
            await self._players.results(person),
            await self._players.partner_results(person),
            lapses=await self._players.count_lapses(person, since=since),
        )
