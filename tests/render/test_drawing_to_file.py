"""Drawing a layout into a picture file: sizes, colours, caches and threads."""

import importlib
import pkgutil
import threading
import zlib
from dataclasses import replace
from io import BytesIO
from itertools import product

import pytest
from hypothesis import given, settings
from PIL import Image, ImageChops, ImageFont, ImageStat

import render
from render.colour_themes import BLACK, THEMES, round_to_six_bits
from render.drawable_names import is_drawable
from render.drawing import png
from render.drawing.fonts import FONTS, FontRuler, load_font
from render.drawing.paint_layout import PAINTERS, draw_layout
from render.layout_items import Deck, Item, Layout, ThemeName
from render.layouts import layout_of
from render.picture_inputs import Picture
from render.picture_queue import MOST_CACHED, PictureQueue
from tests.render import picture_strategies, samples
from tests.support.seeds import SEARCHING, example_count

RULER = FontRuler()
ALL = samples.all_samples()


def every_other_theme(pairs: list[tuple[str, ThemeName]], themes: int) -> list[tuple[str, ThemeName]]:
    """Return every second theme of each sample, beginning with the first and the second in turn."""
    return [pair for number, pair in enumerate(pairs) if (number // themes + number) % 2 == 0]


THEMED = list(product(ALL, THEMES))
"""Every sample in every theme. In every run each is drawn in half of them, and each theme with half of the samples."""


MOST_BYTES = {"hand_15": 60_000, "hand_30": 90_000, "strip_15": 80_000, "board_4": 90_000, "replay": 180_000}
"""The most bytes of these samples' files, except in large print; a replay shows all hands and the table."""

MOST_OF_OTHERS = 155_000


@pytest.mark.parametrize(("name", "theme"), THEMED if SEARCHING else every_other_theme(THEMED, len(THEMES)))
def test_the_file_is_small_and_shows_what_was_drawn(name: str, theme: ThemeName) -> None:
    """No channel differs by more than 48 of 255, and the likeness is at least 40 dB."""
    layout = layout_of(samples.with_theme(ALL[name], theme), RULER)
    drawn = draw_layout(layout)
    data = png.encode_png(drawn, THEMES[theme].palette)
    assert theme is ThemeName.LARGE or len(data) <= MOST_BYTES.get(name, MOST_OF_OTHERS)
    shown = Image.open(BytesIO(data))
    shown.load()
    assert (shown.size, shown.mode, shown.format) == (size_in_pixels(layout), "P", "PNG")
    difference = ImageChops.difference(drawn, shown.convert("RGB"))
    assert max(ImageStat.Stat(difference).extrema, key=lambda channel: channel[1])[1] <= 48
    mean = sum(value**2 for value in ImageStat.Stat(difference).rms) / 3
    assert mean <= 255**2 / 10**4


def size_in_pixels(layout: Layout) -> tuple[int, int]:
    """Return the size of the layout in pixels."""
    return 1200, round(layout.height * 1200 / layout.width)


def test_both_compressors_give_the_same_pixels() -> None:
    drawn = draw_layout(layout_of(ALL["hand_7"], RULER))
    first = Image.open(BytesIO(png.encode_png(drawn, "dark"))).tobytes()
    assert first == Image.open(BytesIO(png.encode_png(drawn, "dark", compressor=zlib.compressobj))).tobytes()


@pytest.mark.parametrize("theme", THEMES)
def test_flat_colours_are_in_the_palette_and_do_not_share_a_place(theme: ThemeName) -> None:
    flat = THEMES[theme].fixed_colours()
    entries = png.palette_bytes(THEMES[theme].palette)
    palette = {tuple(entries[place : place + 3]) for place in range(0, len(entries), 3)}
    assert set(flat) <= palette
    assert entries[:3] == bytes(BLACK)
    assert len({round_to_six_bits(colour) for colour in flat}) == len(flat)
    for shade in flat:
        shown = png.reduce_to_palette(Image.new("RGB", (1, 1), shade), THEMES[theme].palette).convert("RGB")
        assert max(abs(a - b) for a, b in zip(shade, shown.tobytes(), strict=True)) <= 6


def test_every_type_of_item_has_a_painter() -> None:
    assert set(PAINTERS) == set(Item.__args__)


@settings(max_examples=example_count(60))
@given(picture_strategies.pictures())
def test_any_picture_can_be_drawn(picture: Picture) -> None:
    layout = layout_of(picture, RULER)
    assert draw_layout(layout).size == size_in_pixels(layout)


def test_every_cache_is_bounded() -> None:
    """Caches of one value, or of one value per palette, need no bound."""
    single = {"_covered_ranges", "_palette", "palette_bytes", "installed_fonts", "draw_emojis"}
    unbounded = [
        f"{module.name}.{name}"
        for module in pkgutil.iter_modules(render.__path__)
        for name, value in vars(importlib.import_module(f"render.{module.name}")).items()
        if hasattr(value, "cache_parameters") and value.cache_parameters()["maxsize"] is None and name not in single
    ]
    assert unbounded == []


@pytest.mark.parametrize("weight", FONTS)
def test_the_fonts_have_every_listed_character(weight: int) -> None:
    face = load_font(FONTS[weight], 30)
    missing = glyph_bytes(face, "\uffff")
    wrong = [
        f"{code:04X}"
        for code in range(0x21, 0x2600)
        if is_drawable(chr(code)) and glyph_bytes(face, chr(code)) == missing
    ]
    assert wrong == []


def glyph_bytes(face: ImageFont.FreeTypeFont, character: str) -> bytes:
    mask = face.getmask(character)
    return bytes(mask) + bytes(mask.size)


async def test_pictures_are_drawn_in_their_own_thread() -> None:
    names = []

    def encode_and_note(image: Image.Image, palette: str) -> bytes:
        names.append(threading.current_thread().name)
        return png.encode_png(image, palette)

    pictures = PictureQueue(encode=encode_and_note)
    try:
        await pictures.fill_caches()
        for data in (
            await pictures.draw_board(samples.boards()["board_2"]),
            await pictures.draw_hand(samples.hands()["hand_7"]),
            await pictures.draw_score(samples.scores()["score_3"]),
        ):
            assert data.startswith(png.SIGNATURE)
        assert len(names) == 3
        assert all(name.startswith("render") for name in names)
    finally:
        pictures.close()


async def test_equal_pictures_are_drawn_once() -> None:
    drawn = []

    def encode_and_note(image: Image.Image, _palette: str) -> bytes:
        drawn.append(image.size)
        return b"%d" % len(drawn)

    pictures = PictureQueue(encode=encode_and_note)
    try:
        first = await pictures.draw_hand(samples.hands()["hand_7"])
        assert first == await pictures.draw_hand(samples.hands()["hand_7"])
        assert first != await pictures.draw_hand(samples.hands()["hand_11"])
        for score in range(0, 5 * MOST_CACHED, 5):
            await pictures.draw_board(samples.board({**samples.PAIR, "scores": [score, 0]}, names=("North", "East")))
        assert first != await pictures.draw_hand(samples.hands()["hand_7"])
        assert len(drawn) == MOST_CACHED + 3
        await pictures.draw_png(samples.with_theme(samples.hands()["hand_7"], ThemeName.LIGHT))
        await pictures.draw_png(replace(samples.hands()["hand_7"], deck=Deck.CLASSIC))
        assert len(drawn) == MOST_CACHED + 5
    finally:
        pictures.close()
