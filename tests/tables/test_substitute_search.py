"""The search for substitutes: its deadline exists exactly as long as the search."""

from __future__ import annotations

from dataclasses import replace

from bot.clocks.time_rules import DAY
from bot.tables.absence.circumstances_of_change import ChangeCircumstances
from bot.tables.absence.consequences import absence_events
from bot.tables.state.events import Deadline, DeadlineSet
from bot.tables.state.proposals import SubstituteSearch
from bot.tables.state.table import TableState
from tests.support.tables import EAST, NORTH, World


def alarm_changes(before: TableState, after: TableState, now: int) -> list[DeadlineSet]:
    events = absence_events(before, after, ChangeCircumstances(now, None, ()))
    return [one for one in events if isinstance(one, DeadlineSet) and one.deadline is Deadline.SUBSTITUTE]


async def test_a_search_has_a_deadline_that_is_cancelled_when_the_search_ends(world: World) -> None:
    now = world.clock.now()
    still = (await world.service._context.repository.get((await world.start_game(NORTH, EAST)).id)).record
    sought = replace(still, sought=(SubstituteSearch(2, now),))
    rings = replace(sought, deadlines={**still.deadlines, Deadline.SUBSTITUTE: now + 2 * DAY})
    assert [] == alarm_changes(still, still, now)
    assert [DeadlineSet(Deadline.SUBSTITUTE, now + 2 * DAY)] == alarm_changes(still, sought, now)
    assert [] == alarm_changes(sought, rings, now), "the deadline stands already"
    assert [DeadlineSet(Deadline.SUBSTITUTE, None)] == alarm_changes(rings, replace(rings, sought=()), now)
