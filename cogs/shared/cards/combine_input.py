"""Reading that two melds of a rank are to be laid together: ``combine kings``, ``join the 7s``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from bot.engine.cards.cards import ACE, Kind
from bot.engine.moves.actions import Combine
from bot.engine.table.views import MeldView, SeatView
from cogs.shared.cards import cards_input
from cogs.shared.interactions.inputs import InputCode, InputProblem

COMBINE: Final = "combine"
"""The word that is offered."""

_WORDS: Final = (COMBINE, "join", "unite", "merge", "together", "combina", "unisci", "insieme")
_SAID = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b", re.IGNORECASE)
_BESIDE = re.compile(r"\b(?:two|both|the|my|melds?|of|due|le|combinazioni|di)\b", re.IGNORECASE)


def combining(text: str, view: SeatView) -> Combine | None:
    """The two melds of the rank that a text names, laid together; None for a text that asks for something else.

    Of several pairs that may lie together the one that makes the larger meld is meant. Raises `InputProblem` for a
    rank of which the side has no two melds; whether these may be laid together, the rules say.
    """
    if not _SAID.search(text):
        return None
    kind = _kind(_BESIDE.sub(" ", _SAID.sub(" ", text)))
    places = [meld for meld in view.side.melds if meld.kind == kind]
    allowed = [step for step in view.legal if isinstance(step, Combine) and step.onto in {one.place for one in places}]
    if allowed:
        return max(allowed, key=lambda step: _size(places, step))
    if len(places) < 2:
        raise InputProblem(InputCode.NOT_TWO_MELDS, {"kind": cards_input.letter_of(kind)})
    return Combine(places[1].place, places[0].place)


def _kind(text: str) -> Kind:
    """The one rank that a text names."""
    kinds = {wish.kind for group in cards_input.read(text) for wish in group.wishes}
    if len(kinds) != 1 or not 0 <= min(kinds) <= ACE:
        raise InputProblem(InputCode.NOT_UNDERSTOOD, {"word": " ".join(text.split())[:30]})
    return kinds.pop()


def _size(melds: Sequence[MeldView], step: Combine) -> int:
    return sum(len(meld.cards) for meld in melds if meld.place in (step.place, step.onto))
