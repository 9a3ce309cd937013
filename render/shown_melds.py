"""Melds as they are shown: one value for sets, runs, wild cards and whatever else a rule set lets lie on the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from bot.engine.cards.cards import JOKER, TWO, Kind, Suit, is_wild, kind_of
from bot.engine.table.views import MeldView

MeldKind: TypeAlias = Literal["set", "run", "wild"]
Canasta: TypeAlias = Literal["natural", "mixed", "wild", "run"]

FIRST_RUN: Final[Kind] = 16
"""Melds of that kind and the three above it are runs of spades, hearts, diamonds and clubs."""

LETTERS: Final = {TWO: "2", JOKER: "j"}


@dataclass(frozen=True, slots=True)
class Meld:
    """A meld to be shown.

    `ranks` is the rank of a set, the lowest and highest of a run (which has a `suit`), nothing for wild cards.
    `wild` are its wild cards, jokers first, a letter each: `2` or `j`; twos that are melded as a rank are not.
    """

    kind: MeldKind
    ranks: tuple[Kind, ...]
    size: int
    wild: str = ""
    canasta: Canasta | None = None
    suit: Suit | None = None


def meld_shown(view: MeldView) -> Meld:
    """A meld of a view; the one place that learns a new kind of meld."""
    kinds = sorted(kind_of(card) for card in view.cards)
    wild = "".join(LETTERS[kind] for kind in reversed(kinds) if is_wild(kind))
    if view.kind == JOKER:
        return Meld("wild", (), view.size, wild, "wild" if view.canasta else None)
    if view.kind >= FIRST_RUN:
        ranks = [kind for kind in kinds if not is_wild(kind)]
        run: Canasta | None = "run" if view.canasta else None
        return Meld("run", (ranks[0], ranks[-1]), view.size, wild, run, view.kind - FIRST_RUN)
    if view.kind == TWO:
        wild = wild.replace(LETTERS[TWO], "")
    done: Canasta = "mixed" if wild else "natural"
    return Meld("set", (view.kind,), view.size, wild, done if view.canasta else None)
