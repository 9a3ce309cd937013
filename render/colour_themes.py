"""Themes: the colours of all inks, the size of print, and the colours of the cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from types import MappingProxyType
from typing import Final, TypeAlias

from render.layout_items import WIDTH, Deck, Ink, ThemeName

Colour: TypeAlias = tuple[int, int, int]
FeltSteps: TypeAlias = tuple[tuple[float, Colour], ...]

PIXELS: Final = 1200
"""Width of every picture in pixels."""

FELT_PLACES: Final = 512
"""Number of steps in which the felt's gradient is sampled."""


def parse_colour(code: str) -> Colour:
    """Return the colour written as #RRGGBB."""
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


def mix_colours(first: Colour, second: Colour, share: float) -> Colour:
    """Return the first colour mixed with the share `share` (0 to 1) of the second."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


def round_to_six_bits(shade: Colour) -> Colour:
    """Return the colour in six bits per channel, the precision of Pillow's palette lookup."""
    return shade[0] >> 2, shade[1] >> 2, shade[2] >> 2


@lru_cache(maxsize=8)
def _felt_steps(felt: tuple[Colour, Colour]) -> FeltSteps:
    """Return the felt's gradient, reduced to colours that differ after `round_to_six_bits`.

    With fewer colours all of them fit into the palette.
    """
    steps: list[tuple[float, Colour]] = []
    ways = [mix_colours(*felt, place / FELT_PLACES) for place in range(FELT_PLACES + 1)]
    for _, group in groupby(enumerate(ways), key=lambda way: round_to_six_bits(way[1])):
        places = [place for place, _ in group]
        steps.append(((places[-1] + 1) / (FELT_PLACES + 1), ways[places[len(places) // 2]]))
    # The first step is left out if it is so small that it would be visible as a dot.
    return tuple(steps[1:] if steps[0][0] < 0.05 else steps)


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours and sizes of a picture: table and text.

    `width` is in units: fewer units make everything larger. `edge` is the thickness of lines around plates in pixels,
    `suits` the colours of spades, hearts, diamonds and clubs in the four-colour deck.
    """

    name: ThemeName
    palette: str
    inks: Mapping[Ink, Colour]
    felt: tuple[Colour, Colour]
    rail: tuple[Colour, Colour, Colour]
    suits: tuple[Colour, Colour, Colour, Colour]
    width: float = WIDTH
    edge: int = 1

    @property
    def felt_steps(self) -> FeltSteps:
        """Return the felt's colours from the middle to the edge, each with the share of the way where it ends."""
        return _felt_steps(self.felt)

    def printing_of_deck(self, deck: Deck) -> CardPrinting:
        """Return how the faces of a deck are printed."""
        return CardPrinting(deck, self.suits if deck is Deck.FOUR_COLOUR else CLASSIC_SUITS)

    def fixed_colours(self) -> tuple[Colour, ...]:
        """Return every flat colour of the theme and its cards, without duplicates."""
        steps = [step for _, step in self.felt_steps]
        return tuple(dict.fromkeys([*self.inks.values(), *steps, *self.rail, *self.suits, *CARD_COLOURS]))


@dataclass(frozen=True, slots=True)
class CardPrinting:
    """A way to print the faces of cards: deck, colours by suit, and the sign of red threes."""

    deck: Deck
    suits: tuple[Colour, Colour, Colour, Colour]
    threes_against: bool = False


def _parse_inks(codes: Mapping[Ink, str], base: Mapping[Ink, Colour] | None = None) -> Mapping[Ink, Colour]:
    return MappingProxyType({**(base or {}), **{ink: parse_colour(code) for ink, code in codes.items()}})


SUIT_COLOURS: Final = (
    parse_colour("#14171C"),
    parse_colour("#B00020"),
    parse_colour("#D27600"),
    parse_colour("#0A66D0"),
)
"""Warm for red suits, cool or dark for black ones; also for colour blindness (tests/render/test_colours.py)."""

STRONG_SUITS: Final = (
    parse_colour("#000000"),
    parse_colour("#99001A"),
    parse_colour("#C06600"),
    parse_colour("#0A5FC4"),
)
"""Darker suit colours for high contrast."""

CLASSIC_SUITS: Final = (
    parse_colour("#14171C"),
    parse_colour("#C41632"),
    parse_colour("#C41632"),
    parse_colour("#14171C"),
)

DARK: Final = Theme(
    name=ThemeName.DARK,
    palette="dark",
    inks=_parse_inks(
        {
            Ink.TEXT: "#F4F8F5",
            Ink.SECONDARY: "#B2CDC0",
            Ink.FELT_SECONDARY: "#B2CDC0",
            Ink.GOLD: "#FFC83D",
            Ink.PANEL: "#092920",
            Ink.PANEL_EDGE: "#24513F",
            Ink.CHIP: "#041913",
            Ink.CHIP_EDGE: "#2C4A3E",
            Ink.TURN: "#FFC83D",
            Ink.TURN_TEXT: "#1C1404",
            Ink.TURN_SECONDARY: "#5A4208",
            Ink.RAIL_TEXT: "#F5E8D6",
            Ink.CHOSEN: "#FFC83D",
            Ink.CHOSEN_TEXT: "#1C1404",
            Ink.FRESH: "#45C0FF",
            Ink.FRESH_TEXT: "#04202F",
            Ink.STAGED: "#6FE3A1",
            Ink.STAGED_TEXT: "#04281A",
            Ink.FROZEN: "#1E5C8C",
            Ink.FROZEN_EDGE: "#5FA3D8",
            Ink.FROZEN_TEXT: "#D6F1FF",
            Ink.FROZEN_FRAME: "#78CDFF",
            Ink.STRIPE: "#0B3325",
            Ink.LINE: "#3A7860",
            Ink.LOSS: "#FFB4A2",
            Ink.BADGE: "#10151A",
            Ink.BADGE_TEXT: "#FFFFFF",
            Ink.SLOT: "#0F4030",
            Ink.BAND: "#4A6A3A",
            Ink.SIDE_0: "#FFAA3C",
            Ink.SIDE_1: "#5ABEFF",
            Ink.SIDE_2: "#FFFFFF",
            Ink.SIDE_3: "#CC4400",
            Ink.SIDE_4: "#0066EE",
            Ink.SIDE_5: "#888888",
        }
    ),
    felt=(parse_colour("#1A5C45"), parse_colour("#0D382B")),
    rail=(parse_colour("#5A3F2B"), parse_colour("#3E2A1C"), parse_colour("#2A1B11")),
    suits=SUIT_COLOURS,
)

LIGHT: Final = Theme(
    name=ThemeName.LIGHT,
    palette="light",
    inks=_parse_inks(
        {
            Ink.TEXT: "#10261D",
            Ink.SECONDARY: "#375849",
            Ink.FELT_SECONDARY: "#2C4A3C",
            Ink.GOLD: "#7A4600",
            Ink.PANEL: "#E8F1EB",
            Ink.PANEL_EDGE: "#A3BFAF",
            Ink.CHIP: "#FAFDFB",
            Ink.CHIP_EDGE: "#A3BFAF",
            Ink.RAIL_TEXT: "#301C0C",
            Ink.CHOSEN: "#8A4B00",
            Ink.CHOSEN_TEXT: "#FFFFFF",
            Ink.FRESH: "#0062AD",
            Ink.FRESH_TEXT: "#FFFFFF",
            Ink.STAGED: "#0B6E3A",
            Ink.STAGED_TEXT: "#FFFFFF",
            Ink.FROZEN_FRAME: "#1F7FC4",
            Ink.STRIPE: "#AFCDBB",
            Ink.LINE: "#8DB09C",
            Ink.LOSS: "#9C1B0A",
            Ink.SLOT: "#A9C9B8",
            Ink.BAND: "#D2C79C",
            Ink.SIDE_0: "#B35A00",
            Ink.SIDE_1: "#0069B8",
            Ink.SIDE_2: "#000000",
            Ink.SIDE_3: "#440066",
            Ink.SIDE_4: "#662200",
            Ink.SIDE_5: "#666666",
        },
        DARK.inks,
    ),
    felt=(parse_colour("#CEE2D6"), parse_colour("#B8D3C5")),
    rail=(parse_colour("#D8BB94"), parse_colour("#C4A076"), parse_colour("#AE8A5F")),
    suits=SUIT_COLOURS,
)

CONTRAST: Final = Theme(
    name=ThemeName.CONTRAST,
    palette="contrast",
    inks=_parse_inks(
        {
            Ink.TEXT: "#FFFFFF",
            Ink.SECONDARY: "#EDEDED",
            Ink.FELT_SECONDARY: "#EDEDED",
            Ink.GOLD: "#FFE14A",
            Ink.PANEL: "#000000",
            Ink.PANEL_EDGE: "#FFFFFF",
            Ink.CHIP: "#2B2B2B",
            Ink.CHIP_EDGE: "#9A9A9A",
            Ink.TURN: "#FFE14A",
            Ink.TURN_TEXT: "#000000",
            Ink.TURN_SECONDARY: "#2A2300",
            Ink.RAIL_TEXT: "#FFFFFF",
            Ink.CHOSEN: "#FFE14A",
            Ink.CHOSEN_TEXT: "#000000",
            Ink.FRESH: "#5CD0FF",
            Ink.FRESH_TEXT: "#000000",
            Ink.STAGED: "#7DF5AE",
            Ink.STAGED_TEXT: "#000000",
            Ink.FROZEN: "#003A66",
            Ink.FROZEN_EDGE: "#8FD6FF",
            Ink.FROZEN_TEXT: "#FFFFFF",
            Ink.FROZEN_FRAME: "#49B8FF",
            Ink.STRIPE: "#202020",
            Ink.LINE: "#9A9A9A",
            Ink.LOSS: "#FFB3A3",
            Ink.BADGE: "#000000",
            Ink.BADGE_TEXT: "#FFFFFF",
            Ink.SLOT: "#202020",
            Ink.BAND: "#5C5426",
            Ink.SIDE_0: "#FFAA3C",
            Ink.SIDE_1: "#5ABEFF",
            Ink.SIDE_2: "#FFFFFF",
            Ink.SIDE_3: "#AA6600",
            Ink.SIDE_4: "#8866AA",
            Ink.SIDE_5: "#AAAAAA",
        },
        DARK.inks,
    ),
    felt=(parse_colour("#0C0C0C"), parse_colour("#0C0C0C")),
    rail=(parse_colour("#9A9A9A"), parse_colour("#2B2B2B"), parse_colour("#2B2B2B")),
    suits=STRONG_SUITS,
    edge=3,
)

LARGE: Final = replace(DARK, name=ThemeName.LARGE, width=312.0)
"""Everything is larger, with less side by side."""

THEMES: Final[Mapping[ThemeName, Theme]] = MappingProxyType(
    {theme.name: theme for theme in (DARK, LIGHT, CONTRAST, LARGE)}
)

PAPER: Final = parse_colour("#FDFDFA")
PAPER_EDGE: Final = parse_colour("#B9BFBA")
TWO_PAPER: Final = parse_colour("#FFF3D0")
TWO_FRAME: Final = parse_colour("#B8860B")
STAR: Final = parse_colour("#C98A14")
JOKER_PAPER: Final = parse_colour("#F1E8FF")
JOKER_FRAME: Final = parse_colour("#6B2FB3")
JOKER_STAR: Final = parse_colour("#C41632")
CROWN: Final = parse_colour("#D0881B")
BLACK_THREE_PAPER: Final = parse_colour("#E6EAEE")
BLACK_THREE_FRAME: Final = parse_colour("#5C6672")
RED_THREE_PAPER: Final = parse_colour("#FFEDEA")
RED_THREE_FRAME: Final = parse_colour("#C41632")
BACK: Final = parse_colour("#97172C")
BACK_LATTICE: Final = parse_colour("#C8596A")
NATURAL: Final = parse_colour("#C41632")
MIXED: Final = parse_colour("#16191F")
WILD: Final = parse_colour("#8A5A00")
RUN: Final = JOKER_FRAME
COURT_PAPER: Final = parse_colour("#F6EFDD")
PILL: Final = parse_colour("#E0E4E2")
PILL_TEXT: Final = parse_colour("#22262B")
MELD_RANK: Final = parse_colour("#333C48")
WHITE: Final = parse_colour("#FFFFFF")
BLACK: Final = (0, 0, 0)

CARD_COLOURS: Final = (
    PAPER, PAPER_EDGE, TWO_PAPER, TWO_FRAME, STAR, JOKER_PAPER, JOKER_FRAME, JOKER_STAR, CROWN, BLACK_THREE_PAPER,
    BLACK_THREE_FRAME, RED_THREE_PAPER, BACK, BACK_LATTICE, WILD, MIXED, PILL, PILL_TEXT, MELD_RANK, WHITE, BLACK,
    *CLASSIC_SUITS, COURT_PAPER,
)  # fmt: skip
"""Every flat colour of the cards, except the suits of the four-colour deck."""
