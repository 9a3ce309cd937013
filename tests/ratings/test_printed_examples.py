"""The printed examples of `docs/tournaments.md` 5: ratings, absence, shares, players who give up."""

from __future__ import annotations

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ratings.ratings import SIGMA, SPAN, START, Player, Rating, decay, rate_match
from tests.support.weng_lin import plackett_luce

Figures = tuple[float, float]


def sure(ratings: tuple[Rating | None, ...]) -> tuple[Rating, ...]:
    return tuple(one for one in ratings if one is not None)


def printed(rating: Rating) -> Figures:
    return round(rating.mu, 4), round(rating.sigma, 4)


def test_ratings_match_the_printed_examples() -> None:
    new = Player(START)
    (a, b), (c, d) = map(sure, rate_match(((new, new), (new, new)), (1, 2)))
    assert [(26.9643, 8.1780)] * 2 == [printed(a), printed(b)]
    assert [(23.0357, 8.1780)] * 2 == [printed(c), printed(d)]
    (a, c), (b, d) = map(sure, rate_match(((Player(a), Player(c)), (Player(b), Player(d))), (1, 1)))
    assert [(26.9643, 8.0265), (23.0357, 8.0265)] * 2 == [printed(one) for one in (a, c, b, d)]
    (b, c), (a, d) = map(sure, rate_match(((Player(b), Player(c)), (Player(a), Player(d, 0.75))), (1, 2)))
    assert ((25.0805, 7.8788), 1058) == (printed(a), a.shown)
    assert ((28.8481, 7.8788), 1208) == (printed(b), b.shown)
    assert ((24.9195, 7.8788), 1051) == (printed(c), c.shown)
    assert ((21.6228, 7.9160), 915) == (printed(d), d.shown)


@pytest.mark.parametrize(
    ("away", "months"),
    [(0, 0), (SPAN, 0), (2 * SPAN - 1, 0), (2 * SPAN, 1), (5 * SPAN + 1, 4)],
)
def test_a_rating_gets_less_sure_by_each_span_of_absence_but_the_first(away: int, months: int) -> None:
    assert Rating(30.0, sqrt(25 + months)) == decay(Rating(30.0, 5.0), 1_000, 1_000 + away)


def test_no_rating_gets_less_certain_than_at_the_start() -> None:
    assert Rating(30.0, SIGMA) == decay(Rating(30.0, 5.0), 0, 1_000 * SPAN)


def test_a_player_of_less_than_half_is_not_rated_and_the_others_are() -> None:
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


def test_a_rating_is_provisional_above_six() -> None:
    assert (True, False) == (Rating(25, 6.0001).provisional, Rating(25, 6).provisional)


def test_the_start_is_shown_as_a_thousand() -> None:
    assert 1000 == START.shown


@given(st.data())
def test_any_match_comes_out_as_the_published_formulas_say(data: st.DataObject) -> None:
    rating = st.builds(Rating, st.floats(-10, 60), st.floats(0.5, SIGMA))
    count = data.draw(st.integers(2, 6), label="sides")
    sides = [data.draw(st.lists(rating, min_size=1, max_size=3), label="side") for _ in range(count)]
    ranks = data.draw(st.lists(st.integers(1, 4), min_size=count, max_size=count), label="ranks")
    expected = plackett_luce([[(one.mu, one.sigma) for one in side] for side in sides], ranks)
    found = rate_match([[Player(one) for one in side] for side in sides], ranks)
    for pairs, ratings in zip(expected, found, strict=True):
        for pair, one in zip(pairs, sure(ratings), strict=True):
            assert pair == pytest.approx((one.mu, one.sigma), abs=1e-9)
