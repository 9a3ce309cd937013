"""Habits: the weights of a rule-of-thumb player, so that levels differ only by data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, kw_only=True)
class Habits:
    """What a player prefers. Worths are points of judgement, on the scale of a card's points.

    Holding: `keep_for_set` is how many cards stay in hand when a new set is laid before the side may go out, unless it
    is a `long_set`; `hurry_at` the opponents' smallest hand that makes it lay all it can; `lend_wilds` how many wild
    cards it puts on a meld so that one card more makes the side's first canasta.

    The pile: how many cards it must have to be taken by adding, with a pair, with a two, with a joker.

    Discarding: the worth of a card kept, by kind and by how many of its rank are held; `open_weight` how much a card's
    points count towards a high initial meld; `pile_card` the worth of one card of the pile to the next player, and
    `unopened_danger` how likely a side that has not opened can use its pair; `freeze_card` what freezing is worth for
    each card of a pile of `freeze_from` or more, when the side is behind by `freeze_behind`.

    More than sets of one rank. The deal: `horizon` is the part of the stock that is still drawn before it ends, and
    `horizon_more` what each canasta adds that the nearest side still needs for going out; `out_soon`, `out_later` and
    `out_never` how likely it is over before the next turn. Canastas: `needed_canasta` is what one of a kind that going
    out needs is worth beyond its points, `further_canasta` any other while some are missing; `held_back` what part of a
    meld's prospects each card costs that is held and not laid.

    Themes: `themed_canasta` is what a canasta is worth that a theme wants before others or for going out,
    `winning_canasta` one that wins the game at once, `fed_winner` what it costs to feed such a one of the next player,
    `kept_for_opening` a card that the first meld has to have.

    Wild cards: `two_spent`, `joker_spent` and `wild_card_alone` are what one is worth elsewhere, `wild_lock` what it
    costs to bind all others, `wilds_gathered` how many of those that come can be spared for a meld of their own. Hand:
    `caught` is how much the points weigh that too many aces or sevens in hand cost, by how few turns are left to part
    with them, `hand_kept` how many cards it likes to keep and `short_hand` what each below that costs, `foot_card` what
    a card less is worth while a foot waits, `foot_taken` the canasta with which it is taken up. `taken_card` is what a
    card of the pile is worth and `take_at_all` its top; `thrown` how far prospects count against throwing a card,
    `open_at` what prospects an initial meld may cost.

    Going out: from how many cards a partner is asked, and what its next turn must bring to say no.
    """

    keep_for_set: int = 4
    long_set: int = 4
    hurry_at: int = 3
    lend_wilds: int = 1

    take_add_from: int = 1
    take_pair_from: int = 1
    take_two_from: int = 3
    take_joker_from: int = 4

    keep_single: float = 2
    keep_pair: float = 20
    keep_set: float = 30
    keep_black_three: float = 4
    keep_two: float = 60
    keep_joker: float = 110
    open_weight: float = 1
    pile_card: float = 10
    unopened_danger: float = 0.6
    freeze_from: int = 6
    freeze_behind: int = 200
    freeze_card: float = 5

    horizon: float = 0.25
    horizon_more: float = 0.1
    held_back: float = 0.1
    needed_canasta: float = 400
    themed_canasta: float = 400
    winning_canasta: float = 1500
    fed_winner: float = 1500
    kept_for_opening: float = 60
    further_canasta: float = 150
    two_spent: float = 50
    joker_spent: float = 70
    wild_card_alone: float = 10
    wild_lock: float = 150
    wilds_gathered: float = 0.5
    caught: float = 1.0
    hand_kept: int = 5
    short_hand: float = 12
    foot_card: float = 12
    foot_taken: float = 600
    out_soon: float = 0.5
    out_later: float = 0.2
    out_never: float = 0.05
    taken_card: float = 12
    take_at_all: float = 20
    thrown: float = 0.5
    open_at: float = -400

    ask_from: int = 5
    say_no_from: int = 300


CASUAL: Final = Habits()
"""The casual player's habits, found by duplicate matches against itself and against random play."""
