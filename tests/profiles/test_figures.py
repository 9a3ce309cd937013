"""Figures: a fold over what is kept of finished games."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.profiles import figures
from bot.profiles.figures import Figures, Partnership, figures_of, partnerships_of
from bot.store.protocol import PartnerResult
from tests.store.test_people import WON


def test_nobody_has_played() -> None:
    assert Figures() == figures_of(())
    assert figures_of(()).canastas_a_deal is None


def test_games_add_up() -> None:
    alone = replace(WON, persons=1, won=False, best_deal=None, deals=0, canastas=0, canasta_deals=0)
    agreed = replace(WON, how="agreed", won=False, best_deal=1_500, deals=2, canastas=3, canasta_deals=2)
    expected = Figures(
        games=3,
        together=2,
        won=1,
        agreed=1,
        deals=9,
        canastas=12,
        canasta_deals=8,
        best_deal=1_500,
        lapses=4,
    )
    found = figures_of((WON, alone, agreed), lapses=4)
    assert expected == found
    assert 1.5 == found.canastas_a_deal


def test_partnerships_are_ordered_by_games_then_by_those_won(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "MOST_PARTNERSHIPS", 3)
    results = [
        PartnerResult(5, 1, won=False),
        PartnerResult(6, 2, won=True),
        PartnerResult(7, 3, won=True),
        PartnerResult(7, 4, won=False),
        PartnerResult(8, 5, won=False),
    ]
    assert (Partnership(7, 2, 1), Partnership(6, 1, 1), Partnership(5, 1, 0)) == partnerships_of(results)
