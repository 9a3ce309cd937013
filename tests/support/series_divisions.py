"""Seasons of divisions: entries that sign up, play, stop, withdraw and newly enter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bot.clocks.clock import MINUTE
from bot.clocks.time_rules import DAY
from bot.series.divisions import Team
from bot.series.series import DivisionPlan, Night, NightStage, Series
from bot.tournaments.event.entries import Person
from bot.tournaments.event.plan import SLOW
from bot.tournaments.event.tournament import Stage
from bot.tournaments.format_traits import FormatKind
from tests.support.series import SeriesWorld
from tests.support.tournaments import pairs, usual_plan


def team_of(*people: int) -> Team:
    return tuple(Person(one) for one in people)


def new_pairs(count: int, first: int = 1) -> list[Team]:
    """Return that many pairs, whose persons are numbered from `first`."""
    return [team_of(*one) for one in pairs(count, first)]


async def begin_divisions(world: SeriesWorld, **chosen: Any) -> int:
    """Begin a series of divisions of pairs, whose first season starts in a week; return its number."""
    slow = usual_plan("League", **{**SLOW, "kind": FormatKind.ROUND_ROBIN, **chosen})
    base = world.plan(pattern=slow)
    return await world.begin_series(replace(base, divisions=DivisionPlan()))


async def enter_pairs_for_next_season(world: SeriesWorld, series_number: int, teams: Sequence[Team]) -> None:
    """Enter these pairs in the sign-up of the next season; they need not have played before."""
    series = await world.load_series(series_number)
    night = series.sign_up_of(series.season)
    assert night is not None
    for one in teams:
        await world.evening.enter(night.tournament, one)


async def wait_for_divisions(world: SeriesWorld, series_number: int) -> tuple[Night, ...]:
    """Let time pass until the season starts, and return its divisions."""
    series = await world.load_series(series_number)
    night = series.sign_up_of(series.season)
    assert night is not None
    await world.advance_to(night.starts_at)
    return (await world.load_series(series_number)).divisions_of(series.season)


async def entries_by_division(world: SeriesWorld, divisions: Sequence[Night]) -> list[list[Team]]:
    """Return the pairs of each division in the order of their entries."""
    tournaments = [await world.tournament(one) for one in divisions]
    return [[team_of(*sorted(entrant.people)) for entrant in snapshot.entrants] for snapshot in tournaments]


async def play_season(world: SeriesWorld, series_number: int) -> Series:
    """Play all divisions of the season at the same time to their ends, and return the series."""
    season = (await world.load_series(series_number)).season
    for _ in range(2_000):
        await world.ring_alarms()  # on PostgreSQL, the next sign-up may not have been made yet
        series = await world.load_series(series_number)
        waiting = [one for one in series.divisions_of(season) if one.stage is NightStage.MADE]
        if not waiting:
            return series
        for one in waiting:
            if (await world.tournament(one)).stage is Stage.RUNNING:
                await world.evening.give_matches_channels(one.tournament)
                await world.evening.play_called_matches(one.tournament)
        await world.wait_until_idle()
        due = await world.evening.events.alarms.next_due_at()
        await world.advance_to(max(due or 0, world.clock.now() + MINUTE) if due else world.clock.now() + DAY)
    raise AssertionError("the season never ends")
