"""Team matches: both rooms play each board in opposite directions (`docs/tournaments.md` 3, 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.tournaments.boards.board import ADJUSTED_IMPS, BoardResult
from bot.tournaments.boards.scoring import BYE, EVEN, MOST, imps_of_difference, victory_points
from bot.tournaments.counted_results import Scoring

VICTORY: Final = Scoring(win=MOST, tie=EVEN, loss=0, bye=BYE, half=EVEN)
"""Values of forfeits and byes of teams, in hundredths of a victory point."""

AT_FAULT: Final = ADJUSTED_IMPS[60]
"""IMPs of a team for a board that could not be played because of the other team."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamMatch:
    """The result of a match of two teams, seen from the first team.

    `imps` are by board: None if it does not count or is still to be played. `margin` is their sum over the `boards`
    that count, `points` the victory points of both teams in hundredths.
    """

    imps: tuple[int | None, ...]
    margin: int
    boards: int
    points: tuple[int, int]


def compare_team_tables(boards: Sequence[tuple[BoardResult, BoardResult]], *, unit: int) -> TeamMatch:
    """Return the result of a team match from the two tables of every board.

    The first team is North–South at the first of the two tables.
    """
    found = tuple(board_imps(first, second, unit=unit) for first, second in boards)
    counting = [value for value in found if value is not None]
    margin = sum(counting)
    return TeamMatch(imps=found, margin=margin, boards=len(counting), points=victory_points(margin, len(counting)))


def board_imps(first: BoardResult, second: BoardResult, *, unit: int) -> int | None:
    """Return a board's IMPs for the team at North–South of the first table.

    Return None if the board is unfinished or does not count. If a table could not be played through one team's fault,
    the other team gets three IMPs.
    """
    if not (first.is_over and second.is_over):
        return None
    if first.net is not None and second.net is not None:
        return imps_of_difference(first.net - second.net, unit)
    given = [result.adjusted for result in (first, second)]
    if all(share in (None, (50, 50)) for share in given):
        return None
    own, other = _percentages_of_teams(*given)
    return AT_FAULT * ((own > other) - (own < other))


def _percentages_of_teams(first: tuple[int, int] | None, second: tuple[int, int] | None) -> tuple[int, int]:
    """Return both teams' percentages, summed over the adjusted tables."""
    north, east = first or (0, 0)
    other_north, other_east = second or (0, 0)
    return north + other_east, east + other_north
