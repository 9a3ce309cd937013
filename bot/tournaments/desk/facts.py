"""What tables and results tell, as facts for the directors' lists (`bot.tournaments.desk.honesty`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bot.tables.contest.outcomes import ContestResult, PlayedDeal
from bot.tournaments.desk import honesty
from bot.tournaments.desk.honesty import Choice, Listed, Meeting, Noted, Suspicion
from bot.tournaments.event.contests import MatchState
from bot.tournaments.event.course_of import counted
from bot.tournaments.event.values import BoardStage, Tournament

Tables = Mapping[int, Sequence[ContestResult]]
"""What the tables of a tournament have come to, by match."""


def lists(tournament: Tournament, tables: Tables, others: Sequence[Tournament]) -> tuple[Listed, ...]:
    """All lists of a tournament; forfeits and meetings go over the server's `others` too."""
    noted = tuple(at_tables(tournament, tables))
    given = tuple(one for each in (tournament, *others) for one in forfeits(each))
    seated = len({person for match in tournament.matches for person in match.seats if person is not None})
    pairs = len({(one.persons, one.others) for one in given})
    return (
        honesty.listed(Suspicion.PILES, noted, people=seated),
        honesty.listed(Suspicion.FORFEITS, given, people=pairs, least=honesty.FORFEITS),
        honesty.listed(Suspicion.HARM, noted, people=seated),
        honesty.choices(choices(tournament, tables)),
        honesty.meetings(one for each in (tournament, *others) for one in met(each)),
    )


def at_tables(tournament: Tournament, tables: Tables) -> Iterator[Noted]:
    """Large piles that somebody gave away who could have kept them back, and goings out to one's own harm."""
    for match in tournament.matches:
        for result in tables.get(match.id, ()):
            for deal in result.deals:
                yield from _piles(match, deal)
                yield from _harm(match, deal)


def _piles(match: MatchState, deal: PlayedDeal) -> Iterator[Noted]:
    sides = len(deal.points)
    for pile in deal.piles:
        if pile.held_back and pile.given_by is not None and pile.given_by % sides != pile.seat % sides:
            giver, taker = (deal.holders[seat].person for seat in (pile.given_by, pile.seat))
            if giver is not None and taker is not None:
                yield Noted(what=Suspicion.PILES, persons=(giver,), others=(taker,), match=match.id)


def _harm(match: MatchState, deal: PlayedDeal) -> Iterator[Noted]:
    if deal.went_out is None:
        return
    person = deal.holders[deal.went_out].person
    if person is not None and deal.points[deal.went_out % len(deal.points)] < max(deal.points):
        yield Noted(what=Suspicion.HARM, persons=(person,), match=match.id)


def forfeits(tournament: Tournament) -> Iterator[Noted]:
    """Matches that one side lost without playing it out, to whom."""
    for match in tournament.matches:
        result = match.result
        if result is None or match.voided or len(result.forfeited) != 1 or len(match.sides) != 2:
            continue
        lost, won = (_persons(tournament, match, side) for side in (result.forfeited[0], 1 - result.forfeited[0]))
        yield Noted(what=Suspicion.FORFEITS, persons=lost, others=won, match=match.id)


def _persons(tournament: Tournament, match: MatchState, side: int) -> tuple[int, ...]:
    return tuple(sorted(person for entry in match.sides[side] for person in tournament.entrant(entry).people))


def met(tournament: Tournament) -> Iterator[Meeting]:
    """The rated matches of a tournament."""
    if not tournament.plan.rated:
        return
    for match in tournament.matches:
        if match.result is None or match.voided or counted(tournament, match).unrated:
            continue
        persons = frozenset(one.person for one in match.result.seated if one.person is not None)
        if persons:
            yield Meeting(persons=frozenset[int](persons), at=match.result.finished_at)


def choices(tournament: Tournament, tables: Tables) -> Iterator[Choice]:
    """What every seat discarded first on each board that is open, at every table."""
    opened = {one.number for one in tournament.boards if one.stage is BoardStage.OPEN}
    for match in tournament.matches:
        for result in tables.get(match.id, ()):
            board = result.contest.board
            if board is not None and board.number in opened and result.finished_at is not None:
                for deal in result.deals:
                    yield from _of_seats(match, result, deal, board=board.number, ended=result.finished_at)


def _of_seats(
    match: MatchState, result: ContestResult, deal: PlayedDeal, *, board: int, ended: int
) -> Iterator[Choice]:
    for seat, kind in enumerate(deal.first_discards):
        person = deal.holders[seat].person
        if kind is not None and person is not None:
            yield Choice(
                board=board,
                seat=seat,
                chosen=kind,
                persons=(person,),
                match=match.id,
                began=result.opened_at,
                ended=ended,
            )
