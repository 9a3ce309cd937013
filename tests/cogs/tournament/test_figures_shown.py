"""Figures in standings as they are written."""

from __future__ import annotations

import pytest

from bot.i18n import words
from cogs.tournament.rounds import scores_line, signed


@pytest.mark.parametrize(
    ("locale", "net", "shown"),
    [
        ("en", 222.5, "+222.5"),
        ("it", 222.5, "+222,5"),
        ("en", -135.0, "−135"),
        ("en", -1234.56, "−1,234.6"),
        ("en", 0.0, "0"),
        ("en", -0.01, "0"),
    ],
)
def test_a_gain_or_a_loss_has_its_sign_and_a_decimal_only_where_there_is_one(
    locale: str, net: float, shown: str
) -> None:
    assert shown == signed(words(locale), net)


def test_a_score_below_nothing_has_a_minus_sign() -> None:
    assert "560:−25" == scores_line([560, -25])
