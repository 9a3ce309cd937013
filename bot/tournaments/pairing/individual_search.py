"""A plan of rounds for individuals during a search: seats, meetings and cost.

Costs are compared in this order: repeated partners; seats at tables that differ from an earlier plan; Σ (times
opponents)²; Σ (times together)², where together means partners or opponents (`docs/tournaments.md` 3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, TypeAlias

from bot.tournaments.pairing.history import History

MEMORY: Final = 50
"""Number of earlier costs that a search remembers."""

Sides: TypeAlias = frozenset[frozenset[int]]
"""The sides of a table, in no order."""

_REPEATED: Final = 1 << 72
_CHANGED: Final = 1 << 48
_OPPONENTS: Final = 1 << 24
_TOGETHER: Final = 1
# Each sum stays below 2^24 in tournaments of any size that can be played.


class Seating:
    """Rounds of seats, `seats` at a table in `sides`; `cost` is one number that combines the four sums.

    `rounds` hold entries table after table. `kept` are the tables of an earlier plan: for each round a mapping from
    an entry to its table.
    """

    def __init__(
        self,
        rounds: Sequence[Sequence[int]],
        past: History,
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
        self._kept = kept
        self._partners = Counter(past.partners)
        self._opponents = Counter(past.meetings)
        everybody = {entry for seated in rounds for entry in seated}
        self.cost = sum(
            _REPEATED * max(0, self._partners[pair] - 1)
            + _OPPONENTS * self._opponents[pair] ** 2
            + _TOGETHER * (self._partners[pair] + self._opponents[pair]) ** 2
            for pair in combinations(sorted(everybody), 2)
        )
        for number, seated in enumerate(self.rounds):
            for table in range(len(seated) // seats):
                self._sit(number, table)

    def copy(self) -> Seating:
        """Return an independent copy."""
        return Seating(self.rounds, self._past, seats=self.seats, sides=self._sides, kept=self._kept)

    @property
    def repeated(self) -> int:
        """The number of repeated partnerships."""
        return self.cost // _REPEATED

    @property
    def opponents(self) -> int:
        """Σ (times opponents)² over all pairs."""
        return self.cost % _CHANGED // _OPPONENTS

    def tables(self, number: int) -> Iterator[tuple[tuple[int, ...], ...]]:
        """Yield the tables of a round, each as its sides."""
        seated = self.rounds[number]
        for start in range(0, len(seated), self.seats):
            yield tuple(
                tuple(seated[side : side + self._per_side]) for side in range(start, start + self.seats, self._per_side)
            )

    def matters(self, one: int, other: int) -> bool:
        """Return whether swapping those two seats changes anyone's partners or opponents."""
        return one // self._per_side != other // self._per_side

    def swap(self, number: int, one: int, other: int) -> None:
        """Swap two seats of a round."""
        concerned = {one // self.seats, other // self.seats}
        for table in concerned:
            self._rise(number, table)
        seated = self.rounds[number]
        seated[one], seated[other] = seated[other], seated[one]
        for table in concerned:
            self._sit(number, table)

    def take(self, rounds: Sequence[Sequence[int]]) -> None:
        """Replace the seats of all rounds."""
        for number, seated in enumerate(self.rounds):
            for table in range(len(seated) // self.seats):
                self._rise(number, table)
            seated[:] = rounds[number]
            for table in range(len(seated) // self.seats):
                self._sit(number, table)

    def _sit(self, number: int, table: int) -> None:
        seated = self.rounds[number][table * self.seats : (table + 1) * self.seats]
        self.cost += _CHANGED * self._changed(number, seated)
        partners, opponents = self._partners, self._opponents
        for one, other, together in self._links:
            a, b = seated[one], seated[other]
            pair = (a, b) if a < b else (b, a)
            as_partners, as_opponents = partners[pair], opponents[pair]
            self.cost += _TOGETHER * (2 * (as_partners + as_opponents) + 1)
            if together:
                self.cost += _REPEATED * (as_partners > 0)
                partners[pair] = as_partners + 1
            else:
                self.cost += _OPPONENTS * (2 * as_opponents + 1)
                opponents[pair] = as_opponents + 1

    def _rise(self, number: int, table: int) -> None:
        seated = self.rounds[number][table * self.seats : (table + 1) * self.seats]
        self.cost -= _CHANGED * self._changed(number, seated)
        partners, opponents = self._partners, self._opponents
        for one, other, together in self._links:
            a, b = seated[one], seated[other]
            pair = (a, b) if a < b else (b, a)
            as_partners, as_opponents = partners[pair], opponents[pair]
            self.cost -= _TOGETHER * (2 * (as_partners + as_opponents) - 1)
            if together:
                self.cost -= _REPEATED * (as_partners > 1)
                partners[pair] = as_partners - 1
            else:
                self.cost -= _OPPONENTS * (2 * as_opponents - 1)
                opponents[pair] = as_opponents - 1

    def _changed(self, number: int, seated: Sequence[int]) -> int:
        """Count those at a table whose table differs from the earlier plan."""
        if number >= len(self._kept):
            return 0
        kept = self._kept[number]
        sides = frozenset(
            frozenset(seated[start : start + self._per_side]) for start in range(0, self.seats, self._per_side)
        )
        return sum(kept.get(entry) != sides for entry in seated)


def mend_plan(seating: Seating) -> None:
    """Repeatedly make the swap that improves the plan most, until none does."""
    while True:
        cost, best = seating.cost, None
        for number, seated in enumerate(seating.rounds):
            for one, other in combinations(range(len(seated)), 2):
                if not seating.matters(one, other):
                    continue
                seating.swap(number, one, other)
                if seating.cost < cost:
                    cost, best = seating.cost, (number, one, other)
                seating.swap(number, one, other)
        if best is None:
            return
        seating.swap(*best)


def search_better(seating: Seating, numbers: Iterator[int], *, patience: int) -> None:
    """Swap random seats until `patience` tries in a row bring no improvement; keep the best plan found.

    Late acceptance: a swap may raise the cost up to the one `MEMORY` tries before, which leads out of dead ends.
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
        if not seating.matters(one, other):
            continue
        before = seating.cost
        seating.swap(number, one, other)
        if seating.cost > before and seating.cost > remembered[tries % MEMORY]:
            seating.swap(number, one, other)
        remembered[tries % MEMORY] = min(seating.cost, remembered[tries % MEMORY])
        if seating.cost < best:
            best, at_best, idle = seating.cost, [list(seated) for seated in seating.rounds], 0
    seating.take(at_best)
