"""Outcomes: what came of a case, as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from bot.engine.cards.notation import card_text, cards_text
from bot.engine.moves.events import Penalized
from bot.engine.record.positions import write_position
from bot.engine.record.seat_places import result_of
from bot.engine.table.penalties import raised_by
from bot.engine.table.queries import next_deal
from bot.engine.table.state import State
from bot.referee.judgement import Judgement

OUTCOME_FIELDS: Final = (
    "id",
    "steps",
    "position",
    "initial_meld_minimum",
    "initial_meld_canasta",
    "deal_over",
    "went_out",
    "concealed",
    "breakdown",
    "deal_scores",
    "scores",
    "game_over",
    "winner",
)


def outcome_of(name: str | None, judgements: Sequence[Judgement], state: State) -> dict[str, Any]:
    """The outcome; what initial melds need goes by its `scores`: where the deal is over, in the next one."""
    result = result_of(state)
    return {
        "id": name,
        "steps": [_step(judgement) for judgement in judgements],
        "position": write_position(state)["position"],
        "initial_meld_minimum": [_minimum(state, number) for number in range(len(state.scores))],
        "initial_meld_canasta": [state.rules.initial_meld_canasta(score) for score in state.scores],
        "deal_over": result is not None,
        "went_out": None if result is None or result.went_out is None else state.seating.place_of(result.went_out),
        "concealed": result is not None and result.concealed,
        "breakdown": None if result is None else [asdict(lines) for lines in result.lines],
        "deal_scores": None if result is None else [lines.total for lines in result.lines],
        "scores": list(state.scores),
        "game_over": state.winner is not None,
        "winner": state.winner,
    }


def _minimum(state: State, number: int) -> int:
    """What the side with that score needs, as irregularities have raised it."""
    raised = raised_by(state, state.seating.side_by_seat[number])
    return state.rules.initial_meld_minimum(state.scores[number], next_deal(state)) + raised


def _step(judgement: Judgement) -> dict[str, Any]:
    if judgement.penalized is not None:
        return {"ok": True, "penalized": _paid(judgement.penalized)}
    if judgement.code is None:
        return {"ok": True}
    detail = dict(judgement.detail)
    if "card" in detail:
        detail["card"] = card_text(int(detail["card"]))
    return {"ok": False, "code": judgement.code.value, "detail": detail, "message": judgement.words}


def _paid(paid: Penalized) -> dict[str, Any]:
    return {
        "irregularity": paid.irregularity.value,
        "points": paid.points,
        "raised": paid.raised,
        "exposed": cards_text(paid.exposed),
    }
