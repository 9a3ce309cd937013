"""Wild cards: with naturals of a rank, and in melds of their own."""

from __future__ import annotations

from bot.computer.rollout.form import JOKER, KINDS, TWO, WILD_RANK
from bot.computer.rollout.policy_numbers import WILD_MELD, CardsToLay
from bot.computer.rollout.world import World, canastas_by_sort


def meld_with_wilds(kind: int, naturals: int, wilds: int, twos: int) -> CardsToLay:
    """Return a meld with that many wild cards, twos before jokers; `twos` are those in the hand."""
    two = min(wilds, twos)
    return (kind, naturals, two, wilds - two)


def room_for_wild_meld(world: World, side: int) -> tuple[int, int]:
    """Return the least and greatest number of wild cards that the side can lay as a meld of their own.

    They may join its meld of wild cards. Both are zero if that is a canasta, which takes no more.
    """
    form = world.form
    lying = world.wild_twos[side] + world.wild_jokers[side]
    if lying >= form.canasta:
        return 0, 0
    return (1 if lying else form.meld_min), form.canasta - lying


def wilds_for_ranks(world: World, side: int, wilds: int) -> int:
    """Return how many of the wild cards may join melds of ranks.

    None may while the side lacks only natural canastas for going out.
    """
    form = world.form
    naturals, mixed = canastas_by_sort(world, side)
    return 0 if naturals < form.natural_needed and mixed >= form.mixed_needed else wilds


def wild_meld_to_lay(world: World, numbers: list[float]) -> CardsToLay | None:
    """Return the wild cards that an open side should lay as a meld of their own; None if it should not.

    Two cards stay in the hand.
    """
    seat = world.turn
    side, base = world.form.side_of[seat], seat * KINDS
    twos, jokers = world.hands[base + TWO], world.hands[base + JOKER]
    least, most = room_for_wild_meld(world, side)
    count = min(twos + jokers, most, world.held[seat] - 2)
    if not count or count < least or (least > 1 and twos + jokers < numbers[WILD_MELD]):
        return None
    two = min(count, twos)
    return (WILD_RANK, 0, two, count - two)
