"""The face-down feet of a rollout world, with the finished melds for which its lists have no place.

`World.feet` is None in rules without feet, so that copies of their worlds stay cheap.
"""

from __future__ import annotations

from bot.computer.rollout.form import JOKER, KINDS, RANKS, TWO, Form


class Feet:
    """The face-down feet, and the finished melds beside which others of the same rank may begin.

    - `cards`: the cards of the feet, `KINDS` numbers a seat; `waiting`: their number, zero once a foot is picked up.
    - `closed`: if canastas close (`Form.closes`), the finished melds of each rank, `RANKS` numbers a side; `naturals`
      and `mixed` count them by side, `wild` those of wild cards alone.
    - `points`: the points of finished melds, with bonuses.
    """

    cards: list[int]
    waiting: list[int]
    closed: list[int]
    naturals: list[int]
    mixed: list[int]
    wild: list[int]
    points: list[int]

    def __init__(self) -> None:
        pass


def empty_feet(form: Form) -> Feet:
    """Return feet without cards, and no finished melds."""
    feet = Feet()
    feet.cards = [0] * (form.seats * KINDS)
    feet.waiting = [0] * form.seats
    feet.closed = [0] * (form.sides * RANKS)
    feet.naturals = [0] * form.sides
    feet.mixed = [0] * form.sides
    feet.wild = [0] * form.sides
    feet.points = [0] * form.sides
    return feet


def copy_feet(feet: Feet) -> Feet:
    """Return an independent copy of the feet."""
    other = Feet()
    other.cards = feet.cards[:]
    other.waiting = feet.waiting[:]
    other.closed = feet.closed[:]
    other.naturals = feet.naturals[:]
    other.mixed = feet.mixed[:]
    other.wild = feet.wild[:]
    other.points = feet.points[:]
    return other


def count_closed_meld(feet: Feet, form: Form, side: int, kind: int, cards: tuple[int, int, int]) -> None:
    """Count a finished meld of that rank for a side; `cards` are its naturals, twos and jokers."""
    naturals, twos, jokers = cards
    points = naturals * form.values[kind] + twos * form.values[TWO] + jokers * form.values[JOKER]
    if twos + jokers:
        feet.mixed[side] += 1
        points += form.mixed_bonus[kind]
    else:
        feet.naturals[side] += 1
        points += form.natural_bonus[kind]
    feet.points[side] += points
    feet.closed[side * RANKS + kind] += 1


def foot_points(feet: Feet, form: Form, seat: int) -> int:
    """Return the points that a seat's foot costs its side if it was never picked up."""
    points = 0
    for kind in range(KINDS):
        points += feet.cards[seat * KINDS + kind] * form.held_values[kind]
    return points
