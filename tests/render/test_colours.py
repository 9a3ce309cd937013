"""Colours are distinct for every kind of sight, and text contrasts with its background."""

import pytest
from hypothesis import given

from render.colour_themes import CLASSIC_SUITS, PAPER, THEMES, TWO_PAPER, Colour, Theme
from render.drawing.fonts import FontRuler
from render.layout_items import SIDE_INKS, Box, Ink, Plate, Text, ThemeName
from render.layouts import layout_of
from render.picture_inputs import Picture
from tests.render import colour_vision, picture_strategies

RULER = FontRuler()

NEAREST_SUITS = {
    ThemeName.DARK: {"normal": 33.2, "protan": 22.8, "deutan": 21.3, "tritan": 20.0},
    ThemeName.LIGHT: {"normal": 33.2, "protan": 22.8, "deutan": 21.3, "tritan": 20.0},
    ThemeName.CONTRAST: {"normal": 29.3, "protan": 19.9, "deutan": 20.2, "tritan": 18.0},
    ThemeName.LARGE: {"normal": 33.2, "protan": 22.8, "deutan": 21.3, "tritan": 20.0},
}


def side_colours(theme: Theme) -> list[Colour]:
    return [theme.inks[ink] for ink in SIDE_INKS]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((50, 2.5, 0), (58, 24, 15), 19.4535),
        ((6.7747, -0.2908, -2.4247), (5.8714, -0.0985, -2.2286), 0.6377),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_colour_distances_match_the_published_examples(
    first: colour_vision.Triple, second: colour_vision.Triple, expected: float
) -> None:
    """Sharma, Wu and Dalal (2005), table 1."""
    assert expected == pytest.approx(colour_vision.ciede2000(first, second), abs=5e-5)


@pytest.mark.parametrize("sight", colour_vision.SIGHTS)
@pytest.mark.parametrize("theme", ThemeName)
def test_the_four_suits_are_distinct_for_every_kind_of_sight(theme: ThemeName, sight: str) -> None:
    expected = NEAREST_SUITS[theme][sight]
    assert expected == pytest.approx(colour_vision.nearest_distance(THEMES[theme].suits, sight), abs=0.05)
    assert expected >= 18


@pytest.mark.parametrize("sight", colour_vision.SIGHTS)
@pytest.mark.parametrize("theme", ThemeName)
def test_sides_are_distinct_for_every_kind_of_sight(theme: ThemeName, sight: str) -> None:
    colours = side_colours(THEMES[theme])
    assert colour_vision.nearest_distance(colours[:2], sight) >= 48
    assert colour_vision.nearest_distance(colours, sight) >= 19


@pytest.mark.parametrize("sight", colour_vision.SIGHTS)
def test_classic_red_and_black_are_distinct_for_every_kind_of_sight(sight: str) -> None:
    assert colour_vision.perceived_distance(CLASSIC_SUITS[0], CLASSIC_SUITS[1], sight) >= 20


@pytest.mark.parametrize("theme", ThemeName)
def test_suits_stand_out_from_their_paper(theme: ThemeName) -> None:
    for suit in (*THEMES[theme].suits, *CLASSIC_SUITS):
        assert colour_vision.contrast(suit, PAPER) >= (4 if theme is ThemeName.CONTRAST else 3)
        assert colour_vision.contrast(suit, TWO_PAPER) >= 2.9


@pytest.mark.parametrize("theme", ThemeName)
def test_sides_stand_out_from_their_panel(theme: ThemeName) -> None:
    for ink in SIDE_INKS:
        assert colour_vision.contrast(THEMES[theme].inks[ink], THEMES[theme].inks[Ink.PANEL]) >= 3


def _is_plate_under(plate: Box, text: Box) -> bool:
    """Return whether a text is on that plate; a narrow text beside the plate is not."""
    return plate.contains(text, slack=8) and plate.left <= text.centre <= plate.right


@given(picture_strategies.pictures())
def test_every_text_contrasts_with_its_background(picture: Picture) -> None:
    """WCAG AA asks for 4.5, AAA for 7; the high-contrast theme has to reach the latter."""
    layout, theme = layout_of(picture, RULER), THEMES[picture.theme]
    asked = 7 if picture.theme is ThemeName.CONTRAST else 4.5
    for place, item in enumerate(layout.items):
        if not isinstance(item, Text) or not item.text:
            continue
        under = [
            other
            for other in layout.items[:place]
            if isinstance(other, Plate) and other.box.height > 5 and _is_plate_under(other.box, item.box)
        ]
        grounds = (theme.inks[under[-1].fill],) if under else theme.felt
        if item.ink is Ink.RAIL_TEXT:
            grounds = theme.rail[1:]
        for ground in grounds:
            assert colour_vision.contrast(theme.inks[item.ink], ground) >= asked, (item.text, item.ink, ground)
