"""Replay a record's deals by the rules; shared by both versions of the format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from bot.engine.cards.cards import Card
from bot.engine.law.scoring import deal_end_events, index_of_instant_winner
from bot.engine.moves.actions import StartDeal
from bot.engine.moves.events import DealEnd, DealEnded, GameEnded
from bot.engine.play.decide import decide
from bot.engine.play.invariants import broken_invariants
from bot.engine.play.step_events import next_turn_events
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.applying_events import evolve, fold
from bot.engine.table.state import State, new_game
from bot.store.game_forms import CARDS
from bot.tables.past.record_faults import InvalidRecord

PLAYED: Final = "played"
"""Stored name for a game that was played to its end."""

RESULTS: Final = (PLAYED, "agreed", "resigned", "forfeited", "latest_end")
"""Stored names for the ways in which a game can end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedShuffle:
    """The published data of a deal's shuffle in a record; `name` is empty if the record omits it."""

    name: str = ""
    commitment: str
    seed: str
    contributions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadDeal:
    """A deal of a record after its replay; `turns` is the number of turns."""

    deal: int
    pack: tuple[Card, ...]
    shuffle: PublishedShuffle | None
    turns: int
    ended: DealEnded


@dataclass(frozen=True, slots=True)
class ReadRecord:
    """A record that was read and replayed without contradictions.

    `names` are the names of each seat's holders, in order; `how` is empty for a game without a result.
    """

    version: int
    rules: RuleSet
    names: tuple[tuple[str, ...], ...]
    deals: tuple[ReadDeal, ...]
    how: str
    winner: int | None
    scores: tuple[int, ...]


def begin_deal(rules: RuleSet, game: State | None, data: Mapping[str, Any], deal_number: int) -> State:
    """Return the game as its next deal begins, with the pack of the record.

    `game` is None for the first one.
    """
    if data["deal"] != deal_number:
        raise InvalidRecord(f"is told as deal {data['deal']}")
    game = game or new_game(rules, dealer=data["dealer"], scores=_initial_scores(rules, data))
    start = StartDeal(CARDS.read(data["pack"]), streams=data.get("streams", False) is True)
    if game.dealer != data["dealer"]:
        raise InvalidRecord("dealer: another seat deals")
    return evolve(game, decide(game, None, start)[0])  # events that follow automatically are recorded in the first turn


def _initial_scores(rules: RuleSet, data: Mapping[str, Any]) -> tuple[int, ...] | None:
    """Return the scores with which a game began; None for zero."""
    before = data.get("before")
    if before is None:
        return None
    if type(before) is not list or len(before) != rules.sides or any(type(one) is not int for one in before):
        raise InvalidRecord(f"before: should be {rules.sides} scores")
    return tuple(before)


def end_deal(game: State, data: Mapping[str, Any]) -> tuple[DealEnded, State]:
    """Return the scored end of the deal, and the game after it.

    Raises `InvalidRecord` if the recorded end or score differs.
    """
    reason, went_out, concealed = data["end"]
    _check_end(game, DealEnd(reason), went_out, data["turns"][-1])
    events = deal_end_events(game, DealEnd(reason), went_out, concealed=concealed)
    ended = next(event for event in events if isinstance(event, DealEnded))
    if score_lines(ended) != data["lines"] or list(ended.scores) != data["scores"]:
        raise InvalidRecord("lines: the cards do not count what is told")
    game = fold(game, [event for event in events if isinstance(event, DealEnded | GameEnded)])
    if found := broken_invariants(game):
        raise InvalidRecord("; ".join(found))
    return ended, game


def _check_end(game: State, reason: DealEnd, went_out: int | None, turn: Sequence[Any]) -> None:
    """Raise if the recorded end contradicts the cards on the table or the last turn."""
    shows = {
        DealEnd.OUT: went_out is not None and not game.hands[went_out],
        DealEnd.SPECIAL_HAND: game.shown is not None,
        DealEnd.STOCK: not game.stock and _is_ended_by_empty_stock(game, turn),
        DealEnd.LAST_RED_THREE: not game.stock,
    }
    won = shows[reason] if reason in shows else index_of_instant_winner(game) is not None
    if not won or (reason is DealEnd.OUT) != (went_out is not None):
        raise InvalidRecord("end: the cards show another end")


def _is_ended_by_empty_stock(game: State, turn: Sequence[Any]) -> bool:
    """Return whether the deal ended because the stock was empty.

    Then the last seat declined the pile, or the next seat cannot move.
    """
    seat, *steps = turn
    return steps[-1] == ["passed"] or any(isinstance(one, DealEnded) for one in next_turn_events(game, seat))


def score_lines(ended: DealEnded) -> list[dict[str, int]]:
    """Return the points of each side by reason, without the reasons worth zero."""
    return [{name: points for name, points in asdict(one).items() if points} for one in ended.lines]


def read_result(data: Mapping[str, Any] | None) -> tuple[str, int | None, tuple[int, ...]]:
    """Return how a game ended, its winner and its scores.

    Without a result: an empty text, None and no scores.
    """
    if data is None:
        return "", None, ()
    if data["how"] not in RESULTS:
        raise InvalidRecord("how: not known")
    return data["how"], data["winner"], tuple(data["scores"])
