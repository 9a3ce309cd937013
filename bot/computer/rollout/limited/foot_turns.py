"""Turns in rules with feet or limits: when to take the pile, and which melds to lay.

A seat may lay its whole hand, to go out or to pick up its foot, or single melds.
"""

from __future__ import annotations

from typing import Final

from bot.computer.rollout.finishing import should_go_out
from bot.computer.rollout.form import JOKER, KINDS, RANKS, TWO, WILD_RANK
from bot.computer.rollout.limited.going_out_needs import (
    do_feet_forbid_out,
    has_foot_waiting,
    may_go_out_by_taking,
    seat_may_go_out,
)
from bot.computer.rollout.limited.laying_down import plan_to_lay_down, room_for_wilds_alone
from bot.computer.rollout.limited.meld_limits import (
    cards_to_keep,
    is_large_enough_to_begin,
    is_rank_closed,
    most_naturals,
    room_for_wilds,
)
from bot.computer.rollout.opening import ANY_COST, opening_plan
from bot.computer.rollout.policy_numbers import (
    ADD_KEEP,
    FOOT_WILDS,
    HURRY_AT,
    KEEP_FOR_SET,
    LEND,
    LONG_SET,
    MOST_WILDS,
    OPEN_COST,
    PAIR_MELD,
    WILD_FROM,
    WILD_MELD,
    CardsToLay,
    ClaimingCards,
)
from bot.computer.rollout.wild_melds import meld_with_wilds
from bot.computer.rollout.world import World, canastas_by_sort, cards_coming_with_pile

OUT_SIZE: Final = 16
"""With more cards in hand than this, neither going out nor emptying the hand is considered."""


def claims_with_feet(world: World) -> list[ClaimingCards]:
    """Return the ways in which the seat in turn may take the pile: one with a pair, or none."""
    form, seat = world.form, world.turn
    kind = world.pile[-1]
    if world.hands[seat * KINDS + kind] < 2:
        return []
    side = form.side_of[seat]
    if form.dead_ranks and is_rank_closed(world, kind):
        return []
    if not world.opened[side]:
        return [(2, 0, 0)] if not form.closed_unopened and opening_plan(world, with_top=True) else []
    if form.full and world.sizes[side * RANKS + kind] + 3 > form.canasta:
        return []
    left = world.held[seat] - 2 + cards_coming_with_pile(world, taken=False)
    if left >= cards_to_keep(world) or may_go_out_by_taking(world, seat, kind, left):
        return [(2, 0, 0)]
    return []


def melds_with_feet(world: World, numbers: list[float], *, stays: bool) -> list[CardsToLay]:
    """Return the melds to lay next, in order; empty if the seat discards.

    With `stays` the seat does not go out.
    """
    seat = world.turn
    if not world.opened[world.form.side_of[seat]]:
        return opening_plan(world, most=ANY_COST if world.laid_points else int(numbers[OPEN_COST]))
    if world.held[seat] <= OUT_SIZE:
        plan = _melds_of_whole_hand(world, numbers, stays=stays)
        if plan:
            return plan
    best = _next_meld(world, numbers)
    return [best] if best is not None else []


def _melds_of_whole_hand(world: World, numbers: list[float], *, stays: bool) -> list[CardsToLay] | None:
    """Return melds that empty the hand, to go out or to pick up the foot; None if it cannot or should not."""
    seat = world.turn
    if has_foot_waiting(world, seat):
        return plan_to_lay_down(world, going_out=False, most_wilds_lent=int(numbers[FOOT_WILDS]))
    if stays or do_feet_forbid_out(world, seat):
        return None
    plan = plan_to_lay_down(world, going_out=True)
    return plan if plan and should_go_out(world, numbers) else None


def may_deal_with_feet_end_soon(world: World, numbers: list[float]) -> bool:
    """Return whether the deal may end before the seat's next turn."""
    form = world.form
    if world.left < form.draw * form.seats:
        return True
    side = form.side_of[world.turn]
    for seat in range(form.seats):
        if form.side_of[seat] != side and world.held[seat] <= numbers[HURRY_AT] and seat_may_go_out(world, seat):
            return True
    return False


class TurnLimits:
    """The limits and wishes of the seat in turn, by which it chooses single melds.

    - `most`: the most cards that may be laid.
    - `wilds`: the wild cards that may join ranks; `twos` of them are twos.
    - `hurry`: the deal may end before the seat's next turn.
    - `missing`: the seat may not go out yet.
    - `pure`: the ranks that get no wild card, as bits.
    """

    def __init__(self, world: World, numbers: list[float]) -> None:
        form, seat = world.form, world.turn
        side, base = form.side_of[seat], seat * KINDS
        self.side = side
        self.most = world.held[seat] - cards_to_keep(world)
        self.twos = world.hands[base + TWO]
        self.wilds = self.twos + world.hands[base + JOKER]
        self.hurry = may_deal_with_feet_end_soon(world, numbers)
        self.missing = not seat_may_go_out(world, seat)
        self.pure = 0 if self.hurry or not self.wilds else ranks_kept_natural(world, side)


def _next_meld(world: World, numbers: list[float]) -> CardsToLay | None:
    """Return the best meld for a side that has opened; None if no meld is worthwhile.

    Enough cards stay in the hand to end the turn. Melds that complete a canasta come first.
    """
    turn = TurnLimits(world, numbers)
    found: CardsToLay | None = None
    rank = 9
    if turn.wilds and world.form.wild_melds:
        found = _next_wild_meld(world, numbers, turn)
        if found is not None:
            rank = 0 if found[2] + found[3] == room_for_wilds_alone(world, turn.side) else 1
    base, first = world.turn * KINDS, turn.side * RANKS
    for kind in range(RANKS):
        held, lying = world.hands[base + kind], world.sizes[first + kind]
        if held < 2 and not (lying and (held or turn.wilds)):
            continue
        count = most_naturals(world, first + kind, held)
        if lying:
            worth, wish = _best_addition(world, numbers, turn, kind, count)
        else:
            worth, wish = _best_new_meld(world, numbers, turn, kind, count)
        if worth < rank and wish[1] + wish[2] + wish[3] <= turn.most:
            found, rank = wish, worth
    return found


NO_WISH: Final = (9, (-1, 0, 0, 0))
"""The result if no meld is worth laying: the last place in the order, and no cards."""


def _next_wild_meld(world: World, numbers: list[float], turn: TurnLimits) -> CardsToLay | None:
    """Return the wild cards to lay as a meld of their own, or None.

    Wild cards kept for such a meld are taken from those that may join ranks (`turn.wilds`).
    """
    form, room = world.form, room_for_wilds_alone(world, turn.side)
    count = min(turn.wilds, room, turn.most)
    begun = room < form.canasta
    if form.foot_size == 0 and not begun and turn.wilds < max(numbers[WILD_MELD], 5 if form.wild_cost else 0):
        return None
    wish = meld_with_wilds(WILD_RANK, 0, count, turn.twos) if count > 0 and (begun or count >= form.meld_min) else None
    if not turn.hurry and (begun or turn.wilds >= numbers[WILD_FROM]) and not _has_wild_canastas(world, turn.side):
        turn.wilds = 0
    return wish


def _best_addition(
    world: World, numbers: list[float], turn: TurnLimits, kind: int, count: int
) -> tuple[int, CardsToLay]:
    """Return the best addition of cards of a rank to the side's meld, with its priority: 0 is the best.

    `count` is the number of naturals to add.
    """
    form, meld = world.form, turn.side * RANKS + kind
    lying = world.sizes[meld]
    lacks = form.canasta - lying - count
    natural = lying >= form.canasta and lying == world.naturals[meld]
    room = 0
    if turn.wilds and not natural and not turn.pure >> kind & 1:
        room = min(turn.wilds, room_for_wilds(world, meld, count))
    if 0 < lacks <= room and (lacks <= numbers[MOST_WILDS] or turn.hurry):
        return 0, meld_with_wilds(kind, count, lacks, turn.twos)
    lent = lacks - 1
    if turn.missing and 0 < lent <= min(room, int(numbers[LEND])):
        return 1, meld_with_wilds(kind, count, lent, turn.twos)
    if count and (turn.hurry or lacks <= 0 or count > 1 or turn.most + 2 > numbers[ADD_KEEP]):
        return 1, (kind, count, 0, 0)
    if turn.hurry and room:
        return 2, meld_with_wilds(kind, 0, room, turn.twos)
    return NO_WISH


def _best_new_meld(
    world: World, numbers: list[float], turn: TurnLimits, kind: int, count: int
) -> tuple[int, CardsToLay]:
    """Return the best new meld of a rank, with its priority: 0 is the best.

    `count` is the number of its naturals.
    """
    form, keeps = world.form, turn.most + 2
    if form.must_finish[kind] and not is_large_enough_to_begin(world, numbers, kind, count):
        return NO_WISH
    if count >= form.meld_min:
        at_once = turn.hurry or not turn.missing or count >= numbers[LONG_SET]
        return (1, (kind, count, 0, 0)) if keeps - count > (0 if at_once else numbers[KEEP_FOR_SET]) else NO_WISH
    need = form.meld_min - count
    room = min(turn.wilds, room_for_wilds(world, turn.side * RANKS + kind, count))
    wanted = turn.hurry or (turn.missing and keeps >= numbers[PAIR_MELD])
    if not wanted or turn.pure >> kind & 1 or need > room:
        return NO_WISH
    return 2, meld_with_wilds(kind, count, need, turn.twos)


def _has_wild_canastas(world: World, side: int) -> bool:
    """Return whether the side has a wild canasta, and as many as going out needs."""
    if world.feet is None:
        return world.wild_twos[side] + world.wild_jokers[side] >= world.form.canasta
    return world.feet.wild[side] >= max(1, world.form.wild_needed)


def is_whole_hand_laid(world: World, plan: list[CardsToLay]) -> bool:
    """Return whether the seat goes out by these melds, with a last discard or without."""
    cards = 0
    for _, naturals, twos, jokers in plan:
        cards += naturals + twos + jokers
    seat = world.turn
    return not has_foot_waiting(world, seat) and cards > 0 and cards >= world.held[seat] - 1


def ranks_kept_natural(world: World, side: int) -> int:
    """Return the ranks whose melds get no wild card because natural canastas are needed, as bits."""
    form = world.form
    kept = 0
    for _ in range(form.natural_needed - canastas_by_sort(world, side)[0] if form.needs_sorts else 0):
        best, most = -1, 2
        for kind in range(RANKS):
            meld = side * RANKS + kind
            pure = world.sizes[meld] == world.naturals[meld] < form.canasta
            size = world.sizes[meld] + world.hands[world.turn * KINDS + kind]
            if pure and size > most and not kept >> kind & 1:
                best, most = kind, size
        if best < 0:
            break
        kept |= 1 << best
    return kept
