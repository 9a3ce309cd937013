"""Names of people: any display name becomes one drawable line."""

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.drawable_names import best_drawable_name, drawable_text, is_drawable, single_line_name


@given(st.text(max_size=300))
def test_a_shortened_name_is_one_line_without_control_characters(name: str) -> None:
    text = single_line_name(name)
    assert len(text) <= 32
    assert text == text.strip()
    assert not [character for character in text if unicodedata.category(character)[0] == "C"]
    assert not [character for character in text if unicodedata.category(character) in ("Zl", "Zp")]


@given(st.text(max_size=300))
def test_no_letter_carries_more_than_one_mark_of_its_own(name: str) -> None:
    text = single_line_name(name, 1000)
    marks = [unicodedata.category(character).startswith("M") for character in text]
    assert not any(first and second for first, second in pairwise(marks))


@given(st.text(max_size=300))
def test_a_cleaned_text_can_be_drawn(text: str) -> None:
    assert all(is_drawable(character) for character in drawable_text(text))
    assert drawable_text(drawable_text(text)) == drawable_text(text)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("North", "North"),
        ("  North \n East ", "North East"),
        ("\u202eNorth\u202c", "North"),
        ("\u200bNo\u200drth", "North"),
        ("\U0001d579\U0001d594\U0001d597\U0001d599\U0001d58d", "North"),
        ("Z" + "\u0303\u0321\u0334" * 20 + "oë", "Z\u0334oë"),
        ("W" * 40, "W" * 31 + "…"),
    ],
)
def test_long_names_are_shortened(name: str, expected: str) -> None:
    assert single_line_name(name) == expected


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("Chloé", "chloe"), "Chloé"),
        (("🎉 North 🎉", "north_1"), "North"),
        (("北", "north_1"), "north_1"),
        (("شمال", "north_1"), "north_1"),
        (("🎉", "north_1"), "north_1"),
        (("北 N", "北"), "N"),
        (("北",), "?"),
        ((), "?"),
        (("Ἀθηνᾶ", "athena"), "athena"),
        (("Жёлтый ёж",), "Жёлтый ёж"),
    ],
)
def test_the_best_name_is_one_that_can_be_drawn(names: tuple[str, ...], expected: str) -> None:
    assert best_drawable_name(*names, fonts=()) == expected


def test_a_letter_whose_accents_the_fonts_lack_loses_them() -> None:
    assert drawable_text("Ἀθηνᾶ") == "Αθηνα"
