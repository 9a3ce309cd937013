"""Whole tournaments in the simulated Discord with every move: up to an hour in `make nightly`.

`NIGHTLY_SEED` decides who comes late, leaves or does not come; without it every night uses another seed, which a
failing test reports.
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random
from secrets import randbelow

import pytest

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY
from bot.tournaments.event.plan import SLOW, Duplicate
from bot.tournaments.event.tournament import BoardStage, Stage
from bot.tournaments.format_traits import FormatKind
from tests.support.cup_evening import CupEvening
from tests.support.discord_tournaments import CupServer, cup_world
from tests.support.tournament_figures import find_differences
from tests.support.tournaments import rules_with_endless_deals

SEED = int(os.environ.get("NIGHTLY_SEED") or randbelow(10**6))

pytestmark = [pytest.mark.nightly, pytest.mark.timeout(2 * 60 * 60)]

USUAL = {"rules": rules_with_endless_deals(), "drawn": False, "places": 80, "rounds": None}


async def test_a_swiss_of_sixty_four_is_played_through_all_that_can_happen(tmp_path: Path) -> None:
    random = Random(SEED)
    async with cup_world(tmp_path, people=70) as cup:
        absent, missing, *leaving = random.sample(range(64), 6)
        night = CupEvening(cup, wholly=True, absent={absent})
        await cup.publish(**{**USUAL, "rounds": 5}, kind=FormatKind.SWISS)
        await enter_pairs(night, 64)
        await night.check_in([place for place in range(64) if place != missing])
        for number in range(1, 6):
            await night.wait_for_matches_of_round(number)
            await night.open_hands(number)
            if number <= 2:
                await night.enter_together(62 + 2 * number, 63 + 2 * number)
            await restart(cup, random)
            await night.play_round(number)
            if (
                number <= len(leaving)
                and (await night.tournament()).entry_of(cup.person(leaving[number - 1]).id) is not None
            ):
                await night.press_leave(leaving[number - 1])
            night.absent = {random.randrange(64)} if number < 4 else set()
        await check_tournament(night)


async def test_a_double_elimination_of_sixteen_pairs_is_played_to_its_close(tmp_path: Path) -> None:
    random = Random(SEED)
    async with cup_world(tmp_path, people=32) as cup:
        night = CupEvening(cup, wholly=True, absent={random.randrange(32)})
        await cup.publish(**USUAL, kind=FormatKind.DOUBLE)
        await enter_pairs(night, 32)
        await night.check_in(range(32))
        await play_all_rounds(night)
        await check_tournament(night)
        ranking = await cup.discord.application.client.context.tournaments.overview.ranking(night.number)
        assert [1, 2, 3, 4] == [place.first for place in ranking.places[:4]]


async def test_a_slow_duplicate_of_eight_tables_is_played_to_its_close(tmp_path: Path) -> None:
    async with cup_world(tmp_path, people=32) as cup:
        night = CupEvening(cup, wholly=True)
        slow = {**SLOW, "round_time": 30 * DAY, "starts_at": cup.clock.now() + 25 * HOUR}
        await cup.publish(**USUAL, **slow, kind=FormatKind.DUPLICATE, duplicate=Duplicate(boards=6, in_a_round=2))
        await enter_pairs(night, 32)
        await night.check_in(range(32))
        await play_all_rounds(night)
        await check_tournament(night)
        view = await night.tournament()
        assert [BoardStage.OPEN] * 6 == [one.stage for one in view.boards]
        assert 48 == sum(len(one.played) for one in view.matches)


async def test_a_rotating_individual_of_twelve_is_played_to_its_close(tmp_path: Path) -> None:
    async with cup_world(tmp_path, people=12) as cup:
        night = CupEvening(cup, wholly=True)
        await cup.publish(**USUAL, kind=FormatKind.INDIVIDUAL)
        for place in range(12):
            assert "You are in" in await night.press_enter(place)
        await night.check_in(range(12))
        await play_all_rounds(night)
        await check_tournament(night)
        together = [frozenset(side) for match in (await night.tournament()).matches for side in match.sides]
        assert 66 == len(together) == len(set(together))


async def enter_pairs(night: CupEvening, people: int) -> None:
    for first in range(0, people, 2):
        await night.enter_together(first, first + 1)


async def play_all_rounds(night: CupEvening) -> None:
    """Play all rounds; absent people miss only the second one."""
    absent, number = night.absent, 0
    while (await night.tournament()).stage in (Stage.CHECK_IN, Stage.RUNNING):
        number += 1
        night.absent = absent if number == 2 else set()
        await night.wait_for_matches_of_round(number)
        await night.open_hands(number)
        await night.play_round(number)


async def restart(cup: CupServer, random: Random) -> None:
    """Stop the bot, start it again after a few minutes at most."""
    gone = random.randrange(3) * MINUTE
    await cup.discord.restart(meanwhile=lambda: cup.clock.advance(gone))
    await cup.wait_until_idle()


async def check_tournament(night: CupEvening) -> None:
    """Fail unless the tournament is closed with right standings, without repeating a mention or message."""
    await night.cup.advance_to(Stage.CLOSED, night.number)
    assert [] == find_differences(await night.request_export()), SEED
    assert {1} == set(night.count_mentions_by_round().values()), SEED
    assert [] == [call for call, count in night.count_mentions().items() if count > 1], SEED
    assert [] == night.texts_posted_twice(), SEED
    assert night.aside < 500, (SEED, night.aside)
