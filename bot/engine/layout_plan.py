"""The plan of an initial meld where only sets of one rank lie, but no short cut tells which (`classic.md 1.11`)."""

from __future__ import annotations

from bot.engine.actions import Meld
from bot.engine.cards import JOKER, TWO
from bot.engine.counts import ANY, RANKS
from bot.engine.layout_sums import LayoutSums
from bot.engine.queries import gathered_size, minimum, word
from bot.engine.state import State


class LayoutPlan:
    """What the seat in turn, whose side has not opened and that does not have to go out, can still reach.

    `hopeless` tells that no set it lays can lead to a lawful end of the turn.
    """

    def __init__(self, state: State) -> None:
        rules = state.rules
        side = state.seating.side_by_seat[state.turn]
        counts = state.packed[state.turn]
        spread = state.spreads[side]
        self._values = rules.card_values
        self._sums = sums = LayoutSums(rules, counts, spread)
        self._lacking = minimum(state, side) - state.laid_points
        below = gathered_size(state) if state.aside else 0
        self._keeps = len(state.hands[state.turn]) - sums.usable >= 2 - below
        alone = (counts + ANY) & RANKS & ~(counts + spread.wild) & ~spread.melded
        closes = state.claimed is not None and "first_canasta_top" in rules.open_waiver
        may_go_out = alone & (alone - 1) == 0 and below < 2 and word(state) is not False
        self._otherwise = closes or may_go_out
        """Whether the side may open with the pile's top in a canasta, or the hand go out: of ranks that can be laid
        nowhere it holds no more than one."""
        self._reaches = sums.most() >= self._lacking
        self.hopeless = not self._reaches and not self._otherwise

    def allows(self, step: Meld) -> bool | None:
        """Whether the step is legal; None where it has to be asked by itself."""
        if self._reaches:
            values = self._values
            points = step.naturals * values[step.place] + step.twos * values[TWO] + step.jokers * values[JOKER]
            if self._sums.reach_after(step, self._lacking - points):
                return True if self._keeps else None
        return None if self._otherwise else False
