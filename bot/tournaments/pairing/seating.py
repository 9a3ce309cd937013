"""A plan of rounds for individuals while it is searched for: seats, how often people meet, and what that costs.

Costs are compared in this order: repeated partners; seats at tables that differ from an earlier plan; Σ (times
opponents)²; Σ (times together)², where together are partners and opponents (`docs/tournaments.md` 3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, TypeAlias

from bot.tournaments.pairing.history import History

MEMORY: Final = 50
"""How many tries back a search remembers a cost."""

Sides: TypeAlias = frozenset[frozenset[int]]
"""Who sits at a table, side by side, in no order."""

_REPEATED: Final = 1 << 72
_CHANGED: Final = 1 << 48
_OPPONENTS: Final = 1 << 24
_TOGETHER: Final = 1
# Each sum stays below 2^24 in tournaments of any size that can be played.


class Seating:
    """Rounds of seats: `seats` at a table, cut into `sides`. `cost` is one number that compares as the four sums do.

    `rounds` hold entries table after table. `kept` are the tables of an earlier plan, one
    mapping for each of its rounds from an entry to its table.
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
        """A plan of its own with the same seats."""
        return Seating(self.rounds, self._past, seats=self.seats, sides=self._sides, kept=self._kept)

    @property
    def repeated(self) -> int:
        """How often partners are partners again."""
        return self.cost // _REPEATED

    @property
    def opponents(self) -> int:
        """Σ (times opponents)² over all pairs."""
        return self.cost % _CHANGED // _OPPONENTS

    def tables(self, number: int) -> Iterator[tuple[tuple[int, ...], ...]]:
        """The tables of a round, each as its sides."""
        seated = self.rounds[number]
        for start in range(0, len(seated), self.seats):
            yield tuple(
                tuple(seated[side : side + self._per_side]) for side in range(start, start + self.seats, self._per_side)
            )

    def matters(self, one: int, other: int) -> bool:
        """Whether changing those two seats of a round about changes who plays with or against whom."""
        return one // self._per_side != other // self._per_side

    def swap(self, number: int, one: int, other: int) -> None:
        """Change two seats of a round about."""
        concerned = {one // self.seats, other // self.seats}
        for table in concerned:
            self._rise(number, table)
        seated = self.rounds[number]
        seated[one], seated[other] = seated[other], seated[one]
        for table in concerned:
            self._sit(number, table)

    def take(self, rounds: Sequence[Sequence[int]]) -> None:
        """Seat the persons of each round as given."""
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
        """How many of those at a table sit otherwise than in the earlier plan."""
        if number >= len(self._kept):
            return 0
        kept = self._kept[number]
        sides = frozenset(
            frozenset(seated[start : start + self._per_side]) for start in range(0, self.seats, self._per_side)
        )
        return sum(kept.get(entry) != sides for entry in seated)


def mended(seating: Seating) -> None:
    """Change the two seats about that betters the plan most, again and again until none does."""
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


def improved(seating: Seating, numbers: Iterator[int], *, patience: int) -> None:
    """Change seats about until `patience` tries in a row have found nothing better; the best found stays.

    Late acceptance: a change may make things worse as long as they are no worse than `MEMORY` tries before, which
    leads out of dead ends. `numbers` are the chance it follows.
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
