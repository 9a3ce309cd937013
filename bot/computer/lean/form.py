"""The numbers of a rule set by which the lean world plays."""

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
    """The rules as the lean world needs them: playing seats in order from 0, their sides, and the rules' numbers.

    `red_values` has the total for each number of red threes; `totals` the cards of each kind in the whole pack.
    `forced` says which takes may not be declined with an empty stock. `late_reds` means that red threes are laid out
    at a seat's first turn.

    Canastas have bonuses by rank, and those of wild cards alone, where `wild_melds` allows them, by their number of
    jokers. `reds_need` is the number of canastas with which red threes count for a side; zero for a side that has
    melded. `natural_needed`, `mixed_needed` and `wild_needed` canastas of each sort are needed for going out;
    `needs_sorts` says whether any are. `hand_penalties` are kinds, the numbers of them in a hand that cost more, and
    the cost.

    An open side may take a pile that is not frozen with a pair, with `takes_with_wild` also with a natural and a wild
    card, with `takes_by_adding` also by adding the top to a meld. `top_onto_canasta` and `pair_onto_canasta` say
    whether the pile's top may join a canasta, alone or with a pair; `canasta_of_top_opens`, whether a canasta of the
    top's rank opens a side. `stock_end` is `PILE_PLAY`, `ONE_MORE` or `STOP`.

    With `runs` a side has runs too, and may have several sets of a rank; `runs_needed` of its canastas must be runs for
    going out. `shuts_wilds` means that a finished canasta takes no wild card.
    In rules with feet a foot has `foot_size` cards, and a seat may empty its hand to take it up. With `foot_runs` the
    seat plays on after taking up its foot by a meld; with `foot_gate` it may not go out before its partners have taken
    up theirs. A take brings at most `pile_take` cards of the pile (0: all). With `keeps_reds` red threes are held, and
    with `reds_always` laid out ones never count against a side. With `closes` a canasta takes no more cards and another
    meld of its rank may begin. `ratio` limits wild cards. `asks` says that a seat needs its partner's yes for going
    out.

    Rules in which melds have limits are `careful`, as those with feet are. With `full` a canasta takes no more cards;
    with `dead_ranks` a canasta of anybody closes its rank for all. With `strict_wilds` ranks take wild cards by
    `takes_wilds`, after the opening by `takes_wilds_later` and from `wild_gate` naturals on; with `wild_lock` none do
    while the side's meld of wild cards is unfinished. With `clean_opening` three naturals must lie without a wild card.
    With `closed_unopened` only an open side takes the pile. Unfinished melds of naturals cost by rank (`must_finish`),
    those of wild cards `wild_cost`, or `wild_cost_with_jokers` with four jokers; with `out_clean` they forbid going
    out. With `must_discard` a seat goes out with a discard; `keeps_wilds` and `bans_on_empty_pile` forbid some
    discards, `blacks_kept_first_round` that of black threes in the first round. `talon` lists the bonus cards for a
    seat that opens its side, the first side first, as long as `talon_stock` cards are in the stock. With `swing` cards
    and threes count against a side without canastas.

    Black threes: with `blacks_out` they are laid out like red ones; with `blacks_leave` they do not come to a hand with
    the pile. `black_values` are the totals of those put aside, which count like red ones if `blacks_signed`, else
    always for the side. `last_three` is the cost of a three that is the last card of the stock; below zero it has none.
    """

    def __init__(self, *, seats: int, sides: int, side_of: list[int]) -> None:
        self.seats = seats
        self.sides = sides
        self.side_of = side_of
        self.values: list[int] = []
        self.held_values: list[int] = []
        self.red_values: list[int] = []
        self.totals: list[int] = []
        self.natural_bonus = [500] * RANKS
        self.mixed_bonus = [300] * RANKS
        self.out_bonus = 100
        self.concealed_extra = 100
        self.concealed_waives = True
        self.concealed_needs_canasta = True
        self.meld_min = 3
        self.min_naturals = 2
        self.max_wilds = 3
        self.canasta = 7
        self.canastas_needed = 1
        self.draw = 1
        self.freezes_black = False
        self.forced = FORCED_ADD
        self.late_reds = False
        self.takes_with_wild = True
        self.takes_by_adding = True
        self.top_onto_canasta = True
        self.pair_onto_canasta = True
        self.canasta_of_top_opens = False
        self.concealed_without_discard = False
        self.draw_with_pile = 0
        self.stock_end = PILE_PLAY
        self.always_frozen = False
        self.wild_melds = False
        self.wild_bonus: list[int] = []
        self.reds_need = 0
        self.needs_sorts = False
        self.natural_needed = self.mixed_needed = self.wild_needed = 0
        self.hand_penalties: list[tuple[int, int, int]] = []
        self.shuts_wilds = False
        self.runs = False
        self.run_bonus = 0
        self.runs_needed = 0
        self._begin_feet()
        self._begin_limits()

    def _begin_feet(self) -> None:
        """Set the fields of rules with feet."""
        self.foot_size = 0
        self.foot_runs = False
        self.foot_gate = False
        self.pile_take = 0
        self.keeps_reds = False
        self.reds_always = False
        self.closes = False
        self.ratio = RATIO_NONE
        self.asks = False

    def _begin_limits(self) -> None:
        """Set the fields of rules with limits."""
        self.careful = False
        self.full = False
        self.blacks_out = False
        self.blacks_leave = False
        self.blacks_signed = False
        self.black_values: list[int] = []
        self.blacks_kept_first_round = False
        self.swing = False
        self.dead_ranks = False
        self.strict_wilds = False
        self.wild_gate = 0
        self.wild_lock = False
        self.takes_wilds = [True] * RANKS
        self.takes_wilds_later = [True] * RANKS
        self.clean_opening = False
        self.closed_unopened = False
        self.talon: list[int] = []
        self.talon_stock = 0
        self.keeps_wilds = False
        self.bans_on_empty_pile = False
        self.must_finish = [0] * RANKS
        self.wild_cost = 0
        self.wild_cost_with_jokers = 0
        self.out_clean = False
        self.must_discard = False
        self.last_three = -1
