"""The rating service: corrections, leaderboards, absence, and deleted people."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bot.ratings.log_replay import rate_all_matches
from bot.ratings.rating_rules import DECAY_SPAN, START, Ladder, MatchId, RatedMatch, SeatPlayed, SidePlayed, unrated_row
from bot.ratings.service import RatingService
from bot.store.store import Store
from tests.support.clock import START as NOW
from tests.support.clock import ManualClock
from tests.support.empty_database import open_new_store

CLASSIC = Ladder("classic", 2)
SAMBA = Ladder("runs", 2)


def match(
    number: int, winner: int, loser: int, *, at: int | None = None, ladder: Ladder = CLASSIC, won: int = 500
) -> RatedMatch:
    sides = tuple(SidePlayed((SeatPlayed(((person, 3),)),), total) for person, total in ((winner, won), (loser, 100)))
    instant = NOW + number if at is None else at
    guild = 900 + number % 2
    return RatedMatch(id=MatchId(0, number), at=instant, ladder=ladder, guild=guild, sides=sides, deals=3, unit=2)


async def all_ratings(store: Store, ladder: Ladder = CLASSIC) -> dict[int, tuple[float, float, int]]:
    return {
        one.person: (one.mu, one.sigma, one.matches)
        for one in await store.ratings.ladder_ratings(ladder.family, ladder.players)
    }


async def ratings_of_matches(path: Path, *matches: RatedMatch) -> dict[int, tuple[float, float, int]]:
    """Rate these matches in a new file; return the resulting ratings."""
    async with open_new_store(path) as store:
        service = RatingService(store.ratings, ManualClock())
        for one in matches:
            await service.rate_match(one)
        return await all_ratings(store)


async def test_late_repeated_or_corrected_matches_give_the_same_ratings(tmp_path: Path) -> None:
    right = [match(1, 1, 2), match(2, 2, 3), match(3, 3, 1), match(4, 1, 3)]
    expected = await ratings_of_matches(tmp_path / "a", *right)
    assert expected == await ratings_of_matches(tmp_path / "b", *reversed(right))
    assert expected == await ratings_of_matches(tmp_path / "c", *right, *right)
    assert expected == await ratings_of_matches(tmp_path / "d", right[0], match(2, 3, 2), *right[2:], right[1])
    assert expected == await ratings_of_matches(tmp_path / "e", match(2, 1, 2, ladder=SAMBA), *right)


async def test_a_match_that_is_rated_while_the_log_is_read_is_read_whole_or_not_at_all(tmp_path: Path) -> None:
    async with open_new_store(tmp_path / "store") as store:
        service, database = RatingService(store.ratings, ManualClock()), store.ratings._database
        await service.rate_match(match(1, 1, 2))
        fetch, waiting = database.fetch, [match(2, 2, 3), match(3, 3, 1)]

        async def fetch_while_matches_end(sql: str, parameters: Mapping[str, object]) -> Sequence[Any]:
            rows = await fetch(sql, parameters)
            if waiting and "rating_" in sql:
                one = waiting.pop()
                await RatingService(other.ratings, ManualClock()).rate_match(one)
            return rows

        other = Store(database)
        reading = Store(_DatabaseWithReads(database, fetch_while_matches_end))  # type: ignore[arg-type]
        for row in await reading.ratings.logged_rows(0):
            assert 2 == len(row.places), row.number


class _DatabaseWithReads:
    """A database that reads with the given function."""

    def __init__(self, database: Any, fetch: Callable[..., Any]) -> None:
        self.set_aside = database.set_aside
        self.fetch = fetch


async def test_a_withdrawn_match_has_no_effect_and_may_be_sent_again(tmp_path: Path) -> None:
    first, second = match(1, 1, 2), match(2, 2, 3)
    async with open_new_store(tmp_path / "store") as store:
        service = RatingService(store.ratings, ManualClock())
        await service.rate_match(first)
        await service.rate_match(second)
        before = await all_ratings(store)
        assert await service.revoke_match(first.id)
        assert not await service.revoke_match(first.id)
        assert await all_ratings(store) == await ratings_of_matches(tmp_path / "alone", second)
        assert await service.rate_match(first)
        assert before == await all_ratings(store)
        assert [False, False, True, False] == [row.void for row in await service.tournament_log(0)]
        await service.recompute_all_ladders()
        assert before == await all_ratings(store)


async def test_leaderboards_leave_out_provisional_players_and_may_show_one_server(tmp_path: Path) -> None:
    async with open_new_store(tmp_path / "store") as store:
        clock = ManualClock()
        service = RatingService(store.ratings, clock)
        await service.rate_match(match(1, 1, 2))
        assert () == await service.leaderboard(CLASSIC)
        for number in range(2, 120):
            await service.rate_match(match(number, 1 + number % 3, 4 + number % 2))
        persons = [one.person for one in await service.leaderboard(CLASSIC)]
        assert {1, 2, 3, 4, 5} == set(persons)
        assert {1, 2, 3, 4} == {one.person for one in await service.leaderboard(CLASSIC, guild=900)}
        assert {4} == {one.person for one in await service.leaderboard(CLASSIC, people={4, 77})}
        assert () == await service.leaderboard(CLASSIC, guild=5)
        clock.advance(50 * DECAY_SPAN)
        assert () == await service.leaderboard(CLASSIC), "after years nobody knows any more"


async def test_an_unknown_player_has_the_initial_rating(tmp_path: Path) -> None:
    async with open_new_store(tmp_path / "store") as store:
        service = RatingService(store.ratings, ManualClock())
        assert START == await service.rating_of(1, CLASSIC)
        await service.rate_match(match(1, 1, 2))
        assert START == await service.rating_of(1, SAMBA)
        assert [await service.rating_of(1, CLASSIC)] == [one.rating for one in await service.ratings_of(1)]
        assert (await service.rating_of(1, CLASSIC),) == await service.rating_history(1, CLASSIC)


async def test_the_ratings_of_others_stay_when_a_person_is_forgotten(tmp_path: Path) -> None:
    async with open_new_store(tmp_path / "store") as store:
        service = RatingService(store.ratings, ManualClock())
        for one in (match(1, 1, 2), match(2, 2, 3), match(3, 1, 3)):
            await service.rate_match(one)
        before = await all_ratings(store)
        await service.forget(1)
        others = {person: figures for person, figures in before.items() if person != 1}
        assert others == await all_ratings(store)
        await service.recompute_all_ladders()
        assert others == await all_ratings(store)
        persons = [place.person for row in await service.tournament_log(0) for place in row.places]
        assert len(persons) == len(set(persons) - {2, 3}) + 4, "nothing links one match with another"
        await service.rate_match(match(4, 1, 2))
        assert START.mu < (await service.rating_of(1, CLASSIC)).mu, "and may come back as somebody new"


@given(st.permutations([(1, 2), (2, 3), (3, 1), (1, 4), (4, 2)]), st.integers(0, 5))
def test_matches_at_one_instant_count_by_their_numbers(games: list[tuple[int, int]], moved: int) -> None:
    rows = [unrated_row(match(number, *game, at=NOW)) for number, game in enumerate(games)]
    known = [row for row in rows if row is not None]
    assert rate_all_matches(known) == rate_all_matches([*known[moved:], *known[:moved]])


async def test_a_correction_after_a_person_was_forgotten_keeps_what_was_known(tmp_path: Path) -> None:
    async with open_new_store(tmp_path / "store") as store:
        service = RatingService(store.ratings, ManualClock())
        await service.rate_match(match(1, 1, 2))
        await service.rate_match(match(2, 1, 2))
        await service.forget(1)
        before = await all_ratings(store)
        assert not await service.rate_match(match(2, -8, 2))
        assert await service.rate_match(match(2, -8, 2, won=0))
        corrected = await all_ratings(store)
        assert before[2][0] < corrected[2][0]
        assert await service.rate_match(match(2, -8, 2))
        assert before == await all_ratings(store)
