"""Rule sets: one frozen record of parameters, named as in `rules/variants.md A.1`.

A rule set is resolved for a number of players; what a table plays is this record and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from bot.engine.cards import ACE, BLACK_THREE, EIGHT, FOUR, HELD_KINDS, JOKER, KING, SEVEN, TWO, Kind

RULES_VERSION: Final = 1
"""Rises when a parameter changes its meaning; stored with every table."""

CardClass = Literal["W", "R3", "B3"]
"""Wild cards, red threes, black threes."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RuleSet:
    """Every decision of the rules as data.

    `open_table` holds rows ``(from score, minimum)`` in ascending order; ``None`` is the row for scores below zero.
    `red3_values` holds the total for one, two, three … red threes of a side. Points throughout.
    """

    name: str
    players: int
    teams: Literal["solo", "2x2"]
    # deck, seats, deal
    decks: int = 2
    jokers_per_deck: int = 2
    ace_value: int = 20
    hand_size: int = 11
    upcard_cover: frozenset[CardClass] = frozenset({"W", "R3"})
    upcard_freezes: frozenset[CardClass] = frozenset({"W", "R3"})
    first_player: Literal["left", "dealer"] = "left"
    # turn
    draw: int = 1
    # melds
    meld_min: int = 3
    min_naturals: int = 2
    max_wilds: int = 3
    canasta_size: int = 7
    # initial meld
    open_table: tuple[tuple[int | None, int], ...] = ((None, 15), (0, 50), (1500, 90), (3000, 120))
    open_waiver: frozenset[Literal["concealed"]] = frozenset({"concealed"})
    # discard pile
    frozen_unopened: bool = True
    freeze_discards: frozenset[CardClass] = frozenset({"W"})
    top_blocks: frozenset[CardClass] = frozenset({"W", "B3"})
    take_open: frozenset[Literal["pair", "card+wild", "add"]] = frozenset({"pair", "card+wild", "add"})
    take_add_canasta: bool = True
    one_card_guard: bool = True
    # threes
    red3_values: tuple[int, ...] = (100, 200, 300, 800)
    # bonuses
    bonus_natural: int = 500
    bonus_mixed: int = 300
    # going out
    out_canastas: int = 1
    out_bonus: int = 100
    concealed_extra: int = 100
    ask_partner: Literal["none", "optional"] = "optional"
    # end of the game
    target: int = 5000

    # what follows from the parameters, worked out once
    sides: int = field(init=False, compare=False, repr=False)
    """How many sides play."""
    side_by_seat: tuple[int, ...] = field(init=False, compare=False, repr=False)
    """The side each seat plays for; pairs are seats 0 and 2 against 1 and 3."""
    partner_by_seat: tuple[int | None, ...] = field(init=False, compare=False, repr=False)
    """Each seat's partner, or None where each plays alone."""
    asks: bool = field(init=False, compare=False, repr=False)
    """Whether anybody may ask a partner for permission to go out."""
    takes_freely: bool = field(init=False, compare=False, repr=False)
    """Whether an unfrozen pile may be taken in every way, canastas included."""
    card_values: tuple[int, ...] = field(init=False, compare=False, repr=False)
    """Points of one card of each held kind (`rules/classic.md 1.1`)."""

    def __post_init__(self) -> None:
        sides = 2 if self.teams == "2x2" else self.players
        partners = tuple(
            next((other for other in range(seat % sides, self.players, sides) if other != seat), None)
            for seat in range(self.players)
        )
        follows: dict[str, object] = {
            "sides": sides,
            "side_by_seat": tuple(seat % sides for seat in range(self.players)),
            "partner_by_seat": partners,
            "asks": self.ask_partner != "none" and any(partner is not None for partner in partners),
            "takes_freely": self.take_open >= {"pair", "card+wild", "add"} and self.take_add_canasta,
            "card_values": _card_values(self.ace_value),
        }
        for name, value in follows.items():
            object.__setattr__(self, name, value)

    def side_of(self, seat: int) -> int:
        """The side a seat plays for."""
        return self.side_by_seat[seat]

    def seats_of(self, side: int) -> tuple[int, ...]:
        """The seats of a side, in playing order."""
        return tuple(range(side, self.players, self.sides))

    def partner_of(self, seat: int) -> int | None:
        """The seat's partner, or None where each plays alone."""
        return self.partner_by_seat[seat]

    @property
    def pack_size(self) -> int:
        """How many cards the whole pack has."""
        return self.decks * (52 + self.jokers_per_deck)

    def initial_meld_minimum(self, score: int) -> int:
        """Points a side's first meld of a deal needs, by its score before the deal (`rules/classic.md 1.11`)."""
        minimum = 0
        for start, points in self.open_table:
            if start is None or score >= start:
                minimum = points
        return minimum


def _card_values(ace_value: int) -> tuple[int, ...]:
    values = [0] * HELD_KINDS
    for kind in range(FOUR, SEVEN + 1):
        values[kind] = 5
    for kind in range(EIGHT, KING + 1):
        values[kind] = 10
    values[ACE] = ace_value
    values[BLACK_THREE] = 5
    values[TWO] = 20
    values[JOKER] = 50
    return tuple(values)


def card_class(kind: Kind) -> CardClass | None:
    """The class of a kind in the parameters' words, or None for four to ace."""
    if kind <= ACE:
        return None
    if kind == BLACK_THREE:
        return "B3"
    return "W" if kind in (TWO, JOKER) else "R3"
