"""Premoves: moves prepared for a player's next turn, and the situation in which they were prepared."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from bot.engine.cards.cards import Card, Kind


class PremoveEnd(StrEnum):
    """The reason why a premove ended; the value is its stable name."""

    DONE = "done"
    PILE = "pile"  # another player has taken the pile
    HAND = "hand"  # the seat's hand has changed
    MELDS = "melds"  # the melds of the seat's side have changed
    TAKEABLE = "takeable"  # a pile that the player wanted can be taken, so the player decides
    REFUSED = "refused"  # the rules do not allow it any more
    PAST = "past"  # the turn was played or passed, the deal is over, or the seat has a new holder


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTurn:
    """The moves to play automatically when the turn comes.

    `draw`: draw from the stock; if the pile can be taken and its top card is of one of `ranks` (empty: of any rank),
    nothing is played and the person decides. `discard`: the black three to discard after drawing. `agree`: say yes if
    the partner asks.
    """

    draw: bool = False
    ranks: tuple[Kind, ...] = ()
    discard: Card | None = None
    agree: bool = False

    def __bool__(self) -> bool:
        return self.draw or self.agree or self.discard is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class PremoveBasis:
    """The situation in which a premove was prepared.

    It was prepared in the turn `turn` of the deal for the seat's own turn, number `comes`. `takes` is how often the
    pile had been taken from the turn `turn` on. `melds` are the cards of its side's melds, in the order in which the
    melds were begun.
    """

    seat: int
    deal: int
    turn: int
    comes: int
    takes: int
    hand: tuple[Card, ...] = field(repr=False)
    melds: tuple[tuple[Card, ...], ...] = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Premove:
    """A planned turn, the situation in which it was planned, and why it ended.

    `ended` is None while the premove is active.
    """

    wish: PlannedTurn = field(repr=False)
    upon: PremoveBasis
    ended: PremoveEnd | None = None
