"""Freeing: a canasta of this turn that ends what a theme keeps from being laid until there is one.

What may be laid after it in the same turn is asked again as things stand then.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine.cards.cards import Card
from bot.engine.melds.melds import grown, points_of, without
from bot.engine.reach.laying_last import lays_of
from bot.engine.reach.standing import Standing


def freed(standing: Standing, hand: tuple[Card, ...]) -> Iterator[tuple[Standing, tuple[Card, ...], int]]:
    """Each way to lay such a canasta: the standing after it, the rest of the hand, and what the cards laid count."""
    limits = standing.limits
    if limits is None or not limits.until:
        return
    size = standing.rules.canasta_size
    for place, cards in lays_of(standing, hand):
        lying = standing.melds.get(place)
        if len(cards) + (0 if lying is None else lying.size) < size:
            continue
        meld = grown(place, lying, cards)
        after = standing.with_meld(meld)
        if standing.closed - after.closed and standing.may_make(meld):
            yield after, without(hand, cards), points_of(standing.rules, cards)
