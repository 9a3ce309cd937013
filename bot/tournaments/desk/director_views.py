"""Views for directors only: previews, deals, the log, lists of unusual play."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from bot.tables.contest.table_results import ContestResult
from bot.tables.past.history import DealRecord
from bot.tables.service import TableService
from bot.tables.state.refusals import TableRefusal
from bot.tables.state.snapshots import Caller, Status
from bot.tournaments.core.repository import TournamentRepository
from bot.tournaments.counted_results import Deal
from bot.tournaments.desk import ruling_preview, unusual_play
from bot.tournaments.desk.ruling_preview import (
    ProposedRuling,
    RulingPreview,
    adjustable_deals,
    may_see_open_hands,
    require_may_see_open_hands,
)
from bot.tournaments.desk.unusual_play import UnusualPlay
from bot.tournaments.event.counted_results import match_as_counted
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.results import deals_of
from bot.tournaments.event.tournament import News, Ruling, Stage, Tournament
from bot.tournaments.event.tournament_changes import find_match, require_director, require_guild
from bot.tournaments.formats.by_kind import format_of
from bot.tournaments.results_from_tables import PlayingService
from bot.tournaments.rounds import RoundsService

KEPT: Final = 512
"""Number of finished tables whose results are cached, so that lists do not read every log again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRow:
    """A row of a tournament's log: when, who (None: the clock, or a table), kind, details and news sent.

    `ruling` is the ruling that the step made.
    """

    version: int
    at: int
    by: int | None
    kind: str
    detail: Mapping[str, int | str]
    told: tuple[News, ...] = ()
    ruling: Ruling | None = None


class DirectorViews:
    """Read-only views for directors."""

    def __init__(
        self, repository: TournamentRepository, rounds: RoundsService, playing: PlayingService, tables: TableService
    ) -> None:
        self._repository = repository
        self._rounds = rounds
        self._playing = playing
        self._tables = tables
        self._over: dict[int, ContestResult] = {}

    def evict_table_results(self) -> None:
        """Evict cached table results, because they may name a forgotten person."""
        self._over.clear()

    async def preview(self, caller: Caller, tournament: int, proposal: ProposedRuling) -> RulingPreview:
        """Return the effects of a ruling without making it.

        Refusals: those of the ruling, no_such_match, no_such_ruling.
        """
        current_tournament = require_guild(await self._repository.tournament(tournament), caller.guild)
        now = self._repository.clock.now()
        ruled = ruling_preview.apply_proposal(current_tournament, proposal, director=caller.person, now=now)
        after = await self._rounds.with_format_consequences(current_tournament, ruled, now)
        draws = await self._rounds.seeded_draw(current_tournament)
        of_kind = format_of(current_tournament)
        places = of_kind.ranking(current_tournament, draws, None), of_kind.ranking(after, draws, None)
        return ruling_preview.preview_ruling(
            current_tournament,
            after,
            round_number=ruling_preview.round_of_proposal(current_tournament, proposal),
            places=places,
        )

    async def deal_record(self, caller: Caller, tournament: int, match: int, *, deal: int | None) -> DealRecord:
        """Return a deal of a match, with its cards if it is finished.

        If several tables dealt it, it is that of the last table. Refusals: not_director, plays, no_such_match,
        match_open before cards are dealt, and those of tables.
        """
        current_tournament = require_guild(await self._repository.tournament(tournament), caller.guild)
        require_may_see_open_hands(current_tournament, caller.person)
        tables = find_match(current_tournament, match).tables
        if not tables:
            raise TournamentRefusal(TournamentCode.MATCH_OPEN, {"match": match})
        table = tables[-1] if deal is None else next((one for one in tables if one.board == deal), tables[-1])
        return await self._tables.past.contest_record(table.table, deal if table.board is None else None)

    async def finished_deals(self, caller: Caller, tournament: int, match: int) -> tuple[Deal, ...]:
        """Return the finished deals of a match.

        Deals of sealed boards are left out for a director who plays. Refusals: not_director, no_such_match.
        """
        current_tournament = require_guild(await self._repository.tournament(tournament), caller.guild)
        require_director(current_tournament, caller.person)
        one = find_match(current_tournament, match)
        if one.result is not None and not one.voided:
            return (
                adjustable_deals(current_tournament, one, caller.person)
                if one.boards
                else match_as_counted(current_tournament, one).deals
            )
        if not one.tables or (one.boards and not may_see_open_hands(current_tournament, caller.person)):
            return ()
        return deals_of(one, [await self._playing.table_result(table.table) for table in one.tables])

    async def director_log(self, caller: Caller, tournament: int) -> tuple[LogRow, ...]:
        """Return the tournament's log, latest first. Refusal: not_director."""
        current_tournament = require_guild(await self._repository.tournament(tournament), caller.guild)
        require_director(current_tournament, caller.person)
        rows = [
            LogRow(
                version=step.version,
                at=step.at,
                by=by,
                kind=step.kind,
                detail=json.loads(step.detail),
                told=tuple(one for one in current_tournament.news if one.at == step.at),
                ruling=next((one for one in current_tournament.rulings if (one.at, one.by) == (step.at, by)), None),
            )
            for step, by in await self._repository.steps_in_log(tournament)
        ]
        return tuple(reversed(rows))

    async def unusual_play_lists(self, caller: Caller, tournament: int) -> tuple[UnusualPlay, ...]:
        """Return the lists of unusual play. Refusals: not_director, plays."""
        current_tournament = require_guild(await self._repository.tournament(tournament), caller.guild)
        require_may_see_open_hands(current_tournament, caller.person)
        others = [
            one
            for one in await self._started_tournaments_in_guild(current_tournament.guild)
            if one.id != current_tournament.id
        ]
        tables = {
            match.id: await self._results_of_finished_tables([one.table for one in match.tables])
            for match in current_tournament.matches
        }
        return unusual_play.unusual_play_lists(current_tournament, tables, others)

    async def _started_tournaments_in_guild(self, guild: int) -> tuple[Tournament, ...]:
        """Return a guild's running, closing and closed tournaments, skipping any that cannot be read."""
        played = [stage.value for stage in (Stage.RUNNING, Stage.CLOSING, Stage.CLOSED)]
        found = []
        for number in await self._repository.store.tournaments.tournaments_in_guild(guild, played):
            with suppress(TournamentRefusal):
                found.append(await self._repository.tournament(number))
        return tuple(found)

    async def _results_of_finished_tables(self, tables: Sequence[int]) -> list[ContestResult]:
        """Return the readable results of these finished tables."""
        return [found for table in tables if (found := await self._result_of_finished_table(table)) is not None]

    async def _result_of_finished_table(self, table: int) -> ContestResult | None:
        """Return the result of a finished table; None while it is in play, or if it cannot be read."""
        if table not in self._over:
            try:
                found = await self._tables.contest.result(table)
            except TableRefusal:
                return None
            if found.status not in (Status.FINISHED, Status.CLOSED):
                return None
            self._over[table] = found
            while len(self._over) > KEPT:
                self._over.pop(next(iter(self._over)))
        return self._over[table]
