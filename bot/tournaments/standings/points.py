"""What results are worth in match points (`docs/tournaments.md` 3 and 4)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from bot.tournaments.course import Kind, Scoring, Unpaired

POD: Final = (4, 2, 0)
"""What the places at a table of three sides are worth; equal sides share."""

PART_OF_PODS: Final = (3, 1)
"""What the places are worth at the one table of two sides that a round of pods may need."""


def match_points(scoring: Scoring, scores: Sequence[int], *, pods: bool = False) -> tuple[int, ...]:
    """The match points of two or three sides with those scores; `pods` tells that the tournament plays at three."""
    if pods or len(scores) > 2:
        return _shared(scores, POD if len(scores) > 2 else PART_OF_PODS)
    first, second = scores
    if first == second:
        return (scoring.tie, scoring.tie)
    return (scoring.win, scoring.loss) if first > second else (scoring.loss, scoring.win)


def forfeit_points(scoring: Scoring, sides: int, forfeiting: Collection[int], *, pods: bool = False) -> tuple[int, ...]:
    """The match points of a match that the sides of those numbers forfeit; those left share the first places."""
    left = sides - len(forfeiting)
    if not pods and sides == 2:
        return tuple(scoring.loss if side in forfeiting else scoring.win for side in range(sides))
    worth = POD if sides > 2 else PART_OF_PODS
    return tuple(0 if side in forfeiting else sum(worth[:left]) // left for side in range(sides))


def unpaired_points(kind: Kind, scoring: Scoring, code: Unpaired) -> int:
    """The match points of an entry without a match in a round: none for a free round of a round robin, one apiece for
    those who sit out where partners change.
    """
    if kind is Kind.ROUND_ROBIN or code in (Unpaired.ZERO, Unpaired.ABSENT):
        return 0
    if kind is Kind.INDIVIDUAL:
        return scoring.tie
    return scoring.bye if code is Unpaired.BYE else scoring.half


def _shared(scores: Sequence[int], worth: Sequence[int]) -> tuple[int, ...]:
    found = []
    for score in scores:
        above = sum(other > score for other in scores)
        equal = scores.count(score)
        found.append(sum(worth[above : above + equal]) // equal)
    return tuple(found)
