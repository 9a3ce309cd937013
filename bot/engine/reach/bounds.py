"""Bounds: quick answers about going out, where they are certain; `bot.engine.reach.finishing` tries out the rest.

Most hands are far from going out, and their counts alone tell so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot.engine.cards.cards import (
    ACE,
    BLACK_THREE,
    JOKER,
    NATURAL_KINDS,
    RED_THREE,
    SEVEN,
    TWO,
    Card,
    Kind,
)
from bot.engine.cards.counts import (
    ANY,
    KINDS_OF,
    RANKS,
    WILD_SHIFT,
    WILDS,
    Counts,
    Lanes,
    black_threes,
    cards_between,
    each_once,
    ranks_by_suit,
    tally,
)
from bot.engine.cards.places import DEUCE_MELD, RUN, WILD_MELD, Family
from bot.engine.melds.melds import TableMeld
from bot.engine.melds.shapes import stuck_black_threes
from bot.engine.melds.spread import Spread
from bot.engine.melds.unfinished import MUST_FINISH
from bot.engine.reach.shortcuts import SWITCHED_OFF
from bot.engine.reach.standing import Standing
from bot.engine.reach.ways import takes_wilds
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.topics import Needed

OF_WILDS: Final = frozenset({"wild", "deuce"})

_ONE_OF_EACH: Final = sum(1 << 8 * kind for kind in NATURAL_KINDS)

SPARE: Final = 1
"""How many cards going out may leave, to be discarded."""


def is_far_from_out(rules: RuleSet, spread: Spread, hand: tuple[Card, ...], counts: Counts) -> bool:
    """Whether the hand certainly holds more cards of no use than may be left.

    A card is of no use where it can be laid with no meld of its rank, new or lying there, and in no run.
    """
    if "bounds" in SWITCHED_OFF:
        return False
    enough = spread.wild if counts >> WILD_SHIFT & WILDS else spread.plain
    lonely = (counts + ANY) & ~(counts + enough) & RANKS
    left = stuck_black_threes(rules, black_threes(counts))
    if "seq" not in rules.meld_kinds:
        return left + lonely.bit_count() > SPARE
    if not lonely:
        return left > SPARE
    held = each_once(hand)
    there = held | spread.in_runs
    threes = there & there >> 4 & there >> 8
    left += (held & _CARDS_OF[lonely] & ~(threes | threes << 4 | threes << 8)).bit_count()
    return left > SPARE


class _CardsOf(dict[Lanes, int]):
    """The cards of a set of ranks, a bit each as in `each_once`; filled in as they are asked for."""

    def __missing__(self, lanes: Lanes) -> int:
        self[lanes] = sum([15 << 4 * kind for kind in KINDS_OF[lanes]])
        return self[lanes]


_CARDS_OF: Final = _CardsOf()


def _unfinished_runs(spread: Spread, size: int) -> int:
    """The cards of the runs that are no canastas yet, a bit each."""
    cards = 0
    for run in _RUNS:
        for meld in spread.families.get(run, ()):
            if len(meld.cards) < size:
                cards |= cards_between(meld.cards[0], meld.cards[-1])
    return cards


# --- canastas ---------------------------------------------------------------------------------------------------------


def cannot_finish(standing: Standing, hand: tuple[Card, ...], counts: Counts) -> bool:
    """Whether the hand certainly cannot be laid down in this turn, whichever melds are laid together first.

    Either too few canastas can be made, or more cards fit nowhere than may be left.
    """
    return too_few_canastas(standing, hand, counts) or len(misfits(standing, hand, tally(counts))) > SPARE


def too_few_canastas(standing: Standing, hand: tuple[Card, ...], counts: Counts) -> bool:
    """Whether going out certainly fails in this turn, whichever melds are laid together first.

    It fails for too few canastas, for more cards of closed ranks than may be left, or for a meld that keeps its side
    from going out.
    """
    if "bounds" in SWITCHED_OFF:
        return False
    rules, spread, held = standing.rules, standing.spread, tally(counts)
    closed = standing.surely_closed
    if closed and sum([held[kind] for kind in closed]) > SPARE:
        return True
    if rules.out_clean and rules.same_rank_melds != "many" and _is_kept_in(standing, held):
        return True
    lacking = rules.out_canastas - spread.canastas
    if lacking > 0 and _most_canastas(rules, spread, hand, counts) < lacking:
        return True
    return any(_most_of_kind(standing, hand, held, kind) < number for kind, number in rules.out_need)


def _is_kept_in(standing: Standing, held: Sequence[int]) -> bool:
    """Whether a meld that has to become a canasta (`bot.engine.melds.unfinished.keeps_in`) certainly cannot.

    Such a meld lies there already, or it has to be begun because more cards of its rank are held than may be left.
    """
    rules = standing.rules
    size, families, closed = rules.canasta_size, standing.spread.families, standing.surely_closed
    wilds = held[TWO] + held[JOKER]
    for kind in MUST_FINISH:
        melds = families.get(kind)
        naturals = 0 if kind in closed else held[kind]
        if melds is None:
            if naturals <= SPARE:
                continue
        elif melds[0].wilds or len(melds[0].cards) >= size:
            continue
        else:
            naturals += len(melds[0].cards)
        if naturals < size and not (wilds and takes_wilds(standing.rules, kind, naturals, opening=standing.opening)):
            return True
    for family in (WILD_MELD, DEUCE_MELD):
        for meld in families.get(family, ()):
            if len(meld.cards) < size and len(meld.cards) + wilds < size:
                return True
    return False


def _most_canastas(rules: RuleSet, spread: Spread, hand: tuple[Card, ...], counts: Counts) -> int:
    """The most new canastas that a hand could make with what lies there unfinished; there may be fewer."""
    size, families = rules.canasta_size, spread.families
    wilds = (counts >> WILD_SHIFT & 127) + (counts >> WILD_SHIFT + 8 & 127)
    most = _most_of_ranks(rules, counts + spread.unfinished, wilds)
    if "seq" in rules.meld_kinds and _run_grows(spread, hand, size):
        most += len(hand) // size + sum([len(families.get(run, ())) for run in _RUNS])
    if rules.meld_kinds & OF_WILDS:
        lying = [len(meld.cards) for family in (DEUCE_MELD, WILD_MELD) for meld in families.get(family, ())]
        most += (wilds + sum([cards for cards in lying if cards < size])) // size
    return most


def _most_of_ranks(rules: RuleSet, there: Counts, wilds: int) -> int:
    """The most new canastas of ranks, as if each had all the wild cards for itself.

    `there` counts the cards of each rank, held and lying in unfinished melds.
    """
    most = number = 0
    while True:
        number += 1
        naturals = max(0, number * rules.canasta_size - min(wilds, number * rules.max_wilds))
        made = there + (128 - naturals) * _ONE_OF_EACH & RANKS if naturals < 128 else 0
        if not made:
            return most
        most += made.bit_count()  # of so many ranks there are enough for that many canastas


def _has_run(cards: int, length: int) -> bool:
    """Whether among the cards (`each_once`) there are so many of one suit in order."""
    return _in_a_row(cards, length, 4) != 0


def _in_a_row(bits: int, length: int, apart: int) -> int:
    """The lowest bit of each row of `length` bits that lie `apart` from one to the next."""
    done = 1
    while done < length:
        more = min(done, length - done)
        bits &= bits >> apart * more
        done += more
    return bits


def _run_grows(spread: Spread, hand: tuple[Card, ...], size: int) -> bool:
    """Whether some run, lying there or new, could become a canasta with cards of the hand."""
    return _has_run(each_once(hand) | _unfinished_runs(spread, size), size)


def _most_of_kind(standing: Standing, hand: tuple[Card, ...], held: Sequence[int], needed: Needed) -> int:
    """The most canastas of that kind that could lie there when the turn is over; there may be fewer."""
    rules = standing.rules
    size = rules.canasta_size
    families = standing.spread.families
    lying = [meld for family in _FAMILIES_OF[needed] for meld in families.get(family, ())]
    there = sum([len(meld.cards) >= size and _is_of(needed, meld) for meld in lying])
    if needed == "seq":
        return there + (len(hand) + len(lying) if _run_grows(standing.spread, hand, size) else 0)
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


def _is_of(needed: Needed, meld: TableMeld) -> bool:
    return not meld.wilds if needed == "natural" else meld.wilds > 0 if needed == "mixed" else True


_RUNS: Final = range(RUN, RUN + 4)

_FAMILIES_OF: Final[Mapping[Needed, Sequence[Family]]] = {
    "natural": NATURAL_KINDS,
    "mixed": NATURAL_KINDS,
    "wild": (WILD_MELD, DEUCE_MELD),
    "seq": _RUNS,
    "7": (SEVEN,),
}


# --- single cards -----------------------------------------------------------------------------------------------------


def misfits(standing: Standing, hand: Sequence[Card], held: Sequence[int]) -> list[Card]:
    """The cards of the hand that certainly can be laid nowhere.

    Black threes are among them that are more than may be laid together.
    """
    rules = standing.rules
    families = standing.spread.families
    wilds = held[TWO] + held[JOKER]
    stuck = stuck_black_threes(rules, held[BLACK_THREE])
    found = [card for card in hand if card >> 2 == BLACK_THREE][:stuck] if stuck else []
    if held[RED_THREE]:
        found += [card for card in hand if card >> 2 == RED_THREE]
    closed = standing.surely_closed
    if closed:
        found = [*found, *[card for card in hand if card >> 2 in closed and card not in found]]
    lonely: list[Kind] = []
    for kind in NATURAL_KINDS:
        count = held[kind]
        if (
            count
            and kind not in closed
            and kind not in families
            and (count < rules.min_naturals or count + wilds < rules.meld_min)
        ):
            lonely.append(kind)
    if not lonely:
        return found
    alone = [card for card in hand if card >> 2 in lonely]
    if "seq" in rules.meld_kinds:
        in_runs = cards_for_runs(standing, hand)
        alone = [card for card in alone if card not in in_runs]
    return found + alone


def cards_for_runs(standing: Standing, hand: Sequence[Card]) -> set[Card]:
    """The cards of the hand that could lie in some run, new or lying there."""
    found: set[Card] = set()
    families = standing.spread.families
    for suit, held in enumerate(ranks_by_suit(hand)):
        there = held
        for meld in families.get(RUN + suit, ()):
            for card in meld.cards:
                there |= 1 << (card >> 2)
        threes = there & there >> 1 & there >> 2
        in_runs = (threes | threes << 1 | threes << 2) & held
        if in_runs:
            found.update([kind << 2 | suit for kind in NATURAL_KINDS if in_runs >> kind & 1])
    return found
