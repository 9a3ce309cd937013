"""Rules at a table: house rules in the lobby, rules saved by a server, default rules."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.engine.law.rule_conflicts import ProblemCode
from bot.engine.rules.sets import rule_set
from bot.tables.core.limits import Limits
from bot.tables.state.fold import apply_table_events
from bot.tables.state.refusals import RulesRefused, TableCode
from bot.tables.state.snapshots import Status, TableSnapshot
from tests.support.stored_table_data import events_of, record_of
from tests.support.tables import CHANNEL, EAST, GUILD, NORTH, OTHER_GUILD, SOUTH, World, open_world, refusal_of

CLASSIC = rule_set("classic", 4)


async def change_rules(world: World, table: int, person: int = NORTH, **options: Any) -> TableSnapshot:
    return await world.service.rules.change_rules(world.caller(person), table, options)


# --- house rules ------------------------------------------------------------------------------------------------------


async def test_the_host_changes_what_a_lobby_will_play(world: World) -> None:
    lobby = await world.open_lobby(NORTH)
    assert CLASSIC == lobby.terms == lobby.base
    snapshot = await change_rules(world, lobby.id, hand_size=13, out_canastas=2, target=3000)
    assert (13, 2, 3000) == (snapshot.terms.hand_size, snapshot.terms.out_canastas, snapshot.target)
    assert CLASSIC == snapshot.base
    snapshot = await world.service.lobby.start(world.caller(NORTH), lobby.id, fill=True)
    assert snapshot.view is not None
    assert {13} == {seat.cards for seat in snapshot.view.seats if seat.seat != snapshot.view.turn}
    assert 2 == snapshot.view.rules.out_canastas


async def test_one_parameter_or_all_can_be_reset_to_the_opening_rules(world: World) -> None:
    lobby = await world.open_lobby(NORTH, target=3000)
    await change_rules(world, lobby.id, hand_size=13, out_canastas=2, target=10_000)
    snapshot = await world.service.rules.reset_rules(world.caller(NORTH), lobby.id, ["hand_size"])
    assert (11, 2) == (snapshot.terms.hand_size, snapshot.terms.out_canastas)
    snapshot = await world.service.rules.reset_rules(world.caller(NORTH), lobby.id)
    assert snapshot.base == snapshot.terms
    assert 3000 == snapshot.target


@pytest.mark.parametrize(
    ("options", "code", "detail"),
    [
        ({"hand_size": 25}, ProblemCode.STOCK_TOO_SMALL, {"left": 7, "required": 20}),
        ({"hand_size": 0}, ProblemCode.OUT_OF_RANGE, {"parameter": "hand_size", "lowest": 1, "highest": 100}),
        ({"players": 6}, ProblemCode.NO_SUCH_PARAMETER, {"parameter": "players"}),
        ({"direction": 1}, ProblemCode.NOT_A_VALUE, {"parameter": "direction"}),
    ],
)
async def test_unplayable_rules_are_refused_with_the_reason_and_change_nothing(
    world: World, options: dict[str, Any], code: ProblemCode, detail: dict[str, Any]
) -> None:
    lobby = await world.open_lobby(NORTH)
    with pytest.raises(RulesRefused) as caught:
        await change_rules(world, lobby.id, **options)
    assert TableCode.RULES_UNPLAYABLE is caught.value.code
    assert (code, detail) in [(problem.code, problem.detail) for problem in caught.value.problems]
    assert await world.service.reading.snapshot(lobby.id) == lobby


async def test_only_the_host_changes_rules_and_only_before_the_first_deal(world: World) -> None:
    lobby = await world.open_lobby(NORTH, SOUTH)
    assert (TableCode.NOT_HOST, {"table": lobby.id, "host": NORTH}) == await refusal_of(
        change_rules(world, lobby.id, SOUTH, hand_size=13)
    )
    assert TableCode.NOT_HOST is (await refusal_of(world.service.rules.reset_rules(world.caller(SOUTH), lobby.id)))[0]
    assert TableCode.TARGET_OUT_OF_RANGE is (await refusal_of(change_rules(world, lobby.id, target=50)))[0]
    await world.service.lobby.start(world.caller(NORTH), lobby.id, fill=True)
    assert TableCode.ALREADY_STARTED is (await refusal_of(change_rules(world, lobby.id, hand_size=13)))[0]


async def test_guests_but_not_the_host_see_what_changed_since_they_joined(world: World) -> None:
    lobby = await world.open_lobby(NORTH)
    snapshot = await change_rules(world, lobby.id, hand_size=13)
    assert snapshot.joined_terms == snapshot.terms
    await world.service.lobby.join(world.caller(SOUTH), lobby.id)
    await change_rules(world, lobby.id, out_canastas=2)
    snapshot = await world.service.lobby.join(world.caller(SOUTH), lobby.id, seat=3)
    assert (13, 1) == (snapshot.joined_terms.hand_size, snapshot.joined_terms.out_canastas)
    snapshot = await change_rules(world, lobby.id, out_canastas=1)
    assert snapshot.joined_terms == snapshot.terms
    await change_rules(world, lobby.id, out_canastas=3)
    snapshot = await world.service.lobby.leave(world.caller(SOUTH), lobby.id)
    assert snapshot.joined_terms == snapshot.terms


async def test_a_rematch_keeps_the_house_rules_and_their_base(world: World) -> None:
    lobby = await world.open_lobby(NORTH, SOUTH, players=2)
    await change_rules(world, lobby.id, out_canastas=0, rounds=1)
    await world.service.lobby.start(world.caller(NORTH), lobby.id)
    assert Status.FINISHED is (await world.finish_game(lobby.id, Random(3))).status
    snapshot = await world.service.lobby.rematch(world.caller(SOUTH), lobby.id)
    assert (0, 1) == (snapshot.terms.out_canastas, snapshot.terms.rounds)
    assert rule_set("classic", 2) == snapshot.base
    assert snapshot.joined_terms == snapshot.terms


async def test_a_log_with_changed_rules_folds_into_the_stored_table(world: World) -> None:
    lobby = await world.open_lobby(NORTH, SOUTH)
    await change_rules(world, lobby.id, hand_size=13)
    await change_rules(world, lobby.id, meld_max=8, open_table=[["neg", 0], [0, 60]])
    record = await record_of(world.store, lobby.id)
    assert record == apply_table_events(None, await events_of(world.store, lobby.id))
    assert (CLASSIC, CLASSIC) == (record.base, record.joined_rules)


# --- what a server saves ----------------------------------------------------------------------------------------------


async def test_a_server_saves_rules_under_a_name_and_opens_tables_with_them(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    async with open_world(path) as world:
        lobby = await world.open_lobby(NORTH)
        await change_rules(world, lobby.id, hand_size=13, target=3000)
        offer, replaced = await world.service.rules.save_rules(world.caller(NORTH), lobby.id, "  Friday   night ")
        assert ("Friday night", (4,), False) == (offer.name, offer.players, replaced)
    async with open_world(path, first_request=6_000_000) as world:
        assert ["Friday night"] == [one.name for one in await world.service.rules.saved_rules(GUILD)]
        assert () == await world.service.rules.saved_rules(OTHER_GUILD)
        snapshot = await world.service.lobby.create(world.caller(SOUTH), channel=CHANNEL, rules="friday NIGHT")
        assert ("Friday night", "classic", 13, 3000) == (
            snapshot.saved_as,
            snapshot.rules,
            snapshot.terms.hand_size,
            snapshot.target,
        )
        assert snapshot.base == snapshot.terms
        snapshot = await world.service.lobby.create(
            world.caller(EAST), channel=CHANNEL, rules="Friday night", target=500
        )
        assert (500, 13) == (snapshot.target, snapshot.terms.hand_size)
        await world.service.lobby.start(world.caller(EAST), snapshot.id, fill=True)
        assert 13 == (await world.finish_deal(snapshot.id, Random(1))).terms.hand_size


async def test_saved_rules_are_for_as_many_players_as_their_table(world: World) -> None:
    lobby = await world.open_lobby(NORTH, players=2)
    await world.service.rules.save_rules(world.caller(NORTH), lobby.id, "Duel")
    assert 2 == (await world.service.lobby.create(world.caller(SOUTH), channel=CHANNEL, rules="Duel")).players
    asked = world.service.lobby.create(world.caller(EAST), channel=CHANNEL, rules="duel", players=4)
    assert (TableCode.PLAYERS_NOT_OFFERED, {"rules": "Duel", "players": 4, "offered": "2"}) == await refusal_of(asked)


async def test_names_are_limited_and_none_hides_a_rule_set_of_the_program(tmp_path: Path) -> None:
    limits = Limits(burst=1000, refill=1, rules_per_guild=2)
    async with open_world(tmp_path / "canasta.db", limits=limits) as world:
        table = (await world.open_lobby(NORTH)).id

        async def save_rules_as(name: str) -> tuple[str, bool]:
            offer, replaced = await world.service.rules.save_rules(world.caller(NORTH), table, name)
            return offer.name, replaced

        for name in ("Classic", " italian CLUB ", "italian_club"):
            assert TableCode.RULES_NAME_TAKEN is (await refusal_of(save_rules_as(name)))[0]
        for name in ("", "   ", "\u200b", "- _"):
            assert TableCode.RULES_NAME_EMPTY is (await refusal_of(save_rules_as(name)))[0]
        assert ("n" * 32, False) == await save_rules_as("n" * 80)
        assert ("House", False) == await save_rules_as("House")
        assert ("HOUSE", True) == await save_rules_as("HOUSE")
        assert (TableCode.TOO_MANY_RULES, {"saved": 2, "allowed": 2}) == await refusal_of(save_rules_as("Another"))
        stranger = world.caller(NORTH, guild=OTHER_GUILD)
        assert TableCode.WRONG_SERVER is (await refusal_of(world.service.rules.save_rules(stranger, table, "Mine")))[0]


async def test_the_default_rules_apply_until_they_are_deleted(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    async with open_world(path) as world:
        lobby = await world.open_lobby(NORTH)
        await change_rules(world, lobby.id, hand_size=13)
        await world.service.rules.save_rules(world.caller(NORTH), lobby.id, "House")
        assert "classic" == (await world.service.rules.default_rules(GUILD)).name
        assert "House" == (await world.service.rules.choose_default_rules(world.caller(NORTH), "house")).name
        assert (
            TableCode.UNKNOWN_RULES
            is (await refusal_of(world.service.rules.choose_default_rules(world.caller(NORTH), "unheard")))[0]
        )
    async with open_world(path, first_request=6_000_000) as world:
        snapshot = await world.service.lobby.create(world.caller(SOUTH), channel=CHANNEL)
        assert ("House", 13) == (snapshot.saved_as, snapshot.terms.hand_size)
        assert "classic" == (await world.service.rules.default_rules(OTHER_GUILD)).name
        assert "House" == (await world.service.rules.forget_rules(world.caller(NORTH), "HOUSE")).name
        assert "classic" == (await world.service.rules.default_rules(GUILD)).name
        assert (
            TableCode.UNKNOWN_RULES
            is (await refusal_of(world.service.rules.forget_rules(world.caller(NORTH), "house")))[0]
        )
        assert (
            TableCode.UNKNOWN_RULES
            is (await refusal_of(world.service.rules.forget_rules(world.caller(NORTH), "classic")))[0]
        )
        assert 13 == (await world.service.reading.snapshot(snapshot.id)).terms.hand_size
        await world.service.rules.choose_default_rules(world.caller(NORTH), "singkep")
        assert "singkep" == (await world.service.lobby.create(world.caller(EAST), channel=CHANNEL)).rules


async def test_unreadable_rules_are_not_offered(world: World) -> None:
    lobby = await world.open_lobby(NORTH)
    await world.service.rules.save_rules(world.caller(NORTH), lobby.id, "House")
    (saved,) = await world.store.guilds.saved_rules(GUILD)
    await world.store.guilds.save_rules(type(saved)(**{**fields_as_dict(saved), "rules": '{"version":99}'}))
    assert () == await world.service.rules.saved_rules(GUILD)
    assert "House" in [one.name for one in await world.store.guilds.saved_rules(GUILD)]


def fields_as_dict(saved: Any) -> dict[str, Any]:
    return {name: getattr(saved, name) for name in type(saved).__slots__}
