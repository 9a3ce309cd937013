"""The rollout player's choices in a turn: rules of thumb with numeric weights that can be fitted.

The player uses its own hand and what all have seen: melds, the pile, the number of cards in hands, and the cards known
to be in them. Its numbers are a list in the order of `bot.computer.rollout.policy_numbers.HABITS`.
"""

from __future__ import annotations

from bot.computer.rollout.discards import choose_discard
from bot.computer.rollout.finishing import finishing_plan, should_go_out
from bot.computer.rollout.form import FORCED_ALWAYS, FORCED_NEVER, JOKER, KINDS, RANKS, TWO
from bot.computer.rollout.limited.foot_turns import claims_with_feet, melds_with_feet
from bot.computer.rollout.moves import discard_card, draw_cards, lay_meld, take_pile
from bot.computer.rollout.opening import ANY_COST, opening_plan
from bot.computer.rollout.policy_numbers import (
    ADD_KEEP,
    HURRY_AT,
    KEEP_FOR_SET,
    LEND,
    LONG_SET,
    MOST_WILDS,
    OPEN_COST,
    PAIR_MELD,
    TAKE_ADD,
    TAKE_JOKER,
    TAKE_PAIR,
    TAKE_TWO,
    TAKE_WILD,
    CardsToLay,
    ClaimingCards,
)
from bot.computer.rollout.wild_melds import meld_with_wilds, wild_meld_to_lay, wilds_for_ranks
from bot.computer.rollout.world import RUNNING, STOCK, World, cards_coming_with_pile, may_go_out

# --- the start of a turn ----------------------------------------------------------------------------------------------


def ways_to_take_pile(world: World) -> list[ClaimingCards]:
    """Return the ways in which the seat in turn may take the pile."""
    found: list[ClaimingCards] = []
    if not world.pile:
        return found
    kind = world.pile[-1]
    form, seat = world.form, world.turn
    if kind >= RANKS or (len(world.pile) == 1 and world.held[seat] == 1):
        return found
    if form.careful:
        return claims_with_feet(world)
    side, base = form.side_of[seat], seat * KINDS
    held = world.hands[base + kind]
    meld = side * RANKS + kind
    if not world.opened[side]:
        if held >= 2 and opening_plan(world, with_top=True):
            found.append((2, 0, 0))
        return found
    frozen = world.frozen
    room = form.max_wilds - world.twos[meld] - world.jokers[meld]
    closed = world.sizes[meld] >= form.canasta
    if closed and not form.pair_onto_canasta:
        return found
    if held >= 2 and _may_end_turn(world, 2):
        found.append((2, 0, 0))
    if not frozen and form.takes_with_wild and held and room > 0:
        if world.hands[base + TWO] and _may_end_turn(world, 2):
            found.append((1, 1, 0))
        if world.hands[base + JOKER] and _may_end_turn(world, 2):
            found.append((1, 0, 1))
    adds = form.takes_by_adding and (form.top_onto_canasta or not closed)
    if adds and not frozen and world.naturals[meld] and _may_end_turn(world, 0):
        found.append((0, 0, 0))
    return found


def _may_end_turn(world: World, used: int) -> bool:
    """Return whether the seat can end its turn after taking the pile with `used` cards.

    It must have two cards left, or be allowed to go out.
    """
    left = world.held[world.turn] - used + len(world.pile) - 1
    if world.form.draw_with_pile:
        left += min(world.form.draw_with_pile, world.left)
    side = world.form.side_of[world.turn]
    return left >= 2 or may_go_out(world, side)


def must_take_pile(world: World, claims: list[ClaimingCards]) -> bool:
    """Return whether the seat must take the pile because the stock is empty."""
    if world.left or not claims or world.form.forced == FORCED_NEVER:
        return False
    return world.form.forced == FORCED_ALWAYS or (0, 0, 0) in claims


def choose_way_to_take(world: World, numbers: list[float], claims: list[ClaimingCards]) -> ClaimingCards | None:
    """Return the best of these ways to take the pile; None to draw or pass instead."""
    if not claims:
        return None
    if must_take_pile(world, claims):
        return (0, 0, 0) if (0, 0, 0) in claims else claims[0]
    size: float = (
        cards_coming_with_pile(world, taken=False)
        + 1
        + (numbers[TAKE_WILD] - 1) * (world.in_pile[TWO] + world.in_pile[JOKER])
    )
    opened = world.opened[world.form.side_of[world.turn]]
    if not world.left:
        size += 100
    if (0, 0, 0) in claims and size >= numbers[TAKE_ADD]:
        return (0, 0, 0)
    if (2, 0, 0) in claims and (size >= numbers[TAKE_PAIR] or not opened):
        return (2, 0, 0)
    if (1, 1, 0) in claims and size >= numbers[TAKE_TWO]:
        return (1, 1, 0)
    if (1, 0, 1) in claims and size >= numbers[TAKE_JOKER]:
        return (1, 0, 1)
    return None


# --- melds ------------------------------------------------------------------------------------------------------------


def choose_melds(world: World, numbers: list[float], *, stays: bool = False) -> list[CardsToLay]:
    """Return the melds to lay next, in order; empty if the seat discards.

    With `stays` the seat does not go out.
    """
    side = world.form.side_of[world.turn]
    if world.form.careful:
        return melds_with_feet(world, numbers, stays=stays)
    if not stays:
        plan = finishing_plan(world)
        if plan and should_go_out(world, numbers):
            return plan
    if not world.opened[side]:
        return opening_plan(world, most=ANY_COST if world.laid_points else int(numbers[OPEN_COST]))
    best = wild_meld_to_lay(world, numbers) if world.form.wild_melds else None
    if best is None:
        best = _next_meld(world, numbers)
    return [best] if best is not None else []


def may_deal_end_before_next_turn(world: World, numbers: list[float]) -> bool:
    """Return whether the deal may end before the seat's next turn."""
    form = world.form
    if world.left < form.draw * form.seats:
        return True
    side = form.side_of[world.turn]
    for seat in range(form.seats):
        other = form.side_of[seat]
        if other != side and world.canastas[other] >= form.canastas_needed and world.held[seat] <= numbers[HURRY_AT]:
            return not form.needs_sorts or may_go_out(world, other)
    return False


def _next_meld(world: World, numbers: list[float]) -> CardsToLay | None:
    """Return the best meld for a side that has opened; None if no meld is worthwhile.

    Two cards stay in the hand. Melds that complete a canasta come first.
    """
    form, seat = world.form, world.turn
    side, base = form.side_of[seat], seat * KINDS
    hands, held = world.hands, world.held[seat]
    twos, jokers = hands[base + TWO], hands[base + JOKER]
    wilds = wilds_for_ranks(world, side, twos + jokers) if form.needs_sorts else twos + jokers
    missing = world.canastas[side] < form.canastas_needed or (form.needs_sorts and not may_go_out(world, side))
    hurry = may_deal_end_before_next_turn(world, numbers)
    found: CardsToLay | None = None
    rank = 9
    for kind in range(RANKS):
        count = hands[base + kind]
        meld = side * RANKS + kind
        lying = world.sizes[meld]
        if count < 2 and not lying:
            continue
        wish: CardsToLay | None = None
        worth = 9
        if lying:
            room = min(wilds, form.max_wilds - world.twos[meld] - world.jokers[meld])
            lacks = form.canasta - lying - count
            lent = lacks - 1
            if 0 < lacks <= room and (lacks <= numbers[MOST_WILDS] or hurry):
                wish, worth = meld_with_wilds(kind, count, lacks, twos), 0
            elif missing and 0 < lent <= min(room, int(numbers[LEND])):
                wish, worth = meld_with_wilds(kind, count, lent, twos), 1
            elif count and (hurry or lacks <= 0 or count > 1 or held > numbers[ADD_KEEP]):
                wish, worth = (kind, count, 0, 0), 1
            # a wild card would make the natural canasta mixed
            elif hurry and room > 0 and (lacks > 0 or lying > world.naturals[meld]):
                wish, worth = meld_with_wilds(kind, 0, room, twos), 2
        elif count >= form.meld_min:
            at_once = hurry or not missing or count >= numbers[LONG_SET]
            if held - count > (0 if at_once else numbers[KEEP_FOR_SET]):
                wish, worth = (kind, count, 0, 0), 1
        elif form.meld_min - count <= wilds and (hurry or (missing and held >= numbers[PAIR_MELD])):
            wish, worth = meld_with_wilds(kind, count, form.meld_min - count, twos), 2
        if wish is not None and worth < rank and held - wish[1] - wish[2] - wish[3] >= 2:
            found, rank = wish, worth
    return found


# --- whole turns ------------------------------------------------------------------------------------------------------


def start_turn(world: World, numbers: list[float]) -> None:
    """Draw or take the pile; the deal may end instead if the stock is empty."""
    found = ways_to_take_pile(world)
    claim = choose_way_to_take(world, numbers, found)
    if claim is not None:
        take_pile(world, claim[0], claim[1], claim[2])
    elif world.left:
        draw_cards(world)
    else:
        world.ended = STOCK


def finish_turn(world: World, numbers: list[float]) -> None:
    """Lay melds and discard, after the draw; the turn may end earlier by a foot that a meld brings."""
    while world.ended == RUNNING and world.drew:
        plan = choose_melds(world, numbers)
        if not plan:
            break
        for kind, naturals, twos, jokers in plan:
            lay_meld(world, kind, naturals, twos, jokers)
    if world.ended == RUNNING and world.drew:
        discard_card(world, choose_discard(world, numbers))


def play_to_end_without_runs(world: World, numbers: list[list[float]]) -> None:
    """Play a deal without runs to its end; `numbers` holds a list of policy numbers for each side."""
    side_of = world.form.side_of
    while world.ended == RUNNING:
        own = numbers[side_of[world.turn]]
        if not world.drew:
            start_turn(world, own)
        if world.ended == RUNNING:
            finish_turn(world, own)
