"""Days of slow games in the simulated Discord: no mention is repeated, and none comes at night.

Ten days and a few tables in every run; a month of forty games wholly through Discord in `make nightly`.
"""

from __future__ import annotations

import logging
import os
from collections import Counter
from pathlib import Path

import pytest

from bot.clocks.clock import HOUR, merge_spans
from bot.tables.state.snapshots import Status
from tests.support.discord_month import DiscordMonth, MonthScenario, play_month
from tests.support.slow_month_checks import MonthFacts, check_alarms, check_clock_charges, longest_wait
from tests.support.vanishing_players import LONGEST_WAIT

GAMES = int(os.environ.get("NIGHTLY_GAMES", "40"))


async def test_ten_days_of_a_few_games_run_without_faults(tmp_path: Path) -> None:
    async with play_month(tmp_path, MonthScenario(games=6, deals=1, days=10, restarts=2, wholly=False)) as month:
        await check_month(month)
        assert set(month.rooms) == month.spoken


@pytest.mark.nightly
@pytest.mark.timeout(4 * 60 * 60)
async def test_a_month_of_games_runs_wholly_through_discord(tmp_path: Path) -> None:
    async with play_month(tmp_path, MonthScenario(games=GAMES, deals=2, days=30, restarts=30, wholly=True)) as month:
        await check_month(month)
        over = [(await month.discord.snapshot(table)).status for table in month.rooms]
        assert over.count(Status.PLAYING) < GAMES / 2


async def check_month(month: DiscordMonth) -> None:
    """Fail if a mention was repeated or came at night, a charge was wrong, or a game was stuck."""
    assert {} == {ping: count for ping, count in month.pings.items() if count > 1}
    assert [] == month.woken
    stages = Counter(ping.stage for ping in month.pings)
    assert {"turn", "half", "last"} <= stages.keys()
    assert month.closed in {ping.person for ping in month.pings}
    tables = month.discord.application.tables
    store, personal = tables._context.repository.store, month.discord.application.client.context.personal_times
    await check_alarms(tables, month.rooms, month.clock.now())
    assert merge_spans(month.outages) == merge_spans((one.start_at, one.end_at) for one in await store.times.outages())
    people = {number: one.habits for number, one in month.somebody.items()}
    told = MonthFacts(store, personal, people, tuple(month.outages))
    longest = max([await longest_wait(told, table, month.sights) for table in month.rooms])
    logging.getLogger(__name__).warning("the longest wait for somebody absent: %.1f h", longest / HOUR)
    assert longest <= LONGEST_WAIT * HOUR
    assert 8 * len(month.rooms) < sum([await check_clock_charges(told, table, Counter()) for table in month.rooms])
