"""A month of slow games with a bot that dies, loses nine hours and has its clock put forward: all is charged rightly.

What every clock was charged is held against a sum of its own, over what is true of the month: when each person slept,
when the bot was away, who was on vacation.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from bot.clocks import law
from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.law import DAY, ClockTerms, SeatClock
from bot.clocks.spans import Spans, union
from bot.store.protocol import StoredAction
from bot.tables.codec import read_payload
from bot.tables.events import AnyEvent, ClockRuns, ClockSet, StageReached
from bot.tables.evolve import evolve
from bot.tables.holders import Holders
from bot.tables.looks import Status
from bot.tables.record import Record
from bot.tables.timing.settings import Absent, TableSettings
from tests.support.logs import holders_of
from tests.support.month import Month, people, ran
from tests.support.tables import World

GAMES, PEOPLE, RESTARTS = 40, 48, 30
CLOCK = ClockTerms("custom", 24 * HOUR, 6 * HOUR, 24 * HOUR)
SETTINGS = TableSettings(clock=CLOCK, absent=Absent.COMPUTER, deals=1)


@pytest.mark.timeout(900)
async def test_a_month_of_forty_games(tmp_path: Path) -> None:
    """Acceptance 1 of `docs/long-games.md`; that nobody is called twice is in `tests/cogs/test_acceptance.py`."""
    chance = Random(11)
    month = Month(tmp_path / "month.db", chance, people(chance, PEOPLE), SETTINGS)
    await month.begin(GAMES)
    for number in range(RESTARTS):
        await month.live(chance.randrange(6 * HOUR, 42 * HOUR))
        if number == RESTARTS // 2:
            await month.jump(3 * DAY)
        month.dies(9 * HOUR if number == RESTARTS // 3 else chance.randrange(1, 20) * MINUTE)
    async with month.bot() as (world, _):
        known = union((one.start_at, one.end_at) for one in await world.store.outages())
        assert union(month.outages) == known
        checked = 0
        for table in month.tables:
            look = await world.service.look(table)
            owes = look.clocks.until if look.clocks is not None and look.clocks.owes is not None else None
            assert look.status is Status.FINISHED or (owes or world.clock.now()) > world.clock.now() - DAY, (
                "none is stuck"
            )
            checked += await charges_are_right(month, world, table)
        assert checked > 1_000
        finished = [(await world.service.look(table)).status is Status.FINISHED for table in month.tables]
        assert sum(finished) > GAMES // 2


async def charges_are_right(month: Month, world: World, table: int) -> int:
    """Compare each charge of a table with the sum of its own; how many there were."""
    record: Record | None = None
    runs: ClockRuns | None = None
    checked = 0
    for row, event in happened(await world.store.actions(table), await holders_of(world.store, table)):
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
                vacations = await vacations_of(world, person)
                charged = ran(month.people[person], (*month.outages, *vacations), since=runs.since, until=row.at)
                assert event.clock in possible(before, charged), (table, row.version)
                checked += 1
        record = evolve(record, event)
    return checked


def possible(before: SeatClock, charged: int) -> tuple[SeatClock, ...]:
    """What a clock may be after so much time: at the end of a turn, of an answer, in between, and when it is over."""
    after = before.charged(charged)
    over = SeatClock(0, 0, 0, extended=before.extended, vacation_days=before.vacation_days, lapses=before.lapses + 1)
    away = SeatClock(
        before.bank, before.allowance, before.extension, before.extended, before.vacation_days + 1, before.lapses
    )
    lapsed = (over,) if charged >= before.left else ()
    return after, law.turn_ended(after, CLOCK), law.answered(after), away, *lapsed


async def vacations_of(world: World, person: int) -> Spans:
    return tuple((one.start, one.until) for one in (await world.personal.of(person)).vacations)


def happened(rows: tuple[StoredAction, ...], holders: Holders) -> Iterator[tuple[StoredAction, AnyEvent]]:
    for row in rows:
        for event in read_payload(row.payload, holders):
            if not isinstance(event, StageReached):
                yield row, event
