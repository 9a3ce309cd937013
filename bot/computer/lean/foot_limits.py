"""Limits in rules with feet: what a meld may get, what the hand must keep, and whether feet forbid going out."""

from __future__ import annotations

from bot.computer.lean.form import RATIO_FEWER, RATIO_HALF, Form
from bot.computer.lean.world import World, may_go_out


def most_wilds(form: Form, naturals: int) -> int:
    """Return the most wild cards that a meld with so many naturals may have."""
    if form.ratio == RATIO_FEWER:
        return min(form.max_wilds, naturals - 1)
    return min(form.max_wilds, naturals // 2) if form.ratio == RATIO_HALF else form.max_wilds


def most_naturals(world: World, meld: int, count: int) -> int:
    """Return how many of `count` cards of its rank the meld may get."""
    form = world.form
    return min(count, form.canasta - world.sizes[meld]) if form.closes else count


def room_for_wilds(world: World, meld: int, naturals: int) -> int:
    """Return how many more wild cards the meld may get together with `naturals` more cards of its rank."""
    form = world.form
    wilds = world.twos[meld] + world.jokers[meld]
    room = most_wilds(form, world.naturals[meld] + naturals) - wilds
    if form.closes:
        room = min(room, form.canasta - world.sizes[meld] - naturals)
    return max(0, room)


def cards_to_keep(world: World) -> int:
    """Return how many cards the seat in turn must keep to end its turn without going out: none if a foot waits."""
    return 0 if foot_waits(world, world.turn) else 2


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
