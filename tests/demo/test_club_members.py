"""The members of the demo's club play wherever they are mentioned, even if tables change meanwhile."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bot.clocks.clock import MINUTE
from bot.demo.club_members import ClubMembers, Member
from bot.engine.moves.refusals import Code, Refusal
from bot.series.service import SeriesService
from bot.tournaments.event.plan import Duplicate
from bot.tournaments.format_traits import FormatKind
from tests.support.tables import GUILD
from tests.support.tournaments import PLAYER, Evening, open_evening, pairs, rules_with_endless_deals, usual_plan


def make_club_members(evening: Evening, people: int) -> ClubMembers:
    """Return a club of that many members, who play without pauses."""
    members = [Member(person, f"P{person}") for person in range(1, people + 1)]
    series = SeriesService(evening.world.store, evening.clock, evening.events)
    return ClubMembers(
        evening.world.service, evening.events, series, [PLAYER], evening.clock, guild=GUILD, members=members, pace=0
    )


async def test_the_club_plays_a_round_to_its_end(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(rounds=3), pairs(4))
        crowd = make_club_members(evening, people=8)
        crowd.start()
        await evening.call_next_round(number)
        await wait_until_club_is_done(crowd)
        await evening.wait_until_idle()
        assert all(
            one.result is not None for one in (await evening.events.overview.get_tournament(number)).matches_of(1)
        )
        await crowd.stop()


async def test_the_members_say_that_they_are_there_and_play_a_duplicate(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        plan = usual_plan(kind=FormatKind.DUPLICATE, duplicate=Duplicate(boards=6, in_a_round=2))
        number = await evening.begin_tournament(plan, pairs(4))
        crowd = make_club_members(evening, people=8)
        crowd.start()
        await evening.call_next_round(number)
        await wait_until_club_is_done(crowd)
        await evening.wait_until_idle()
        snapshot = await evening.events.overview.get_tournament(number)
        assert all(set(one.seats) == set(one.arrived) for one in snapshot.matches_of(1))
        assert all(one.result is not None for one in snapshot.matches_of(1))
        await crowd.stop()


async def test_an_idle_visitor_makes_only_their_own_side_lose(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(rounds=1, rules=rules_with_endless_deals()), pairs(2))
        crowd = make_club_members(evening, people=3)
        crowd.start()
        snapshot = await evening.call_next_round(number)
        await wait_until_club_is_done(crowd)
        await evening.wait_until_idle()
        visitor = snapshot.matches[0].seats.index(4) % 2
        for _ in range(4):
            await evening.pass_time(5 * MINUTE)
            await wait_until_club_is_done(crowd)
        result = (await evening.events.overview.get_tournament(number)).matches[0].result
        assert result is not None
        assert ((visitor,), 1 - visitor) == (result.forfeited, result.winner)
        await crowd.stop()


async def test_changes_while_members_look_at_a_table_make_them_look_again(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        crowd, visits = make_club_members(evening, people=4), 0

        async def look_at_table() -> None:
            nonlocal visits
            visits += 1
            if visits == 1:
                crowd._start_work("table 1", look_at_table)
                raise Refusal(Code.NOT_YOUR_TURN)

        crowd._start_work("table 1", look_at_table)
        await wait_until_club_is_done(crowd)
        assert 2 == visits


async def wait_until_club_is_done(club: ClubMembers) -> None:
    """Wait until the club's members have nothing more to do."""
    while tasks := [one for one in club._tasks.values() if not one.done()]:
        await asyncio.wait(tasks)
