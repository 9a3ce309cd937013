"""The moves of forms with runs: those of `bot.computer.rollout.moves`, which carry the suits along.

A rank's counts are those of its open set: the unfinished one, or the last canasta while no other has begun. Where three
cards could begin another set beside a canasta, they do. A pair that takes the pile joins an unfinished set of its rank.
"""

from __future__ import annotations

from typing import Final

from bot.computer.rollout.form import BLACK_THREE, JOKER, KINDS, RANKS, RED_THREE, TWO, WILD_RANK
from bot.computer.rollout.moves import add_to_set, pass_turn, remove_cards
from bot.computer.rollout.runs.suits_and_runs import CARDS, NONE, RUN, Suits
from bot.computer.rollout.world import LAST_RED, OUT, World

ONTO_RUN: Final = -1
"""The number of naturals in a claim by which the pile's top joins a run."""

SMALLEST: Final = 3
"""The fewest cards of a run."""


def suits_of(world: World) -> Suits:
    """Return the suits of a world with runs."""
    suits = world.suits
    assert suits is not None  # noqa: S101 - for the type checker: the form has runs
    return suits


# --- the start of a turn ----------------------------------------------------------------------------------------------


def draw_cards(world: World) -> None:
    """Draw from the stock, replacing red threes; a red three that cannot be replaced ends the deal."""
    suits, seat, stock = suits_of(world), world.turn, world.stock
    got = 0
    while got < world.form.draw and world.left:
        world.left -= 1
        kind = stock[world.left]
        if kind == RED_THREE:
            world.reds[world.form.side_of[seat]] += 1
        else:
            world.hands[seat * KINDS + kind] += 1
            if kind < RANKS:
                suits.hands[seat * CARDS + kind * 4 + suits.stock[world.left]] += 1
            got += 1
    world.held[seat] += got
    world.drew = True
    world.from_stock = True
    if not got:
        world.ended = LAST_RED


def take_pile(world: World, naturals: int, twos: int, jokers: int) -> None:
    """Meld the pile's top with a pair, or add it to a set or a run.

    Take the rest of the pile once the side has opened.
    """
    suits = suits_of(world)
    kind, suit = world.pile.pop(), suits.pile.pop()
    world.in_pile[kind] -= 1
    side = world.form.side_of[world.turn]
    world.drew = True
    world.from_stock = False
    world.waiting = True
    if naturals == ONTO_RUN:
        _lengthen_run(world, side, suit, kind, kind)
    else:
        _remove_rank(world, kind, naturals)
        remove_cards(world, TWO, twos)
        remove_cards(world, JOKER, jokers)
        if naturals:
            ends = not world.held[world.turn] and len(world.pile) == world.in_pile[RED_THREE]
            if ends or world.sizes[side * RANKS + kind] >= world.form.canasta:
                _close_set(world, side, kind)
        add_to_set(world, side, kind, naturals + 1, twos, jokers)
    if not world.opened[side]:
        values = world.form.values
        more = max(0, naturals)
        world.laid_points += (more + 1) * values[kind] + twos * values[TWO] + jokers * values[JOKER]
    _apply_effects_of_meld(world)


def _take_rest_of_pile(world: World) -> None:
    """Take the rest of the pile into the hand; lay out its red threes."""
    suits, seat = suits_of(world), world.turn
    base, cards = seat * KINDS, seat * CARDS
    for place in range(len(world.pile)):
        kind = world.pile[place]
        if kind == RED_THREE:
            world.reds[world.form.side_of[seat]] += 1
            continue
        world.hands[base + kind] += 1
        world.known[base + kind] += 1
        world.certain[seat] += 1
        world.held[seat] += 1
        if kind < RANKS:
            card = cards + kind * 4 + suits.pile[place]
            suits.hands[card] += 1
            suits.known[card] += 1
    world.pile = []
    suits.pile = []
    world.in_pile = [0] * KINDS
    world.frozen = False
    world.waiting = False


# --- melds ------------------------------------------------------------------------------------------------------------


def lay_meld(world: World, kind: int, naturals: int, twos: int, jokers: int) -> None:
    """Lay cards of the hand as a meld or onto one: a set, wild cards, black threes or a run.

    For a run `kind` is `RUN` plus the suit, `naturals` its lowest rank and `twos` its highest.
    """
    if kind >= RUN:
        _lay_run(world, kind - RUN, naturals, twos)
        return
    side = world.form.side_of[world.turn]
    values = world.form.values
    if kind == BLACK_THREE:
        remove_cards(world, kind, naturals)
        world.blacks[side] += naturals
        world.on_table[kind] += naturals
    elif kind == WILD_RANK:
        remove_cards(world, TWO, twos)
        remove_cards(world, JOKER, jokers)
        _add_to_wild_meld(world, side, twos, jokers)
    else:
        _remove_rank(world, kind, naturals)
        remove_cards(world, TWO, twos)
        remove_cards(world, JOKER, jokers)
        if begins_another_set(world, side, kind, naturals, twos + jokers):
            _close_set(world, side, kind)
        add_to_set(world, side, kind, naturals, twos, jokers)
    if not world.opened[side]:
        world.laid_points += naturals * values[kind] + twos * values[TWO] + jokers * values[JOKER]
    _apply_effects_of_meld(world)


def begins_another_set(world: World, side: int, kind: int, naturals: int, wilds: int) -> bool:
    """Return whether these cards begin another set beside a canasta of their rank."""
    form = world.form
    enough = naturals >= form.min_naturals and naturals + wilds >= form.meld_min
    return enough and world.sizes[side * RANKS + kind] >= form.canasta


def _lay_run(world: World, suit: int, low: int, high: int) -> None:
    """Lay the cards of a suit from `low` to `high`, as a new run or at an end of the unfinished one."""
    side = world.form.side_of[world.turn]
    for kind in range(low, high + 1):
        _remove_card(world, kind, suit)
        if not world.opened[side]:
            world.laid_points += world.form.values[kind]
    _lengthen_run(world, side, suit, low, high)
    _apply_effects_of_meld(world)


def _lengthen_run(world: World, side: int, suit: int, low: int, high: int) -> None:
    """Add the cards to the side's run of the suit, or begin one; a full run is counted as closed."""
    suits, form = suits_of(world), world.form
    place = side * 4 + suit
    for kind in range(low, high + 1):
        world.on_table[kind] += 1
    if suits.lows[place] == NONE:
        suits.lows[place], suits.highs[place] = low, high
        world.began |= 1 << RUN + suit
    else:
        suits.lows[place] = min(suits.lows[place], low)
        suits.highs[place] = max(suits.highs[place], high)
        if not world.began >> RUN + suit & 1:
            world.joined = True
    if suits.highs[place] - suits.lows[place] + 1 >= form.canasta:
        points = form.run_bonus
        for kind in range(suits.lows[place], suits.highs[place] + 1):
            points += form.values[kind]
        suits.closed[side] += points
        suits.finished[side] += 1
        world.canastas[side] += 1
        suits.lows[place], suits.highs[place] = NONE, NONE


def _close_set(world: World, side: int, kind: int) -> None:
    """Count the open set of a rank as closed, so that another may begin."""
    form, meld = world.form, side * RANKS + kind
    size = world.sizes[meld]
    if not size:
        return
    wilds = world.twos[meld] + world.jokers[meld]
    points = world.naturals[meld] * form.values[kind]
    points += world.twos[meld] * form.values[TWO] + world.jokers[meld] * form.values[JOKER]
    if size >= form.canasta:
        points += form.mixed_bonus[kind] if wilds else form.natural_bonus[kind]
    suits_of(world).closed[side] += points
    world.naturals[meld] = world.twos[meld] = world.jokers[meld] = world.sizes[meld] = 0


def _add_to_wild_meld(world: World, side: int, twos: int, jokers: int) -> None:
    """Add cards to the side's meld of wild cards; a full one is counted as closed, so another may begin."""
    form = world.form
    world.on_table[TWO] += twos
    world.on_table[JOKER] += jokers
    world.wild_twos[side] += twos
    world.wild_jokers[side] += jokers
    twos, jokers = world.wild_twos[side], world.wild_jokers[side]
    if twos + jokers < form.canasta:
        return
    suits_of(world).closed[side] += twos * form.values[TWO] + jokers * form.values[JOKER] + form.wild_bonus[jokers]
    world.canastas[side] += 1
    world.wild_twos[side] = world.wild_jokers[side] = 0


def _remove_rank(world: World, kind: int, count: int) -> None:
    """Remove cards of a rank from the hand of the seat in turn.

    Cards of the lowest suits go first, as in the engine.
    """
    suits, card = suits_of(world), world.turn * CARDS + kind * 4
    left = count
    for suit in range(4):
        while left and suits.hands[card + suit]:
            _remove_card(world, kind, suit)
            left -= 1


def _remove_card(world: World, kind: int, suit: int) -> None:
    """Remove a card from the hand of the seat in turn, if possible one that all have seen."""
    suits, seat = suits_of(world), world.turn
    card = seat * CARDS + kind * 4 + suit
    suits.hands[card] -= 1
    world.hands[seat * KINDS + kind] -= 1
    world.held[seat] -= 1
    if suits.known[card]:
        suits.known[card] -= 1
        world.known[seat * KINDS + kind] -= 1
        world.certain[seat] -= 1


def _apply_effects_of_meld(world: World) -> None:
    """Open the side, take the waiting pile or go out, as the last meld requires.

    The side opens if it has the minimum, the waiting pile is taken, and a seat with an empty hand goes out.
    """
    seat = world.turn
    side = world.form.side_of[seat]
    if not world.opened[side]:
        empty = not world.held[seat] and not (world.waiting and world.pile)
        if world.laid_points < world.minimum[side] and not empty:
            return
        world.opened[side] = True
    if world.waiting:
        _take_rest_of_pile(world)
    if not world.held[seat]:
        world.ended = OUT
        world.out_seat = seat


# --- the end of a turn ------------------------------------------------------------------------------------------------


def discard_card(world: World, kind: int, suit: int) -> None:
    """Discard a card of that kind and suit; the turn passes on, or the seat goes out with its last card."""
    suits, seat = suits_of(world), world.turn
    if kind < RANKS:
        _remove_card(world, kind, suit)
    else:
        remove_cards(world, kind, 1)
    world.pile.append(kind)
    suits.pile.append(suit)
    world.in_pile[kind] += 1
    if kind in (TWO, JOKER) or (kind == BLACK_THREE and world.form.freezes_black):
        world.frozen = True
    if not world.held[seat]:
        world.opened[world.form.side_of[seat]] = True
        world.ended = OUT
        world.out_seat = seat
        return
    pass_turn(world)
