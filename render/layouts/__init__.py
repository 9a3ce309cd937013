"""Convert a picture's input into a layout of placed items."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from render.colour_themes import THEMES
from render.drawing.text_fitting import Ruler
from render.layout_items import WIDTH, Deck, Layout
from render.layouts.board import board_layout
from render.layouts.charts import rating_layout, replay_layout
from render.layouts.hand import hand_layout
from render.layouts.score import score_layout
from render.layouts.tournament import bracket_layout, standings_layout
from render.picture_inputs import (
    BoardPicture,
    BracketPicture,
    HandPicture,
    Picture,
    RatingPicture,
    ReplayPicture,
    ScorePicture,
    StandingsPicture,
)

# `Any`: each function takes the type of its key, which the type of a mapping cannot express.
LAYOUTS: Final[Mapping[type[Picture], Callable[[Any, Ruler, float], Layout]]] = {
    BoardPicture: board_layout,
    HandPicture: hand_layout,
    ScorePicture: score_layout,
    BracketPicture: bracket_layout,
    StandingsPicture: standings_layout,
    RatingPicture: rating_layout,
    ReplayPicture: replay_layout,
}


TALLEST: Final = 1.7
"""From this ratio of height to width, a picture is displayed so small that large print has no effect."""


def layout_of(picture: Picture, ruler: Ruler) -> Layout:
    """Return the picture's layout; equal inputs give equal layouts."""
    width = width_of(picture)
    layout = LAYOUTS[type(picture)](picture, ruler.scaled_to_width(width), width)
    if width < WIDTH and layout.height > TALLEST * width:
        width = WIDTH
        layout = LAYOUTS[type(picture)](picture, ruler.scaled_to_width(width), width)
    deck, against = Deck.FOUR_COLOUR, False
    shown = picture.board if isinstance(picture, ReplayPicture) else picture
    if isinstance(shown, BoardPicture | HandPicture):
        view = shown.view.table if isinstance(shown, HandPicture) else shown.view
        deck, against = shown.deck, view.rules.red3_role == "penalty"
    return replace(layout, width=width, theme=picture.theme, deck=deck, threes_against=against)


def width_of(picture: Picture) -> float:
    """Return the picture's width in units.

    It is that of its theme, or the usual one if the picture has many columns.
    """
    many = False
    if isinstance(picture, ScorePicture):
        many = len(picture.results[-1].scores) > 2
    elif isinstance(picture, BracketPicture):
        many = len(picture.rounds) > 3
    elif isinstance(picture, StandingsPicture):
        many = len(picture.columns) > 3
    return WIDTH if many else THEMES[picture.theme].width
