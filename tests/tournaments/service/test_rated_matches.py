"""Matches are rated as played once they are final; void matches lose their rating."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.ratings.rating_rules import Ladder, MatchId, RatedMatch, SeatPlayed, SidePlayed
from bot.ratings.service import RatingService
from bot.store.ratings import RatingMargin
from bot.tournaments.event.plan import BoardScoring, Duplicate
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.match_ratings import LISTS, TournamentRatings
from tests.support.clock import START as NOW
from tests.support.tournaments import Evening, open_evening, pairs, usual_plan

CLASSIC = Ladder("classic", 4)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "canasta.db"


def stored_ratings(evening: Evening) -> RatingService:
    """Return the rating service of the evening's own file."""
    ratings = RatingService(evening.world.store.ratings, evening.clock)
    evening.events.rounds.set_ratings(TournamentRatings(ratings))
    return ratings


async def test_every_match_is_rated_once_and_a_void_one_is_taken_back(path: Path) -> None:
    async with open_evening(path) as evening:
        ratings = stored_ratings(evening)
        number = await evening.begin_tournament(usual_plan(rated=True, rounds=2), pairs(4))
        view = await evening.play_all_rounds(number)
        await evening.wait_until_idle()
        assert [True] * 4 == [await ratings.is_rated(MatchId(number, one.id)) for one in view.matches]
        first = await ratings.ratings_of(1)
        assert 2 == first[0].matches

        await evening.events.desk.reopen(evening.director, number)
        await evening.events.desk.void_match(evening.director, number, view.matches[0].id, reason="wrong table")
        await evening.wait_until_idle()
        assert not await ratings.is_rated(MatchId(number, view.matches[0].id))
        assert await ratings.is_rated(MatchId(number, view.matches[1].id))


async def test_an_adjusted_match_keeps_the_rating_it_was_played_for(path: Path) -> None:
    async with open_evening(path) as evening:
        ratings = stored_ratings(evening)
        number = await evening.begin_tournament(usual_plan(rated=True, rounds=1), pairs(2))
        view = await evening.play_all_rounds(number)
        before = await ratings.ratings_of(1)
        await evening.events.desk.reopen(evening.director, number)
        await evening.events.desk.adjust_scores(
            evening.director, number, view.matches[0].id, scores=[(0, 5000)], reason="wrong count"
        )
        await evening.wait_until_idle()
        assert before == await ratings.ratings_of(1)


async def test_the_pairs_of_a_duplicates_list_are_rated_as_one_game(path: Path) -> None:
    async with open_evening(path) as evening:
        ratings = stored_ratings(evening)
        plan = usual_plan(kind=FormatKind.DUPLICATE, duplicate=Duplicate(boards=3, in_a_round=1), rated=True)
        number = await evening.begin_tournament(plan, pairs(4))
        await evening.play_all_rounds(number)
        await evening.wait_until_idle()
        assert await ratings.is_rated(MatchId(number, LISTS))
        assert 1 == (await ratings.ratings_of(1))[0].matches


async def test_a_match_is_rated_by_its_margin_as_played_and_its_sides_as_pairs(path: Path) -> None:
    async with open_evening(path) as evening:
        ratings = stored_ratings(evening)
        number = await evening.begin_tournament(usual_plan(rated=True, rounds=1, deals=2), pairs(2))
        view = await evening.play_all_rounds(number)
        await evening.wait_until_idle()
        result = view.matches[0].result
        assert result is not None
        first, second = (sum(deal.scores[side] for deal in result.deals) for side in (0, 1))
        (row,) = await ratings.tournament_log(number)
        assert RatingMargin(first - second, 2, view.plan.scoring.swing_unit) == row.margin
        assert [(1, 2, 1)] == [(one.person, one.partner, one.matches) for one in await ratings.pair_ratings_of(1)]


async def test_teams_are_rated_by_their_card_points_on_boards_played_in_both_rooms(path: Path) -> None:
    async with open_evening(path) as evening:
        ratings = stored_ratings(evening)
        chosen = Duplicate(boards=2, in_a_round=2, scoring=BoardScoring.VICTORY_POINTS)
        wanted = usual_plan(kind=FormatKind.DUPLICATE, duplicate=chosen, entry_size=4, rated=True)
        number = await evening.begin_tournament(wanted, [(1, 2, 3, 4), (5, 6, 7, 8)])
        view = await evening.play_all_rounds(number)
        await evening.wait_until_idle()
        net = {
            (one.board, one.room): (one.scores[0] - one.scores[1]) * (1 if one.room == 1 else -1)
            for one in view.matches[0].played
        }
        assert {(1, 1), (1, 2), (2, 1), (2, 2)} == set(net)
        (row,) = await ratings.tournament_log(number)
        assert RatingMargin(sum(net.values()), 4, view.plan.scoring.swing_unit) == row.margin
        assert () == row.pairs


async def test_pairs_are_seeded_by_their_own_rating_once_it_is_sure(path: Path) -> None:
    """Persons 1 and 2 win with other partners and lose together; 3 and 4 tie."""
    async with open_evening(path) as evening:
        ratings = stored_ratings(evening)
        games: list[tuple[tuple[int, int], tuple[int, int], int]] = []
        for count in range(20):
            games += [((1, 11 + count), (41, 42), 1500), ((2, 71 + count), (43, 44), 1500), ((3, 4), (45, 46), 0)]
        games.append(((5, 6), (1, 2), 1500))
        await _rate_games(ratings, games)
        assert [(1, 2), (3, 4)] == await _seeding_of_new_tournament(evening)
        games += [((5, 6), (1, 2), 300)] * 12
        await _rate_games(ratings, games)
        own = await ratings.pair_rating((2, 1), CLASSIC)
        assert own is not None
        assert not own.is_provisional
        for person in (1, 2):
            assert (await ratings.rating_of(person, CLASSIC)).mu > 26
        assert [(3, 4), (1, 2)] == await _seeding_of_new_tournament(evening)


async def _seeding_of_new_tournament(evening: Evening) -> list[tuple[int, ...]]:
    """Begin a new tournament of two pairs; return the persons of its entries, the first seed first."""
    number = await evening.begin_tournament(usual_plan(rounds=1), [(3, 4), (1, 2)])
    view = await evening.events.overview.get_tournament(number)
    await evening.events.desk.cancel(evening.director, number, reason="only the seeds matter")
    return [one.people for one in sorted(view.entrants, key=lambda one: one.rank)]


async def _rate_games(ratings: RatingService, games: list[tuple[tuple[int, int], tuple[int, int], int]]) -> None:
    """Rate games of three deals; each has two pairs and the margin by which the first pair won."""
    for number, (first, second, margin) in enumerate(games, 1000):
        sides = tuple(
            SidePlayed(tuple(SeatPlayed(((person, 3),)) for person in side), total)
            for side, total in ((first, 2000 + margin), (second, 2000))
        )
        found = RatedMatch(
            id=MatchId(0, number),
            at=NOW + number,
            ladder=CLASSIC,
            guild=1,
            sides=sides,
            deals=3,
            unit=2,
        )
        await ratings.rate_match(found)
