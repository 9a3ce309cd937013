"""The acceptance scenarios of `docs/long-games.md` that need Discord, by their numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.quiet_hours import Window
from bot.clocks.time_rules import DAY, PRESETS, Stage
from bot.tables.state.clocks import TableSettings
from tests.cogs.test_presenter import Requests
from tests.support.clock import LaterClock, ManualClock
from tests.support.discord import discord_world, text_of
from tests.support.slow_discord_games import Slow, mentions


@pytest.fixture(params=[ManualClock])
async def slow(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Slow]:
    clock = request.param()
    async with discord_world(tmp_path, clock=clock, silence=1000 * DAY) as world:
        yield Slow(world, clock)


async def advance_until(slow: Slow, instant: int) -> None:
    """Advance to the given time; every alarm fires when it is due, with its notices."""
    store = slow.discord.application.tables._context.repository.store
    while (due := await store.times.next_due()) is not None and due <= instant:
        await slow.passes(max(0, due - slow.clock.now()))
    await slow.passes(max(0, instant - slow.clock.now()))


async def test_acceptance_1_no_player_is_mentioned_twice_for_the_same_reason(slow: Slow) -> None:
    """A week of a slow game with random turns, nights and restarts (charges: `test_month_of_slow_games`)."""
    chance, made = Random(11), Counter[tuple[int, str, str]]()
    personal = slow.discord.application.client.context.personal
    for index in range(2):
        await personal.set_quiet(slow.discord.person(index).id, Window("UTC", 22 * 60, 8), slow.clock.now())
    requests = Requests(slow.discord)
    await slow.deal()
    for turn in range(8):
        looked = slow.clock.now() + chance.randrange(1, 30) * HOUR
        while True:
            made.update((turn, person, _sort(said)) for person, said in mentions(requests))
            if slow.clock.now() >= looked:
                break
            if chance.random() < 0.3:
                await slow.discord.restart()
            await advance_until(slow, min(looked, slow.clock.now() + chance.randrange(1, 16) * HOUR))
        if (await slow.discord.look()).vote is not None:
            break
        await slow.turn()
    assert {"turn", "half", "last"} <= {sort for _, _, sort in made}
    assert not [one for one, count in made.items() if count > 1]


def _sort(said: str) -> str:
    sorts = {"half your time": "half", "last reminder": "last", "your turn": "turn", "extra day": "extension"}
    return next((sort for words, sort in sorts.items() if words in said), said)


@pytest.mark.parametrize("slow", [LaterClock], indirect=True)
async def test_acceptance_3_time_runs_out_in_the_evening_and_the_player_returns(slow: Slow) -> None:
    """72 hours are used up at 22:00, as the person goes to sleep: no notice and no decision before 8:00."""
    slow.clock.advance((20 * HOUR - slow.clock.now()) % DAY)
    evening = slow.clock.now()
    personal = slow.discord.application.client.context.personal
    for index in range(2):
        await personal.set_quiet(slow.discord.person(index).id, Window("UTC", 22 * 60, 10), evening)
    await slow.deal(settings=TableSettings(clock=PRESETS["daily"], vacation=0))
    ben = await slow.actor()
    other = next(one for one in slow.persons if one.id != ben.id)
    zero = evening + 5 * DAY + 2 * HOUR
    await advance_until(slow, zero + 9 * HOUR + 59 * MINUTE)
    await ben.types("hand")
    await slow.rest()
    requests = Requests(slow.discord)
    assert Stage.LAST is await slow.stage()
    await advance_until(slow, zero + 10 * HOUR + MINUTE)
    assert Stage.EXTENDED is await slow.stage()
    told = dict(mentions(requests))
    assert {str(ben.id), str(other.id)} == told.keys()
    assert "Your extra day runs until" in told[str(ben.id)]
    assert "then you decide." in told[str(other.id)]

    await advance_until(slow, zero + 10 * HOUR + 34 * HOUR + MINUTE)
    board = await slow.discord.board()
    assert "'s time is up. What now? 0 of 1 have voted." in text_of(board)
    await other.clicks(board, "vote_computer")
    for _ in range(40):
        look = await slow.discord.look()
        if look.actor is not None and look.actor.person == other.id:
            break
        await slow.rest()
    board = await slow.discord.board()
    assert "A computer plays for " in text_of(board)
    panel = text_of(await ben.clicks(board, "back"))
    assert "Welcome back. Played for you: " in panel
    assert "You have 18 h." in panel
    clocks = (await slow.discord.look()).clocks
    assert clocks is not None
    assert 18 * HOUR in {clock.bank for clock in clocks.seats}
