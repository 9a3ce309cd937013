"""Whole tournaments with late, leaving and missing players, and a bot that crashes during them.

An independent script (`tests.support.tournament_figures`) computes the final standings from the export.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bot.clocks.time_rules import DAY
from bot.tournaments.event.entries import EntryStage
from bot.tournaments.event.plan import SLOW, Duplicate
from bot.tournaments.event.tournament import BoardStage, Stage, Tournament
from bot.tournaments.export.document import tournament_document
from bot.tournaments.format_traits import FormatKind
from tests.support.clock import ManualClock
from tests.support.tournament_figures import find_differences
from tests.support.tournaments import Evening, open_evening, pairs, usual_plan


async def restart_and_play(path: Path, clock: ManualClock, tournament_number: int) -> Tournament:
    """Restart the bot and play the current round; return the tournament."""
    async with open_evening(path, clock=clock, first_request=clock.now() % 10**9 * 1000) as evening:
        return await evening.play_round(tournament_number)


@pytest.mark.parametrize("entries", [10, pytest.param(32, marks=pytest.mark.nightly)])
async def test_a_swiss_with_no_shows_and_restarts_is_played_to_its_close(tmp_path: Path, entries: int) -> None:
    path, clock, random = tmp_path / "canasta.db", ManualClock(), Random(12)
    people = 2 * entries
    absent = set(random.sample(range(1, people + 1), 3))
    async with open_evening(path, clock=clock) as evening:
        number = await evening.begin_tournament(usual_plan(rounds=5, places=80), pairs(entries), missing=(people,))
        view = await evening.events.overview.get_tournament(number)
        assert EntryStage.LEFT is view.entrant(entries).stage
        assert 5 == view.rounds_planned
        await evening.play_round(number, comes=lambda person: person not in absent)
        for late in pairs(3, first=70):
            await evening.enter(number, late)
        for person in (5, 7, 9, 11):
            await evening.events.entering.leave(evening.caller(person), number)
    await restart_and_play(path, clock, number)
    async with open_evening(path, clock=clock, first_request=900_000_000) as evening:
        await evening.events.entering.leave(evening.caller(13), number)
        view = await evening.play_all_rounds(number)
        assert Stage.CLOSED is view.stage
        assert 5 == len(view.rounds)
        await check_standings(evening, view)
    assert [2, 2, 2] == [view.entrant(entries + late).from_round for late in (1, 2, 3)]


async def test_a_double_elimination_of_sixteen_pairs_keeps_right_standings(tmp_path: Path) -> None:
    absent = {3}
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(kind=FormatKind.DOUBLE), pairs(16))
        await evening.play_round(number)
        await evening.play_round(number, comes=lambda person: person not in absent)
        view = await evening.play_all_rounds(number)
        ranking = await evening.events.overview.ranking(number)
        assert list(range(1, 5)) == [place.first for place in ranking.places[:4]]
        lost = {one.number: 0 for one in view.entrants}
        for match in view.matches:
            assert match.result is not None
            for side, (entry,) in enumerate(match.sides):
                lost[entry] += match.result.winner != side
        assert 1 >= lost[ranking.places[0].entry]
        assert {2} == {lost[place.entry] for place in ranking.places[1:]}
        await check_standings(evening, view)


@pytest.mark.parametrize("entries", [8, pytest.param(16, marks=pytest.mark.nightly)])
async def test_a_slow_duplicate_of_six_boards_keeps_right_standings(tmp_path: Path, entries: int) -> None:
    plan = usual_plan(
        kind=FormatKind.DUPLICATE,
        **{**SLOW, "round_time": 30 * DAY, "deals": 1},
        duplicate=Duplicate(boards=6, in_a_round=2),
    )
    async with open_evening(tmp_path / "canasta.db") as evening:
        plan = replace(plan, starts_at=evening.clock.now() + 3 * DAY)
        number = await evening.begin_tournament(plan, pairs(entries))
        view = await evening.play_all_rounds(number)
        assert entries // 2 * 3 == len(view.matches)
        assert [BoardStage.OPEN] * 6 == [one.stage for one in view.boards]
        assert entries * 3 == sum(len(one.played) for one in view.matches)
        await check_standings(evening, view)


async def test_a_rotating_individual_of_twelve_keeps_right_standings(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(
            usual_plan(kind=FormatKind.INDIVIDUAL), [(one,) for one in range(1, 13)]
        )
        view = await evening.play_all_rounds(number)
        assert 11 == len(view.rounds)
        together = [frozenset(side) for match in view.matches for side in match.sides]
        assert 66 == len(together) == len(set(together))
        await check_standings(evening, view)


async def check_standings(evening: Evening, tournament: Tournament) -> None:
    """Check that the standings follow from the exported results by the independent script."""
    material = await evening.events.exports.export_input_of(tournament)
    assert [] == find_differences(tournament_document(material))
