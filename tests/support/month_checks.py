"""Checks after weeks of slow games: no game is stuck, and every charge was right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from bot.clocks import law
from bot.clocks.clock import HOUR, Spans
from bot.clocks.law import ClockTerms, SeatClock
from bot.clocks.personal import PersonalTimes
from bot.engine.moves.phases import Phase
from bot.store.store import Store
from bot.store.tables import StoredAction
from bot.tables.core.forms import read_payload
from bot.tables.service import TableService
from bot.tables.state.events import AnyEvent, ClockRuns, ClockSet, Deadline, StageReached
from bot.tables.state.fold import evolve
from bot.tables.state.snapshots import Status
from bot.tables.state.table import TablePersons, TableState
from tests.support.habits import Habits, ran
from tests.support.logs import holders_of


@dataclass(frozen=True, slots=True)
class Told:
    """What is known of the time that went by: how people lived, when the bot was away, by which clock all played."""

    store: Store
    personal: PersonalTimes
    people: Mapping[int, Habits]
    outages: tuple[tuple[int, int], ...]
    terms: ClockTerms


async def nothing_stands_still(service: TableService, tables: Iterable[int], now: int) -> None:
    """Whatever a game waits for has an alarm, and none of the alarms should have rung."""
    for table in tables:
        record = (await service._context.repository.get(table)).record
        if record.status is Status.PLAYING:
            assert waits_for(record) in record.deadlines, (table, record.deadlines)
            assert min(record.deadlines.values()) > now - HOUR, (table, record.deadlines)
            assert record.last_deal or Deadline.LATEST_END in record.deadlines


def waits_for(record: TableState) -> Deadline:
    """The alarm that a running game cannot do without."""
    if len(record.persons) < 2:
        return Deadline.IDLE
    if record.game is not None and record.game.phase is Phase.BETWEEN:
        return Deadline.NEXT_DEAL
    vote = record.absence.vote
    if vote is not None and record.clocks is not None and record.clocks.owes is None:
        return Deadline.VOTE
    return Deadline.CLOCK


async def charges_are_right(told: Told, table: int, kinds: Counter[str]) -> int:
    """Compare each charge of a table with the sum of its own; how many there were. `kinds` counts all that happened."""
    record: TableState | None = None
    runs: ClockRuns | None = None
    checked = 0
    for row, event in happened(await told.store.tables.actions(table), await holders_of(told.store, table)):
        kinds[type(event).__name__] += 1
        if isinstance(event, ClockRuns):
            runs = event
        elif isinstance(event, ClockSet) and record is not None and record.clocks is not None and runs is not None:
            before, seat = record.clocks.seats[event.seat], event.seat
            person = record.seats[seat].person
            if (
                seat == runs.seat == record.clocks.owes
                and person is not None
                and event.clock.extension <= before.extension
            ):
                # A table without vacation knows of none that its people have elsewhere, nor any after its latest end.
                ends_at = record.absence.ends_at if record.last_deal else None
                vacations = await vacations_of(told, person, until=ends_at) if record.settings.vacation else ()
                charged = ran(told.people[person], (*told.outages, *vacations), since=runs.since, until=row.at)
                assert event.clock in possible(before, charged, told.terms), (
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
                    told.outages,
                    record.absence.ends_at,
                )
                checked += 1
        record = evolve(record, event)
    return checked


def possible(before: SeatClock, charged: int, terms: ClockTerms) -> tuple[SeatClock, ...]:
    """What a clock may be after so much time: at the end of a turn, of an answer, in between, and when it is over."""
    after = before.charged(charged)
    over = SeatClock(0, 0, 0, extended=before.extended, vacation_days=before.vacation_days, lapses=before.lapses + 1)
    away = SeatClock(
        before.bank, before.allowance, before.extension, before.extended, before.vacation_days + 1, before.lapses
    )
    lapsed = (over,) if charged >= before.left else ()
    last = replace(after, allowance=0, extension=0)
    return after, law.turn_ended(after, terms), law.answered(after), last, away, *lapsed


async def vacations_of(told: Told, person: int, *, until: int | None) -> Spans:
    spans = ((one.start, one.until) for one in (await told.personal.of(person)).vacations)
    return tuple((start, min(end, until or end)) for start, end in spans if start < (until or end))


def happened(rows: tuple[StoredAction, ...], holders: TablePersons) -> Iterator[tuple[StoredAction, AnyEvent]]:
    for row in rows:
        for event in read_payload(row.payload, holders):
            if not isinstance(event, StageReached):
                yield row, event
