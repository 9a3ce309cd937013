"""Plain rules: a test by sums for whether a hand can go out.

Rules are plain if all melds are of one rank, two naturals and a wild card make a meld, the limit of wild cards in a
meld does not depend on its other cards, and going out requires only a number of canastas. Then sums replace the search
of `bot.engine.reach.going_out_search`. For other rules, or if the initial meld demands more than points, the answer is
None: unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from operator import mul
from typing import Final

from bot.engine.cards.cards import ACE, BLACK_THREE, JOKER, TWO
from bot.engine.cards.packed_counts import (
    ANY_RANK,
    KINDS_OF,
    RANKS,
    WILD_SHIFT,
    Counts,
    Lanes,
    count_black_threes,
    numbers_by_kind,
)
from bot.engine.melds.meld_shapes import number_of_unmeldable_black_threes
from bot.engine.melds.side_melds import Spread
from bot.engine.reach.opening_goals import Goal
from bot.engine.reach.quick_bounds import SWITCHED_OFF
from bot.engine.reach.turn_outlook import Standing
from bot.engine.rules.rule_set import RuleSet

_PLAIN_VALUES: Final[dict[str, object]] = {
    "meld_kinds": frozenset({"set"}),
    "meld_min": 3,
    "meld_max": None,
    "min_naturals": 2,
    "same_rank_melds": "one",
    "wild_gate": 0,
    "wild_ratio": "none",
    "wild_on_canasta": "to_max",
    "wild_reclaim": "none",
    "no_wild_ranks": frozenset(),
    "open_wild_ranks": frozenset(),
    "dead_ranks": False,
    "wild_lock": "none",
    "black3_meld": "go_out",
    "discard_bans": frozenset(),
    "out_discard": "optional",
    "out_need": (),
    "out_excludes": frozenset(),
    "out_clean": False,
    "theme": (),
}
"""The values of parameters in plain rules."""

_RED_THREES: Final[Counts] = 127 << WILD_SHIFT + 16


@cache
def is_plain(rules: RuleSet) -> bool:
    """Return whether these rules are plain in all that decides about melding a whole hand."""
    return rules.max_wilds > 0 and all(getattr(rules, name) == value for name, value in _PLAIN_VALUES.items())


def can_finish_plainly(standing: Standing, counts: Counts, goals: Sequence[Goal], *, spare: int) -> bool | None:
    """Return whether the hand can be melded down to `spare` cards such that a goal is reached.

    `spare` is 0 or 1; fewer cards may be left too. None if sums cannot tell.
    """
    rules = standing.rules
    if "plain" in SWITCHED_OFF or not is_plain(rules) or standing.opening or counts & _RED_THREES:
        return None
    if any(goal.demand != "none" or not goal.wilds or goal.groups for goal in goals):
        return None
    points = min([goal.points for goal in goals])
    return _can_finish_by_sums(rules, counts, standing.spread, spare=spare, points=points)


def _can_finish_by_sums(rules: RuleSet, counts: Counts, spread: Spread, *, spare: int, points: int) -> bool:
    """Return whether the hand can be melded, and the melded cards count at least `points`.

    Leaving a card helps if it cannot be melded, or if there are too many wild cards; never if there are too few.
    """
    some = (counts + ANY_RANK) & RANKS
    # these ranks cannot be melded: they have too few cards, and no meld takes them
    alone = some & ~(counts + spread.wild)
    if alone & (alone - 1):
        return False
    blacks = count_black_threes(counts)
    if alone or number_of_unmeldable_black_threes(rules, blacks):
        blacks -= not alone
        if not spare or number_of_unmeldable_black_threes(rules, blacks):
            return False
        spare = 0
        counts -= 1 << 8 * (KINDS_OF[alone][0] if alone else BLACK_THREE)
    held = numbers_by_kind(counts)
    wilds = held[TWO] + held[JOKER]
    worth = sum(map(mul, held, rules.card_values)) if points > 0 else 0
    begun = (counts + ANY_RANK) & ~spread.melded & RANKS
    room = rules.max_wilds * begun.bit_count()
    if wilds > room:
        room += sum([max(0, rules.max_wilds - meld.wilds) for meld in spread.by_place.values() if meld.kind <= ACE])
    if wilds > room:
        if wilds > room + spare:
            return False
        wilds = room
        worth -= rules.card_values[TWO if held[TWO] else JOKER]
    if points > 0 and worth < points:
        return False
    for kind in KINDS_OF[begun & ~(counts + spread.plain)]:
        wilds -= rules.meld_min - held[kind]
    if wilds < 0:
        return False
    return rules.out_canastas <= spread.canastas or _can_make_canastas(rules, held, spread, begun, wilds=wilds)


def _can_make_canastas(rules: RuleSet, held: Sequence[int], spread: Spread, begun: Lanes, *, wilds: int) -> bool:
    """Return whether melding all naturals can bring enough canastas, given that there are too few now.

    `begun` are the ranks that make new melds; `wilds` is the number of wild cards that these melds can spare.
    """
    needs: list[int] = []
    size = rules.canasta_size
    for kind, meld in spread.by_place.items():
        missing = size - len(meld.cards)
        if missing > 0 and kind <= ACE:
            missing -= held[kind]
            if missing <= rules.max_wilds - meld.wilds or missing <= 0:
                needs.append(missing)
    for kind in KINDS_OF[begun]:
        missing = size - held[kind]
        if missing <= rules.max_wilds:
            needs.append(missing - max(0, rules.meld_min - held[kind]))
    lacking = rules.out_canastas - spread.canastas
    if len(needs) < lacking:
        return False
    needs.sort()
    return sum([need for need in needs[:lacking] if need > 0]) <= wilds
