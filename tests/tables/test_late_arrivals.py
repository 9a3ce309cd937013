"""Late arrivals at a tournament table, and the seats that people have left."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.clocks.time_rules import Stage, initial_clock
from bot.tables.absence import returning_players
from bot.tables.state.absence import NOTHING, Absence
from bot.tables.state.contest import PlayerArrived
from bot.tables.state.events import ClockSet, StageReached
from bot.tables.state.folding.absence import absence_with_new_holder
from bot.tables.state.snapshots import SeatHolder
from bot.tables.state.table import TableState
from tests.support.tables import World
from tests.support.tournament_tables import open_contest

NOW = 1_000


async def table_without_arrivals(world: World, seat: int, stage: Stage) -> TableState:
    """Return a tournament table at which nobody has arrived and the clock of that seat is at this stage."""
    table = await world.service._context.repository.get((await open_contest(world, clock="live")).id)
    clocks = table.record.clocks
    assert clocks is not None
    return replace(table.record, clocks=replace(clocks, told=seat, stage=stage))


@pytest.mark.parametrize("stage", [stage for stage in Stage if stage is not Stage.LAPSED])
async def test_a_player_who_arrives_in_time_keeps_the_running_clock(world: World, stage: Stage) -> None:
    record = await table_without_arrivals(world, 1, stage)
    assert (PlayerArrived(1),) == returning_players.arrival_events(record, 1, now=NOW)


async def test_a_player_who_arrives_too_late_gets_the_initial_clock(world: World) -> None:
    record = await table_without_arrivals(world, 1, Stage.LAPSED)
    assert record.settings.clock is not None
    fresh = ClockSet(1, initial_clock(record.settings.clock)), StageReached(1, Stage.RUNNING, NOW)
    assert (PlayerArrived(1), *fresh) == returning_players.arrival_events(record, 1, now=NOW)
    assert (PlayerArrived(2),) == returning_players.arrival_events(record, 2, now=NOW), (
        "the time that is over is another's"
    )


PERSON = SeatHolder("person", 1, "North")
OTHER = SeatHolder("person", 2, "East")
KEEPER = SeatHolder("computer", number=1, kept_for=1, kept_name="North")
COMPUTER = SeatHolder("computer", number=1)


@pytest.mark.parametrize(
    ("before", "after", "left"),
    [
        (PERSON, KEEPER, (3,)),  # the person left, and a computer player keeps the seat
        (KEEPER, replace(KEEPER, number=2), ()),  # one computer player replaces another, so no player has left
        (PERSON, OTHER, ()),  # the seat belongs to another person
        (PERSON, COMPUTER, ()),  # the seat is given up for good
        (COMPUTER, PERSON, ()),
    ],
)
def test_a_seat_counts_as_left_by_the_person_for_whom_it_is_kept(
    before: SeatHolder, after: SeatHolder, left: tuple[int, ...]
) -> None:
    for known in (NOTHING, Absence(left=(3,))):
        assert left == absence_with_new_holder(known, before, after, seat=3, turn=(1, 5)).left
