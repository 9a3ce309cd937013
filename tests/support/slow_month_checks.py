"""Checks after weeks of slow games: no game is stuck, and every charge was right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bot.clocks import time_rules
from bot.clocks.clock import HOUR, Spans, merge_spans, running_time
from bot.clocks.quiet_hours_and_vacation import PersonalTimes
from bot.clocks.time_rules import DAY, ClockTerms, SeatClock, Stage
from bot.engine.moves.phases import Phase
from bot.store.store import Store
from bot.store.tables import StoredAction
from bot.tables.absence.idle_games import has_running_clock_or_open_question
from bot.tables.core.stored_forms import read_payload
from bot.tables.service import TableService
from bot.tables.state.absence import ReturnConfirmed
from bot.tables.state.events import (
    AnyEvent,
    ClockRuns,
    ClockSet,
    Deadline,
    SeatChanged,
    StageReached,
    VacationDayTaken,
    VacationEnded,
)
from bot.tables.state.fold import apply_event
from bot.tables.state.snapshots import Status
from bot.tables.state.table import TablePersons, TableState
from tests.support.slow_player_habits import Habits, chargeable_time
from tests.support.stored_table_data import holders_of


@dataclass(frozen=True, slots=True)
class MonthFacts:
    """The known facts of the past month: how people lived, and when the bot was away."""

    store: Store
    personal: PersonalTimes
    people: Mapping[int, Habits]
    outages: tuple[tuple[int, int], ...]


async def check_alarms(service: TableService, tables: Iterable[int], now: int) -> None:
    """Fail unless every waiting game has an alarm, and no alarm is overdue."""
    for table in tables:
        record = (await service._context.repository.get(table)).record
        if record.status is Status.PLAYING:
            needed = needed_alarm(record)
            goes_on = needed is Deadline.IDLE and has_running_clock_or_open_question(record)
            assert goes_on or needed in record.deadlines, (table, record.deadlines)
            assert min(record.deadlines.values()) > now - HOUR, (table, record.deadlines)
            assert record.last_deal or Deadline.LATEST_END in record.deadlines


def needed_alarm(record: TableState) -> Deadline:
    """Return the alarm without which a running game would stop."""
    if len(record.persons) < 2 or (record.absence.unopposed is not None and not record.last_deal):
        return Deadline.IDLE
    if record.game is not None and record.game.phase is Phase.BETWEEN:
        return Deadline.NEXT_DEAL
    vote = record.absence.vote
    if vote is not None and record.clocks is not None and record.clocks.owes is None:
        return Deadline.VOTE
    return Deadline.CLOCK


async def check_clock_charges(facts: MonthFacts, table: int, kinds: Counter[str]) -> int:
    """Fail unless each charge to a clock of a table equals the sum computed here; return their number.

    `kinds` collects the number of events by type.
    """
    record: TableState | None = None
    runs: ClockRuns | None = None
    days = VacationDays()
    checked = 0
    for row, event in logged_events(await facts.store.tables.actions(table), await holders_of(facts.store, table)):
        kinds[type(event).__name__] += 1
        days.update(event, record)
        if isinstance(event, ClockRuns):
            runs = event
        elif isinstance(event, ClockSet) and record is not None and record.clocks is not None and runs is not None:
            before, seat = record.clocks.seats[event.seat], event.seat
            person, terms = record.seats[seat].person, record.settings.clock
            assert terms is not None
            if (
                seat == runs.seat == record.clocks.owes
                and person is not None
                and event.clock.extension <= before.extension
            ):
                # Vacation days after the table's latest end do not stop its clock.
                ends_at = record.absence.ends_at if record.last_deal else None
                planned = await planned_days(facts, person, until=ends_at)
                vacations = days.vacation_spans(planned, seat, record.settings.vacation, since=runs.since, until=row.at)
                charged = chargeable_time(
                    facts.people[person], (*facts.outages, *vacations), since=runs.since, until=row.at
                )
                assert without_vacation_notes(event.clock) in possible_clocks(
                    without_vacation_notes(before), charged, terms
                ), (
                    table,
                    row.version,
                    row.kind,
                    row.at,
                    runs,
                    before,
                    event.clock,
                    charged,
                    record.last_deal,
                    record.settings,
                    record.clocks,
                    vacations,
                    facts.outages,
                    record.absence.ends_at,
                )
                checked += 1
        record = apply_event(record, event)
    return checked


async def longest_wait(facts: MonthFacts, table: int, sights: Mapping[int, Sequence[int]]) -> int:
    """Return the longest time in milliseconds that the table waited for a player before it decided.

    The time counts from the beginning of the turn or from the last use of the bot by its player, whichever is later.
    Planned vacation and outages are left out, and so are turns with days that the others granted.
    """
    record: TableState | None = None
    came, longest = (0, (0, 0), 0), 0
    for row in await facts.store.tables.actions(table):
        for event in read_payload(row.payload, await holders_of(facts.store, table)):
            if isinstance(event, ClockRuns) and came[:2] != (event.seat, event.turn):
                came = event.seat, event.turn, event.since
            if isinstance(event, StageReached) and event.stage is Stage.LAPSED and record is not None:
                person = record.seats[event.seat].person
                if person is not None and event.seat not in record.absence.waits:
                    seen = max((one for one in sights.get(person, ()) if one <= event.until), default=0)
                    left_out = merge_spans(facts.outages, await planned_days(facts, person, until=None))
                    longest = max(longest, running_time(left_out, max(came[2], seen), event.until))
            record = apply_event(record, event)
    return longest


def without_vacation_notes(clock: SeatClock) -> SeatClock:
    """Return the clock without its notes on vacation days, which are counted separately here."""
    return replace(clock, vacation_days=0, counted_until=0, worked=(0, 0))


def possible_clocks(before: SeatClock, charged: int, terms: ClockTerms) -> tuple[SeatClock, ...]:
    """Return each clock that may result from `before` when this time is charged to it.

    The turn may be over, an answer may have been given, or all time may have run out.
    """
    after = before.charge(charged)
    over = SeatClock(0, 0, 0, extended=before.extended, lapses=before.lapses + 1)
    lapsed = (over,) if charged >= before.time_left else ()
    last = replace(after, allowance=0, extension=0)
    return after, time_rules.clock_after_turn(after, terms), time_rules.clock_after_answer(after), last, before, *lapsed


@dataclass(slots=True)
class VacationDays:
    """The vacation days that a table knows of, from its log."""

    taken: list[tuple[int, int, int]] = field(default_factory=list)
    turn: tuple[int, int] = (0, 0)
    worked: list[tuple[int, int, int]] = field(default_factory=list)
    counted: dict[int, set[int]] = field(default_factory=dict)
    barred: set[int] = field(default_factory=set)

    def update(self, event: AnyEvent, record: TableState | None) -> None:
        """Update the known vacation days by an event of the table's log."""
        # A vacation day ends with the turn for which it was taken.
        if isinstance(event, ClockRuns) and event.turn != self.turn:
            self.turn, self.taken = event.turn, []
        elif isinstance(event, VacationDayTaken):
            self.taken.append((event.seat, event.start, event.end))
            self.counted.setdefault(event.seat, set()).add(-event.start)
        elif isinstance(event, VacationEnded):
            self.worked.append((event.seat, event.at, event.day_end))
        elif isinstance(event, SeatChanged) and record is not None and event.holder.person is not None:
            came_back = record.seats[event.seat].kept_for == event.holder.person
            (self.barred.add if came_back else self.barred.discard)(event.seat)
            self.counted.pop(event.seat, None)
        elif isinstance(event, ReturnConfirmed):
            self.barred.add(event.seat)

    def vacation_spans(self, planned: Spans, seat: int, allowed: int, *, since: int, until: int) -> Spans:
        """Return the spans in which the seat's clock stood still for vacation.

        The days among them are counted against the number `allowed`.
        """
        found = [(start, end) for one, start, end in self.taken if one == seat]
        counted = self.counted.setdefault(seat, set())
        for start, end in planned:
            gone = next((at for one, at, day_end in self.worked if (one, day_end) == (seat, end)), end)
            if seat in self.barred or end <= since or start >= until or gone <= since:
                continue
            if end not in counted and len(counted) >= allowed:
                continue
            counted.add(end)
            found.append((start, gone))
        return merge_spans(found)


async def planned_days(facts: MonthFacts, person: int, *, until: int | None) -> Spans:
    """Return the vacation days that the person had planned, up to the instant `until` or to their end."""
    vacations = [one for one in (await facts.personal.hours_of(person)).vacations if not one.automatic]
    days = ((start, start + DAY) for one in vacations for start in range(one.start, one.actual_end, DAY))
    return tuple((start, min(end, until or end)) for start, end in days if start < (until or end))


def logged_events(rows: tuple[StoredAction, ...], holders: TablePersons) -> Iterator[tuple[StoredAction, AnyEvent]]:
    for row in rows:
        for event in read_payload(row.payload, holders):
            if not isinstance(event, StageReached):
                yield row, event
