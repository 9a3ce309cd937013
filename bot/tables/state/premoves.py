"""What is prepared for a turn, and what it was prepared upon."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from bot.engine.cards.cards import Card, Kind


class PremoveEnd(StrEnum):
    """Why nothing more comes of what was prepared; the value is its stable name."""

    DONE = "done"
    PILE = "pile"  # somebody has taken the pile
    HAND = "hand"  # the seat's hand is another one
    MELDS = "melds"  # its side's melds are other ones
    TAKEABLE = "takeable"  # the pile can be taken as was wished: the person decides
    REFUSED = "refused"  # the rules do not allow it any more
    PAST = "past"  # the turn is over or the person's own, the deal is over, or another sits there


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTurn:
    """What shall be done by itself when the turn comes.

    `draw` unless the pile can be taken while a card of one of the `ranks` lies on top, of any rank where none is named;
    then `discard` that black three. `agree`: say yes if the partner asks.
    """

    draw: bool = False
    ranks: tuple[Kind, ...] = ()
    discard: Card | None = None
    agree: bool = False

    def __bool__(self) -> bool:
        return self.draw or self.agree or self.discard is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class PremoveBasis:
    """What lay there when something was prepared.

    In turn `turn` of that deal; the seat's own turn is number `comes`. `takes` is how often the pile had been taken in
    the turns from `turn` on. `melds` are the cards of its side's melds, in the order the melds were begun.
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
    """A wish, what it was made upon, and what has become of it; `ended` is None as long as it stands."""

    wish: PlannedTurn = field(repr=False)
    upon: PremoveBasis
    ended: PremoveEnd | None = None
