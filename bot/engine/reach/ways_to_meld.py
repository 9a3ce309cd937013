"""Ways: the possible results of melding cards of a family in one turn.

Only the final numbers of naturals and wild cards and the resulting canastas matter, not which card goes where. The ways
of a family depend on few values, so each list is cached.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from bot.engine.cards.cards import ACE, NATURAL_KINDS, RANK_LETTERS, value_class
from bot.engine.cards.meld_places import WILD_MELD, Family
from bot.engine.melds.meld_shapes import can_join_meld
from bot.engine.melds.points import forbids_going_out
from bot.engine.reach.merging_melds import is_legal_merger
from bot.engine.reach.opening_goals import CLEAN_SIZE, why_meld_cannot_open
from bot.engine.reach.refusals_of_set_melds import why_not_add_wilds
from bot.engine.rules.rule_set import RuleSet


@value_class
class Way:
    """A way to meld cards of a family.

    `naturals` and `wilds` are the numbers of cards melded. The other fields describe the result: whether there is a
    clean meld, the numbers of canastas, and whether an `unfinished` meld forbids the side to go out
    (`bot.engine.melds.points.forbids_going_out`).
    """

    naturals: int
    wilds: int
    clean: bool
    natural_canastas: int
    mixed_canastas: int
    wild_canastas: int
    unfinished: bool = False

    @property
    def canastas(self) -> int:
        """The number of resulting canastas of any sort."""
        return self.natural_canastas + self.mixed_canastas + self.wild_canastas


Cards = tuple[int, int]
"""Cards of a family: the number of naturals, and the number of wild cards."""

MeldSizes = tuple[Cards, ...]
"""The melds of a family, each by its cards."""


@lru_cache(maxsize=1 << 16)
def ways_of(rules: RuleSet, family: Family, lying: MeldSizes, held: Cards, *, opening: bool) -> tuple[Way, ...]:
    """Return every way to meld some or none of the cards held, fewest cards first."""
    if family == WILD_MELD:
        found = set(_ways_to_meld_wilds(rules, lying, held[1]))
    else:
        found = set(_ways_to_add_to_sets(rules, family, lying, held, opening=opening))
    return tuple(sorted(found, key=lambda way: (way.naturals + way.wilds, way.naturals, way.clean)))


@lru_cache(maxsize=1 << 16)
def ways_with_all_naturals(
    rules: RuleSet, family: Family, lying: MeldSizes, held: Cards, *, opening: bool
) -> tuple[Way, ...]:
    """Return the ways that meld all naturals and leave no meld that forbids the side to go out."""
    ways = ways_of(rules, family, lying, held, opening=opening)
    return tuple([way for way in ways if way.naturals == held[0] and not way.unfinished])


def _ways_to_meld_wilds(rules: RuleSet, lying: MeldSizes, wilds: int) -> Iterator[Way]:
    """Yield the ways to meld wild cards alone."""
    size = rules.canasta_size
    closed = sum(1 for _, lie in lying if lie >= size)
    unfinished = [lie for _, lie in lying if lie < size]
    if unfinished:
        lie = unfinished[0]
        for count in range(min(wilds, size - lie) + 1):
            done = lie + count >= size
            yield Way(0, count, False, 0, 0, closed + done, rules.out_clean and not done)
        return
    yield Way(0, 0, False, 0, 0, closed)
    for count in range(rules.meld_min, min(wilds, size) + 1):
        yield Way(0, count, False, 0, 0, closed + (count >= size), rules.out_clean and count < size)


def merged_layouts(rules: RuleSet, lying: MeldSizes) -> Iterator[MeldSizes]:
    """Yield the melds of a rank as they are, then after each way to merge unfinished melds."""
    yield lying
    size = rules.canasta_size
    if rules.same_rank_melds != "many" or len(lying) < 2:
        return
    unfinished = [number for number, meld in enumerate(lying) if sum(meld) < size]
    for onto, moved in combinations(unfinished, 2):
        one, other = lying[onto], lying[moved]
        if is_legal_merger(rules, one, other):
            both = one[0] + other[0], one[1] + other[1]
            yield from merged_layouts(rules, (*lying[:onto], both, *lying[onto + 1 : moved], *lying[moved + 1 :]))


def _ways_to_add_to_sets(
    rules: RuleSet, family: Family, lying: MeldSizes, held: Cards, *, opening: bool
) -> Iterator[Way]:
    """Yield the ways to add cards to the melds of a rank and to merge them afterwards."""
    for added, laid in _extended_melds(rules, family, lying, held, opening=opening):
        if not _may_melds_coexist(rules, laid):
            continue
        for melds in merged_layouts(rules, laid):
            if not opening or all(why_meld_cannot_open(rules, family, *meld) is None for meld in melds):
                yield _way_of(rules, family, added, melds)


def _way_of(rules: RuleSet, family: Family, added: Cards, melds: MeldSizes) -> Way:
    """Return the way that adds these cards and results in these melds."""
    sizes = [(natural + wild >= rules.canasta_size, wild) for natural, wild in melds]
    pure = sum(1 for canasta, wild in sizes if canasta and not wild)
    mixed = sum(1 for canasta, wild in sizes if canasta and wild)
    clean = family <= ACE and any(natural >= CLEAN_SIZE and not wild for natural, wild in melds)
    unfinished = any(forbids_going_out(rules, family, natural, wild) for natural, wild in melds)
    return Way(added[0], added[1], clean, pure, mixed, 0, unfinished)


def _may_melds_coexist(rules: RuleSet, melds: MeldSizes) -> bool:
    """Return whether a side may have these melds of a family at the same time."""
    if rules.same_rank_melds == "many":
        return True
    if rules.same_rank_melds == "one":
        return len(melds) <= 1
    return sum(1 for natural, wild in melds if natural + wild < rules.canasta_size) <= 1


def _extended_melds(
    rules: RuleSet, family: Family, lying: MeldSizes, held: Cards, *, opening: bool
) -> Iterator[tuple[Cards, MeldSizes]]:
    """Yield every way to add some of the cards: the numbers added, and the resulting melds, new ones last."""
    if not lying:
        yield from _new_melds(rules, family, held, most=held, opening=opening)
        return
    first, rest = lying[0], lying[1:]
    for natural in range(held[0] + 1):
        for wild in range(held[1] + 1):
            if (natural or wild) and not _may_join_meld(rules, family, first, (natural, wild), opening=opening):
                continue
            grown = (first[0] + natural, first[1] + wild)
            left = held[0] - natural, held[1] - wild
            for added, melds in _extended_melds(rules, family, rest, left, opening=opening):
                yield (added[0] + natural, added[1] + wild), (grown, *melds)


def _new_melds(
    rules: RuleSet, family: Family, held: Cards, *, most: Cards, opening: bool
) -> Iterator[tuple[Cards, MeldSizes]]:
    """Yield sets of new melds, with the cards they take. Larger melds come first, so each set occurs once."""
    yield (0, 0), ()
    for natural in range(min(held[0], most[0]) + 1):
        for wild in range(held[1] + 1):
            meld = natural, wild
            if meld > most or not _may_join_meld(rules, family, (0, 0), meld, opening=opening):
                continue
            if rules.same_rank_melds == "one":
                yield meld, (meld,)
                continue
            left = held[0] - natural, held[1] - wild
            for added, melds in _new_melds(rules, family, left, most=meld, opening=opening):
                yield (added[0] + natural, added[1] + wild), (meld, *melds)


def _may_join_meld(rules: RuleSet, family: Family, before: Cards, added: Cards, *, opening: bool) -> bool:
    """Return whether the cards `added` may join a meld of the cards `before`."""
    if not can_join_meld(rules, before, *added):
        return False
    return not added[1] or why_not_add_wilds(rules, family, before[0] + added[0], opening=opening) is None


def family_with_same_ways(rules: RuleSet, family: Family) -> Family:
    """Return the family whose cached list of ways is also right for this family.

    Ranks differ only if the rules keep wild cards from some of them.
    """
    if family > ACE or RANK_LETTERS[family] in rules.no_wild_ranks | rules.open_wild_ranks:
        return family
    return next(kind for kind in NATURAL_KINDS if RANK_LETTERS[kind] not in rules.no_wild_ranks | rules.open_wild_ranks)
