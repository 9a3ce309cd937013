"""Check pairings that a director makes by hand, and make rounds of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.tournaments.counted_results import Course
from bot.tournaments.pairing.drawn_round import DrawnRound
from bot.tournaments.pairing.past_meetings import PairingCosts, count_past_meetings
from bot.tournaments.pairing.standing_order import OrderedEntry
from bot.tournaments.pairing.swiss import build_round
from bot.tournaments.seeded_draw import SeededDraw


class HandPairingCode(StrEnum):
    """Errors in a pairing by hand; the value is its stable name."""

    LEFT_OUT = "pairing_left_out"  # an entry has neither a match nor a bye
    TWICE = "pairing_twice"  # an entry has more than one match or bye
    NOT_HERE = "pairing_not_here"  # an entry does not play in this round
    WRONG_SIDES = "pairing_wrong_sides"  # a table has too few or too many sides


@dataclass(frozen=True, slots=True)
class HandPairingProblem:
    """An error and the entries it concerns, in the order of their numbers."""

    code: HandPairingCode
    entries: tuple[int, ...]


def problem_of_hand_pairing(
    tables: Sequence[Sequence[int]], byes: Sequence[int], *, present: Collection[int], sides: int
) -> HandPairingProblem | None:
    """Return the first error in these tables and byes; None if each entry of `present` occurs once.

    Tables have one entry a side. With three `sides`, tables of two are allowed too.
    """
    count = Counter(entry for table in (*tables, byes) for entry in table)
    wrong_sides = [entry for table in tables if not 2 <= len(table) <= sides for entry in table]
    found = (
        (HandPairingCode.NOT_HERE, set(count) - set(present)),
        (HandPairingCode.TWICE, {entry for entry, times in count.items() if times > 1}),
        (HandPairingCode.LEFT_OUT, set(present) - set(count)),
        (HandPairingCode.WRONG_SIDES, set(wrong_sides)),
    )
    return next((HandPairingProblem(code, tuple(sorted(entries))) for code, entries in found if entries), None)


def hand_paired_round(
    course: Course,
    standing: Sequence[OrderedEntry],
    *,
    tables: Sequence[Sequence[int]],
    byes: Sequence[int],
    draws: SeededDraw,
) -> DrawnRound:
    """Return a round with these tables and byes, as a director has paired it, with its cost.

    The caller must have checked them by `problem_of_hand_pairing`.
    """
    present = {entry for table in (*tables, byes) for entry in table}
    measure = PairingCosts(count_past_meetings(course), standing, present=present)
    return build_round(course, standing, costs=measure, tables=tables, byes=byes, draws=draws)
