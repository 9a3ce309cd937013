"""In simulated leagues ratings find true strengths, and do not pay for playing (`docs/tournaments.md` 5)."""

from __future__ import annotations

import pytest

from tests.support.rating_leagues import paid_for_activity, with_changing_partners, with_fixed_pairs

FEW = range(1, 4)
ALL = range(1, 25)


def test_margins_find_the_strengths_of_persons_whose_partners_change() -> None:
    assert with_changing_partners(FEW, 30) >= 0.78
    assert with_changing_partners(FEW, 30) > with_changing_partners(FEW, 30, margins=False)


def test_a_rating_does_not_grow_with_the_number_of_matches() -> None:
    assert abs(paid_for_activity(FEW, 30)) <= 0.20


@pytest.mark.nightly
@pytest.mark.timeout(1200)
def test_24_leagues_of_persons_whose_partners_change() -> None:
    found = {rounds: with_changing_partners(ALL, rounds) for rounds in (10, 30, 100)}
    assert found[30] >= 0.80
    assert {10: 0.65, 30: 0.82, 100: 0.91} == pytest.approx(found, abs=0.02)
    ranks = with_changing_partners(ALL, 30, margins=False)
    assert ranks == pytest.approx(0.75, abs=0.02)


@pytest.mark.nightly
@pytest.mark.timeout(1200)
def test_24_leagues_of_fixed_pairs() -> None:
    found = {rounds: with_fixed_pairs(ALL, rounds) for rounds in (10, 30)}
    assert {10: 0.76, 30: 0.88} == pytest.approx(found, abs=0.02)


@pytest.mark.nightly
@pytest.mark.timeout(1200)
def test_24_leagues_of_which_some_play_ten_times_as_much_as_others() -> None:
    assert abs(paid_for_activity(ALL, 100)) <= 0.20
