"""The first canasta, made with the pile's top card: then no minimum is asked for (`docs/law/classic.md 1.11`)."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards import JOKER, TWO, Card
from bot.engine.places import Place, family_of, natural_kind
from bot.engine.themes.conditions import families_of
from bot.engine.variants.openings import Goal
from bot.engine.variants.regrouping import regroupings
from bot.engine.variants.sets import why_not_join
from bot.engine.variants.standing import Standing


def may_complete(standing: Standing, hand: Sequence[Card], place: Place, goals: Sequence[Goal], *, keep: int) -> bool:
    """Whether cards of the hand make the meld at that place a canasta that opens the side, so many being kept.

    Other melds of its rank, where there may be several, can be laid together with it first.
    """
    if place not in standing.melds or _is_barred(standing, place) or not _has_groups(standing, goals):
        return False
    return any(_completes(one, hand, place, keep=keep) for one in regroupings(standing))


def _completes(standing: Standing, hand: Sequence[Card], place: Place, *, keep: int) -> bool:
    lying = standing.melds.get(place)
    lacking = 0 if lying is None else max(0, standing.rules.canasta_size - lying.size)
    if lying is None or len(hand) - lacking < keep:
        return False
    if not lacking:
        return True
    kind = natural_kind(place)
    own, twos, jokers = (sum(card >> 2 == one for card in hand) for one in (kind, TWO, JOKER))
    return any(
        0 <= (naturals := lacking - two - joker) <= own and why_not_join(standing, place, naturals, two, joker) is None
        for two in range(min(twos, lacking) + 1)
        for joker in range(min(jokers, lacking - two) + 1)
    )


def _is_barred(standing: Standing, place: Place) -> bool:
    """Whether a theme lets that meld make no canasta, or not the first."""
    limits, family = standing.limits, family_of(place)
    if limits is None:
        return False
    return family in limits.never or (limits.first is not None and family not in families_of(limits.first.ranks))


def _has_groups(standing: Standing, goals: Sequence[Goal]) -> bool:
    """Whether the ranks that a theme wants in the first meld lie there."""
    lying = {meld.kind for meld in standing.melds.values()}
    return all(lying & group for goal in goals[:1] for group in goal.groups)
