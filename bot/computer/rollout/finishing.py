"""Going out: find melds that lay the whole hand, and decide whether to go out now."""

from __future__ import annotations

from typing import Final

from bot.computer.rollout.form import BLACK_THREE, JOKER, KINDS, RANKS, TWO, WILD_RANK
from bot.computer.rollout.policy_numbers import OUT_MARGIN, CardsToLay
from bot.computer.rollout.scores import points_lost_by_hand, table_points
from bot.computer.rollout.wild_melds import room_for_wild_meld
from bot.computer.rollout.world import World, may_go_out

LARGEST: Final = 14
"""With more cards in hand than this, going out is not considered."""

ALWAYS: Final = -10_000
"""If the number `OUT_MARGIN` is at most this, a seat goes out whenever it can."""

CARD_POINTS: Final = 10
"""Approximate points of an unseen card."""


class FinishPlan:
    """The melds that lay a whole hand, each with its rank, cards, wild cards, room, and missing cards.

    Missing are the cards that the meld lacks for a canasta. `alone` is the least number of wild cards that a meld of
    them needs, `alone_room` the most that it takes; after `_spend_wilds` `alone` is the number that join it.
    """

    alone: int = 0
    alone_room: int = 0

    def __init__(self) -> None:
        self.melds: list[list[int]] = []
        self.canastas = 0
        self.wilds = 0
        self.spare = 1


def finishing_plan(world: World) -> list[CardsToLay] | None:
    """Return melds that lay the whole hand but at most one card; None if the seat cannot go out.

    The remaining card is discarded, so for a hand of one card the list is empty. Black threes come last.
    """
    form, seat = world.form, world.turn
    if world.held[seat] > LARGEST or world.waiting:
        return None
    side, base = form.side_of[seat], seat * KINDS
    finish = FinishPlan()
    finish.canastas = world.canastas[side]
    finish.wilds = world.hands[base + TWO] + world.hands[base + JOKER]
    blacks = world.hands[base + BLACK_THREE]
    if blacks in (1, 2) or blacks > 4:
        finish.spare -= blacks if blacks <= 2 else blacks - 4
    if form.wild_melds:
        finish.alone, finish.alone_room = room_for_wild_meld(world, side)
    if not _gather_melds(world, finish) or not _spend_wilds(finish, form.canastas_needed):
        return None
    plan = _melds_to_lay(finish, world.hands[base + TWO])
    if form.needs_sorts and not _has_needed_canastas(world, side, plan):
        return None
    if not world.opened[side] and not _can_open_with(world, plan):
        return None
    if 3 <= blacks:
        plan.append((BLACK_THREE, min(blacks, 4), 0, 0))
    return plan


def _gather_melds(world: World, finish: FinishPlan) -> bool:
    """Collect all melds that the hand can begin or add to; return whether enough cards fit.

    They do not if more cards fit nowhere than may be left.
    """
    form, seat = world.form, world.turn
    side, base, hands = form.side_of[seat], seat * KINDS, world.hands
    for kind in range(RANKS):
        if finish.spare < 0 or finish.wilds < 0:
            return False
        count = hands[base + kind]
        meld = side * RANKS + kind
        lying = world.sizes[meld]
        if count == 1 and not lying:
            finish.spare -= 1
        elif count or lying:
            lacks = 0 if lying else max(0, form.meld_min - count)
            size = lying + count
            if lying < form.canasta <= size:
                finish.canastas += 1
            finish.wilds -= lacks
            room = form.max_wilds - world.twos[meld] - world.jokers[meld]
            if form.needs_sorts and size >= form.canasta and room == form.max_wilds:
                room = 0  # a wild card would make the natural canasta mixed
            if form.shuts_wilds:
                room = max(0, min(room, form.canasta - lying))
            finish.melds.append([form.canasta - size - lacks, kind, count, lacks, room])
    return finish.spare >= 0 and finish.wilds >= 0


def _spend_wilds(finish: FinishPlan, needed: int) -> bool:
    """Assign the wild cards, first to the canastas still needed; return whether at most one is left.

    The rest goes wherever it fits. Fewer canastas than `needed` make the result False too.
    """
    finish.melds.sort()
    for one in finish.melds:
        if finish.canastas >= needed:
            break
        if 0 < one[0] <= min(finish.wilds, one[4] - one[3]):
            finish.wilds -= one[0]
            one[3] += one[0]
            finish.canastas += 1
    alone = _spend_wilds_alone(finish, needed) if finish.alone_room else 0
    if finish.canastas < needed:
        return False
    for one in finish.melds:
        more = min(finish.wilds, one[4] - one[3])
        if more > 0:
            finish.wilds -= more
            one[3] += more
    if finish.wilds > finish.spare and not alone and finish.alone <= finish.wilds <= finish.alone_room:
        alone, finish.wilds = finish.wilds, 0
    finish.alone = alone
    return finish.wilds <= finish.spare


def _spend_wilds_alone(finish: FinishPlan, needed: int) -> int:
    """Assign wild cards to a meld of wild cards alone; return their number.

    They must make it a canasta, or join one that is on the table.
    """
    if finish.wilds >= finish.alone_room:
        alone = finish.alone_room
        finish.canastas += 1
    elif finish.alone == 1 and finish.canastas >= needed:
        alone = finish.wilds
    else:
        return 0
    finish.wilds -= alone
    return alone


def _melds_to_lay(finish: FinishPlan, twos: int) -> list[CardsToLay]:
    """Return the melds of the plan, with twos spent before jokers; wild cards alone come last."""
    plan: list[CardsToLay] = []
    for one in finish.melds:
        two = min(one[3], twos)
        twos -= two
        if one[2] + one[3]:
            plan.append((one[1], one[2], two, one[3] - two))
    if finish.alone:
        two = min(finish.alone, twos)
        plan.append((WILD_RANK, 0, two, finish.alone - two))
    return plan


def _has_needed_canastas(world: World, side: int, plan: list[CardsToLay]) -> bool:
    """Return whether these melds give the side the canastas of each sort that going out requires."""
    form = world.form
    sizes, wilds = world.sizes[side * RANKS : (side + 1) * RANKS], [0] * RANKS
    alone = world.wild_twos[side] + world.wild_jokers[side]
    for kind in range(RANKS):
        wilds[kind] = world.twos[side * RANKS + kind] + world.jokers[side * RANKS + kind]
    for kind, naturals, twos, jokers in plan:
        if kind == WILD_RANK:
            alone += twos + jokers
        elif kind < RANKS:
            sizes[kind] += naturals + twos + jokers
            wilds[kind] += twos + jokers
    natural = mixed = 0
    for kind in range(RANKS):
        if sizes[kind] >= form.canasta:
            if wilds[kind]:
                mixed += 1
            else:
                natural += 1
    wild = 1 if alone >= form.canasta else 0
    return natural >= form.natural_needed and mixed >= form.mixed_needed and wild >= form.wild_needed


def _can_open_with(world: World, plan: list[CardsToLay]) -> bool:
    """Return whether a side that has not opened may go out with these melds."""
    form = world.form
    points = world.laid_points
    for kind, naturals, twos, jokers in plan:
        points += naturals * form.values[kind] + twos * form.values[TWO] + jokers * form.values[JOKER]
    enough = points >= world.minimum[form.side_of[world.turn]]
    return enough or (form.concealed_waives and world.from_stock)


def should_go_out(world: World, numbers: list[float]) -> bool:
    """Return whether the seat should go out now.

    It should if an opponent may go out, if the stock is empty, or if its side leads the deal by enough.
    """
    form, seat = world.form, world.turn
    side = form.side_of[seat]
    margin = numbers[OUT_MARGIN]
    if margin <= ALWAYS or not world.left:
        return True
    best = -(10**6)
    for other in range(form.sides):
        if other != side:
            if may_go_out(world, other):
                return True
            best = max(best, table_points(world, other) - CARD_POINTS * _number_of_cards(world, other))
    own = table_points(world, side) + points_lost_by_hand(world, seat) + form.out_bonus
    own -= CARD_POINTS * (_number_of_cards(world, side) - world.held[seat])
    return own - best >= margin


def _number_of_cards(world: World, side: int) -> int:
    """Return the number of cards in a side's hands."""
    cards = 0
    for seat in range(world.form.seats):
        if world.form.side_of[seat] == side:
            cards += world.held[seat]
            if world.feet is not None:
                cards += world.feet.waiting[seat]
    return cards
