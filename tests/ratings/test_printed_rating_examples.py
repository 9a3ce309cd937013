"""The printed examples of `docs/tournaments.md` 5: ratings, absence, shares, players who give up."""

from __future__ import annotations

from math import sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ratings.rating_rules import (
    DECAY_SPAN,
    SIGMA,
    START,
    Player,
    Rating,
    rate_match,
    rating_after_absence,
    score_by_margin,
)
from tests.support.published_rating_formulas import rate_ladder, ratings_after_match

Figures = tuple[float, float]


def all_ratings(ratings: tuple[Rating | None, ...]) -> tuple[Rating, ...]:
    return tuple(one for one in ratings if one is not None)


def printed_figures(rating: Rating | None) -> Figures:
    assert rating is not None
    return round(rating.mu, 4), round(rating.sigma, 4)


def test_ratings_match_the_printed_examples() -> None:
    new = Player(START)
    (a, b), (c, d) = map(all_ratings, rate_match(((new, new), (new, new)), (1, 2), score_by_margin(600, 3, 2)))
    assert [((25.6545, 8.1780), 1026)] * 2 == [(printed_figures(one), one.displayed_value) for one in (a, b)]
    assert [((24.3455, 8.1780), 974)] * 2 == [(printed_figures(one), one.displayed_value) for one in (c, d)]
    (ab,), (cd,) = rate_match(((new,), (new,)), (1, 2), score_by_margin(600, 3, 2))
    assert [(25.8781, 8.0659), (24.1219, 8.0659)] == [printed_figures(ab), printed_figures(cd)]
    (a, c), (b, d) = map(
        all_ratings, rate_match(((Player(a), Player(c)), (Player(b), Player(d))), (1, 1), score_by_margin(0, 3, 2))
    )
    assert [(25.6545, 8.0265), (24.3455, 8.0265)] * 2 == [printed_figures(one) for one in (a, c, b, d)]
    (b, c), (a, d) = map(
        all_ratings,
        rate_match(((Player(b), Player(c)), (Player(a), Player(d, 0.75))), (1, 2), score_by_margin(1500, 3, 2)),
    )
    assert (24.3370, 7.8788) == printed_figures(a)
    assert ((26.9719, 7.8788), 1079) == (printed_figures(b), b.displayed_value)
    assert (25.6630, 7.8788) == printed_figures(c)
    assert (23.3574, 7.9160) == printed_figures(d)


def test_the_published_formulas_give_the_printed_examples() -> None:
    def side_after_four_deals(*seats: int, total: int, partly: int = 0) -> dict[str, Any]:
        """Return a side that has played four deals; player `partly` was replaced by player 9 for the last one."""
        return {
            "seats": [
                {"persons": [[one, 3], [9, 1]] if one == partly else [[one, 4]], "computer": 0, "lost": None}
                for one in seats
            ],
            "total": total,
            "last": False,
        }

    games = [
        (side_after_four_deals(1, 2, total=600), side_after_four_deals(3, 4, total=0)),
        (side_after_four_deals(1, 3, total=0), side_after_four_deals(2, 4, total=0)),
        (side_after_four_deals(2, 3, total=1500), side_after_four_deals(1, 4, total=0, partly=4)),
    ]
    left, _ = rate_ladder(
        [{"number": n, "at": n, "sides": sides, "deals": 3, "unit": 2} for n, sides in enumerate(games, 1)]
    )
    rounded = {
        n: {name: (round(mu, 4), round(sigma, 4)) for name, (mu, sigma) in row.items()} for n, row in left.items()
    }
    won, beaten = (25.6545, 8.1780), (24.3455, 8.1780)
    assert {"1": won, "2": won, "3": beaten, "4": beaten} == {n: rounded[1][n] for n in "1234"}
    assert ((25.8781, 8.0659), (24.1219, 8.0659)) == (rounded[1]["1+2"], rounded[1]["3+4"])
    assert {8.0265} == {rounded[2][n][1] for n in "1234"}
    third = {"1": (24.3370, 7.8788), "2": (26.9719, 7.8788), "3": (25.6630, 7.8788), "4": (23.3574, 7.9160)}
    assert third == {n: rounded[3][n] for n in "1234"}


def test_the_score_grows_with_the_margin_and_both_sides_share_one() -> None:
    assert (0.6928, 0.6666) == (round(600 / (500 * sqrt(3)), 4), round(score_by_margin(600, 3, 2), 4))
    assert 0.5 == score_by_margin(0, 1, 2)
    assert (0.0, 1.0) == (score_by_margin(-10_000_000, 1, 1), score_by_margin(10_000_000, 1, 1))
    scores = [score_by_margin(margin, 3, 2) for margin in range(-5000, 5001, 100)]
    assert sorted(scores) == scores
    assert [1.0] * 101 == [pytest.approx(one + other) for one, other in zip(scores, reversed(scores), strict=True)]


def test_without_a_margin_a_win_counts_whole_and_a_tie_half() -> None:
    new = ((Player(START),), (Player(START),))
    assert rate_match(new, (1, 2)) == rate_match(new, (1, 2), 1.0)
    assert rate_match(new, (2, 1)) == rate_match(new, (1, 2), 0.0)
    assert rate_match(new, (1, 1)) == rate_match(new, (1, 2), 0.5)


@pytest.mark.parametrize(
    ("away", "months"),
    [(0, 0), (DECAY_SPAN, 0), (2 * DECAY_SPAN - 1, 0), (2 * DECAY_SPAN, 1), (5 * DECAY_SPAN + 1, 4)],
)
def test_a_rating_gets_less_certain_with_every_span_of_absence_after_the_first(away: int, months: int) -> None:
    assert Rating(30.0, sqrt(25 + months)) == rating_after_absence(Rating(30.0, 5.0), 1_000, 1_000 + away)


def test_no_rating_gets_less_certain_than_at_the_start() -> None:
    assert Rating(30.0, SIGMA) == rating_after_absence(Rating(30.0, 5.0), 0, 1_000 * DECAY_SPAN)


def test_only_a_player_of_less_than_half_of_the_deals_is_not_rated() -> None:
    new = Player(START)
    whole = rate_match(((new, new), (new, new)), (1, 2))
    part = rate_match(((new, new), (new, Player(START, 0.49))), (1, 2))
    assert (whole[0], (whole[1][0], None)) == part


def test_a_player_who_gives_up_has_lost_and_the_partner_gets_the_sides_result() -> None:
    new, gone = Player(START), Player(START, lost=True)
    won = rate_match(((new, new), (new, new)), (1, 2))
    left = rate_match(((new, gone), (new, new)), (1, 2))
    assert (won[0][0], won[1]) == (left[0][0], left[1])
    assert won[1][1] == left[0][1]


def test_a_rating_is_provisional_if_its_deviation_is_above_seven() -> None:
    assert (True, False) == (Rating(25, 7.0001).is_provisional, Rating(25, 7).is_provisional)


def test_the_initial_mean_is_shown_as_1000_whatever_its_deviation() -> None:
    assert (1000, 1000, 1079) == (
        START.displayed_value,
        Rating(25.0, 1.0).displayed_value,
        Rating(26.9719, 7.8788).displayed_value,
    )


@given(st.data())
def test_any_match_comes_out_as_the_published_formulas_say(data: st.DataObject) -> None:
    rating = st.builds(Rating, st.floats(-10, 60), st.floats(0.5, SIGMA))
    count = data.draw(st.integers(2, 6), label="sides")
    sides = [data.draw(st.lists(rating, min_size=1, max_size=3), label="side") for _ in range(count)]
    ranks = data.draw(st.lists(st.integers(1, 4), min_size=count, max_size=count), label="ranks")
    score = data.draw(st.floats(0, 1), label="score") if count == 2 else None
    before = [[(one.mu, one.sigma) for one in side] for side in sides]
    expected = ratings_after_match(
        before, [[{"share": 1.0, "lost": False} for _ in side] for side in sides], ranks, score
    )
    found = rate_match([[Player(one) for one in side] for side in sides], ranks, score)
    for pairs, ratings in zip(expected, found, strict=True):
        for pair, one in zip(pairs, all_ratings(ratings), strict=True):
            assert pair == pytest.approx((one.mu, one.sigma), abs=1e-9)
