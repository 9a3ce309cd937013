"""What a table of a tournament comes to: scores deal by deal, who played, how long each side thought, how it ended."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bot.engine.cards.cards import Kind
from bot.engine.moves.events import DealEnded, Discarded, Gathered
from bot.tables.contest.giving import LARGE, held_back
from bot.tables.contest.values import ContestTable
from bot.tables.looks import SeatHolder, Status
from bot.tables.past.table_history import History, PastDeal
from bot.tables.record import TableState

PLAYED = "played"
VOID = "void"


@dataclass(frozen=True, slots=True)
class PileTaken:
    """A pile that was taken: in which deal and turn (from 0), by which seat, of how many cards, and who gave it.

    `given_by` is the seat that discarded its top card; None where that was turned up with the deal. `held_back` tells,
    of a large pile, that who gave it held a card on which nobody could have taken it (`bot.tables.contest.giving`).
    """

    deal: int
    turn: int
    seat: int
    cards: int
    given_by: int | None
    held_back: bool = False


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """A finished deal: the points of each side in it, and who held the seats at its end.

    `went_out` is the seat that went out, if one did; `piles` are those that were taken. `first_discards` are by seat
    the kinds of the cards that were discarded in its first turn, None where there was none.
    """

    number: int
    points: tuple[int, ...]
    holders: tuple[SeatHolder, ...]
    went_out: int | None
    piles: tuple[PileTaken, ...]
    first_discards: tuple[Kind | None, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestResult:
    """How a table of a tournament stands, or has ended.

    `how` is None while it is open, else `played`, `resigned`, `forfeited`, `latest_end` or `void`; `winner` the number
    of a side, None where none has won; `last` the side that gave up or forfeited. `totals` are of the finished deals.
    `opened_at` and `finished_at` are in UTC milliseconds, `thought` is by side how long its clocks have run, in
    milliseconds, up to now.
    `in_play` tells that a deal is being played. `persons` are by seat all who have held it.
    """

    table: int
    contest: ContestTable
    status: Status
    how: str | None
    winner: int | None
    last: int | None
    deals: tuple[PlayedDeal, ...]
    totals: tuple[int, ...]
    thought: tuple[int, ...]
    finished_at: int | None
    in_play: bool
    persons: tuple[frozenset[int], ...] = field(default=())
    opened_at: int = 0

    def deals_of(self, seat: int) -> dict[int, int]:
        """By person, at the ends of how many deals it held that seat; the deals of computer players are in none."""
        held: dict[int, int] = {}
        for deal in self.deals:
            person = deal.holders[seat].person
            if person is not None:
                held[person] = held.get(person, 0) + 1
        return held


def result_of(
    table: int, history: History, *, thought: Sequence[int], finished_at: int | None, opened_at: int = 0
) -> ContestResult:
    """The result that a table's history tells. Raises `ValueError` for a table of no tournament."""
    record = history.record
    if record.contest is None:
        raise ValueError("a table of no tournament")
    how, winner, last = _end(record)
    deals = tuple(_deals(history))
    totals = record.game.scores if record.game is not None else (0,) * record.rules.sides
    return ContestResult(
        table=table,
        contest=record.contest,
        status=record.status,
        how=how,
        winner=winner,
        last=last,
        deals=deals,
        totals=totals,
        thought=tuple(thought),
        finished_at=finished_at,
        in_play=record.actor is not None,
        persons=tuple(
            frozenset(one.holder.person for one in history.sat if one.seat == seat and one.holder.person is not None)
            for seat in range(len(record.seats))
        ),
        opened_at=opened_at,
    )


def _end(record: TableState) -> tuple[str | None, int | None, int | None]:
    if record.status is Status.CLOSED:
        return VOID, None, None
    if record.status is not Status.FINISHED:
        return None, None, None
    if record.conclusion is not None:
        return record.conclusion.how, record.conclusion.winner, record.conclusion.last
    return PLAYED, None if record.game is None else record.game.winner, None


def _deals(history: History) -> Iterable[PlayedDeal]:
    before = (0,) * history.record.rules.sides
    for deal in history.deals:
        ended = deal.ended
        if ended is None:
            continue
        points = tuple(after - score for after, score in zip(ended.scores, before, strict=True))
        before = ended.scores
        seats = len(history.record.seats)
        yield PlayedDeal(
            number=deal.number,
            points=points,
            holders=_holders(history, ended),
            went_out=ended.went_out,
            piles=tuple(_piles(deal)),
            first_discards=tuple(_first_discard(deal, seat) for seat in range(seats)),
        )


def _holders(history: History, ended: DealEnded) -> tuple[SeatHolder, ...]:
    """Who held the seats as the deal ended."""
    found = list(history.record.seats)
    for one in history.sat:
        if one.deal <= ended.deal:
            found[one.seat] = one.holder
    return tuple(found)


def _piles(deal: PastDeal) -> Iterable[PileTaken]:
    given_by, given_in = None, 0
    for turn in deal.turns:
        for event in turn.events:
            if isinstance(event, Discarded):
                given_by, given_in = event.seat, turn.number
            elif isinstance(event, Gathered):
                size = _size(event)
                held = given_by is not None and size >= LARGE and held_back(deal, given_in)
                yield PileTaken(deal.number, turn.number, event.seat, size, given_by, held)


def _first_discard(deal: PastDeal, seat: int) -> Kind | None:
    """The kind of card that a seat discarded in its first turn."""
    turn = next((one for one in deal.turns if one.seat == seat), None)
    events = () if turn is None else turn.events
    return next((one.card >> 2 for one in events if isinstance(one, Discarded)), None)


def _size(event: Gathered) -> int:
    """The cards that came with the pile, its top among them."""
    top = 0 if event.showed else 1
    return len(event.cards) + len(event.hidden) + len(event.red_threes) + len(event.set_aside) + top
