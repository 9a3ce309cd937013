"""From what a table has come to, to the result of a match (`docs/tournaments.md` 2)."""

from __future__ import annotations

from collections.abc import Sequence

from bot.tables.contest.outcomes import ContestResult
from bot.tables.looks import Status
from bot.tournaments.course import Deal, FormatKind
from bot.tournaments.event import duplicate_boards
from bot.tournaments.event.contests import MatchSeat, MatchState, Result
from bot.tournaments.event.course_of import totals_of
from bot.tournaments.event.entrants import Person
from bot.tournaments.event.values import Tournament

GIVEN_UP = ("resigned", "forfeited")


def result_of(
    tournament: Tournament, match: MatchState, outcomes: Sequence[ContestResult], *, now: int
) -> Result | None:
    """The result of a match from all its tables, in the order in which they were opened; None while it goes on."""
    given_up = next((one for one in outcomes if one.how in GIVEN_UP and one.last is not None), None)
    finished_at = max((one.finished_at or now for one in outcomes), default=now)
    deals = deals_of(match, outcomes)
    seated = seated_in(match, outcomes)
    if given_up is not None and given_up.last is not None:
        side = _side(match, given_up)
        return Result(
            deals=deals,
            forfeited=(side,),
            winner=1 - side if len(match.sides) == 2 else None,
            seated=seated,
            finished_at=finished_at,
        )
    if match.boards and duplicate_boards.next_board(tournament, match) is None:
        return Result(deals=deals, seated=seated, finished_at=finished_at, piles=_piles(match, outcomes))
    if any(one.status not in (Status.FINISHED, Status.CLOSED) for one in outcomes):
        return None
    if match.boards and not any(_void(tournament, match, one) for one in outcomes):
        return None
    if not match.boards and len(outcomes) < match.further + 1:
        return None
    if all(one.how == "void" for one in outcomes):
        return Result(void=True, finished_at=finished_at, seated=seated)
    return Result(
        deals=deals, seated=seated, finished_at=finished_at, winner=leader(deals, match), piles=_piles(match, outcomes)
    )


def _void(tournament: Tournament, match: MatchState, outcome: ContestResult) -> bool:
    """Whether a table is void for another reason than that its board was given."""
    board = outcome.contest.board
    return outcome.how == "void" and (board is None or not duplicate_boards.was_given(tournament, match, board.number))


def still_equal(tournament: Tournament, result: Result) -> bool:
    """Whether one side has to go on and none leads: then a further deal is played (3; 8, case 27)."""
    if tournament.plan.kind not in (FormatKind.SINGLE, FormatKind.DOUBLE) or result.forfeited or result.void:
        return False
    return result.winner is None


def _side(match: MatchState, outcome: ContestResult) -> int:
    """The side of the match that lost at a table; in a team's second room the sides sit the other way about."""
    room = next((one.room for one in match.tables if one.table == outcome.table), 1)
    side = outcome.last or 0
    return side if room == 1 else 1 - side


def deals_of(match: MatchState, outcomes: Sequence[ContestResult]) -> tuple[Deal, ...]:
    """The finished deals of all tables in their order, numbered through; a board's deal has the board's number."""
    found: list[Deal] = []
    for outcome in sorted(outcomes, key=lambda one: one.contest.number):
        board = outcome.contest.board
        if board is not None and outcome.contest.number > len(match.boards):
            continue  # a team's second room is compared, not added up
        for deal in outcome.deals:
            number = len(found) + 1 if board is None else board.number
            found.append(Deal(number=number, scores=deal.points))
    return tuple(found)


def leader(deals: Sequence[Deal], match: MatchState) -> int | None:
    """The side with the most points in these deals; None where several have as many."""
    totals = totals_of(deals, len(match.sides))
    best = [side for side, total in enumerate(totals) if total == max(totals)]
    return best[0] if len(best) == 1 else None


def seated_in(match: MatchState, outcomes: Sequence[ContestResult]) -> tuple[MatchSeat, ...]:
    """Who held each seat in how many deals, over all tables."""
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


def _piles(match: MatchState, outcomes: Sequence[ContestResult]) -> tuple[int, ...]:
    """By side, how many large piles it has given to the other."""
    given = [0] * len(match.sides)
    for outcome in outcomes:
        for deal in outcome.deals:
            for pile in deal.piles:
                if pile.held_back and pile.given_by is not None:
                    giver, taker = pile.given_by % len(given), pile.seat % len(given)
                    given[giver] += giver != taker
    return tuple(given)
