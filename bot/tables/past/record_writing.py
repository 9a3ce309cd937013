"""Writing a game down: its record as a JSON document in the format `canasta-record` (`docs/record.md`)."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import asdict
from itertools import groupby
from typing import Any, Final

from bot.engine.moves.events import Answered, DealEnded, Event
from bot.store.forms import CARDS
from bot.tables.looks import SeatHolder, Shuffle
from bot.tables.past.record_rules import rules_told
from bot.tables.past.record_steps import Step, step_of
from bot.tables.past.table_history import History, PastDeal, PastTurn
from bot.tables.record import TableState

FORMAT: Final = "canasta-record"
VERSION: Final = 1

FORMER: Final = "Former player"
"""The name of whoever was forgotten on demand."""

PLAYED: Final = "played"
"""How a game ended that was played to its end."""


def record_text(history: History, *, deals: Collection[int]) -> str:
    """The record with those of the finished deals, as JSON on one line without spaces."""
    return json.dumps(record_data(history, deals=deals), separators=(",", ":"), ensure_ascii=False)


def record_data(history: History, *, deals: Collection[int]) -> dict[str, Any]:
    """The record as data."""
    record = history.record
    return {
        "format": FORMAT,
        "version": VERSION,
        "rules": rules_told(record.rules),
        "seats": [_holders(history, seat) for seat in range(len(record.seats))],
        "deals": [_deal(record, deal) for deal in history.deals if deal.number in deals],
        "result": _result(record),
    }


def _holders(history: History, seat: int) -> list[dict[str, Any]]:
    """Who held a seat, from which turn of which deal on; both are counted from 1 there."""
    return [_holder(one.holder, one.deal, one.turn + 1) for one in history.sat if one.seat == seat]


def _holder(holder: SeatHolder, deal: int, turn: int) -> dict[str, Any]:
    computer = holder.kind == "computer"
    told: dict[str, Any] = {"name": f"Computer {holder.number}" if computer else holder.name or FORMER}
    if computer:
        told["kind"] = holder.kind
    return told if (deal, turn) == (1, 1) else {**told, "from": [deal, turn]}


def _deal(record: TableState, deal: PastDeal) -> dict[str, Any]:
    ended = deal.ended
    if ended is None:
        raise ValueError(f"deal {deal.number} was not played to its end")
    return {
        "deal": deal.number,
        "dealer": deal.dealer,
        **({"streams": True} if deal.dealt.streams else {}),
        "shuffle": _shuffle(next((one for one in record.shuffles if one.deal == deal.number), None)),
        "pack": CARDS.write(deal.pack),
        "turns": [[seat, *steps] for seat, steps in _turns(deal.turns)],
        "end": [ended.reason.value, ended.went_out, ended.concealed],
        "lines": lines_told(ended),
        "scores": list(ended.scores),
    }


def lines_told(ended: DealEnded) -> list[dict[str, int]]:
    """The lines of every score that are not zero."""
    return [{name: points for name, points in asdict(one).items() if points} for one in ended.lines]


def _shuffle(shuffle: Shuffle | None) -> dict[str, Any] | None:
    """What is published of a deal's shuffle; None where its cards were known."""
    if shuffle is None or shuffle.seed is None or shuffle.contributions is None:
        return None
    return {
        "commitment": shuffle.commitment,
        "seed": shuffle.seed,
        "contributions": list(shuffle.contributions),
    }


def _turns(turns: Iterable[PastTurn]) -> Iterable[tuple[int, list[Step]]]:
    """The steps in order, those of a seat that follow each other together; an answer stands with its question."""
    steps = ((turn, event) for turn in turns for event in turn.events)
    for seat, those in groupby(steps, key=lambda one: _doer(*one)):
        yield seat, [step_of(event) for _, event in those]


def _doer(turn: PastTurn, event: Event) -> int:
    seat: int = getattr(event, "seat", turn.seat)
    return turn.seat if isinstance(event, Answered) else seat


def _result(record: TableState) -> dict[str, Any] | None:
    """How the game ended; None while it goes on, and where it was given up without a result."""
    game, conclusion = record.game, record.conclusion
    if conclusion is not None:
        return {"how": conclusion.how, "winner": conclusion.winner, "scores": list(conclusion.scores)}
    if game is None or game.winner is None:
        return None
    return {"how": PLAYED, "winner": game.winner, "scores": list(game.results[-1].scores)}
