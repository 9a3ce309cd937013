"""Pictures that were approved: their exact pixels where this Pillow, FreeType and processor have been approved, and
nearly the same everywhere.
"""

from functools import lru_cache
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from render.drawing.png import to_palette
from render.theme import THEMES
from tests.render import gallery, golden

APPROVED = golden.known().get(golden.drawer(), {})
known_drawer = pytest.mark.skipif(not APPROVED, reason=f"no golden pictures for {golden.drawer()}")
by_name = pytest.mark.parametrize("name", golden.NAMES, scope="module")


@lru_cache(maxsize=1)
def drawn(name: str) -> Image.Image:
    """The picture, drawn once for its tests, which run in a row."""
    return golden.picture(name)


@known_drawer
@by_name
def test_the_picture_is_the_approved_one(name: str, tmp_path: Path) -> None:
    image = drawn(name)
    if APPROVED.get(name) != golden.pixels(image):
        folder = golden.show_difference(name, image, tmp_path)
        pytest.fail(f"{name} looks different: see {folder}; if it is right: make golden")


@known_drawer
@by_name
def test_the_gallery_shows_the_approved_pictures(name: str) -> None:
    palette = THEMES[gallery.pictures()[name].theme].palette
    with Image.open(gallery.FOLDER / f"{name}.png") as shown:
        today = to_palette(drawn(name), palette).convert("RGB")
        assert ImageChops.difference(shown.convert("RGB"), today).getbbox() is None


@by_name
def test_the_picture_is_nearly_the_one_of_the_gallery_on_any_processor(name: str) -> None:
    palette = THEMES[gallery.pictures()[name].theme].palette
    with Image.open(gallery.FOLDER / f"{name}.png") as shown:
        today = to_palette(drawn(name), palette).convert("RGB")
        assert 0 == golden.far(shown.convert("RGB"), today)


def test_other_rounding_is_nearly_equal_and_another_letter_is_not() -> None:
    image = golden.picture("hand-1")
    rounded = image.point([min(255, value + value % 3) for value in range(256)] * 3)
    assert 0 == golden.far(image, rounded)
    letter, width = image.copy(), image.width
    letter.paste(image.crop((0, 0, width - 1, image.height)), (1, 0))
    assert golden.far(image, letter) > 50
    assert golden.far(image, image.crop((0, 0, width - 1, image.height))) > 50


def test_the_gallery_has_every_picture_and_no_other() -> None:
    files = {file.stem for file in gallery.FOLDER.glob("*.png")}
    assert set(gallery.pictures()) | set(gallery.plates()) == files
    text = gallery.PAGE.read_text(encoding="utf-8")
    assert not [name for name in files if f"pictures/gallery/{name}.png" not in text]


def test_a_difference_is_shown_in_red_next_to_the_approved_picture(tmp_path: Path) -> None:
    image = golden.picture("hand-1")
    image.paste((255, 255, 255), (100, 200, 140, 240))
    folder = golden.show_difference("hand-1", image, tmp_path)
    with Image.open(folder / "hand-1-difference.png") as shown:
        assert (220, 0, 30) == shown.getpixel((120, 220))
        assert (220, 0, 30) != shown.getpixel((600, 100))
    assert {"hand-1-actual.png", "hand-1-expected.png", "hand-1-difference.png"} == {f.name for f in tmp_path.iterdir()}
