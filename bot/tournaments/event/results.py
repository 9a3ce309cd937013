"""The result of a match from the results of its tables (`docs/tournaments.md` 2)."""

from __future__ import annotations

from collections.abc import Sequence

from bot.tables.contest.table_results import ContestResult
from bot.tables.state.snapshots import Status
from bot.tournaments.counted_results import Deal
from bot.tournaments.event import boards, rulings
from bot.tournaments.event.counted_results import side_totals
from bot.tournaments.event.entries import Person
from bot.tournaments.event.match_state import MatchSeat, MatchState, Result
from bot.tournaments.event.tournament import Tournament

GIVEN_UP = ("resigned", "forfeited")


def result_of_match(
    tournament: Tournament, match: MatchState, outcomes: Sequence[ContestResult], *, now: int
) -> Result | None:
    """Return a match's result from the results of its tables; None while the match goes on."""
    given_up = next((one for one in outcomes if one.how in GIVEN_UP and one.last is not None), None)
    finished_at = max((one.finished_at or now for one in outcomes), default=now)
    deals = deals_of(match, outcomes)
    seated = seats_held(match, outcomes)
    if given_up is not None and given_up.last is not None:
        side = _losing_side(match, given_up)
        return Result(
            deals=deals,
            forfeited=(side,),
            winner=1 - side if len(match.sides) == 2 else None,
            seated=seated,
            finished_at=finished_at,
        )
    if match.boards and boards.next_board(tournament, match) is None:
        return Result(deals=deals, seated=seated, finished_at=finished_at, piles=_piles_given_away(match, outcomes))
    if any(one.status not in (Status.FINISHED, Status.CLOSED) for one in outcomes):
        return None
    if match.boards and not any(_is_void_table(tournament, match, one) for one in outcomes):
        return None
    if not match.boards and len(outcomes) < match.further + 1:
        return None
    if all(one.how == "void" for one in outcomes):
        return Result(void=True, finished_at=finished_at, seated=seated)
    return Result(
        deals=deals,
        seated=seated,
        finished_at=finished_at,
        winner=leading_side(deals, match),
        piles=_piles_given_away(match, outcomes),
    )


def _is_void_table(tournament: Tournament, match: MatchState, outcome: ContestResult) -> bool:
    """Return whether a table was ended as void, but not because of a ruling on its board."""
    board = outcome.contest.board
    return outcome.how == "void" and (board is None or not boards.has_directors_result(tournament, match, board.number))


def needs_further_deal(tournament: Tournament, result: Result) -> bool:
    """Return whether another deal must be played, because a match that needs a winner is tied.

    Source: `docs/tournaments.md` 3, and 8, case 27.
    """
    if not tournament.plan.traits.decisive or result.forfeited or result.void:
        return False
    return result.winner is None


def _losing_side(match: MatchState, outcome: ContestResult) -> int:
    """Return the side of the match that gave up or ran out of time at a table.

    In a team's second room the sides are swapped.
    """
    room = next((one.room for one in match.tables if one.table == outcome.table), 1)
    side = outcome.last or 0
    return side if room == 1 else 1 - side


def deals_of(match: MatchState, outcomes: Sequence[ContestResult]) -> tuple[Deal, ...]:
    """Return the finished deals of all tables in order.

    They are numbered from 1, or like their boards.
    """
    found: list[Deal] = []
    for outcome in sorted(outcomes, key=lambda one: one.contest.number):
        board = outcome.contest.board
        if board is not None and outcome.contest.number > len(match.boards):
            continue  # a team's second room is compared, not summed
        for deal in outcome.deals:
            number = len(found) + 1 if board is None else board.number
            found.append(Deal(number=number, scores=deal.points))
    return tuple(found)


def leading_side(deals: Sequence[Deal], match: MatchState) -> int | None:
    """Return the side with the most points in these deals; None if several have equally many."""
    totals = side_totals(deals, len(match.sides))
    best = [side for side, total in enumerate(totals) if total == max(totals)]
    return best[0] if len(best) == 1 else None


def seats_held(match: MatchState, outcomes: Sequence[ContestResult]) -> tuple[MatchSeat, ...]:
    """Return the holders of every seat over all tables, each with the number of deals played."""
    held: dict[tuple[int, int | None], int] = {}
    for outcome in outcomes:
        room = next((one.room for one in match.tables if one.table == outcome.table), 1)
        for deal in outcome.deals:
            for seat, holder in enumerate(deal.holders):
                key = (seat + 4 * (room - 1), holder.person)
                held[key] = held.get(key, 0) + 1
    return tuple(
        MatchSeat(person=None if person is None else Person(person), seat=seat, deals=deals)
        for (seat, person), deals in sorted(held.items(), key=lambda one: (one[0][0], one[0][1] or 0))
    )


def _piles_given_away(match: MatchState, outcomes: Sequence[ContestResult]) -> tuple[int, ...]:
    """Return for each side the number of large piles that it gave away."""
    given = [0] * len(match.sides)
    for outcome in outcomes:
        for deal in outcome.deals:
            for pile in deal.piles:
                if pile.held_back and pile.given_by is not None:
                    giver, taker = pile.given_by % len(given), pile.seat % len(given)
                    given[giver] += giver != taker
    return tuple(given)


DELAY_PERCENT = 60
"""A side that used more than this percentage of the thinking time has delayed the match."""


def result_by_time(
    tournament: Tournament, match: MatchState, outcomes: Sequence[ContestResult], *, now: int
) -> Result | None:
    """Return the result of a slow match if less than half of it was played, else None.

    The side that used more than 60 % of the thinking time forfeits. Otherwise it is a tie; in an elimination the side
    that used less time goes on.
    """
    wanted = tournament.plan.deals or 1
    deals = deals_of(match, outcomes)
    if 2 * len(deals) >= wanted and deals:
        return None
    seated = seats_held(match, outcomes)
    slow = delaying_sides(match, outcomes)
    if slow and len(match.sides) == 2:
        return Result(forfeited=slow, winner=1 - slow[0], seated=seated, finished_at=now)
    winner = _side_with_less_thinking_time(match, outcomes) if tournament.plan.traits.decisive else None
    return Result(winner=winner, seated=seated, finished_at=now)


def delaying_sides(match: MatchState, outcomes: Sequence[ContestResult]) -> tuple[int, ...]:
    """Return the side that used more than 60 % of the thinking time; empty if neither did."""
    thought = _thinking_time(match, outcomes)
    whole = sum(thought)
    return tuple(side for side, used in enumerate(thought) if whole and 100 * used > DELAY_PERCENT * whole)


def _thinking_time(match: MatchState, outcomes: Sequence[ContestResult]) -> list[int]:
    """Return each side's thinking time at these tables in milliseconds."""
    thought = [0] * len(match.sides)
    for outcome in outcomes:
        room = next((one.room for one in match.tables if one.table == outcome.table), 1)
        for side, used in enumerate(outcome.thought):
            thought[side if room == 1 else 1 - side] += used
    return thought


def _side_with_less_thinking_time(match: MatchState, outcomes: Sequence[ContestResult]) -> int:
    """Return the side that used the least thinking time."""
    thought = _thinking_time(match, outcomes)
    return min(range(len(thought)), key=lambda side: thought[side])


def result_by_totals(
    tournament: Tournament, match: MatchState, outcomes: Sequence[ContestResult], *, now: int
) -> Result:
    """Return a match's result if it ends now: by the totals of its finished deals; a tie without any.

    In an elimination without a leader, the side that used less time goes on.
    """
    deals = deals_of(match, outcomes)
    winner = leading_side(deals, match)
    if winner is None and tournament.plan.traits.decisive:
        winner = _side_with_less_thinking_time(match, outcomes)
    return Result(deals=deals, winner=winner, seated=seats_held(match, outcomes), finished_at=now)


def rule_on_late_boards(
    tournament: Tournament, match: MatchState, boards: Sequence[int], outcomes: Sequence[ContestResult], *, now: int
) -> Tournament:
    """Give a result to boards that were not played in time.

    A side that delayed a board gets 40 per cent and the other 60; otherwise both get 50.
    """
    for board in boards:
        at_board = [one for one in outcomes if one.contest.board is not None and one.contest.board.number == board]
        sides = delaying_sides(match, at_board)
        tournament = rulings.rule_on_unplayed_board(tournament, match=match, board=board, sides=sides, now=now)
    return tournament
