"""Parsing the texts that directors type."""

from __future__ import annotations

import pytest

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.vocabulary import vocabulary_of
from cogs.tournament.desk import forms

KNOWN = vocabulary_of()


def test_scores_are_parsed_deal_by_deal() -> None:
    assert ((510, 420), (-75, 300), (500, 555)) == forms.parse_scores("510:420, −75:300; 500 : 555", sides=2)
    assert "510:420, -75:300" == forms.scores_as_typed([(510, 420), (-75, 300)])
    assert ((1, 2, 3),) == forms.parse_scores("1:2:3", sides=3)


@pytest.mark.parametrize("typed", ["", "510", "510:420:1", "a:b", "1:2, 3", "9999999:1", ", ".join(["1:2"] * 21)])
def test_invalid_scores_are_refused(typed: str) -> None:
    with pytest.raises(InputProblem) as caught:
        forms.parse_scores(typed, sides=2)
    assert InputCode.NOT_SCORES is caught.value.code


def test_typed_match_points_are_parsed() -> None:
    assert (2, 0) == forms.parse_points(" 2:0 ", sides=2)
    with pytest.raises(InputProblem) as caught:
        forms.parse_points("-1:2", sides=2)
    assert InputCode.NOT_SCORES is caught.value.code


def test_typed_lengths_of_time_are_parsed() -> None:
    typed = ["10", "10 min", "2h", "1 d"]
    assert [10 * MINUTE, 10 * MINUTE, 2 * HOUR, DAY] == [forms.parse_duration(one, KNOWN) for one in typed]
    for wrong in ("", "0", "-5", "ten", "90 d", "5 w"):
        with pytest.raises(InputProblem) as caught:
            forms.parse_duration(wrong, KNOWN)
        assert InputCode.NOT_A_LENGTH is caught.value.code


def test_typed_pairings_are_parsed() -> None:
    assert (((1, 5), (2, 6)), (9,)) == forms.parse_pairing("1-5, 2 – 6; 9")
    assert (((1, 5), (2, 6)), ()) == forms.parse_pairing("1 - 5\n2 - 6\n")
    with pytest.raises(InputProblem) as caught:
        forms.parse_pairing("Ana-Ben")
    assert InputCode.NOT_ENTRIES is caught.value.code
