"""Judgements of the rules on an action, with paragraph and words; also results of cases as data.

A judgement reveals nothing that the action would bring to light, so it may be shown before the action is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from bot.engine.cards.notation import card_text, cards_text
from bot.engine.moves.actions import PARAGRAPHS, Action
from bot.engine.moves.events import Penalized
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.play.decide import why_not_allowed
from bot.engine.play.refusal_paragraphs import paragraph_of
from bot.engine.positions.position_parts import deal_result_of
from bot.engine.positions.position_reading import write_position
from bot.engine.rules.irregularities import REGIMES
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.charged_penalties import minimum_raised_by
from bot.engine.table.state import State
from bot.engine.table.state_queries import current_or_next_deal
from bot.i18n import Words, words
from bot.i18n.penalty_text import cost_sentence
from bot.i18n.refusal_text import refusal_sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The decision of the rules on an action: whether it is allowed, the paragraph, and a sentence.

    The paragraph is one of `docs/law/classic.md`. A refusal has a code. `penalized` is the penalty for an attempted
    irregularity; such an action counts as allowed.
    """

    allowed: bool
    paragraph: str
    words: str
    code: Code | None = None
    detail: Mapping[str, int | str] = field(default_factory=dict)
    penalized: Penalized | None = None


@dataclass(frozen=True, slots=True)
class JudgementWords:
    """The means to put judgements into words: a catalogue, and the names of seats and cards."""

    words: Words = field(default_factory=words)
    seat: Callable[[int], str] | None = None
    card: Callable[[int], str] = card_text

    def seat_name(self, seat: int) -> str:
        """Return the name of a seat, by default its number from 0."""
        return self.words("referee.seat", seat=seat) if self.seat is None else self.seat(seat)


def judge_action(state: State, seat: int | None, action: Action, speech: JudgementWords | None = None) -> Judgement:
    """Return the judgement on an action of that seat in that state."""
    speech = speech or JudgementWords()
    refusal = why_not_allowed(state, seat, action)
    return (
        judgement_of_allowed_action(PARAGRAPHS[type(action)], speech)
        if refusal is None
        else judgement_of_refused_action(state.rules, refusal, speech)
    )


def judgement_of_allowed_action(paragraph: str, speech: JudgementWords) -> Judgement:
    """Return the judgement on an allowed action."""
    text = speech.words("referee.allowed", paragraph=paragraph)
    return Judgement(allowed=True, paragraph=paragraph, words=text)


def judgement_of_penalized_action(state: State, paid: Penalized, speech: JudgementWords) -> Judgement:
    """Return the judgement on an irregularity that was attempted and paid for."""
    paragraph = REGIMES[state.rules.penalties][paid.irregularity].paragraph
    cost = cost_sentence(speech.words, paid, card_name=speech.card)
    irregularity = speech.words(f"irregularity.{paid.irregularity.value}")
    text = speech.words("referee.penalized", irregularity=irregularity, cost=cost, paragraph=paragraph)
    return Judgement(allowed=True, paragraph=paragraph, words=text, penalized=paid)


def judgement_of_refused_action(rules: RuleSet, refusal: Refusal, speech: JudgementWords) -> Judgement:
    """Return the judgement on a refused action; it names the penalty if the table allows an attempt."""
    paragraph = paragraph_of(rules, refusal)
    sentence = refusal_sentence(
        speech.words, refusal.code.value, refusal.detail, seat_name=speech.seat_name, card_name=speech.card
    )
    text = speech.words("referee.refused", sentence=sentence, paragraph=paragraph)
    if refusal.penalty is not None:
        irregularity = speech.words(f"irregularity.{refusal.penalty.irregularity.value}")
        cost = cost_sentence(speech.words, refusal.penalty, card_name=speech.card)
        price = {"irregularity": irregularity, "cost": cost, "paragraph": refusal.penalty.cost.paragraph}
        text = f"{text} {speech.words('referee.price', **price)}"
    return Judgement(
        allowed=False,
        paragraph=paragraph,
        words=text,
        code=refusal.code,
        detail=refusal.detail,
    )


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
    """Return the outcome of a case as data.

    After the end of a deal, `scores` are the new totals, which decide the next initial melds.
    """
    result = deal_result_of(state)
    return {
        "id": name,
        "steps": [_judgement_data(judgement) for judgement in judgements],
        "position": write_position(state)["position"],
        "initial_meld_minimum": [_minimum_of_side(state, number) for number in range(len(state.scores))],
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


def _minimum_of_side(state: State, number: int) -> int:
    """Return the side's minimum, including increases by irregularities."""
    raised = minimum_raised_by(state, state.seating.side_by_seat[number])
    return state.rules.initial_meld_minimum(state.scores[number], current_or_next_deal(state)) + raised


def _judgement_data(judgement: Judgement) -> dict[str, Any]:
    """Return a judgement as data for a case's outcome."""
    if judgement.penalized is not None:
        return {"ok": True, "penalized": _penalty_data(judgement.penalized)}
    if judgement.code is None:
        return {"ok": True}
    detail = dict(judgement.detail)
    if "card" in detail:
        detail["card"] = card_text(int(detail["card"]))
    return {"ok": False, "code": judgement.code.value, "detail": detail, "message": judgement.words}


def _penalty_data(paid: Penalized) -> dict[str, Any]:
    """Return a paid penalty as data for a case's outcome."""
    return {
        "irregularity": paid.irregularity.value,
        "points": paid.points,
        "raised": paid.raised,
        "exposed": cards_text(paid.exposed),
    }
