"""Merge two melds of one rank, and list the possible results.

Decides `docs/law/variants.md 3.1`. Reads `canasta_size`, `same_rank_melds`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from bot.engine.cards.meld_places import WILD_MELD, is_run
from bot.engine.melds.meld_shapes import can_join_meld
from bot.engine.melds.table_meld import TableMeld, meld_of, merge_cards
from bot.engine.reach.turn_outlook import Standing
from bot.engine.rules.rule_set import RuleSet


def may_merge_melds(standing: Standing, one: TableMeld, other: TableMeld) -> bool:
    """Return whether two melds of a rank may be merged, whichever began first."""
    rules = standing.rules
    if rules.same_rank_melds != "many" or one.place == other.place or one.kind != other.kind:
        return False
    if is_run(one.place) or one.kind == WILD_MELD:
        return False
    return is_legal_merger(rules, (one.naturals, one.wilds), (other.naturals, other.wilds))


@lru_cache(maxsize=1 << 12)
def is_legal_merger(rules: RuleSet, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Return whether two melds of a rank make one legal meld together.

    Each is given by its numbers of naturals and wild cards. Cards of an unfinished meld may join a finished canasta
    like other cards. Two canastas stay apart, since one canasta would be worth less.
    """
    small, large = (one, other) if sum(one) <= sum(other) else (other, one)
    if sum(small) >= rules.canasta_size:
        return False
    return can_join_meld(rules, large, *small) or (
        sum(large) < rules.canasta_size and can_join_meld(rules, small, *large)
    )


def standing_after_merger(standing: Standing, moved: TableMeld, onto: TableMeld) -> Standing:
    """Return the side's melds after the meld `moved` has been merged into `onto`."""
    melds = {place: meld for place, meld in standing.melds.items() if place != moved.place}
    melds[onto.place] = meld_of(onto.place, merge_cards(onto.cards, moved.cards))
    return standing.with_melds(melds.values())


def standings_after_mergers(standing: Standing) -> Iterator[Standing]:
    """Yield the side's melds as they are, then after every way to merge unfinished ones.

    Mergers that make a canasta which a theme forbids now are left out.
    """
    yield standing
    rules = standing.rules
    if rules.same_rank_melds != "many":
        return
    for lying in standing.spread.families.values():
        unfinished = [meld for meld in lying if meld.size < rules.canasta_size]
        for onto, moved in combinations(unfinished, 2):
            if may_merge_melds(standing, moved, onto):
                after = standing_after_merger(standing, moved, onto)
                made = after.melds[onto.place]
                if made.size < rules.canasta_size or standing.may_make_canasta(made):
                    yield from standings_after_mergers(after)
