"""Ratings of 200 recorded matches, with ties, shares and corrections, equal the published formulas."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.ratings.log_replay import pairs_in
from bot.ratings.rating_rules import MatchId, RatedMatch, SeatPlayed, SidePlayed, ladder_named
from bot.ratings.service import RatingService
from bot.store.store import Store
from tests.support.clock import ManualClock
from tests.support.empty_database import open_new_store
from tests.support.write_golden_ratings import FILE, golden_file_content

GOLDEN: dict[str, Any] = json.loads(FILE.read_text())
TOLERANCE = 1e-9
TOURNAMENT = 3


def match_of(data: dict[str, Any]) -> RatedMatch:
    sides = [
        SidePlayed(
            tuple(
                SeatPlayed(tuple((one[0], one[1]) for one in seat["persons"]), seat["computer"], seat["lost"])
                for seat in side["seats"]
            ),
            side["total"],
            last=side["last"],
        )
        for side in data["sides"]
    ]
    ladder, match = ladder_named(data["ladder"]), MatchId(TOURNAMENT, data["number"])
    kept = {"deals": data["deals"], "unit": data["unit"]}
    return RatedMatch(id=match, at=data["at"], ladder=ladder, guild=900, sides=tuple(sides), **kept)


async def record_arrivals(service: RatingService, arrivals: list[dict[str, Any]]) -> None:
    for one in arrivals:
        if one.get("void"):
            assert await service.revoke_match(MatchId(TOURNAMENT, one["number"]))
        else:
            await service.rate_match(match_of(one))


async def check_expected_ratings(store: Store) -> None:
    for name, expected in GOLDEN["expected"].items():
        family, _, players = name.rpartition("-")
        rows = await store.ratings.ladder_rows(family, int(players))
        assert [int(number) for number in expected["after"]] == [row.number for row in rows]
        for row in rows:
            after = {str(place.person): place.after for place in row.places}
            names = ("+".join(map(str, who)) for who in pairs_in(row))
            after |= {name: pair.after for name, pair in zip(names, row.pairs, strict=True)}
            for person, pair in expected["after"][str(row.number)].items():
                assert after.pop(person) == (None if pair is None else pytest.approx(pair, abs=TOLERANCE))
            assert not after
        ratings = {
            f"{one.person}+{one.partner}" if one.partner else str(one.person): (one.mu, one.sigma, one.last)
            for pairs in (False, True)
            for one in await store.ratings.ladder_ratings(family, int(players), pairs=pairs)
        }
        assert sorted(expected["ratings"]) == sorted(ratings)
        for person, figures in expected["ratings"].items():
            assert ratings[person] == pytest.approx(figures, abs=TOLERANCE)


def test_the_recorded_ratings_equal_those_of_the_formulas() -> None:
    assert json.loads(json.dumps(golden_file_content())) == GOLDEN


def test_the_recorded_matches_contain_every_kind_of_event() -> None:
    matches = GOLDEN["arrivals"]
    seats = [seat for one in matches for side in one["sides"] for seat in side["seats"]]
    assert 200 == len({one["number"] for one in matches})
    assert {2, 3} == {len(one["sides"]) for one in matches}
    assert any(len({side["total"] for side in one["sides"]}) < len(one["sides"]) for one in matches)
    assert any(len(seat["persons"]) > 1 for seat in seats)
    assert any(seat["lost"] is not None for seat in seats)
    assert any(side["last"] for one in matches for side in one["sides"])
    assert any(one.get("void") for one in matches)
    assert any("+" in name for name in GOLDEN["expected"]["classic-4"]["ratings"])
    assert any(len(one["sides"]) == 2 and one["deals"] is None for one in matches)
    assert any(len(one["sides"]) == 2 and one["deals"] is not None for one in matches)
    assert len(matches) > 201


async def test_recorded_matches_give_the_expected_ratings(tmp_path: Path) -> None:
    async with open_new_store(tmp_path / "canasta.db") as store:
        service = RatingService(store.ratings, ManualClock())
        await record_arrivals(service, GOLDEN["arrivals"])
        await check_expected_ratings(store)
        await service.recompute_all_ladders()
        await check_expected_ratings(store)


async def test_recorded_matches_give_the_same_ratings_in_another_order(tmp_path: Path) -> None:
    last = {one["number"]: one for one in GOLDEN["arrivals"]}
    standing = [one for one in last.values() if not one.get("void")]
    Random(4).shuffle(standing)
    async with open_new_store(tmp_path / "canasta.db") as store:
        service = RatingService(store.ratings, ManualClock())
        await record_arrivals(service, standing)
        await check_expected_ratings(store)
        rows = await service.tournament_log(TOURNAMENT)
        await record_arrivals(service, standing)
        assert rows == await service.tournament_log(TOURNAMENT)
