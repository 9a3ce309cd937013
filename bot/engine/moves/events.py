"""Events: everything that can happen in a game, complete enough to rebuild the state years later.

An event holds the cards that moved. `bot.engine.table.views` decides which of them others may know.
"""

from __future__ import annotations

from dataclasses import fields
from enum import StrEnum
from typing import Final, TypeAlias

from bot.engine.cards.cards import Card, value_class
from bot.engine.cards.meld_places import AtPlace, Place
from bot.engine.rules.irregularities import Irregularity


class DealEnd(StrEnum):
    """The reason why a deal ended."""

    OUT = "out"
    STOCK = "stock"
    LAST_RED_THREE = "last_red_three"
    SPECIAL_HAND = "special_hand"
    SEVEN_CANASTAS = "seven_canastas"
    THEME_CANASTA = "theme_canasta"


@value_class
class ScoreLines:
    """A side's score for a deal, line by line, in points (`docs/law/classic.md 1.20`)."""

    natural_canastas: int = 0
    mixed_canastas: int = 0
    other_canastas: int = 0
    red_threes: int = 0
    going_out: int = 0
    melded: int = 0
    in_hand: int = 0
    penalties: int = 0
    bonuses: int = 0

    @property
    def total(self) -> int:
        """The side's score for the deal."""
        return sum([getattr(self, line) for line in _LINES])


_LINES: Final = tuple(line.name for line in fields(ScoreLines))


@value_class
class OtherCanastas:
    """The points of canastas of runs, of wild cards, and of ranks with points of their own."""

    run_canastas: int = 0
    wild_canastas: int = 0
    special_canastas: int = 0

    @property
    def total(self) -> int:
        """The points of all parts together."""
        return self.run_canastas + self.wild_canastas + self.special_canastas


@value_class
class DealStarted:
    """A pack was dealt; everything up to the first turn follows from its order.

    With `streams` every seat draws from its own stream (`bot.engine.cards.shuffling`).
    """

    deal: int
    dealer: int
    pack: tuple[Card, ...]
    streams: bool = False


@value_class
class CameToHand:
    """`cards` came to a seat's hand; `count` is their number, even where a view hides the cards.

    `red_threes` (of both colours if both are bonus cards) were laid out and replaced.
    """

    seat: int
    cards: tuple[Card, ...]
    red_threes: tuple[Card, ...]
    count: int


@value_class
class Drew(CameToHand):
    """A seat drew from the stock."""


@value_class
class LaidOut(CameToHand):
    """A seat laid out the red threes dealt to it, at its first turn, and replaced them.

    Source: `docs/law/classic.md 1.7`.
    """


@value_class
class TookTop(AtPlace):
    """The top card of the pile was melded with `cards` from the hand; the rest waits until it is gathered."""

    seat: int
    place: Place
    top: Card
    cards: tuple[Card, ...]


@value_class
class Gathered:
    """The rest of the pile came to the hand; its red threes were laid out and not replaced.

    - `hidden`: cards that had been face down in the pile; `unseen`: their number, even where a view hides them.
    - `set_aside`: black threes that went out of play for the side.
    - `showed`: cards of the hand that were shown to take the pile with its top (`docs/law/classic.md H41`). They stay
      in the hand, and the top is one of `cards`.
    """

    seat: int
    cards: tuple[Card, ...]
    red_threes: tuple[Card, ...]
    hidden: tuple[Card, ...] = ()
    unseen: int = 0
    set_aside: tuple[Card, ...] = ()
    showed: tuple[Card, ...] = ()

    @property
    def count(self) -> int:
        """The number of cards that came to the hand."""
        return len(self.cards) + self.unseen


@value_class
class Reshuffled:
    """The stock was empty: the pile except its top was shuffled into a new stock.

    `cards` are in the order in which they will be drawn; `count` is their number, even where a view hides the order.

    Source: `docs/law/variants.md 2`.
    """

    cards: tuple[Card, ...]
    count: int


@value_class
class Melded(AtPlace):
    """Cards from the hand were laid as a new meld, or added to one of the side's."""

    seat: int
    place: Place
    cards: tuple[Card, ...]


@value_class
class SetTalon:
    """Cards of the stock were set aside, unseen, for the next turn of a seat whose side has opened.

    `count` is their number, even where a view hides the cards (`docs/law/variants.md 3.10`).
    """

    seat: int
    cards: tuple[Card, ...]
    count: int


@value_class
class TookTalon(CameToHand):
    """The talon of a seat came to its hand as its turn began."""


@value_class
class TookFoot(CameToHand):
    """A seat picked up its foot. If the rules do not let it play on, its turn ended."""


@value_class
class Combined(AtPlace):
    """One of the side's melds of a rank was merged into another of that rank."""

    seat: int
    place: Place
    onto: Place


@value_class
class Reclaimed(AtPlace):
    """The wild cards of a canasta came back to the seat's hand; the canasta is a natural one now."""

    seat: int
    place: Place
    cards: tuple[Card, ...]


@value_class
class Opened:
    """The seat's side made its initial meld, of `points` points."""

    seat: int
    points: int


@value_class
class TookBack(AtPlace):
    """The last cards laid in this turn went back to where they came from."""

    seat: int
    place: Place
    cards: tuple[Card, ...]


@value_class
class Discarded:
    """A card was discarded, and the turn passed to the next seat."""

    seat: int
    card: Card


@value_class
class Asked:
    """The seat asked its partner for permission to go out."""

    seat: int
    partner: int


@value_class
class Answered:
    """The partner answered the question."""

    seat: int
    yes: bool


@value_class
class Announced:
    """The seat must go out this turn: it announced that, or it asked too late, which has the same effect."""

    seat: int


@value_class
class PermissionLapsed:
    """The seat had to go out in this turn, by a yes or its announcement, but cannot.

    It need not go out any more.
    """

    seat: int


@value_class
class Passed:
    """The seat declined the pile with an empty stock, or stopped after the last card, a red three."""

    seat: int


@value_class
class Showed:
    """The seat showed its hand as the special hand `hand` of `special_hands`.

    Source: `docs/law/variants.md 3.10`.
    """

    seat: int
    hand: str
    cards: tuple[Card, ...]


@value_class
class SidesFormed:
    """The seat now plays alone against the two others, whose melds become one side's (cut-throat)."""

    seat: int


@value_class
class Penalized:
    """A seat was penalised for an irregularity (`docs/law/classic.md 1.22`).

    Its side pays `points` at the end of the deal, and its minimum rose by `raised`. The `exposed` cards of its hand
    became penalty cards; with `until_opened` only until its side has opened. `released` says that the partner's answer
    no longer binds the seat.
    """

    seat: int
    irregularity: Irregularity
    points: int
    raised: int
    exposed: tuple[Card, ...]
    until_opened: bool = False
    released: bool = False

    @property
    def binds(self) -> bool:
        """Whether the penalty is that the seat must go out: a question asked too late that costs no points."""
        return self.irregularity is Irregularity.ASKED_TOO_LATE and not self.points


@value_class
class DealEnded:
    """A deal is over and scored.

    `went_out` is the seat that went out, or None. `lines`, `scores` and `others` (the parts of `other_canastas`) are
    indexed by score.
    """

    deal: int
    reason: DealEnd
    went_out: int | None
    concealed: bool
    lines: tuple[ScoreLines, ...]
    scores: tuple[int, ...]
    others: tuple[OtherCanastas, ...] = ()

    def parts(self, number: int) -> list[tuple[str, int]]:
        """Return the lines of one score by name; `other_canastas` is split into its parts."""
        found: list[tuple[str, int]] = []
        for line in fields(self.lines[number]):
            if line.name == "other_canastas" and self.others:
                others = self.others[number]
                found += [(kind.name, getattr(others, kind.name)) for kind in fields(others)]
            else:
                found.append((line.name, getattr(self.lines[number], line.name)))
        return found


@value_class
class GameEnded:
    """The game is over; `winner` is the index of the winning score."""

    winner: int


Event: TypeAlias = (
    DealStarted
    | Drew
    | LaidOut
    | TookTop
    | Gathered
    | Reshuffled
    | Melded
    | Combined
    | Reclaimed
    | SetTalon
    | TookTalon
    | TookFoot
    | Opened
    | TookBack
    | Discarded
    | Asked
    | Answered
    | Announced
    | PermissionLapsed
    | Passed
    | Showed
    | SidesFormed
    | Penalized
    | DealEnded
    | GameEnded
)

Events: TypeAlias = tuple[Event, ...]
