"""Records as files: written from a log, read again, and played again to the same scores."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.engine.cards.notation import parse_card, parse_cards
from bot.engine.moves.actions import ASK, DRAW, Answer, DiscardCard, Lay, LayMelds
from bot.engine.rules.sets import rule_set
from bot.store.game_forms import CARDS
from bot.tables.past.record_faults import InvalidRecord, UnreadableRecord
from bot.tables.past.record_reading import read_record
from bot.tables.past.record_rules import digest_of, read_rules, write_rules
from bot.tables.state.clocks import Conclusion, TableSettings
from bot.tables.state.events import GameConcluded
from tests.support.game_histories import PEOPLE, apply_events, example_record, example_record_of_version_1
from tests.support.random_play import one_form_of_each_rule_set
from tests.support.tables import CHANNEL, EAST, GUILD, NAMES, NORTH, SOUTH, WEST, World

ALL = (NORTH, EAST, SOUTH, WEST)


@pytest.fixture
def name_people_as_in_example(monkeypatch: pytest.MonkeyPatch) -> None:
    for person, name in zip(ALL, PEOPLE, strict=False):
        monkeypatch.setitem(NAMES, person, name)


@pytest.mark.usefixtures("name_people_as_in_example")
async def test_a_game_played_as_in_the_example_is_the_example_byte_for_byte(world: World) -> None:
    """Acceptance 10 of `docs/long-games.md`; `test_acceptance_scenarios.py` looks for the name."""
    table = await play_example_game(world)
    told = await world.service.past.game_file(table, person=NORTH, guild=GUILD)
    assert example_record() == told.text


async def play_example_game(world: World) -> int:
    """Play the game of the example record and return its number.

    Four people replay the cards of an earlier deal, without a shuffle, and agree to end the game.
    """
    stack_example_pack(world)
    first = (await world.start_game(*ALL)).id
    world.dealer.pack = None
    await play_deal_of_example(world, first)
    again = await world.service.past.play_again(world.caller(NORTH), first, 1, channel=CHANNEL)
    for person in (EAST, SOUTH, WEST):
        await world.service.lobby.join(world.caller(person), again.id)
    await world.service.lobby.start(world.caller(NORTH), again.id)
    await play_deal_of_example(world, again.id)
    await apply_events(world, again.id, GameConcluded(Conclusion("agreed", 0, (660, -195))))
    return again.id


def stack_example_pack(world: World) -> None:
    """Let the dealer deal the example's cards in every deal."""
    pack = CARDS.read(json.loads(example_record())["deals"][0]["pack"])
    world.dealer.pack = pack


async def play_deal_of_example(world: World, table: int) -> None:
    """Play four short turns, and a fifth in which the first seat goes out concealed."""
    await play_four_turns(world, table)
    await world.service.play.act(world.caller(NORTH), table, DRAW)
    await world.service.play.act(world.caller(NORTH), table, ASK)
    await world.service.play.act(world.caller(SOUTH), table, Answer(yes=True))
    melds = (Lay(parse_cards("Ks Ks Kh Kh Kd Kd Kc")), Lay(parse_cards("Qs Qs Qh Qh")))
    await world.service.play.act(world.caller(NORTH), table, LayMelds(melds))
    await world.service.play.act(world.caller(NORTH), table, DiscardCard(parse_card("5h")))


async def play_four_turns(world: World, table: int) -> None:
    """Let each player draw and discard once, as in the example."""
    for person, card in zip(ALL, ("9c", "4c", "6c", "7c"), strict=True):
        await world.service.play.act(world.caller(person), table, DRAW)
        await world.service.play.act(world.caller(person), table, DiscardCard(parse_card(card)))


def test_the_example_is_read_and_played_again() -> None:
    read = read_record(example_record())
    assert (("Ana",), ("Ben",), ("Chi",), ("Dev",)) == read.names
    assert ("agreed", 0, (660, -195)) == (read.how, read.winner, read.scores)
    (deal,) = read.deals
    assert (5, 108, None) == (deal.turns, len(deal.pack), deal.shuffle)


def test_the_example_of_version_1_is_the_same_game() -> None:
    first, second = read_record(example_record_of_version_1()), read_record(example_record())
    assert (1, 2) == (first.version, second.version)
    assert replace(first, version=2) == second


def _record_with_fields(**different: Any) -> str:
    return json.dumps({**json.loads(example_record()), **different})


def _record_with(old: str, new: str) -> str:
    """Return the example record with each `old` replaced by `new`."""
    return example_record().replace(old, new)


def _record_with_step(step: list[Any]) -> str:
    data = json.loads(example_record())
    data["deals"][0]["turns"][0][1] = step
    return json.dumps(data)


def _record_with_rules(**different: Any) -> str:
    return _record_with_fields(rules=json.loads(example_record())["rules"] | different)


def _record_with_result(**different: Any) -> str:
    return _record_with_fields(result=json.loads(example_record())["result"] | different)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "it is not a JSON document"),
        ("[]", "format: should be canasta-record"),
        (_record_with_fields(format="chess"), "format: should be canasta-record"),
        (_record_with_fields(version=3), "version: this release knows versions 1 and 2 only"),
        (_record_with_fields(version="2"), "version: this release knows versions 1 and 2 only"),
        (_record_with_fields(version=True), "version: this release knows versions 1 and 2 only"),
        (_record_with_rules(name="whist"), "this release has no rules 'whist' for 4"),
        (_record_with_rules(players=9), "this release has no rules 'classic' for 9"),
        (_record_with_rules(parameters={"tricks": 13}), "this release has no rules 'classic' for 4"),
        (_record_with_rules(parameters={"version": 2}), "this release has no rules 'classic' for 4"),
        (_record_with_rules(parameters={"draw": "two"}), "this release has no rules 'classic' for 4"),
        (_record_with_step(["peeked", "9c"]), "deal 1, turn 1, step 1: no step is named 'peeked'"),
        (_record_with_step(["undone"]), "deal 1, turn 1, step 1: no step is named 'undone'"),
        (_record_with_step(["deal_started"]), "deal 1, turn 1, step 1: no step is named 'deal_started'"),
    ],
)
def test_a_record_with_an_unknown_version_rule_set_or_step_is_refused(text: str, why: str) -> None:
    with pytest.raises(UnreadableRecord) as caught:
        read_record(text)
    assert why in str(caught.value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (_record_with_fields(rules=5), "rules: cannot be read or played"),
        (_record_with_rules(parameters={"name": "samba"}), "rules: the parameters are those of other rules"),
        (_record_with_rules(values={}), "rules: values: the cards do not count what the parameters say"),
        (_record_with_rules(length=0), "rules: length: should be a number of deals"),
        (_record_with_fields(deals=None), "deals: cannot be read or played"),
        (_record_with_fields(deals=[]), "seats"),
        (_record_with_fields(seats=[]), "seats: should be 4 lists of holders"),
        (_record_with_result(how="lost"), "result: how: not known"),
        (_record_with_result(scores=[0, 0]), "the scores, or the number of deals, are not those of the deals"),
        (_record_with_result(deals=2), "the scores, or the number of deals, are not those of the deals"),
        (_record_with_result(how="played"), "result: the game does not end with deal 1 by its rules"),
        (_record_with_result(winner=1), "result: winner: the best total alone wins"),
        (_record_with_result(how="resigned", winner=7), "result: winner: is no score, or gave up"),
        (_record_with_result(how="resigned", gave_up=[0]), "result: winner: is no score, or gave up"),
        (_record_with_step([]), "deal 1, turn 1, step 1: a step is a list that begins with its name"),
        (_record_with_step(["drew", "9c", "", "", 1]), "drew has at most 2 fields"),
        (_record_with_step(["discarded", "9c", "9c"]), "discarded has at most 1 fields"),
        (_record_with_step(["discarded"]), "Discarded.card: not a card"),
        (_record_with_step(["drew", "9x"]), "deal 1, turn 1, step 1: drew: not cards"),
        (_record_with_step(["drew", "4c"]), "deal 1, turn 1, step 1: 4c cannot be: the stock has 9c"),
        (_record_with_step(["drew", "9c", "9c"]), "a card is laid out that is no such three"),
        (_record_with_step(["drew", "9c", "3h"]), "drew: 3h is laid out and did not come"),
        (_record_with_step(["took_top", "K", "Ks", "KsKh"]), "Ks cannot be: the pile's top is"),
        (_record_with_step(["gathered", "Ks"]), "Ks cannot be: the pile has"),
        (_record_with_step(["melded", "A", "AsAsAs"]), "deal 1, turn 1, step 1: seat 0 has no AsAsAs there"),
        (_record_with_step(["reclaimed", "A", "2s"]), "seat 0 has no 2s there"),
        (_record_with_step(["took_foot"]), "deal 1, turn 1, step 1"),
        (_record_with_step(["took_talon"]), "deal 1, turn 1, step 1"),
        (_record_with_step(["opened", 50]), "50 points cannot be: 0 lie there"),
        (_record_with_step(["reshuffled", "Ks"]), "the stock follows from the pack"),
        (_record_with_step(["set_talon", "Ks"]), "Ks cannot be: the stock has 9c"),
        (_record_with_step(["showed", "pairs", "Ks"]), "Ks cannot be: the hand is"),
        (_record_with_step(["@", 1, ["drew", "9c"]]), "deal 1, turn 1, step 1: only a penalty is another seat's step"),
        (_record_with_step(["@", 0, ["penalized", "no_meld", 100, 0]]), "only a penalty is another seat's step"),
        (_record_with_step(["@", 1, ["penalized", "no_meld", 100, 0, "KsKsKs"]]), "seat 1 has no KsKsKs there"),
        (_record_with_step(["@", 9, ["penalized", "no_meld", 100, 0]]), "seat 9 does not play"),
        (
            _record_with('"drew","4c"],["discarded","4c"', '"drew","5c"],["discarded","5c"'),
            "turn 2, step 1",
        ),
        (
            _record_with('"melded":110', '"melded":115'),
            "deal 1: lines: the cards do not count what is told",
        ),
        (
            _record_with('"end":["out",0,true]', '"end":["stock",null,false]'),
            "deal 1: end: the cards show another end",
        ),
        (_record_with('"dealer":3', '"dealer":9'), "deal 1"),
        (_record_with('"deal":1', '"deal":2'), "deal 1: is told as deal 2"),
        (
            _record_with(
                '"shuffle":null', '"shuffle":{"name":"table=1;deal=2","commitment":"","seed":"","contributions":[]}'
            ),
            "deal 1: shuffle: it is named as that of another deal",
        ),
        (
            _record_with('"shuffle":null', '"shuffle":{"name":5,"commitment":"","seed":"","contributions":[]}'),
            "deal 1: shuffle: should have a name",
        ),
    ],
)
def test_records_that_contradict_themselves_are_refused(text: str, why: str) -> None:
    assert text != example_record()
    with pytest.raises(InvalidRecord) as caught:
        read_record(text)
    assert why in str(caught.value)
    assert not isinstance(caught.value, UnreadableRecord)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('"name":"classic"', '"name":"whist"', "this release has no rules 'whist' for 4"),
        ('"digest":"', '"digest":"0', "their digest differs"),
        ('"drew","4c"]', '"drew","5c"]', "deal 1, turn 2, step 1: other cards come: 4c"),
        ('"drew","4c"]', '"peeked","4c"]', "deal 1, turn 2, step 1: no step is named 'peeked'"),
        ('["drew","4c"]', "[]", "deal 1, turn 2, step 1: a step is a list that begins with its name"),
        ('"melded":110', '"melded":115', "deal 1: lines: the cards do not count what is told"),
        ('"scores":[660,-195]}}', '"scores":[0,-195]}}', "result: the scores are not those of the last deal"),
        ('"how":"agreed"', '"how":"lost"', "result: how: not known"),
    ],
)
def test_records_of_version_1_that_contradict_themselves_are_refused(old: str, new: str, why: str) -> None:
    assert old in example_record_of_version_1()
    with pytest.raises(InvalidRecord) as caught:
        read_record(example_record_of_version_1().replace(old, new))
    assert why in str(caught.value)


def test_rules_outside_of_records_are_written_as_differences() -> None:
    usual = rule_set("samba", 4)
    ours = replace(usual, target=5000)
    told = write_rules(ours)
    assert {"target": 5000} == told["changed"]
    assert ours == read_rules(told)
    assert digest_of(usual) != told["digest"]
    assert "changed" not in write_rules(usual)


def test_rules_are_read_back_and_other_rules_have_another_digest() -> None:
    for rules in one_form_of_each_rule_set():
        assert rules == read_rules(write_rules(rules))
    assert digest_of(rule_set("classic", 4)) != digest_of(rule_set("classic", 3))


# --- seats and results ------------------------------------------------------------------------------------------------


async def test_a_person_who_comes_after_the_last_turn_is_listed_with_the_next_deal(world: World) -> None:
    table = (await world.start_game(NORTH, EAST)).id
    await world.finish_deal(table, Random(4))
    await world.service.lobby.leave(world.caller(EAST), table)
    first = read_record((await world.service.past.game_file(table, person=NORTH, guild=GUILD)).text)
    assert ("East",) == first.names[1]
    await world.service.play.begin_next_deal(world.caller(NORTH), table)
    await world.finish_deal(table, Random(5))
    told = json.loads((await world.service.past.game_file(table, person=NORTH, guild=GUILD)).text)
    assert [{"name": "East"}, {"name": "Computer 3", "kind": "computer", "from": [2, 1]}] == told["seats"][1]


async def test_a_record_names_the_side_that_gave_up(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, players=2)).id
    snapshot = await world.finish_deal(table, Random(4))
    assert snapshot.view is not None
    scores = snapshot.view.results[0].scores
    await apply_events(world, table, GameConcluded(Conclusion("resigned", 1, scores, last=0)))
    told = json.loads((await world.service.past.game_file(table, person=NORTH, guild=GUILD)).text)
    expected = {"how": "resigned", "winner": 1, "scores": list(scores), "deals": 1, "gave_up": [0]}
    assert expected == told["result"]


async def test_a_record_says_how_many_deals_the_game_was_to_have(world: World) -> None:
    settings = TableSettings(deals=1)
    snapshot = await world.service.lobby.create(world.caller(NORTH), channel=CHANNEL, players=2, settings=settings)
    await world.service.lobby.start(world.caller(NORTH), snapshot.id, fill=True)
    await world.finish_deal(snapshot.id, Random(4))
    text = (await world.service.past.game_file(snapshot.id, person=NORTH, guild=GUILD)).text
    assert (1, "played") == (json.loads(text)["rules"]["length"], read_record(text).how)
    longer = json.loads(text)
    longer["rules"]["length"] = 2
    with pytest.raises(InvalidRecord, match="the game does not end with deal 1 by its rules"):
        read_record(json.dumps(longer))
    with pytest.raises(InvalidRecord, match="missing, though the game ended with deal 1"):
        read_record(json.dumps(json.loads(text) | {"result": None}))
