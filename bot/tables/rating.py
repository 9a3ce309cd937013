"""What a finished game of a rated table is as a match that counts for ratings (`docs/tournaments.md` 5). Pure."""

from __future__ import annotations

from typing import Final

from bot.ratings.values import MatchId, RatedMatch, SeatPlayed, SidePlayed, ladder_of
from bot.tables.looks import TableSnapshot
from bot.tables.results import PLAYED

AGREED: Final = "agreed"
GIVEN_UP: Final = frozenset({"resigned", "forfeited"})
"""Ends at which the deal in play was played as well: somebody has lost by it."""


def match_of(look: TableSnapshot, *, at: int) -> RatedMatch | None:
    """The match of a table, finished at an instant (UTC milliseconds); None where it does not count.

    Themes and cards that were known beforehand do not count, nor does an end by agreement before half of the game.
    """
    deals = _deals(look)
    known = look.terms.theme or look.cards_of is not None
    if look.view is None or known or not deals or (_how(look) == AGREED and not _half_played(look)):
        return None
    scores, conclusion = _scores(look), look.conclusion
    forfeited = look.absence.forfeited
    last = {*forfeited, *(() if conclusion is None or conclusion.last is None else (conclusion.last,))}
    sides = (
        SidePlayed(
            tuple(_seat(look, seat, deals, lost=side in forfeited) for seat in look.terms.seats_of(side)),
            scores[side],
            last=side in last,
        )
        for side in range(look.terms.sides)
    )
    ladder = ladder_of(look.rules, look.players)
    return RatedMatch(id=MatchId(0, look.id), at=at, ladder=ladder, guild=look.guild, sides=tuple(sides))


def _how(look: TableSnapshot) -> str:
    return PLAYED if look.conclusion is None else look.conclusion.how


def _scores(look: TableSnapshot) -> tuple[int, ...]:
    if look.conclusion is not None:
        return look.conclusion.scores
    return () if look.view is None else tuple(total.score for total in look.view.totals)


def _deals(look: TableSnapshot) -> int:
    """How many deals were played, that in which somebody gave up among them."""
    if look.view is None:
        return 0
    finished = len(look.view.results)
    return max(finished, look.view.deal) if _how(look) in GIVEN_UP else finished


def _half_played(look: TableSnapshot) -> bool:
    """Whether half of the deals were played; of a game to a target, whether the best score was half of it."""
    planned = look.settings.deals or look.terms.rounds
    if planned is None:
        return 2 * max(_scores(look)) >= look.terms.target
    return look.view is not None and 2 * len(look.view.results) >= planned


def _seat(look: TableSnapshot, seat: int, deals: int, *, lost: bool) -> SeatPlayed:
    """Who held a seat at the end of each deal; who left it on purpose, or had it forfeited, has lost."""
    persons: dict[int, int] = {}
    for deal in range(1, deals + 1):
        person = look.holder_at(seat, deal).person
        if person is not None:
            persons[person] = persons.get(person, 0) + 1
    gone = look.seats[seat].kept_for if lost or seat in look.absence.left else None
    return SeatPlayed(tuple(persons.items()), deals - sum(persons.values()), gone)
