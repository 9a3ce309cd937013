"""Figures of a profile, computed from finished games."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

from bot.profiles.game_statistics import (
    GameStatistics,
    GameStatisticsService,
    HeadToHead,
    Partnership,
    game_statistics,
    partnerships_of,
)
from bot.store.people.players import PartnerResult
from tests.store.test_stored_people import WON
from tests.support.tables import EAST, NORTH, SOUTH, open_world


def test_a_person_without_games_has_empty_figures() -> None:
    assert GameStatistics() == game_statistics(())
    assert game_statistics(()).canastas_a_deal is None


def test_the_figures_of_several_games_are_added_up() -> None:
    alone = replace(WON, persons=1, won=False, best_deal=None, deals=0, canastas=0, canasta_deals=0)
    agreed = replace(WON, how="agreed", won=False, best_deal=1_500, deals=2, canastas=3, canasta_deals=2)
    expected = GameStatistics(
        games=3,
        together=2,
        won=1,
        agreed=1,
        deals=9,
        canastas=12,
        canasta_deals=8,
        best_deal=1_500,
        fastest=7,
        lapses=4,
    )
    found = game_statistics((WON, alone, agreed), lapses=4)
    assert expected == found
    assert 1.5 == found.canastas_a_deal


def test_the_fastest_win_is_that_of_a_game_to_the_usual_target_of_its_rules() -> None:
    quick = replace(WON, deals=3, score=5_000)
    assert 3 == game_statistics((WON, quick)).fastest
    others = [
        replace(quick, won=False),
        replace(quick, how="resigned"),
        replace(quick, score=4_995),
        replace(quick, rules="hand-and-foot", score=20_000),
        replace(quick, rules="forgotten"),
    ]
    assert game_statistics(others).fastest is None


async def test_games_of_two_people_against_each_other_are_counted(tmp_path: Path) -> None:
    async with open_world(tmp_path / "canasta.db") as world:
        snapshot = await world.start_game(NORTH, EAST, SOUTH, players=4, target=500)
        ended = await world.finish_game(snapshot.id, Random(5))
        assert ended.view is not None
        won = ended.view.winner == 0
        service = GameStatisticsService(world.store.players, world.clock)
        assert HeadToHead(1, int(won), int(not won)) == await service.head_to_head(NORTH, EAST)
        assert HeadToHead(1, int(not won), int(won)) == await service.head_to_head(EAST, NORTH)
        assert HeadToHead(0, 0, 0) == await service.head_to_head(NORTH, SOUTH)


def test_partnerships_are_ordered_by_games_then_by_those_won_and_five_are_shown() -> None:
    results = [
        PartnerResult(5, 1, won=False),
        PartnerResult(6, 2, won=True),
        PartnerResult(7, 3, won=True),
        PartnerResult(7, 4, won=False),
        *(PartnerResult(partner, partner, won=False) for partner in (8, 9, 10)),
    ]
    first, *rest = partnerships_of(results)
    assert Partnership(7, 2, 1) == first
    assert [Partnership(6, 1, 1), *(Partnership(partner, 1, 0) for partner in (5, 8, 9))] == rest
