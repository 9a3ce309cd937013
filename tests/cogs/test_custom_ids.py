"""Custom ids of controls are written and parsed by one strict grammar."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.shared.reading.custom_ids import LONGEST, ControlId, IdError, is_bot_custom_id, parse_control_id

NUMBERS = st.integers(0, 10**19 - 1)
CONTROLS = st.builds(
    ControlId,
    NUMBERS,
    NUMBERS,
    st.from_regex(r"[a-z][a-z_]{0,9}", fullmatch=True),
    st.from_regex(r"[A-Za-z0-9.]{0,40}", fullmatch=True),
)


@given(CONTROLS)
def test_a_parsed_custom_id_is_written_unchanged(control: ControlId) -> None:
    text = str(control)
    assert control == parse_control_id(text)
    assert len(text) <= LONGEST
    assert is_bot_custom_id(text)


@given(st.text())
def test_any_text_is_parsed_as_a_custom_id_or_refused(text: str) -> None:
    with suppress(IdError):
        assert text == str(parse_control_id(text))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "cn:1:2:draw",
        "cn:01:2:draw:",
        "cn:1:-2:draw:",
        "cn:1:2:Draw:",
        "cn:1:2:draw:K♠",
        "cn:1:2:draw:\n",
        " cn:1:2:draw:",
        "cn:\u0661:2:draw:",
        "xx:1:2:draw:",
        "cn:1:2:draw:" + "K" * 90,
    ],
)
def test_a_custom_id_of_the_wrong_form_is_refused(text: str) -> None:
    with pytest.raises(IdError):
        parse_control_id(text)


def test_a_custom_id_that_would_be_too_long_is_not_written() -> None:
    with pytest.raises(IdError):
        str(ControlId(1, 2, "lay", "K" * 95))
    with pytest.raises(IdError):
        str(ControlId(1, 2, "lay", "K K"))
