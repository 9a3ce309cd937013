"""Choose which side of a match sits first: the one that did so less often, else by a draw.

Source: `docs/tournaments.md` 3.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.tournaments.pairing.past_meetings import PastMeetings
from bot.tournaments.seeded_draw import SeededDraw


def order_sides(
    sides: Sequence[tuple[int, ...]], past_meetings: PastMeetings, *, round_number: int, draws: SeededDraw
) -> tuple[tuple[int, ...], ...]:
    """Return the sides in the order in which they sit in round `round_number`."""

    def side_sort_key(side: tuple[int, ...]) -> tuple[int, int]:
        token = tuple(sorted(part for entry in side for part in past_meetings.identity_in_draws(entry)))
        return sum(past_meetings.first.get(entry, 0) for entry in side), draws.draw_number(
            f"first side of round {round_number}", token
        )

    return tuple(sorted(sides, key=side_sort_key))
