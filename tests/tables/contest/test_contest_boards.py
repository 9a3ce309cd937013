"""Duplicate boards: several tables get the same cards (`docs/tournaments.md` 1.3, 3, 7).

A board is sealed until the last of its tables has finished.
"""

from __future__ import annotations

from random import Random

import pytest

from bot.__main__ import main
from bot.engine.rules.sets import rule_set
from bot.tables.contest.directing import board_rules
from bot.tables.core.rules_thread import is_quick
from bot.tables.state.refusals import TableCode
from bot.tables.state.shuffle import board_name, commitment, commitment_for_name, deal_name
from bot.tables.state.snapshots import Status
from bot.verify_command import HOLDS
from tests.support.tables import EAST, GUILD, NORTH, SOUTH, STRANGER, WEST, World, refusal_of
from tests.support.tournament_tables import HERE, SEED, SHARES, board_opening, match_opening


async def test_a_board_is_dealt_alike_at_every_table(world: World) -> None:
    first = await world.service.contest.open_contest(HERE, board_opening(1))
    second = await world.service.contest.open_contest(HERE, board_opening(2, seats=(SOUTH, WEST, NORTH, EAST)))
    hands = [
        [(await world.service.reading.seat_snapshot_of(snapshot.id, one)).view for one in snapshot.persons]
        for snapshot in (first, second)
    ]
    assert [one and one.hand for one in hands[0]] == [one and one.hand for one in hands[1]]
    assert first.view is not None
    assert second.view is not None
    assert (1, 1) == (first.view.dealer, second.view.dealer)
    assert (90, 90) == tuple(first.terms.initial_meld_minimum(score) for score in (0, 5000))
    assert first.shuffle == ()


async def test_a_sealed_board_is_shown_to_its_players_only(world: World) -> None:
    table = (await world.service.contest.open_contest(HERE, board_opening(1))).id
    service, sealed = world.service, (TableCode.BOARD_SEALED, {"table": table})
    assert sealed == await refusal_of(service.reading.snapshot_for(table, person=STRANGER, guild=GUILD))
    assert 1 == (await service.past.deal_log(table, None, person=NORTH, guild=GUILD)).deal
    snapshot = await world.finish_deal(table, Random(1))
    assert Status.FINISHED is snapshot.status
    assert table == (await service.reading.snapshot_for(table, person=NORTH, guild=GUILD)).id
    assert sealed == await refusal_of(service.reading.snapshot_for(table, person=STRANGER, guild=GUILD))
    for person in (NORTH, STRANGER):
        assert sealed == await refusal_of(service.past.deal_log(table, 1, person=person, guild=GUILD))
        assert sealed == await refusal_of(service.past.replay(table, 1, person=person, guild=GUILD))
        assert sealed == await refusal_of(service.past.game_file(table, person=person, guild=GUILD))
        assert sealed == await refusal_of(service.past.play_again(world.caller(person), table, 1, channel=1))
    assert table not in [one.id for one in await service.past.finished_tables_in(GUILD)]
    assert () == await world.store.players.results(NORTH)


async def test_an_unsealed_board_is_shown_to_everyone(world: World) -> None:
    table = (await world.service.contest.open_contest(HERE, board_opening(1))).id
    await world.finish_deal(table, Random(1))
    await world.service.contest.unseal(table)
    snapshot = await world.service.reading.snapshot_for(table, person=STRANGER, guild=GUILD)
    assert snapshot.contest is not None
    assert not snapshot.contest.sealed
    replay = await world.service.past.replay(table, 1, person=STRANGER, guild=GUILD)
    assert 1 == replay.deal
    assert table in [one.id for one in await world.service.past.finished_tables_in(GUILD)]
    assert [table] == [one.table for one in await world.store.players.results(NORTH)]
    assert snapshot.version == (await world.service.contest.unseal(table)).version


async def test_a_boards_record_replays_and_matches_its_seed(
    world: World, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    table = (await world.service.contest.open_contest(HERE, board_opening(1, board_number=3))).id
    await world.finish_deal(table, Random(1))
    await world.service.contest.unseal(table)
    told = await world.service.past.game_file(table, person=NORTH, guild=GUILD)
    path = tmp_path_factory.mktemp("records") / "record.json"
    path.write_text(told.text, encoding="utf-8")
    assert HOLDS == main(["verify", str(path)])
    name = board_name(9, 3)
    published = [
        "--commitment",
        commitment_for_name(SEED, name),
        "--seed",
        SEED.hex(),
        "--contributions",
        ",".join(SHARES),
    ]
    assert HOLDS == main(["verify", "--event", "9", "--board", "3", *published])
    assert "event 9, board 3" in capsys.readouterr().out


@pytest.mark.parametrize(("minimum", "quick"), [(50, True), (90, True), (120, True), (1000, False)])
def test_rules_with_a_boards_minimum_are_quick_to_compute_unless_it_is_extreme(minimum: int, quick: bool) -> None:  # noqa: FBT001
    assert quick == is_quick(board_rules(rule_set("classic", 4), minimum))


def test_a_board_and_a_deal_of_the_same_number_have_different_commitments() -> None:
    assert commitment(SEED, 9, 3) == commitment_for_name(SEED, deal_name(9, 3))
    assert commitment(SEED, 9, 3) != commitment_for_name(SEED, board_name(9, 3))


async def test_the_seed_of_a_sealed_table_is_published_when_it_is_unsealed(world: World) -> None:
    wanted = match_opening(deals=1, sealed=True)
    table = (await world.service.contest.open_contest(HERE, wanted)).id
    snapshot = await world.finish_deal(table, Random(1))
    assert snapshot.shuffle[0].seed is None
    snapshot = await world.service.contest.unseal(table)
    assert snapshot.shuffle[0].seed is not None
