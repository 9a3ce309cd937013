"""Melds as they are shown: one value for sets, runs, wild cards and whatever else a rule set lets lie on the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from bot.engine.cards import JOKER, TWO, Kind, Suit, kind_of
from bot.engine.views import MeldView

MeldKind: TypeAlias = Literal["set", "run", "wild", "special"]
Canasta: TypeAlias = Literal["natural", "mixed", "wild", "run"]


@dataclass(frozen=True, slots=True)
class Meld:
    """A meld to be shown.

    `ranks` is the rank of a set, the lowest and highest of a run (which has a `suit`), nothing for wild cards.
    `wild` are its wild cards among others, a letter each: `2` or `j`.
    """

    kind: MeldKind
    ranks: tuple[Kind, ...]
    size: int
    wild: str = ""
    canasta: Canasta | None = None
    suit: Suit | None = None


def meld_shown(view: MeldView) -> Meld:
    """A meld of a view; the one place that learns a new kind of meld."""
    if view.kind in (TWO, JOKER):
        return Meld("wild", (), view.size, canasta="wild" if view.canasta else None)
    letters = {TWO: "2", JOKER: "j"}
    wild = "".join(letters.get(kind_of(card), "") for card in sorted(view.cards, reverse=True))
    return Meld("set", (view.kind,), view.size, wild, view.canasta)
