"""Sums: what families of melds come to together, when every one of them is laid (`bot.engine.variants.family_sums`)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final, Generic, TypeVar

from bot.engine.bit_sums import CANASTA, has_sum, within
from bot.engine.canastas import Tally, meets
from bot.engine.rules import RuleSet
from bot.engine.variants.family_sums import LANE_BITS, FamilySums, bits_of, lanes_of
from bot.engine.variants.openings import Demand

Reached = TypeVar("Reached")
"""A set of sums."""

Options = tuple[int, ...]
"""The numbers of one family, of which one is added to each sum."""

NO_CARD: Final[Options] = (0,)
"""The numbers of a family of which no card is laid, where that changes nothing."""

_LANE: Final = (1 << LANE_BITS) - 1


class Sums(ABC, Generic[Reached]):
    """Sets of sums of at most so many wild cards."""

    nothing: Reached
    """No sum at all."""
    start: Reached
    """The sum of no family."""
    table: FamilySums
    """The numbers of a family of which all naturals are laid."""
    counts: bool
    """Whether it matters what lies there already."""
    canasta: int
    """What a canasta adds to a sum that is not among those of its family."""

    @property
    @abstractmethod
    def finished(self) -> FamilySums:
        """The numbers of those ways only that make another canasta of the family."""

    @abstractmethod
    def joined(self, reached: Reached, options: Options) -> Reached:
        """The sums with one more family."""

    @abstractmethod
    def parted(self, reached: tuple[Reached, Reached], every: Options, all_but_one: Options) -> tuple[Reached, Reached]:
        """The sums with one more family, no card being left and one being left.

        Laying `every` card of the family, or `all_but_one`.
        """

    @abstractmethod
    def either(self, one: Reached, other: Reached) -> Reached:
        """The sums of both sets."""

    @abstractmethod
    def ends(self, reached: Reached, wilds: int, *, runs: int) -> bool:
        """Whether one of the sums takes exactly so many wild cards and lets the side go out.

        `runs` are the canastas of runs that lie then.
        """


class Bits(Sums[int]):
    """Where canastas are only counted, those of runs apart: a bit for each sum.

    `lacking` canastas have to be made; where none, none is counted. `seq` of them have to be of runs, of which `runs`
    lie there already and count if `runs_count`.
    """

    nothing = 0
    start = 1

    def __init__(self, rules: RuleSet, wilds: int, *, lacking: int, seq: int, runs: int) -> None:
        self.table = bits_of(rules, counted=lacking > 0, only_finished=False)
        self._rules = rules
        self.counts = lacking > 0
        self.canasta = CANASTA if lacking else 0
        self._within = within(wilds)
        self._lacking = lacking
        self._seq = seq
        self._runs = runs
        self._runs_count = "seq" not in rules.out_excludes

    @property
    def finished(self) -> FamilySums:
        """The numbers of those ways only that make another canasta of the family."""
        return bits_of(self._rules, counted=self.counts, only_finished=True)

    def joined(self, reached: int, options: Options) -> int:
        """The sums with one more family."""
        found = 0
        for number in options:
            found |= reached << number
        return found & self._within

    def parted(self, reached: tuple[int, int], every: Options, all_but_one: Options) -> tuple[int, int]:
        """The sums with one more family, no card being left and one being left."""
        whole, short = reached
        if every == NO_CARD:
            found, others = whole, short
        else:
            found = others = 0
            for number in every:
                found |= whole << number
                others |= short << number
        for number in all_but_one:
            others |= whole << number
        return found & self._within, others & self._within

    def either(self, one: int, other: int) -> int:
        """The sums of both sets."""
        return one | other

    def ends(self, reached: int, wilds: int, *, runs: int) -> bool:
        """Whether one of the sums takes exactly so many wild cards and lets the side go out."""
        if runs < self._seq:
            return False
        lacking = self._lacking - (runs - self._runs if self._runs_count else 0)
        return has_sum(reached, wilds, lacking)


class Lanes(Sums[frozenset[int]]):
    """Where the kinds of canastas matter, or something is demanded."""

    nothing = frozenset()
    start = frozenset((0,))

    def __init__(self, rules: RuleSet, wilds: int, *, demand: Demand) -> None:
        self.counts = True
        self.canasta = 0
        self._rules = rules
        self.table = lanes_of(rules, demand=demand, only_finished=False)
        self._most = wilds
        self._demand = demand
        self._met_by_runs = demand in ("canasta", "natural_canasta")

    @property
    def finished(self) -> FamilySums:
        """The numbers of those ways only that make another canasta of the family."""
        return lanes_of(self._rules, demand=self._demand, only_finished=True)

    def joined(self, reached: frozenset[int], options: Options) -> frozenset[int]:
        """The sums with one more family."""
        most = self._most
        return frozenset([both for number in options for one in reached if (both := one + number) & _LANE <= most])

    def parted(
        self, reached: tuple[frozenset[int], frozenset[int]], every: Options, all_but_one: Options
    ) -> tuple[frozenset[int], frozenset[int]]:
        """The sums with one more family, no card being left and one being left."""
        whole, short = reached
        found = whole if every == NO_CARD else self.joined(whole, every)
        if short:
            short = self.joined(short, every)
        return found, short | self.joined(whole, all_but_one) if all_but_one else short

    def either(self, one: frozenset[int], other: frozenset[int]) -> frozenset[int]:
        """The sums of both sets."""
        return one | other

    def ends(self, reached: frozenset[int], wilds: int, *, runs: int) -> bool:
        """Whether one of the sums takes exactly so many wild cards and lets the side go out."""
        return any(one & _LANE == wilds and self._lets_out(one >> LANE_BITS, runs) for one in reached)

    def _lets_out(self, lanes: int, runs: int) -> bool:
        natural, mixed, wild, natural_sevens, mixed_sevens, met = [lanes >> LANE_BITS * at & _LANE for at in range(6)]
        if self._demand != "none" and not met and not (runs and self._met_by_runs):
            return False
        kinds = {"natural": natural, "mixed": mixed, "wild": wild, "seq": runs}
        counting = sum(count for kind, count in kinds.items() if kind not in self._rules.out_excludes)
        return meets(self._rules, Tally(natural, mixed, wild, runs, natural_sevens, mixed_sevens, counting))
