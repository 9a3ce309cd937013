"""Weights for dealing hidden cards: how likely each hand is to hold a kind, given its player's moves."""

from __future__ import annotations

from typing import Final

from bot.computer.rollout.form import BLACK_THREE, JOKER, KINDS, RANKS, RED_THREE, TWO
from bot.computer.rollout.world import World

EARLY: Final = 2
"""Number of a seat's turns after which it has discarded its black threes."""

THROWN: Final = 0.14
THROWN_LONG_AGO: Final = 0.05
"""Weights of a rank that the seat itself has discarded: in the last rounds, and earlier."""

LEFT_LYING: Final = 0.4
"""Weight of a rank that the seat lately left on top of a pile it might have taken."""

LATELY: Final = 2
"""Number of rounds that count as the last ones."""

MELDED: Final = 0.13
"""Weight of a rank that fits a meld of the seat's side, because it would have been laid."""


def card_likelihoods(world: World) -> list[float]:
    """Return how likely each hand is to hold each kind, as weights from 0 to 1: `KINDS` numbers a seat.

    Hidden cards are dealt by these weights. They were set so that hands dealt by them look like hands of computer
    players: these discard black threes early and single cards before pairs, lay what fits their melds, and take a pile
    that they can take.
    """
    form = world.form
    weights = [1.0] * (form.seats * KINDS)
    early = world.turns < EARLY * form.seats
    for seat in range(form.seats):
        side, base = form.side_of[seat], seat * KINDS
        opened = world.opened[side]
        weights[base + BLACK_THREE] = 0.5 if early else 0.05
        if form.keeps_reds:
            weights[base + RED_THREE] = weights[base + BLACK_THREE]
        weights[base + TWO] = 0.65 if opened else 1.0
        weights[base + JOKER] = 0.7 if early else 0.5
        for kind in range(RANKS):
            if opened and world.naturals[side * RANKS + kind]:
                weights[base + kind] = MELDED
    _lower_weights_of_discards(world, weights)
    return weights


def _lower_weights_of_discards(world: World, weights: list[float]) -> None:
    """Lower the weights of ranks that a seat has discarded, or has not taken from the pile.

    The order of the pile's cards tells who discarded each.
    """
    form, seat = world.form, world.turn
    for back in range(min(len(world.pile), world.turns)):
        after, seat = seat, seat - 1 if seat else form.seats - 1
        kind = world.pile[len(world.pile) - 1 - back]
        if kind >= RANKS:
            continue
        lately = back < LATELY * form.seats
        place = seat * KINDS + kind
        weights[place] = min(weights[place], THROWN if lately else THROWN_LONG_AGO)
        if back and lately and not world.frozen and world.opened[form.side_of[after]]:
            weights[after * KINDS + kind] = min(weights[after * KINDS + kind], LEFT_LYING)


def likelihood_factor_of_pairs(world: World) -> float:
    """Return how much likelier a hand is to get a card of a rank that it already holds.

    The factor grows during the deal.
    """
    return min(4.0, 1.6 + 0.2 * world.turns / world.form.seats)
