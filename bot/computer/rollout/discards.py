"""The cost of a discard: its value in hand, and what it gives the next player."""

from __future__ import annotations

from typing import Final

from bot.computer.rollout.form import BLACK_THREE, JOKER, KINDS, RANKS, RED_THREE, TWO
from bot.computer.rollout.limited.meld_limits import is_rank_closed, most_naturals
from bot.computer.rollout.policy_numbers import (
    BLACK,
    FREEZE_BEHIND,
    FREEZE_CARD,
    FREEZE_FROM,
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
    SINGLE,
    TRIPLE,
    UNOPENED_DANGER,
    WILD_DANGER,
)
from bot.computer.rollout.scores import table_points
from bot.computer.rollout.world import World

FORBIDDEN: Final = 1e7
"""The cost of a discard that the rules forbid."""


class NextPlayer:
    """The next player as the seat in turn knows it: its side, and its share of the unseen cards.

    `miss` has, by the number of unseen cards of a kind, the chance that the next player holds none of them.
    """

    def __init__(self, world: World) -> None:
        form, seat = world.form, world.turn
        self.seat = seat + 1 if seat + 1 < form.seats else 0
        self.side = form.side_of[self.seat]
        self.frozen = world.frozen or not world.opened[self.side]
        hidden = world.left - world.held[seat]
        for cards in world.held:
            hidden += cards
        if world.feet is not None:
            for cards in world.feet.waiting:
                hidden += cards
        self.share: float = max(0, world.held[self.seat] - world.certain[self.seat]) / max(1, hidden)
        self.miss = [1.0]
        for count in range(16):
            self.miss.append(self.miss[count] * (1.0 - self.share))


def discard_costs(world: World, numbers: list[float]) -> list[float]:
    """Return the cost of discarding a card of each kind, in points of judgement.

    The cost is far below zero for kinds not held.
    """
    form, seat = world.form, world.turn
    base, hands = seat * KINDS, world.hands
    outlook = NextPlayer(world)
    wilds = world.in_pile[TWO] + world.in_pile[JOKER]
    cards = len(world.pile) + 1
    if form.pile_take:
        cards = min(cards, form.pile_take)
    worth = cards * numbers[PILE_CARD] + wilds * numbers[PILE_WILD]
    uses_wild = 0.0 if outlook.frozen else numbers[WILD_DANGER] * (1.0 - _chance_of_no_wild(world, outlook))
    height = 0.0
    side = form.side_of[seat]
    if not world.opened[side]:
        height = numbers[OPEN_WEIGHT] * max(0, world.minimum[side] - 40) / 50
    costs = [-1e9] * KINDS
    for kind in range(RANKS):
        count = hands[base + kind]
        if count:
            value = _value_of_keeping(world, numbers, kind, count) + height * form.values[kind]
            costs[kind] = value + _next_players_gain(world, numbers, kind, outlook, worth, uses_wild)
    if hands[base + BLACK_THREE]:
        costs[BLACK_THREE] = numbers[BLACK]
    if form.keeps_reds and hands[base + RED_THREE]:
        costs[RED_THREE] = numbers[BLACK] - form.held_values[RED_THREE]
    for kind in (TWO, JOKER):
        if hands[base + kind]:
            kept = numbers[KEEP_TWO] if kind == TWO else numbers[KEEP_JOKER]
            costs[kind] = kept + height * form.values[kind] - value_of_freezing(world, numbers, outlook)
    if form.careful:
        _add_costs_of_bans(world, costs)
    return costs


def _add_costs_of_bans(world: World, costs: list[float]) -> None:
    """Raise the costs of forbidden discards, so that one is chosen only if all are forbidden as strongly."""
    form = world.form
    if form.blacks_kept_first_round and world.turns < form.seats:
        costs[BLACK_THREE] += FORBIDDEN
    if form.bans_on_empty_pile and not world.pile:
        for kind in range(RANKS):
            if form.must_finish[kind] or is_rank_closed(world, kind):
                costs[kind] += FORBIDDEN
    if form.keeps_wilds:
        for kind in (TWO, JOKER):
            costs[kind] += 10 * FORBIDDEN


def choose_discard(world: World, numbers: list[float]) -> int:
    """Return the kind of the cheapest discard, the first of equal ones."""
    base = world.turn * KINDS
    costs = discard_costs(world, numbers)
    best, least = -1, 1e18
    for kind in range(KINDS):
        if world.hands[base + kind] and costs[kind] < least:
            best, least = kind, costs[kind]
    return best


def _value_of_keeping(world: World, numbers: list[float], kind: int, count: int) -> float:
    """Return the value of keeping a card of a rank; the hand holds `count` cards of it."""
    form, seat = world.form, world.turn
    if form.careful and not most_naturals(world, form.side_of[seat] * RANKS + kind, 1):
        return 0.0
    if count == 1:
        value = numbers[SINGLE]
    else:
        value = numbers[PAIR] if count == 2 else numbers[TRIPLE]
        unseen = form.totals[kind] - world.on_table[kind] - world.in_pile[kind] - count
        value += numbers[LIVE] * unseen
    if world.naturals[form.side_of[seat] * RANKS + kind]:
        value += numbers[OWN_MELD]
    return value


def _next_players_gain(
    world: World, numbers: list[float], kind: int, outlook: NextPlayer, worth: float, uses_wild: float
) -> float:
    """Return what the next player can expect to gain from a discard of that rank.

    It is the chance of taking the pile, times the value of what comes with it. `worth` is the value of the pile, and
    `uses_wild` the chance that a single card of the rank takes it with a wild card.
    """
    form = world.form
    meld = outlook.side * RANKS + kind
    lying = world.sizes[meld] if world.naturals[meld] else 0
    given = worth
    if form.dead_ranks and is_rank_closed(world, kind):
        return 0.0
    if lying:
        if form.full and lying + 3 > form.canasta:
            return 0.0  # the meld has no room for the top and a pair
        given += numbers[GIVEN] if lying == form.canasta - 1 else numbers[GIVEN_SIZE] * max(0, lying - 3)
        if not outlook.frozen:
            return numbers[MELD_DANGER] * given
    known = world.known[outlook.seat * KINDS + kind]
    held = world.hands[world.turn * KINDS + kind]
    unseen = form.totals[kind] - world.on_table[kind] - world.in_pile[kind] - held - known
    unseen = min(15, max(0, unseen))
    none = outlook.miss[unseen]
    if known >= 2:
        pair, single = 1.0, 0.0
    elif known:
        pair, single = 1.0 - none, none
    else:
        single = unseen * outlook.share * outlook.miss[unseen - 1] if unseen else 0.0
        pair = 1.0 - none - single
    random = pair * numbers[PAIR_DANGER]
    if not outlook.frozen:
        random += single * uses_wild
    elif not world.opened[outlook.side]:
        random *= numbers[UNOPENED_DANGER]
    return random * given


def _chance_of_no_wild(world: World, outlook: NextPlayer) -> float:
    """Return the chance that the next player holds no wild card."""
    other, base, totals = outlook.seat * KINDS, world.turn * KINDS, world.form.totals
    unseen = 0
    for kind in (TWO, JOKER):
        if world.known[other + kind]:
            return 0.0
        unseen += totals[kind] - world.on_table[kind] - world.in_pile[kind] - world.hands[base + kind]
    return outlook.miss[min(15, max(0, unseen))]


def value_of_freezing(world: World, numbers: list[float], outlook: NextPlayer) -> float:
    """Return the value of freezing the pile; it is zero if the pile is small or the side is not behind."""
    if world.frozen or len(world.pile) < numbers[FREEZE_FROM] or not world.opened[outlook.side]:
        return 0.0
    form = world.form
    side = form.side_of[world.turn]
    best = -(10**6)
    for other in range(form.sides):
        if other != side:
            best = max(best, table_points(world, other))
    if best - table_points(world, side) < numbers[FREEZE_BEHIND]:
        return 0.0
    return numbers[FREEZE_CARD] * len(world.pile)
