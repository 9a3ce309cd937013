"""The export of a person's data; of a deal in play it has only table, seat and score."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

from bot.clocks.clock import HOUR
from bot.engine.cards.cards import Card
from bot.engine.cards.notation import card_text
from bot.tables.state.refusals import TableCode
from bot.tables.state.snapshots import Status
from tests.support.stored_table_data import record_of
from tests.support.tables import EAST, GUILD, NORTH, SOUTH, World, refusal_of


async def export_of(world: World, person: int = NORTH) -> dict[str, Any]:
    """Return the person's export as a reader of its file sees it."""
    data = json.loads(json.dumps(await world.service.people.export(world.caller(person))))
    assert isinstance(data, dict)
    return data


def cards_written_in(exported: object) -> list[str]:
    """Return every card that is written anywhere in the JSON of `exported`."""
    return re.findall(r"\b(?:[2-9TJQKA][shdc]|JK)\b", json.dumps(exported))


async def test_a_finished_game_is_exported_with_the_persons_hands_and_acts(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, players=2, target=100)).id
    await world.play_game(table, Random(3))
    await world.store.preferences.set("person", NORTH, {"theme": "light"})
    await world.personal.set_automatic_vacation(NORTH, automatic=False)
    data = await export_of(world)
    record = await record_of(world.store, table)
    assert record.game is not None
    assert [{"quiet": [], "vacations": [], "automatic": False}] == data["times"]
    assert ("canasta-person", 1, NORTH) == (data["format"], data["version"], data["person"])
    assert [{"name": "theme", "value": "light"}] == data["settings"]
    (told,) = data["tables"]
    assert (table, GUILD, "finished", 0) == (told["table"], told["server"], told["status"], told["seat"])
    assert {"how": "played", "scores": list(record.game.scores)} == told["result"]
    assert [result.deal for result in record.game.results] == [hand["deal"] for hand in told["hands"]]
    for hand, left in zip(told["hands"], record.left, strict=True):
        assert record.rules.hand_size == len(cards_written_in(hand["dealt"]))
        held: tuple[Card, ...] = next((one.cards for one in left.held if one.seat == 0), ())
        assert sorted(map(card_text, held)) == sorted(cards_written_in(hand["left"]))
    own = [row for row in await world.store.tables.actions(table) if row.person == NORTH]
    assert [row.kind for row in own] == [act["kind"] for act in told["actions"]]


async def test_only_table_seat_and_score_of_a_deal_in_play_are_exported(world: World) -> None:
    random = Random(5)
    table = (await world.start_game(NORTH, EAST, players=2)).id
    for _ in range(30):
        await world.take_random_step(table, random)
    (told,) = (await export_of(world))["tables"]
    assert {"table", "server", "status", "seat", "score", "hands", "actions"} == told.keys()
    assert ([], 0, 0) == (told["hands"], told["seat"], told["score"])
    assert ["create", "start"] == [act["kind"] for act in told["actions"]]
    assert [] == cards_written_in(told)


async def test_finished_deals_of_a_running_game_are_exported(world: World) -> None:
    random = Random(5)
    table = (await world.start_game(NORTH, EAST, players=2)).id
    await world.play_deal(table, random)
    await world.service.play.begin_next_deal(world.caller(NORTH), table)
    for _ in range(9):
        await world.take_random_step(table, random)
    (told,) = (await export_of(world))["tables"]
    record = await record_of(world.store, table)
    assert record.game is not None
    assert Status.PLAYING is record.status
    assert [1] == [hand["deal"] for hand in told["hands"]]
    assert record.game.scores[0] == told["score"]
    in_play = [row.version for row in await world.store.tables.actions(table) if row.kind == "next_deal"][-1]
    later = {row.at for row in await world.store.tables.actions(table, after=in_play) if row.person == NORTH}
    acts = [act for act in told["actions"] if act["kind"] != "next_deal"]
    own = [row for row in await world.store.tables.actions(table, limit=in_play - 1) if row.person == NORTH]
    assert len(own) == len(acts)
    assert len(later) > 0


async def test_an_aborted_deal_stays_sealed_and_votes_are_exported(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, players=2)).id
    random = Random(5)
    for _ in range(12):
        await world.take_random_step(table, random)
    await world.service.lobby.close(world.caller(EAST), table)
    await world.service.consent.answer_proposal(world.caller(NORTH), table, agrees=True)
    (told,) = (await export_of(world))["tables"]
    assert ("finished", []) == (told["status"], told["hands"])
    assert ["create", "start", "answer_proposal"] == [act["kind"] for act in told["actions"]]
    assert [] == cards_written_in(told)


async def test_the_export_contains_no_data_of_others(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, SOUTH)).id
    await world.play_deal(table, Random(4))
    data = json.dumps(await export_of(world))
    assert not {"East", "South"} & set(data.replace('"', " ").split())
    record = await record_of(world.store, table)
    assert record.shuffles[0].seed is not None
    assert record.shuffles[0].seed not in data


async def test_the_export_is_available_once_a_day(world: World) -> None:
    await world.open_lobby(NORTH)
    await export_of(world)
    code, detail = await refusal_of(world.service.people.export(world.caller(NORTH)))
    assert (TableCode.EXPORTED_BEFORE, {"from": world.clock.now() + 24 * HOUR}) == (code, detail)
    await export_of(world, EAST)
    world.clock.advance(24 * HOUR)
    await export_of(world)


async def test_a_former_player_gets_their_acts_and_all_their_names(world: World) -> None:
    first, second = await world.open_lobby(NORTH), await world.open_lobby(SOUTH)
    await world.service.lobby.join(world.caller(EAST), first.id)
    await world.service.lobby.leave(world.caller(EAST), first.id)
    world.names[EAST] = "Easterly"
    await world.service.lobby.join(world.caller(EAST), second.id)
    data = await export_of(world, EAST)
    assert [first.id, second.id] == [told["table"] for told in data["tables"]]
    assert ["join", "leave"] == [act["kind"] for act in data["tables"][0]["actions"]]
    assert {"East", "Easterly"} == {one["name"] for one in data["names"]}
