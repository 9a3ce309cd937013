"""Habits: the weights of a rule-of-thumb player, so that levels differ only by data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final


@dataclass(frozen=True, kw_only=True)
class Habits:
    """The preferences of a player; values and costs are in points of judgement, scaled like card points."""

    # Melding
    keep_for_set: int = 4  # cards that must stay in hand when a new set is laid, until the side may go out
    long_set: int = 4  # size from which a set is laid even if fewer cards stay
    hurry_at: int = 3  # the player melds all it can if an opponent who may go out holds at most this many cards
    lend_wilds: int = 1  # most wild cards added to a meld so that one more card makes it a canasta
    keeps_natural: bool = False  # whether the player never puts a wild card on a natural canasta, even in a hurry

    # Smallest piles worth taking: by adding the top card to a meld, with a pair, with a two, with a joker
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
    open_weight: float = 1  # weight of a card's points while the side needs a high initial meld

    # Discarding: the danger that the next player takes the pile
    pile_card: float = 10  # value of each card of the pile to the next player
    dropped_again: float = 1  # factor of the danger for a rank that the next player has discarded lately
    pair_beside_meld: float = 1  # factor of the danger for a rank of an unfinished meld, if only a pair takes the pile
    shed_early: float = 0  # value of discarding a dangerous card before the next side opens, weighed by later danger
    unopened_danger: float = 0.6  # probability that a side that has not opened can take the pile with a pair
    sees_closed: bool = False  # whether the player notices full melds, and which ways to take the pile the rules have
    canasta_given: float = 0  # cost of giving the next player the last card of a canasta

    # Freezing the pile with a wild card
    freeze_from: int = 6  # smallest pile worth freezing
    freeze_behind: int = 200  # points by which the side must be behind for freezing
    freeze_card: float = 5  # value of freezing, for each card of the pile

    # The end of the deal; this and all that follows concerns only rules with more than sets of one rank
    horizon: float = 0.25  # part of the stock that is expected to be drawn before the deal ends
    horizon_more: float = 0.1  # addition to that part for each canasta that the nearest side still needs to go out
    held_back: float = 0.1  # part of a meld's prospects that is lost for each of its cards held in the hand

    # Values of canastas, beyond the points that they score
    needed_canasta: float = 400  # value of a canasta of a sort that going out needs
    themed_canasta: float = 400  # value of a canasta that a theme wants before others or for going out
    winning_canasta: float = 1500  # value of a canasta that wins the game at once
    fed_winner: float = 1500  # cost of giving the next player a card of a canasta that wins the game
    kept_for_opening: float = 60  # value of keeping a card that a theme demands in the initial meld
    further_canasta: float = 150  # value of a canasta of any other sort while the side needs more to go out

    # Wild cards
    two_spent: float = 50  # value that a two would have in another meld
    joker_spent: float = 70  # value that a joker would have in another meld
    wild_card_alone: float = 10  # cost of each wild card that begins a meld of wild cards
    wild_lock: float = 150  # cost of a meld of wild cards that binds all other wild cards
    wilds_gathered: float = 0.5  # part of the wild cards still to come that can be spared for a meld of them

    # The hand and the foot
    caught: float = 1.0  # weight of points lost for too many aces or sevens in hand, by the turns left to discard them
    hand_kept: int = 5  # number of cards that the player likes to keep in hand
    short_hand: float = 12  # cost of each card below that number
    foot_card: float = 12  # value of one card less in hand while a foot waits
    foot_taken: float = 600  # value of the canasta that brings the foot
    foot_wilds: int = -1  # most wild cards spent to empty the hand for the foot in one turn; -1: no such turns

    # Melds that cost points while they are unfinished
    begin_chance: float = 0  # least chance of a canasta for beginning a meld that costs points until then
    unfinished: float = 1  # weight of the points that unfinished melds cost

    # Probabilities that the deal ends before the seat's next turn: if opponents may go out and hold few cards
    # (`hurry_at`), if they may go out and hold more, and if they may not go out
    out_soon: float = 0.5
    out_later: float = 0.2
    out_never: float = 0.05

    # Taking the pile and making the initial meld
    taken_card: float = 12  # value of each card that comes with the pile
    take_at_all: float = 20  # value of the pile's top card
    thrown: float = 0.5  # weight of the prospects that a discard gives up
    open_at: float = -400  # least gain in prospects by an initial meld; below zero it may cost some

    # Asking the partner
    ask_from: int = 5  # smallest number of the partner's cards at which the player asks before going out
    say_no_from: int = 300  # least gain of the player's next turn for which it says no when asked


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
