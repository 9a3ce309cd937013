"""Cases of the referee's format, tried against the engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bot.engine.actions import ASK, DRAW, PASS, Action, Answer, DiscardCard, Lay, LayMelds, TakePile
from bot.engine.decide import decide
from bot.engine.events import DealEnd, DealEnded
from bot.engine.evolve import fold
from bot.engine.notation import parse_cards
from bot.engine.positions import read_position, write_position
from bot.engine.queries import minimum
from bot.engine.refusals import Refusal
from bot.engine.scoring import score_deal
from bot.engine.state import State, actor

BREAKDOWN = (
    "natural_canastas",
    "mixed_canastas",
    "other_canastas",
    "red_threes",
    "going_out",
    "melded",
    "in_hand",
    "penalties",
    "bonuses",
)


def failures(case: Mapping[str, Any]) -> list[str]:
    """Everything a case expects and the engine does not do; empty when it holds."""
    return list(_failures(case))


def _failures(case: Mapping[str, Any]) -> Iterator[str]:
    state = read_position(case)
    for number, entry in enumerate(case.get("actions", [])):
        outcome, state = _try(state, entry)
        expected = entry.get("expect")
        if expected is not None and expected != outcome and not (expected == "illegal" and outcome != "ok"):
            yield f"action {number}: expected {expected}, got {outcome}"
    yield from _compare("", case.get("expect", {}), _outcome(state))


def _try(state: State, entry: Mapping[str, Any]) -> tuple[str, State]:
    if entry["do"] == "stop":
        return "ok", fold(state, [_stopped(state)])
    try:
        return "ok", fold(state, decide(state, entry.get("seat", actor(state)), _action(entry)))
    except Refusal as refusal:
        return refusal.code.value, state


def _action(entry: Mapping[str, Any]) -> Action:
    match entry["do"]:
        case "draw":
            return DRAW
        case "take":
            return TakePile(parse_cards(entry.get("with", "")), tuple(map(_lay, entry.get("melds", []))))
        case "meld":
            return LayMelds(tuple(map(_lay, entry["melds"])))
        case "discard":
            return DiscardCard(parse_cards(entry["card"])[0])
        case "ask":
            return ASK
        case "answer":
            return Answer(entry["yes"])
        case "pass":
            return PASS
        case unknown:
            raise AssertionError(f"no action {unknown!r}")


def _lay(entry: str | Mapping[str, Any]) -> Lay:
    if isinstance(entry, str):
        return Lay(parse_cards(entry))
    return Lay(parse_cards(entry["cards"]), entry.get("onto"))


def _stopped(state: State) -> DealEnded:
    lines = score_deal(state, None, concealed=False)
    scores = tuple(score + line.total for score, line in zip(state.scores, lines, strict=True))
    return DealEnded(state.deal, DealEnd.STOCK, None, False, lines, scores)


def _outcome(state: State) -> dict[str, Any]:
    outcome: dict[str, Any] = {
        "position": write_position(state)["position"],
        "initial_meld_minimum": [minimum(state, side) for side in range(state.rules.sides)],
        "deal_over": bool(state.results),
        "went_out": None,
        "concealed": False,
        "breakdown": None,
        "deal_scores": None,
        "scores": list(state.scores),
        "game_over": state.winner is not None,
        "winner": state.winner,
    }
    if state.results:
        result = state.results[-1]
        outcome["went_out"] = result.went_out
        outcome["concealed"] = result.concealed
        outcome["breakdown"] = [{name: getattr(lines, name) for name in BREAKDOWN} for lines in result.lines]
        outcome["deal_scores"] = [lines.total for lines in result.lines]
    return outcome


def _compare(path: str, expected: object, actual: object) -> Iterator[str]:
    """Objects are compared on the fields the expectation names, cards as they are written."""
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        for name, value in expected.items():
            yield from _compare(f"{path}.{name}", value, actual.get(name))
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for number, (one, other) in enumerate(zip(expected, actual, strict=True)):
            yield from _compare(f"{path}.{number}", one, other)
    elif expected != actual:
        yield f"{path}: expected {expected!r}, got {actual!r}"
