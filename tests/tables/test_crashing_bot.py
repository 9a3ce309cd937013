"""A bot that crashes before or after any write ends with the same table as one that never crashes.

The evening has a roll call, a clock that runs out, a vote, a claim and a return. The bot is started again at once, and
interrupted requests are repeated. `tests/tables/test_hidden_cards.py` tests a lobby that lost its first commitment.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.quiet_hours_and_vacation import PersonalHours
from bot.clocks.time_rules import DAY, ClockTerms
from bot.computer.player import player_for
from bot.tables.state.absence import AbsenceChoice
from bot.tables.state.clocks import DEFAULT_LEVEL, TableSettings
from bot.tables.state.snapshots import Caller, TableSnapshot
from bot.tables.state.table import TableState
from tests.support.clock import START
from tests.support.crashing_bot import CrashingBot, CrashPlan, Step, run_steps
from tests.support.slow_month import let_computers_play
from tests.support.tables import CHANNEL, EAST, GUILD, NORTH, SOUTH, STRANGER, WEST, World

CLOCK = ClockTerms("custom", 24 * HOUR, 6 * HOUR, 24 * HOUR)
SETTINGS = TableSettings(clock=CLOCK, vacation=2)
TABLE = 1
PLAYER = player_for(DEFAULT_LEVEL, seed=1)


def caller(person: int, request: int) -> Caller:
    """Return the person as the caller of the request with this id; a repeated request has the same id."""
    return Caller(person, f"Person {person}", GUILD, request)


async def _open_lobby(bot: CrashingBot) -> None:
    await bot.world.service.lobby.create(caller(NORTH, 1), channel=CHANNEL, players=4, settings=SETTINGS)


async def _seat_three_people(bot: CrashingBot) -> None:
    for number, person in enumerate((EAST, SOUTH, WEST)):
        await bot.world.service.lobby.join(caller(person, 10 + number), TABLE)


async def _call_the_roll(bot: CrashingBot) -> None:
    await bot.advance_to(START + 25 * HOUR)
    await bot.world.service.lobby.start(caller(NORTH, 20), TABLE)


async def _have_others_confirm_presence(bot: CrashingBot) -> None:
    for number, person in enumerate((EAST, SOUTH, WEST)):
        await bot.world.service.lobby.confirm_presence(caller(person, 30 + number), TABLE)


async def _let_north_time_out(bot: CrashingBot) -> None:
    """Let North use the bot but never play: all time, the extra day and two vacation days run out."""
    await bot.advance_to(START + 40 * HOUR)
    await bot.world.record_activity(NORTH)
    await bot.advance_to(START + 26 * HOUR + 24 * HOUR + 20 * HOUR)
    await bot.world.record_activity(NORTH)
    await bot.advance_to(START + 26 * HOUR + 96 * HOUR)


async def _vote_about_north(bot: CrashingBot) -> None:
    snapshot = await bot.world.service.reading.snapshot(TABLE)
    assert snapshot.vote is not None or snapshot.seats[0].kept_for == NORTH
    for number, person in enumerate((EAST, SOUTH)):
        snapshot = await bot.world.service.reading.snapshot(TABLE)
        asked_at = 0 if snapshot.vote is None else snapshot.vote.at
        request = caller(person, 40 + number)
        await bot.world.service.absence.cast_vote(request, TABLE, AbsenceChoice.COMPUTER, asked_at=asked_at)


async def _let_computers_play(bot: CrashingBot) -> None:
    await let_computers_play(bot.world)


async def _return_as_north(bot: CrashingBot) -> None:
    await bot.world.service.lobby.join(caller(NORTH, 50), TABLE)


async def _replace_south(bot: CrashingBot) -> None:
    """Let South leave and a stranger take the seat, with the consent of all."""
    service = bot.world.service
    await service.lobby.leave(caller(SOUTH, 60), TABLE)
    await service.lobby.take_seat(caller(STRANGER, 61), TABLE, 2, joined_at=START - 100 * DAY)
    snapshot = await service.reading.snapshot(TABLE)
    claim = snapshot.absence.claim(2)
    asked_at = 0 if claim is None else claim.at
    for number, person in enumerate((NORTH, EAST, WEST)):
        request = caller(person, 62 + number)
        await service.absence.answer_claim(request, TABLE, 2, agrees=True, asked_at=asked_at)


async def _let_a_day_pass(bot: CrashingBot) -> None:
    await bot.advance_to(START + 26 * HOUR + 130 * HOUR + MINUTE)


STEPS: tuple[Step, ...] = (
    _open_lobby,
    _seat_three_people,
    _call_the_roll,
    _have_others_confirm_presence,
    _let_north_time_out,
    _vote_about_north,
    _let_computers_play,
    _return_as_north,
    _replace_south,
    _let_a_day_pass,
)


async def outcome_at_table(world: World) -> tuple[TableState, TableSnapshot, PersonalHours]:
    """Return the table's state, its snapshot, and North's vacation and quiet hours at the end."""
    table = await world.service._context.repository.get(TABLE)
    snapshot = replace(await world.service.reading.snapshot(TABLE), version=0)
    return table.record, snapshot, await world.personal.hours_of(NORTH)


async def check_crashes_change_nothing(folder: Path, *, every: int) -> int:
    undisturbed = CrashPlan()
    expected = await run_steps(folder / "undisturbed.db", STEPS, undisturbed, outcome_at_table, safe=2)
    assert expected[0].clocks is not None
    assert 2 == expected[0].clocks.seats[0].vacation_days
    crashes = [(number, after) for number in range(1, undisturbed.writes + 1) for after in (False, True)]
    for number, after in crashes[::every]:
        path = folder / f"{number}-{after}.db"
        crash_plan = CrashPlan(number, after)
        assert expected == await run_steps(path, STEPS, crash_plan, outcome_at_table, safe=2), (number, after)
        assert crash_plan.number is None, "the bot did crash"
        path.unlink()
    return len(crashes)


async def test_a_few_crashes_of_the_bot_change_nothing(tmp_path: Path) -> None:
    await check_crashes_change_nothing(tmp_path, every=7)


@pytest.mark.nightly
@pytest.mark.timeout(3600)
async def test_no_crash_of_the_bot_around_a_write_changes_anything(tmp_path: Path) -> None:
    assert 28 <= await check_crashes_change_nothing(tmp_path, every=1)
