"""The moves of the rollout world, which change it in place.

They check nothing: `bot.computer.rollout.policy` makes only legal ones. Forms with runs have moves of their own
(`bot.computer.rollout.runs.moves`).
"""

from __future__ import annotations

from bot.computer.rollout.form import BLACK_THREE, JOKER, KINDS, RANKS, RED_THREE, STOP, TWO, WILD_RANK
from bot.computer.rollout.limited.face_down_feet import count_closed_meld
from bot.computer.rollout.world import (
    LAST_RED,
    OUT,
    RUNNING,
    STOCK,
    World,
    cards_coming_with_pile,
    may_go_out,
    points_of_wild_meld,
)

# --- the start of a turn ----------------------------------------------------------------------------------------------


def draw_cards(world: World) -> None:
    """Draw from the stock; the deal ends if all that comes is a red three that nothing can replace."""
    seat = world.turn
    got = _take_from_stock(world, seat, world.form.draw)
    world.drew = True
    world.from_stock = True
    if not got:
        world.ended = LAST_RED


def _take_from_stock(world: World, seat: int, wanted: int) -> int:
    """Draw `wanted` cards, laying out red threes and replacing them; return the number drawn."""
    hands, base, stock = world.hands, seat * KINDS, world.stock
    laid_out = -1 if world.form.keeps_reds else RED_THREE
    got = 0
    while got < wanted and world.left:
        world.left -= 1
        kind = stock[world.left]
        if kind == laid_out and (world.left or world.form.last_three < 0):
            world.reds[world.form.side_of[seat]] += 1
        elif kind == BLACK_THREE and world.form.blacks_out and (world.left or world.form.last_three < 0):
            world.aside[world.form.side_of[seat]] += 1
        else:
            hands[base + kind] += 1
            got += 1
            if world.form.last_three >= 0 and kind >= BLACK_THREE and not world.left:
                _end_deal_if_last_card_is_three(world, seat, kind)
    world.held[seat] += got
    if not world.left and world.stock_out < 0:
        world.stock_out = seat
    return got


def _end_deal_if_last_card_is_three(world: World, seat: int, kind: int) -> None:
    """End the deal if this card, the last of the stock and now in the seat's hand, is a three."""
    if kind in (BLACK_THREE, RED_THREE):
        world.ended = LAST_RED
        world.unlaid = world.form.side_of[seat]


def take_pile(world: World, naturals: int, twos: int, jokers: int) -> None:
    """Meld the pile's top with these cards of the hand; take the rest once the side has opened."""
    kind = world.pile.pop()
    world.in_pile[kind] -= 1
    side = world.form.side_of[world.turn]
    world.drew = True
    world.from_stock = False
    world.waiting = True
    world.top = kind
    remove_cards(world, kind, naturals)
    remove_cards(world, TWO, twos)
    remove_cards(world, JOKER, jokers)
    add_to_set(world, side, kind, naturals + 1, twos, jokers)
    if not world.opened[side]:
        values = world.form.values
        world.laid_points += (naturals + 1) * values[kind] + twos * values[TWO] + jokers * values[JOKER]
    _apply_effects_of_meld(world)


def _take_rest_of_pile(world: World) -> None:
    """Take the rest of the pile into the hand; lay out its red threes."""
    seat = world.turn
    base = seat * KINDS
    if world.form.pile_take:
        _take_limited_part_of_pile(world, base)
        return
    for kind in world.pile:
        if kind == RED_THREE:
            world.reds[world.form.side_of[seat]] += 1
        elif kind == BLACK_THREE and world.form.blacks_leave:
            world.aside[world.form.side_of[seat]] += 1
        else:
            world.hands[base + kind] += 1
            world.known[base + kind] += 1
            world.certain[seat] += 1
            world.held[seat] += 1
    world.pile = []
    world.in_pile = [0] * KINDS
    world.frozen = world.form.always_frozen
    world.waiting = False


def _take_limited_part_of_pile(world: World, base: int) -> None:
    """Take the next cards of the pile into the hand that begins at `base`, as many as the rules allow."""
    form, seat = world.form, world.turn
    for _ in range(cards_coming_with_pile(world, taken=True)):
        kind = world.pile.pop()
        world.in_pile[kind] -= 1
        if kind == RED_THREE and not form.keeps_reds:
            world.reds[form.side_of[seat]] += 1
        else:
            world.hands[base + kind] += 1
            world.known[base + kind] += 1
            world.certain[seat] += 1
            world.held[seat] += 1
    world.frozen = form.always_frozen
    world.waiting = False


# --- melds ------------------------------------------------------------------------------------------------------------


def lay_meld(world: World, kind: int, naturals: int, twos: int, jokers: int) -> None:
    """Lay cards of the hand as a new meld, or add them to the side's meld of the rank.

    They may be black threes, in going out. With `JOKER` as the rank they are wild cards alone.
    """
    side = world.form.side_of[world.turn]
    values = world.form.values
    remove_cards(world, kind, naturals)
    if kind == BLACK_THREE:
        world.blacks[side] += naturals
        world.on_table[kind] += naturals
    else:
        remove_cards(world, TWO, twos)
        remove_cards(world, JOKER, jokers)
        if kind == WILD_RANK:
            _add_to_wild_meld(world, side, twos, jokers)
        else:
            add_to_set(world, side, kind, naturals, twos, jokers)
    if not world.opened[side]:
        world.laid_points += naturals * values[kind] + twos * values[TWO] + jokers * values[JOKER]
    _apply_effects_of_meld(world)


def remove_cards(world: World, kind: int, count: int) -> None:
    """Remove `count` cards of a kind from the hand of the seat in turn, first those that all have seen."""
    if not count:
        return
    seat = world.turn
    place = seat * KINDS + kind
    world.hands[place] -= count
    world.held[seat] -= count
    known = world.known[place]
    if known:
        world.known[place] = max(0, known - count)
        world.certain[seat] -= min(known, count)


def add_to_set(world: World, side: int, kind: int, naturals: int, twos: int, jokers: int) -> None:
    """Add cards to the side's open set of a rank; record a new canasta, or a meld begun in this turn."""
    meld = side * RANKS + kind
    before = world.sizes[meld]
    after = before + naturals + twos + jokers
    world.sizes[meld] = after
    world.naturals[meld] += naturals
    world.twos[meld] += twos
    world.jokers[meld] += jokers
    on_table = world.on_table
    on_table[kind] += naturals
    on_table[TWO] += twos
    on_table[JOKER] += jokers
    if before == 0:
        world.began |= 1 << kind
    elif not world.began >> kind & 1:
        world.joined = True
    if before < world.form.canasta <= after:
        world.canastas[side] += 1
        if world.form.closes:
            _set_canasta_aside(world, side, kind)


def _set_canasta_aside(world: World, side: int, kind: int) -> None:
    """Remove a canasta from the open melds, so that another meld of its rank may begin."""
    meld = side * RANKS + kind
    if world.feet is not None:
        cards = (world.naturals[meld], world.twos[meld], world.jokers[meld])
        count_closed_meld(world.feet, world.form, side, kind, cards)
    world.sizes[meld] = world.naturals[meld] = world.twos[meld] = world.jokers[meld] = 0


def _add_to_wild_meld(world: World, side: int, twos: int, jokers: int) -> None:
    """Put cards into the side's meld of wild cards, and record a new canasta or a meld begun in this turn."""
    before = world.wild_twos[side] + world.wild_jokers[side]
    world.wild_twos[side] += twos
    world.wild_jokers[side] += jokers
    world.on_table[TWO] += twos
    world.on_table[JOKER] += jokers
    if before == 0:
        world.began |= 1 << WILD_RANK
    elif not world.began >> WILD_RANK & 1:
        world.joined = True
    if before + twos + jokers >= world.form.canasta:
        world.canastas[side] += 1
        if world.feet is not None:
            close_wild_meld(world, side)


def close_wild_meld(world: World, side: int) -> None:
    """Remove a canasta of wild cards from the open melds, in rules with feet, so that another may begin."""
    if world.feet is not None:
        world.feet.wild[side] += 1
        world.feet.points[side] += points_of_wild_meld(world, side)
    world.wild_twos[side] = world.wild_jokers[side] = 0


def _apply_effects_of_meld(world: World) -> None:
    """Open the side, take the waiting pile or go out, as the last meld requires.

    The side opens if it has the minimum, the waiting pile is taken, and a seat with an empty hand goes out.
    """
    seat = world.turn
    side = world.form.side_of[seat]
    if not world.opened[side]:
        empty = not world.held[seat] and not (world.waiting and world.pile)
        if world.laid_points < world.minimum[side] and not empty and not _opens_by_canasta(world, side):
            return
        world.opened[side] = True
    if world.waiting:
        _take_rest_of_pile(world)
        if world.form.draw_with_pile and world.left:
            if not _take_from_stock(world, seat, world.form.draw_with_pile):
                world.ended = LAST_RED
            return
    if not world.held[seat]:
        if not _take_up_foot(world, seat):
            _go_out(world, seat)
        elif not world.form.foot_runs and world.ended == RUNNING:
            pass_turn(world)


def _opens_by_canasta(world: World, side: int) -> bool:
    """Return whether the side opens without the minimum, by a canasta with the pile's top."""
    form = world.form
    return form.canasta_of_top_opens and world.waiting and world.sizes[side * RANKS + world.top] >= form.canasta


# --- feet -------------------------------------------------------------------------------------------------------------


def _take_up_foot(world: World, seat: int) -> bool:
    """Give the seat its foot, laying out and replacing red threes; return False if it has no foot."""
    feet = world.feet
    if feet is None or not feet.waiting[seat]:
        return False
    base = seat * KINDS
    for kind in range(KINDS):
        world.hands[base + kind] += feet.cards[base + kind]
        feet.cards[base + kind] = 0
    world.held[seat] += feet.waiting[seat]
    feet.waiting[seat] = 0
    if not world.form.keeps_reds:
        _lay_out_reds(world, seat)
    return True


# --- going out --------------------------------------------------------------------------------------------------------


def _go_out(world: World, seat: int, *, discarded: bool = False) -> None:
    """End the deal, because the seat has no card left."""
    world.ended = OUT
    world.out_seat = seat
    world.concealed = _is_concealed(world, seat, discarded=discarded)


def _is_concealed(world: World, seat: int, *, discarded: bool) -> bool:
    """Return whether the seat goes out concealed.

    Usually it must have melded only in this turn, in some forms with a canasta of its own. In other forms it must lay
    all its cards without a discard.
    """
    form = world.form
    if form.concealed_without_discard:
        return not discarded
    if world.melded[seat]:
        return False
    if not form.concealed_needs_canasta:
        return True
    if world.joined:
        return False
    side = form.side_of[seat]
    if world.began >> WILD_RANK & 1 and world.wild_twos[side] + world.wild_jokers[side] >= form.canasta:
        return True
    return any(world.began >> kind & 1 and world.sizes[side * RANKS + kind] >= form.canasta for kind in range(RANKS))


# --- the end of a turn ------------------------------------------------------------------------------------------------


def discard_card(world: World, kind: int) -> None:
    """Discard a card of that kind; the turn passes on, or the seat goes out with its last card."""
    seat = world.turn
    remove_cards(world, kind, 1)
    world.pile.append(kind)
    world.in_pile[kind] += 1
    if kind in (TWO, JOKER) or (kind == BLACK_THREE and world.form.freezes_black):
        world.frozen = True
    talon = _set_talon_aside(world, seat) if world.opens and world.form.talon else False
    if not world.held[seat] and talon and not may_go_out(world, world.form.side_of[seat]):
        pass_turn(world)
    elif not world.held[seat] and not _take_up_foot(world, seat):
        world.opened[world.form.side_of[seat]] = True
        _go_out(world, seat, discarded=True)
    elif world.ended == RUNNING:
        pass_turn(world)


def pass_turn(world: World) -> None:
    """Begin the next seat's turn; in some rules the deal ends instead with an empty stock."""
    seat = world.turn
    if not world.left and world.form.stock_end and (world.form.stock_end == STOP or world.stock_out != seat):
        world.ended = STOCK
        return
    if world.began or world.joined:
        world.melded[seat] = True
    world.turn = seat + 1 if seat + 1 < world.form.seats else 0
    world.turns += 1
    begin_turn(world)


def begin_turn(world: World) -> None:
    """Reset the fields of the turn, and lay out the red threes dealt to the seat in its first turn."""
    world.drew = False
    world.from_stock = False
    world.laid_points = 0
    world.began = 0
    world.joined = False
    if world.form.late_reds:
        _lay_out_reds(world, world.turn)
    if world.form.careful:
        world.opens = not world.opened[world.form.side_of[world.turn]]
        if world.talons[world.turn]:
            _take_talon(world, world.turn)


def _lay_out_reds(world: World, seat: int) -> None:
    """Lay out and replace the red threes dealt to the seat.

    The deal ends if the last card of the stock is a red three.
    """
    place = seat * KINDS + RED_THREE
    count = world.hands[place]
    if not count:
        return
    world.hands[place] = 0
    world.held[seat] -= count
    world.reds[world.form.side_of[seat]] += count
    had = world.left
    _take_from_stock(world, seat, count)
    if had and not world.left and world.stock[0] == RED_THREE:
        world.ended = LAST_RED


# --- cards set aside for a seat that opens ----------------------------------------------------------------------------


def _set_talon_aside(world: World, seat: int) -> bool:
    """Set cards of the stock aside for a seat whose side has opened in this turn.

    Return False if it gets none.
    """
    form = world.form
    side = form.side_of[seat]
    if not world.opened[side] or not world.from_stock or world.left < form.talon_stock:
        return False
    before = -1
    for opened in world.opened:
        before += opened
    if before >= len(form.talon):
        return False
    count = min(form.talon[before], world.left - 1)
    world.talons[seat] = world.stock[world.left - count : world.left]
    world.left -= count
    return True


def _take_talon(world: World, seat: int) -> None:
    """Give the seat the cards set aside for it; threes are laid out and replaced."""
    side, base = world.form.side_of[seat], seat * KINDS
    threes = 0
    for kind in world.talons[seat]:
        if kind == RED_THREE:
            world.reds[side] += 1
            threes += 1
        elif kind == BLACK_THREE and world.form.blacks_out:
            world.aside[side] += 1
            threes += 1
        else:
            world.hands[base + kind] += 1
            world.held[seat] += 1
    world.talons[seat] = []
    if threes:
        had = world.left
        _take_from_stock(world, seat, threes)
        laid_out = world.stock[0] == RED_THREE or (world.stock[0] == BLACK_THREE and world.form.blacks_out)
        if had and not world.left and laid_out:
            world.ended = LAST_RED
