"""Laying a whole hand in rules with feet, to go out or to get the foot that comes with an empty hand."""

from __future__ import annotations

from bot.computer.rollout.form import BLACK_THREE, JOKER, KINDS, RANKS, RED_THREE, TWO, WILD_RANK
from bot.computer.rollout.limited.meld_limits import is_rank_closed, most_naturals, most_wilds, room_for_wilds
from bot.computer.rollout.policy_numbers import CardsToLay
from bot.computer.rollout.wild_melds import room_for_wild_meld
from bot.computer.rollout.world import World, canastas_by_sort, wild_canastas


class MeldPart:
    """The cards of a rank that are laid in one meld.

    - `count`: the number of naturals from the hand.
    - `given`: the number of wild cards laid with them, at most `room`.
    - `size`, `naturals`: the numbers of cards in the whole meld after laying, without the `given` wild cards.
    """

    def __init__(self, kind: int, count: int, size: int, naturals: int) -> None:
        self.kind = kind
        self.count = count
        self.size = size
        self.naturals = naturals
        self.given = 0
        self.room = 0

    def is_pure(self) -> bool:
        """Return whether the whole meld has no wild card."""
        return self.size == self.naturals and not self.given


class HandDivision:
    """A hand divided into parts to lay, with the wild cards not assigned yet.

    `spare` is the number of cards that may be left. `alone` is the number of wild cards laid as a meld of their own.
    """

    def __init__(self) -> None:
        self.parts: list[MeldPart] = []
        self.wilds = 0
        self.alone = 0
        self.spare = 1


def plan_to_lay_down(world: World, *, going_out: bool, most_wilds_lent: int = 99) -> list[CardsToLay] | None:
    """Return melds that lay the whole hand but at most one card to discard; None if there are none.

    With `going_out` they make the canastas that the side needs for going out. Without it at most `most_wilds_lent`
    wild cards are used with naturals.
    """
    form, seat = world.form, world.turn
    side, base, hands = form.side_of[seat], seat * KINDS, world.hands
    down = HandDivision()
    down.spare -= hands[base + BLACK_THREE] + hands[base + RED_THREE]
    twos = hands[base + TWO]
    held = down.wilds = twos + hands[base + JOKER]
    if down.spare < 0 or not _divide_naturals(world, down):
        return None
    if going_out and not (_complete_wild_canastas(world, down, side) and _complete_canastas(world, down, side)):
        return None
    _lay_wilds_alone(world, down, side)
    _give_remaining_wilds(world, down)
    if down.wilds > down.spare or (not going_out and held - down.wilds - down.alone > most_wilds_lent):
        return None
    if going_out and not _may_go_out_with(world, down, side):
        return None
    if going_out and form.must_discard and not _keep_a_card(world, down, side):
        return None
    return _melds_to_lay(down, twos)


def room_for_wilds_alone(world: World, side: int) -> int:
    """Return the most wild cards that the side may lay as a meld of their own."""
    return room_for_wild_meld(world, side)[1] if world.form.wild_melds else 0


def _complete_wild_canastas(world: World, division: HandDivision, side: int) -> bool:
    """Lay wild cards alone until the side has the wild canasta that going out needs.

    Return False if there are too few.
    """
    form, done = world.form, wild_canastas(world, side)
    if done >= form.wild_needed:
        return True
    division.alone = room_for_wilds_alone(world, side)
    division.wilds -= division.alone
    return division.wilds >= 0 and done + 1 >= form.wild_needed


def _lay_wilds_alone(world: World, division: HandDivision, side: int) -> None:
    """Lay the remaining wild cards alone as far as they fit."""
    room = room_for_wilds_alone(world, side)
    more = min(division.wilds, room - division.alone)
    if more > 0 and (division.alone or room < world.form.canasta or more >= world.form.meld_min):
        division.alone += more
        division.wilds -= more


def _divide_naturals(world: World, division: HandDivision) -> bool:
    """Divide the naturals among melds; return False if more of them fit nowhere than may be left."""
    form, seat = world.form, world.turn
    side, base = form.side_of[seat], seat * KINDS
    for kind in range(RANKS):
        count = world.hands[base + kind]
        meld = side * RANKS + kind
        if world.sizes[meld]:
            more = most_naturals(world, meld, count)
            part = MeldPart(kind, more, world.sizes[meld] + more, world.naturals[meld] + more)
            part.room = room_for_wilds(world, meld, more)
            division.parts.append(part)
            count -= more
        while count > 1 and not _is_closed_to_new_melds(world, meld):
            more = min(count, form.canasta) if form.full else count
            part = MeldPart(kind, more, more, more)
            part.room = room_for_wilds(world, meld, more) if form.strict_wilds else most_wilds(form, more)
            if form.full:
                part.room = min(part.room, form.canasta - more)
            part.given = max(0, form.meld_min - more)
            division.wilds -= part.given
            if division.wilds < 0 or part.given > part.room:
                return False
            division.parts.append(part)
            count -= more
            if form.full and not form.closes:
                break
        division.spare -= count
        if division.spare < 0:
            return False
    return True


def _is_closed_to_new_melds(world: World, meld: int) -> bool:
    """Return whether no new meld of the rank may begin.

    The side may have one already that blocks it, or a canasta may have closed the rank.
    """
    form = world.form
    if form.full and not form.closes and world.sizes[meld]:
        return True
    return form.dead_ranks and is_rank_closed(world, meld % RANKS)


def _complete_canastas(world: World, division: HandDivision, side: int) -> bool:
    """Give wild cards to melds until the side has the canastas that it needs; return whether it has.

    It needs a number of mixed canastas, and a number of all.
    """
    form = world.form
    naturals, mixed = _canastas_after(world, division, side)
    wild = _wild_canastas_after(world, division, side)
    lacking = max(form.mixed_needed - mixed, form.canastas_needed - naturals - mixed - wild)
    while lacking > 0:
        best, least = -1, 99
        for place in range(len(division.parts)):
            part = division.parts[place]
            lacks = form.canasta - part.size - part.given
            if 0 < lacks <= min(division.wilds, part.room - part.given) and lacks < least:
                best, least = place, lacks
        if best < 0:
            return False
        division.parts[best].given += least
        division.wilds -= least
        lacking -= 1
    return True


def _canastas_after(world: World, division: HandDivision, side: int) -> tuple[int, int]:
    """Return the numbers of natural and of mixed canastas that the side has after laying the parts."""
    canasta = world.form.canasta
    naturals, mixed = canastas_by_sort(world, side)
    for part in division.parts:
        if part.size + part.given < canasta:
            continue
        if part.is_pure():
            naturals += 1
        else:
            mixed += 1
        lying = world.sizes[side * RANKS + part.kind]
        if lying >= canasta:  # `canastas_by_sort` has counted this canasta already
            if world.naturals[side * RANKS + part.kind] == lying:
                naturals -= 1
            else:
                mixed -= 1
    return naturals, mixed


def _wild_canastas_after(world: World, division: HandDivision, side: int) -> int:
    """Return the number of wild canastas that the side has after laying the parts."""
    return wild_canastas(world, side) + (
        1 if division.alone and division.alone == room_for_wilds_alone(world, side) else 0
    )


def _may_go_out_with(world: World, division: HandDivision, side: int) -> bool:
    """Return whether the side may go out with these melds."""
    form = world.form
    naturals, mixed = _canastas_after(world, division, side)
    if form.out_clean and _leaves_meld_unfinished(world, division, side):
        return False
    enough = naturals + mixed + _wild_canastas_after(world, division, side) >= form.canastas_needed
    return enough and naturals >= form.natural_needed and mixed >= form.mixed_needed


def _leaves_meld_unfinished(world: World, division: HandDivision, side: int) -> bool:
    """Return whether a meld stays unfinished which must be a canasta before the side may go out."""
    form = world.form
    alone = world.wild_twos[side] + world.wild_jokers[side] + division.alone
    if 0 < alone < form.canasta:
        return True
    return any(form.must_finish[one.kind] and one.is_pure() and one.size < form.canasta for one in division.parts)


def _keep_a_card(world: World, division: HandDivision, side: int) -> bool:
    """Take a card back from a part if none would be left to discard; return whether one is left."""
    left = world.held[world.turn] - division.alone
    for part in division.parts:
        left -= part.count + part.given
    if left:
        return True
    for part in division.parts:
        least = 1 if world.sizes[side * RANKS + part.kind] else world.form.meld_min + 1
        if part.count + part.given < least:
            continue
        natural = 0 if part.given else 1
        part.given -= 1 - natural
        part.count, part.size, part.naturals = part.count - natural, part.size - natural, part.naturals - natural
        if _may_go_out_with(world, division, side):
            return True
        part.given += 1 - natural
        part.count, part.size, part.naturals = part.count + natural, part.size + natural, part.naturals + natural
    return False


def _give_remaining_wilds(world: World, division: HandDivision) -> None:
    """Give the remaining wild cards to melds, first to those that have some.

    No natural canasta gets one.
    """
    for pure in (False, True):
        for part in division.parts:
            if part.is_pure() == pure and not (pure and part.size >= world.form.canasta):
                more = min(division.wilds, part.room - part.given)
                if more > 0:
                    part.given += more
                    division.wilds -= more


def _melds_to_lay(division: HandDivision, twos: int) -> list[CardsToLay]:
    """Return the parts of the divided hand as melds to lay, with twos spent before jokers."""
    plan: list[CardsToLay] = []
    if division.alone:
        two = min(division.alone, twos)
        twos -= two
        plan.append((WILD_RANK, 0, two, division.alone - two))
    for part in division.parts:
        two = min(part.given, twos)
        twos -= two
        if part.count + part.given:
            plan.append((part.kind, part.count, two, part.given - two))
    return plan
