"""Exported ratings of a tournament can be recomputed from the export and the swing unit alone."""

from __future__ import annotations

import json
from dataclasses import replace
from math import exp, sqrt
from pathlib import Path
from typing import Any

import pytest

from bot.ratings.rating_rules import MatchId
from bot.ratings.service import RatingService
from tests.ratings.test_rating_service import all_ratings, match
from tests.support.clock import START as NOW
from tests.support.clock import ManualClock
from tests.support.empty_database import open_new_store
from tests.support.published_rating_formulas import MONTH, ratings_after_match

TOURNAMENT = 6
UNIT = 2
"""The swing unit of these matches, which an export has beside the ratings."""


def recompute_ratings(exported: dict[str, Any]) -> dict[str, list[float]]:
    """Return everyone's ratings after all valid matches, computed from the export alone."""
    state = {person: tuple(figures) for person, figures in exported["start"].items()}
    last = {row["match"]: row for row in exported["log"]}
    counting = [row for row in last.values() if not row["void"]]
    for row in sorted(counting, key=lambda one: (one["at"], one["match"])):
        before = []
        for side in row["sides"]:
            pairs = []
            for person in map(str, side):
                mu, sigma, then = state[person]
                months = 0 if then is None else max(0, (row["at"] - then) // MONTH - 1)
                pairs.append((mu, min(25 / 3, sqrt(sigma**2 + months))))
            before.append(pairs)
        score = 1 / (1 + exp(-row["margin"] / (250 * UNIT * sqrt(row["deals"]))))
        places = [[{"share": row["shares"][person], "lost": False} for person in side] for side in row["sides"]]
        after = ratings_after_match(before, places, row["ranks"], score)
        for side, news in zip(row["sides"], after, strict=True):
            for person, new in zip(side, news, strict=True):
                assert new is not None
                state[person] = (*new, row["at"])
                assert list(new) == pytest.approx(row["after"][person], abs=1e-9)
    return {person: list(figures[:2]) for person, figures in state.items()}


async def test_the_export_gives_the_same_ratings_after_a_correction_and_half_a_year(tmp_path: Path) -> None:
    async with open_new_store(tmp_path / "store") as store:
        service = RatingService(store.ratings, ManualClock())
        await service.rate_match(match(1, 1, 2))
        later = NOW + 6 * MONTH
        games = [match(number, *pair, at=later + number) for number, pair in enumerate([(1, 2), (2, 3), (3, 1)], 1)]
        for one in games:
            await service.rate_match(replace(one, id=MatchId(TOURNAMENT, one.id.number)))
        corrected = replace(match(2, 2, 3, at=later + 2, won=0), id=MatchId(TOURNAMENT, 2))
        await service.rate_match(corrected)
        exported = json.loads(json.dumps(await service.export_log(TOURNAMENT)))
        assert [25.0, 25 / 3, None] == exported["start"]["3"]
        assert NOW + 1 == exported["start"]["1"][2]
        assert [False, False, False, True, False] == [row["void"] for row in exported["log"]]
        found = recompute_ratings(exported)
        for person in (1, 2, 3):
            (own,) = await store.ratings.ratings_of_persons([person])
            assert found[str(person)] == pytest.approx([own.mu, own.sigma], abs=1e-9)


async def test_a_tournament_without_rated_matches_exports_none(tmp_path: Path) -> None:
    async with open_new_store(tmp_path / "store") as store:
        exported = await RatingService(store.ratings, ManualClock()).export_log(TOURNAMENT)
        assert ({}, []) == (exported["start"], exported["log"])
        assert (2, "openskill 6.2.0 PlackettLuce") == (exported["law"], exported["model"])
        given = {"mu": 25, "sigma": 25 / 3, "beta": 25 / 6, "kappa": 0.0001, "tau": 25 / 300}
        assert given == exported["parameters"]


async def test_the_export_has_the_initial_rating_of_a_forgotten_person(tmp_path: Path) -> None:
    async with open_new_store(tmp_path / "store") as store:
        service = RatingService(store.ratings, ManualClock())
        await service.rate_match(match(1, 1, 2))
        reached = (await all_ratings(store))[1][:2]
        await service.rate_match(replace(match(2, 1, 3), id=MatchId(TOURNAMENT, 2)))
        await service.forget(1)
        start = (await service.export_log(TOURNAMENT))["start"]
        (gone,) = [figures for person, figures in start.items() if int(person) < 0]
        assert [*reached, None] == list(gone)
