"""Reading records of version 1, which do not contain the order of drawn cards (`docs/record.md`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from bot.engine.moves.actions import TAKE_BACK
from bot.engine.moves.events import Event
from bot.engine.play.decide import decide
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.applying_events import evolve
from bot.engine.table.state import State
from bot.store.game_forms import CARDS
from bot.tables.past.record_card_checks import check_card_sources
from bot.tables.past.record_faults import InvalidRecord, UnreadableRecord, with_place_in_errors
from bot.tables.past.record_replay import PublishedShuffle, ReadDeal, ReadRecord, begin_deal, end_deal, read_result
from bot.tables.past.record_rules import read_rules
from bot.tables.past.record_steps import FORMS, answering_seat, event_from_fields

VERSION: Final = 1


def read_record_of_version_1(data: Mapping[str, Any]) -> ReadRecord:
    """Return the record in parsed JSON. Raises `InvalidRecord`."""
    with with_place_in_errors("rules"):
        rules = read_rules(data["rules"])
    with with_place_in_errors("seats"):
        names = tuple(tuple(str(holder["name"]) for holder in seat) for seat in data["seats"])
    with with_place_in_errors("deals"):
        deals = tuple(_read_deals(rules, data["deals"]))
    with with_place_in_errors("result"):
        how, winner, scores = read_result(data["result"])
        if how and deals and scores != deals[-1].ended.scores:
            raise InvalidRecord("the scores are not those of the last deal")
    return ReadRecord(VERSION, rules, names, deals, how, winner, scores)


def _read_deals(rules: RuleSet, data: list[Mapping[str, Any]]) -> Iterator[ReadDeal]:
    """Yield each deal of the record after replaying it."""
    game: State | None = None
    for number, one in enumerate(data, start=1):
        with with_place_in_errors(f"deal {number}"):
            game = begin_deal(rules, game, one, number)
            for turn, (seat, *steps) in enumerate(one["turns"], start=1):
                for place, step in enumerate(steps, start=1):
                    with with_place_in_errors(f"deal {number}, turn {turn}, step {place}"):
                        game = evolve(game, _event_of(step, game, seat))
            ended, game = end_deal(game, one)
            read = ReadDeal(number, CARDS.read(one["pack"]), _read_shuffle(one["shuffle"]), len(one["turns"]), ended)
        yield read


def _event_of(step: object, state: State, seat: int) -> Event:
    """Return the event of a step of that seat."""
    match step:
        case ["undone"]:
            (taken_back,) = decide(state, state.turn, TAKE_BACK)[:1]
            return taken_back
        case ["answered", *fields]:
            return event_from_fields("answered", fields, answering_seat(state, seat))
        case [str(name), *fields] if name in FORMS:
            event = event_from_fields(name, fields, seat)
            check_card_sources(event, state)
            return event
        case [str(name), *_]:
            raise UnreadableRecord(f"no step is named {name[:40]!r}")
    raise InvalidRecord("a step is a list that begins with its name")


def _read_shuffle(data: Mapping[str, Any] | None) -> PublishedShuffle | None:
    """Return the published shuffle from a deal's data; None if there is none."""
    if data is None:
        return None
    return PublishedShuffle(
        commitment=str(data["commitment"]), seed=str(data["seed"]), contributions=tuple(data["contributions"])
    )
