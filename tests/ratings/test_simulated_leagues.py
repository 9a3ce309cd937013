"""In simulated leagues, ratings find true strengths and do not grow by playing more.

Source: `docs/tournaments.md` 5.
"""

from __future__ import annotations

import pytest

from tests.support.rating_leagues import (
    correlation_with_activity,
    correlation_with_changing_partners,
    correlation_with_fixed_pairs,
)

FEW = range(1, 4)
ALL = range(1, 25)


def test_margins_find_the_strengths_of_persons_whose_partners_change() -> None:
    assert correlation_with_changing_partners(FEW, 30) >= 0.78
    assert correlation_with_changing_partners(FEW, 30) > correlation_with_changing_partners(FEW, 30, margins=False)


def test_a_rating_does_not_grow_with_the_number_of_matches() -> None:
    assert abs(correlation_with_activity(FEW, 30)) <= 0.20


@pytest.mark.nightly
@pytest.mark.timeout(1200)
def test_ratings_find_strengths_in_24_leagues_of_changing_partners() -> None:
    found = {rounds: correlation_with_changing_partners(ALL, rounds) for rounds in (10, 30, 100)}
    assert found[30] >= 0.80
    assert {10: 0.65, 30: 0.82, 100: 0.91} == pytest.approx(found, abs=0.02)
    ranks = correlation_with_changing_partners(ALL, 30, margins=False)
    assert ranks == pytest.approx(0.75, abs=0.02)


@pytest.mark.nightly
@pytest.mark.timeout(1200)
def test_ratings_find_strengths_in_24_leagues_of_fixed_pairs() -> None:
    found = {rounds: correlation_with_fixed_pairs(ALL, rounds) for rounds in (10, 30)}
    assert {10: 0.76, 30: 0.88} == pytest.approx(found, abs=0.02)


@pytest.mark.nightly
@pytest.mark.timeout(1200)
def test_ratings_do_not_follow_activity_in_24_leagues() -> None:
    assert abs(correlation_with_activity(ALL, 100)) <= 0.20
