"""The cost of a discard in forms with runs: for each rank, the card that is worth least.

The cost includes what the next player gains by it.
"""

from __future__ import annotations

from bot.computer.rollout.discards import NextPlayer, value_of_freezing
from bot.computer.rollout.form import BLACK_THREE, JOKER, KINDS, RANKS, TWO
from bot.computer.rollout.policy_numbers import (
    BLACK,
    GIVEN,
    GIVEN_SIZE,
    KEEP_JOKER,
    KEEP_TWO,
    LIVE,
    MELD_DANGER,
    OPEN_WEIGHT,
    OWN_MELD,
    PAIR,
    PAIR_DANGER,
    PILE_CARD,
    PILE_WILD,
    RUN_CARD,
    RUN_GIVEN,
    RUN_NEAR,
    RUN_SIZE,
    SINGLE,
    TRIPLE,
    UNOPENED_DANGER,
)
from bot.computer.rollout.runs.moves import suits_of
from bot.computer.rollout.runs.suits_and_runs import CARDS, NONE
from bot.computer.rollout.world import World


def choose_discarded_card(world: World, numbers: list[float]) -> tuple[int, int]:
    """Return the cheapest discard as its kind and its suit; of equal ones the first."""
    costs, suits = discard_costs_with_suits(world, numbers)
    best, least = -1, 1e18
    for kind in range(KINDS):
        if suits[kind] >= 0 and costs[kind] < least:
            best, least = kind, costs[kind]
    return best, suits[best]


def discard_costs_with_suits(world: World, numbers: list[float]) -> tuple[list[float], list[int]]:
    """Return, for each kind, the cost of discarding its cheapest card, and that card's suit.

    For kinds not held the cost is far below zero and the suit -1.
    """
    form, seat = world.form, world.turn
    side, base, hands = form.side_of[seat], seat * KINDS, world.hands
    outlook = NextPlayer(world)
    pile = (len(world.pile) + 1) * numbers[PILE_CARD]
    pile += (world.in_pile[TWO] + world.in_pile[JOKER]) * numbers[PILE_WILD]
    height = 0.0
    if not world.opened[side]:
        height = numbers[OPEN_WEIGHT] * max(0, world.minimum[side] - 40) / 50
    costs, chosen = [-1e9] * KINDS, [-1] * KINDS
    cards = suits_of(world).hands
    for kind in range(RANKS):
        if not hands[base + kind]:
            continue
        gain = _gain_by_set(world, numbers, kind, outlook, pile)
        least = 1e18
        for suit in range(4):
            count = cards[seat * CARDS + kind * 4 + suit]
            if count:
                kept = _worth_in_runs(world, numbers, kind, suit) if count == 1 else 0.0
                fits = 0.0 if outlook.frozen else _gain_by_run(world, numbers, kind, suit, outlook.side, pile)
                cost = kept + max(gain, fits)
                if cost < least:
                    least, chosen[kind] = cost, suit
        costs[kind] = least + _worth_in_sets(world, numbers, kind) + height * form.values[kind]
    if hands[base + BLACK_THREE]:
        burden = form.held_values[BLACK_THREE] - form.values[BLACK_THREE]
        costs[BLACK_THREE], chosen[BLACK_THREE] = numbers[BLACK] - burden, 0
    for kind in (TWO, JOKER):
        if hands[base + kind]:
            kept = numbers[KEEP_TWO] if kind == TWO else numbers[KEEP_JOKER]
            costs[kind] = kept + height * form.values[kind] - value_of_freezing(world, numbers, outlook)
            chosen[kind] = 0
    return costs, chosen


def _worth_in_sets(world: World, numbers: list[float], kind: int) -> float:
    """Return the value of keeping a card of that rank for melds of the rank."""
    form, seat = world.form, world.turn
    count = world.hands[seat * KINDS + kind]
    if count == 1:
        value = numbers[SINGLE]
    else:
        value = numbers[PAIR] if count == 2 else numbers[TRIPLE]
        value += numbers[LIVE] * (form.totals[kind] - world.on_table[kind] - world.in_pile[kind] - count)
    if 0 < world.sizes[form.side_of[seat] * RANKS + kind] < form.canasta:
        value += numbers[OWN_MELD]
    return value


def _worth_in_runs(world: World, numbers: list[float], kind: int, suit: int) -> float:
    """Return the value of keeping a card for runs.

    It grows with cards near it in the hand, and if a run of the side is near.
    """
    suits, seat = suits_of(world), world.turn
    cards, place = seat * CARDS + suit, world.form.side_of[seat] * 4 + suit
    near = 0.0
    for other in range(max(0, kind - 2), min(RANKS, kind + 3)):
        if other != kind and suits.hands[cards + other * 4]:
            near += 1.0 if other in (kind - 1, kind + 1) else 0.5
    value = near * numbers[RUN_CARD]
    if suits.lows[place] != NONE:
        away = max(suits.lows[place] - kind, kind - suits.highs[place])
        if 0 < away <= 3:
            value += numbers[RUN_NEAR] * 2 / away
    return value


def _gain_by_run(world: World, numbers: list[float], kind: int, suit: int, side: int, pile: float) -> float:
    """Return what the next player gains from that discard by adding it to a run of its side."""
    suits, place = suits_of(world), side * 4 + suit
    low, high = suits.lows[place], suits.highs[place]
    if low == NONE or (kind != low - 1 and kind != high + 1):
        return 0.0
    size = high - low + 1
    given = numbers[RUN_GIVEN] if size == world.form.canasta - 1 else numbers[RUN_SIZE] * size
    return numbers[MELD_DANGER] * (pile + given)


def _gain_by_set(world: World, numbers: list[float], kind: int, outlook: NextPlayer, pile: float) -> float:
    """Return what the next player can expect to gain from a discard of that rank, by a set or a pair."""
    form = world.form
    lying = world.sizes[outlook.side * RANKS + kind]
    given = pile
    if 0 < lying < form.canasta:
        given += numbers[GIVEN] if lying == form.canasta - 1 else numbers[GIVEN_SIZE] * max(0, lying - 3)
        if not outlook.frozen:
            return numbers[MELD_DANGER] * given
    known = world.known[outlook.seat * KINDS + kind]
    held = world.hands[world.turn * KINDS + kind]
    unseen = form.totals[kind] - world.on_table[kind] - world.in_pile[kind] - held - known
    unseen = min(15, max(0, unseen))
    none = outlook.miss[unseen]
    if known >= 2:
        pair = 1.0
    elif known:
        pair = 1.0 - none
    else:
        pair = 1.0 - none - (unseen * outlook.share * outlook.miss[unseen - 1] if unseen else 0.0)
    if not world.opened[outlook.side]:
        pair *= numbers[UNOPENED_DANGER]
    return pair * numbers[PAIR_DANGER] * given
