"""Results of a finished game, one for each person seated at its end, for statistics and lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.table.state import State
from bot.store.people.players import GameResult
from bot.tables.state.snapshots import Status
from bot.tables.state.table import TableState

PLAYED: Final = "played"
"""Stored name for a game that was played to its end."""


def results_of(table: int, record: TableState, *, at: int) -> tuple[GameResult, ...]:
    """Return one result for each person seated at the end; none if the game is not finished."""
    game = record.game
    if record.status is not Status.FINISHED or game is None:
        return ()
    conclusion = record.conclusion
    how, winner, scores = PLAYED, game.winner, game.scores
    if conclusion is not None:
        how, winner, scores = conclusion.how, conclusion.winner, conclusion.scores
    deals = len(game.results)
    found = []
    for seat, holder in enumerate(record.seats):
        if holder.person is None:
            continue
        side = record.rules.side_of(seat)
        canastas = [left.canastas[side] for left in record.left if left.canastas and left.deal <= deals]
        found.append(
            GameResult(
                person=holder.person,
                table=table,
                seat=seat,
                side=side,
                rules=record.rules.name,
                players=len(record.seats),
                persons=len(record.persons),
                how=how,
                won=winner == side,
                score=scores[side],
                against=_best_of_others(scores, side),
                deals=deals,
                best_deal=_best_deal(game, side),
                canastas=sum(canastas),
                canasta_deals=len(canastas),
                finished_at=at,
            )
        )
    return tuple(found)


def has_just_ended(before: TableState, after: TableState) -> bool:
    """Return whether a change finished the table's game, or unsealed a finished game."""
    return _is_public(after) and not _is_public(before)


def _is_public(record: TableState) -> bool:
    """Return whether the game is finished and may be viewed by everyone."""
    return record.status is Status.FINISHED and not record.is_sealed


def _best_of_others(scores: Sequence[int], side: int) -> int:
    """Return the highest score among the other sides."""
    return max(score for number, score in enumerate(scores) if number != side)


def _best_deal(game: State, side: int) -> int | None:
    """Return the side's best score in one deal; None if no deal was scored."""
    return max((result.lines[side].total for result in game.results), default=None)
