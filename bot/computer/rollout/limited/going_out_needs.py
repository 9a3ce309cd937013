"""Feet and going out: a seat must have picked up its foot, and in some rules its partners theirs."""

from __future__ import annotations

from bot.computer.rollout.form import RANKS
from bot.computer.rollout.world import World, may_go_out


def has_foot_waiting(world: World, seat: int) -> bool:
    """Return whether the seat has a foot that it has not picked up."""
    return world.feet is not None and world.feet.waiting[seat] > 0


def do_feet_forbid_out(world: World, seat: int) -> bool:
    """Return whether the foot of the seat, or of a partner where that matters, forbids it to go out."""
    form = world.form
    if has_foot_waiting(world, seat):
        return True
    if form.foot_gate:
        for other in range(form.seats):
            if form.side_of[other] == form.side_of[seat] and has_foot_waiting(world, other):
                return True
    return False


def seat_may_go_out(world: World, seat: int) -> bool:
    """Return whether canastas and feet let the seat go out now."""
    return may_go_out(world, world.form.side_of[seat]) and not do_feet_forbid_out(world, seat)


def may_go_out_by_taking(world: World, seat: int, kind: int, left: int) -> bool:
    """Return whether the seat may go out by taking the pile with a pair of that rank.

    `left` is the number of cards in its hand after that.
    """
    form = world.form
    if form.asks or not seat_may_go_out(world, seat) or (form.must_discard and not left):
        return False
    return not form.out_clean or not _is_required_meld_short(world, form.side_of[seat], kind)


def _is_required_meld_short(world: World, side: int, kind: int) -> bool:
    """Return whether a meld that must become a canasta for going out is too small for one.

    The pile's top and a pair of `kind` are counted with their meld.
    """
    form = world.form
    if 0 < world.wild_twos[side] + world.wild_jokers[side] < form.canasta:
        return True
    for rank in range(RANKS):
        meld = side * RANKS + rank
        size = world.sizes[meld] + (3 if rank == kind else 0)
        pure = not world.twos[meld] + world.jokers[meld]
        if form.must_finish[rank] and pure and 0 < size < form.canasta:
            return True
    return False
