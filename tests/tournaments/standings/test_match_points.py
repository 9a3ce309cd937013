"""Match points of results, forfeits and rounds without a match."""

from __future__ import annotations

import pytest

from bot.tournaments.counted_results import Scoring, UnpairedReason
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.formats.by_kind import FORMATS
from bot.tournaments.standings.points_by_round import match_points


def test_two_sides_score_by_the_tournaments_terms() -> None:
    assert (2, 0) == match_points(Scoring(), (1745, 1450))
    assert (0, 2) == match_points(Scoring(), (-5, 0))
    assert (1, 1) == match_points(Scoring(), (300, 300))
    assert (1, 5) == match_points(Scoring(win=5, tie=3, loss=1), (0, 10))


@pytest.mark.parametrize(
    ("scores", "points"),
    [
        ((300, 200, 100), (4, 2, 0)),
        ((100, 300, 200), (0, 4, 2)),
        ((300, 300, 100), (3, 3, 0)),
        ((300, 100, 100), (4, 1, 1)),
        ((0, 0, 0), (2, 2, 2)),
    ],
)
def test_sides_of_a_pod_score_by_place_and_share_points_if_tied(
    scores: tuple[int, ...], points: tuple[int, ...]
) -> None:
    assert points == match_points(Scoring(), scores, three_sided=True)


def test_a_table_of_two_in_a_round_of_pods_scores_like_a_match() -> None:
    assert (3, 1) == match_points(Scoring(), (10, 5), three_sided=True)
    assert (2, 2) == match_points(Scoring(), (10, 10), three_sided=True)


def test_a_forfeit_is_lost_whatever_the_scores_were() -> None:
    assert (2, 0) == match_points(Scoring(), (0, 0), forfeited=(1,))
    assert (0, 2) == match_points(Scoring(), (900, 0), forfeited=(0,))
    assert (0, 0) == match_points(Scoring(), (0, 0), forfeited=(0, 1))


def test_a_forfeit_in_pods_leaves_the_first_places_to_the_others() -> None:
    assert (3, 0, 3) == match_points(Scoring(), (0, 0, 0), forfeited=(1,), three_sided=True)
    assert (4, 0, 2) == match_points(Scoring(), (50, 900, 40), forfeited=(1,), three_sided=True)
    assert (0, 0, 4) == match_points(Scoring(), (0, 0, 0), forfeited=(0, 1), three_sided=True)
    assert (0, 0, 0) == match_points(Scoring(), (0, 0, 0), forfeited=(0, 1, 2), three_sided=True)
    assert (3, 0) == match_points(Scoring(), (0, 0), forfeited=(1,), three_sided=True)


@pytest.mark.parametrize(
    ("kind", "code", "points"),
    [
        (FormatKind.SWISS, UnpairedReason.BYE, 2),
        (FormatKind.SWISS, UnpairedReason.HALF, 1),
        (FormatKind.SWISS, UnpairedReason.ZERO, 0),
        (FormatKind.SWISS, UnpairedReason.ABSENT, 0),
        (FormatKind.ROUND_ROBIN, UnpairedReason.BYE, 0),
        (FormatKind.ROUND_ROBIN, UnpairedReason.HALF, 0),
        (FormatKind.INDIVIDUAL, UnpairedReason.BYE, 1),
        (FormatKind.INDIVIDUAL, UnpairedReason.HALF, 1),
        (FormatKind.INDIVIDUAL, UnpairedReason.ZERO, 0),
    ],
)
def test_a_round_without_a_match_scores_by_its_reason(kind: FormatKind, code: UnpairedReason, points: int) -> None:
    assert points == FORMATS[kind].unpaired_points(Scoring(), code)
