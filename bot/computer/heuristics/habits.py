"""Habits: the weights of a rule-of-thumb player, so that levels differ only by data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final


@dataclass(frozen=True, kw_only=True)
class Habits:
    """The preferences of a player. Values are points of judgement, on the scale of card points.

    Keeping cards: `keep_for_set` is how many cards stay in hand when a new set is laid before the side may go out,
    unless it is a `long_set`; `hurry_at` the opponents' smallest hand that makes it meld all it can; `lend_wilds` how
    many wild cards it adds to a meld so that one more card makes the side's first canasta;
    with `keeps_natural` it puts no wild card on a natural canasta, even in a hurry.

    The pile: `take_add_from` and the next three are the smallest piles that it takes by adding the top to a meld, with
    a pair, with a two, with a joker.

    Discarding: `keep_single` and the next five are the values of a card kept; `open_weight` is the weight of a
    card's points for a high initial meld; `pile_card` the value of one card of the pile to the next player;
    `unopened_danger` the probability that a side that has not opened can use its pair; `canasta_given` the cost of
    giving the next player the last card of a canasta. In rules with runs `names_suit` chooses the card of a rank whose
    suit costs least, where others leave it to the engine, and `run_given` is the cost of giving the last card of a run,
    less for a shorter run. The probability that the next player takes the pile is multiplied by
    `dropped_again` for a rank among its last discards, and, where only a pair takes the pile, by `pair_beside_meld` for
    a rank of which its side has an unfinished meld, to which it would have added a pair. `shed_early` is the value of
    parting with a dangerous card before the next side has opened, weighed by the later danger. `freeze_card` is the
    value of freezing, for each card of a pile of at least `freeze_from`, if the side is behind by `freeze_behind`.

    The other habits are for rules with more than sets of one rank. The deal: `horizon` is the part of the stock still
    drawn before the deal ends, and `horizon_more` the addition for each canasta that the nearest side needs to go out;
    `out_soon`, `out_later` and `out_never` the probabilities that it ends before the next turn. Canastas:
    `needed_canasta` is the value, beyond its points, of a sort that going out needs, `further_canasta` of any other
    while some are missing; `held_back` the part of a meld's prospects lost for each card held and not laid.

    Themes: `themed_canasta` is the value of a canasta that a theme wants before others or for going out,
    `winning_canasta` of one that wins the game at once, `fed_winner` the cost of feeding such a canasta of the next
    player, `kept_for_opening` the value of a card that the initial meld needs.

    Wild cards: `two_spent`, `joker_spent` and `wild_card_alone` are their values elsewhere, `wild_lock` the cost of
    binding all others, `wilds_gathered` the part of coming wild cards that can be spared for a wild meld. Hand:
    `caught` weighs the points lost for too many aces or sevens in hand, by the turns left to discard them; `hand_kept`
    is the size of hand it likes to keep and `short_hand` the cost of each card below that; `foot_card` the value of one
    card less while a foot waits, `foot_taken` of the canasta that brings it; `foot_wilds` is the most wild cards lent
    to a meld in a turn that empties the hand for the foot, -1 not to look for such turns. Melds that cost points while
    unfinished: `begin_chance` is the least chance of finishing one that is begun, `unfinished` the weight of its cost.
    `taken_card` is the value of a card of the pile and `take_at_all` of its top; `thrown` the weight of prospects
    against discarding a card, `open_at` the prospects an initial meld may cost.

    Going out: it asks its partner if that hand has at least `ask_from` cards; asked itself, it says no if its next turn
    could gain at least `say_no_from` points.
    """

    keep_for_set: int = 4
    long_set: int = 4
    hurry_at: int = 3
    lend_wilds: int = 1
    keeps_natural: bool = False

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
    dropped_again: float = 1
    pair_beside_meld: float = 1
    shed_early: float = 0
    unopened_danger: float = 0.6
    canasta_given: float = 0
    names_suit: bool = False
    run_given: float = 0
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
    foot_wilds: int = -1
    begin_chance: float = 0
    unfinished: float = 1
    out_soon: float = 0.5
    out_later: float = 0.2
    out_never: float = 0.05
    taken_card: float = 12
    take_at_all: float = 20
    thrown: float = 0.5
    open_at: float = -400

    ask_from: int = 5
    say_no_from: int = 300


FORMER: Final = Habits()
"""Habits of the first computer player, from before there were levels; only a yardstick, never offered at tables."""

CASUAL: Final = replace(FORMER, canasta_given=400, begin_chance=0.3, keeps_natural=True)
"""The casual player's habits: the former ones, but it begins no rash melds and spoils and gives no canasta."""

EASY: Final = replace(
    FORMER,
    keep_pair=FORMER.keep_single,
    keep_set=FORMER.keep_single,
    pile_card=0,
    lend_wilds=0,
    take_two_from=1,
    take_joker_from=1,
    open_weight=0,
)
"""The easy player's habits: keep no pairs, ignore the next player's melds, spend wild cards on any pile, lend none."""

STRONG: Final = replace(CASUAL, names_suit=True, run_given=500)
"""The strong player's habits where its fitted numbers do not apply and no family has its own."""

BY_LEVEL: Final = {"easy": EASY, "casual": CASUAL, "strong": STRONG}
"""The habits of each level before the family of rules changes them."""
