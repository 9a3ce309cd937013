"""A month of slow games loses nothing, though the bot crashes and its clock is set forward.

Each clock's charge is compared with a sum computed from the facts of the month: when each person slept, when the bot
was away (once for nine hours), who was on vacation. After every visit of the bot, no game stands still.
"""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bot.clocks.clock import HOUR, MINUTE, merge_spans
from bot.clocks.time_rules import DAY, PRESETS, ClockTerms
from bot.tables.state.clocks import AbsencePolicy, TableSettings
from bot.tables.state.snapshots import ClosingReason, Status
from tests.support.slow_month import SlowMonth
from tests.support.slow_month_checks import MonthFacts, check_alarms, check_clock_charges, longest_wait
from tests.support.slow_player_habits import random_people
from tests.support.vanishing_players import LONGEST_WAIT

RESTARTS = 30
CLOCK = ClockTerms("custom", 24 * HOUR, 6 * HOUR, 24 * HOUR)
SHORT = TableSettings(clock=CLOCK, deals=1, idle=7)
SETTINGS = (
    replace(SHORT, absent=AbsencePolicy.COMPUTER),
    replace(SHORT, absent=AbsencePolicy.VOTE),
    replace(SHORT, absent=AbsencePolicy.SUBSTITUTE, vacation=2),
    TableSettings(clock=CLOCK, absent=AbsencePolicy.VOTE, latest_end=14),
    replace(SHORT, absent=AbsencePolicy.FORFEIT, extension=False, vacation=0, deals=4),
    replace(SHORT, absent=AbsencePolicy.VOTE, extension=False, vacation=0),
    TableSettings(clock=CLOCK, absent=AbsencePolicy.COMPUTER, latest_end=14, deals=4),
    TableSettings(clock=PRESETS["daily"], deals=1),
)
HAPPEN = {
    "ClaimAnswered", "ClaimEnded", "GameConcluded", "EndTimeSet", "LastDealReached", "SeatClaimed", "SeatKept",
    "SubstituteSearchOpened", "VoteDecided", "VoteOpened", "Voted",
}  # fmt: skip
"""Events that must occur in every month."""

IDLE = {"IdleWarningSent", "TableClosed"}
"""Events of games in which nobody acts for a week; with these seeds they occur, since few people share the games."""


@pytest.mark.timeout(900)
async def test_eight_games_run_for_a_month_without_faults(tmp_path: Path) -> None:
    """Each of the eight games has other settings."""
    await check_month(tmp_path, games=len(SETTINGS), persons=12, seed=11, expected=HAPPEN | IDLE)


@pytest.mark.nightly
@pytest.mark.timeout(3600)
async def test_forty_games_run_for_a_month_without_faults(tmp_path: Path) -> None:
    """Acceptance 1 of `docs/long-games.md`.

    `tests/cogs/test_acceptance_scenarios.py` checks that nobody is mentioned twice.
    """
    await check_month(tmp_path, games=40, persons=48, seed=12, expected=HAPPEN)


async def check_month(folder: Path, *, games: int, persons: int, seed: int, expected: set[str]) -> None:
    random = Random(seed)
    month = SlowMonth(folder / "month.db", random, random_people(random, persons), SETTINGS)
    await month.start_games(games)
    for number in range(RESTARTS):
        await month.let_time_pass(random.randrange(6 * HOUR, 42 * HOUR))
        async with month.open_world() as world:
            await check_alarms(world.service, month.tables, month.clock.now())
        if number == RESTARTS // 2:
            await month.set_clock_forward(3 * DAY)
        month.stop_bot_for(9 * HOUR if number == RESTARTS // 3 else random.randrange(1, 20) * MINUTE)
    async with month.open_bot() as (world, _):
        known = merge_spans((one.start_at, one.end_at) for one in await world.store.times.outages())
        assert merge_spans(month.outages) == known
        told = MonthFacts(world.store, world.personal, month.people, tuple(month.outages))
        kinds = Counter[str]()
        assert sum([await check_clock_charges(told, table, kinds) for table in month.tables]) > 12 * games
        assert set() == expected - kinds.keys()
        longest = max([await longest_wait(told, table, month.sights) for table in month.tables])
        logging.getLogger(__name__).warning("the longest wait for somebody absent: %.1f h", longest / HOUR)
        assert 0 < longest <= LONGEST_WAIT * HOUR
        snapshots = [await world.service.reading.snapshot(table) for table in month.tables]
        clocks = [clock for snapshot in snapshots if snapshot.clocks is not None for clock in snapshot.clocks.seats]
        assert any(one.extended for one in clocks)
        assert any(one.vacation_days for one in clocks)
        ends = {snapshot.conclusion.how for snapshot in snapshots if snapshot.conclusion is not None}
        assert {"forfeited", "latest_end", "played"} <= ends
        assert sum(snapshot.status is Status.FINISHED for snapshot in snapshots) > games // 2
        closed = {snapshot.closed_because for snapshot in snapshots if snapshot.status is Status.CLOSED}
        assert closed == ({ClosingReason.IDLE} if expected >= IDLE else set())
