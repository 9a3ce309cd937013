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
from tests.support.habits import Habits, chargeable_time
from tests.support.table_logs import holders_of


@dataclass(frozen=True, slots=True)
class KnownFacts:
    """The known facts of the time that passed: how people lived, when the bot was away, the clock of all games."""

    store: Store
    personal: PersonalTimes
    people: Mapping[int, Habits]
    outages: tuple[tuple[int, int], ...]
    terms: ClockTerms


async def check_alarms(service: TableService, tables: Iterable[int], now: int) -> None:
    """Check that every waiting game has an alarm, and that no alarm is overdue."""
    for table in tables:
        record = (await service._context.repository.get(table)).record
        if record.status is Status.PLAYING:
            assert needed_alarm(record) in record.deadlines, (table, record.deadlines)
            assert min(record.deadlines.values()) > now - HOUR, (table, record.deadlines)
            assert record.last_deal or Deadline.LATEST_END in record.deadlines


def needed_alarm(record: TableState) -> Deadline:
    """Return the alarm without which a running game would stop."""
    if len(record.persons) < 2:
        return Deadline.IDLE
    if record.game is not None and record.game.phase is Phase.BETWEEN:
        return Deadline.NEXT_DEAL
    vote = record.absence.vote
    if vote is not None and record.clocks is not None and record.clocks.owes is None:
        return Deadline.VOTE
    return Deadline.CLOCK


async def check_charges(facts: KnownFacts, table: int, kinds: Counter[str]) -> int:
    """Compare each charge of a table with the sum computed here; return their number. `kinds` counts all events."""
    record: TableState | None = None
    runs: ClockRuns | None = None
    checked = 0
    for row, event in logged_events(await facts.store.tables.actions(table), await holders_of(facts.store, table)):
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
                # A table without vacation does not know of vacation taken elsewhere, nor of any after its last end.
                ends_at = record.absence.ends_at if record.last_deal else None
                vacations = await vacations_of(facts, person, until=ends_at) if record.settings.vacation else ()
                charged = chargeable_time(
                    facts.people[person], (*facts.outages, *vacations), since=runs.since, until=row.at
                )
                assert event.clock in possible_clocks(before, charged, facts.terms), (
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
        record = evolve(record, event)
    return checked


def possible_clocks(before: SeatClock, charged: int, terms: ClockTerms) -> tuple[SeatClock, ...]:
    """Return the possible states of a clock after that much time: in a turn, in an answer, between, and at its end."""
    after = before.charged(charged)
    over = SeatClock(0, 0, 0, extended=before.extended, vacation_days=before.vacation_days, lapses=before.lapses + 1)
    away = SeatClock(
        before.bank, before.allowance, before.extension, before.extended, before.vacation_days + 1, before.lapses
    )
    lapsed = (over,) if charged >= before.left else ()
    last = replace(after, allowance=0, extension=0)
    return after, law.turn_ended(after, terms), law.answered(after), last, away, *lapsed


async def vacations_of(facts: KnownFacts, person: int, *, until: int | None) -> Spans:
    spans = ((one.start, one.until) for one in (await facts.personal.of(person)).vacations)
    return tuple((start, min(end, until or end)) for start, end in spans if start < (until or end))


def logged_events(rows: tuple[StoredAction, ...], holders: TablePersons) -> Iterator[tuple[StoredAction, AnyEvent]]:
    for row in rows:
        for event in read_payload(row.payload, holders):
            if not isinstance(event, StageReached):
                yield row, event
