"""The service that assembles exports of tournaments."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from bot.store.tournaments import TournamentPerson, TournamentStep
from bot.tournaments.core.repository import TournamentRepository
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import BoardStage, Stage, Tournament
from bot.tournaments.event.tournament_changes import require_director, require_guild
from bot.tournaments.export.export_input import ExportInput, LogLine
from bot.tournaments.formats.by_kind import format_of
from bot.tournaments.formats.elimination import bracket_of
from bot.tournaments.match_ratings import rating_ladder_of
from bot.tournaments.rounds import RoundsService

OVER = (Stage.CLOSED, Stage.CANCELLED)
"""Stages in which everyone may export a tournament; before, only its directors."""


class ExportService:
    """Assembles exports without sealed boards, cases, or the seed before the close."""

    def __init__(self, repository: TournamentRepository, rounds: RoundsService) -> None:
        self._repository = repository
        self._rounds = rounds

    async def log_lines(self, tournament: int) -> tuple[LogLine, ...]:
        """Return a tournament's steps as lines of its log, oldest first."""
        steps = await self._repository.steps_in_log(tournament)
        people = await self._repository.store.tournaments.people(tournament)
        return tuple(_log_line(one, people) for one, _ in steps)

    async def export_input(self, tournament: int, *, person: int, guild: int | None = None) -> ExportInput:
        """Return the input of an export for that person.

        Refusals: unknown_tournament, and not_director before it is over; wrong_stage for a draft.
        """
        current_tournament = require_guild(await self._repository.tournament(tournament), guild)
        if current_tournament.stage not in OVER:
            require_director(current_tournament, person)
        return await self.export_input_of(current_tournament)

    async def export_input_of(self, tournament: Tournament) -> ExportInput:
        """Return the input of an export without checking permission. Refusal: wrong_stage, for a draft."""
        if tournament.stage is Stage.DRAFT:
            raise TournamentRefusal(TournamentCode.WRONG_STAGE, {"stage": tournament.stage.value})
        draws = await self._rounds.seeded_draw(tournament)
        knocks_out = tournament.plan.traits.decisive and any(one.rank for one in tournament.entrants)
        rated = tournament.plan.rated and self._rounds.ratings is not None
        return ExportInput(
            tournament=tournament,
            ranking=format_of(tournament).ranking(tournament, draws, None),
            log=await self.log_lines(tournament.id),
            seeds=await self._open_board_seeds(tournament),
            bracket=bracket_of(tournament, draws) if knocks_out else None,
            ratings=await self._rating_log(tournament) if rated else None,
            ladder=rating_ladder_of(tournament).name if rated else None,
        )

    async def board_seed(self, tournament: int, board: int, *, guild: int | None = None) -> str:
        """Return an open board's seed in hexadecimal. Refusals: unknown_tournament, board_not_open."""
        current_tournament = require_guild(await self._repository.tournament(tournament), guild)
        seed = (await self._open_board_seeds(current_tournament)).get(board)
        if seed is None:
            raise TournamentRefusal(TournamentCode.BOARD_NOT_OPEN, {"board": board})
        return seed

    async def _rating_log(self, tournament: Tournament) -> Mapping[str, Any] | None:
        """Return the tournament's rating log; None without a rating service."""
        ratings = self._rounds.ratings
        return None if ratings is None else await ratings.rating_log(tournament)

    async def _open_board_seeds(self, tournament: Tournament) -> dict[int, str]:
        """Return the seeds of open boards."""
        seeds = {}
        for board in tournament.boards:
            if board.stage is BoardStage.OPEN:
                seed = await self._repository.store.tournaments.secret(tournament.id, f"board:{board.number}")
                if seed is not None:
                    seeds[board.number] = seed.hex()
        return seeds


def _log_line(step: TournamentStep, people: Sequence[TournamentPerson]) -> LogLine:
    by = next((one.person for one in people if one.number == step.by), None)
    return LogLine(at=step.at, kind=step.kind, by=by, detail=json.loads(step.detail))
