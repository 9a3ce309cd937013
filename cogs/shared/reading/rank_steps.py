"""Parse steps named by a word and a rank: ``combine kings``, ``join the 7s``, ``reclaim kings``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.engine.cards.cards import ACE, TWO, Kind
from bot.engine.moves.actions import Combine, Reclaim
from bot.engine.table.views import MeldView, SeatView
from cogs.shared.reading.card_words import rank_letter
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.typed_cards import read_card_groups
from cogs.shared.reading.vocabulary import Vocabulary, fold_case, remove_accents

RankStep: TypeAlias = Combine | Reclaim

COMBINE: Final = "combine"
"""Word suggested for joining two melds of a rank."""

RECLAIM: Final = "reclaim"
"""Word suggested for taking back the wild cards of a canasta."""


def parse_rank_step(text: str, view: SeatView, vocabulary: Vocabulary) -> RankStep | None:
    """Return the step that a text such as "combine kings" names, or None if it names none.

    Raises `InputProblem` if the rank is unclear or the side has no such melds. Whether the step is legal is checked by
    the rules.
    """
    message = fold_case(text)
    for name, asking in _STEP_KINDS.items():
        if re.search(_pattern_of_words(vocabulary, f"{name}.said"), remove_accents(message)):
            beside = _pattern_of_words(vocabulary, f"{name}.said", f"{name}.beside")
            kind = _parse_kind(_remove_words(message, beside), asking.highest, vocabulary)
            return asking.step(view, kind, [meld for meld in view.side.melds if meld.kind == kind])
    return None


def _pattern_of_words(vocabulary: Vocabulary, *uses: str) -> str:
    return rf"\b(?:{vocabulary.pattern_of(*uses)})\b"


def _remove_words(text: str, words: str) -> str:
    """Return the folded text without these words."""
    left, end = "", 0
    for found in re.finditer(words, remove_accents(text)):
        left += text[end : found.start()] + " "
        end = found.end()
    return left + text[end:]


def _parse_kind(text: str, highest: Kind, vocabulary: Vocabulary) -> Kind:
    """Return the one rank that a text names."""
    kinds = {wish.kind for group in read_card_groups(text, vocabulary) for wish in group.wishes}
    if len(kinds) != 1 or not 0 <= min(kinds) <= highest:
        raise InputProblem(InputCode.NOT_UNDERSTOOD, {"word": " ".join(text.split())[:30]})
    return kinds.pop()


def _combine_step(view: SeatView, kind: Kind, melds: Sequence[MeldView]) -> Combine:
    """Return the step that joins two melds of a rank; of several pairs, the pair with the most cards.

    Raises `InputProblem` if there are no two.
    """
    places = {meld.place for meld in melds}
    allowed = [step for step in view.legal if isinstance(step, Combine) and step.onto in places]
    if allowed:
        return max(allowed, key=lambda step: _meld_size(melds, step))
    if len(melds) < 2:
        raise InputProblem(InputCode.NOT_TWO_MELDS, {"kind": rank_letter(kind)})
    return Combine(melds[1].place, melds[0].place)


def _meld_size(melds: Sequence[MeldView], step: Combine) -> int:
    """Return the number of cards in the meld that the step would make."""
    return sum(len(meld.cards) for meld in melds if meld.place in (step.place, step.onto))


def _reclaim_step(view: SeatView, kind: Kind, melds: Sequence[MeldView]) -> Reclaim:
    """Return the step that takes wild cards back from a meld of the rank.

    A meld for which this is legal is preferred. Raises `InputProblem` if the side has no meld of it.
    """
    if not melds:
        raise InputProblem(InputCode.NO_SUCH_MELD, {"kind": rank_letter(kind)})
    places = {meld.place for meld in melds}
    allowed = (step for step in view.legal if isinstance(step, Reclaim) and step.place in places)
    return next(allowed, None) or Reclaim(melds[0].place)


@dataclass(frozen=True, slots=True)
class _StepKind:
    """A way to build a step from a rank; `highest` is the highest kind of card it can be used with."""

    highest: Kind
    step: Callable[[SeatView, Kind, Sequence[MeldView]], RankStep]


_STEP_KINDS: Final[Mapping[str, _StepKind]] = {
    COMBINE: _StepKind(ACE, _combine_step),
    RECLAIM: _StepKind(TWO, _reclaim_step),
}
"""Step kinds by the section of `reading.toml` that has their words."""
