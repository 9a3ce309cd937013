"""Colours. A theme gives every `Ink` its colour; the papers and suits of the cards are the same in all themes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from types import MappingProxyType
from typing import Final, TypeAlias

from render.items import Ink

Colour: TypeAlias = tuple[int, int, int]
FeltSteps: TypeAlias = tuple[tuple[float, Colour], ...]

FELT_PLACES: Final = 512
"""How finely the way from the middle of a felt to its edge is looked at."""


def colour(code: str) -> Colour:
    """The colour written as #RRGGBB."""
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


def between(first: Colour, second: Colour, share: float) -> Colour:
    """The first colour with that share of the second."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


def bucket(shade: Colour) -> Colour:
    """Pillow looks colours up in a palette by six bits a channel: equal buckets become one colour."""
    return shade[0] >> 2, shade[1] >> 2, shade[2] >> 2


@lru_cache(maxsize=8)
def _felt_steps(felt: tuple[Colour, Colour]) -> FeltSteps:
    """No two share a `bucket`, so all of them can be in the palette, and the steps are too small to be seen."""
    steps: list[tuple[float, Colour]] = []
    ways = [between(*felt, place / FELT_PLACES) for place in range(FELT_PLACES + 1)]
    for _, group in groupby(enumerate(ways), key=lambda way: bucket(way[1])):
        places = [place for place, _ in group]
        steps.append(((places[-1] + 1) / (FELT_PLACES + 1), ways[places[len(places) // 2]]))
    # A dot in the middle would be seen.
    return tuple(steps[1:] if steps[0][0] < 0.05 else steps)


@dataclass(frozen=True, slots=True)
class Theme:
    """A look of table and text."""

    name: str
    inks: Mapping[Ink, Colour]
    felt: tuple[Colour, Colour]
    rail: tuple[Colour, Colour, Colour]

    @property
    def felt_steps(self) -> FeltSteps:
        """The felt's colours from the middle to the edge, each with the share of the way where it ends."""
        return _felt_steps(self.felt)

    def fixed_colours(self) -> tuple[Colour, ...]:
        """Every flat colour of the theme, none twice."""
        return tuple(dict.fromkeys([*self.inks.values(), *(step for _, step in self.felt_steps), *self.rail]))


DARK: Final = Theme(
    name="dark",
    inks=MappingProxyType(
        {
            ink: colour(code)
            for ink, code in {
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
                Ink.LOSS: "#FFA28F",
                Ink.BADGE: "#10151A",
                Ink.BADGE_TEXT: "#FFFFFF",
                Ink.SLOT: "#0F4030",
                Ink.SIDE_0: "#FFAA3C",
                Ink.SIDE_1: "#5ABEFF",
                Ink.SIDE_2: "#D59BFF",
                Ink.SIDE_3: "#8CE05A",
                Ink.SIDE_4: "#FF8FA8",
                Ink.SIDE_5: "#E8E8E8",
            }.items()
        }
    ),
    felt=(colour("#1A5C45"), colour("#0D382B")),
    rail=(colour("#5A3F2B"), colour("#3E2A1C"), colour("#2A1B11")),
)


SUIT_COLOURS: Final = (colour("#14171C"), colour("#B00020"), colour("#D27600"), colour("#0A66D0"))
"""Spades, hearts, diamonds, clubs: warm for the red suits, cool or dark for the black ones."""

PAPER: Final = colour("#FDFDFA")
PAPER_EDGE: Final = colour("#B9BFBA")
TWO_PAPER: Final = colour("#FFF3D0")
TWO_FRAME: Final = colour("#B8860B")
STAR: Final = colour("#C98A14")
JOKER_PAPER: Final = colour("#F1E8FF")
JOKER_FRAME: Final = colour("#6B2FB3")
JOKER_STAR: Final = colour("#C41632")
CROWN: Final = colour("#D0881B")
BLACK_THREE_PAPER: Final = colour("#E6EAEE")
BLACK_THREE_FRAME: Final = colour("#5C6672")
RED_THREE_PAPER: Final = colour("#FFEDEA")
RED_THREE_FRAME: Final = colour("#C41632")
BACK: Final = colour("#97172C")
BACK_LATTICE: Final = colour("#C8596A")
NATURAL: Final = colour("#C41632")
MIXED: Final = colour("#16191F")
PILL: Final = colour("#E0E4E2")
PILL_TEXT: Final = colour("#22262B")
MELD_RANK: Final = colour("#333C48")
WHITE: Final = colour("#FFFFFF")
BLACK: Final = (0, 0, 0)

CARD_COLOURS: Final = (
    *SUIT_COLOURS, PAPER, PAPER_EDGE, TWO_PAPER, TWO_FRAME, STAR, JOKER_PAPER, JOKER_FRAME, JOKER_STAR, CROWN,
    BLACK_THREE_PAPER, BLACK_THREE_FRAME, RED_THREE_PAPER, BACK, BACK_LATTICE, MIXED, PILL, PILL_TEXT, MELD_RANK,
    WHITE, BLACK,
)  # fmt: skip
"""Every flat colour of the cards."""
