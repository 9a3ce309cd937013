"""Lists of unusual play for directors, each with its mean (`docs/tournaments.md` 7).

They prove nothing and have no consequences by themselves. People are Discord accounts, instants UTC milliseconds, means
exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import groupby
from typing import Final

from bot.clocks.time_rules import DAY
from bot.tables.contest.table_results import ContestResult, PlayedDeal
from bot.tournaments.event.counted_results import match_as_counted
from bot.tournaments.event.match_state import MatchState
from bot.tournaments.event.tournament import BoardStage, Tournament

FORFEITS: Final = 2
"""Least number of forfeits between the same people that is listed."""

MEETINGS: Final = 3
WEEK: Final = 7 * DAY
"""People with at least `MEETINGS` rated matches together within a `WEEK` are listed."""

TABLES: Final = 4
RARE: Final = 2
"""A choice is rare if at least `TABLES` tables played the board and at most `RARE` of them made it."""


class UnusualPlayKind(StrEnum):
    """Kinds of unusual play, each with a list of its own; the value is its stable name."""

    PILES = "piles"  # large piles given away with a safe card in hand
    FORFEITS = "forfeits"  # matches lost without play to the same people
    HARM = "harm"  # players who went out although another side had more points in the deal
    CHOICES = "choices"  # a rare choice made again later on the same board
    MEETINGS = "meetings"  # the same people, rated together again and again


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspiciousEvent:
    """An event at a table: the people who did it, the `others` who gained by it, and the match."""

    what: UnusualPlayKind
    persons: tuple[int, ...]
    others: tuple[int, ...] = ()
    match: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """People who played a rated match or game together, and when it ended."""

    persons: frozenset[int]
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstDiscard:
    """A seat's first discard of a board at one table, and when that table played it."""

    board: int
    seat: int
    chosen: int
    persons: tuple[int, ...]
    match: int
    began: int
    ended: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UnusualPlayRow:
    """A row of a list: how often these people did it, in favour of `others`, in which matches."""

    persons: tuple[int, ...]
    count: int
    others: tuple[int, ...] = ()
    matches: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UnusualPlay:
    """A list of unusual play, highest counts first; `mean` is the average count of all who could be on it."""

    what: UnusualPlayKind
    rows: tuple[UnusualPlayRow, ...]
    mean: Fraction


def list_people_with_events(
    kind: UnusualPlayKind, events: Iterable[SuspiciousEvent], *, people: int, least: int = 1
) -> UnusualPlay:
    """List the people who caused at least `least` of these events, all of one kind.

    `people` is how many could have caused one; the mean is taken over them.
    """
    those = [one for one in events if one.what is kind]
    count = Counter((one.persons, one.others) for one in those)
    rows = [
        UnusualPlayRow(
            persons=persons,
            others=others,
            count=often,
            matches=tuple(sorted({one.match for one in those if (one.persons, one.others) == (persons, others)})),
        )
        for (persons, others), often in count.items()
        if often >= least
    ]
    rows.sort(key=lambda row: (-row.count, row.persons, row.others))
    return UnusualPlay(what=kind, rows=tuple(rows), mean=Fraction(len(those), people) if people else Fraction(0))


def list_frequent_meetings(meetings: Iterable[Meeting]) -> UnusualPlay:
    """List people who were rated together at least three times within a week.

    Their count is that of their busiest week.
    """
    ordered = sorted(meetings, key=lambda one: (sorted(one.persons), one.at))
    rows, groups = [], 0
    for persons, those in groupby(ordered, key=lambda one: tuple(sorted(one.persons))):
        instants = [one.at for one in those]
        groups += 1
        most = most_instants_in_a_week(instants)
        if most >= MEETINGS:
            rows.append(UnusualPlayRow(persons=persons, count=most))
    rows.sort(key=lambda row: (-row.count, row.persons))
    mean = Fraction(len(ordered), groups) if groups else Fraction(0)
    return UnusualPlay(what=UnusualPlayKind.MEETINGS, rows=tuple(rows), mean=mean)


def most_instants_in_a_week(instants: Sequence[int]) -> int:
    """Return the largest number of these instants, sorted, that are within one week."""
    return max(
        (sum(1 for later in instants[first:] if later - at < WEEK) for first, at in enumerate(instants)), default=0
    )


def list_repeated_discards(discards: Iterable[FirstDiscard]) -> UnusualPlay:
    """List rare first discards of a board that another table had made earlier.

    The other table had finished the board before this table began it.
    """
    rows, considered = [], 0
    ordered = sorted(discards, key=lambda one: (one.board, one.seat, one.began, one.match))
    for _, group in groupby(ordered, key=lambda one: (one.board, one.seat)):
        those = list(group)
        if len(those) < TABLES:
            continue
        considered += len(those)
        often = Counter(one.chosen for one in those)
        for one in those:
            before = [other for other in those if other.chosen == one.chosen and other.ended <= one.began]
            if before and often[one.chosen] <= RARE:
                matches = (before[0].match, one.match)
                rows.append(UnusualPlayRow(persons=one.persons, others=before[0].persons, count=1, matches=matches))
    mean = Fraction(len(rows), considered) if considered else Fraction(0)
    return UnusualPlay(what=UnusualPlayKind.CHOICES, rows=tuple(rows), mean=mean)


Tables = Mapping[int, Sequence[ContestResult]]
"""The results of a tournament's tables, by match."""


def unusual_play_lists(
    tournament: Tournament, tables: Tables, other_tournaments: Sequence[Tournament]
) -> tuple[UnusualPlay, ...]:
    """Return a tournament's lists of unusual plays.

    Forfeits and repeated meetings are counted in the guild's `other_tournaments` too.
    """
    noted = tuple(suspicious_events_at_tables(tournament, tables))
    given = tuple(one for each in (tournament, *other_tournaments) for one in forfeited_matches(each))
    seated = len({person for match in tournament.matches for person in match.seats if person is not None})
    pairs = len({(one.persons, one.others) for one in given})
    return (
        list_people_with_events(UnusualPlayKind.PILES, noted, people=seated),
        list_people_with_events(UnusualPlayKind.FORFEITS, given, people=pairs, least=FORFEITS),
        list_people_with_events(UnusualPlayKind.HARM, noted, people=seated),
        list_repeated_discards(first_discards_on_boards(tournament, tables)),
        list_frequent_meetings(one for each in (tournament, *other_tournaments) for one in rated_meetings(each)),
    )


def suspicious_events_at_tables(tournament: Tournament, tables: Tables) -> Iterator[SuspiciousEvent]:
    """Yield avoidable gifts of large piles, and cases of going out that cost the player's side points."""
    for match in tournament.matches:
        for result in tables.get(match.id, ()):
            for deal in result.deals:
                yield from _large_pile_gifts(match, deal)
                yield from _costly_going_out(match, deal)


def _large_pile_gifts(match: MatchState, deal: PlayedDeal) -> Iterator[SuspiciousEvent]:
    """Yield the large piles of a deal given to an opponent although a safer card was held."""
    sides = len(deal.points)
    for pile in deal.piles:
        if pile.held_back and pile.given_by is not None and pile.given_by % sides != pile.seat % sides:
            giver, taker = (deal.holders[seat].person for seat in (pile.given_by, pile.seat))
            if giver is not None and taker is not None:
                yield SuspiciousEvent(what=UnusualPlayKind.PILES, persons=(giver,), others=(taker,), match=match.id)


def _costly_going_out(match: MatchState, deal: PlayedDeal) -> Iterator[SuspiciousEvent]:
    """Yield an event for a player who went out although another side had more points in the deal."""
    if deal.went_out is None:
        return
    person = deal.holders[deal.went_out].person
    if person is not None and deal.points[deal.went_out % len(deal.points)] < max(deal.points):
        yield SuspiciousEvent(what=UnusualPlayKind.HARM, persons=(person,), match=match.id)


def forfeited_matches(tournament: Tournament) -> Iterator[SuspiciousEvent]:
    """Yield the matches that one side lost without finishing them, with the winners."""
    for match in tournament.matches:
        result = match.result
        if result is None or match.voided or len(result.forfeited) != 1 or len(match.sides) != 2:
            continue
        lost, won = (
            _persons_of_side(tournament, match, side) for side in (result.forfeited[0], 1 - result.forfeited[0])
        )
        yield SuspiciousEvent(what=UnusualPlayKind.FORFEITS, persons=lost, others=won, match=match.id)


def _persons_of_side(tournament: Tournament, match: MatchState, side: int) -> tuple[int, ...]:
    """Return the persons of a side's entries."""
    return tuple(sorted(person for entry in match.sides[side] for person in tournament.entrant(entry).people))


def rated_meetings(tournament: Tournament) -> Iterator[Meeting]:
    """Yield the players of each rated match of a tournament, and the instant of its end."""
    if not tournament.plan.rated:
        return
    for match in tournament.matches:
        if match.result is None or match.voided or match_as_counted(tournament, match).unrated:
            continue
        persons = frozenset(one.person for one in match.result.seated if one.person is not None)
        if persons:
            yield Meeting(persons=frozenset[int](persons), at=match.result.finished_at)


def first_discards_on_boards(tournament: Tournament, tables: Tables) -> Iterator[FirstDiscard]:
    """Yield the first discard of every seat at every table, for each open board."""
    opened = {one.number for one in tournament.boards if one.stage is BoardStage.OPEN}
    for match in tournament.matches:
        for result in tables.get(match.id, ()):
            board = result.contest.board
            if board is not None and board.number in opened and result.finished_at is not None:
                for deal in result.deals:
                    yield from _first_discards_of_seats(
                        match, result, deal, board=board.number, ended=result.finished_at
                    )


def _first_discards_of_seats(
    match: MatchState, result: ContestResult, deal: PlayedDeal, *, board: int, ended: int
) -> Iterator[FirstDiscard]:
    """Yield the first discard of each seat held by a person."""
    for seat, kind in enumerate(deal.first_discards):
        person = deal.holders[seat].person
        if kind is not None and person is not None:
            yield FirstDiscard(
                board=board,
                seat=seat,
                chosen=kind,
                persons=(person,),
                match=match.id,
                began=result.opened_at,
                ended=ended,
            )
