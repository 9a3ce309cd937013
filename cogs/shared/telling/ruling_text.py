"""Rulings in words: yes or no, why, and the paragraph."""

from __future__ import annotations

from typing import Final

from bot.engine.cards.places import family_of
from bot.engine.moves.actions import (
    CONCEALED,
    GOING_OUT,
    INITIAL_MELD,
    Action,
    Announce,
    Ask,
    Combine,
    DiscardCard,
    Draw,
    DrawKeeping,
    LayMelds,
    Pass,
    Reclaim,
    Show,
    TakePile,
)
from bot.engine.moves.refusals import Refusal
from bot.i18n import Words
from bot.tables.looks import SeatSnapshot
from bot.tables.ruling import Ruling
from cogs.shared.reading import card_text
from cogs.shared.telling import cited
from cogs.shared.telling.explain import explain

_SAID: Final[dict[type, str]] = {
    Draw: "ruling.draw",
    DrawKeeping: "ruling.keep",
    Ask: "ruling.ask",
    Announce: "ruling.announce",
    Pass: "ruling.pass",
    Show: "ruling.show",
}
_BESIDES: Final = {INITIAL_MELD: "ruling.opens", GOING_OUT: "ruling.out", CONCEALED: "ruling.concealed"}


def lines(words: Words, look: SeatSnapshot, action: Action | None, found: Ruling) -> list[str]:
    """The ruling on an action; None stands for one that cannot even be put into cards."""
    told = [words("ruling.supposed")] if found.supposed else []
    asked = words("ruling.other") if action is None else in_words(words, action)
    said = [reference(words, number) for number in found.paragraphs]
    if found.refusal is not None:
        told.append(words("ruling.no", asked=asked, sentence=_why(words, look, found.refusal), paragraph=said[0]))
    else:
        told.append(words("ruling.yes", asked=asked, paragraph=said[0]))
        besides = zip(found.paragraphs[1:], said[1:], strict=True)
        told += [words(_BESIDES[number], paragraph=paragraph) for number, paragraph in besides]
    return [*told, words("ruling.unchanged")]


def _why(words: Words, look: SeatSnapshot, refusal: Refusal) -> str:
    sentence = explain(words, refusal, look.table)
    return sentence[:1].upper() + sentence[1:]


def reference(words: Words, paragraph: str) -> str:
    """A paragraph by its number and what it is about; a section on variants has a v before its number."""
    return cited.title(words, cited.short(paragraph))


def in_words(words: Words, action: Action) -> str:
    """What was asked about, as it was understood."""
    match action:
        case LayMelds(melds=melds):
            return words("ruling.meld", melds=", ".join(card_text.cards(lay.cards) for lay in melds))
        case TakePile(cards=cards, melds=melds):
            key = "ruling.take_with" if cards else "ruling.take"
            asked = words(key, cards=card_text.cards(cards))
            told = ", ".join(card_text.cards(lay.cards) for lay in melds)
            return words("ruling.laying", asked=asked, melds=told) if melds else asked
        case Combine(onto=onto):
            return words("ruling.combine", kinds=card_text.meld_word(words, family_of(onto), 2))
        case Reclaim(place=place):
            return words("ruling.reclaim", kinds=card_text.meld_word(words, family_of(place), 2))
        case DiscardCard(card=card):
            return words("ruling.discard", card=card_text.card(card))
        case _:
            return words(_SAID[type(action)])
