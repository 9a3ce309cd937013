"""The rollout world: a deal as counts of cards by kind, and what can be read from it.

`bot.computer.rollout.moves` changes it in place. All hands are in one list, `KINDS` numbers a seat; the melds of all
sides likewise, `RANKS` numbers a side.
"""

from __future__ import annotations

from typing import Final

from bot.computer.rollout.form import BLACK_THREE, JOKER, KINDS, RANKS, RED_THREE, TWO, Form
from bot.computer.rollout.limited.face_down_feet import Feet, copy_feet, empty_feet
from bot.computer.rollout.runs.suits_and_runs import Suits, copy_suits

RUNNING: Final = 0
OUT: Final = 1
STOCK: Final = 2
LAST_RED: Final = 3


class World:
    """The cards of a deal in play.

    - `stock`: dealt from its end; only its first `left` cards are still there, so that copies can share it.
    - `known`: like `hands`, but only cards that all have seen come to a hand; `certain` is their number by seat.
    - `sizes`: the sizes of the melds; `wild_twos`, `wild_jokers`: the cards of each side's meld of wild cards alone.
    - `stock_out`: the seat that took the last card of the stock.
    - `top`: the rank of the pile's top that was taken in this turn.
    - `melded`: which seats have melded before this turn; `began`: a bit for each rank begun in it.
    - `suits`: only in forms with runs, which have the moves of `bot.computer.rollout.runs.moves`.
    """

    hands: list[int]
    known: list[int]
    certain: list[int]
    held: list[int]
    naturals: list[int]
    twos: list[int]
    jokers: list[int]
    sizes: list[int]
    blacks: list[int]
    wild_twos: list[int]
    wild_jokers: list[int]
    aside: list[int]
    talons: list[list[int]]
    canastas: list[int]
    opened: list[bool]
    minimum: list[int]
    reds: list[int]
    melded: list[bool]
    pile: list[int]
    in_pile: list[int]
    on_table: list[int]
    stock: list[int]
    suits: Suits | None
    feet: Feet | None

    def __init__(self, form: Form) -> None:
        self.form = form
        self.suits = None
        self.feet = None
        self.frozen = False
        self.left = 0
        self.stock_out = -1
        self.turn = 0
        self.turns = 0
        self.drew = False
        self.from_stock = False
        self.laid_points = 0
        self.waiting = False
        self.top = -1
        self.opens = False
        self.unlaid = -1
        self.began = 0
        self.joined = False
        self.ended = RUNNING
        self.out_seat = -1
        self.concealed = False


def empty_world(form: Form) -> World:
    """Return a world without cards."""
    world = World(form)
    world.hands = [0] * (form.seats * KINDS)
    world.known = [0] * (form.seats * KINDS)
    world.certain = [0] * form.seats
    world.held = [0] * form.seats
    world.naturals = [0] * (form.sides * RANKS)
    world.twos = [0] * (form.sides * RANKS)
    world.jokers = [0] * (form.sides * RANKS)
    world.sizes = [0] * (form.sides * RANKS)
    world.blacks = [0] * form.sides
    world.wild_twos = [0] * form.sides
    world.wild_jokers = [0] * form.sides
    world.aside = [0] * form.sides
    world.talons = [[] for _ in range(form.seats)]
    world.canastas = [0] * form.sides
    world.opened = [False] * form.sides
    world.minimum = [50] * form.sides
    world.reds = [0] * form.sides
    world.melded = [False] * form.seats
    world.pile = []
    world.in_pile = [0] * KINDS
    world.on_table = [0] * KINDS
    world.stock = []
    if form.runs:
        world.suits = Suits(form.seats, form.sides)
    world.feet = empty_feet(form) if form.foot_size else None
    return world


def copy_world(world: World) -> World:
    """Return an independent copy of the world; the stock's cards, the minimums and the form are shared."""
    other = World(world.form)
    other.hands = world.hands[:]
    other.known = world.known[:]
    other.certain = world.certain[:]
    other.held = world.held[:]
    other.naturals = world.naturals[:]
    other.twos = world.twos[:]
    other.jokers = world.jokers[:]
    other.sizes = world.sizes[:]
    other.blacks = world.blacks[:]
    if world.form.wild_melds:
        other.wild_twos = world.wild_twos[:]
        other.wild_jokers = world.wild_jokers[:]
    else:
        other.wild_twos = world.wild_twos
        other.wild_jokers = world.wild_jokers
    if world.form.careful:
        other.aside = world.aside[:]
        other.talons = world.talons[:]
        other.opens = world.opens
    else:
        other.aside = world.aside
        other.talons = world.talons
    other.canastas = world.canastas[:]
    other.opened = world.opened[:]
    other.minimum = world.minimum
    other.reds = world.reds[:]
    other.melded = world.melded[:]
    other.pile = world.pile[:]
    other.in_pile = world.in_pile[:]
    other.on_table = world.on_table[:]
    other.stock = world.stock
    other.frozen = world.frozen
    other.left = world.left
    other.stock_out = world.stock_out
    other.turn = world.turn
    other.turns = world.turns
    other.drew = world.drew
    other.from_stock = world.from_stock
    other.laid_points = world.laid_points
    other.waiting = world.waiting
    other.top = world.top
    other.began = world.began
    other.joined = world.joined
    if world.suits is not None:
        other.suits = copy_suits(world.suits)
    if world.feet is not None:
        other.feet = copy_feet(world.feet)
    return other


def cards_coming_with_pile(world: World, *, taken: bool) -> int:
    """Return how many cards come to a hand with the pile, besides its top.

    Threes that go to the table do not count. `taken` says that the top is gone from the pile.
    """
    form, below = world.form, len(world.pile) if taken else len(world.pile) - 1
    if form.pile_take:
        return min(below, form.pile_take - 1)
    if not form.keeps_reds:
        below -= world.in_pile[RED_THREE]
    return below - world.in_pile[BLACK_THREE] if form.blacks_leave else below


def may_go_out(world: World, side: int) -> bool:
    """Return whether the side has the canastas for going out."""
    form = world.form
    if world.canastas[side] < form.canastas_needed:
        return False
    if form.runs_needed and world.suits is not None and world.suits.finished[side] < form.runs_needed:
        return False
    if not form.needs_sorts:
        return True
    if form.wild_needed and wild_canastas(world, side) < form.wild_needed:
        return False
    naturals, mixed = canastas_by_sort(world, side)
    return naturals >= form.natural_needed and mixed >= form.mixed_needed


def wild_canastas(world: World, side: int) -> int:
    """Return the number of a side's canastas of wild cards alone."""
    if world.feet is not None:
        return world.feet.wild[side]
    return 1 if world.wild_twos[side] + world.wild_jokers[side] >= world.form.canasta else 0


def canastas_by_sort(world: World, side: int) -> tuple[int, int]:
    """Return the numbers of natural and of mixed canastas of a side."""
    naturals = mixed = 0
    if world.feet is not None:
        naturals, mixed = world.feet.naturals[side], world.feet.mixed[side]
    for meld in range(side * RANKS, (side + 1) * RANKS):
        if world.sizes[meld] >= world.form.canasta:
            if world.twos[meld] + world.jokers[meld]:
                mixed += 1
            else:
                naturals += 1
    return naturals, mixed


def points_of_wild_meld(world: World, side: int) -> int:
    """Return the points of the side's meld of wild cards."""
    form = world.form
    twos, jokers = world.wild_twos[side], world.wild_jokers[side]
    points = twos * form.values[TWO] + jokers * form.values[JOKER]
    return points + form.wild_bonus[jokers] if twos + jokers >= form.canasta else points
