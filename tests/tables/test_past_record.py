"""Records as files: written from a log, read again, and played again to the same scores."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from bot.engine.cards.notation import parse_card, parse_cards
from bot.engine.moves.actions import ASK, DRAW, Answer, DiscardCard, Lay, LayMelds
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import rule_set
from bot.store.game_forms import CARDS
from bot.tables.past.record_reading import InvalidRecord, read_record
from bot.tables.past.record_writing import digest_of, read_rules, record_text, write_rules
from bot.tables.state.clocks import Conclusion
from bot.tables.state.events import GameConcluded
from tests.support.game_histories import PEOPLE, apply_events, example_record, history_with
from tests.support.random_play import form_of_each, game_of
from tests.support.tables import CHANNEL, EAST, GUILD, NAMES, NORTH, SOUTH, WEST, World

ALL = (NORTH, EAST, SOUTH, WEST)


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> None:
    for person, name in zip(ALL, PEOPLE, strict=False):
        monkeypatch.setitem(NAMES, person, name)


@pytest.mark.usefixtures("named")
async def test_a_game_played_as_in_the_example_is_the_example_byte_for_byte(world: World) -> None:
    """Acceptance 10 of `docs/long-games.md`; that no row holds the name afterwards is in `test_acceptance.py`."""
    table = await game_of_the_example(world)
    told = await world.service.past.game_file(table, person=NORTH, guild=GUILD)
    assert example_record() == told.text


async def game_of_the_example(world: World) -> int:
    """Let Ana and her friends replay the cards of an earlier deal, without a shuffle, and agree to end it."""
    pack_of_the_example(world)
    first = (await world.game(*ALL)).id
    world.dealer.pack = None
    await as_in_the_example(world, first)
    again = await world.service.past.play_again(world.caller(NORTH), first, 1, channel=CHANNEL)
    for person in (EAST, SOUTH, WEST):
        await world.service.lobby.join(world.caller(person), again.id)
    await world.service.lobby.start(world.caller(NORTH), again.id)
    await as_in_the_example(world, again.id)
    await apply_events(world, again.id, GameConcluded(Conclusion("agreed", 0, (660, -195))))
    return again.id


def pack_of_the_example(world: World) -> None:
    """Deal the cards of the example in every deal."""
    pack = CARDS.read(json.loads(example_record())["deals"][0]["pack"])
    world.dealer.pack = pack


async def as_in_the_example(world: World, table: int) -> None:
    """Play four short turns, and a fifth in which the first seat goes out concealed."""
    await four_turns(world, table)
    await world.service.play.act(world.caller(NORTH), table, DRAW)
    await world.service.play.act(world.caller(NORTH), table, ASK)
    await world.service.play.act(world.caller(SOUTH), table, Answer(yes=True))
    melds = (Lay(parse_cards("Ks Ks Kh Kh Kd Kd Kc")), Lay(parse_cards("Qs Qs Qh Qh")))
    await world.service.play.act(world.caller(NORTH), table, LayMelds(melds))
    await world.service.play.act(world.caller(NORTH), table, DiscardCard(parse_card("5h")))


async def four_turns(world: World, table: int) -> None:
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


@pytest.mark.parametrize("rules", form_of_each(), ids=lambda rules: f"{rules.name}-{rules.players}")
@pytest.mark.parametrize("seed", [3, pytest.param(8, marks=pytest.mark.nightly)])
def test_a_written_record_is_parsed_to_the_same_scores(rules: RuleSet, seed: int) -> None:
    """Random games of every rule set, one deal and more of each."""
    steps = list(islice(game_of(rules, seed), 500))
    history = history_with(rules, seed % rules.players, [event for step in steps for event in step.events])
    finished = [deal for deal in history.deals if deal.ended is not None]
    assert finished
    text = record_text(history, deals=[deal.number for deal in finished])
    read = read_record(text)
    assert [deal.ended for deal in finished] == [deal.ended for deal in read.deals]
    assert [deal.pack for deal in finished] == [deal.pack for deal in read.deals]


def _changed(**different: Any) -> str:
    return json.dumps({**json.loads(example_record()), **different})


def _with_step(step: list[Any]) -> str:
    data = json.loads(example_record())
    data["deals"][0]["turns"][0][1] = step
    return json.dumps(data)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "it is not a JSON document"),
        ("[]", "format: should be canasta-record"),
        (_changed(format="chess"), "format: should be canasta-record"),
        (_changed(version=2), "version: this release knows version 1 only"),
        (_changed(rules={"name": "whist", "players": 4, "digest": ""}), "this release has no rules 'whist' for 4"),
        (_changed(rules={"name": "classic", "players": 4, "digest": "00"}), "their digest differs"),
        (_changed(result={"how": "lost", "winner": 0, "scores": [660, -195]}), "result: how: not known"),
        (_changed(result={"how": "agreed", "winner": 0, "scores": [0, 0]}), "not those of the last deal"),
        (_with_step(["peeked", "9c"]), "deal 1: turn 1: no event is named 'peeked'"),
        (_with_step(["drew", "9c", "", "", 1]), "drew has at most 2 fields"),
        (_with_step(["drew", "9x"]), "deal 1: turn 1: Drew.cards: not cards"),
        (
            example_record().replace('"drew","4c"],["discarded","4c"', '"drew","5c"],["discarded","5c"'),
            "are not the pack",
        ),
        (example_record().replace('"melded":110', '"melded":115'), "the cards do not count what is told"),
        (example_record().replace('"dealer":3', '"dealer":9'), "deal 1"),
    ],
)
def test_unknown_or_inconsistent_records_are_refused(text: str, why: str) -> None:
    with pytest.raises(InvalidRecord) as caught:
        read_record(text)
    assert why in str(caught.value)


def test_house_rules_are_listed_as_changes() -> None:
    usual = rule_set("samba", 4)
    ours = replace(usual, target=5000)
    told = write_rules(ours)
    assert {"target": 5000} == told["changed"]
    assert ours == read_rules(told)
    assert digest_of(usual) != told["digest"]
    assert "changed" not in write_rules(usual)


def test_rules_are_read_back_and_other_rules_have_another_digest() -> None:
    for rules in form_of_each():
        assert rules == read_rules(write_rules(rules))
    assert digest_of(rule_set("classic", 4)) != digest_of(rule_set("classic", 3))
