"""The input of pictures: engine views with the texts around them.

Texts are in the viewer's language; names may be any display names and are bounded when drawn.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeAlias

from bot.engine.cards.cards import BLACK_THREE, Card, Kind
from bot.engine.table.views import PublicView, SeatView
from render.layout_items import Deck, ThemeName
from render.picture_words import ENGLISH, PictureWords


class PointLines(Protocol):
    """The lines of one side's points in a deal, as the engine scores them (`ScoreLines`)."""

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


class OtherCanastaPoints(Protocol):
    """Points for canastas that are neither natural nor mixed, by kind (`OtherCanastas`)."""

    @property
    def run_canastas(self) -> int: ...
    @property
    def wild_canastas(self) -> int: ...
    @property
    def special_canastas(self) -> int: ...


class Result(Protocol):
    """A finished deal (`DealEnded`): its number, and lines and totals by side.

    Without `others`, the kinds of other canastas are unknown.
    """

    @property
    def deal(self) -> int: ...
    @property
    def others(self) -> Sequence[OtherCanastaPoints]: ...
    @property
    def lines(self) -> Sequence[PointLines]: ...
    @property
    def scores(self) -> tuple[int, ...]: ...


class HandOrder(StrEnum):
    """Orders of the cards in a hand."""

    RANK = "rank"
    VALUE = "value"
    DRAWN = "drawn"


class SheetKind(StrEnum):
    """Kinds of score sheets: the last deal, the whole game, or the finished game."""

    DEAL = "deal"
    GAME = "game"
    FINAL = "final"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPicture:
    """The input for a picture of the public table.

    `names` and `clocks` are by seat; a clock is empty if it does not run. An empty `headline` is replaced by the
    player to act.
    """

    view: PublicView
    names: tuple[str, ...]
    headline: str = ""
    advice: str = ""
    rules_name: str = ""
    clocks: tuple[str, ...] = ()
    words: PictureWords = ENGLISH
    theme: ThemeName = ThemeName.DARK
    deck: Deck = Deck.FOUR_COLOUR


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPicture:
    """A seat's hand, private to its holder.

    With `names`, by seat, a strip above it shows the table; without names there is no strip. `selected` are the cards
    chosen so far, `staged` the melds prepared but not yet laid, and `staged_points` their value; both are cards of the
    hand. `drawn` is the order in which cards came since the deal, for `HandOrder.DRAWN`: cards that are missing in it
    are first, by rank, and cards that are no longer in the hand are ignored.
    """

    view: SeatView
    names: tuple[str, ...] = ()
    title: str = ""
    selected: tuple[Card, ...] = ()
    staged: tuple[tuple[Card, ...], ...] = ()
    staged_points: int = 0
    order: HandOrder = HandOrder.RANK
    drawn: tuple[Card, ...] = ()
    words: PictureWords = ENGLISH
    theme: ThemeName = ThemeName.DARK
    deck: Deck = Deck.FOUR_COLOUR


@dataclass(frozen=True, slots=True)
class OpenHand:
    """An open hand with a title; `fresh` are the cards that came in the turn shown."""

    title: str
    cards: tuple[Card, ...]
    fresh: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayPicture:
    """A past position with open hands, in the style of its board."""

    board: BoardPicture
    hands: tuple[OpenHand, ...]

    @property
    def words(self) -> PictureWords:
        """Return the words of the replay's board."""
        return self.board.words

    @property
    def theme(self) -> ThemeName:
        """Return the theme of the replay's board."""
        return self.board.theme


class ScoringThrees(StrEnum):
    """The colours of threes that score points of their own."""

    RED = "red"
    BOTH = "both"
    NONE = "none"


def scoring_threes_of(laid_out: Collection[Kind]) -> ScoringThrees:
    """Return which threes score points.

    `laid_out` are the kinds of cards that players lay out when they draw them.
    """
    if not laid_out:
        return ScoringThrees.NONE
    return ScoringThrees.BOTH if BLACK_THREE in laid_out else ScoringThrees.RED


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorePicture:
    """The score after a deal, or at the end of the game if it has a `winner` (a side).

    `results` are the deals so far, at least one; `side_names` are by side; `banner` is at the top, such as the
    winner. Without a `sheet`, the last deal or the finished game is shown. A number of `rounds` is shown instead of
    the `target`. `threes` are those that score points of their own.
    """

    results: tuple[Result, ...]
    side_names: tuple[str, ...]
    target: int
    rounds: int | None = None
    rules_name: str = ""
    winner: int | None = None
    banner: str = ""
    sheet: SheetKind | None = None
    threes: ScoringThrees = ScoringThrees.RED
    words: PictureWords = ENGLISH
    theme: ThemeName = ThemeName.DARK

    @property
    def kind(self) -> SheetKind:
        """The kind of sheet."""
        return self.sheet or (SheetKind.DEAL if self.winner is None else SheetKind.FINAL)


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match of a bracket: names, points so far (None before it starts), and the winner (0 or 1).

    A name is empty as long as the entry is not known.
    """

    names: tuple[str, str]
    points: tuple[int | None, int | None] = (None, None)
    winner: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketPicture:
    """A knock-out: its rounds in order, at most 16 matches each and none longer than the one before.

    A round has half as many matches as the one before, or equally many. In the second case each match follows the one
    beside it, and its other entry comes from outside the picture, as in the lower half of a double elimination.
    """

    title: str
    note: str = ""
    rounds: tuple[tuple[BracketMatch, ...], ...]
    round_names: tuple[str, ...] = ()
    words: PictureWords = ENGLISH
    theme: ThemeName = ThemeName.DARK


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """A row of standings; `marked` if it is the viewer's own or qualifies."""

    place: int
    name: str
    values: tuple[int | str, ...]
    marked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsPicture:
    """Standings with at most four columns of figures and at most 24 rows.

    The last column is the most important one. With `medals`, at the end of a tournament, the first three places are
    highlighted.
    """

    title: str
    note: str = ""
    columns: tuple[str, ...]
    rows: tuple[StandingsRow, ...]
    medals: bool = False
    words: PictureWords = ENGLISH
    theme: ThemeName = ThemeName.DARK


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A rating after a game, and its uncertainty."""

    value: int
    deviation: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingPicture:
    """The history of a rating, oldest first, 1 to 200 points."""

    title: str
    note: str = ""
    points: tuple[RatingPoint, ...]
    words: PictureWords = ENGLISH
    theme: ThemeName = ThemeName.DARK


Picture: TypeAlias = (
    BoardPicture | HandPicture | ReplayPicture | ScorePicture | BracketPicture | StandingsPicture | RatingPicture
)
