"""Hidden hands are dealt by likelihood: a rank that the seat has discarded is rarely in its hand."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from bot.computer.rollout.engine_conversion import deal_world
from bot.computer.rollout.form import KINDS, RANKS
from bot.computer.rollout.likely_hands import card_likelihoods, likelihood_factor_of_pairs
from bot.computer.rollout.policy import finish_turn, start_turn
from bot.computer.rollout.policy_numbers import numbers_before_fitting
from bot.computer.rollout.rollouts import HiddenCards, redeal_hidden_cards
from bot.computer.rollout.world import RUNNING, World, copy_world
from bot.computer.seeded_random import shuffled_packs
from bot.engine.rules.sets import rule_set

DEALS = 12
TURNS = 16
AGAIN = 30


def world_after_sixteen_turns(seed: int) -> World:
    """Return the rollout world of classic deal `seed` for four, after 16 turns."""
    rules, numbers = rule_set("classic", 4), numbers_before_fitting()
    (pack,) = islice(shuffled_packs(rules, 900 + seed), 1)
    world, _ = deal_world(rules, pack, dealer=0, totals=(0, 0))
    for _ in range(TURNS):
        start_turn(world, numbers)
        finish_turn(world, numbers)
    return world


def likely_hidden_cards(world: World, *, uniform: bool = False) -> HiddenCards:
    """Return the hidden cards of the seat in turn, with their likelihoods, or equal ones if `uniform`."""
    needs, cards = [], world.stock[: world.left]
    for seat in range(4):
        own = seat == world.turn
        needs.append(0 if own else world.held[seat] - world.certain[seat])
        for kind in range(KINDS):
            unknown = world.hands[seat * KINDS + kind] - world.known[seat * KINDS + kind]
            cards += [kind] * (0 if own else unknown)
    weights = [1.0] * (4 * KINDS) if uniform else card_likelihoods(world)
    return HiddenCards(cards, needs, [False] * 4, weights, 1.0 if uniform else likelihood_factor_of_pairs(world))


def empty_other_hands(world: World) -> World:
    """Empty the hands of the seats not in turn; return the same world."""
    for seat in range(4):
        if seat != world.turn:
            world.hands[seat * KINDS : (seat + 1) * KINDS] = [0] * KINDS
    return world


def worlds_of_unfinished_deals() -> list[World]:
    """Return a `World` (all cards of a deal) for each sample deal that has not ended."""
    return [world for world in map(world_after_sixteen_turns, range(DEALS)) if world.ended == RUNNING]


def test_every_card_is_dealt_once_and_known_cards_stay() -> None:
    for world in worlds_of_unfinished_deals():
        everything = sorted([*world.stock[: world.left], *(kind for seat in range(4) for kind in hand_of(world, seat))])
        sizes = list(world.held)
        hidden = likely_hidden_cards(world)
        dealt = redeal_hidden_cards(empty_other_hands(world), hidden, Random(3))
        hands = [hand_of(dealt, seat) for seat in range(4)]
        assert sizes == list(map(len, hands))
        assert everything == sorted([*dealt.stock[: dealt.left], *(kind for one in hands for kind in one)])
        assert all(held >= known for held, known in zip(dealt.hands, world.known, strict=True))


def hand_of(world: World, seat: int) -> list[int]:
    """Return the kinds of the cards in the seat's hand."""
    return [kind for kind in range(KINDS) for _ in range(world.hands[seat * KINDS + kind])]


def test_hands_dealt_by_likelihood_are_nearer_to_the_true_ones() -> None:
    """Hands are compared by their number of cards of each rank, summed over all hidden hands."""
    far = {False: 0, True: 0}
    for world in worlds_of_unfinished_deals():
        true = world.hands[:]
        for uniform in far:
            hidden = likely_hidden_cards(world, uniform=uniform)
            random = Random(7)
            for _ in range(AGAIN):
                dealt = redeal_hidden_cards(empty_other_hands(copy_world(world)), hidden, random)
                far[uniform] += sum(
                    abs(dealt.hands[seat * KINDS + kind] - true[seat * KINDS + kind])
                    for seat in range(4)
                    for kind in range(RANKS + 3)
                )
    assert far[False] < 0.95 * far[True]


@pytest.mark.parametrize("back", [1, 2, 3])
def test_a_discarded_rank_is_unlikely_in_the_hand_that_discarded_it(back: int) -> None:
    for world in worlds_of_unfinished_deals():
        if len(world.pile) >= back and world.pile[-back] < RANKS:
            seat = (world.turn - back) % 4
            assert card_likelihoods(world)[seat * KINDS + world.pile[-back]] < 0.2
