"""The boards of a duplicate in its export, with scores once they are open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from bot.tables.state.shuffle import digest_of_contributions
from bot.tournaments.boards.board import Board, BoardResult
from bot.tournaments.boards.scoring import TableScore, score_board
from bot.tournaments.event.match_state import MatchState
from bot.tournaments.event.teams import board_result
from bot.tournaments.event.tournament import BoardStage, BoardState, Tournament
from bot.tournaments.export.export_input import ExportInput
from bot.tournaments.formats.duplicate import boards_of
from bot.tournaments.table_sync import shuffle_contributions_of_entries

Json = dict[str, Any]

ROOMS: Final = (1, 2)
"""The rooms of a team match, whether or not its persons were called to them."""


def boards_json(export_input: ExportInput) -> list[Json]:
    """Return all boards as JSON; sealed boards have neither seed nor scores."""
    tournament = export_input.tournament
    client = digest_of_contributions(shuffle_contributions_of_entries(tournament)) if tournament.rounds else None
    return [
        {
            "number": board.number,
            "minimum": board.minimum,
            "dealer": board.dealer,
            "commitment": state.commitment,
            "seed": export_input.seeds.get(board.number),
            "client": client,
            "results": list(_results_json(tournament, board)),
        }
        for board, state in zip(boards_to_compare(tournament), tournament.boards, strict=True)
    ]


def boards_to_compare(tournament: Tournament) -> tuple[Board, ...]:
    """Return the boards with all their tables; in a team match each of the two rooms is a table."""
    if not tournament.plan.is_for_teams:
        return boards_of(tournament)
    return tuple(
        Board(
            number=state.number,
            minimum=state.minimum,
            dealer=state.dealer,
            results=tuple(_results_in_rooms(tournament, state)),
        )
        for state in tournament.boards
    )


def table_number_of(match: MatchState, room: int) -> int:
    """Return the number, from 1, of a match's table in that room, among all tables that play a board."""
    return len(ROOMS) * (match.table - 1) + room


def _results_in_rooms(tournament: Tournament, state: BoardState) -> Iterator[BoardResult]:
    """Yield the results of a board in both rooms of each team match; if it is sealed, without scores."""
    for match in tournament.matches:
        if match.voided or state.number not in match.boards:
            continue
        first, second = (side[0] for side in match.sides)
        for room, sides in zip(ROOMS, ((first, second), (second, first)), strict=True):
            found = board_result(tournament, match, state.number, room=room, sides=sides)
            sealed = state.stage is not BoardStage.OPEN
            shown = BoardResult(table=0, ns=found.ns, ew=found.ew) if sealed else found
            yield replace(shown, table=table_number_of(match, room))


def _results_json(tournament: Tournament, board: Board) -> Iterator[Json]:
    """Yield a board's results and scores by table as JSON."""
    scored = score_board(board, unit=tournament.plan.scoring.swing_unit).tables
    scores: Sequence[TableScore | None] = scored or (None,) * len(board.results)
    for result, score in zip(board.results, scores, strict=True):
        yield {
            "table": result.table,
            "ns": result.ns,
            "ew": result.ew,
            "scores": None if result.scores is None else list(result.scores),
            "adjusted": None if result.adjusted is None else list(result.adjusted),
            "mp": None if score is None else [json_number(one) for one in score.mp],
            "ximp": None if score is None else [json_number(one) for one in score.ximp],
        }


def json_number(value: Fraction | int) -> int | float:
    """Return a number for JSON: an integer if it is whole."""
    return int(value) if value == int(value) else float(value)
