"""The ways to take the discard pile: their letters in controls, their cards, their words."""

from __future__ import annotations

from typing import Final

from bot.engine.cards.cards import Kind
from bot.engine.moves.actions import TAKE_SHOWING, Take
from bot.engine.table.views import SeatView
from bot.i18n import Words
from cogs.shared.reading import card_text
from cogs.shared.reading.draft import Staged

WAYS: Final = {
    "p": Take(naturals=2),
    "t": Take(naturals=3),
    "2": Take(naturals=1, twos=1),
    "j": Take(naturals=1, jokers=1),
    "a": Take(),
    "w": TAKE_SHOWING,
}
"""How the pile can be taken, by the letter its control carries."""


def claim_of(view: SeatView, way: str) -> Staged:
    """The cards with which a way of taking claims the top card. Raises `LookupError`."""
    take = WAYS[way]
    top = view.table.pile.top
    if top is None:
        raise LookupError(way)
    return Staged(top >> 2, take.naturals, take.twos, take.jokers)


def ways_to_take(view: SeatView) -> tuple[str, ...]:
    """The letters of the ways to take the pile that are legal now."""
    return tuple(way for way, take in WAYS.items() if take in view.legal)


def way_in_words(words: Words, kind: Kind, way: str) -> str:
    """One way of taking the pile, for a list: "a natural pair of nines"."""
    one, many = card_text.kind_word(words, kind), card_text.kind_word(words, kind, 2)
    if way in ("p", "t"):
        return words("panel.take_pair" if way == "p" else "panel.take_triple", kinds=many)
    if way in ("a", "w"):
        return words("panel.take_add" if way == "a" else "panel.take_showing", kinds=many)
    return words("panel.take_with_two" if way == "2" else "panel.take_with_joker", kind=one)


def take_label(words: Words, kind: Kind, take: Take) -> str:
    """One way of taking the pile, for a button: "with 9 9", "onto the nines"."""
    if take.adds:
        return words("panel.button_onto", kinds=card_text.kind_word(words, kind, 2))
    if not take.naturals:
        return words("panel.take_showing", kinds=card_text.kind_word(words, kind, 2))
    return words("panel.button_with", cards=card_text.counted(kind, take.naturals, take.twos, take.jokers))
