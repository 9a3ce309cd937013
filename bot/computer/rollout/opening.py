"""The initial meld: the cheapest melds of a hand that reach the minimum."""

from __future__ import annotations

from typing import Final

from bot.computer.rollout.form import JOKER, KINDS, RANKS, TWO
from bot.computer.rollout.limited.meld_limits import CLEAN, cards_to_keep, most_naturals, room_for_wilds
from bot.computer.rollout.policy_numbers import CardsToLay
from bot.computer.rollout.world import World, cards_coming_with_pile

COST_OF_TWO: Final = 25
COST_OF_JOKER: Final = 50
COST_OF_PAIR: Final = 10
COST_OF_NATURAL: Final = 2
ANY_COST: Final = 10**9

ENOUGH: Final = 5
"""Smallest meld of an opening of a rank that costs points unless it becomes a canasta."""


class OpeningMeld:
    """A meld that may be part of an initial meld: its cards of the hand and its points.

    It also has the number of wild cards that it needs, and the most that it takes.
    """

    def __init__(self, kind: int, count: int, size: int, points: int) -> None:
        self.kind = kind
        self.count = count
        self.size = size
        self.points = points
        self.need = 0
        self.room = 0
        self.first = False
        self.clean = False


def opening_plan(world: World, *, with_top: bool = False, most: int = ANY_COST) -> list[CardsToLay]:
    """Return the cheapest melds that open the side; empty if none cost less than `most`.

    With `with_top` the pile's top joins a pair of the hand.
    """
    form, seat = world.form, world.turn
    side, base = form.side_of[seat], seat * KINDS
    values = form.values
    twos, jokers = world.hands[base + TWO], world.hands[base + JOKER]
    missing = world.minimum[side] - world.laid_points
    top = world.pile[-1] if with_top else -1
    entries: list[OpeningMeld] = []
    reach = twos * values[TWO] + jokers * values[JOKER]
    for kind in range(RANKS):
        count = world.hands[base + kind]
        meld = side * RANKS + kind
        if form.careful:
            count = most_naturals(world, meld, count + (kind == top)) - (kind == top)
        size = count + 1 if kind == top else count
        lies = world.naturals[meld] > 0
        if size >= 2 or lies:
            one = OpeningMeld(kind, count, size, size * values[kind])
            one.need = 0 if lies else max(0, form.meld_min - size)
            if not form.careful:
                one.room = form.max_wilds - world.twos[meld] - world.jokers[meld]
            else:
                one.room = room_for_wilds(world, meld, size)
            if form.shuts_wilds:
                one.room = max(0, min(one.room, form.canasta - world.sizes[meld]))
            one.first = kind == top
            one.clean = size >= CLEAN and one.room == 0
            if form.strict_wilds and not _may_open_with(world, one, on_table=lies):
                continue
            entries.append(one)
            reach += one.points
    if not entries or reach < missing:
        return []
    waiting = cards_coming_with_pile(world, taken=not with_top) if with_top or world.waiting else 0
    spare = world.held[seat] - max(0, cards_to_keep(world) - waiting)
    chosen, two, joker = _cheapest_subset(world, entries, missing, spare, most)
    return [] if chosen < 0 else _share_wilds(entries, chosen, two, joker)


def _may_open_with(world: World, meld: OpeningMeld, *, on_table: bool) -> bool:
    """Return whether a side may open with this meld, alone or among others.

    There must be room for the wild cards that it needs. In ranks whose unfinished melds cost points, a meld without
    wild cards must be long enough to be finished. `on_table` says that the meld is on the table already, which is
    always enough.
    """
    if meld.need > meld.room or (meld.kind < RANKS and meld.count < 1):
        return False
    return on_table or meld.need > 0 or not world.form.must_finish[meld.kind] or meld.size >= ENOUGH


def _cheapest_subset(
    world: World, entries: list[OpeningMeld], missing: int, spare: int, most: int
) -> tuple[int, int, int]:
    """Return the cheapest set of these melds that opens, as bits, with its numbers of twos and jokers.

    The bits are -1 if no set reaches the minimum.
    """
    values, base = world.form.values, world.turn * KINDS
    twos, jokers = world.hands[base + TWO], world.hands[base + JOKER]
    tops = cleans = 0
    for place in range(len(entries)):
        if entries[place].first:
            tops = 1 << place
        if entries[place].clean:
            cleans |= 1 << place
    if not world.form.clean_opening or _has_clean_meld(world):
        cleans = -1
    best = (-1, 0, 0)
    least = most
    for chosen in range(1, 1 << len(entries)):
        if chosen & tops != tops or not chosen & cleans:
            continue
        need = room = cards = points = cost = 0
        for place in range(len(entries)):
            if chosen >> place & 1:
                one = entries[place]
                need += one.need
                room += one.room
                cards += one.count
                points += one.points
                cost += COST_OF_NATURAL * one.count + (COST_OF_PAIR if one.need else 0)
        if cost >= least or cards + need > spare or need > twos + jokers:
            continue
        if points + twos * values[TWO] + jokers * values[JOKER] < missing:
            continue
        two, joker = _cheapest_wilds_for_points(world, missing - points, need, min(room, spare - cards))
        price = cost + two * COST_OF_TWO + joker * COST_OF_JOKER
        if two >= 0 and price < least:
            least = price
            best = (chosen, two, joker)
    return best


def _has_clean_meld(world: World) -> bool:
    """Return whether the side in turn has three naturals on the table without a wild card."""
    first = world.form.side_of[world.turn] * RANKS
    return any(CLEAN <= world.naturals[meld] == world.sizes[meld] for meld in range(first, first + RANKS))


def _cheapest_wilds_for_points(world: World, missing: int, need: int, most: int) -> tuple[int, int]:
    """Return the cheapest numbers of twos and jokers that are worth the missing points.

    Together they are `need` to `most` cards. Both are -1 if that is impossible.
    """
    values, base = world.form.values, world.turn * KINDS
    twos, jokers = world.hands[base + TWO], world.hands[base + JOKER]
    best = (-1, 0)
    least = ANY_COST
    for joker in range(jokers + 1):
        for two in range(twos + 1):
            price = two * COST_OF_TWO + joker * COST_OF_JOKER
            if price < least and need <= two + joker <= most and two * values[TWO] + joker * values[JOKER] >= missing:
                least = price
                best = (two, joker)
    return best


def _share_wilds(entries: list[OpeningMeld], chosen: int, twos: int, jokers: int) -> list[CardsToLay]:
    """Return the chosen melds with these wild cards, first where they are needed, then where they fit.

    The meld of the pile's top comes first.
    """
    ordered: list[tuple[int, int, int, int]] = []
    left = twos + jokers
    for place in range(len(entries)):
        if chosen >> place & 1:
            one = entries[place]
            ordered.append((0 if one.first else 1, -one.need, -one.size, place))
            left -= one.need
    ordered.sort()
    laid: list[CardsToLay] = []
    for _, _, _, place in ordered:
        one = entries[place]
        more = min(left, one.room - one.need)
        left -= more
        wilds = one.need + more
        two = min(wilds, twos)
        twos -= two
        if one.count + wilds:
            laid.append((one.kind, one.count, two, wilds - two))
    return laid
