"""Reading that the wild cards of a canasta are to be taken back: ``reclaim kings``."""

from __future__ import annotations

import re
from typing import Final

from bot.engine.cards.cards import JOKER, TWO, Card
from bot.engine.cards.places import DEUCE_MELD
from bot.engine.moves.actions import Reclaim
from bot.engine.table.views import MeldView, SeatView
from cogs.shared.cards import cards_input
from cogs.shared.interactions.inputs import InputCode, InputProblem

RECLAIM: Final = "reclaim"
"""The word that is offered."""

_WORDS: Final = (RECLAIM, "recover", "retrieve", "riprendi", "recupera")
_SAID = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b", re.IGNORECASE)
_BESIDE = re.compile(
    r"\b(?:wilds?|cards?|from|the|my|canastas?|melds?|of|le|pinelle|dalla|dalle|della|di)\b", re.IGNORECASE
)


def reclaiming(text: str, view: SeatView) -> Reclaim | None:
    """Taking back the wild cards of the canasta whose rank a text names; None for a text that asks for something else.

    Raises `InputProblem` for a rank of which the side has no meld; whether its wild cards may be taken, the rules say.
    """
    if not _SAID.search(text):
        return None
    asked = _BESIDE.sub(" ", _SAID.sub(" ", text))
    kinds = {wish.kind for group in cards_input.read(asked) for wish in group.wishes}
    if len(kinds) != 1 or not 0 <= min(kinds) <= TWO:
        raise InputProblem(InputCode.NOT_UNDERSTOOD, {"word": " ".join(asked.split())[:30]})
    (kind,) = kinds
    places = [meld.place for meld in view.side.melds if meld.kind == kind]
    if not places:
        raise InputProblem(InputCode.NO_SUCH_MELD, {"kind": cards_input.letter_of(kind)})
    allowed = [step for step in view.legal if isinstance(step, Reclaim) and step.place in places]
    return allowed[0] if allowed else Reclaim(places[0])


def wild_cards(meld: MeldView) -> tuple[Card, ...]:
    """The cards that would come back from a meld; of twos as a rank only the jokers."""
    kinds = (JOKER,) if meld.kind == DEUCE_MELD else (TWO, JOKER)
    return tuple(card for card in meld.cards if card >> 2 in kinds)
