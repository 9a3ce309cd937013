"""Steps that a text asks for by a word and a rank: ``combine kings``, ``join the 7s``, ``reclaim kings``."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.engine.cards.cards import ACE, JOKER, TWO, Card, Kind
from bot.engine.cards.places import DEUCE_MELD
from bot.engine.moves.actions import Combine, Reclaim
from bot.engine.table.views import MeldView, SeatView
from cogs.shared.reading.lexemes import letter_of
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.reading.wishes import read

RankStep: TypeAlias = Combine | Reclaim

COMBINE: Final = "combine"
"""The word that is offered for laying two melds of a rank together."""

RECLAIM: Final = "reclaim"
"""The word that is offered for taking the wild cards of a canasta back."""


def rank_step(text: str, view: SeatView) -> RankStep | None:
    """The step that a text asks for by one of these words; None for a text that has none of them.

    Raises `InputProblem` where the rank is not clear, or the side has no melds for it; whether the step is allowed, the
    rules say.
    """
    asking = next((one for one in _ASKINGS if one.said.search(text)), None)
    if asking is None:
        return None
    kind = _kind(asking.beside.sub(" ", asking.said.sub(" ", text)), asking.highest)
    return asking.step(view, kind, [meld for meld in view.side.melds if meld.kind == kind])


def wild_cards(meld: MeldView) -> tuple[Card, ...]:
    """The cards that would come back from a meld; of twos as a rank only the jokers."""
    kinds = (JOKER,) if meld.kind == DEUCE_MELD else (TWO, JOKER)
    return tuple(card for card in meld.cards if card >> 2 in kinds)


def _kind(text: str, highest: Kind) -> Kind:
    """The one rank that a text names."""
    kinds = {wish.kind for group in read(text) for wish in group.wishes}
    if len(kinds) != 1 or not 0 <= min(kinds) <= highest:
        raise InputProblem(InputCode.NOT_UNDERSTOOD, {"word": " ".join(text.split())[:30]})
    return kinds.pop()


def _combining(view: SeatView, kind: Kind, melds: Sequence[MeldView]) -> Combine:
    """The two melds of a rank laid together; of several pairs that may lie together the one that makes most."""
    places = {meld.place for meld in melds}
    allowed = [step for step in view.legal if isinstance(step, Combine) and step.onto in places]
    if allowed:
        return max(allowed, key=lambda step: _size(melds, step))
    if len(melds) < 2:
        raise InputProblem(InputCode.NOT_TWO_MELDS, {"kind": letter_of(kind)})
    return Combine(melds[1].place, melds[0].place)


def _size(melds: Sequence[MeldView], step: Combine) -> int:
    return sum(len(meld.cards) for meld in melds if meld.place in (step.place, step.onto))


def _reclaiming(view: SeatView, kind: Kind, melds: Sequence[MeldView]) -> Reclaim:
    """The wild cards of a rank's meld taken back, of several melds from one that gives them."""
    if not melds:
        raise InputProblem(InputCode.NO_SUCH_MELD, {"kind": letter_of(kind)})
    places = {meld.place for meld in melds}
    allowed = (step for step in view.legal if isinstance(step, Reclaim) and step.place in places)
    return next(allowed, None) or Reclaim(melds[0].place)


@dataclass(frozen=True, slots=True)
class _Asking:
    """The words that ask for a step, the words that may stand beside them, and how the step is made of a rank.

    `highest` is the last kind that may be named.
    """

    said: re.Pattern[str]
    beside: re.Pattern[str]
    highest: Kind
    step: Callable[[SeatView, Kind, Sequence[MeldView]], RankStep]


def _any_of(*words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE)


_ASKINGS: Final = (
    _Asking(
        said=_any_of(COMBINE, "join", "unite", "merge", "together", "combina", "unisci", "insieme"),
        beside=_any_of("two", "both", "the", "my", "melds?", "of", "due", "le", "combinazioni", "di"),
        highest=ACE,
        step=_combining,
    ),
    _Asking(
        said=_any_of(RECLAIM, "recover", "retrieve", "riprendi", "recupera"),
        beside=_any_of(
            *("wilds?", "cards?", "from", "the", "my", "canastas?", "melds?", "of"),
            *("le", "pinelle", "dalla", "dalle", "della", "di"),
        ),
        highest=TWO,
        step=_reclaiming,
    ),
)
