"""The tournament service: all requests to a tournament, from its draft to its close.

Requests of people carry a `Caller`. A method either completes and stores its change, or raises `TournamentRefusal`
without any change. Every method may raise unknown_tournament and stale_tournament (too many changes at once).
Permission to create a tournament is checked by the Discord side.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.clocks.clock import Clock
from bot.store.store import Store
from bot.store.tournaments import TournamentPost
from bot.tables.service import TableService
from bot.tables.state.shuffle import Dealer
from bot.tournaments.alarm_timers import AlarmService
from bot.tournaments.core.repository import TournamentRepository, TournamentRequest
from bot.tournaments.desk.director_views import DirectorViews
from bot.tournaments.desk.entries import DirectorEntries
from bot.tournaments.desk.service import DirectorService
from bot.tournaments.entering import EnteringService
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.export.service import ExportService
from bot.tournaments.formats.by_kind import format_of
from bot.tournaments.formats.format import Format
from bot.tournaments.overview import OverviewService
from bot.tournaments.results_from_tables import PlayingService
from bot.tournaments.rounds import Away, Ratings, RoundsService

__all__ = ["TournamentPost", "TournamentService"]


class TournamentService:
    """Changes tournaments: one per process, with one attribute for each subject."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        tables: TableService,
        *,
        away: Away,
        ratings: Ratings | None = None,
        dealer: Dealer | None = None,
        formats: Callable[[Tournament], Format] = format_of,
    ) -> None:
        repository = TournamentRepository(store, clock, away)
        self.repository = repository
        self.subscribe = repository.subscribe
        self.rounds = RoundsService(repository, ratings, formats)
        self.playing = PlayingService(repository, self.rounds, tables)
        self.overview = OverviewService(repository, self.rounds)
        self.entering = EnteringService(repository, self.playing, self.overview, dealer or Dealer())
        self.alarms = AlarmService(repository, self.rounds, self.playing, tables)
        self.desk = DirectorService(self.rounds, self.playing)
        self.desk_entries = DirectorEntries(self.rounds, self.playing)
        self.desk_views = DirectorViews(repository, self.rounds, self.playing, tables)
        self.exports = ExportService(repository, self.rounds)

    async def begin_tournament(self, tournament_number: int) -> Tournament:
        """Start a published tournament whose entries are all there, without a check-in.

        If it has begun already, nothing changes.
        """

        async def change_tournament(tournament: Tournament, now: int) -> Tournament:
            if tournament.stage is not Stage.OPEN:
                return tournament
            return await self.rounds.start(replace(tournament, stage=Stage.CHECK_IN), now)

        return await self.playing.change(tournament_number, TournamentRequest("begin"), change_tournament)

    async def rate_tournament(self, tournament_number: int) -> None:
        """Rate the matches of a tournament whose result is final; called by the outbox. Refusal: unknown_tournament."""
        if self.rounds.ratings is not None:
            await self.rounds.ratings.rate_matches_with_final_results(
                await self.repository.tournament(tournament_number)
            )

    async def forget(self, person: int) -> None:
        """Drop cached tournaments and results, because a person was forgotten."""
        del person
        await self.repository.evict_all()
        self.desk_views.evict_table_results()
