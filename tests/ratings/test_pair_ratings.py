"""Pairs are rated as one player, from the same log of matches as their persons."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.ratings.rating_rules import START, Ladder, MatchId, RatedMatch, SeatPlayed, SidePlayed
from bot.ratings.service import RatingService
from bot.store.store import Store
from tests.support.clock import START as NOW
from tests.support.clock import ManualClock
from tests.support.empty_database import open_new_store
from tests.support.published_rating_formulas import rate_ladder

CLASSIC = Ladder("classic", 4)
Pair = tuple[int, int]


def seat(person: int, *, computer: int = 0, lost: bool = False) -> SeatPlayed:
    return SeatPlayed(((person, 4 - computer),), computer, person if lost else None)


def match(number: int, first: Pair, second: Pair, margin: int = 600, *, guild: int = 900) -> RatedMatch:
    """Return a match of four deals between two pairs, which the first wins by `margin`."""
    sides = tuple(
        SidePlayed(tuple(seat(person) for person in pair), total)
        for pair, total in ((first, 2000 + margin), (second, 2000))
    )
    return RatedMatch(id=MatchId(0, number), at=NOW + number, ladder=CLASSIC, guild=guild, sides=sides, deals=4, unit=2)


def with_seat(rated: RatedMatch, changed: SeatPlayed) -> RatedMatch:
    """Return the match with another player in its first seat."""
    first, *others = rated.sides
    return replace(rated, sides=(replace(first, seats=(changed, *first.seats[1:])), *others))


def as_data(rated: RatedMatch) -> dict[str, object]:
    """Return the match as plain data for the independent implementation."""
    sides = [
        {
            "seats": [
                {"persons": [list(person) for person in seat.persons], "computer": seat.computer, "lost": seat.lost}
                for seat in side.seats
            ],
            "total": side.total,
            "last": side.last,
        }
        for side in rated.sides
    ]
    return {"number": rated.id.number, "at": rated.at, "sides": sides, "deals": rated.deals, "unit": rated.unit}


async def pair_ratings(store: Store) -> dict[str, tuple[float, float, int]]:
    """Return by pair its rating (mean and deviation) and number of matches."""
    found = await store.ratings.ladder_ratings("classic", 4, pairs=True)
    return {f"{one.person}+{one.partner}": (one.mu, one.sigma, one.matches) for one in found}


async def check_formulas(store: Store, matches: list[RatedMatch]) -> None:
    """Check that the stored ratings of pairs are those of the published formulas for these matches."""
    _, state = rate_ladder([as_data(one) for one in matches])
    expected = {name: figures[:2] for name, figures in state.items() if "+" in name}
    found = {name: figures[:2] for name, figures in (await pair_ratings(store)).items()}
    assert sorted(expected) == sorted(found)
    for name, figures in expected.items():
        assert found[name] == pytest.approx(figures, abs=1e-9)


async def test_a_pair_is_rated_by_its_own_matches_no_matter_which_partner_sits_first(tmp_path: Path) -> None:
    games = [match(1, (1, 2), (3, 4)), match(2, (4, 3), (2, 1), 100), match(3, (1, 3), (2, 4), 900)]
    async with open_new_store(tmp_path / "store") as store:
        service = RatingService(store.ratings, ManualClock())
        for one in games:
            await service.rate_match(one)
        await check_formulas(store, games)
        assert {"1+2": 2, "3+4": 2, "1+3": 1, "2+4": 1} == {
            name: found for name, (_, _, found) in (await pair_ratings(store)).items()
        }
        assert [(1, 2, 2), (1, 3, 1)] == [
            (one.person, one.partner, one.matches) for one in await service.pair_ratings_of(1)
        ]
        assert [(3, 4, 2), (3, 1, 1)] == [
            (one.person, one.partner, one.matches) for one in await service.pair_ratings_of(3)
        ]
        assert await service.pair_rating((3, 1), CLASSIC) == (await service.pair_ratings_of(1))[1].rating
        assert await service.pair_rating((1, 4), CLASSIC) is None
        assert frozenset({CLASSIC}) == await service.pair_ladders()


async def test_late_or_corrected_matches_of_pairs_give_the_same_ratings_as_in_time(tmp_path: Path) -> None:
    games = [match(1, (1, 2), (3, 4)), match(2, (1, 3), (2, 4)), match(3, (1, 2), (4, 3), 50)]
    async with open_new_store(tmp_path / "store") as store:
        service = RatingService(store.ratings, ManualClock())
        for one in (games[2], games[0], replace(games[1], sides=games[1].sides[::-1]), games[1]):
            await service.rate_match(one)
        await check_formulas(store, games)
        before = await pair_ratings(store)
        await service.recompute_all_ladders()
        assert before == await pair_ratings(store)
        assert await service.revoke_match(games[1].id)
        await check_formulas(store, [games[0], games[2]])


async def test_a_pair_has_the_lesser_share_of_its_two_persons(tmp_path: Path) -> None:
    part = with_seat(match(1, (1, 2), (3, 4)), seat(1, computer=1))
    async with open_new_store(tmp_path / "store") as store:
        await RatingService(store.ratings, ManualClock()).rate_match(part)
        await check_formulas(store, [part])
        whole = await pair_ratings(store)
        assert START.mu < whole["1+2"][0]
        assert whole["1+2"][0] - START.mu < START.mu - whole["3+4"][0]


async def test_a_pair_one_of_whom_gave_up_has_lost(tmp_path: Path) -> None:
    gone = with_seat(match(1, (1, 2), (3, 4)), seat(1, lost=True))
    async with open_new_store(tmp_path / "store") as store:
        await RatingService(store.ratings, ManualClock()).rate_match(gone)
        await check_formulas(store, [gone])
        assert START.mu > (await pair_ratings(store))["1+2"][0]


async def test_there_is_no_pair_without_two_rated_persons_on_every_side(tmp_path: Path) -> None:
    shared = SeatPlayed(((5, 1), (1, 1), (6, 1)), computer=1)
    alone = tuple(SidePlayed((seat(person),), total) for person, total in ((1, 500), (2, 100)))
    async with open_new_store(tmp_path / "store") as store:
        service = RatingService(store.ratings, ManualClock())
        await service.rate_match(with_seat(match(1, (1, 2), (3, 4)), shared))
        await service.rate_match(replace(match(2, (1, 2), (3, 4)), sides=alone))
        assert {} == await pair_ratings(store)
        assert () == await service.pair_ratings_of(2)


async def test_the_leaderboard_of_pairs_has_those_of_the_server_that_are_not_provisional(tmp_path: Path) -> None:
    async with open_new_store(tmp_path / "store") as store:
        service = RatingService(store.ratings, ManualClock())
        await service.rate_match(match(1, (1, 2), (3, 4)))
        assert () == await service.leaderboard(CLASSIC, pairs=True)
        for number in range(2, 24):
            await service.rate_match(match(number, (1, 2), (3, 4)))
            await service.rate_match(match(100 + number, (1, 5), (3, 6), guild=901))
        board = await service.leaderboard(CLASSIC, pairs=True)
        assert {(1, 2), (3, 4), (1, 5), (3, 6)} == {(one.person, one.partner) for one in board}
        assert sorted((one.rating.displayed_value for one in board), reverse=True) == [
            one.rating.displayed_value for one in board
        ]
        here = await service.leaderboard(CLASSIC, guild=900, pairs=True)
        assert [(1, 2), (3, 4)] == [(one.person, one.partner) for one in here]
        assert {None} == {one.partner for one in await service.leaderboard(CLASSIC)}


async def test_the_pairs_of_others_stay_when_a_person_is_forgotten(tmp_path: Path) -> None:
    games = [match(1, (1, 2), (3, 4)), match(2, (1, 3), (2, 4)), match(3, (1, 2), (3, 4), 50)]
    async with open_new_store(tmp_path / "store") as store:
        service = RatingService(store.ratings, ManualClock())
        for one in games:
            await service.rate_match(one)
        before = await pair_ratings(store)
        await service.forget(1)
        others = {name: before[name] for name in ("3+4", "2+4")}
        assert others == await pair_ratings(store)
        await service.recompute_all_ladders()
        assert others == await pair_ratings(store)
        corrected = with_seat(match(3, (1, 2), (3, 4), 1500), seat(-9))
        assert await service.rate_match(corrected)
        assert others["3+4"][0] > (await pair_ratings(store))["3+4"][0]
        assert await service.rate_match(with_seat(games[2], seat(-9)))
        assert others == await pair_ratings(store)


async def test_pairs_are_exported_with_their_earlier_ratings(tmp_path: Path) -> None:
    def as_tournament_match(rated: RatedMatch) -> RatedMatch:
        return replace(rated, id=MatchId(6, rated.id.number))

    async with open_new_store(tmp_path / "store") as store:
        service = RatingService(store.ratings, ManualClock())
        await service.rate_match(match(1, (1, 2), (3, 4)))
        reached = await pair_ratings(store)
        await service.rate_match(as_tournament_match(match(2, (2, 1), (5, 6))))
        await service.rate_match(as_tournament_match(match(3, (2, 5), (1, 6))))
        exported = await service.export_log(6)
        starts = {tuple(one["people"]): one["start"] for one in exported["pairs"]}
        assert {("1", "2"), ("5", "6"), ("2", "5"), ("1", "6")} == set(starts)
        assert [*reached["1+2"][:2], NOW + 1] == starts["1", "2"]
        assert [25.0, 25 / 3, None] == starts["5", "6"]
        assert [[600, 4], [600, 4]] == [[row["margin"], row["deals"]] for row in exported["log"]]
        first, _ = exported["log"][0]["pairs"]
        assert list(reached["1+2"][:2]) == first["before"]
        assert list((await pair_ratings(store))["1+2"][:2]) == first["after"]
