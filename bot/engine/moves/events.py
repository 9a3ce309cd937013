"""Events: what happened, complete enough to be folded into a state again ten years later.

An event carries the very cards that moved. What others may know of it is decided in `bot.engine.table.views`.
"""

from __future__ import annotations

from dataclasses import fields
from enum import StrEnum
from typing import Final, TypeAlias

from bot.engine.cards.cards import Card, value
from bot.engine.cards.places import AtPlace, Place
from bot.engine.rules.irregularities import Irregularity


class DealEnd(StrEnum):
    """What ended a deal."""

    OUT = "out"
    STOCK = "stock"
    LAST_RED_THREE = "last_red_three"
    SPECIAL_HAND = "special_hand"
    SEVEN_CANASTAS = "seven_canastas"
    THEME_CANASTA = "theme_canasta"


@value
class ScoreLines:
    """One side's deal, line by line, in points; the lines add up to its deal score (`docs/law/classic.md 1.20`)."""

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
        """The side's score of the deal."""
        return sum([getattr(self, line) for line in _LINES])


_LINES: Final = tuple(line.name for line in fields(ScoreLines))


@value
class OtherCanastas:
    """The parts of `other_canastas` of a score, in points: runs, wild canastas, and canastas of special ranks."""

    run_canastas: int = 0
    wild_canastas: int = 0
    special_canastas: int = 0

    @property
    def total(self) -> int:
        """The points of all parts together."""
        return self.run_canastas + self.wild_canastas + self.special_canastas


@value
class DealStarted:
    """A pack was dealt; everything up to the first turn follows from its order.

    With `streams` every seat draws from a stream of its own (`bot.engine.cards.shuffling`).
    """

    deal: int
    dealer: int
    pack: tuple[Card, ...]
    streams: bool = False


@value
class CameToHand:
    """Cards came to a seat's hand: `cards`; `count` is how many, also where a view hides which.

    `red_threes`, of both colours where both are laid out, were laid out and replaced.
    """

    seat: int
    cards: tuple[Card, ...]
    red_threes: tuple[Card, ...]
    count: int


@value
class Drew(CameToHand):
    """A seat drew from the stock."""


@value
class LaidOut(CameToHand):
    """At its first turn a seat laid out the red threes dealt to it and replaced them (`docs/law/classic.md 1.7`)."""


@value
class TookTop(AtPlace):
    """The top of the pile was melded with these cards from hand; the rest of the pile lies aside until gathered."""

    seat: int
    place: Place
    top: Card
    cards: tuple[Card, ...]


@value
class Gathered:
    """The rest of the pile came to the hand; its red threes were laid out, unreplaced.

    `hidden` are cards that had lain face down and came with it, `unseen` how many of those there are, also where a view
    hides which. `set_aside` are black threes that went out of play for the side. `showed` are the cards of the hand by
    which the pile was taken with its top (`docs/law/classic.md H41`): they stay in the hand, and the top is one of the
    cards.
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
        """How many cards came to the hand."""
        return len(self.cards) + self.unseen


@value
class Reshuffled:
    """The stock was out: the pile but for its top was shuffled and became the stock (`docs/law/variants.md 2`).

    `cards` stand in the order in which they will be drawn; `count` is how many, also where a view hides the order.
    """

    cards: tuple[Card, ...]
    count: int


@value
class Melded(AtPlace):
    """Cards from the hand were laid as a new meld, or added to one of the side's."""

    seat: int
    place: Place
    cards: tuple[Card, ...]


@value
class SetTalon:
    """Cards of the stock were set aside, unseen, for the next turn of a seat whose side has opened.

    `count` is how many, also where a view hides which (`docs/law/variants.md 3.10`).
    """

    seat: int
    cards: tuple[Card, ...]
    count: int


@value
class TookTalon(CameToHand):
    """The cards set aside for a seat came to its hand as its turn began."""


@value
class TookFoot(CameToHand):
    """A seat took up its foot; where it may not play on, its turn ended with that."""


@value
class Combined(AtPlace):
    """One of the side's melds of a rank was laid together with another of it."""

    seat: int
    place: Place
    onto: Place


@value
class Reclaimed(AtPlace):
    """The wild cards of a canasta came back to the seat's hand; the canasta is a natural one now."""

    seat: int
    place: Place
    cards: tuple[Card, ...]


@value
class Opened:
    """The seat's side has made its initial meld of that many points."""

    seat: int
    points: int


@value
class TookBack(AtPlace):
    """The last thing laid in this turn went back where it came from."""

    seat: int
    place: Place
    cards: tuple[Card, ...]


@value
class Discarded:
    """A card went on the pile and the turn passed on."""

    seat: int
    card: Card


@value
class Asked:
    """The seat asked its partner for permission to go out."""

    seat: int
    partner: int


@value
class Answered:
    """The partner answered."""

    seat: int
    yes: bool


@value
class Announced:
    """The seat announced that it goes out in this turn; or its question came too late, which obliges it to."""

    seat: int


@value
class PermissionLapsed:
    """The seat had to go out in this turn, after a yes or its announcement, and turned out to be unable.

    Nothing binds it any more.
    """

    seat: int


@value
class Passed:
    """The seat declined the pile with the stock out, or lays no more after the stock ended with a red three."""

    seat: int


@value
class Showed:
    """The seat showed its whole hand as the special hand of that name in `special_hands`.

    Source: `docs/law/variants.md 3.10`.
    """

    seat: int
    hand: str
    cards: tuple[Card, ...]


@value
class SidesFormed:
    """From now on the seat plays alone against the two others, whose melds are one side's (cut-throat)."""

    seat: int


@value
class Penalized:
    """A seat paid for an irregularity (`docs/law/classic.md 1.22`).

    Its side has to pay `points` at the end of the deal, and its minimum rose by `raised`. The cards `exposed` of its
    hand became penalty cards; with `until_opened` only until its side has opened. `released` tells that the seat is no
    longer bound by its partner's answer.
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
        """Whether the price is that the seat has to go out, as for a question too late that costs no points."""
        return self.irregularity is Irregularity.ASKED_TOO_LATE and not self.points


@value
class DealEnded:
    """A deal is over and scored.

    `went_out` is the seat that went out, None where none did. `lines`, `scores` and `others` go by score. Of deals of
    the first releases `others` is not told, and empty.
    """

    deal: int
    reason: DealEnd
    went_out: int | None
    concealed: bool
    lines: tuple[ScoreLines, ...]
    scores: tuple[int, ...]
    others: tuple[OtherCanastas, ...] = ()

    def parts(self, number: int) -> list[tuple[str, int]]:
        """Return the lines of a score by name; canastas that are neither natural nor mixed are told kind by kind."""
        found: list[tuple[str, int]] = []
        for line in fields(self.lines[number]):
            if line.name == "other_canastas" and self.others:
                others = self.others[number]
                found += [(kind.name, getattr(others, kind.name)) for kind in fields(others)]
            else:
                found.append((line.name, getattr(self.lines[number], line.name)))
        return found


@value
class GameEnded:
    """The game is over; `winner` is the number of a score."""

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
