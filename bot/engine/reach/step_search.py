"""A step-by-step search, used in the cases in which the order of melding matters.

Usually the order does not matter, and sums or families answer faster. It matters if a side opens with the top of the
pile and goes out with the cards that come after it: until it has opened, the rest of the pile is not in the hand. Such
cases are rare, and few cards are left in them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from bot.engine.cards.cards import BLACK_THREE, JOKER, NATURAL_KINDS, TWO, Card
from bot.engine.cards.meld_places import DEUCE_MELD, WILD_MELD, Place, family_of, natural_kind
from bot.engine.melds.meld_shapes import sizes_of_black_three_melds
from bot.engine.melds.table_meld import card_points_of, without_cards
from bot.engine.reach.merging_melds import standings_after_mergers
from bot.engine.reach.opening_goals import Goal, has_rank_of_each_group
from bot.engine.reach.refusals_of_set_melds import why_not_join
from bot.engine.reach.runs import run_steps
from bot.engine.reach.turn_outlook import Outlook, Standing
from bot.engine.rules.themes.conditions import families_of

MOST_TRIED: Final = 1_000
"""The most positions that one search examines; house rules could create any number.

Anything not found by then counts as impossible, so fewer steps are offered. No seat gets stuck: a line of play once
found is found again after each of its steps, with less to search.
"""

Ends: TypeAlias = Callable[[Outlook], bool | None]
"""The test of a search at each position: yes, no, or None to continue."""


def can_reach_end(outlook: Outlook, ends: Ends, following: Callable[[Outlook], Iterable[Outlook]]) -> bool:
    """Return whether some sequence of steps reaches a position for which `ends` returns true.

    `following` returns the positions after one step. A position with the hand and melds of an earlier one is skipped.
    """
    seen: set[object] = set()

    def can_lead_to_end(outlook: Outlook) -> bool:
        key = outlook.hand, tuple([(place, meld.cards) for place, meld in outlook.standing.melds.items()])
        if key in seen or len(seen) >= MOST_TRIED:
            return False
        seen.add(key)
        ended = ends(outlook)
        return any(map(can_lead_to_end, following(outlook))) if ended is None else ended

    return can_lead_to_end(outlook)


def may_open_and_end(outlook: Outlook, ends: Ends) -> bool:
    """Return whether some sequence of melds opens the side and reaches a position that satisfies `ends`.

    `ends` returns None while the side has not opened.
    """
    return can_reach_end(outlook, ends, _outlooks_after_meld_or_merger)


def _outlooks_after_meld_or_merger(outlook: Outlook) -> Iterator[Outlook]:
    yield from outlooks_after_next_meld(outlook)
    for standing in standings_after_mergers(outlook.standing):
        yield replace(outlook, standing=standing)


def outlooks_after_next_meld(outlook: Outlook) -> Iterator[Outlook]:
    """Yield the turn after each way to meld some of the hand at one place."""
    for place, cards in ways_to_lay_at_one_place(outlook.standing, outlook.hand):
        yield outlook.after_laying(place, cards)


def ways_to_lay_at_one_place(standing: Standing, hand: tuple[Card, ...]) -> Iterator[tuple[Place, tuple[Card, ...]]]:
    """Yield every way to meld some of the hand at one place, most cards first."""
    rules = standing.rules
    twos = tuple([card for card in hand if card >> 2 == TWO and TWO not in standing.closed])
    jokers = tuple([card for card in hand if card >> 2 == JOKER and JOKER not in standing.closed])
    families = [kind for kind in NATURAL_KINDS if "set" in rules.meld_kinds and kind not in standing.closed]
    families += [DEUCE_MELD] * ("deuce" in rules.meld_kinds) + [WILD_MELD] * ("wild" in rules.meld_kinds)
    for family in families:
        own = tuple([card for card in hand if card >> 2 == family]) if family < TWO else ()
        for place in standing.possible_places(family):
            for natural in range(len(own), -1, -1):
                for two in range(len(twos), -1, -1):
                    for joker in range(len(jokers), -1, -1):
                        cards = own[:natural] + twos[:two] + jokers[:joker]
                        if cards and why_not_join(standing, place, natural, two, joker) is None:
                            yield place, cards
    if len(hand) in sizes_of_black_three_melds(rules) and {card >> 2 for card in hand} == {BLACK_THREE}:
        yield BLACK_THREE, hand  # black threes are melded last
    for step in run_steps(standing, hand):
        yield step.place, step.cards


def canastas_that_unlock(
    standing: Standing, hand: tuple[Card, ...]
) -> Iterator[tuple[Standing, tuple[Card, ...], int]]:
    """Yield each way to make a canasta that a theme demands before certain cards may be melded.

    Yields the standing after it, the rest of the hand, and the points of the melded cards. The caller must check again
    what may be melded afterwards in the same turn.
    """
    limits = standing.limits
    if limits is None or not limits.until:
        return
    size = standing.rules.canasta_size
    for place, cards in ways_to_lay_at_one_place(standing, hand):
        after = standing.with_cards(place, cards)
        made = after.melds[place].size >= size
        if made and standing.closed - after.closed and standing.may_make_canasta(after.melds[place]):
            yield after, without_cards(hand, cards), card_points_of(standing.rules, cards)


# --- the first canasta, made with the pile's top card -----------------------------------------------------------------


def can_complete_canasta(
    standing: Standing, hand: Sequence[Card], place: Place, goals: Sequence[Goal], *, keep: int
) -> bool:
    """Return whether cards of the hand can make the meld at that place a canasta and reach a goal.

    `keep` cards remain. The top of the pile is in the meld, and as a canasta it opens the side. Other melds of its
    rank, if there may be several, can be merged into it first.
    """
    if (
        place not in standing.melds
        or _is_canasta_barred(standing, place)
        or not has_rank_of_each_group(goals[0], standing.melds.values())
    ):
        return False
    return any(_can_complete_canasta(one, hand, place, keep=keep) for one in standings_after_mergers(standing))


def _can_complete_canasta(standing: Standing, hand: Sequence[Card], place: Place, *, keep: int) -> bool:
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


def _is_canasta_barred(standing: Standing, place: Place) -> bool:
    """Return whether a theme forbids that meld to become a canasta, at all or as the first one."""
    limits, family = standing.limits, family_of(place)
    if limits is None:
        return False
    return family in limits.never or (limits.first is not None and family not in families_of(limits.first.ranks))
