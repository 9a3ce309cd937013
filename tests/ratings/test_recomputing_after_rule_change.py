"""Ratings of an older version of the formulas are recomputed at the start, before any is shown."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.ratings.rating_rules import LAW, Ladder
from bot.ratings.service import RatingService
from bot.store.database import open_database
from bot.store.writer import Statement
from tests.ratings.test_rating_service import CLASSIC, SAMBA, all_ratings, match
from tests.support.clock import ManualClock
from tests.support.empty_database import open_new_store, write_empty_database
from tests.support.stand_ins import StandIn

RatingsByLadder = dict[Ladder, dict[int, tuple[float, float, int]]]


async def all_ratings_at(path: Path) -> RatingsByLadder:
    async with open_new_store(path) as store:
        return {ladder: await all_ratings(store, ladder) for ladder in (CLASSIC, SAMBA)}


async def write_outdated_ratings(path: Path) -> RatingsByLadder:
    """Write a file with two ladders of wrong ratings and an old version; return the right ratings."""
    async with open_new_store(path) as store:
        service = RatingService(store.ratings, ManualClock())
        await service.apply_formula_version()
        for number in range(1, 9):
            ladder = CLASSIC if number % 2 else SAMBA
            await service.rate_match(match(number, 1 + number % 3, 4 + number % 2, ladder=ladder))
    right = await all_ratings_at(path)
    database = await open_database(path)
    try:
        for sql in (
            "UPDATE ratings SET mu = 99",
            "UPDATE rating_places SET mu_before = 99, mu_after = 99",
            "UPDATE rating_law SET number = 1",
        ):
            await database.write(("test",), Statement(sql, {}, rows=None))
    finally:
        await database.close()
    return right


async def rules_version_at(path: Path) -> int | None:
    async with open_new_store(path) as store:
        return await store.ratings.formula_version()


async def apply_rules_version(path: Path) -> None:
    async with open_new_store(path) as store:
        await RatingService(store.ratings, ManualClock()).apply_formula_version()


async def test_ratings_of_another_version_of_the_rules_are_computed_again_once(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    right = await write_outdated_ratings(path)
    assert right != await all_ratings_at(path)
    await apply_rules_version(path)
    assert (LAW, right) == (await rules_version_at(path), await all_ratings_at(path))
    async with open_new_store(path) as store:
        service = RatingService(store.ratings, ManualClock())
        history = await service.rating_history(2, CLASSIC)
        assert (right[CLASSIC][2][0], right[CLASSIC][2][1]) == (history[-1].mu, history[-1].sigma)


async def test_ratings_of_this_version_of_the_rules_stay_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    async with open_new_store(path) as store:
        await RatingService(store.ratings, ManualClock()).apply_formula_version()
    async with open_new_store(path) as store:
        service = RatingService(store.ratings, ManualClock())
        await service.rate_match(match(1, 1, 2))
        before = await all_ratings(store, CLASSIC)
        unwritable: Any = StandIn(store.ratings, write=None)
        await RatingService(unwritable, ManualClock()).apply_formula_version()
        assert before == await all_ratings(store, CLASSIC)


async def test_a_start_that_is_killed_on_the_way_begins_again(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    right = await write_outdated_ratings(path)
    async with open_new_store(path) as store:
        written: list[object] = []

        async def crash_at_second_write(statements: Any) -> None:
            if written:
                raise asyncio.CancelledError
            written.append(statements)
            await store.ratings.write(statements)

        dying: Any = StandIn(store.ratings, write=crash_at_second_write)
        with pytest.raises(asyncio.CancelledError):
            await RatingService(dying, ManualClock()).apply_formula_version()
    half = await all_ratings_at(path)
    assert [True, False] == sorted((half[ladder] == right[ladder] for ladder in right), reverse=True)
    assert 1 == await rules_version_at(path)
    await apply_rules_version(path)
    assert (LAW, right) == (await rules_version_at(path), await all_ratings_at(path))


async def test_a_new_file_has_no_version_of_the_rules_yet(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    await write_empty_database(path)
    assert await rules_version_at(path) is None
    await apply_rules_version(path)
    assert LAW == await rules_version_at(path)
