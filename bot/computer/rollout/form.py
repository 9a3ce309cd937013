"""The numbers of a rule set by which the rollout world plays."""

from __future__ import annotations

from typing import Final

KINDS: Final = 15
RANKS: Final = 11
"""The kinds from four to ace, which make melds."""

WILD_RANK: Final = 13
"""The rank of melds of wild cards alone, as in steps: that of a joker."""

BLACK_THREE: Final = 11
TWO: Final = 12
JOKER: Final = 13
RED_THREE: Final = 14

FORCED_NEVER: Final = 0
FORCED_ADD: Final = 1
FORCED_ALWAYS: Final = 2

PILE_PLAY: Final = 0
ONE_MORE: Final = 1
STOP: Final = 2
"""How a deal goes on with an empty stock: while the pile is taken, for one more turn, or not at all."""

RATIO_NONE: Final = 0
RATIO_FEWER: Final = 1
RATIO_HALF: Final = 2
"""How the naturals of a meld limit its wild cards: not at all, to fewer than they are, or to half of them."""


class Form:
    """The rules as the rollout world needs them: the seats, their sides, and the rules' numbers.

    Seats that play are numbered from 0 in playing order.
    """

    def __init__(self, *, seats: int, sides: int, side_of: list[int]) -> None:
        self.seats = seats
        self.sides = sides
        self.side_of = side_of
        # Points of cards by kind, and of red threes by their number
        self.values: list[int] = []
        self.held_values: list[int] = []
        self.red_values: list[int] = []
        # Number of cards of each kind in the whole pack
        self.totals: list[int] = []
        # Bonuses of canastas by rank; of those of wild cards alone by their number of jokers
        self.natural_bonus = [500] * RANKS
        self.mixed_bonus = [300] * RANKS
        self.wild_melds = False
        self.wild_bonus: list[int] = []
        self.out_bonus = 100
        self.concealed_extra = 100
        self.concealed_waives = True
        self.concealed_needs_canasta = True
        self.concealed_without_discard = False
        self.meld_min = 3
        self.min_naturals = 2
        self.max_wilds = 3
        self.shuts_wilds = False  # a finished canasta takes no wild card
        self.canasta = 7
        self.draw = 1
        self.draw_with_pile = 0
        # An open side may take a pile that is not frozen with a pair, and perhaps with a natural and a wild card, or by
        # adding the top card to a meld
        self.takes_with_wild = True
        self.takes_by_adding = True
        self.top_onto_canasta = True  # the top card alone may join a canasta
        self.pair_onto_canasta = True  # the top card may join a canasta with a pair
        self.canasta_of_top_opens = False  # a canasta of the top's rank opens a side
        self.always_frozen = False
        self.freezes_black = False
        self.forced = FORCED_ADD  # which ways to take the pile a seat must use when the stock is empty
        self.stock_end = PILE_PLAY
        # dealt red threes are laid out at a seat's first turn
        self.late_reds = False
        # Number of canastas from which red threes count for a side; 0 if they count once it has melded
        self.reds_need = 0

        # Canastas needed for going out: in all, of each sort, and runs among them; `needs_sorts` if any sort is needed
        self.canastas_needed = 1
        self.needs_sorts = False
        self.natural_needed = self.mixed_needed = self.wild_needed = 0
        self.runs_needed = 0
        self.hand_penalties: list[tuple[int, int, int]] = []  # kind, number held from which it costs points, cost
        self.runs = False  # melds may be runs, and a side may have several sets of a rank
        self.run_bonus = 0
        self._set_foot_defaults()
        self._set_limit_defaults()

    def _set_foot_defaults(self) -> None:
        """Set the fields of rules with feet to their initial values."""
        self.foot_size = 0
        self.foot_runs = False  # the seat plays on if it picks up its foot after a meld
        self.foot_gate = False  # no seat goes out before its partners have picked up their feet
        self.pile_take = 0  # most cards of the pile that a take brings; 0: all
        self.keeps_reds = False  # red threes stay in the hand
        self.reds_always = False  # red threes laid out never count against a side
        self.closes = False  # a canasta takes no more cards, and another meld of its rank may begin
        self.ratio = RATIO_NONE
        self.asks = False  # a seat needs its partner's yes for going out

    def _set_limit_defaults(self) -> None:
        """Set the fields of rules in which melds have limits to their initial values.

        Such rules and those with feet are `careful`.
        """
        self.careful = False
        self.full = False  # a canasta takes no more cards
        self.dead_ranks = False  # a canasta of any side closes its rank for all
        self.must_discard = False  # a seat goes out with a discard
        self.clean_opening = False  # the initial meld needs three naturals without a wild card
        self.closed_unopened = False  # only an open side takes the pile
        self.swing = False  # cards and threes count against a side without canastas

        # Black threes: laid out like red ones (`blacks_out`), or set aside when the pile is taken (`blacks_leave`);
        # `black_values` are the points by their number; they count like those of red ones if `blacks_signed`, else
        # always for the side
        self.blacks_out = False
        self.blacks_leave = False
        self.blacks_signed = False
        self.black_values: list[int] = []
        self.blacks_kept_first_round = False  # no black three is discarded in the first round

        # Limits on wild cards in melds, used if `strict_wilds`: the ranks that take them before and after the opening,
        # the least number of naturals, and whether an unfinished meld of wild cards must get them first
        self.strict_wilds = False
        self.takes_wilds = [True] * RANKS
        self.takes_wilds_later = [True] * RANKS
        self.wild_gate = 0
        self.wild_lock = False
        # wild cards may not be discarded
        self.keeps_wilds = False
        # some cards may not be discarded onto an empty pile
        self.bans_on_empty_pile = False
        # numbers of bonus cards for a seat that opens its side: the first side to open, the second …
        self.talon: list[int] = []
        self.talon_stock = 0  # smallest stock from which those bonus cards are given

        # Cost of unfinished melds: of naturals by rank, of wild cards, of wild cards with four jokers
        self.must_finish = [0] * RANKS
        self.wild_cost = 0
        self.wild_cost_with_jokers = 0
        self.out_clean = False  # unfinished melds forbid going out
        self.last_three = -1  # cost of a three that is the last card of the stock; -1: it has none
