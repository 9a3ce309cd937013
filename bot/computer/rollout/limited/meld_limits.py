"""How many cards of the hand a meld may get, in rules that limit melds.

A canasta may be closed to further cards, or the number of naturals may limit the wild cards.
"""

from __future__ import annotations

from typing import Final

from bot.computer.rollout.form import RANKS, RATIO_FEWER, RATIO_HALF, Form
from bot.computer.rollout.limited.going_out_needs import has_foot_waiting
from bot.computer.rollout.policy_numbers import SPECIAL_FROM
from bot.computer.rollout.world import World

CLEAN: Final = 3
"""The number of naturals that make a meld without wild cards clean."""


def most_wilds(form: Form, naturals: int) -> int:
    """Return the most wild cards that a meld with that many naturals may have."""
    if form.ratio == RATIO_FEWER:
        return min(form.max_wilds, naturals - 1)
    return min(form.max_wilds, naturals // 2) if form.ratio == RATIO_HALF else form.max_wilds


def most_naturals(world: World, meld: int, count: int) -> int:
    """Return how many of the `count` cards of its rank the meld may get."""
    form = world.form
    if form.dead_ranks and is_rank_closed(world, meld % RANKS):
        return 0
    return min(count, form.canasta - world.sizes[meld]) if form.full else count


def is_rank_closed(world: World, kind: int) -> bool:
    """Return whether some side has a canasta of the rank, which closes the rank for all."""
    return any(world.sizes[side * RANKS + kind] >= world.form.canasta for side in range(world.form.sides))


def room_for_wilds(world: World, meld: int, naturals: int) -> int:
    """Return how many more wild cards the meld may get together with `naturals` more cards of its rank."""
    form = world.form
    wilds = world.twos[meld] + world.jokers[meld]
    room = most_wilds(form, world.naturals[meld] + naturals) - wilds
    if form.full:
        room = min(room, form.canasta - world.sizes[meld] - naturals)
    if form.strict_wilds and not _may_get_wilds(world, meld, naturals):
        return 0
    return max(0, room)


def _may_get_wilds(world: World, meld: int, naturals: int) -> bool:
    """Return whether a meld may get wild cards now, together with `naturals` more cards of its rank.

    In the turn in which its side opens, no meld gets any after the opening, because the clean meld must stay clean.
    """
    form, side, kind = world.form, meld // RANKS, meld % RANKS
    if not form.takes_wilds[kind]:
        return False
    if not world.opened[side]:
        return not form.clean_opening or world.naturals[meld] + naturals < CLEAN
    if world.opens or not form.takes_wilds_later[kind] or world.naturals[meld] + naturals < form.wild_gate:
        return False
    return not form.wild_lock or not 0 < world.wild_twos[side] + world.wild_jokers[side] < form.canasta


def is_large_enough_to_begin(world: World, numbers: list[float], kind: int, size: int) -> bool:
    """Return whether `size` naturals are enough to begin a meld of a rank.

    More are wanted of ranks whose unfinished melds cost points.
    """
    return not world.form.must_finish[kind] or size >= numbers[SPECIAL_FROM]


def cards_to_keep(world: World) -> int:
    """Return how many cards the seat must keep to end its turn without going out.

    None before it picks up its foot, else two.
    """
    return 0 if has_foot_waiting(world, world.turn) else 2
