"""How the figures in standings are written."""

from __future__ import annotations

import pytest

from bot.i18n import words
from cogs.tournament.round_messages import net_score_with_sign, scores_line


@pytest.mark.parametrize(
    ("locale", "net", "text"),
    [
        ("en", 222.5, "+222.5"),
        ("it", 222.5, "+222,5"),
        ("en", -135.0, "−135"),
        ("en", -1234.56, "−1,234.6"),
        ("en", 0.0, "0"),
        ("en", -0.01, "0"),
    ],
)
def test_gains_and_losses_have_a_sign_and_decimals_only_if_needed(locale: str, net: float, text: str) -> None:
    assert text == net_score_with_sign(words(locale), net)


def test_a_negative_score_has_a_minus_sign() -> None:
    assert "560:−25" == scores_line([560, -25])
