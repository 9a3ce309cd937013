"""Matches of a tournament are rated once they are final, as they were played, and taken back when they are void."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.ratings.ratings import MatchId
from bot.ratings.service import RatingService
from bot.tournaments.event.plan import Duplicate
from bot.tournaments.match_ratings import LISTS, TournamentRatings
from bot.tournaments.traits import FormatKind
from tests.support.tournaments import Evening, open_evening, pairs, plan


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "canasta.db"


def rating(evening: Evening) -> RatingService:
    """Return the ratings stored in the evening's own file."""
    ratings = RatingService(evening.world.store.ratings, evening.clock)
    evening.events.rounds.rate_with(TournamentRatings(ratings))
    return ratings


async def test_every_match_is_rated_once_and_a_void_one_is_taken_back(path: Path) -> None:
    async with open_evening(path) as evening:
        ratings = rating(evening)
        number = await evening.begun(plan(rated=True, rounds=2), pairs(4))
        look = await evening.play_all(number)
        await evening.settled()
        assert [True] * 4 == [await ratings.knows(MatchId(number, one.id)) for one in look.matches]
        first = await ratings.ratings_of(1)
        assert 2 == first[0].matches

        await evening.events.desk.reopen(evening.director, number)
        await evening.events.desk.void_match(evening.director, number, look.matches[0].id, reason="wrong table")
        await evening.settled()
        assert not await ratings.knows(MatchId(number, look.matches[0].id))
        assert await ratings.knows(MatchId(number, look.matches[1].id))


async def test_an_adjusted_match_keeps_the_rating_it_was_played_for(path: Path) -> None:
    async with open_evening(path) as evening:
        ratings = rating(evening)
        number = await evening.begun(plan(rated=True, rounds=1), pairs(2))
        look = await evening.play_all(number)
        before = await ratings.ratings_of(1)
        await evening.events.desk.reopen(evening.director, number)
        await evening.events.desk.adjust(
            evening.director, number, look.matches[0].id, scores=[(0, 5000)], reason="wrong count"
        )
        await evening.settled()
        assert before == await ratings.ratings_of(1)


async def test_the_pairs_of_a_duplicate_are_rated_as_one_game_of_their_list(path: Path) -> None:
    async with open_evening(path) as evening:
        ratings = rating(evening)
        chosen = plan(kind=FormatKind.DUPLICATE, duplicate=Duplicate(boards=2, in_a_round=2), rated=True)
        number = await evening.begun(chosen, pairs(4))
        await evening.play_all(number)
        await evening.settled()
        assert await ratings.knows(MatchId(number, LISTS))
        assert 1 == (await ratings.ratings_of(1))[0].matches
