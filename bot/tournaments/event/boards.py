"""Boards of a duplicate: planned, sealed until their last table is done (`docs/tournaments.md` 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.tournaments.boards.board import dealer_of_board, minimum_of_board
from bot.tournaments.event.entries import Person
from bot.tournaments.event.match_state import BoardPlayed, MatchState
from bot.tournaments.event.plan import Plan
from bot.tournaments.event.tournament import BoardStage, BoardState, RulingKind, Tournament
from bot.tournaments.event.tournament_changes import add_news, with_match


def planned_boards(plan: Plan, commitments: Mapping[int, str]) -> tuple[BoardState, ...]:
    """Return the boards of a plan with the published commitments to their seeds."""
    duplicate = plan.duplicate
    if duplicate is None:
        return ()
    return tuple(
        BoardState(
            number=number,
            minimum=minimum_of_board(number, duplicate.minimums),
            dealer=dealer_of_board(number, plan.players),
            commitment=text,
        )
        for number, text in sorted(commitments.items())
    )


def record_board(
    tournament: Tournament, *, match: int, board: int, room: int, scores: tuple[int, ...], now: int
) -> Tournament:
    """Record the scores of a board that a room of a match has played. Recording it again changes nothing."""
    match_state = tournament.match(match)
    if any((one.board, one.room) == (board, room) for one in match_state.played):
        return tournament
    made = BoardPlayed(board=board, room=room, scores=scores, at=now)
    after = with_match(tournament, replace(match_state, played=(*match_state.played, made)))
    return _set_board_stage(after, board, BoardStage.PLAYED)


def _set_board_stage(tournament: Tournament, board: int, stage: BoardStage, *, at: int | None = None) -> Tournament:
    """Return the tournament with that board in another stage."""
    boards = tuple(
        replace(one, stage=stage, opened_at=at) if one.number == board and one.stage is not BoardStage.OPEN else one
        for one in tournament.boards
    )
    return replace(tournament, boards=boards)


def rooms_of(match: MatchState) -> tuple[int, ...]:
    """Return the rooms in which a match plays its boards."""
    return (1, 2) if match.boards and len(match.seats) > 4 else (1,)  # teams of two pairs play at two tables


def persons_in_room(match: MatchState, room: int) -> tuple[Person | None, ...]:
    """Return the persons by seat in one room of the match."""
    return match.seats[4 * (room - 1) : 4 * room] if len(match.seats) > 4 and match.boards else match.seats


def count_tables_done(tournament: Tournament, board: int) -> tuple[int, int]:
    """Return how many tables are done with a board, and how many play it in all."""
    done, every = 0, 0
    for match in tournament.matches:
        if match.voided or board not in match.boards:
            continue
        made = {one.room for one in match.played if one.board == board}
        over = match.result is not None or has_directors_result(tournament, match, board)
        every += len(rooms_of(match))
        done += sum(over or room in made for room in rooms_of(match))
    return done, every


def next_board(tournament: Tournament, match: MatchState) -> int | None:
    """Return the first board that the match still has to play; None after the last."""
    return next((board for board in match.boards if not _has_board_result(tournament, match, board)), None)


def has_directors_result(tournament: Tournament, match: MatchState, board: int) -> bool:
    """Return whether a director has given the match a result for that board."""
    return any(
        one.match == match.id and one.what is RulingKind.BOARD and one.board == board and not one.undone
        for one in tournament.rulings
    )


def _has_board_result(tournament: Tournament, match: MatchState, board: int) -> bool:
    made = {one.room for one in match.played if one.board == board}
    return has_directors_result(tournament, match, board) or made == set(rooms_of(match))


def is_done_with_board(tournament: Tournament, match: MatchState, board: int) -> bool:
    """Return whether the match is finished with that board.

    It is if the board was played, got a result from a director, or if the whole match is over.
    """
    return match.result is not None or match.voided or _has_board_result(tournament, match, board)


def start_board_time(tournament: Tournament, board: int, now: int) -> Tournament:
    """Start the time for playing a board at all tables, unless it has started."""
    boards = tuple(
        replace(one, began_at=now) if one.number == board and one.began_at is None else one for one in tournament.boards
    )
    return replace(tournament, boards=boards)


def open_finished_boards(tournament: Tournament, now: int) -> Tournament:
    """Open every board that all its tables have finished: compare its results and publish its seed."""
    for board in tournament.boards:
        if board.stage is BoardStage.OPEN:
            continue
        at_it = [one for one in tournament.matches if board.number in one.boards and not one.voided]
        if at_it and all(is_done_with_board(tournament, one, board.number) for one in at_it):
            tournament = _set_board_stage(tournament, board.number, BoardStage.OPEN, at=now)
            tournament = add_news(tournament, "board_open", now, numbers={"board": board.number})
    return tournament


def must_wait_for_others(tournament: Tournament, match: MatchState, board: int) -> bool:
    """Return whether a slow match must wait until all tables have finished the board before this one."""
    if tournament.plan.live or board == match.boards[0]:
        return False
    before = match.boards[match.boards.index(board) - 1]
    others = tournament.matches_of(match.round)
    return not all(is_done_with_board(tournament, one, before) for one in others if before in one.boards)
