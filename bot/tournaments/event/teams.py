"""What the two tables of a match of teams have come to (`docs/tournaments.md` 3, 4)."""

from __future__ import annotations

from bot.tournaments.boards.board import BoardResult
from bot.tournaments.boards.teams import TeamMatch, team_match
from bot.tournaments.event.values import BoardStage, Contest, Ruled, Tournament


def compared(tournament: Tournament, match: Contest) -> TeamMatch:
    """The boards that are open, compared between the two rooms of the match; the first side sits North–South in one."""
    opened = {one.number for one in tournament.boards if one.stage is BoardStage.OPEN}
    first, second = (side[0] for side in match.sides)
    return team_match(
        [
            (
                board_result(tournament, match, board, room=1, sides=(first, second)),
                board_result(tournament, match, board, room=2, sides=(second, first)),
            )
            for board in match.boards
            if board in opened
        ],
        unit=tournament.plan.scoring.swing_unit,
    )


def board_result(
    tournament: Tournament, match: Contest, board: int, *, room: int, sides: tuple[int, int]
) -> BoardResult:
    """What was made of a board in one room; what a director has given goes before it.

    A board that is open and was not played is nobody's fault, but for who forfeited the match: then it is theirs.
    """
    north, east = sides
    scores = next(
        ((one.scores[0], one.scores[1]) for one in match.played if (one.board, one.room) == (board, room)), None
    )
    ruled = next(
        (
            one
            for one in reversed(tournament.rulings)
            if one.match == match.id and one.what is Ruled.BOARD and one.board == board and not one.undone
        ),
        None,
    )
    at_fault: tuple[int, ...] | None = None if ruled is None else ruled.sides
    if ruled is None and scores is None and match.result is not None:
        at_fault = match.result.forfeited
    if at_fault is not None:
        share = _shares(match, at_fault, north)
        return BoardResult(table=match.table, ns=north, ew=east, adjusted=share)
    return BoardResult(table=match.table, ns=north, ew=east, scores=scores)


def _shares(match: Contest, at_fault: tuple[int, ...], north: int) -> tuple[int, int]:
    """The per cent of North–South and East–West, where these sides of the match are at fault."""
    first_is_north = match.sides[0][0] == north
    guilty = [side in at_fault for side in ((0, 1) if first_is_north else (1, 0))]
    if guilty == [False, False]:
        return (50, 50)
    own, other = (40 if one else 60 for one in guilty)
    return own, other
