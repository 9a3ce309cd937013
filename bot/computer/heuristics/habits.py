"""Habits: the weights of a rule-of-thumb player, so that levels differ only by data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final


@dataclass(frozen=True, kw_only=True)
class Habits:
    """The preferences of a player. Values are points of judgement, on the scale of card points."""

    # Melding
    keep_for_set: int = 4  # cards that stay in hand when a new set is laid before the side may go out
    long_set: int = 4  # size of a set that is laid although fewer cards stay
    hurry_at: int = 3  # the opponents' smallest hand at which it melds all it can
    lend_wilds: int = 1  # wild cards added to a meld so that one more card makes the side's first canasta
    keeps_natural: bool = False  # whether it puts no wild card on a natural canasta, even in a hurry

    # The smallest pile that it takes by adding the top card to a meld, with a pair, with a two, with a joker
    take_add_from: int = 1
    take_pair_from: int = 1
    take_two_from: int = 3
    take_joker_from: int = 4

    # Discarding: the value of a card that is kept
    keep_single: float = 2
    keep_pair: float = 20
    keep_set: float = 30
    keep_black_three: float = 4
    keep_two: float = 60
    keep_joker: float = 110
    open_weight: float = 1  # weight of a card's points while a high initial meld is due

    # Discarding: the danger that the next player takes the pile
    pile_card: float = 10  # value of one card of the pile to the next player
    dropped_again: float = 1  # factor of the probability for a rank among the next player's last discards
    pair_beside_meld: float = 1  # the same, where only a pair takes the pile, for a rank of its side's unfinished melds
    shed_early: float = 0  # value of discarding a dangerous card before the next side opens, weighed by later danger
    unopened_danger: float = 0.6  # probability that a side that has not opened can use its pair
    sees_closed: bool = False  # whether it minds which melds are full, and which ways to take the pile the rules have
    canasta_given: float = 0  # cost of giving the next player the last card of a canasta

    # Freezing the pile with a wild card
    freeze_from: int = 6  # smallest pile that is worth it
    freeze_behind: int = 200  # points by which the side must be behind
    freeze_card: float = 5  # value for each card of the pile

    # The end of the deal, in rules with more than sets of one rank (as all that follows)
    horizon: float = 0.25  # part of the stock that is still drawn before the deal ends
    horizon_more: float = 0.1  # addition for each canasta that the nearest side needs to go out
    held_back: float = 0.1  # part of a meld's prospects that is lost for each card held and not laid

    # Canastas, in points beyond their score
    needed_canasta: float = 400  # one of a sort that going out needs
    themed_canasta: float = 400  # one that a theme wants before others or for going out
    winning_canasta: float = 1500  # one that wins the game at once
    fed_winner: float = 1500  # cost of feeding such a canasta of the next player
    kept_for_opening: float = 60  # a card that the initial meld needs
    further_canasta: float = 150  # one of any other sort while some are missing

    # Wild cards
    two_spent: float = 50  # value of a two elsewhere
    joker_spent: float = 70  # value of a joker elsewhere
    wild_card_alone: float = 10  # cost of each wild card that begins a meld of wild cards
    wild_lock: float = 150  # cost of binding all other wild cards
    wilds_gathered: float = 0.5  # part of coming wild cards that can be spared for a wild meld

    # The hand and the foot
    caught: float = 1.0  # weight of points lost for too many aces or sevens in hand, by the turns left to discard them
    hand_kept: int = 5  # size of hand that it likes to keep
    short_hand: float = 12  # cost of each card below that
    foot_card: float = 12  # value of one card less in hand while a foot waits
    foot_taken: float = 600  # value of the canasta that brings the foot
    foot_wilds: int = -1  # most wild cards lent in a turn that empties the hand for the foot; -1: no such turns

    # Melds that cost points while they are unfinished
    begin_chance: float = 0  # least chance of finishing one that is begun
    unfinished: float = 1  # weight of its cost

    # Probabilities that the deal ends before the next turn: if opponents may go out and hold few cards (`hurry_at`), if
    # they may and hold more, if they may not
    out_soon: float = 0.5
    out_later: float = 0.2
    out_never: float = 0.05

    # The pile and the first meld, by prospects
    taken_card: float = 12  # value of each card of the pile
    take_at_all: float = 20  # value of its top card
    thrown: float = 0.5  # weight of prospects against discarding a card
    open_at: float = -400  # prospects that an initial meld may cost

    # Asking the partner
    ask_from: int = 5  # smallest hand of the partner at which it asks before going out
    say_no_from: int = 300  # gain of its next turn from which it says no when it is asked


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

STRONG: Final = CASUAL
"""The strong player's habits where its fitted numbers do not apply and no family has its own."""

BY_LEVEL: Final = {"easy": EASY, "casual": CASUAL, "strong": STRONG}
"""The habits of each level before the family of rules changes them."""
