"""Special hands of fourteen cards, written from `docs/law/variants.md 3.10` and not from the engine."""

from __future__ import annotations

from collections import Counter

from tests.support.variant_melds import RANKS, Position, rank_of

GROUPS = {
    "zip_code": [2, 2, 3, 3, 4],
    "garbage": [3, 3, 4, 4],
    "blast_off": [2, 3, 4, 5],
    "triples": [2, 3, 3, 3, 3],
    "quads": [2, 4, 4, 4],
    "dream_4": [4, 5, 5],
}
"""Hands that are groups of equal cards."""


def special_hands(hand: tuple[str, ...]) -> set[str]:
    """Return every special hand that these cards form."""
    held = Counter(rank_of(card) for card in hand)
    if len(hand) != 14:
        return set()
    found = {name for name in GROUPS if _is_grouped(name, held)}
    naturals = {rank: count for rank, count in held.items() if rank in RANKS}
    wilds = (held["2"], held["0"])
    if sum(naturals.values()) + sum(wilds) == 14:  # threes count only in the straight
        pairs = set(naturals.values()) == {2}
        if pairs and len(naturals) == 7:
            found.add("pairs")
        if pairs and {"A", "7"} <= set(naturals) and wilds in ((2, 0), (0, 2)):
            found.add("wild_pairs")
        if pairs and {"A", "7"} <= set(naturals) and wilds == (2, 2):
            found.add("miami_pairs")
        if sorted(naturals.values()) == [4, 5] and sum(wilds) == 5:
            found.add("dream_5")
    if set(naturals) == set(RANKS) and held["3"] + held["R"] == 1 and wilds == (1, 1):
        found.add("straight")
    return found


def _is_grouped(name: str, held: Counter[str]) -> bool:
    """Return whether the hand consists of exactly the groups of this special hand.

    A group of wild cards is all twos or all jokers.
    """
    groups = {rank: count for rank, count in held.items() if count}
    wild = [groups[rank] for rank in ("2", "0") if rank in groups]
    if sorted(groups.values()) != GROUPS[name] or {"3", "R"} & set(groups) or len(wild) > 1:
        return False
    if name in ("triples", "quads"):
        return wild == [2]
    if name == "dream_4":
        return wild == [4]
    return name != "garbage" or not wild


def showable_hands(position: Position) -> set[str]:
    """Return the special hands that may be shown now: after a draw, before the side opens or lays cards."""
    if position.phase != "play" or position.opened or position.touched or position.drew != "stock":
        return set()
    return special_hands(position.hand) & set(position.laws.special_hands)


def may_keep_three(position: Position) -> bool:
    """Return whether a drawn three may be kept for the straight: before the side opens or begins to open."""
    draws = position.phase == "draw" and position.stock > 0 and not position.touched
    return draws and "straight" in position.laws.special_hands and not position.opened
