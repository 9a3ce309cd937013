"""Ratings of finished games: which games count (`docs/tournaments.md` 5), and rating each once.

When such a game ends, its rating is stored as a task of the outbox (`bot.outbox`).
"""

from __future__ import annotations

from typing import Final

from bot.ratings.rating_rules import MatchId, RatedMatch, SeatPlayed, SidePlayed, ladder_of
from bot.ratings.service import RatingService
from bot.ratings.swing_units import SWING_UNITS
from bot.tables.reading_tables import ReadingService
from bot.tables.state.results import PLAYED
from bot.tables.state.snapshots import TableSnapshot

AGREED: Final = "agreed"
GIVEN_UP: Final = frozenset({"resigned", "forfeited"})
"""Ends of a game, caused by a losing side, after which the unfinished deal counts as played."""


def rated_match_of(table: TableSnapshot, *, at: int) -> RatedMatch | None:
    """Return the match to rate of a table that finished at `at`; None if it is not to be rated.

    Games with themes or with known cards are not rated, nor games that the players ended by agreement before half of
    them was played.
    """
    deals = _number_of_deals(table)
    known = table.terms.theme or table.cards_of is not None
    if table.view is None or known or not deals or (_name_of_ending(table) == AGREED and not _is_half_played(table)):
        return None
    scores, conclusion = _final_scores(table), table.conclusion
    forfeited = table.absence.forfeited
    last = {*forfeited, *(() if conclusion is None or conclusion.last is None else (conclusion.last,))}
    sides = (
        SidePlayed(
            tuple(
                _deals_played_in_seat(table, seat, deals, lost=side in forfeited) for seat in table.terms.seats_of(side)
            ),
            scores[side],
            last=side in last,
        )
        for side in range(table.terms.sides)
    )
    ladder = ladder_of(table.rules, table.players)
    return RatedMatch(
        id=MatchId(0, table.id),
        at=at,
        ladder=ladder,
        guild=table.guild,
        sides=tuple(sides),
        deals=len(table.view.results),
        unit=SWING_UNITS[table.rules],
    )


def _name_of_ending(table: TableSnapshot) -> str:
    """Return the name of the way in which the game ended."""
    return PLAYED if table.conclusion is None else table.conclusion.how


def _final_scores(table: TableSnapshot) -> tuple[int, ...]:
    """Return the final scores by side; empty if there is none."""
    if table.conclusion is not None:
        return table.conclusion.scores
    return () if table.view is None else tuple(total.score for total in table.view.totals)


def _number_of_deals(table: TableSnapshot) -> int:
    """Return the number of deals played, including one in which a side gave up."""
    if table.view is None:
        return 0
    finished = len(table.view.results)
    return max(finished, table.view.deal) if _name_of_ending(table) in GIVEN_UP else finished


def _is_half_played(table: TableSnapshot) -> bool:
    """Return whether half of the deals were played, or the best score was half of the target."""
    planned = table.settings.deals or table.terms.rounds
    if planned is None:
        return 2 * max(_final_scores(table)) >= table.terms.target
    return table.view is not None and 2 * len(table.view.results) >= planned


def _deals_played_in_seat(table: TableSnapshot, seat: int, deals: int, *, lost: bool) -> SeatPlayed:
    """Return how many deals each person, and computer players, played in a seat, and who gave it up.

    With `lost` the seat's side gave up the game; a person who left on purpose has given up too.
    """
    persons: dict[int, int] = {}
    for deal in range(1, deals + 1):
        person = table.holder_at(seat, deal).person
        if person is not None:
            persons[person] = persons.get(person, 0) + 1
    gone = table.seats[seat].kept_for if lost or seat in table.absence.left else None
    return SeatPlayed(tuple(persons.items()), deals - sum(persons.values()), gone)


class TableRatings:
    """Rates the finished games of rated tables."""

    def __init__(self, reading: ReadingService, ratings: RatingService) -> None:
        self._reading = reading
        self._ratings = ratings

    async def rate(self, table: int, at: int) -> None:
        """Rate the game of a table that ended at an instant (UTC milliseconds), unless it is rated already."""
        match = rated_match_of(await self._reading.snapshot(table), at=at)
        if match is not None and not await self._ratings.is_rated(match.id):
            await self._ratings.rate_match(match)
