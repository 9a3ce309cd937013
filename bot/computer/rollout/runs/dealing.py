"""Deal hidden cards with their suits, to each hand more often those that it is likely to hold."""

from __future__ import annotations

from random import Random
from typing import Final

from bot.computer.rollout.form import KINDS, RANKS, RED_THREE
from bot.computer.rollout.likely_hands import MELDED, card_likelihoods
from bot.computer.rollout.runs.moves import suits_of
from bot.computer.rollout.runs.suits_and_runs import CARDS, NONE
from bot.computer.rollout.world import World, copy_world

SUITED: Final = KINDS * 4
"""The numbers of all cards: their kind times four plus their suit."""

TRIES: Final = 16
"""Most cards that are looked at for one place of a hand."""


def card_likelihoods_by_suit(world: World) -> list[float]:
    """Return how likely each hand is to hold each card, as weights from 0 to 1: `SUITED` numbers a seat.

    Hidden cards are dealt by these weights. A card has the weight of its kind, or less if its holder would have added
    it to a run of the side.
    """
    by_kind = card_likelihoods(world)
    suits, form = suits_of(world), world.form
    weights: list[float] = []
    for seat in range(form.seats):
        side = form.side_of[seat]
        for card in range(SUITED):
            kind, place = card >> 2, side * 4 + (card & 3)
            weight = by_kind[seat * KINDS + kind]
            low, high = suits.lows[place], suits.highs[place]
            if kind < RANKS and low != NONE and world.opened[side] and (kind == low - 1 or kind == high + 1):
                weight = min(weight, MELDED)
            weights.append(weight)
    return weights


def redeal_by_suit(
    world: World, unseen: list[int], needs: list[int], weights: list[float], *, paired: float, random: Random
) -> World:
    """Return the world with its unseen cards dealt at random, likely cards to each hand more often.

    No hand gets a red three. `needs` is the number of cards that each hand lacks; one more card of a rank that the hand
    holds is `paired` times as likely.
    """
    dealt = copy_world(world)
    suits = suits_of(dealt)
    cards = [card for card in unseen if card >> 2 != RED_THREE]
    reds = [card for card in unseen if card >> 2 == RED_THREE]
    _shuffle_in_place(cards, random)
    for seat in range(len(needs)):
        if seat == dealt.turn:
            continue
        base, first = seat * KINDS, seat * CARDS
        for kind in range(KINDS):
            dealt.hands[base + kind] += dealt.known[base + kind]
        for card in range(CARDS):
            suits.hands[first + card] += suits.known[first + card]
        for _ in range(min(needs[seat], len(cards))):
            card = _take_likely_card(dealt.hands, base, cards, weights, seat * SUITED, paired, random)
            dealt.hands[base + (card >> 2)] += 1
            if card < CARDS:
                suits.hands[first + card] += 1
    for red in reds:
        place = int(random.random() * (len(cards) + 1))
        cards.append(red)
        cards[place], cards[-1] = cards[-1], cards[place]
    dealt.stock = [card >> 2 for card in cards]
    suits.stock = [card & 3 for card in cards]
    dealt.left = len(cards)
    return dealt


def _take_likely_card(
    hands: list[int], base: int, cards: list[int], weights: list[float], first: int, paired: float, random: Random
) -> int:
    """Take a card that this hand is likely to hold from the shuffled cards; return it.

    The numbers of the hand's cards begin at `base` in `hands`.
    """
    place = last = len(cards) - 1
    for _ in range(TRIES):
        card = cards[place]
        weight = weights[first + card]
        if card < CARDS and hands[base + (card >> 2)]:
            weight *= paired
        if random.random() * paired < weight:
            break
        place = int(random.random() * (last + 1))
    card = cards[place]
    cards[place] = cards[last]
    cards.pop()
    return card


def _shuffle_in_place(cards: list[int], random: Random) -> None:
    """Shuffle the list in place (Fisher and Yates)."""
    for last in range(len(cards) - 1, 0, -1):
        place = int(random.random() * (last + 1))
        cards[last], cards[place] = cards[place], cards[last]
