"""A plan of rounds for individuals while it is searched for: seats, meetings and cost.

Costs are compared in this order: repeated partners; seats at tables that differ from an earlier plan; Σ (times
opponents)²; Σ (times together)², where together means partners or opponents (`docs/tournaments.md` 3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, TypeAlias

from bot.tournaments.pairing.past_meetings import PastMeetings

MEMORY: Final = 50
"""Number of earlier costs that a search remembers."""

Sides: TypeAlias = frozenset[frozenset[int]]
"""The sides of a table, in no order."""

_REPEATED: Final = 1 << 72
_CHANGED: Final = 1 << 48
_OPPONENTS: Final = 1 << 24
_TOGETHER: Final = 1
# One integer holds all four sums: each stays below 2^24 in every tournament that can be played.


def _as_matrix(counts: Mapping[tuple[int, int], int], entries: Sequence[int]) -> list[list[int]]:
    """Return counts by pairs of entries as a symmetric square matrix, indexed by entry number."""
    size = max([*entries, *(entry for pair in counts for entry in pair)], default=0) + 1
    rows = [[0] * size for _ in range(size)]
    for (one, other), count in counts.items():
        rows[one][other] = rows[other][one] = count
    return rows


def _seats_near(count: int, *, seats: int, per_side: int) -> tuple[list[list[int]], list[list[int]]]:
    """Return, for each of `count` seats in a round, the seats of its partners and those of its opponents."""
    partners: list[list[int]] = []
    opponents: list[list[int]] = []
    for place in range(count):
        table, side = place // seats * seats, place // per_side * per_side
        own_side = range(side, side + per_side)
        partners.append([seat for seat in own_side if seat != place])
        opponents.append([seat for seat in range(table, table + seats) if seat not in own_side])
    return partners, opponents


class SeatingPlan:
    """The seats of all rounds of a plan, with `seats` seats and several sides at a table.

    `rounds` holds the entries of each round, table after table. `cost` is one number that combines the four sums.
    `kept` are the tables of an earlier plan: for each round a mapping from an entry to its table.
    """

    def __init__(
        self,
        rounds: Sequence[Sequence[int]],
        past: PastMeetings,
        *,
        seats: int,
        sides: int,
        kept: Sequence[Mapping[int, Sides]] = (),
    ) -> None:
        self.rounds = [list(seated) for seated in rounds]
        self.seats = seats
        self._per_side = seats // sides
        self._past = past
        self._sides = sides
        self._links = [
            (one, other, one // self._per_side == other // self._per_side)
            for one, other in combinations(range(seats), 2)
        ]
        self._partner_seats, self._opponent_seats = _seats_near(
            max(map(len, rounds), default=0), seats=seats, per_side=self._per_side
        )
        self._kept = kept
        everybody = sorted({entry for seated in rounds for entry in seated})
        self._partners = _as_matrix(past.partners, everybody)
        self._opponents = _as_matrix(past.meetings, everybody)
        self.cost = sum(
            _REPEATED * max(0, self._partners[one][other] - 1)
            + _OPPONENTS * self._opponents[one][other] ** 2
            + _TOGETHER * (self._partners[one][other] + self._opponents[one][other]) ** 2
            for one, other in combinations(everybody, 2)
        )
        for number, seated in enumerate(self.rounds):
            for table in range(len(seated) // seats):
                self._add_table(number, table)

    def copy(self) -> SeatingPlan:
        """Return an independent copy."""
        return SeatingPlan(self.rounds, self._past, seats=self.seats, sides=self._sides, kept=self._kept)

    @property
    def repeated_partnerships(self) -> int:
        """The number of repeated partnerships."""
        return self.cost // _REPEATED

    def tables(self, round_number: int) -> Iterator[tuple[tuple[int, ...], ...]]:
        """Yield the tables of a round, each as its sides."""
        seated = self.rounds[round_number]
        for start in range(0, len(seated), self.seats):
            yield tuple(
                tuple(seated[side : side + self._per_side]) for side in range(start, start + self.seats, self._per_side)
            )

    def changes_meetings(self, seat: int, other_seat: int) -> bool:
        """Return whether swapping the entries of those two seats changes anyone's partners or opponents."""
        return seat // self._per_side != other_seat // self._per_side

    def cost_after_swap(self, round_number: int, seat: int, other_seat: int) -> int:
        """Return the cost that the plan would have after a swap; most swaps are rejected, so none is made.

        Each pair that meets or parts does so once, so all differences can be read from the counts as they are.
        """
        seated, seats = self.rounds[round_number], self.seats
        cost = self.cost + _CHANGED * self._increase_in_moved_seats(round_number, seat, other_seat)
        table, other_table = seat // seats * seats, other_seat // seats * seats
        if table == other_table:
            return (
                cost
                + self._cost_of_changing_sides(seated, seat, other_seat)
                + self._cost_of_changing_sides(seated, other_seat, seat)
            )
        return (
            cost
            + self._cost_of_changing_tables(seated, seat, other_seat)
            + self._cost_of_changing_tables(seated, other_seat, seat)
        )

    def _cost_of_changing_tables(self, seated: Sequence[int], place: int, goal: int) -> int:
        """Return the rise in cost if the person at `place` moves to the table of `goal`."""
        partners, opponents = self._partners[seated[place]], self._opponents[seated[place]]
        # Three sums, because small numbers are added quicker than costs.
        repeated = as_opponents = together = 0
        for seat in self._partner_seats[place]:
            left = seated[seat]
            repeated -= partners[left] > 1
            together -= 2 * (partners[left] + opponents[left]) - 1
        for seat in self._opponent_seats[place]:
            left = seated[seat]
            as_opponents -= 2 * opponents[left] - 1
            together -= 2 * (partners[left] + opponents[left]) - 1
        for seat in self._partner_seats[goal]:
            joined = seated[seat]
            repeated += partners[joined] > 0
            together += 2 * (partners[joined] + opponents[joined]) + 1
        for seat in self._opponent_seats[goal]:
            joined = seated[seat]
            as_opponents += 2 * opponents[joined] + 1
            together += 2 * (partners[joined] + opponents[joined]) + 1
        return _REPEATED * repeated + _OPPONENTS * as_opponents + _TOGETHER * together

    def _cost_of_changing_sides(self, seated: Sequence[int], place: int, goal: int) -> int:
        """Return the rise in cost if the person at `place` moves to `goal`, on another side of the same table."""
        partners, opponents = self._partners[seated[place]], self._opponents[seated[place]]
        repeated = as_opponents = 0
        for seat in self._partner_seats[place]:
            left = seated[seat]
            repeated -= partners[left] > 1
            as_opponents += 2 * opponents[left] + 1
        for seat in self._partner_seats[goal]:
            joined = seated[seat]
            repeated += partners[joined] > 0
            as_opponents -= 2 * opponents[joined] - 1
        return _REPEATED * repeated + _OPPONENTS * as_opponents

    def _increase_in_moved_seats(self, round_number: int, seat: int, other_seat: int) -> int:
        """Return by how many more seats the plan would differ from the earlier one if the two were swapped."""
        if round_number >= len(self._kept):
            return 0
        before, after = self.rounds[round_number], [*self.rounds[round_number]]
        after[seat], after[other_seat] = after[other_seat], after[seat]
        tables = [
            slice(table * self.seats, (table + 1) * self.seats)
            for table in {seat // self.seats, other_seat // self.seats}
        ]
        return sum(
            self._count_entries_at_other_tables(round_number, after[table])
            - self._count_entries_at_other_tables(round_number, before[table])
            for table in tables
        )

    def swap_seats(self, round_number: int, seat: int, other_seat: int) -> None:
        """Swap the entries of two seats in one round."""
        concerned = {seat // self.seats, other_seat // self.seats}
        for table in concerned:
            self._remove_table(round_number, table)
        seated = self.rounds[round_number]
        seated[seat], seated[other_seat] = seated[other_seat], seated[seat]
        for table in concerned:
            self._add_table(round_number, table)

    def replace_rounds(self, rounds: Sequence[Sequence[int]]) -> None:
        """Replace the seats of all rounds."""
        for number, seated in enumerate(self.rounds):
            for table in range(len(seated) // self.seats):
                self._remove_table(number, table)
            seated[:] = rounds[number]
            for table in range(len(seated) // self.seats):
                self._add_table(number, table)

    def _add_table(self, round_number: int, table: int) -> None:
        """Add the meetings at a table to the counts and the cost."""
        seated = self.rounds[round_number][table * self.seats : (table + 1) * self.seats]
        self.cost += _CHANGED * self._count_entries_at_other_tables(round_number, seated)
        partners, opponents = self._partners, self._opponents
        for one, other, together in self._links:
            a, b = seated[one], seated[other]
            as_partners, as_opponents = partners[a][b], opponents[a][b]
            self.cost += _TOGETHER * (2 * (as_partners + as_opponents) + 1)
            if together:
                self.cost += _REPEATED * (as_partners > 0)
                partners[a][b] = partners[b][a] = as_partners + 1
            else:
                self.cost += _OPPONENTS * (2 * as_opponents + 1)
                opponents[a][b] = opponents[b][a] = as_opponents + 1

    def _remove_table(self, round_number: int, table: int) -> None:
        """Subtract the meetings at a table from the counts and the cost."""
        seated = self.rounds[round_number][table * self.seats : (table + 1) * self.seats]
        self.cost -= _CHANGED * self._count_entries_at_other_tables(round_number, seated)
        partners, opponents = self._partners, self._opponents
        for one, other, together in self._links:
            a, b = seated[one], seated[other]
            as_partners, as_opponents = partners[a][b], opponents[a][b]
            self.cost -= _TOGETHER * (2 * (as_partners + as_opponents) - 1)
            if together:
                self.cost -= _REPEATED * (as_partners > 1)
                partners[a][b] = partners[b][a] = as_partners - 1
            else:
                self.cost -= _OPPONENTS * (2 * as_opponents - 1)
                opponents[a][b] = opponents[b][a] = as_opponents - 1

    def _count_entries_at_other_tables(self, round_number: int, seated: Sequence[int]) -> int:
        """Return how many of those seated at a table had another table in the earlier plan."""
        if round_number >= len(self._kept):
            return 0
        kept = self._kept[round_number]
        sides = frozenset(
            frozenset(seated[start : start + self._per_side]) for start in range(0, self.seats, self._per_side)
        )
        return sum(kept.get(entry) != sides for entry in seated)


def improve_by_best_swaps(seating: SeatingPlan) -> None:
    """Repeatedly make the swap that improves the plan most, until none does."""
    while True:
        cost, best = seating.cost, None
        for number, seated in enumerate(seating.rounds):
            for one, other in combinations(range(len(seated)), 2):
                if not seating.changes_meetings(one, other):
                    continue
                after = seating.cost_after_swap(number, one, other)
                if after < cost:
                    cost, best = after, (number, one, other)
        if best is None:
            return
        seating.swap_seats(*best)


def improve_by_random_swaps(seating: SeatingPlan, numbers: Iterator[int], *, patience: int) -> None:
    """Swap random seats until `patience` tries in a row bring no improvement; keep the best plan found.

    A swap may raise the cost up to the one `MEMORY` tries before, which leads out of dead ends ("late acceptance").
    `numbers` are the random numbers.
    """
    best, at_best = seating.cost, [list(seated) for seated in seating.rounds]
    remembered = [seating.cost] * MEMORY
    idle = tries = 0
    filled = [number for number, seated in enumerate(seating.rounds) if seated]
    while idle < patience and filled:
        tries, idle = tries + 1, idle + 1
        number = filled[next(numbers) % len(filled)]
        seated = seating.rounds[number]
        one, other = next(numbers) % len(seated), next(numbers) % len(seated)
        if not seating.changes_meetings(one, other):
            continue
        after, earlier = seating.cost_after_swap(number, one, other), remembered[tries % MEMORY]
        if after <= seating.cost or after <= earlier:
            seating.swap_seats(number, one, other)
        if seating.cost < earlier:
            remembered[tries % MEMORY] = seating.cost
        if seating.cost < best:
            best, at_best, idle = seating.cost, [list(seated) for seated in seating.rounds], 0
    seating.replace_rounds(at_best)
