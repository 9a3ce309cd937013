"""Feet and going out: a seat must have taken up its foot, and in some rules its partners theirs."""

from __future__ import annotations

from bot.computer.lean.world import World, may_go_out


def foot_waits(world: World, seat: int) -> bool:
    """Return whether the seat has not taken up its foot."""
    return world.feet is not None and world.feet.waiting[seat] > 0


def feet_forbid_out(world: World, seat: int) -> bool:
    """Return whether the foot of the seat, or of a partner where that matters, forbids it to go out."""
    form = world.form
    if foot_waits(world, seat):
        return True
    if form.foot_gate:
        for other in range(form.seats):
            if form.side_of[other] == form.side_of[seat] and foot_waits(world, other):
                return True
    return False


def seat_may_go_out(world: World, seat: int) -> bool:
    """Return whether canastas and feet let the seat go out now."""
    return may_go_out(world, world.form.side_of[seat]) and not feet_forbid_out(world, seat)
