"""Laying melds one after another: lines of play tried out step by step.

Elsewhere the order in which cards are laid does not matter, and sums or families answer. Order does matter where a side
opens with the top of the pile and goes out with what comes after it: until it has opened, the rest of the pile is not
in the hand. Such lines of play are rare, and few cards are left in them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from bot.engine.cards.cards import BLACK_THREE, JOKER, NATURAL_KINDS, TWO, Card
from bot.engine.cards.places import DEUCE_MELD, WILD_MELD, Place, family_of, natural_kind
from bot.engine.melds.melds import points_of, without
from bot.engine.melds.shapes import black_three_melds
from bot.engine.reach.openings import Goal, has_groups
from bot.engine.reach.regrouping import regroupings
from bot.engine.reach.runs import run_steps
from bot.engine.reach.sets import why_not_join
from bot.engine.reach.standing import Outlook, Standing
from bot.engine.rules.themes.conditions import families_of

MOST_TRIED: Final = 1_000
"""The most positions that one search looks at; house rules could make any number.

What is not found by then counts as impossible, so a step less is offered. Nobody gets stuck by that: what was found
once is found again from each step on its way, with less to look at.
"""

Ends: TypeAlias = Callable[[Outlook], bool | None]
"""What a search asks where it has come to: yes, no, or None to go on."""


def leads_to(now: Outlook, ends: Ends, following: Callable[[Outlook], Iterable[Outlook]]) -> bool:
    """Whether some line of play from there comes to where `ends` says yes; `following` makes the next turns of one.

    A hand that is met again with equal melds is not looked at a second time.
    """
    seen: set[object] = set()

    def tried(now: Outlook) -> bool:
        key = now.hand, tuple([(place, meld.cards) for place, meld in now.standing.melds.items()])
        if key in seen or len(seen) >= MOST_TRIED:
            return False
        seen.add(key)
        ended = ends(now)
        return any(map(tried, following(now))) if ended is None else ended

    return tried(now)


def may_open_and_end(now: Outlook, ends: Ends) -> bool:
    """Return whether some line of play lays cards of the hand, opens the side, and satisfies `ends` then.

    `ends` answers None while the side has not opened.
    """
    return leads_to(now, ends, _laid_or_regrouped)


def _laid_or_regrouped(now: Outlook) -> Iterator[Outlook]:
    yield from laid(now)
    for standing in regroupings(now.standing):
        yield replace(now, standing=standing)


def laid(now: Outlook) -> Iterator[Outlook]:
    """Yield the turn after each way to lay some of the hand at one place."""
    for place, cards in lays_of(now.standing, now.hand):
        yield now.laid(place, cards)


def lays_of(standing: Standing, hand: tuple[Card, ...]) -> Iterator[tuple[Place, tuple[Card, ...]]]:
    """Yield every way to lay some of the hand at one place, the most cards first."""
    rules = standing.rules
    twos = tuple([card for card in hand if card >> 2 == TWO and TWO not in standing.closed])
    jokers = tuple([card for card in hand if card >> 2 == JOKER and JOKER not in standing.closed])
    families = [kind for kind in NATURAL_KINDS if "set" in rules.meld_kinds and kind not in standing.closed]
    families += [DEUCE_MELD] * ("deuce" in rules.meld_kinds) + [WILD_MELD] * ("wild" in rules.meld_kinds)
    for family in families:
        own = tuple([card for card in hand if card >> 2 == family]) if family < TWO else ()
        for place in standing.targets(family):
            for natural in range(len(own), -1, -1):
                for two in range(len(twos), -1, -1):
                    for joker in range(len(jokers), -1, -1):
                        cards = own[:natural] + twos[:two] + jokers[:joker]
                        if cards and why_not_join(standing, place, natural, two, joker) is None:
                            yield place, cards
    if len(hand) in black_three_melds(rules) and {card >> 2 for card in hand} == {BLACK_THREE}:
        yield BLACK_THREE, hand  # the last that is laid
    for step in run_steps(standing, hand):
        yield step.place, step.cards


def freed(standing: Standing, hand: tuple[Card, ...]) -> Iterator[tuple[Standing, tuple[Card, ...], int]]:
    """Each way to make a canasta that frees cards, which a theme keeps from being laid until such a canasta lies there.

    The answers are the standing after it, the rest of the hand, and the points of the cards laid. What may be laid
    afterwards in the same turn is for the caller to ask anew.
    """
    limits = standing.limits
    if limits is None or not limits.until:
        return
    size = standing.rules.canasta_size
    for place, cards in lays_of(standing, hand):
        after = standing.with_cards(place, cards)
        made = after.melds[place].size >= size
        if made and standing.closed - after.closed and standing.may_make(after.melds[place]):
            yield after, without(hand, cards), points_of(standing.rules, cards)


# --- the first canasta, made with the pile's top card -----------------------------------------------------------------


def may_complete(standing: Standing, hand: Sequence[Card], place: Place, goals: Sequence[Goal], *, keep: int) -> bool:
    """Return whether cards of the hand make the meld at that place a canasta, so many cards being kept.

    The top of the pile lies in the meld, and as a canasta it opens the side. Other melds of its rank, where there may
    be several, can be laid together with it first.
    """
    if place not in standing.melds or _is_barred(standing, place) or not has_groups(goals[0], standing.melds.values()):
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
    """Return whether a theme keeps that meld from being a canasta, or from being the first."""
    limits, family = standing.limits, family_of(place)
    if limits is None:
        return False
    return family in limits.never or (limits.first is not None and family not in families_of(limits.first.ranks))
