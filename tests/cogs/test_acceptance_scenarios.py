"""The acceptance scenarios of `docs/long-games.md` that need Discord, named by their numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.quiet_hours import QuietWindow
from bot.clocks.time_rules import DAY, PRESETS, Stage
from bot.tables.state.clocks import TableSettings
from tests.cogs.test_table_messages import RecordedRequests
from tests.support.clock import ManualClock, ShiftedClock
from tests.support.discord import discord_world, text_of
from tests.support.slow_discord_games import SlowGames, mentions


@pytest.fixture(params=[ManualClock])
async def games(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[SlowGames]:
    clock = request.param()
    async with discord_world(tmp_path, clock=clock, silence=1000 * DAY) as world:
        yield SlowGames(world, clock)


async def advance_until(games: SlowGames, instant: int) -> None:
    """Advance the time to an instant, and let every alarm ring and its notices be sent when due."""
    store = games.discord.application.tables._context.repository.store
    while (due := await store.times.next_due_at()) is not None and due <= instant:
        await games.pass_time(max(0, due - games.clock.now()))
    await games.pass_time(max(0, instant - games.clock.now()))


async def test_acceptance_1_no_player_is_mentioned_twice_for_the_same_reason(games: SlowGames) -> None:
    """Play a week of a slow game with random turns, nights and restarts.

    `test_month_of_slow_games` checks the clocks.
    """
    random, made = Random(11), Counter[tuple[int, str, str]]()
    personal = games.discord.application.client.context.personal_times
    for index in range(2):
        await personal.set_quiet_hours(
            games.discord.person(index).id, QuietWindow("UTC", 22 * 60, 8), games.clock.now()
        )
    requests = RecordedRequests(games.discord)
    await games.start_game()
    for turn in range(8):
        looked = games.clock.now() + random.randrange(1, 30) * HOUR
        while True:
            made.update((turn, person, _kind_of_notice(text)) for person, text in mentions(requests))
            if games.clock.now() >= looked:
                break
            if random.random() < 0.3:
                await games.discord.restart()
            await advance_until(games, min(looked, games.clock.now() + random.randrange(1, 16) * HOUR))
        if (await games.discord.snapshot()).vote is not None:
            break
        await games.play_turn()
    assert {"turn", "half", "last"} <= {sort for _, _, sort in made}
    assert not [one for one, count in made.items() if count > 1]


def _kind_of_notice(text: str) -> str:
    sorts = {"half your time": "half", "last reminder": "last", "your turn": "turn", "extra day": "extension"}
    return next((sort for words, sort in sorts.items() if words in text), text)


@pytest.mark.parametrize("games", [ShiftedClock], indirect=True)
async def test_acceptance_3_time_runs_out_in_the_evening_and_the_player_returns(games: SlowGames) -> None:
    """All time is used up at 22:00, as the person goes to sleep.

    No notice is sent and nothing is decided before 8:00.
    """
    games.clock.advance((20 * HOUR - games.clock.now()) % DAY)
    evening = games.clock.now()
    personal = games.discord.application.client.context.personal_times
    for index in range(2):
        await personal.set_quiet_hours(games.discord.person(index).id, QuietWindow("UTC", 22 * 60, 10), evening)
    await games.start_game(settings=TableSettings(clock=PRESETS["daily"], vacation=0))
    ben = await games.person_in_turn()
    other = next(one for one in games.persons if one.id != ben.id)
    zero = evening + 5 * DAY + 2 * HOUR
    await advance_until(games, zero + 9 * HOUR + 59 * MINUTE)
    await ben.run("hand")
    await games.wait_until_idle()
    requests = RecordedRequests(games.discord)
    assert Stage.LAST is await games.clock_stage()
    await advance_until(games, zero + 10 * HOUR + MINUTE)
    assert Stage.EXTENDED is await games.clock_stage()
    told = dict(mentions(requests))
    assert {str(ben.id), str(other.id)} == told.keys()
    assert "Your extra day runs until" in told[str(ben.id)]
    assert "then you decide." in told[str(other.id)]

    await advance_until(games, zero + 10 * HOUR + 34 * HOUR + MINUTE)
    board = await games.discord.board()
    assert "'s time is up. What now? 0 of 1 have voted." in text_of(board)
    await other.click(board, "vote_computer")
    for _ in range(40):
        snapshot = await games.discord.snapshot()
        if snapshot.actor is not None and snapshot.actor.person == other.id:
            break
        await games.wait_until_idle()
    board = await games.discord.board()
    assert "A computer plays for " in text_of(board)
    panel = text_of(await ben.click(board, "back"))
    assert "Welcome back. Played for you: " in panel
    assert "You have 18 h." in panel
    clocks = (await games.discord.snapshot()).clocks
    assert clocks is not None
    assert 18 * HOUR in {clock.bank for clock in clocks.seats}
