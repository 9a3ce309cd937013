"""How a match ends whose round is over before its deals are played (`docs/tournaments.md` 2)."""

from __future__ import annotations

from collections.abc import Sequence

from bot.tables.contest.outcomes import ContestResult
from bot.tournaments.course import FormatKind
from bot.tournaments.event import rulings
from bot.tournaments.event.contests import MatchState, Result
from bot.tournaments.event.match_results import deals_of, leader, seated_in
from bot.tournaments.event.values import Tournament

HELD_IT = 60
"""Per cent of the thinking time by which one side has kept the other from playing."""


def decided_by_time(
    tournament: Tournament, match: MatchState, outcomes: Sequence[ContestResult], *, now: int
) -> Result | None:
    """The result of a slow match of which fewer than half of the deals are finished; None where its totals count.

    The side that held more than 60 % of the thinking time forfeits. Otherwise both have a tie; where one has to go on
    it is the side that used less.
    """
    wanted = tournament.plan.deals or 1
    deals = deals_of(match, outcomes)
    if 2 * len(deals) >= wanted and deals:
        return None
    seated = seated_in(match, outcomes)
    slow = held_up_by(match, outcomes)
    if slow and len(match.sides) == 2:
        return Result(forfeited=slow, winner=1 - slow[0], seated=seated, finished_at=now)
    elimination = tournament.plan.kind in (FormatKind.SINGLE, FormatKind.DOUBLE)
    winner = _quicker(match, outcomes) if elimination else None
    return Result(winner=winner, seated=seated, finished_at=now)


def held_up_by(match: MatchState, outcomes: Sequence[ContestResult]) -> tuple[int, ...]:
    """The side that held more than 60 % of the thinking time; empty where none did."""
    thought = _thought(match, outcomes)
    whole = sum(thought)
    return tuple(side for side, used in enumerate(thought) if whole and 100 * used > HELD_IT * whole)


def _thought(match: MatchState, outcomes: Sequence[ContestResult]) -> list[int]:
    """How long each side of the match has thought at these tables, in milliseconds."""
    thought = [0] * len(match.sides)
    for outcome in outcomes:
        room = next((one.room for one in match.tables if one.table == outcome.table), 1)
        for side, used in enumerate(outcome.thought):
            thought[side if room == 1 else 1 - side] += used
    return thought


def _quicker(match: MatchState, outcomes: Sequence[ContestResult]) -> int:
    thought = _thought(match, outcomes)
    return min(range(len(thought)), key=lambda side: thought[side])


def as_it_stands(tournament: Tournament, match: MatchState, outcomes: Sequence[ContestResult], *, now: int) -> Result:
    """The result of a match that is ended now: the totals of its finished deals, a tie where there is none.

    Where one side has to go on and none leads, it is the one that used less time.
    """
    deals = deals_of(match, outcomes)
    winner = leader(deals, match)
    if winner is None and tournament.plan.kind in (FormatKind.SINGLE, FormatKind.DOUBLE):
        winner = _quicker(match, outcomes)
    return Result(deals=deals, winner=winner, seated=seated_in(match, outcomes), finished_at=now)


def boards_over(
    tournament: Tournament, match: MatchState, given: Sequence[int], outcomes: Sequence[ContestResult], *, now: int
) -> Tournament:
    """Boards that the match has not played in time: 40 for who held them up, where that is plain, else 50 each."""
    for board in given:
        at_board = [one for one in outcomes if one.contest.board is not None and one.contest.board.number == board]
        sides = held_up_by(match, at_board)
        tournament = rulings.board_over(tournament, match=match, board=board, sides=sides, now=now)
    return tournament
