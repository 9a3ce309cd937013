"""Actions: requests of a seat, as steps (kinds of cards) or acts (cards).

*Steps* name kinds of cards. They are few, shared objects, and `legal_actions` lists them: every legal turn is a
sequence of steps. *Acts* name cards, as a person would say them ("these three kings and that joker, and these sevens").
Each act is carried out as a sequence of steps, all or nothing.

Decides `docs/law/classic.md 1.24`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final, TypeAlias

from bot.engine.cards.cards import Card, Kind, card_of
from bot.engine.cards.meld_places import AtPlace, Place


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw cards from the stock, as many as the rules say (`docs/law/classic.md 1.9`)."""


@dataclass(frozen=True, slots=True)
class DrawKeeping:
    """Draw, and keep one drawn three in the hand for a special hand (`docs/law/variants.md 3.10`)."""


@dataclass(frozen=True, slots=True)
class Take:
    """Pick up the pile; the numbers say which cards from the hand are melded with its top card.

    Two naturals are a pair, three a triple. One natural goes with one two or one joker. Two twos take a pile with a two
    on top, and are shown. Without cards, the top card is added to a meld of the side (`docs/law/classic.md 1.12`).
    """

    naturals: int = 0
    twos: int = 0
    jokers: int = 0
    onto: Place | None = None
    """The meld that the cards join, if the side may have several of the rank, or runs; else None."""

    @property
    def size(self) -> int:
        """The number of cards that leave the hand."""
        return self.naturals + self.twos + self.jokers

    @property
    def is_addition(self) -> bool:
        """Whether only the top card joins a meld of the side."""
        return not self.size


@dataclass(frozen=True, slots=True)
class Meld(AtPlace):
    """Lay naturals, twos and jokers as a new meld, or add them to the meld at `place`.

    Also wild cards alone, and twos as a rank, where the rules have them; their cards are counted as twos and jokers.
    Source: `docs/law/classic.md 1.10`.
    """

    place: Place
    naturals: int = 0
    twos: int = 0
    jokers: int = 0
    size: int = field(init=False, compare=False, repr=False)
    """The number of cards that leave the hand."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", self.naturals + self.twos + self.jokers)


@dataclass(frozen=True, slots=True)
class LayRun:
    """Lay cards of a suit from `low` to `high` as a new run, or at an end of a run.

    Source: `docs/law/variants.md 3.1`.
    """

    place: Place
    low: Kind
    high: Kind

    @property
    def size(self) -> int:
        """The number of cards that leave the hand."""
        return self.high - self.low + 1

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that leave the hand, in ascending order."""
        return tuple([card_of(kind, self.place & 3) for kind in range(self.low, self.high + 1)])


@dataclass(frozen=True, slots=True)
class Combine:
    """Merge one of the side's melds of a rank into another of that rank (`docs/law/variants.md 3.1`)."""

    place: Place
    onto: Place


@dataclass(frozen=True, slots=True)
class Reclaim:
    """Take back the wild cards of a canasta whose naturals alone are a canasta.

    Source: `docs/law/classic.md H43`.
    """

    place: Place


@dataclass(frozen=True, slots=True)
class Discard:
    """Put a card of a kind on the pile and end the turn."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the partner for permission to go out (`docs/law/classic.md 1.18`)."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer the partner's question whether to go out (`docs/law/classic.md 1.18`)."""

    yes: bool


@dataclass(frozen=True, slots=True)
class Announce:
    """Announce going out in this turn, where the rules require it (`docs/law/classic.md 1.15`)."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Decline the pile when the stock is empty, which ends the deal (`docs/law/classic.md 1.19`)."""


@dataclass(frozen=True, slots=True)
class Show:
    """Show the whole hand as a special hand, which ends the deal (`docs/law/variants.md 3.10`)."""

    hand: str | None = None
    """The hand's name in `special_hands`; None for the one with the most points that the cards make."""


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back the last cards laid in this turn, if no hidden card has been seen since."""


@dataclass(frozen=True, slots=True)
class Lay:
    """The cards of one meld.

    `onto` is the number, from 0, of the side's meld that they join; None if the cards themselves show it.
    """

    cards: tuple[Card, ...]
    onto: int | None = None


@dataclass(frozen=True, slots=True)
class LayMelds:
    """Lay several melds and additions in one act."""

    melds: tuple[Lay, ...]


@dataclass(frozen=True, slots=True)
class TakePile:
    """Pick up the pile with these cards from the hand, and lay further melds in the same act.

    `onto` is the number, from 0, of the side's meld that the top card joins; None if its rank shows it.
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
    """Deal this pack, first card first; not an action of a seat, but of the service that runs the table.

    The shuffled pack enters the game here, as data. With `streams` every seat draws from its own stream
    (`bot.engine.cards.shuffling`).
    """

    pack: tuple[Card, ...]
    streams: bool = False


@dataclass(frozen=True, slots=True)
class Attempt:
    """Try an action that the rules may refuse (`docs/law/classic.md 1.22`).

    A legal action happens. An irregularity of this table is penalised. All else is refused.
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
def meld_step(place: Place, naturals: int = 0, twos: int = 0, jokers: int = 0) -> Meld:
    """Return the step that melds these cards at that place; equal arguments give the same object."""
    return Meld(place, naturals, twos, jokers)


@cache
def run_step(place: Place, low: Kind, high: Kind) -> LayRun:
    """Return the step that lays these cards of a run; equal arguments give the same object."""
    return LayRun(place, low, high)


@cache
def show_step(hand: str) -> Show:
    """Return the step that shows that special hand; equal arguments give the same object."""
    return Show(hand)


@cache
def discard_step(kind: Kind) -> Discard:
    """Return the step that discards a card of that kind; equal arguments give the same object."""
    return Discard(kind)


# --- paragraphs of the rules ------------------------------------------------------------------------------------------

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
"""The paragraphs of further results of an action, like the names above."""
