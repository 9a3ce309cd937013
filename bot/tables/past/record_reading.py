"""Reading a record file: JSON in the format `canasta-record`, replayed by the rules.

The format is described in `docs/record.md`. Unknown versions, steps and rules are refused, and so is a record that
contradicts itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from bot.engine.moves.events import DealEnded
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.applying_events import evolve
from bot.engine.table.state import State
from bot.store.game_forms import CARDS
from bot.tables.past import record_version_1
from bot.tables.past.record_deal_start import ALWAYS, deal_start_fields
from bot.tables.past.record_faults import InvalidRecord, UnreadableRecord, with_place_in_errors
from bot.tables.past.record_replay import (
    PLAYED,
    PublishedShuffle,
    ReadDeal,
    ReadRecord,
    begin_deal,
    end_deal,
    read_result,
)
from bot.tables.past.record_rules import read_all_rules
from bot.tables.past.record_steps import event_of
from bot.tables.past.record_writing import FORMAT, VERSION

_BY_BEST_TOTAL: Final = ("agreed", "latest_end")
"""The ways for a game to end in which the highest total wins, unless several sides have it."""

_SHUFFLE_NAME: Final = re.compile(r"table=(\d+);deal=(\d+)|event=\d+;board=\d+")


def read_record(text: str) -> ReadRecord:
    """Return the record in a JSON document, with every deal replayed. Raises `InvalidRecord`."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise UnreadableRecord("it is not a JSON document") from None
    return parse_record(data)


def parse_record(data: object) -> ReadRecord:
    """Return the record from parsed JSON.

    Raises `InvalidRecord`, or `UnreadableRecord` for an unknown format.
    """
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise UnreadableRecord(f"format: should be {FORMAT}")
    version = data.get("version")
    if type(version) is int and version == record_version_1.VERSION:
        return record_version_1.read_record_of_version_1(data)
    if type(version) is not int or version != VERSION:
        raise UnreadableRecord(f"version: this release knows versions {record_version_1.VERSION} and {VERSION} only")
    return _read_parts(data)


def _read_parts(data: Mapping[str, Any]) -> ReadRecord:
    """Read the parts of a record of the current version, and check them against each other."""
    with with_place_in_errors("rules"):
        rules, length = read_all_rules(data["rules"])
    with with_place_in_errors("deals"):
        played = list(_read_deals(rules, length, data["deals"]))
        deals = tuple(read for read, _ in played)
        _check_shuffle_names(deals)
    with with_place_in_errors("seats"):
        names = _read_holders(rules, data["seats"], deals)
    with with_place_in_errors("result"):
        how, winner, scores = read_result(data["result"])
        _check_result(data["result"], played[-1] if played else None, length)
    return ReadRecord(VERSION, rules, names, deals, how, winner, scores)


# --- deals ------------------------------------------------------------------------------------------------------------


def _read_deals(
    rules: RuleSet, length: int | None, data: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[ReadDeal, State]]:
    """Yield each deal in order, and the game after it."""
    game: State | None = None
    for number, one in enumerate(data, start=1):
        with with_place_in_errors(f"deal {number}"):
            if length is not None and number > length:
                raise InvalidRecord(f"the game has {length} deals")
            game = begin_deal(rules, game, one, number)
            _check_deal_start(game, one)
            game = _replay_turns(game, one["turns"], number)
            ended, game = end_deal(game, one)
            read = ReadDeal(number, CARDS.read(one["pack"]), _read_shuffle(one["shuffle"]), len(one["turns"]), ended)
        yield read, game


def _check_deal_start(dealt: State, data: Mapping[str, Any]) -> None:
    """Raise `InvalidRecord` if the recorded start of the deal does not follow from its pack and rules."""
    follows = deal_start_fields(dealt, CARDS.read(data["pack"]))
    for name in (*ALWAYS, "streams", "feet", "replaced", "hidden", "frozen"):
        if data.get(name, None) != follows.get(name, None):
            raise InvalidRecord(f"{name}: does not follow from the pack and the rules")


def _replay_turns(game: State, turns: Sequence[Sequence[Any]], deal: int) -> State:
    """Return the game after replaying all recorded turns of the deal."""
    for number, (seat, *steps) in enumerate(turns, start=1):
        with with_place_in_errors(f"deal {deal}, turn {number}"):
            if game.turns != number - 1:
                raise InvalidRecord("the turn before is not over, or more than one was played in it")
            if seat != game.turn:
                raise InvalidRecord(f"it is the turn of seat {game.turn}")
        for place, step in enumerate(steps, start=1):
            with with_place_in_errors(f"deal {deal}, turn {number}, step {place}"):
                game = evolve(game, event_of(step, game, seat))
    return game


def _read_shuffle(data: Mapping[str, Any] | None) -> PublishedShuffle | None:
    """Return the published shuffle from a deal's data; None if there is none. Raises `InvalidRecord`."""
    if data is None:
        return None
    contributions = data["contributions"]
    texts = (data["name"], data["commitment"], data["seed"], *contributions)
    if type(contributions) is not list or not all(type(one) is str for one in texts):
        raise InvalidRecord("shuffle: should have a name, a commitment, a seed, and a list of contributions")
    name, commitment, seed, *shares = texts
    return PublishedShuffle(name=name, commitment=commitment, seed=seed, contributions=tuple(shares))


def _check_shuffle_names(deals: Sequence[ReadDeal]) -> None:
    """Raise unless the shuffles' names are all of boards, or all of these deals at one table."""
    tables = set()
    for one in deals:
        if one.shuffle is None:
            continue
        named = _SHUFFLE_NAME.fullmatch(one.shuffle.name)
        if named is None or (named[2] or str(one.deal)) != str(one.deal):
            raise InvalidRecord("shuffle: it is named as that of another deal", f"deal {one.deal}")
        tables.add(named[1])
    if len(tables - {None}) > 1:
        raise InvalidRecord("the shuffles are those of several tables")


# --- seats and result -------------------------------------------------------------------------------------------------


def _read_holders(rules: RuleSet, data: Sequence[Any], deals: Sequence[ReadDeal]) -> tuple[tuple[str, ...], ...]:
    """Return the names of each seat's holders.

    Raises unless each list starts at the first turn and is in order.
    """
    if type(data) is not list or len(data) != rules.players:
        raise InvalidRecord(f"should be {rules.players} lists of holders")
    for seat, holders in enumerate(data):
        since = [tuple(one.get("from", [1, 1])) for one in holders]
        if since[:1] != [(1, 1)] or any(one >= other for one, other in pairwise(since)):
            raise InvalidRecord("the holders should follow each other from the first turn on", f"seats, seat {seat}")
        if any(not 1 <= deal <= len(deals) or not 1 <= turn <= deals[deal - 1].turns for deal, turn in since):
            raise InvalidRecord("a holder came with a turn that was not played", f"seats, seat {seat}")
        if any(type(one["name"]) is not str or one.get("kind", "person") not in _KINDS for one in holders):
            raise InvalidRecord("a holder has a name, and is a person or a computer", f"seats, seat {seat}")
    return tuple(tuple(one["name"] for one in holders) for holders in data)


_KINDS: Final = ("person", "computer")


def _check_result(data: Mapping[str, Any] | None, last: tuple[ReadDeal, State] | None, length: int | None) -> None:
    """Raise if the recorded result does not follow from the deals."""
    if last is None:
        raise InvalidRecord("no deal was played")
    read, game = last
    agreed = length is not None and read.deal >= length
    over = game.winner is not None or agreed
    if data is None:
        if over:
            raise InvalidRecord(f"missing, though the game ended with deal {read.deal}")
        return
    if list(data["scores"]) != list(read.ended.scores) or data["deals"] != read.deal:
        raise InvalidRecord("the scores, or the number of deals, are not those of the deals")
    how, winner, gave_up = data["how"], data["winner"], data.get("gave_up", [])
    best = _side_with_highest_total(read.ended)
    if how == PLAYED:
        if not over:
            raise InvalidRecord(f"the game does not end with deal {read.deal} by its rules")
        expected = best if game.winner is None else game.winner
        if winner != expected:
            raise InvalidRecord("winner: by the rules it is another")
    elif game.winner is not None and how != "forfeited":
        raise InvalidRecord(f"how: the rules ended the game with deal {read.deal}")
    elif how in _BY_BEST_TOTAL and winner != best:
        raise InvalidRecord("winner: the best total alone wins")
    sides = range(len(read.ended.scores))
    if not (winner is None or winner in sides) or not set(gave_up) <= set(sides) or winner in gave_up:
        raise InvalidRecord("winner: is no score, or gave up")


def _side_with_highest_total(ended: DealEnded) -> int | None:
    """Return the index of the side with the highest total, or None if several share it."""
    best = [number for number, score in enumerate(ended.scores) if score == max(ended.scores)]
    return best[0] if len(best) == 1 else None
