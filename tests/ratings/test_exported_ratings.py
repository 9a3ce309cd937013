"""Exported ratings of a tournament: enough to compute them again without the program."""

from __future__ import annotations

import json
from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from bot.ratings.ratings import MatchId
from bot.ratings.service import RatingService
from tests.ratings.test_service import everything, match
from tests.support.clock import START as NOW
from tests.support.clock import ManualClock
from tests.support.empty_database import open_new
from tests.support.weng_lin import MONTH, plackett_luce

TOURNAMENT = 6


def recompute(exported: dict[str, Any]) -> dict[str, list[float]]:
    """Return everyone's ratings after the matches that count, computed from the export alone."""
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
        after = plackett_luce(before, row["ranks"])
        for side, olds, news in zip(row["sides"], before, after, strict=True):
            for person, old, new in zip(map(str, side), olds, news, strict=True):
                share = row["shares"][person]
                mu = old[0] + share * (new[0] - old[0])
                state[person] = (mu, sqrt(old[1] ** 2 + share * (new[1] ** 2 - old[1] ** 2)), row["at"])
                assert list(state[person][:2]) == pytest.approx(row["after"][person], abs=1e-9)
    return {person: list(figures[:2]) for person, figures in state.items()}


async def test_the_export_gives_the_same_ratings_after_a_correction_and_half_a_year(tmp_path: Path) -> None:
    async with open_new(tmp_path / "store") as store:
        service = RatingService(store.ratings, ManualClock())
        await service.rate(match(1, 1, 2))
        later = NOW + 6 * MONTH
        games = [match(number, *pair, at=later + number) for number, pair in enumerate([(1, 2), (2, 3), (3, 1)], 1)]
        for one in games:
            await service.rate(replace(one, id=MatchId(TOURNAMENT, one.id.number)))
        corrected = replace(match(2, 2, 3, at=later + 2, won=0), id=MatchId(TOURNAMENT, 2))
        await service.rate(corrected)
        exported = json.loads(json.dumps(await service.export(TOURNAMENT)))
        assert [25.0, 25 / 3, None] == exported["start"]["3"]
        assert NOW + 1 == exported["start"]["1"][2]
        assert [False, False, False, True, False] == [row["void"] for row in exported["log"]]
        found = recompute(exported)
        for person in (1, 2, 3):
            (own,) = await store.ratings.of_persons([person])
            assert found[str(person)] == pytest.approx([own.mu, own.sigma], abs=1e-9)


async def test_a_tournament_without_rated_matches_exports_none(tmp_path: Path) -> None:
    async with open_new(tmp_path / "store") as store:
        exported = await RatingService(store.ratings, ManualClock()).export(TOURNAMENT)
        assert ({}, []) == (exported["start"], exported["log"])
        assert "openskill 6.2.0 PlackettLuce" == exported["model"]


async def test_a_person_who_is_forgotten_starts_with_what_was_reached_before(tmp_path: Path) -> None:
    async with open_new(tmp_path / "store") as store:
        service = RatingService(store.ratings, ManualClock())
        await service.rate(match(1, 1, 2))
        reached = (await everything(store))[1][:2]
        await service.rate(replace(match(2, 1, 3), id=MatchId(TOURNAMENT, 2)))
        await service.forget(1)
        start = (await service.export(TOURNAMENT))["start"]
        (gone,) = [figures for person, figures in start.items() if int(person) < 0]
        assert [*reached, None] == list(gone)
