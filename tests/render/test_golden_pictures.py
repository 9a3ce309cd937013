"""Golden pictures: exact where their environment was approved, nearly equal everywhere."""

from functools import lru_cache
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from render.colour_themes import THEMES
from render.drawing.png import reduce_to_palette
from tests.render import gallery, golden_pictures

APPROVED = golden_pictures.approved_digests().get(golden_pictures.drawing_environment(), {})
known_drawer = pytest.mark.skipif(
    not APPROVED, reason=f"no golden pictures for {golden_pictures.drawing_environment()}"
)
by_name = pytest.mark.parametrize("name", golden_pictures.NAMES, scope="module")


@lru_cache(maxsize=1)
def draw_once(name: str) -> Image.Image:
    """Return the picture, drawn only once for all its tests."""
    return golden_pictures.draw_sample(name)


@known_drawer
@by_name
def test_the_picture_is_the_approved_one(name: str, tmp_path: Path) -> None:
    image = draw_once(name)
    if APPROVED.get(name) != golden_pictures.pixel_digest(image):
        folder = golden_pictures.write_difference(name, image, tmp_path)
        pytest.fail(f"{name} looks different: see {folder}; if it is right: make golden")


@known_drawer
@by_name
def test_the_gallery_shows_the_approved_pictures(name: str) -> None:
    palette = THEMES[gallery.pictures()[name].theme].palette
    with Image.open(gallery.FOLDER / f"{name}.png") as shown:
        today = reduce_to_palette(draw_once(name), palette).convert("RGB")
        assert ImageChops.difference(shown.convert("RGB"), today).getbbox() is None


@by_name
def test_the_picture_nearly_equals_the_gallerys_on_any_processor(name: str) -> None:
    palette = THEMES[gallery.pictures()[name].theme].palette
    with Image.open(gallery.FOLDER / f"{name}.png") as shown:
        today = reduce_to_palette(draw_once(name), palette).convert("RGB")
        assert 0 == golden_pictures.count_different_pixels(shown.convert("RGB"), today)


def test_rounding_is_tolerated_and_a_different_letter_is_noticed() -> None:
    image = golden_pictures.draw_sample("hand-1")
    rounded = image.point([min(255, value + value % 3) for value in range(256)] * 3)
    assert 0 == golden_pictures.count_different_pixels(image, rounded)
    letter, width = image.copy(), image.width
    letter.paste(image.crop((0, 0, width - 1, image.height)), (1, 0))
    assert golden_pictures.count_different_pixels(image, letter) > 50
    assert golden_pictures.count_different_pixels(image, image.crop((0, 0, width - 1, image.height))) > 50


def test_the_gallery_has_exactly_the_listed_pictures() -> None:
    files = {file.stem for file in gallery.FOLDER.glob("*.png")}
    assert set(gallery.pictures()) | set(gallery.part_pictures()) == files
    text = gallery.PAGE.read_text(encoding="utf-8")
    assert not [name for name in files if f"pictures/gallery/{name}.png" not in text]


def test_a_difference_is_shown_in_red_next_to_the_approved_picture(tmp_path: Path) -> None:
    image = golden_pictures.draw_sample("hand-1")
    image.paste((255, 255, 255), (100, 200, 140, 240))
    folder = golden_pictures.write_difference("hand-1", image, tmp_path)
    with Image.open(folder / "hand-1-difference.png") as shown:
        assert (220, 0, 30) == shown.getpixel((120, 220))
        assert (220, 0, 30) != shown.getpixel((600, 100))
    assert {"hand-1-actual.png", "hand-1-expected.png", "hand-1-difference.png"} == {f.name for f in tmp_path.iterdir()}
