"""Names are one short line and cannot reorder or hide the text around them."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.tables.state.table import LONGEST, NAMELESS, clean_name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("North", "North"),
        ("  North \n East ", "North East"),
        ("\u202etsaE", "tsaE"),
        ("No\u200br\u2060th", "North"),
        ("\uff2eorth", "North"),
        ("n" * 200, "n" * LONGEST),
        ("e\u0301\u0302\u0303\u0304\u0305\u0306", "é\u0302\u0303"),
        ("", NAMELESS),
        ("\u200b\u202e", NAMELESS),
        ("日本語", "日本語"),
    ],
)
def test_a_name_is_cleaned_for_one_line(name: str, expected: str) -> None:
    assert clean_name(name) == expected


@given(st.text(max_size=300))
def test_every_cleaned_name_is_one_short_line(name: str) -> None:
    cleaned = clean_name(name)
    assert 1 <= len(cleaned) <= LONGEST
    assert cleaned == cleaned.strip()
    assert not [one for one in cleaned if unicodedata.category(one).startswith("C") or (one.isspace() and one != " ")]
    assert clean_name(cleaned) == cleaned
