"""The items that layouts consist of: things placed on a felt, in paint order.

Lengths are in units; a picture is at most 400 units wide. Colours are named by purpose (`Ink`), fonts by weight and
size (`Style`); themes and drawing know the pixels.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal, TypeAlias

from bot.engine.cards.cards import Card, Suit

WIDTH: Final = 400.0
"""Width of a picture in units, unless its theme prints larger."""


class ThemeName(StrEnum):
    """The themes of pictures."""

    DARK = "dark"
    LIGHT = "light"
    CONTRAST = "contrast"
    LARGE = "large"


class Deck(StrEnum):
    """The styles of card faces."""

    FOUR_COLOUR = "four"
    CLASSIC = "two"


class Ink(StrEnum):
    """Colours by purpose; a theme defines them."""

    TEXT = "text"
    SECONDARY = "secondary"
    FELT_SECONDARY = "felt_secondary"
    GOLD = "gold"
    PANEL = "panel"
    PANEL_EDGE = "panel_edge"
    CHIP = "chip"
    CHIP_EDGE = "chip_edge"
    TURN = "turn"
    TURN_TEXT = "turn_text"
    TURN_SECONDARY = "turn_secondary"
    RAIL_TEXT = "rail_text"
    CHOSEN = "chosen"
    CHOSEN_TEXT = "chosen_text"
    FRESH = "fresh"
    FRESH_TEXT = "fresh_text"
    STAGED = "staged"
    STAGED_TEXT = "staged_text"
    FROZEN = "frozen"
    FROZEN_EDGE = "frozen_edge"
    FROZEN_TEXT = "frozen_text"
    FROZEN_FRAME = "frozen_frame"
    STRIPE = "stripe"
    LINE = "line"
    LOSS = "loss"
    BADGE = "badge"
    BADGE_TEXT = "badge_text"
    SLOT = "slot"
    BAND = "band"
    SIDE_0 = "side_0"
    SIDE_1 = "side_1"
    SIDE_2 = "side_2"
    SIDE_3 = "side_3"
    SIDE_4 = "side_4"
    SIDE_5 = "side_5"


SIDE_INKS: Final = (Ink.SIDE_0, Ink.SIDE_1, Ink.SIDE_2, Ink.SIDE_3, Ink.SIDE_4, Ink.SIDE_5)


class Sign(StrEnum):
    """Small symbols that pictures contain, such as a star or a snowflake."""

    STAR = "star"
    CROWN = "crown"
    SNOWFLAKE = "snowflake"
    CARDS = "cards"
    ARROW = "arrow"
    TICK = "tick"
    STOP = "stop"
    PLUS = "plus"
    MINUS = "minus"
    CLOCK = "clock"
    DEALER = "dealer"


@dataclass(frozen=True, slots=True)
class Style:
    """A font by weight (500, 600, 700 or 800) and size."""

    weight: Literal[500, 600, 700, 800]
    size: float


CAP_HEIGHT: Final = 0.727
"""Height of a capital, relative to the text size."""

DESCENT: Final = 0.21
"""How far letters reach below the line, relative to the text size."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.top + self.height

    @property
    def centre(self) -> float:
        """The horizontal middle."""
        return self.left + self.width / 2

    @property
    def middle(self) -> float:
        """The vertical middle."""
        return self.top + self.height / 2

    def contains(self, other: Box, slack: float = 0.01) -> bool:
        """Return whether the other box is inside this one, allowing `slack` units."""
        return (
            other.left >= self.left - slack
            and other.top >= self.top - slack
            and other.right <= self.right + slack
            and other.bottom <= self.bottom + slack
        )

    def overlaps(self, other: Box, slack: float = 0.01) -> bool:
        """Return whether the two boxes overlap by more than `slack` units."""
        return (
            self.left < other.right - slack
            and other.left < self.right - slack
            and self.top < other.bottom - slack
            and other.top < self.bottom - slack
        )


@dataclass(frozen=True, slots=True)
class Plate:
    """A filled rectangle with round corners: a panel, chip, bar or line."""

    box: Box
    radius: float
    fill: Ink
    edge: Ink | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text.

    `box` begins at its left edge and reaches from the top of capitals to below the line.
    """

    text: str
    box: Box
    style: Style
    ink: Ink

    @property
    def baseline(self) -> float:
        """The baseline of the letters."""
        return self.box.top + CAP_HEIGHT * self.style.size


@dataclass(frozen=True, slots=True)
class Symbol:
    """A drawn symbol that fills its box."""

    sign: Sign
    box: Box
    ink: Ink


@dataclass(frozen=True, slots=True)
class CardFace:
    """A card face up.

    In a hand, `shown` is the visible part (width and height from the upper left corner), and `number` its place in the
    hand.
    """

    card: Card
    box: Box
    frame: Ink | None = None
    shown: tuple[float, float] | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class CrosswiseCard:
    """A card lying on its left side, with its top to the left."""

    card: Card
    box: Box


@dataclass(frozen=True, slots=True)
class CardBack:
    """A card face down."""

    box: Box


@dataclass(frozen=True, slots=True)
class StackEdges:
    """The edges of cards under a stack whose top card fills the box."""

    box: Box
    edges: int


@dataclass(frozen=True, slots=True)
class LargeSuit:
    """One large suit on the free part of a face; a crown if `suit` is None."""

    suit: Suit | None
    box: Box


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through points, with a dot at its end if `dot` is positive."""

    points: tuple[tuple[float, float], ...]
    box: Box
    width: float
    ink: Ink
    dot: float = 0.0


@dataclass(frozen=True, slots=True)
class Area:
    """A filled shape with straight sides."""

    points: tuple[tuple[float, float], ...]
    box: Box
    ink: Ink


BEHIND: Final = 3.2
"""How far each card behind a meld is visible above it."""


TileColour: TypeAlias = Literal["red", "black", "gold", "violet", "plain"]
"""Frame colours of melds: natural, mixed, wild, run, and no canasta yet."""


@dataclass(frozen=True, slots=True)
class MeldTile:
    """A meld seen from above: its mark, the cards behind its front card, and a label.

    The cards behind are letters: `n`atural, `2`, `j`oker. `box` is the front card; the cards behind are visible above
    it. `mark` is a rank, or the two ends of a run, which has a suit; empty for wild cards, which show a star. `pill` is
    the height of the label.
    """

    box: Box
    mark: tuple[str, ...]
    behind: str
    stars: int
    colour: TileColour
    label: str
    style: Style
    suit: Suit | None = None
    on: Ink = Ink.PANEL
    pill: float = 14.5


@dataclass(frozen=True, slots=True)
class Rail:
    """The wooden rail in front of a hand.

    `notches` are between ranks; they are distances from the left edge.
    """

    box: Box
    notches: tuple[float, ...]


Item: TypeAlias = (
    Plate
    | Text
    | Symbol
    | CardFace
    | CrosswiseCard
    | CardBack
    | StackEdges
    | LargeSuit
    | Stroke
    | Area
    | MeldTile
    | Rail
)


@dataclass(frozen=True, slots=True)
class Layout:
    """A whole picture: its size and style, and its items in paint order."""

    height: float
    items: tuple[Item, ...]
    width: float = WIDTH
    theme: ThemeName = ThemeName.DARK
    deck: Deck = Deck.FOUR_COLOUR
    threes_against: bool = False
    """Return whether red threes count against their holder and show a minus instead of a plus."""

    @property
    def box(self) -> Box:
        """The whole picture."""
        return Box(0, 0, self.width, self.height)
