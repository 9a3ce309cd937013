"""How a match ends whose round is over before its deals are played (`docs/tournaments.md` 2)."""

from __future__ import annotations

from collections.abc import Sequence

from bot.tables.contest.outcomes import ContestResult
from bot.tournaments.course import Kind
from bot.tournaments.event.results import deals_of, leader, seated_in
from bot.tournaments.event.values import Contest, Result, Tournament

HELD_IT = 60
"""Per cent of the thinking time by which one side has kept the other from playing."""


def decided_by_time(
    tournament: Tournament, match: Contest, outcomes: Sequence[ContestResult], *, now: int
) -> Result | None:
    """The result of a slow match of which fewer than half of the deals are finished; None where its totals count.

    The side that held more than 60 % of the thinking time forfeits. Otherwise both have a tie; where one has to go on
    it is the side that used less.
    """
    wanted = tournament.plan.deals or 1
    deals = deals_of(match, outcomes)
    if 2 * len(deals) >= wanted and deals:
        return None
    thought = [sum(one.thought[side] for one in outcomes if one.thought) for side in range(len(match.sides))]
    whole = sum(thought)
    slow = [side for side, used in enumerate(thought) if whole and 100 * used > HELD_IT * whole]
    seated = seated_in(match, outcomes)
    if slow and len(match.sides) == 2:
        return Result(forfeited=(slow[0],), winner=1 - slow[0], seated=seated, finished_at=now)
    elimination = tournament.plan.kind in (Kind.SINGLE, Kind.DOUBLE)
    winner = min(range(len(thought)), key=lambda side: thought[side]) if elimination else None
    return Result(winner=winner, seated=seated, finished_at=now)


def as_it_stands(tournament: Tournament, match: Contest, outcomes: Sequence[ContestResult], *, now: int) -> Result:
    """The result of a match that is ended now: the totals of its finished deals.

    Where one side has to go on and none leads, it is the one that used less time; boards not played stay open to a
    director's ruling.
    """
    deals = deals_of(match, outcomes)
    winner = leader(deals, match)
    if winner is None and tournament.plan.kind in (Kind.SINGLE, Kind.DOUBLE):
        thought = [sum(one.thought[side] for one in outcomes if one.thought) for side in range(len(match.sides))]
        winner = min(range(len(thought)), key=lambda side: thought[side])
    void = not deals and not match.boards and tournament.plan.kind not in (Kind.SINGLE, Kind.DOUBLE)
    return Result(deals=deals, winner=winner, seated=seated_in(match, outcomes), finished_at=now, void=void)
