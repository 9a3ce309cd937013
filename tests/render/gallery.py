"""Draw the gallery, which has every kind of picture, into ``docs/pictures/gallery``.

Run ``python -m tests.render.gallery``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image

from bot.engine.cards.cards import ACE, BLACK_THREE, JACK, JOKER_CARD, KING, QUEEN, RED_THREE, SEVEN, TEN, TWO, card_of
from bot.i18n import DEFAULT, locales, words
from render.colour_themes import DARK, THEMES
from render.drawing.card_faces import card_back_sprite, table_card_sprite
from render.drawing.emojis import draw_emojis
from render.drawing.fonts import FontRuler
from render.drawing.paint_layout import draw_layout
from render.drawing.png import reduce_to_palette
from render.layout_items import Deck, ThemeName
from render.layouts import layout_of
from render.picture_inputs import HandPicture, Picture
from tests.render import samples
from tests.render.language_samples import samples_in_language
from tests.render.language_with_long_words import LONG

FOLDER: Final = Path(__file__).parents[2] / "docs" / "pictures" / "gallery"
PAGE: Final = Path(__file__).parents[2] / "docs" / "gallery.md"

SAMPLES: Final = {
    "board-2": "board_2",
    "board-4": "board_clocks",
    "board-start": "board_start",
    "board-crowded": "board_crowded",
    "board-5": "board_5",
    "board-6": "board_6",
    "board-6-pairs": "board_6_in_pairs",
    "board-3-alone": "board_3_alone",
    "board-6-alone": "board_6_alone",
    "board-runs": "board_runs",
    "board-feet": "board_feet",
    "hand-1": "hand_1",
    "hand-11": "strip_start",
    "hand-12": "strip_unopened",
    "hand-staged": "strip_staged",
    "hand-out": "strip_opened",
    "hand-15": "strip_15",
    "hand-30": "strip_30",
    "hand-runs": "strip_runs",
    "hand-feet": "strip_feet",
    "hand-6-pairs": "strip_6_in_pairs",
    "hand-6-alone": "strip_6_alone",
    "hand-aside": "strip_aside",
    "hand-penalties": "strip_penalties",
    "hand-46": "hand_46",
    "hand-foot": "hand_foot",
    "hand-drawn": "hand_drawn",
    "score-deal": "score_3",
    "score-6": "score_6",
    "score-game": "score_game",
    "score-final": "score_final",
    "bracket": "bracket",
    "standings": "standings",
    "closing": "closing",
    "lower-half": "lower_half",
    "rating": "rating",
}
"""Names in the gallery, and the samples they show."""

IN_EVERY_THEME: Final = ("board-4", "hand-15", "score-deal", "rating")


@cache
def pictures() -> dict[str, Picture]:
    """Return the gallery's pictures by name: all in the default theme, some also in others."""
    every = samples.all_samples()
    drawn: dict[str, Picture] = {name: every[sample] for name, sample in SAMPLES.items()}
    for theme in ThemeName:
        if theme is not ThemeName.DARK:
            drawn |= {f"{name}-{theme}": samples.with_theme(drawn[name], theme) for name in IN_EVERY_THEME}
    for name in ("hand-15", "hand-30"):
        hand = drawn[name]
        if isinstance(hand, HandPicture):
            drawn[f"{name}-classic"] = replace(hand, deck=Deck.CLASSIC)
    drawn["board-4-long-words"] = samples.with_words(drawn["board-4"], LONG)
    return drawn


def part_pictures() -> Mapping[str, Image.Image]:
    """Return pictures of parts: the faces of both decks, the emojis, and three pictures in each language."""
    languages = {f"language-{locale}": _draw_in_language(locale) for locale in locales() if locale != DEFAULT}
    return {**{f"faces-{deck}": _draw_faces(deck) for deck in Deck}, "emojis": _draw_emojis(), **languages}


def _draw_in_language(locale: str) -> Image.Image:
    """Draw a board, a hand and a score sheet side by side."""
    drawn = [draw_layout(layout_of(one, FontRuler())) for one in samples_in_language(words(locale)).values()]
    gap = 24
    size = (sum(one.width + gap for one in drawn) - gap, max(one.height for one in drawn))
    image, left = Image.new("RGB", size, (49, 51, 56)), 0
    for one in drawn:
        image.paste(one, (left, 0))
        left += one.width + gap
    return image.resize((size[0] // 2, size[1] // 2), Image.Resampling.LANCZOS)


def _draw_faces(deck: Deck) -> Image.Image:
    """Draw a dozen and a half faces and the back."""
    width, height, gap = 150, 210, 14
    cards = [
        card_of(kind, suit) for kind in (ACE, KING, QUEEN, JACK, TEN, SEVEN) for suit in (kind % 4, (kind + 1) % 4)
    ]
    cards += [card_of(TWO, 0), card_of(TWO, 1), JOKER_CARD, card_of(BLACK_THREE, 3), card_of(RED_THREE, 2)]
    image = Image.new("RGB", (6 * (width + gap) + gap, 3 * (height + gap) + gap), DARK.felt[0])
    for number, card in enumerate(cards):
        at = (gap + number % 6 * (width + gap), gap + number // 6 * (height + gap))
        table_card_sprite(card, DARK.printing_of_deck(deck), width, height).paint(image, *at)
    card_back_sprite(width, height).paint(image, gap + 5 * (width + gap), gap + 2 * (height + gap))
    return image


def _draw_emojis() -> Image.Image:
    """Draw all emojis as large as in a message, on dark and on light."""
    image = Image.new("RGB", (992, 232), (49, 51, 56))
    image.paste((255, 255, 255), (0, 116, 992, 232))
    for number, data in enumerate(draw_emojis().values()):
        with Image.open(BytesIO(data)) as large:
            small = large.resize((28, 28), Image.Resampling.LANCZOS)
        for top in (8, 124):
            image.paste(small, (12 + number % 30 * 32, top + number // 30 * 36), small)
    return image


def write_gallery() -> None:
    """Write the gallery, compressed as far as possible, since it is stored in the repository."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for file in FOLDER.glob("*.png"):
        file.unlink()
    for name, picture in pictures().items():
        image = draw_layout(layout_of(picture, FontRuler()))
        reduce_to_palette(image, THEMES[picture.theme].palette).save(FOLDER / f"{name}.png", optimize=True)
    for name, image in part_pictures().items():
        image.quantize(256).save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    write_gallery()
