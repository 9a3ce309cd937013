"""Compare the two tables of a team match (`docs/tournaments.md` 3, 4)."""

from __future__ import annotations

from collections.abc import Sequence

from bot.tournaments.boards.board import BoardResult
from bot.tournaments.boards.teams import TeamMatch, compare_team_tables
from bot.tournaments.counted_results import Deal
from bot.tournaments.event import rulings
from bot.tournaments.event.match_state import BoardPlayed, MatchState
from bot.tournaments.event.tournament import BoardStage, RulingKind, Tournament


def compare_rooms(tournament: Tournament, match: MatchState) -> TeamMatch:
    """Return the result of a team match by comparing its open boards in both rooms.

    The first side is North–South in room 1.
    """
    opened = {one.number for one in tournament.boards if one.stage is BoardStage.OPEN}
    first, second = (side[0] for side in match.sides)
    return compare_team_tables(
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


def board_tables_of(tournament: Tournament, match: MatchState, *, sealed: bool) -> tuple[tuple[int, int], ...]:
    """Return (board, room) of every board that a match has played; sealed boards only with `sealed`."""
    opened = {one.number for one in tournament.boards if one.stage is BoardStage.OPEN}
    return tuple(sorted((one.board, one.room) for one in match.played if sealed or one.board in opened))


def scores_that_count(tournament: Tournament, match: MatchState, played: BoardPlayed) -> tuple[int, int]:
    """Return the scores that count for a board at a table: North–South first, as ruled or as played."""
    ruling = rulings.valid_ruling(tournament, match.id)
    if ruling is not None and ruling.what is RulingKind.ADJUST:
        for table, given in zip(ruling.tables, ruling.scores, strict=False):
            if table == (played.board, played.room):
                return (given[0], given[1]) if played.room == 1 else (given[1], given[0])
    return played.scores[0], played.scores[1]


def deals_of(tournament: Tournament, match: MatchState, tables: Sequence[tuple[int, int]]) -> tuple[Deal, ...]:
    """Return the scores that count at these tables as deals, numbered like their boards."""
    found = []
    for board, room in tables:
        made = next(one for one in match.played if (one.board, one.room) == (board, room))
        ways = [scores_that_count(tournament, match, made), (made.scores[0], made.scores[1])]
        counts, played = (way if room == 1 else (way[1], way[0]) for way in ways)
        found.append(Deal(number=board, scores=counts, as_played=None if counts == played else played))
    return tuple(found)


def board_result(
    tournament: Tournament, match: MatchState, board: int, *, room: int, sides: tuple[int, int]
) -> BoardResult:
    """Return the result of a board in one room; a director's ruling replaces the scores.

    An open board that was not played counts as no side's fault, or as the fault of sides that forfeited. If a director
    voided the match or ruled it forfeited, none of its boards is compared.
    """
    north, east = sides
    scores = next(
        (scores_that_count(tournament, match, one) for one in match.played if (one.board, one.room) == (board, room)),
        None,
    )
    ruled = next(
        (
            one
            for one in reversed(tournament.rulings)
            if one.match == match.id and one.what is RulingKind.BOARD and one.board == board and not one.undone
        ),
        None,
    )
    at_fault: tuple[int, ...] | None = None if ruled is None else ruled.sides
    if ruled is None and scores is None and match.result is not None:
        at_fault = match.result.forfeited
    whole = rulings.valid_ruling(tournament, match.id)
    if ruled is None and whole is not None and whole.what in (RulingKind.VOID, RulingKind.FORFEIT):
        at_fault = whole.sides
    if at_fault is not None:
        share = _percentages_of_unplayed_board(match, at_fault, north)
        return BoardResult(table=match.table, ns=north, ew=east, adjusted=share)
    return BoardResult(table=match.table, ns=north, ew=east, scores=scores)


def _percentages_of_unplayed_board(match: MatchState, at_fault: tuple[int, ...], north: int) -> tuple[int, int]:
    """Return the per cent of North–South and East–West on a board that was not played.

    `at_fault` are the sides of the match that caused this.
    """
    first_is_north = match.sides[0][0] == north
    guilty = [side in at_fault for side in ((0, 1) if first_is_north else (1, 0))]
    if guilty == [False, False]:
        return (50, 50)
    own, other = (40 if one else 60 for one in guilty)
    return own, other
