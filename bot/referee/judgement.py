"""Judgement: whether the rules allow one action, with the paragraph and in words.

Nothing of what the action would bring to light is in it, so that it may be told before the action is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bot.engine.cards.notation import card_text
from bot.engine.moves.actions import PARAGRAPHS, Action
from bot.engine.moves.events import Penalized
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.play.decide import why_not
from bot.engine.rules.irregularities import REGIMES
from bot.engine.table.state import State
from bot.i18n import Words, words
from bot.i18n.penalty_text import cost_sentence
from bot.i18n.refusal_text import refusal_sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """Allowed or not, the paragraph of `docs/law/classic.md` that says so, and both in words; a refusal has its code.

    `penalized` is what was paid for an irregularity that was attempted; that is allowed, at its price.
    """

    allowed: bool
    paragraph: str
    words: str
    code: Code | None = None
    detail: Mapping[str, int | str] = field(default_factory=dict)
    penalized: Penalized | None = None


@dataclass(frozen=True, slots=True)
class Speech:
    """How judgements are put into words: the catalogue, and what seats and cards are called."""

    words: Words = field(default_factory=words)
    seat: Callable[[int], str] | None = None
    card: Callable[[int], str] = card_text

    def seat_name(self, seat: int) -> str:
        """What a seat is called: by its number from 0, unless the speech has names."""
        return self.words("referee.seat", seat=seat) if self.seat is None else self.seat(seat)


def judge(state: State, seat: int | None, action: Action, speech: Speech | None = None) -> Judgement:
    """Whether that seat may act so in that state."""
    speech = speech or Speech()
    refusal = why_not(state, seat, action)
    return allowed(PARAGRAPHS[type(action)], speech) if refusal is None else refused(refusal, speech)


def allowed(paragraph: str, speech: Speech) -> Judgement:
    """The judgement on what the rules allow."""
    said = speech.words("referee.allowed", paragraph=paragraph)
    return Judgement(allowed=True, paragraph=paragraph, words=said)


def penalized(state: State, paid: Penalized, speech: Speech) -> Judgement:
    """The judgement on an irregularity that was paid for in that state."""
    paragraph = REGIMES[state.rules.penalties][paid.irregularity].paragraph
    cost = cost_sentence(speech.words, paid, card_name=speech.card)
    irregularity = speech.words(f"irregularity.{paid.irregularity.value}")
    said = speech.words("referee.penalized", irregularity=irregularity, cost=cost, paragraph=paragraph)
    return Judgement(allowed=True, paragraph=paragraph, words=said, penalized=paid)


def refused(refusal: Refusal, speech: Speech) -> Judgement:
    """The judgement on what the rules refuse, with its price where the table lets it be attempted."""
    paragraph = refusal.code.paragraph
    sentence = refusal_sentence(
        speech.words, refusal.code.value, refusal.detail, seat_name=speech.seat_name, card_name=speech.card
    )
    said = speech.words("referee.refused", sentence=sentence, paragraph=paragraph)
    if refusal.penalty is not None:
        irregularity = speech.words(f"irregularity.{refusal.penalty.irregularity.value}")
        cost = cost_sentence(speech.words, refusal.penalty, card_name=speech.card)
        price = {"irregularity": irregularity, "cost": cost, "paragraph": refusal.penalty.cost.paragraph}
        said = f"{said} {speech.words('referee.price', **price)}"
    return Judgement(
        allowed=False,
        paragraph=paragraph,
        words=said,
        code=refusal.code,
        detail=refusal.detail,
    )
