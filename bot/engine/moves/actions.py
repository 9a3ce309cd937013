"""Actions: what a seat asks for, in two vocabularies.

*Steps* speak of kinds. They are few, shared objects, and `legal_actions` lists them: every legal turn is a sequence of
them. *Acts* speak of cards. They are what a person says ("these three kings and that joker, and these sevens"), and
each is carried out as a sequence of steps, all or nothing.

Decides `docs/law/classic.md 1.24`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final, TypeAlias

from bot.engine.cards.cards import Card, Kind, card_of
from bot.engine.cards.places import AtPlace, Place


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw from the stock as many cards as the rules say (`docs/law/classic.md 1.9`)."""


@dataclass(frozen=True, slots=True)
class DrawKeeping:
    """Draw, and keep one three in the hand if there is one, for a special hand (`docs/law/variants.md 3.10`)."""


@dataclass(frozen=True, slots=True)
class Take:
    """Take the pile; the numbers say which cards from the hand are laid with its top (`docs/law/classic.md 1.12`).

    Two naturals are a pair, three a triple. One natural goes with one two or one joker. Two twos take a pile with a two
    on top, and are shown. With no card the top is added to a meld of the side.
    """

    naturals: int = 0
    twos: int = 0
    jokers: int = 0
    onto: Place | None = None
    """The meld that the cards join, where the side may have several of the rank, or runs; None for the meld of the
    rank."""

    @property
    def size(self) -> int:
        """How many cards leave the hand."""
        return self.naturals + self.twos + self.jokers

    @property
    def adds(self) -> bool:
        """Whether the top card alone joins a meld of the side."""
        return not self.size


@dataclass(frozen=True, slots=True)
class Meld(AtPlace):
    """Lay that many cards as a new meld of a rank, or add them to the side's meld of it (`docs/law/classic.md 1.10`).

    Also wild cards alone, and twos as a rank, where the rules have them. Their cards are counted as twos and jokers.
    """

    place: Place
    naturals: int = 0
    twos: int = 0
    jokers: int = 0
    size: int = field(init=False, compare=False, repr=False)
    """How many cards leave the hand."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", self.naturals + self.twos + self.jokers)


@dataclass(frozen=True, slots=True)
class LayRun:
    """Lay cards of a suit, from one rank to another, as a new run or at an end of one (`docs/law/variants.md 3.1`)."""

    place: Place
    low: Kind
    high: Kind

    @property
    def size(self) -> int:
        """How many cards leave the hand."""
        return self.high - self.low + 1

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that leave the hand, in ascending order."""
        return tuple([card_of(kind, self.place & 3) for kind in range(self.low, self.high + 1)])


@dataclass(frozen=True, slots=True)
class Combine:
    """Lay one of the side's melds of a rank together with another of it (`docs/law/variants.md 3.1`)."""

    place: Place
    onto: Place


@dataclass(frozen=True, slots=True)
class Reclaim:
    """Take the wild cards of a canasta back, where its naturals alone are one too (`docs/law/classic.md H43`)."""

    place: Place


@dataclass(frozen=True, slots=True)
class Discard:
    """Put one card of a kind on the pile and end the turn."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the partner whether one may go out (`docs/law/classic.md 1.18`)."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer the partner who has asked whether to go out (`docs/law/classic.md 1.18`)."""

    yes: bool


@dataclass(frozen=True, slots=True)
class Announce:
    """Say that one goes out in this turn, where the rules want it said (`docs/law/classic.md 1.15`)."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Decline the pile when the stock is out: the deal ends (`docs/law/classic.md 1.19`)."""


@dataclass(frozen=True, slots=True)
class Show:
    """Show the whole hand as a special hand, which ends the deal (`docs/law/variants.md 3.10`)."""

    hand: str | None = None
    """The hand's name in `special_hands`; None for the one that counts most of those that the cards make."""


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back the last thing laid in this turn, as long as nothing hidden has been seen since."""


@dataclass(frozen=True, slots=True)
class Lay:
    """The cards of one meld; `onto` numbers the side's meld they join, from 0, where their rank does not say it."""

    cards: tuple[Card, ...]
    onto: int | None = None


@dataclass(frozen=True, slots=True)
class LayMelds:
    """Lay several melds and additions in one act."""

    melds: tuple[Lay, ...]


@dataclass(frozen=True, slots=True)
class TakePile:
    """Take the pile with these cards from the hand, and lay further melds from the hand in the same act.

    `onto` numbers the side's meld that the top card joins, from 0, where its rank does not say it.
    """

    cards: tuple[Card, ...] = ()
    melds: tuple[Lay, ...] = ()
    onto: int | None = None


@dataclass(frozen=True, slots=True)
class DiscardCard:
    """Discard exactly this card."""

    card: Card


@dataclass(frozen=True, slots=True)
class StartDeal:
    """Deal this pack, first card first. No seat asks for it: chance enters the game here, as data.

    With `streams` every seat draws from a stream of its own (`bot.engine.cards.shuffling`).
    """

    pack: tuple[Card, ...]
    streams: bool = False


@dataclass(frozen=True, slots=True)
class Attempt:
    """Take that action though the rules may refuse it (`docs/law/classic.md 1.22`).

    What is legal simply happens, what is an irregularity at this table is paid for, and all else stays refused.
    """

    of: Step | Act


Step: TypeAlias = (
    Draw | DrawKeeping | Take | Meld | LayRun | Combine | Reclaim | Discard | Ask | Answer | Announce | Pass | Show
)
Act: TypeAlias = LayMelds | TakePile | DiscardCard | TakeBack
Action: TypeAlias = Step | Act | Attempt | StartDeal

DRAW: Final = Draw()
DRAW_KEEPING: Final = DrawKeeping()
ASK: Final = Ask()
ANNOUNCE: Final = Announce()
YES: Final = Answer(True)
NO: Final = Answer(False)
PASS: Final = Pass()
TAKE_BACK: Final = TakeBack()
SHOW: Final = Show()
TAKE_ADD: Final = Take()
TAKE_PAIR: Final = Take(naturals=2)
TAKE_TRIPLE: Final = Take(naturals=3)
TAKE_SHOWING: Final = Take(twos=2)
TAKE_WITH_TWO: Final = Take(naturals=1, twos=1)
TAKE_WITH_JOKER: Final = Take(naturals=1, jokers=1)


@cache
def meld(place: Place, naturals: int = 0, twos: int = 0, jokers: int = 0) -> Meld:
    """Return the one shared object for that meld step."""
    return Meld(place, naturals, twos, jokers)


@cache
def lay_run(place: Place, low: Kind, high: Kind) -> LayRun:
    """Return the one shared object for that run step."""
    return LayRun(place, low, high)


@cache
def show(hand: str) -> Show:
    """Return the one shared object for showing that special hand."""
    return Show(hand)


@cache
def discard(kind: Kind) -> Discard:
    """Return the one shared object for discarding that kind."""
    return Discard(kind)


# --- paragraphs of the law --------------------------------------------------------------------------------------------

PARAGRAPHS: Final[Mapping[type[Action], str]] = {
    StartDeal: "1.4",
    Draw: "1.9",
    DrawKeeping: "v3.10",
    Take: "1.12",
    TakePile: "1.12",
    Meld: "1.10",
    LayRun: "v3.1",
    Combine: "v3.1",
    Reclaim: "1.10",
    LayMelds: "1.10",
    Discard: "1.9",
    DiscardCard: "1.9",
    TakeBack: "1.9",
    Ask: "1.18",
    Answer: "1.18",
    Announce: "1.15",
    Pass: "1.19",
    Show: "v3.10",
    Attempt: "1.22",
}
"""The paragraph that allows each action."""

INITIAL_MELD: Final = "1.11"
INITIAL_CANASTA: Final = "v3.3"
GOING_OUT: Final = "1.15"
CONCEALED: Final = "1.16"
END_OF_STOCK: Final = "1.19"
SEVEN_CANASTAS: Final = "v2"
THEME_CANASTA: Final = "themes"
SPECIAL_HAND: Final = "v3.10"
"""The paragraphs of what more may happen with an action."""
