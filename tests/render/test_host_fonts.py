"""Fonts of the machine that runs the bot are used if present, and never required."""

from importlib.resources import as_file, files
from pathlib import Path
from struct import pack

import pytest

from render.drawable_names import best_drawable_name, drawable_text, is_drawable
from render.drawing import fallback_fonts
from render.drawing.fallback_fonts import FallbackFont, covered_ranges, find_fonts, font_for
from render.drawing.fonts import FONTS, FontRuler, draw_text_line
from render.drawing.text_fitting import fit_text
from render.layout_items import Style

STYLE = Style(700, 12.0)


def font_file(name: str) -> Path:
    with as_file(files("render") / f"assets/fonts/{name}.ttf") as path:
        return path


@pytest.fixture
def han_font() -> FallbackFont:
    """Return a font that claims to have one Han letter; it draws the sign for missing letters."""
    return FallbackFont(str(font_file("BarlowCondensed-Bold")), ((0x5317, 0x5317),))


@pytest.mark.parametrize("weight", FONTS)
def test_the_characters_of_a_font_are_read_from_its_own_table(weight: int) -> None:
    ranges = covered_ranges(font_file(FONTS[weight]).read_bytes())
    font = FallbackFont("", ranges)
    assert all(font.can_draw(chr(code)) for code in range(0x21, 0x2600) if is_drawable(chr(code)))
    assert not font.can_draw("北")


def character_table(form: int, *ranges: tuple[int, int]) -> bytes:
    """Return a font's character table in format 12, labelled as another format."""
    groups = b"".join(pack(">III", first, last, 1) for first, last in ranges)
    return pack(">HHIII", form, 0, 16 + len(groups), 0, len(ranges)) + groups


def font_with_tables(*tables: tuple[int, bytes]) -> bytes:
    """Return the bytes of a font that has only these character tables, each with its platform."""
    start = 4 + 8 * len(tables)
    places = [start + sum(len(data) for _, data in tables[:number]) for number in range(len(tables))]
    records = b"".join(pack(">HHI", tables[number][0], 0, place) for number, place in enumerate(places))
    own = pack(">HH", 0, len(tables)) + records + b"".join(data for _, data in tables)
    return pack(">IHHHH", 0x00010000, 1, 0, 0, 0) + pack(">4sIII", b"cmap", 0, 28, len(own)) + own


def test_characters_are_read_only_from_unicode_tables_in_known_formats() -> None:
    unicode, windows, macintosh = (
        (0, character_table(12, (0x41, 0x5A))),
        (3, character_table(12, (0x5317, 0x5317))),
        (1, character_table(12, (1, 2))),
    )
    unknown = (3, character_table(6, (3, 4)))
    assert ((0x41, 0x5A), (0x5317, 0x5317)) == covered_ranges(font_with_tables(unicode, macintosh, unknown, windows))


@pytest.mark.parametrize("data", [b"", b"nothing of the kind", b"ttcf" + b"\0" * 40, b"\0\1\0\0\0\0" + b"\0" * 40])
def test_a_file_that_is_no_font_is_passed_over(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "Wrong.ttf").write_bytes(data)
    assert find_fonts([tmp_path / "none.ttf", tmp_path / "Wrong.ttf"]) == ()


def test_at_most_one_plain_and_one_coloured_font_are_used() -> None:
    plain = font_file("Inter-Bold")
    assert [str(plain)] == [font.path for font in find_fonts([plain, font_file("Inter-Medium")])]


def test_without_host_fonts_the_account_name_replaces_a_display_name() -> None:
    assert best_drawable_name("北", "north_1", fonts=()) == "north_1"
    assert best_drawable_name("🎉 North", "north_1", fonts=()) == "North"


def test_with_host_fonts_a_display_name_is_shown_unchanged(han_font: FallbackFont) -> None:
    assert best_drawable_name("北", "north_1", fonts=(han_font,)) == "北"
    assert best_drawable_name("北京", "north_1", fonts=(han_font,)) == "north_1"


def test_the_account_name_replaces_names_in_right_to_left_scripts() -> None:
    everything = FallbackFont("", ((0, 0x10FFFF),))
    assert font_for("ش", (everything,)) is None
    assert best_drawable_name("شمال", "north_1", fonts=(everything,)) == "north_1"


def test_text_is_measured_and_drawn_with_several_fonts(han_font: FallbackFont) -> None:
    ruler = FontRuler((han_font,))
    shown, _ = fit_text("North 北", STYLE, 200, ruler)
    assert shown == "North 北"
    assert ruler.width(shown, STYLE) > ruler.width("North ", STYLE)
    assert drawable_text("North 北", FontRuler().can_draw) == "North"
    wide, narrow = (draw_text_line(text, 700, 36.0, (han_font,)) for text in ("North 北", "North"))
    assert wide.mask.width > narrow.mask.width
    assert wide.mask.getbbox() is not None


def test_the_fonts_of_the_host_are_looked_up_once() -> None:
    assert fallback_fonts.installed_fonts() is fallback_fonts.installed_fonts()
