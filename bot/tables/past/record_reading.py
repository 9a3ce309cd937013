"""Reading a record file: JSON in the format `canasta-record`, replayed by the rules.

Unknown versions, events and rules are refused, and so are inconsistent records. Source: `docs/record.md`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from bot.engine.cards.cards import Card
from bot.engine.law.scoring import deal_end
from bot.engine.moves.actions import StartDeal
from bot.engine.moves.events import DealEnd, DealEnded, GameEnded
from bot.engine.moves.refusals import Refusal
from bot.engine.play.decide import decide
from bot.engine.play.invariants import problems
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.evolve import evolve, fold
from bot.engine.table.state import State, new_game
from bot.store.errors import Undecodable
from bot.store.game_forms import CARDS
from bot.tables.past.record_writing import (
    FORMAT,
    PLAYED,
    VERSION,
    UnknownRules,
    UnknownStep,
    event_of,
    read_rules,
    score_lines,
)

RESULTS: Final = (PLAYED, "agreed", "resigned", "forfeited", "latest_end")


class InvalidRecord(ValueError):
    """A document that is no record, or an inconsistent one; the text says where."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedShuffle:
    """The data about a deal's shuffle in a record."""

    commitment: str
    seed: str
    contributions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadDeal:
    """A deal of a record, replayed."""

    deal: int
    pack: tuple[Card, ...]
    shuffle: PublishedShuffle | None
    turns: int
    ended: DealEnded


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRecord:
    """A consistent record.

    `names` are those of each seat, in order; `how` is empty for a game without a result.
    """

    rules: RuleSet
    names: tuple[tuple[str, ...], ...]
    deals: tuple[ReadDeal, ...]
    how: str
    winner: int | None
    scores: tuple[int, ...]


def read_record(text: str) -> ReadRecord:
    """Return the record in a JSON document, with every deal replayed. Raises `InvalidRecord`."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidRecord("it is not a JSON document") from None
    return record_of(data)


def record_of(data: object) -> ReadRecord:
    """Return the record in parsed JSON. Raises `InvalidRecord`."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InvalidRecord(f"format: should be {FORMAT}")
    if data.get("version") != VERSION:
        raise InvalidRecord(f"version: this release knows version {VERSION} only")
    with _errors_at("rules"):
        rules = read_rules(data["rules"])
    with _errors_at("seats"):
        names = tuple(tuple(str(holder["name"]) for holder in seat) for seat in data["seats"])
    deals = tuple(_replay_deals(rules, data))
    with _errors_at("result"):
        how, winner, scores = _result(data["result"])
    if how and deals and scores != deals[-1].ended.scores:
        raise InvalidRecord("result: the scores are not those of the last deal")
    return ReadRecord(rules=rules, names=names, deals=deals, how=how, winner=winner, scores=scores)


def _result(told: Mapping[str, Any] | None) -> tuple[str, int | None, tuple[int, ...]]:
    if told is None:
        return "", None, ()
    if told["how"] not in RESULTS:
        raise InvalidRecord("how: not known")
    return told["how"], told["winner"], tuple(told["scores"])


@contextmanager
def _errors_at(where: str) -> Iterator[None]:
    """Turn every error inside into `InvalidRecord` with its place."""
    try:
        yield
    except (UnknownStep, UnknownRules, InvalidRecord, Undecodable) as fault:
        raise InvalidRecord(f"{where}: {fault}") from None
    except Refusal as refusal:
        raise InvalidRecord(f"{where}: the rules refuse it: {refusal.code.value}") from None
    except Exception as fault:  # noqa: BLE001 - a damaged document may cause any error
        raise InvalidRecord(f"{where}: cannot be read or played ({type(fault).__name__})") from None


def _replay_deals(rules: RuleSet, data: Mapping[str, Any]) -> Iterator[ReadDeal]:
    """Yield the deals in order, each begun with the scores of the one before."""
    game: State | None = None
    with _errors_at("deals"):
        told = list(data["deals"])
    for number, one in enumerate(told, start=1):
        with _errors_at(f"deal {number}"):
            if one["deal"] != number:
                raise InvalidRecord(f"is told as deal {one['deal']}")
            game = game or new_game(rules, dealer=one["dealer"])
            read, game = _read_deal(game, one)
        yield read


def _read_deal(game: State, told: Mapping[str, Any]) -> tuple[ReadDeal, State]:
    pack = CARDS.read(told["pack"])
    start = StartDeal(pack, streams=told.get("streams", False) is True)
    game = evolve(game, decide(game, None, start)[0])  # the first turn contains the events after it
    if game.dealer != told["dealer"]:
        raise InvalidRecord("dealer: another seat deals")
    for number, (seat, *steps) in enumerate(told["turns"], start=1):
        for step in steps:
            with _errors_at(f"turn {number}"):
                game = evolve(game, event_of(step, game, seat))
    ended, game = _read_end(game, told)
    if found := problems(game):
        raise InvalidRecord("; ".join(found))
    shuffle = None if told["shuffle"] is None else _shuffle(told["shuffle"])
    return ReadDeal(deal=told["deal"], pack=pack, shuffle=shuffle, turns=len(told["turns"]), ended=ended), game


def _read_end(game: State, told: Mapping[str, Any]) -> tuple[DealEnded, State]:
    """Return the scored end of the deal; raises if the record states another score."""
    reason, went_out, concealed = told["end"]
    events = deal_end(game, DealEnd(reason), went_out, concealed=concealed)
    ended = next(event for event in events if isinstance(event, DealEnded))
    if score_lines(ended) != told["lines"] or list(ended.scores) != told["scores"]:
        raise InvalidRecord("lines: the cards do not count what is told")
    return ended, fold(game, [event for event in events if isinstance(event, DealEnded | GameEnded)])


def _shuffle(told: Mapping[str, Any]) -> PublishedShuffle:
    return PublishedShuffle(
        commitment=str(told["commitment"]), seed=str(told["seed"]), contributions=tuple(told["contributions"])
    )
