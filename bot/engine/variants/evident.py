"""Evident ways out: hands that can be laid down without a search, because every card fits where it is.

Each natural joins a meld of its rank or makes a new one with the others of its rank, those that lack one card with a
wild card; every other wild card finds room in an unfinished meld, and no more than one card is left to be discarded.
Most hands that can go out do so, once the cards that go into runs are set apart; about the others nothing is said here.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from bot.engine.actions import Meld
from bot.engine.canastas import enough
from bot.engine.cards import ACE, Kind
from bot.engine.counts import ANY, BLACK_SHIFT, KINDS_OF, RANKS, WILD_SHIFT, Counts
from bot.engine.melds import TableMeld
from bot.engine.places import RUN, Family
from bot.engine.rules import RuleSet
from bot.engine.shapes import BLACK_THREE_MELDS, most_wilds
from bot.engine.values import value
from bot.engine.variants.standing import Standing

_RED_THREES: Final[Counts] = 127 << WILD_SHIFT + 16


@value
class WayOut:
    """How every card of a hand evidently can be laid, but for one that may be left.

    The ranks of the `pairs` take a wild card each. So many wild cards are `free`, for which there is `room` to spare;
    `laid` of them are laid.
    """

    pairs: tuple[Kind, ...]
    free: int
    laid: int
    room: int

    def remains(self, standing: Standing, step: Meld) -> bool:
        """Whether every card still evidently can be laid once the step, which lays cards of a rank, has been taken.

        The meld that it joins may have no more room then. What else of its rank is held joins it as before.
        """
        wilds = step.twos + step.jokers
        if step.kind in self.pairs:
            return wilds <= self.free + 1
        if wilds > self.free:
            return False
        lying = standing.spread.by_place.get(step.place)
        return lying is None or wilds >= self.laid or self.room + wilds >= room_in(standing.rules, lying)


@value
class _Fitting:
    """What the rules alone say about what fits where."""

    naturals: bool
    """Whether any number of naturals of a rank join a meld of it, or make a new one if they are enough."""
    wilds: bool
    """Whether the wild cards that lie in a meld, and its naturals, alone decide whether it takes more of them."""
    pairs: bool
    """Whether naturals that lack one card make a new meld with a wild card."""
    by_kind: bool
    """Whether more than the number of canastas, and of runs among them, decides about going out."""
    runs: int
    """How many runs among the canastas going out takes."""


@cache
def _fitting(rules: RuleSet) -> _Fitting:
    naturals = "set" in rules.meld_kinds and rules.meld_max is None and not (rules.dead_ranks or rules.out_clean)
    wilds = rules.wild_lock == "none" and not (rules.no_wild_ranks or rules.open_wild_ranks)
    pair = rules.meld_min - 1
    pairs = wilds and pair >= max(rules.min_naturals, rules.wild_gate) and most_wilds(rules, pair) > 0
    by_kind = bool(rules.out_excludes) or any(kind != "seq" for kind, _ in rules.out_need)
    return _Fitting(naturals, wilds, pairs, by_kind, dict(rules.out_need).get("seq", 0))


def goes_out_evidently(standing: Standing, counts: Counts, *, spare: int, runs: int = 0) -> bool:
    """Whether the hand of an open side evidently goes out with at most `spare` cards left; canastas may come of it.

    `runs` more canastas are runs of cards that are not among the `counts`.
    """
    way = way_out(standing, counts, spare=spare)
    if way is None or not has_runs(standing, runs):
        return False
    lacking = standing.rules.out_canastas - standing.spread.canastas - runs
    return lacking <= 0 or makes(standing, counts, lacking, wilds=way.laid)


def has_runs(standing: Standing, more: int) -> bool:
    """Whether the runs that going out takes are canastas when so many more of them are than now."""
    needed = _fitting(standing.rules).runs
    return more >= needed or more + runs_lying(standing) >= needed


def runs_lying(standing: Standing) -> int:
    """How many runs that are canastas lie there."""
    families = standing.spread.families
    size = standing.rules.canasta_size
    return sum([len(meld.cards) >= size for run in _RUNS for meld in families.get(run, ())])


_RUNS: Final = range(RUN, RUN + 4)


def makes(standing: Standing, counts: Counts, lacking: int, *, wilds: int) -> bool:
    """Whether so many canastas come of laying the naturals of each rank together, or on its largest unfinished meld.

    So many wild cards may join those of these melds that have room for what they lack.
    """
    rules = standing.rules
    if _fitting(rules).by_kind:
        return False
    families = standing.spread.families
    size = rules.canasta_size
    held = KINDS_OF[counts + ANY & RANKS]
    gaps: list[int] = []
    for kind in dict.fromkeys((*held, *families)) if wilds else held:
        if kind > ACE:
            continue
        largest = largest_unfinished(standing, kind)
        if largest is None and kind in families:
            continue
        gap = size - (counts >> 8 * kind & 127) - (0 if largest is None else len(largest.cards))
        if gap <= 0:
            lacking -= 1
        elif largest is not None and gap <= wilds and gap <= room_in(rules, largest):
            gaps.append(gap)
    return lacking <= 0 or (lacking <= len(gaps) and sum(sorted(gaps)[:lacking]) <= wilds)


def largest_unfinished(standing: Standing, family: Family) -> TableMeld | None:
    """The largest meld of a family that is no canasta, of several the one begun first."""
    largest = None
    most, size = 0, standing.rules.canasta_size
    for meld in standing.spread.families.get(family, ()):
        if most < len(meld.cards) < size:
            largest, most = meld, len(meld.cards)
    return largest


def keeps_making(standing: Standing, step: Meld) -> bool:
    """Whether what a hand makes without wild cards (`makes`) still comes of it when the step has been taken."""
    if step.twos or step.jokers:
        return False
    if step.kind not in standing.spread.families:
        return True
    largest = largest_unfinished(standing, step.kind)
    return largest is not None and largest.place == step.place


def way_out(standing: Standing, counts: Counts, *, spare: int) -> WayOut | None:
    """How every card of the hand evidently can be laid, but for at most `spare`; None where that is not evident.

    Whether the canastas that going out takes lie there then is told only where wild cards may spoil some.
    """
    rules, spread = standing.rules, standing.spread
    if counts & _RED_THREES or standing.opening or standing.closed or standing.limits is not None:
        return None
    fitting = _fitting(rules)
    if not fitting.naturals:
        return None
    wilds = (counts >> WILD_SHIFT & 127) + (counts >> WILD_SHIFT + 8 & 127)
    left = _black_threes_left(rules, counts >> BLACK_SHIFT & 127)
    pairs: tuple[Kind, ...] = ()
    for kind in KINDS_OF[(counts + ANY) & ~(counts + spread.plain) & RANKS]:
        held = counts >> 8 * kind & 127
        if fitting.pairs and held == rules.meld_min - 1:
            pairs = (*pairs, kind)
        else:
            left += held
    free = wilds - len(pairs)
    if left > spare or free < 0:
        return None
    room = sum([room_in(rules, meld) for meld in spread.by_place.values()]) if free and fitting.wilds else 0
    laid = free
    if room < free and not left and spare:  # a wild card is left
        laid -= 1
        left = 1
    if room < laid or rules.out_discard == ("forbidden" if left else "mandatory") or (left and rules.discard_bans):
        return None
    if fitting.by_kind and (wilds or not enough(rules, spread.by_place.values())):
        return None
    return WayOut(pairs, free, laid, room - laid)


def _black_threes_left(rules: RuleSet, held: int) -> int:
    """How many black threes cannot be laid in going out."""
    if rules.black3_meld == "never" or held < BLACK_THREE_MELDS[1]:
        return held
    return max(0, held - BLACK_THREE_MELDS[-1])


def room_in(rules: RuleSet, meld: TableMeld) -> int:
    """How many wild cards may at least join an unfinished meld of a rank, whatever else joins it after them."""
    if meld.kind > ACE or meld.naturals < rules.wild_gate:
        return 0
    return max(0, min(most_wilds(rules, meld.naturals) - meld.wilds, rules.canasta_size - len(meld.cards)))
