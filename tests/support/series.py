"""A series on a real database, with people who play its nights, a manual clock, and outages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.clocks.clock import HOUR
from bot.clocks.time_rules import DAY
from bot.series.hosting import default_plan
from bot.series.refusals import SeriesCode, SeriesRefusal
from bot.series.series import Night, Placed, Series, SeriesPlan
from bot.series.service import SeriesService
from bot.tables.state.shuffle import Dealer
from bot.tables.state.snapshots import Caller
from bot.tournaments.event.entries import EntryStage, Person
from bot.tournaments.event.plan import Plan
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.format_traits import FormatKind
from tests.support.clock import ManualClock
from tests.support.tables import CHANNEL
from tests.support.tournaments import Evening, open_evening, usual_plan

HOST = 9_100
ZONE = "Europe/Berlin"

Comes = Callable[[Night], Sequence[int]]
"""The persons who enter a night and take part."""


def parse_instant(text: str) -> int:
    """Return UTC milliseconds of a time in UTC such as "2026-10-02 18:00"."""
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()) * 1000


def quick_tournament_plan(**chosen: Any) -> Plan:
    """Return the plan of a tournament that is quickly played: pairs drawn by lot, two rounds."""
    usual: dict[str, Any] = {"drawn": True, "rounds": 2, "late_entry": False}
    return usual_plan(**{**usual, **chosen})


@dataclass(slots=True)
class SeriesWorld:
    """The service of series, with the tournaments and the people of a `tests.support.tournaments.Evening`."""

    evening: Evening
    service: SeriesService

    @property
    def clock(self) -> ManualClock:
        return self.evening.clock

    def caller(self, person: int = HOST) -> Caller:
        return self.evening.caller(person)

    def plan(self, start: str = "", **chosen: Any) -> SeriesPlan:
        """Return a plan whose first night is at a time in UTC, by default in a week.

        `chosen` replaces fields of it.
        """
        starts_at = parse_instant(start) if start else (self.clock.now() + 7 * DAY) // HOUR * HOUR
        kept = chosen.pop("pattern", None) or quick_tournament_plan()
        found = default_plan(replace(kept, starts_at=starts_at), chosen.pop("zone", ZONE), self.clock.now())
        return replace(found, **chosen)

    async def begin_series(self, chosen: SeriesPlan | None = None, **given: Any) -> int:
        made = await self.service.create(self.caller(), channel=CHANNEL, plan=chosen or self.plan(**given))
        await self.ring_alarms()
        return made.id

    async def load_series(self, series: int) -> Series:
        return await self.service.get_series(series)

    async def tournament(self, night: Night) -> Tournament:
        return await self.evening.events.overview.get_tournament(night.tournament)

    # --- time

    async def ring_alarms(self) -> None:
        """Do everything that is due now."""
        await self.evening.ring_alarms()
        now = self.clock.now()
        for timer in await self.service.nights.due_timers(now, 100):
            await self.service.nights.fire_deadline(timer.table, timer.kind)
        await self.wait_until_idle()

    async def wait_until_idle(self) -> None:
        await self.evening.wait_until_idle()
        await self.service.nights.finish()
        await self.evening.wait_until_idle()

    async def advance_to(self, instant: int) -> None:
        """Advance the clock to that instant, ringing every alarm on the way."""
        await self.ring_alarms()
        while self.clock.now() < instant:
            due = await self.service.nights.next_due_at()
            step = min(instant, max(due or instant, self.clock.now() + 1))
            await self.evening.advance_to(step)
            await self.ring_alarms()

    async def pass_time(self, milliseconds: int) -> None:
        await self.advance_to(self.clock.now() + milliseconds)

    async def pass_outage(self, milliseconds: int) -> None:
        """Let time pass while the bot is offline; nothing is done, and the outage is known afterwards."""
        self.clock.advance(milliseconds)
        await self.ring_alarms()

    # --- nights

    async def enter(self, night: Night, people: Sequence[int]) -> None:
        for one in people:
            await self.evening.events.entering.enter(self.caller(one), night.tournament)

    async def play_night(self, night: Night, people: Sequence[int] | None = None) -> Tournament:
        """Let people enter a published night, check in, and play it to its close; return its tournament."""
        number = night.tournament
        if people is not None:
            await self.enter(night, people)
        snapshot = await self.tournament(night)
        await self.advance_to(snapshot.plan.starts_at - snapshot.plan.check_in_from)
        snapshot = await self.tournament(night)
        entered = [one.people[0] for one in snapshot.entrants if one.stage is EntryStage.ENTERED]
        await self.evening.check_in(number, entered)
        await self.advance_to(snapshot.plan.starts_at)
        snapshot = await self.tournament(night)
        if snapshot.stage is Stage.RUNNING:
            snapshot = await self.evening.play_all_rounds(number)
        await self.wait_until_idle()
        return snapshot

    async def wait_for_next_night(self, series: int) -> Night:
        """Let time pass until the next night is published, and return it."""
        known = len((await self.load_series(series)).nights)
        while True:
            current_series = await self.load_series(series)
            if len(current_series.nights) > known:
                return current_series.nights[-1]
            due = await self.service.nights.next_due_at()
            assert due is not None, "no night follows"
            await self.advance_to(max(due, self.clock.now() + 1))

    async def play_next_night(self, series: int, people: Sequence[int]) -> Tournament:
        """Wait for the next night, play it with these people, and return it."""
        current_series = await self.load_series(series)
        waiting = [one for one in current_series.nights if one.stage.value == "made"]
        return await self.play_night(waiting[-1] if waiting else await self.wait_for_next_night(series), people)


@asynccontextmanager
async def open_series(
    path: Path, *, clock: ManualClock | None = None, first_request: int = 5_000_000, dealer: Dealer | None = None
) -> AsyncIterator[SeriesWorld]:
    """Yield a world with series on that file, new or used before; `dealer` draws its seeds."""
    async with open_evening(path, clock=clock, first_request=first_request, dealer=dealer) as evening:
        service = SeriesService(evening.world.store, evening.clock, evening.events)
        await service.nights.resume_after_start()
        world = SeriesWorld(evening, service)
        await world.wait_until_idle()
        yield world
        await world.wait_until_idle()


async def refusal_of(request: Any) -> tuple[SeriesCode, dict[str, object]]:
    """Return the code and detail with which a request to a series is refused."""
    with pytest.raises(SeriesRefusal) as caught:
        await request
    return caught.value.code, dict(caught.value.detail)


def night_place(*people: int, first: int, last: int = 0, ranked: int, removed: bool = False) -> Placed:
    """Return these people's place in a night: from `first` to `last` (if shared) among `ranked` entries."""
    return Placed(
        people=tuple(Person(one) for one in people), first=first, last=last or first, ranked=ranked, removed=removed
    )


__all__ = ["FormatKind"]
