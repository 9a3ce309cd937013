"""Boards of a duplicate: planned when entering opens, sealed until the last table is done (`docs/tournaments.md` 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.tournaments.boards.board import dealer_of, minimum_of
from bot.tournaments.event.entries import Person
from bot.tournaments.event.match_state import BoardPlayed, MatchState
from bot.tournaments.event.plan import Plan
from bot.tournaments.event.steps import tell, with_match
from bot.tournaments.event.tournament import BoardStage, BoardState, RulingKind, Tournament


def planned_boards(plan: Plan, commitments: Mapping[int, str]) -> tuple[BoardState, ...]:
    """The boards with what is published of their seeds."""
    duplicate = plan.duplicate
    if duplicate is None:
        return ()
    return tuple(
        BoardState(
            number=number,
            minimum=minimum_of(number, duplicate.minimums),
            dealer=dealer_of(number, plan.players),
            commitment=shown,
        )
        for number, shown in sorted(commitments.items())
    )


def played(
    tournament: Tournament, *, match: int, board: int, room: int, scores: tuple[int, ...], now: int
) -> Tournament:
    """A table has played a board; once is enough."""
    found = tournament.match(match)
    if any((one.board, one.room) == (board, room) for one in found.played):
        return tournament
    made = BoardPlayed(board=board, room=room, scores=scores, at=now)
    after = with_match(tournament, replace(found, played=(*found.played, made)))
    return _staged(after, board, BoardStage.PLAYED)


def _staged(tournament: Tournament, board: int, stage: BoardStage, *, at: int | None = None) -> Tournament:
    boards = tuple(
        replace(one, stage=stage, opened_at=at) if one.number == board and one.stage is not BoardStage.OPEN else one
        for one in tournament.boards
    )
    return replace(tournament, boards=boards)


def rooms_of(match: MatchState) -> tuple[int, ...]:
    """The rooms in which a match plays its boards."""
    return (1, 2) if match.boards and len(match.seats) > 4 else (1,)  # two pairs a side play at two tables


def people_in(match: MatchState, room: int) -> tuple[Person | None, ...]:
    """Who sits in a room of the match, seat by seat; all of a match of one room."""
    return match.seats[4 * (room - 1) : 4 * room] if len(match.seats) > 4 and match.boards else match.seats


def tables_done(tournament: Tournament, board: int) -> tuple[int, int]:
    """At how many tables nothing of a board is to come, and at how many it is played in all."""
    done, every = 0, 0
    for match in tournament.matches:
        if match.voided or board not in match.boards:
            continue
        made = {one.room for one in match.played if one.board == board}
        over = match.result is not None or was_given(tournament, match, board)
        every += len(rooms_of(match))
        done += sum(over or room in made for room in rooms_of(match))
    return done, every


def next_board(tournament: Tournament, match: MatchState) -> int | None:
    """The first board that the match has neither played in all its rooms nor been given; None after the last."""
    return next((board for board in match.boards if not _done(tournament, match, board)), None)


def was_given(tournament: Tournament, match: MatchState, board: int) -> bool:
    """Whether the match has that board by a ruling, whatever is played."""
    return any(
        one.match == match.id and one.what is RulingKind.BOARD and one.board == board and not one.undone
        for one in tournament.rulings
    )


def _done(tournament: Tournament, match: MatchState, board: int) -> bool:
    made = {one.room for one in match.played if one.board == board}
    return was_given(tournament, match, board) or made == set(rooms_of(match))


def done_with(tournament: Tournament, match: MatchState, board: int) -> bool:
    """Whether nothing of that board is to come from the match: it was played, given by a director, or forfeited."""
    return match.result is not None or match.voided or _done(tournament, match, board)


def began(tournament: Tournament, board: int, now: int) -> Tournament:
    """A table has come to that board; the time of all for it runs from the first one on."""
    boards = tuple(
        replace(one, began_at=now) if one.number == board and one.began_at is None else one for one in tournament.boards
    )
    return replace(tournament, boards=boards)


def opened(tournament: Tournament, now: int) -> Tournament:
    """Every board whose last table is done is open: its results may be compared, and its seed is shown."""
    for board in tournament.boards:
        if board.stage is BoardStage.OPEN:
            continue
        at_it = [one for one in tournament.matches if board.number in one.boards and not one.voided]
        if at_it and all(done_with(tournament, one, board.number) for one in at_it):
            tournament = _staged(tournament, board.number, BoardStage.OPEN, at=now)
            tournament = tell(tournament, "board_open", now, numbers={"board": board.number})
    return tournament


def waits_for_others(tournament: Tournament, match: MatchState, board: int) -> bool:
    """Whether a slow duplicate opens that board to all only when the last table is done with the one before it."""
    if tournament.plan.live or board == match.boards[0]:
        return False
    before = match.boards[match.boards.index(board) - 1]
    others = tournament.matches_of(match.round)
    return not all(done_with(tournament, one, before) for one in others if before in one.boards)
