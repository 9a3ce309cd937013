"""Ratings of tables: which games count, how they count, and that each counts only once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.outbox import Outbox, PromiseKind
from bot.ratings.rating_rules import Ladder, SeatPlayed, unrated_row
from bot.ratings.service import RatingService
from bot.store.errors import StoreClosed
from bot.store.outbox import RATE, OutboxRow
from bot.store.ratings import RatingMargin, RatingPlace
from bot.tables.rating_finished_games import TableRatings, rated_match_of
from bot.tables.state.clocks import Conclusion, TableSettings
from bot.tables.state.snapshots import ReplayedDeal, SeatHolder, TableSnapshot
from tests.support.stand_ins import StandIn
from tests.support.tables import EAST, GUILD, NORTH, SOUTH, WEST, World, open_world

ALL = (NORTH, EAST, SOUTH, WEST)
CLASSIC = Ladder("classic", 4)


async def start_rated_game(world: World, *persons: int, players: int = 4, target: int = 500, **settings: Any) -> int:
    """Start a rated game with these people, filled with computer players; return its number."""
    asked = TableSettings(rated=True, **settings)
    snapshot = await world.service.lobby.create(
        world.caller(persons[0]), channel=800, players=players, target=target, settings=asked
    )
    for person in persons[1:]:
        await world.service.lobby.join(world.caller(person), snapshot.id)
    await world.service.lobby.start(world.caller(persons[0]), snapshot.id, fill=True)
    return snapshot.id


def ratings_and_outbox(world: World, promises: Any = None) -> tuple[RatingService, Outbox]:
    """Return the rating service, and an outbox that has it rate the tables in `promises`."""
    ratings = RatingService(world.store.ratings, world.clock)
    outbox = Outbox(promises or world.store.outbox, world.clock)
    tables = TableRatings(world.service.reading, ratings)

    async def rate_table(row: OutboxRow) -> None:
        await tables.rate(int(row.key.removeprefix("b")), row.made_at)

    outbox.register(RATE, PromiseKind(rate_table))
    return ratings, outbox


async def due_ratings(world: World) -> list[tuple[str, str, int]]:
    return [(one.kind, one.key, one.made_at) for one in await world.store.outbox.all_promises()]


async def rating_places(world: World) -> list[RatingPlace]:
    return [place for row in await world.store.ratings.logged_rows(0) for place in row.places]


async def test_the_end_of_a_rated_game_is_rated(world: World) -> None:
    ratings, outbox = ratings_and_outbox(world)
    table = await start_rated_game(world, *ALL)
    end_deal = await world.finish_game(table, Random(5))
    await outbox.carry_out_due_effects()
    assert end_deal.view is not None
    winner = end_deal.view.winner
    assert [(person, 1 if seat % 2 == winner else 2) for seat, person in enumerate(ALL)] == [
        (one.person, one.rank) for one in sorted(await rating_places(world), key=lambda one: one.person)
    ]
    (row,) = await world.store.ratings.logged_rows(0)
    assert (end_deal.updated_at, GUILD, table, 0) == (row.at, row.guild, row.number, row.tournament)
    first, second = end_deal.view.totals
    assert RatingMargin(first.score - second.score, len(end_deal.view.results), 2) == row.margin
    assert {1} == {one.matches for person in ALL for one in await ratings.ratings_of(person)}
    assert [] == await due_ratings(world)


async def test_games_without_the_rated_setting_are_not_rated(world: World) -> None:
    snapshot = await world.start_game(*ALL, target=500)
    await world.finish_game(snapshot.id, Random(5))
    assert [] == await due_ratings(world)


async def test_a_game_whose_process_ended_before_its_rating_is_rated_once_after_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    async with open_world(path) as world:
        table = await start_rated_game(world, NORTH, EAST, players=2)
        end_deal = await world.finish_game(table, Random(5))
        assert [("rate", f"b{table}", end_deal.updated_at)] == await due_ratings(world)
    async with open_world(path) as world:
        _, outbox = ratings_and_outbox(world, StandIn(world.store.outbox, delete_promise=_raise_store_closed))
        with pytest.raises(StoreClosed):
            await outbox.carry_out_due_effects()
        before = await rating_places(world)
        assert [NORTH, EAST] == [one.person for one in before]
        (row,) = await world.store.ratings.logged_rows(0)
        assert end_deal.updated_at == row.at
    async with open_world(path) as world:
        _, outbox = ratings_and_outbox(world)
        await outbox.carry_out_due_effects()
        assert (before, []) == (await rating_places(world), await due_ratings(world))


async def _raise_store_closed(_row: OutboxRow) -> None:
    raise StoreClosed


async def changed_snapshot(world: World, table: int, **changed: Any) -> TableSnapshot:
    """Return the table's snapshot with the given fields changed."""
    snapshot = await world.service.reading.snapshot(table)
    return replace(snapshot, **changed)


async def test_an_end_agreed_by_all_counts_from_half_of_the_deals_on(world: World) -> None:
    table = await start_rated_game(world, *ALL, target=5000, deals=3)
    await world.finish_deal(table, Random(1))
    agreed = Conclusion("agreed", 0, (310, 100))
    assert rated_match_of(await changed_snapshot(world, table, conclusion=agreed), at=1) is None
    half = TableSettings(rated=True, deals=2)
    match = rated_match_of(await changed_snapshot(world, table, conclusion=agreed, settings=half), at=1)
    assert match is not None
    assert ((1, 2), RatingMargin(210, 1, 2)) == (match.ranks, match.margin)
    to_target = TableSettings(rated=True)
    assert rated_match_of(await changed_snapshot(world, table, conclusion=agreed, settings=to_target), at=1) is None
    far = Conclusion("agreed", 0, (2500, 100))
    assert rated_match_of(await changed_snapshot(world, table, conclusion=far, settings=to_target), at=1) is not None


async def test_a_player_who_resigns_in_the_first_deal_has_lost(world: World) -> None:
    table = await start_rated_game(world, *ALL)
    snapshot = await changed_snapshot(world, table, conclusion=Conclusion("resigned", 1, (0, 0), last=0))
    match = rated_match_of(snapshot, at=1)
    assert match is not None
    assert (2, 1) == match.ranks
    assert match.margin is None, "a side that gave up has lost, by whatever margin"
    assert SeatPlayed(((NORTH, 1),)) == match.sides[0].seats[0]
    agreed = replace(snapshot, conclusion=Conclusion("agreed", None, (0, 0)))
    assert rated_match_of(agreed, at=1) is None


async def test_a_player_who_leaves_on_purpose_has_lost_whoever_wins_the_game(world: World) -> None:
    _, outbox = ratings_and_outbox(world)
    table = await start_rated_game(world, *ALL, target=5000, deals=3)
    await world.finish_deal(table, Random(3))
    await world.service.play.begin_next_deal(world.caller(NORTH), table)
    await world.service.lobby.leave(world.caller(SOUTH), table)
    await world.finish_game(table, Random(3))
    await outbox.carry_out_due_effects()
    found = {one.person: (one.lost, one.share) for one in await rating_places(world)}
    assert (True, 1.0) == found[SOUTH]
    assert {False} == {lost for person, (lost, _) in found.items() if person != SOUTH}


async def test_a_player_who_returns_has_not_left(world: World) -> None:
    table = await start_rated_game(world, *ALL, target=5000)
    await world.service.lobby.leave(world.caller(SOUTH), table)
    away = rated_match_of(await changed_snapshot(world, table, conclusion=Conclusion("latest_end", 0, (9, 0))), at=1)
    assert away is None, "no deal is finished"
    await world.finish_deal(table, Random(3))
    snapshot = await world.give_seat_back(SOUTH, table)
    match = rated_match_of(replace(snapshot, conclusion=Conclusion("latest_end", 0, (9, 0))), at=1)
    assert match is not None
    assert SeatPlayed((), 1) == match.sides[0].seats[1]
    assert unrated_row(match) is None


async def test_a_side_that_forfeits_a_game_of_three_comes_last_and_its_person_has_lost(world: World) -> None:
    table = await start_rated_game(world, NORTH, EAST, SOUTH, players=3)
    snapshot = await world.service.reading.snapshot(table)
    gone = SeatHolder("computer", number=1, kept_for=EAST, kept_name="East")
    snapshot = replace(
        snapshot,
        seats=(snapshot.seats[0], gone, snapshot.seats[2]),
        absence=replace(snapshot.absence, forfeited=(1,)),
        conclusion=Conclusion("forfeited", 0, (200, 900, 100)),
    )
    match = rated_match_of(snapshot, at=1)
    assert match is not None
    assert (1, 3, 2) == match.ranks
    assert EAST == match.sides[1].seats[0].lost


@pytest.mark.parametrize(
    ("rules", "players"), [("classic-cut-throat", 3), ("classic-rotating", 6), ("classic-trios", 6)]
)
async def test_every_seat_is_rated_with_its_side(world: World, rules: str, players: int) -> None:
    settings = TableSettings(rated=True)
    snapshot = await world.service.lobby.create(
        world.caller(NORTH), channel=800, rules=rules, players=players, computers=players - 1, settings=settings
    )
    snapshot = await world.service.lobby.start(world.caller(NORTH), snapshot.id)
    match = rated_match_of(
        replace(snapshot, conclusion=Conclusion("resigned", 1, (0,) * snapshot.terms.sides, last=0)), at=1
    )
    assert match is not None
    assert [len(snapshot.terms.seats_of(side)) for side in range(snapshot.terms.sides)] == [
        len(side.seats) for side in match.sides
    ]
    persons = [person for side in match.sides for seat in side.seats for person in seat.persons]
    assert [(NORTH, 1)] == persons
    assert unrated_row(match) is None, "computer players have played the rest"


async def test_games_with_known_cards_are_not_rated(world: World) -> None:
    table = await start_rated_game(world, *ALL)
    snapshot = await changed_snapshot(world, table, conclusion=Conclusion("resigned", 1, (0, 0), last=0))
    assert rated_match_of(replace(snapshot, cards_of=ReplayedDeal(3, 1)), at=1) is None


async def test_games_with_themes_are_not_rated(world: World) -> None:
    table = await start_rated_game(world, *ALL)
    snapshot = await changed_snapshot(world, table, conclusion=Conclusion("resigned", 1, (0, 0), last=0))
    lobby = await world.service.lobby.create(world.caller(NORTH), channel=800, themes=["ace-start"])
    assert lobby.terms.theme
    assert rated_match_of(replace(snapshot, terms=lobby.terms), at=1) is None
