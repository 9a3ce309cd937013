"""Tie-breaks of a tournament, and the cap on the net card points that one deal adds to them.

Source: `docs/tournaments.md` 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from bot.ratings.swing_units import SWING_UNITS
from bot.tournaments.counted_results import Course
from bot.tournaments.standings.points_by_round import EntryRound, RoundsByEntry

CAP: Final = 500
"""The most units by which one deal may raise or lower the net points."""


@dataclass(frozen=True, slots=True)
class SwingUnit:
    """The unit of swing in card points, and how many net points one deal may count at most."""

    unit: int
    net_cap: int


def swing_of(rules: str) -> SwingUnit:
    """Return the swing unit of the rule set of that name. Raises `KeyError`."""
    unit = SWING_UNITS[rules]
    return SwingUnit(unit, CAP * unit)


@dataclass(frozen=True, slots=True, kw_only=True)
class TieBreaks:
    """The tie-breaks of an entry, in this order; None if a figure is not used or not defined.

    `h2h` are the match points among all with equal points, `bc1` is Buchholz cut 1, `sb` Sonneborn–Berger, `net`
    card points per deal, each deal capped, and `wins` counts matches won at tables.
    """

    h2h: int | None = None
    bc1: int | None = None
    sb: Fraction | None = None
    net: Fraction
    wins: int


def points_of(course: Course, rounds: RoundsByEntry, after_round: int) -> dict[int, int]:
    """Return the match points of every entry after that round, penalties subtracted."""
    found = {entry: sum(turn.points for turn in listed) for entry, listed in rounds.items()}
    for penalty in course.penalties:
        if penalty.round <= after_round and penalty.entry in found:
            found[penalty.entry] -= penalty.points
    return found


def strengths(course: Course, rounds: RoundsByEntry) -> dict[int, int]:
    """Return the strength of every entry, A(o), which counts in its opponents' tie-breaks.

    It is the sum of the points won at tables, and the points of a tie for every other round; in a round robin it is
    simply the sum of its points. Penalties are ignored.
    """
    if course.traits.forfeits_count:
        return {entry: sum(turn.points for turn in listed) for entry, listed in rounds.items()}
    tie = course.scoring.tie
    return {entry: sum(turn.points if turn.is_at_table else tie for turn in listed) for entry, listed in rounds.items()}


def buchholz_cut(entry: int, entry_rounds: Sequence[EntryRound], worth: Mapping[int, int]) -> int:
    """Return the sum of the opponents' strengths, leaving out one round.

    The lowest round that the entry chose not to play is left out, or the lowest of all if there is none. A round
    without play counts the entry's own strength.
    """
    rounds = [(not turn.voluntary, _opponents_worth(entry, turn, worth)) for turn in entry_rounds]
    return sum(value for _, value in rounds) - (min(rounds)[1] if rounds else 0)


def sonneborn_berger(rounds: Sequence[EntryRound], worth: Mapping[int, int], *, forfeits: bool) -> Fraction:
    """Return the strengths of beaten opponents plus half of those tied with.

    With `forfeits`, wins by forfeit count too.
    """
    total = Fraction(0)
    for turn in rounds:
        if turn.is_at_table or (forfeits and turn.match is not None):
            share = Fraction(turn.is_won) + Fraction(turn.is_tied and turn.is_at_table, 2)
            total += share * sum(worth[other] for other in turn.opponents)
    return total


def mean_net_per_deal(rounds: Sequence[EntryRound], cap: int) -> Fraction:
    """Return the mean difference of scores per deal at tables, each capped; 0 without a deal.

    At a table of three sides a deal gives two differences. Results that a director has set give none.
    """
    differences = [difference for turn in rounds for difference in _score_differences(turn, cap)]
    return Fraction(sum(differences), len(differences)) if differences else Fraction(0)


def count_wins_at_tables(rounds: Sequence[EntryRound]) -> int:
    """Return how many matches the entry won at tables; byes and forfeits do not count."""
    return sum(turn.is_at_table and turn.is_won for turn in rounds)


def _opponents_worth(entry: int, entry_round: EntryRound, worth: Mapping[int, int]) -> int:
    """Return the strengths of an entry's opponents in a round; its own strength if it did not play."""
    if not entry_round.is_at_table:
        return worth[entry]
    return sum(worth[other] for other in entry_round.opponents)


def _score_differences(entry_round: EntryRound, cap: int) -> list[int]:
    """Return the capped differences between the entry's score and each other side's, deal by deal."""
    match = entry_round.match
    if match is None or not match.is_played or match.set_by_director:
        return []
    return [
        max(-cap, min(cap, deal.scores[entry_round.side] - other))
        for deal in match.deals
        if not deal.void
        for number, other in enumerate(deal.scores)
        if number != entry_round.side
    ]
