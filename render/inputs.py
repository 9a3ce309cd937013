"""What a picture is asked to show: views of the engine with the words around them, ready to be drawn.

Every text comes in the viewer's language; names may be any display names, they are bounded here.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeAlias

from bot.engine.cards.cards import BLACK_THREE, Card, Kind
from bot.engine.table.views import PublicView, SeatView
from render.items import Deck, ThemeName
from render.words import ENGLISH, Words


class Lines(Protocol):
    """One side's deal line by line, as the engine scores it (`ScoreLines`). Points."""

    @property
    def natural_canastas(self) -> int: ...
    @property
    def mixed_canastas(self) -> int: ...
    @property
    def other_canastas(self) -> int: ...
    @property
    def red_threes(self) -> int: ...
    @property
    def going_out(self) -> int: ...
    @property
    def melded(self) -> int: ...
    @property
    def in_hand(self) -> int: ...
    @property
    def penalties(self) -> int: ...
    @property
    def bonuses(self) -> int: ...
    @property
    def total(self) -> int: ...


class Others(Protocol):
    """What the other canastas of a score are made of (`OtherCanastas`). Points."""

    @property
    def run_canastas(self) -> int: ...
    @property
    def wild_canastas(self) -> int: ...
    @property
    def special_canastas(self) -> int: ...


class Result(Protocol):
    """A deal that is over, as the engine tells it (`DealEnded`): its number, lines and totals after it by side.

    Where it has no `others`, it is not told what the other canastas were.
    """

    @property
    def deal(self) -> int: ...
    @property
    def others(self) -> Sequence[Others]: ...
    @property
    def lines(self) -> Sequence[Lines]: ...
    @property
    def scores(self) -> tuple[int, ...]: ...


class HandOrder(StrEnum):
    """In which order the cards of a hand stand."""

    RANK = "rank"
    VALUE = "value"
    DRAWN = "drawn"


class Sheet(StrEnum):
    """What a score sheet is about: the last deal, the whole game, or the game that is over."""

    DEAL = "deal"
    GAME = "game"
    FINAL = "final"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPicture:
    """The table for everybody. `names` go by seat, and so do `clocks`, which are empty where none runs.

    Without a `headline` it says who is to play.
    """

    view: PublicView
    names: tuple[str, ...]
    headline: str = ""
    advice: str = ""
    rules_name: str = ""
    clocks: tuple[str, ...] = ()
    words: Words = ENGLISH
    theme: ThemeName = ThemeName.DARK
    deck: Deck = Deck.FOUR_COLOUR


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPicture:
    """A seat's own hand, for its holder alone.

    With `names`, which go by seat, a strip above it tells of the table what it takes to decide; without, there is none.
    `selected` are the cards chosen at the moment, `staged` the melds put together but not yet laid and
    `staged_points` what they count; both are cards of the hand. `drawn` is the order in which cards came since the
    hand was dealt, for `HandOrder.DRAWN`; cards it does not name stand first, by rank, and cards it names which have
    left the hand are passed over.
    """

    view: SeatView
    names: tuple[str, ...] = ()
    title: str = ""
    selected: tuple[Card, ...] = ()
    staged: tuple[tuple[Card, ...], ...] = ()
    staged_points: int = 0
    order: HandOrder = HandOrder.RANK
    drawn: tuple[Card, ...] = ()
    words: Words = ENGLISH
    theme: ThemeName = ThemeName.DARK
    deck: Deck = Deck.FOUR_COLOUR


@dataclass(frozen=True, slots=True)
class OpenHand:
    """Cards that lie open under a title; `fresh` are those that came in the turn that is shown."""

    title: str
    cards: tuple[Card, ...]
    fresh: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayPicture:
    """A table of the past with hands open, looking as its board does."""

    board: BoardPicture
    hands: tuple[OpenHand, ...]

    @property
    def words(self) -> Words:
        """The words of the board."""
        return self.board.words

    @property
    def theme(self) -> ThemeName:
        """That of the board."""
        return self.board.theme


class Threes(StrEnum):
    """Which threes bring a side points of their own."""

    RED = "red"
    BOTH = "both"
    NONE = "none"


def threes_of(laid_out: Collection[Kind]) -> Threes:
    """Which threes bring points, from the kinds that are laid out when they are drawn."""
    if not laid_out:
        return Threes.NONE
    return Threes.BOTH if BLACK_THREE in laid_out else Threes.RED


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorePicture:
    """The score after a deal, or at the end of the game where there is a `winner` (a side).

    `results` are the deals so far, at least one; `side_names` go by side; `banner` stands above all, such as who
    has won. Without a `sheet` it is the last deal, or the end of the game. Where the game has a number of `rounds`, it
    is told in place of the `target`. `threes` says which threes bring points of their own.
    """

    results: Sequence[Result]
    side_names: tuple[str, ...]
    target: int
    rounds: int | None = None
    rules_name: str = ""
    winner: int | None = None
    banner: str = ""
    sheet: Sheet | None = None
    threes: Threes = Threes.RED
    words: Words = ENGLISH
    theme: ThemeName = ThemeName.DARK

    @property
    def kind(self) -> Sheet:
        """What it is about."""
        return self.sheet or (Sheet.DEAL if self.winner is None else Sheet.FINAL)


@dataclass(frozen=True, slots=True)
class Match:
    """A match of a bracket: who meets, what each has won so far (None before it starts), and the winner (0 or 1).

    An empty name is not known yet.
    """

    names: tuple[str, str]
    points: tuple[int | None, int | None] = (None, None)
    winner: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketPicture:
    """A knock-out: its rounds, the first one first, at most 16 matches and none longer than the one before.

    A round is half as long as the one before, or as long: then each match follows the one beside it, and whoever else
    comes has lost elsewhere, as in the lower half of a double knock-out.
    """

    title: str
    note: str = ""
    rounds: tuple[tuple[Match, ...], ...]
    round_names: tuple[str, ...] = ()
    words: Words = ENGLISH
    theme: ThemeName = ThemeName.DARK


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of a table of standings; `marked` where it is the viewer's own or qualifies."""

    place: int
    name: str
    values: tuple[int | str, ...]
    marked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsPicture:
    """Who stands where: at most four columns of figures, the last one weighing most, and at most 24 rows.

    With `medals`, at the close, the first three places stand out.
    """

    title: str
    note: str = ""
    columns: tuple[str, ...]
    rows: tuple[Standing, ...]
    medals: bool = False
    words: Words = ENGLISH
    theme: ThemeName = ThemeName.DARK


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A rating after a game, and how unsure it is."""

    value: int
    deviation: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingPicture:
    """How a rating went, the oldest first; at least one point, at most 200."""

    title: str
    note: str = ""
    points: tuple[RatingPoint, ...]
    words: Words = ENGLISH
    theme: ThemeName = ThemeName.DARK


Picture: TypeAlias = (
    BoardPicture | HandPicture | ReplayPicture | ScorePicture | BracketPicture | StandingsPicture | RatingPicture
)
