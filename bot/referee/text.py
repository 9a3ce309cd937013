"""A case and its outcome in words, for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from bot.engine.cards.cards import BLACK_THREE
from bot.engine.cards.notation import card_text, cards_text
from bot.engine.moves import phases
from bot.engine.moves.actions import (
    CONCEALED,
    END_OF_STOCK,
    GOING_OUT,
    INITIAL_CANASTA,
    INITIAL_MELD,
    SEVEN_CANASTAS,
    SPECIAL_HAND,
    THEME_CANASTA,
    Answer,
    DiscardCard,
    Lay,
    LayMelds,
    Show,
    TakePile,
)
from bot.engine.moves.events import DealEnd, DealEnded
from bot.engine.record.seat_places import result_of
from bot.engine.table.queries import initial_canasta, minimum
from bot.engine.table.state import State, actor
from bot.i18n import Words, words
from bot.referee.cases import Trial
from bot.referee.requests import Request, TakeWilds, Together


def trial_text(trial: Trial, where: str) -> str:
    """What was tried, what the rules say to it, how the game stands, and what was expected and is not so."""
    return "\n".join(_lines(trial, where, words()))


def _lines(trial: Trial, where: str, say: Words) -> Iterator[str]:
    rules = trial.case.state.rules
    yield say("referee.case", where=where, rules=say(f"rules.{rules.name}"), players=rules.players)
    for request, judgement in zip(trial.case.requests, trial.judgements, strict=True):
        yield f"  {_request_text(say, request)}"
        said = judgement.words if judgement.allowed else say("referee.not_allowed", words=judgement.words)
        yield f"    {said}"
    yield from (f"  {line}" for line in _standing(say, trial.state))
    yield from (f"  {say('referee.fails', failure=failure)}" for failure in trial.failures())


def _request_text(say: Words, request: Request) -> str:
    who = say("referee.seat_to_act" if request.seat is None else "referee.seat", seat=request.seat)
    said = say(f"referee_do.{request.do}", who=who, **_values(say, request))
    return said[:1].upper() + said[1:]


def _values(say: Words, request: Request) -> dict[str, Any]:
    """What the sentence about a request puts in."""
    match request.wanted:
        case LayMelds(melds=melds):
            return {"melds": _melds(say, melds)}
        case TakePile(cards=cards, melds=melds, onto=onto):
            named = "" if onto is None else say("referee.onto", number=onto)
            return {"how": _take(say, cards, melds) + named}
        case DiscardCard(card=card):
            return {"card": card_text(card)}
        case Answer(yes=yes):
            return {"answer": say("referee.yes" if yes else "referee.no")}
        case Together(number=number, onto=onto):
            return {"number": number, "onto": onto}
        case TakeWilds(number=number):
            return {"number": number}
        case Show(hand=hand):
            return {"hand": say("referee.any_hand") if hand is None else say(f"special_hand.{hand}")}
        case _:
            return {}


def _take(say: Words, cards: tuple[int, ...], melds: tuple[Lay, ...]) -> str:
    named = say("referee.take_with", cards=cards_text(cards)) if cards else ""
    return named + (say("referee.take_and", melds=_melds(say, melds)) if melds else "")


def _melds(say: Words, melds: tuple[Lay, ...]) -> str:
    return ", ".join(
        cards_text(lay.cards) + ("" if lay.onto is None else say("referee.onto", number=lay.onto)) for lay in melds
    )


# --- how the game stands ---------------------------------------------------------------------------------------------


def _standing(say: Words, state: State) -> Iterator[str]:
    result = result_of(state)
    if result is not None:
        yield from _result(say, state, result)
        return
    seat = actor(state)
    if seat is not None:
        yield say(f"referee_next.{state.phase.value}", seat=state.seating.place_of(seat))
    for side, opened in enumerate(state.opened):
        if not opened:
            yield _initial_meld(say, state, side)


def _initial_meld(say: Words, state: State, side: int) -> str:
    """What the side needs for its initial meld: points, or a canasta and what it counts in all."""
    points, canasta = minimum(state, side), initial_canasta(state, side)
    if canasta == "none":
        return say("referee.minimum", side=side, points=points, paragraph=INITIAL_MELD)
    key = f"referee.{canasta}_and_points" if points else f"referee.{canasta}"
    return say("referee.demand", side=side, canasta=say(key, points=points), paragraph=INITIAL_CANASTA)


_ENDS: Final = {
    DealEnd.SEVEN_CANASTAS: SEVEN_CANASTAS,
    DealEnd.SPECIAL_HAND: SPECIAL_HAND,
    DealEnd.THEME_CANASTA: THEME_CANASTA,
}
"""The paragraph of what ends a deal where it is not the stock."""


def _result(say: Words, state: State, result: DealEnded) -> Iterator[str]:
    if result.reason is DealEnd.OUT:
        paragraph = CONCEALED if result.concealed else GOING_OUT
        key = "referee.out_concealed" if result.concealed else "referee.out"
        seat = None if result.went_out is None else state.seating.place_of(result.went_out)
        yield say(key, seat=seat, paragraph=paragraph)
    else:
        paragraph = _ENDS.get(result.reason, END_OF_STOCK)
        of_both = result.reason is DealEnd.LAST_RED_THREE and BLACK_THREE in state.rules.laid_out
        yield say(f"referee_ended.{'last_three' if of_both else result.reason.value}", paragraph=paragraph)
    for side, lines in enumerate(result.lines):
        parts = [say(f"score.{name}", points=points) for name, points in result.parts(side) if points]
        shown = ", ".join(parts) or say("score.nothing")
        yield say("referee.side", side=side, lines=shown, total=lines.total, score=result.scores[side])
    if state.phase is phases.OVER:
        yield say("referee.winner", side=state.winner)
