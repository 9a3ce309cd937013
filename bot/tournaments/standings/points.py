"""What results are worth in match points (`docs/tournaments.md` 3 and 4)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from bot.tournaments.course import FormatKind, Scoring, Unpaired

POD: Final = (4, 2, 0)
"""What the places at a table of three sides are worth; equal sides share."""

PART_OF_PODS: Final = (3, 1)
"""What the places are worth at the one table of two sides that a round of pods may need."""


def match_points(
    scoring: Scoring, scores: Sequence[int], *, forfeited: Collection[int] = (), pods: bool = False
) -> tuple[int, ...]:
    """The match points of two or three sides with those scores; `pods` tells that the tournament plays at three.

    The sides whose numbers are in `forfeited` are last whatever they scored, and have nothing at pods.
    """
    left = [score for side, score in enumerate(scores) if side not in forfeited]
    if pods or len(scores) > 2:
        worth = POD if len(scores) > 2 else PART_OF_PODS
        return tuple(0 if side in forfeited else _share(score, left, worth) for side, score in enumerate(scores))
    if not forfeited and scores[0] == scores[1]:
        return (scoring.tie, scoring.tie)
    best = max(left, default=0)
    return tuple(
        scoring.win if side not in forfeited and score == best else scoring.loss for side, score in enumerate(scores)
    )


def unpaired_points(kind: FormatKind, scoring: Scoring, code: Unpaired) -> int:
    """The match points of an entry without a match in a round.

    None for a free round of a round robin, one apiece for those who sit out where partners change.
    """
    if kind is FormatKind.ROUND_ROBIN or code in (Unpaired.ZERO, Unpaired.ABSENT):
        return 0
    if kind is FormatKind.INDIVIDUAL:
        return scoring.tie
    return scoring.bye if code is Unpaired.BYE else scoring.half


def _share(score: int, scores: Sequence[int], worth: Sequence[int]) -> int:
    """What a score is worth among those scores, by its place; equal ones share what their places are worth."""
    above = sum(other > score for other in scores)
    equal = scores.count(score)
    return sum(worth[above : above + equal]) // equal
