"""What autocompletion offers: legal things only, and only to the person whose cards they are."""

from __future__ import annotations

from bot.engine.actions import Discard, Meld
from bot.engine.cards import BLACK_THREE, JOKER, RED_THREE, TWO, Kind
from bot.engine.views import SeatView
from bot.i18n import Words
from cogs.shared import card_text
from cogs.shared.panel import way_in_words, ways_to_take

MOST = 25
LONGEST = 100

Suggestion = tuple[str, str]
"""What is shown, and what is sent."""


def melds(words: Words, view: SeatView, typed: str) -> list[Suggestion]:
    """Melds that can be laid now, the ones that count most first; what stands before the last comma is kept."""
    before, comma, last = typed.rpartition(",")
    kept = before.strip() + ", " if comma else ""
    values = view.table.rules.card_values
    steps = [step for step in view.legal if isinstance(step, Meld)]

    def points(step: Meld) -> int:
        return step.naturals * values[step.kind] + step.twos * values[TWO] + step.jokers * values[JOKER]

    found = []
    for step in sorted(steps, key=lambda step: (step.twos + step.jokers, -points(step), step.kind)):
        text = card_text.counted(step.kind, step.naturals, step.twos, step.jokers).replace("Joker", "JK")
        if not step.naturals:
            text += f" on {card_text.rank(step.kind)}"
        if _matches(text, last):
            label = f"{kept}{text} · {words('panel.option_points', points=points(step))}"
            found.append((label, kept + text))
    return _offered(found)


def discards(words: Words, view: SeatView, typed: str) -> list[Suggestion]:
    """Cards that can be discarded now, one of each kind."""
    kinds = [step.kind for step in view.legal if isinstance(step, Discard)]
    found = [(f"{card_text.rank(kind)} · {_word(words, view, kind)}", _typed(kind)) for kind in kinds]
    return _offered([(label, value) for label, value in found if _matches(label, typed)])


def _word(words: Words, view: SeatView, kind: Kind) -> str:
    """A rank in words; a three with its colour where a hand may hold both."""
    if view.table.rules.counts_red_threes and kind in (BLACK_THREE, RED_THREE):
        return card_text.discard(words, kind, red_threes_stay=True)
    return card_text.kind_word(words, kind)


def _typed(kind: int) -> str:
    """A rank as it is read back."""
    return "JK" if kind == JOKER else "red 3" if kind == RED_THREE else card_text.rank(kind)


def ways(words: Words, view: SeatView, typed: str) -> list[Suggestion]:
    """Ways to take the pile now."""
    top = view.table.pile.top
    if top is None:
        return []
    found = [(way_in_words(words, top >> 2, way), way) for way in ways_to_take(view)]
    return _offered([(label, value) for label, value in found if typed.casefold() in label.casefold()])


def _matches(text: str, typed: str) -> bool:
    """Whether the text begins as what was typed, spaces apart."""
    return "".join(text.casefold().split()).startswith("".join(typed.casefold().split()))


def _offered(found: list[Suggestion]) -> list[Suggestion]:
    return [(label[:LONGEST], value) for label, value in found if len(value) <= LONGEST][:MOST]
