"""Wherever the process dies, each night is made once, published, and counted."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.series.series import NightStage, Series
from bot.series.standings import standings
from bot.tournaments.event.tournament import Stage
from tests.support import seeds
from tests.support.clock import ManualClock
from tests.support.series import SeriesWorld, at, open_series

PEOPLE = tuple(range(1, 9))
FIRST = "2026-10-02 18:00"
POINTS = 12 * seeds.TIMES
"""How many of all points the process dies at."""


class Copies:
    """Copies of the file after every change of a series or of its tournaments, as a process killed there leaves it."""

    def __init__(self, world: SeriesWorld, path: Path) -> None:
        self.world, self.path = world, path
        self.made: list[tuple[Path, int, str]] = []
        world.service.subscribe(lambda changed: self.copy(f"series {changed.kind}"))
        world.evening.events.subscribe(lambda changed: self.copy(changed.kind))

    def copy(self, kind: str) -> None:
        target = self.path.with_name(f"{len(self.made)}.db")
        with closing(sqlite3.connect(self.path)) as source, closing(sqlite3.connect(target)) as copied:
            source.backup(copied)
        self.made.append((target, self.world.clock.now(), kind))


async def play_season(world: SeriesWorld, number: int) -> None:
    """Play two nights and ask for the final, which all of those asked play."""
    for _ in range(2):
        await world.play_next(number, PEOPLE)
    while (asking := (await world.look(number)).asking) is None:
        due = await world.service.nights.next_due()
        assert due is not None
        await world.until(due)
    for one in asking.asked:
        await world.service.answer(world.caller(one.person), number, yes=True)
    await world.until(asking.starts_at - 1)


def keys(series: Series) -> list[tuple[int, int, str]]:
    return [(one.season, one.number, one.date) for one in series.nights]


async def check_whole(world: SeriesWorld, series: Series) -> None:
    """Check that every night has its own tournament, that none is a draft, and that what is closed counts."""
    stored = await world.evening.world.store.tournaments.with_stage([one.value for one in Stage])
    assert sorted(stored) == sorted(one.tournament for one in series.nights)
    for night in series.nights:
        look = await world.tournament(night)
        assert Stage.DRAFT is not look.stage
        assert (look.stage is Stage.CLOSED) is (night.stage is NightStage.CLOSED)
    rows = [one for one in await world.evening.world.store.series.nights() if not one.dropped]
    assert [one[:2] for one in keys(series)] == [(one.season, one.number) for one in rows]


async def test_each_night_is_made_once_wherever_the_process_dies(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    async with open_series(path, clock=ManualClock(at("2026-09-20 12:00"))) as world:
        number = await world.begun(start=FIRST, nights=2, best=2, final=4)
        copies = Copies(world, path)
        await play_season(world, number)
        whole = await world.look(number)
        await check_whole(world, whole)
    of_series = [one for one in copies.made if one[2].startswith("series") or one[2] in ("publish", "clock")]
    step = max(1, len(of_series) // POINTS)
    assert {"series night", "series result", "series answer", "publish"} <= {one[2] for one in of_series}
    for file, instant, kind in of_series[::step]:
        async with open_series(file, clock=ManualClock(instant), first_request=9_000_000) as world:
            await world.ring()
            found = await world.look(number)
            await check_whole(world, found)
            assert keys(found) == keys(whole)[: len(found.nights)], kind
            for season in (1, 2):
                assert len(standings(found, season)) in (0, len(PEOPLE))
