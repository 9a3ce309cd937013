"""Evident ways out: hands that can be laid down without a search, because every card fits where it is.

Each natural joins a meld of its rank or makes a new one with the others of its rank, each wild card finds room in an
unfinished meld, and no more than one card is left to be discarded. Most hands that can go out do so; about the others
nothing is said here.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from bot.engine.actions import Meld
from bot.engine.canastas import enough
from bot.engine.cards import ACE
from bot.engine.counts import ANY, BLACK_SHIFT, KINDS_OF, RANKS, WILD_SHIFT, Counts
from bot.engine.melds import TableMeld
from bot.engine.rules import RuleSet
from bot.engine.shapes import BLACK_THREE_MELDS, most_wilds
from bot.engine.variants.standing import Standing

_RED_THREES: Final[Counts] = 127 << WILD_SHIFT + 16


def goes_out_evidently(standing: Standing, counts: Counts, *, spare: int) -> bool:
    """Whether the hand of an open side evidently goes out with at most `spare` cards left; canastas may come of it."""
    rules = standing.rules
    if not _naturals_fit(rules):
        return False
    lacking = rules.out_canastas - standing.spread.canastas
    if lacking > 0 and (rules.out_need or rules.out_excludes or _made(standing, counts) < lacking):
        return False
    return spare_room(standing, counts, spare=spare) is not None


def _made(standing: Standing, counts: Counts) -> int:
    """How many canastas come of laying the naturals of each rank together, or on the largest meld that is none."""
    size = standing.rules.canasta_size
    families = standing.spread.families
    made = 0
    for kind in KINDS_OF[counts + ANY & RANKS]:
        largest = 0
        for meld in families.get(kind, ()):
            if largest < len(meld.cards) < size:
                largest = len(meld.cards)
        if largest + (counts >> 8 * kind & 127) >= size and (largest or kind not in families):
            made += 1
    return made


def spare_room(standing: Standing, counts: Counts, *, spare: int) -> int | None:
    """How much more room for wild cards there is than they need, if every card of the hand evidently can be laid.

    At most `spare` cards are left of it. None where that is not evident.
    """
    rules, spread = standing.rules, standing.spread
    if counts & _RED_THREES or standing.opening or standing.closed or standing.limits is not None:
        return None
    if not _naturals_fit(rules):
        return None
    lonely = (counts + ANY) & ~(counts + spread.plain) & RANKS
    left = _black_threes_left(rules, counts >> BLACK_SHIFT & 127)
    for kind in KINDS_OF[lonely]:
        left += counts >> 8 * kind & 127
    if left > spare or rules.out_discard == ("forbidden" if left else "mandatory") or (left and rules.discard_bans):
        return None
    wilds = (counts >> WILD_SHIFT & 127) + (counts >> WILD_SHIFT + 8 & 127)
    if (rules.out_need or rules.out_excludes) and (wilds or not enough(rules, spread.by_place.values())):
        return None
    if not wilds:
        return 0
    room = sum([room_in(rules, meld) for meld in spread.by_place.values()]) if _wilds_fit(rules) else 0
    return room - wilds if room >= wilds else None


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


def room_left(standing: Standing, step: Meld, room: int) -> int:
    """No less is left of the `room` to spare when the step, which lays cards of a rank, has been taken.

    The meld that it joins may have no more room then. What else of its rank is held joins it as before.
    """
    lying = standing.spread.by_place.get(step.place)
    wilds = step.twos + step.jokers
    return room + wilds - (0 if lying is None else room_in(standing.rules, lying))


@cache
def _naturals_fit(rules: RuleSet) -> bool:
    """Whether any number of naturals of a rank join a meld of it, or make a new one if they are enough."""
    return "set" in rules.meld_kinds and rules.meld_max is None and not (rules.dead_ranks or rules.out_clean)


@cache
def _wilds_fit(rules: RuleSet) -> bool:
    """Whether the wild cards that lie in a meld, and its naturals, alone decide whether it takes more of them."""
    return rules.wild_lock == "none" and not (rules.no_wild_ranks or rules.open_wild_ranks)
