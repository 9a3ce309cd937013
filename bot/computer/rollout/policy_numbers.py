"""The numbers (weights and thresholds) of the rollout player, with their values before fitting."""

from __future__ import annotations

from typing import Final

HABITS: Final = (
    ("take_add", 1.0),  # smallest pile to take by adding its top card to a meld
    ("take_pair", 1.0),  # smallest pile to take with a pair
    ("take_two", 3.0),  # smallest pile to take with a natural card and a two
    ("take_joker", 4.0),  # smallest pile to take with a natural card and a joker
    ("take_wild", 3.0),  # number of cards that a wild card in the pile counts as
    ("single", 2.0),  # value of keeping a card if the hand has no other of its rank; a pair and three or more follow
    ("pair", 20.0),
    ("triple", 30.0),
    ("black_three", 4.0),
    ("two", 60.0),
    ("joker", 110.0),
    ("live", 0.0),  # value of keeping a card of a pair or more, for each unseen card of its rank
    ("own_meld", 0.0),  # value of keeping a card that fits a meld of the side
    ("open_weight", 1.0),  # weight of a card's points before a high initial meld
    ("pile_card", 10.0),  # value of a card of the pile to the next player
    ("pile_wild", 20.0),  # additional value of a wild card in the pile to the next player
    ("meld_danger", 1.0),  # chance that the next player adds the top to a meld
    ("pair_danger", 1.0),  # weight of the chance that the next player holds a pair
    ("wild_danger", 0.7),  # weight of the chance that the next player holds a natural and a wild card
    ("unopened_danger", 0.6),  # factor for the chance of a pair if the next side has not opened
    ("given", 400.0),  # cost of giving the next player the last card of a canasta
    ("given_size", 0.0),  # cost of giving the next player a card of a meld, for each of its cards from the fourth on
    ("keep_for_set", 4.0),  # cards to keep in hand when laying a new set
    ("long_set", 4.0),  # size from which a set is always laid
    ("hurry_at", 3.0),  # lay everything if an opponent who may go out has at most this many cards
    ("lend", 1.0),  # most wild cards added so that one more card completes a canasta
    ("most_wilds", 3.0),  # most wild cards used to complete a canasta at once
    ("freeze_from", 6.0),  # smallest pile worth freezing
    ("freeze_behind", 200.0),  # points by which the side must be behind to freeze
    ("freeze_card", 5.0),  # value of freezing, for each card of the pile
    ("open_cost", 1000.0),  # most that an initial meld may cost, in the units of `opening_plan`
    ("out_margin", -10000.0),  # smallest lead in the deal for going out while no opponent may go out
    ("pair_meld", 99.0),  # smallest hand for melding a pair with a wild card while canastas are missing
    ("wild_meld", 4.0),  # smallest number of wild cards in hand for beginning a meld of them alone
    ("special_from", 5.0),  # smallest size of a new meld of a rank that costs points while unfinished
    ("add_keep", 0.0),  # add no single card to a meld if the hand has at most this many cards
    ("foot_wilds", 3.0),  # most wild cards used to empty the hand for the foot
    ("wild_from", 1.0),  # least number of wild cards that are kept for a meld of wild cards alone
)
"""The name of each number and its value before fitting."""

NAMES: Final = tuple([name for name, _ in HABITS])

(
    TAKE_ADD,
    TAKE_PAIR,
    TAKE_TWO,
    TAKE_JOKER,
    TAKE_WILD,
    SINGLE,
    PAIR,
    TRIPLE,
    BLACK,
    KEEP_TWO,
    KEEP_JOKER,
    LIVE,
    OWN_MELD,
    OPEN_WEIGHT,
    PILE_CARD,
    PILE_WILD,
    MELD_DANGER,
    PAIR_DANGER,
    WILD_DANGER,
    UNOPENED_DANGER,
    GIVEN,
    GIVEN_SIZE,
    KEEP_FOR_SET,
    LONG_SET,
    HURRY_AT,
    LEND,
    MOST_WILDS,
    FREEZE_FROM,
    FREEZE_BEHIND,
    FREEZE_CARD,
    OPEN_COST,
    OUT_MARGIN,
    PAIR_MELD,
    WILD_MELD,
    SPECIAL_FROM,
    ADD_KEEP,
    FOOT_WILDS,
    WILD_FROM,
) = range(len(HABITS))

RUN_HABITS: Final = (
    ("take_run", 1.0),  # smallest pile to take by adding its top card to a run
    ("run_card", 8.0),  # value of keeping a card, for each card next to it in its suit
    ("run_near", 20.0),  # value of keeping a card two ranks from the side's run; nearer cards are worth more
    ("run_given", 900.0),  # cost of giving the next player the last card of a run
    ("run_size", 30.0),  # cost of giving the next player a card of a run, for each of the run's cards
    ("run_start", 3.0),  # shortest run to begin
    ("run_keep", 2.0),  # cards to keep in hand when beginning a run
)
"""Further numbers of forms with runs, after those of all forms."""

RUN_NAMES: Final = tuple([name for name, _ in RUN_HABITS])

(TAKE_RUN, RUN_CARD, RUN_NEAR, RUN_GIVEN, RUN_SIZE, RUN_START, RUN_KEEP) = range(
    len(HABITS), len(HABITS) + len(RUN_HABITS)
)

CardsToLay = tuple[int, int, int, int]
"""Cards to lay: the rank, naturals, twos and jokers; `WILD_RANK` for wild cards alone."""

ClaimingCards = tuple[int, int, int]
"""Cards that take the pile: naturals, twos and jokers; all zero to add the top to a meld."""


def numbers_before_fitting(*, runs: bool = False) -> list[float]:
    """Return the numbers of a player before fitting, with those for runs if the form has any."""
    return [number for _, number in default_numbers(runs=runs)]


def default_numbers(*, runs: bool) -> tuple[tuple[str, float], ...]:
    """Return the name of each number of a form, with or without runs, and its value before fitting."""
    return HABITS + RUN_HABITS if runs else HABITS
