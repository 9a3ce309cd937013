"""Habits: the numbers by which a rule-of-thumb player weighs things, so that levels differ by data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, kw_only=True)
class Habits:
    """What a player prefers. Worths are points of judgement, on the scale of a card's points.

    Holding: `keep_for_set` is how many cards stay in hand when a new set is laid before the side may go out, unless it
    is a `long_set`; `hurry_at` the opponents' smallest hand that makes it lay all it can; `lend_wilds` how many wild
    cards it puts on a meld so that one card more makes the side's first canasta.

    The pile: how many cards it must have to be taken by adding, with a pair, with a two, with a joker.

    Discarding: the worth of a card kept, by kind and by how many of its rank are held; `open_weight` how much a card's
    points count towards a high initial meld; `pile_card` the worth of one card of the pile to the next player, and
    `unopened_danger` how likely a side that has not opened can use its pair; `freeze_card` what freezing is worth for
    each card of a pile of `freeze_from` or more, when the side is behind by `freeze_behind`.

    Wild cards alone: from how many on they are melded so, and from how many where that binds the others or costs
    points unless it becomes a canasta; `run_card` the worth of a card that stands beside another of its suit.

    Going out: from how many cards a partner is asked, and what its next turn must bring to say no.
    """

    keep_for_set: int = 4
    long_set: int = 4
    hurry_at: int = 3
    lend_wilds: int = 1

    take_add_from: int = 1
    take_pair_from: int = 1
    take_two_from: int = 3
    take_joker_from: int = 4

    keep_single: float = 2
    keep_pair: float = 20
    keep_set: float = 30
    keep_black_three: float = 4
    keep_two: float = 60
    keep_joker: float = 110
    open_weight: float = 1
    pile_card: float = 10
    unopened_danger: float = 0.6
    freeze_from: int = 6
    freeze_behind: int = 200
    freeze_card: float = 5

    wild_meld_from: int = 3
    wild_meld_at_risk: int = 5
    run_card: float = 6

    ask_from: int = 5
    say_no_from: int = 300


CASUAL: Final = Habits()
"""The casual player's habits, found by duplicate matches against itself and against random play."""
