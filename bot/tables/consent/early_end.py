"""The end of a game before its rules end it: finished deals stand, the deal in play is dropped.

Nothing of a dropped deal is published: its seed stays sealed, its hands stay hidden.
"""

from __future__ import annotations

from dataclasses import replace

from bot.tables.events import AnyEvent, DeadlineSet, GameConcluded
from bot.tables.record import TableState
from bot.tables.timing import ends
from bot.tables.timing.clocks import Conclusion


def concluding(record: TableState, conclusion: Conclusion) -> tuple[AnyEvent, ...]:
    """The end of the game; nothing is waited for any more."""
    return (*(DeadlineSet(kind, None) for kind in record.deadlines), GameConcluded(conclusion))


def agreed(record: TableState) -> tuple[AnyEvent, ...]:
    """The end that all persons want: whoever leads after the finished deals has won."""
    return concluding(record, ends.conclusion(record, "agreed"))


def resigned(record: TableState, side: int) -> tuple[AnyEvent, ...]:
    """The end that one side gives up for: it is last, and the best of the others has won, if there is one best."""
    conclusion = ends.conclusion(record, "resigned")
    others = {one: score for one, score in enumerate(conclusion.scores) if one != side}
    best = [one for one, score in others.items() if score == max(others.values())]
    winner = best[0] if len(best) == 1 else None
    return concluding(record, replace(conclusion, winner=winner, last=side))
