"""The points of a deal in the rollout world: melds, canastas and threes of a side, hands, and the score."""

from __future__ import annotations

from typing import Final

from bot.computer.rollout.form import BLACK_THREE, JOKER, KINDS, RANKS, TWO
from bot.computer.rollout.limited.face_down_feet import foot_points
from bot.computer.rollout.runs.suits_and_runs import has_runs_on_table, points_of_runs
from bot.computer.rollout.world import OUT, World, points_of_wild_meld

ALL_JOKERS: Final = 4
"""The number of jokers from which an unfinished meld of wild cards costs more."""


def table_points(world: World, side: int) -> int:
    """Return the points of a side's melds, canastas and red threes."""
    form = world.form
    values = form.values
    points, melded = 0, world.blacks[side] > 0
    for kind in range(RANKS):
        meld = side * RANKS + kind
        naturals = world.naturals[meld]
        if not naturals:
            continue
        melded = True
        twos, jokers = world.twos[meld], world.jokers[meld]
        points += naturals * values[kind] + twos * values[TWO] + jokers * values[JOKER]
        if naturals + twos + jokers >= form.canasta:
            points += form.mixed_bonus[kind] if twos + jokers else form.natural_bonus[kind]
    points += world.blacks[side] * values[BLACK_THREE]
    if form.wild_melds:
        points += points_of_wild_meld(world, side)
        melded = melded or world.wild_twos[side] + world.wild_jokers[side] > 0
    if world.suits is not None:
        points += points_of_runs(world.suits, side, values)
        melded = melded or has_runs_on_table(world.suits, side)
    if world.feet is not None:
        points += world.feet.points[side]
        melded = world.opened[side] or form.reds_always
    if form.careful:
        points = _points_with_limits(world, side, points)
    reds = form.red_values[min(world.reds[side], len(form.red_values) - 1)]
    if form.blacks_signed:
        reds += form.black_values[min(world.aside[side], len(form.black_values) - 1)]
    if form.swing:
        return points + reds * (min(world.canastas[side], 2) - 1)
    if form.reds_need:
        melded = world.canastas[side] >= form.reds_need
    return points + (reds if melded else -reds)


def _points_with_limits(world: World, side: int, points: int) -> int:
    """Return the points of a side's melds and canastas in rules where unfinished melds cost points."""
    form = world.form
    if form.swing and not world.canastas[side]:
        points = -points
    if form.black_values and not form.blacks_signed:
        points += form.black_values[min(world.aside[side], len(form.black_values) - 1)]
    for kind in range(RANKS):
        if form.must_finish[kind]:
            meld = side * RANKS + kind
            if 0 < world.sizes[meld] < form.canasta and world.sizes[meld] == world.naturals[meld]:
                points -= form.must_finish[kind]
    if form.wild_cost and 0 < world.wild_twos[side] + world.wild_jokers[side] < form.canasta:
        points -= form.wild_cost_with_jokers if world.wild_jokers[side] >= ALL_JOKERS else form.wild_cost
    return points


def points_lost_by_hand(world: World, seat: int) -> int:
    """Return the points that a hand costs its side."""
    values, base = world.form.held_values, seat * KINDS
    points = 0
    for kind in range(KINDS):
        points += world.hands[base + kind] * values[kind]
    for kind, count, cost in world.form.hand_penalties:
        if world.hands[base + kind] >= count:
            points += cost
    return points


def score_of_side(world: World, side: int) -> int:
    """Return a side's score for the deal as it stands."""
    points = table_points(world, side)
    form = world.form
    for seat in range(form.seats):
        if form.side_of[seat] == side:
            points -= points_lost_by_hand(world, seat)
            if world.feet is not None:
                points -= foot_points(world.feet, form, seat)
    if world.unlaid == side:
        three = world.stock[0]
        points += form.held_values[three] - form.last_three
    if world.ended == OUT and form.side_of[world.out_seat] == side:
        points += form.out_bonus + (form.concealed_extra if world.concealed else 0)
    return points
