"""Quick and certain answers about going out; `bot.engine.reach.going_out_search` searches the rest.

Most hands are far from going out, and their counts alone show that. Each shortcut gives exactly the answer of the
search that it replaces, or says that it does not know, and can be switched off. Without them every list of legal steps
is the same, only slower: a test plays every rule set both ways and compares.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, Literal, TypeAlias, get_args

from bot.engine.cards.cards import (
    ACE,
    JOKER,
    NATURAL_KINDS,
    SEVEN,
    TWO,
    Card,
)
from bot.engine.cards.meld_places import DEUCE_MELD, RUN, WILD_MELD, Family
from bot.engine.cards.packed_counts import (
    ANY_RANK,
    KINDS_OF,
    RANKS,
    WILD_SHIFT,
    WILDS,
    Counts,
    card_bits_between,
    count_black_threes,
    distinct_card_bits,
    numbers_by_kind,
)
from bot.engine.melds.meld_shapes import number_of_unmeldable_black_threes
from bot.engine.melds.side_melds import Spread
from bot.engine.melds.table_meld import TableMeld
from bot.engine.reach.runs import card_bits_usable_in_runs
from bot.engine.reach.turn_outlook import Standing
from bot.engine.rules.parameter_declarations import Needed
from bot.engine.rules.rule_set import RuleSet

Shortcut: TypeAlias = Literal["plain", "bounds", "sums"]
"""Names of the shortcuts: plain rules, certain bounds, sums for an initial meld.

They are in `bot.engine.reach.plain_rules`, in this file and in `bot.engine.reach.opening_points`.
"""

SHORTCUTS: Final[tuple[Shortcut, ...]] = get_args(Shortcut)

SWITCHED_OFF: Final[set[Shortcut]] = set()
"""The shortcuts that are not used now; empty except in tests that compare."""


@contextmanager
def switch_off_shortcuts(*shortcuts: Shortcut) -> Iterator[None]:
    """Return a context manager inside which these shortcuts are switched off."""
    before = frozenset(SWITCHED_OFF)
    SWITCHED_OFF.update(shortcuts)
    try:
        yield
    finally:
        SWITCHED_OFF.clear()
        SWITCHED_OFF.update(before)


_ONE_OF_EACH: Final = sum(1 << 8 * kind for kind in NATURAL_KINDS)

SPARE: Final = 1
"""The most cards that going out may leave in the hand: one, for the discard."""


def is_far_from_out(rules: RuleSet, spread: Spread, hand: tuple[Card, ...], counts: Counts) -> bool:
    """Return whether the hand certainly holds more useless cards than going out may leave.

    A card is useless if it fits no meld of its rank, new or existing, and no run.
    """
    if "bounds" in SWITCHED_OFF:
        return False
    enough = spread.wild if counts >> WILD_SHIFT & WILDS else spread.plain
    lonely = (counts + ANY_RANK) & ~(counts + enough) & RANKS
    left = lonely.bit_count()
    if left and "seq" in rules.meld_kinds:  # some of these cards may fit runs
        of_such_ranks = sum([15 << 4 * kind for kind in KINDS_OF[lonely]])
        left = (distinct_card_bits(hand) & of_such_ranks & ~card_bits_usable_in_runs(spread, hand)).bit_count()
    return left > SPARE or left + number_of_unmeldable_black_threes(rules, count_black_threes(counts)) > SPARE


def is_out_impossible(standing: Standing, hand: tuple[Card, ...], counts: Counts) -> bool:
    """Return whether going out is certainly impossible in this turn with that hand."""
    far = is_far_from_out(standing.rules, standing.spread, hand, counts)
    return far or lacks_canastas_for_out(standing, hand, counts)


def lacks_canastas_for_out(standing: Standing, hand: tuple[Card, ...], counts: Counts) -> bool:
    """Return whether too few canastas, or cards of closed ranks, make going out certainly impossible.

    The answer holds even if melds are merged first.
    """
    if "bounds" in SWITCHED_OFF:
        return False
    rules, spread, held = standing.rules, standing.spread, numbers_by_kind(counts)
    closed = standing.surely_closed_kinds
    if closed and sum([held[kind] for kind in closed]) > SPARE:
        return True
    lacking = rules.out_canastas - spread.canastas
    if lacking > 0 and _most_canastas(rules, spread, hand, counts) < lacking:
        return True
    return any(_most_canastas_of_sort(standing, hand, held, kind) < number for kind, number in rules.out_need)


def _most_canastas(rules: RuleSet, spread: Spread, hand: tuple[Card, ...], counts: Counts) -> int:
    """Return an upper bound for the new canastas that a hand could make, with the unfinished melds."""
    size, families = rules.canasta_size, spread.families
    wilds = (counts >> WILD_SHIFT & 127) + (counts >> WILD_SHIFT + 8 & 127)
    most = _most_new_canastas_of_ranks(rules, counts + spread.unfinished, wilds)
    if "seq" in rules.meld_kinds and _can_run_become_canasta(spread, hand, size):
        most += len(hand) // size + sum([len(families.get(run, ())) for run in _RUNS])
    if rules.meld_kinds & {"wild", "deuce"}:
        lying = [len(meld.cards) for family in (DEUCE_MELD, WILD_MELD) for meld in families.get(family, ())]
        most += (wilds + sum([cards for cards in lying if cards < size])) // size
    return most


def _most_new_canastas_of_ranks(rules: RuleSet, there: Counts, wilds: int) -> int:
    """Return an upper bound for new canastas of ranks, as if each could use all the wild cards.

    `there` counts the cards of each rank, in the hand and in unfinished melds.
    """
    most = number = 0
    while True:
        number += 1
        naturals = max(0, number * rules.canasta_size - min(wilds, number * rules.max_wilds))
        made = there + (128 - naturals) * _ONE_OF_EACH & RANKS if naturals < 128 else 0
        if not made:
            return most
        most += made.bit_count()  # each bit is a rank with enough cards for `number` canastas


def _can_run_become_canasta(spread: Spread, hand: tuple[Card, ...], size: int) -> bool:
    """Return whether some run, existing or new, could become a canasta with cards of the hand."""
    cards = distinct_card_bits(hand)
    for run in _RUNS:
        for meld in spread.families.get(run, ()):
            if len(meld.cards) < size:
                cards |= card_bits_between(meld.cards[0], meld.cards[-1])
    for _ in range(size - 1):
        cards &= cards >> 4  # a bit stays only if the next rank of the suit is there too
    return cards != 0


def _most_canastas_of_sort(standing: Standing, hand: tuple[Card, ...], held: Sequence[int], needed: Needed) -> int:
    """Return an upper bound for the canastas of that sort at the end of the turn."""
    rules = standing.rules
    size = rules.canasta_size
    families = standing.spread.families
    lying = [meld for family in _FAMILIES_OF[needed] for meld in families.get(family, ())]
    there = sum([len(meld.cards) >= size and _is_canasta_of_sort(needed, meld) for meld in lying])
    if needed == "seq":
        return there + (len(hand) + len(lying) if _can_run_become_canasta(standing.spread, hand, size) else 0)
    wilds = 0 if needed == "natural" else held[TWO] + held[JOKER]
    if needed == "mixed":
        if wilds and rules.wild_on_canasta != "never":
            there = sum([len(meld.cards) >= size for meld in lying])
        elif not wilds and not any(meld.wilds for meld in lying if len(meld.cards) < size):
            return there
    for family in _FAMILIES_OF[needed]:
        unfinished = [meld for meld in families.get(family, ()) if len(meld.cards) < size]
        cards = sum([meld.naturals if needed == "natural" else len(meld.cards) for meld in unfinished])
        there += (cards + (held[family] if family <= ACE else 0) + wilds) // size
    return there


def _is_canasta_of_sort(needed: Needed, meld: TableMeld) -> bool:
    """Return whether a meld is a canasta of that sort."""
    return not meld.wilds if needed == "natural" else meld.wilds > 0 if needed == "mixed" else True


_RUNS: Final = range(RUN, RUN + 4)

_FAMILIES_OF: Final[Mapping[Needed, Sequence[Family]]] = {
    "natural": NATURAL_KINDS,
    "mixed": NATURAL_KINDS,
    "wild": (WILD_MELD, DEUCE_MELD),
    "seq": _RUNS,
    "7": (SEVEN,),
}
