"""The result of a tournament's table: scores by deal, players, thinking time, and how it ended.

It lists the piles taken, so that directors see large ones that a player could have kept from the opponents. Thinking
time is the time for which a side's clocks have run, according to the table's log.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.clocks.clock import Spans, covered_time, merge_spans
from bot.clocks.time_rules import initial_clock
from bot.engine.cards.cards import BLACK_THREE, Kind, is_wild
from bot.engine.moves import phases
from bot.engine.moves.actions import Discard
from bot.engine.moves.events import DealEnded, Discarded, Event, Gathered
from bot.engine.moves.refusals import Refusal
from bot.engine.play.decide import decide
from bot.engine.play.legal_steps import can_take_pile
from bot.engine.table.applying_events import evolve, fold
from bot.engine.table.state import State
from bot.tables.past.history import History, PastDeal
from bot.tables.state.contest import ContestTable
from bot.tables.state.events import (
    AnyEvent,
    ChannelLost,
    ChannelRestored,
    ClockRuns,
    ClockStopped,
    GamePaused,
    GameResumed,
    SeatChanged,
)
from bot.tables.state.snapshots import SeatHolder, Status
from bot.tables.state.table import TableState
from bot.tables.timing.timekeeping import TimeLookup

LARGE: Final = 10
"""Minimum size of a taken pile for `had_blocking_discard` to be checked."""


def had_blocking_discard(deal: PastDeal, turn_number: int) -> bool:
    """Return whether the seat could have discarded a black three or wild card that blocks the pile."""
    before = _state_before_discard(deal, turn_number)
    return before is not None and any(_is_safe_discard(before, kind) for kind in _blocking_kinds(before))


def _state_before_discard(deal: PastDeal, turn_number: int) -> State | None:
    """Return the table before the discard of that turn; None if there was no discard."""
    state = deal.dealt
    for one in deal.turns:
        if one.number == turn_number:
            return _state_before_first_discard(state, one.events)
        state = one.after
    return None


def _state_before_first_discard(state: State, events: Iterable[Event]) -> State | None:
    """Return the state before the first discard among the events; None if there is none."""
    for event in events:
        if isinstance(event, Discarded):
            return state
        state = evolve(state, event)
    return None


def _blocking_kinds(state: State) -> set[Kind]:
    """Return the black threes and wild cards in the hand of the seat in turn."""
    kinds = {card >> 2 for card in state.hands[state.turn]}
    return {kind for kind in kinds if kind == BLACK_THREE or is_wild(kind)}


def _is_safe_discard(state: State, kind: Kind) -> bool:
    """Return whether a card of this kind could be discarded and nobody could take the pile with it on top."""
    try:
        after = fold(state, decide(state, state.turn, Discard(kind)))
    except Refusal:
        return False
    return after.phase is phases.DRAW and not can_take_pile(after)


PLAYED = "played"
VOID = "void"


@dataclass(frozen=True, slots=True)
class PileTaken:
    """A pile that was taken: its deal and turn (from 0), its size, and the seats concerned.

    `given_by` is the seat that discarded its top card; None if that was turned up with the deal. `held_back` means that
    the pile was large and that seat could have discarded a card on which nobody could have taken it
    (`had_blocking_discard`).
    """

    deal: int
    turn: int
    seat: int
    cards: int
    given_by: int | None
    held_back: bool = False


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """A finished deal: the points of each side, and the holders of the seats at its end.

    `went_out` is the seat that went out, if one did; `piles` are those taken. `first_discards` are, by seat, the kinds
    of the cards discarded in the first turn, None without a discard.
    """

    number: int
    points: tuple[int, ...]
    holders: tuple[SeatHolder, ...]
    went_out: int | None
    piles: tuple[PileTaken, ...]
    first_discards: tuple[Kind | None, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestResult:
    """The current or final result of a tournament's table.

    `how` is None while it is open, else `played`, `resigned`, `forfeited`, `latest_end` or `void`; `winner` the number
    of a side, None if none has won; `last` the side that resigned or forfeited. `totals` are of the finished deals.
    `opened_at` and `finished_at` are in UTC milliseconds, `thought` is, by side, how long its clocks have run up to
    now, in milliseconds. `in_play` means that a deal is in play. `persons` are, by seat, all who have held it.
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

    def deals_by_person(self, seat: int) -> dict[int, int]:
        """Return, for each person, the number of deals at whose end they held that seat.

        Deals finished by computer players are left out.
        """
        held: dict[int, int] = {}
        for deal in self.deals:
            person = deal.holders[seat].person
            if person is not None:
                held[person] = held.get(person, 0) + 1
        return held


def result_of(
    table: int, history: History, *, thinking_time: Sequence[int], finished_at: int | None, opened_at: int = 0
) -> ContestResult:
    """Return the result from a table's history. Raises `ValueError` for a table of no tournament."""
    record = history.record
    if record.contest is None:
        raise ValueError("a table of no tournament")
    how, winner, last = _game_end(record)
    deals = tuple(_finished_deals(history))
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
        thought=tuple(thinking_time),
        finished_at=finished_at,
        in_play=record.actor is not None,
        persons=tuple(
            frozenset(one.holder.person for one in history.sat if one.seat == seat and one.holder.person is not None)
            for seat in range(len(record.seats))
        ),
        opened_at=opened_at,
    )


def _game_end(record: TableState) -> tuple[str | None, int | None, int | None]:
    """Return how the game ended, the winning side and the last side, each None if there is none."""
    if record.status is Status.CLOSED:
        return VOID, None, None
    if record.status is not Status.FINISHED:
        return None, None, None
    if record.conclusion is not None:
        return record.conclusion.how, record.conclusion.winner, record.conclusion.last
    return PLAYED, None if record.game is None else record.game.winner, None


def _finished_deals(history: History) -> Iterable[PlayedDeal]:
    """Yield the finished deals with each side's points."""
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
            holders=_holders_at_end(history, ended),
            went_out=ended.went_out,
            piles=tuple(_piles_taken(deal)),
            first_discards=tuple(_first_discard(deal, seat) for seat in range(seats)),
        )


def _holders_at_end(history: History, ended: DealEnded) -> tuple[SeatHolder, ...]:
    """Return the holders of the seats at the end of a deal; `ended` is its last event."""
    found = list(history.record.seats)
    for one in history.sat:
        if one.deal <= ended.deal:
            found[one.seat] = one.holder
    return tuple(found)


def _piles_taken(deal: PastDeal) -> Iterable[PileTaken]:
    """Yield the piles taken in the deal."""
    given_by, given_in = None, 0
    for turn in deal.turns:
        for event in turn.events:
            if isinstance(event, Discarded):
                given_by, given_in = event.seat, turn.number
            elif isinstance(event, Gathered):
                size = _pile_size(event)
                held = given_by is not None and size >= LARGE and had_blocking_discard(deal, given_in)
                yield PileTaken(deal.number, turn.number, event.seat, size, given_by, held)


def _first_discard(deal: PastDeal, seat: int) -> Kind | None:
    """Return the kind of card that a seat discarded in its first turn."""
    turn = next((one for one in deal.turns if one.seat == seat), None)
    events = () if turn is None else turn.events
    return next((one.card >> 2 for one in events if isinstance(one, Discarded)), None)


def _pile_size(event: Gathered) -> int:
    """Return the number of cards taken with the pile, its top card included."""
    top = 0 if event.showed else 1
    return len(event.cards) + len(event.hidden) + len(event.red_threes) + len(event.set_aside) + top


@dataclass(frozen=True, slots=True)
class _ClockRun:
    """A period in which a person's clock ran; `until` is None while it runs."""

    seat: int
    person: int | None
    since: int
    until: int | None = None


class ThinkingTime:
    """Adds up thinking time while reading a table's log."""

    def __init__(self, record: TableState) -> None:
        self._record = record
        self._seats: dict[int, int | None] = {}
        self._runs: list[_ClockRun] = []
        self._open: _ClockRun | None = None
        self._stood: Spans = ()
        self._stands_since: dict[type[AnyEvent], int] = {}

    def add_events(self, at: int, events: Iterable[AnyEvent]) -> None:
        """Read the events of that instant (UTC milliseconds)."""
        for event in events:
            if isinstance(event, SeatChanged):
                self._seats[event.seat] = event.holder.person
            elif isinstance(event, ClockRuns):
                self._end_clock_run(at)
                self._open = _ClockRun(event.seat, self._seats.get(event.seat), event.since)
            elif isinstance(event, ClockStopped):
                self._end_clock_run(at)
            elif isinstance(event, GamePaused | ChannelLost):
                self._stands_since[type(event)] = at
            elif isinstance(event, GameResumed | ChannelRestored):
                self._record_resumption(GamePaused if isinstance(event, GameResumed) else ChannelLost, at)

    def _record_resumption(self, began: type[AnyEvent], at: int) -> None:
        """Record the end of a pause, or of a time without a channel; `began` is the event that began it."""
        since = self._stands_since.pop(began, at)
        self._stood = merge_spans(self._stood, ((since, at),))

    def _end_clock_run(self, at: int) -> None:
        """End the period in which a player's clock has been running, if one runs."""
        if self._open is not None:
            self._runs.append(_ClockRun(self._open.seat, self._open.person, self._open.since, at))
        self._open = None

    async def milliseconds_by_side(self, time_lookup: TimeLookup, now: int) -> tuple[int, ...]:
        """Return the milliseconds by side, up to now.

        Outages, pauses and quiet hours do not count, nor planned vacation where the table allows any.
        """
        self._end_clock_run(now)
        for began in tuple(self._stands_since):
            self._record_resumption(began, now)
        settings = self._record.settings
        rules, terms = self._record.rules, self._record.settings.clock
        sums = [0] * rules.sides
        for run in self._runs:
            end = now if run.until is None else run.until
            if terms is None or run.person is None or end <= run.since:
                continue
            standing = merge_spans(self._stood, time_lookup.away_spans())
            if terms.is_slow:
                hours = await time_lookup.personal_hours(run.person)
                off, _ = hours.vacation_days_and_clock(
                    initial_clock(terms), allowed=settings.vacation, since=run.since, until=end
                )
                standing = merge_spans(standing, hours.quiet_spans(run.since, end), off)
            sums[rules.side_of(run.seat)] += max(0, end - run.since - covered_time(standing, run.since, end))
        return tuple(sums)
