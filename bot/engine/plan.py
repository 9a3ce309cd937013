"""The plan of an initial meld: which steps towards it need no second thought.

A side that has not opened may only take steps from which its minimum can still be reached. Asking that anew for
every step is dear; most steps only lay cards that the dearest plan lays anyway, and after them it stands as before.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.actions import Meld
from bot.engine.cards import JOKER, TWO
from bot.engine.queries import gathered_kind, gathered_size, minimum
from bot.engine.reach import can_finish_plainly, can_finish_with, dearest_opening
from bot.engine.state import State


class OpeningPlan:
    """For plain rule sets (`RuleSet.plain`): what the seat in turn, whose side has not opened, can still reach.

    `hopeless` tells that nothing it lays can lead to a lawful end of the turn, so that no meld is legal; `sure` that
    whatever it lays leads there.
    """

    def __init__(self, state: State) -> None:
        rules = state.rules
        side = state.side
        counts = state.packed[state.turn]
        values = rules.card_values
        below = gathered_size(state) if state.aside else 0
        required = minimum(state, side) - state.laid_points
        dearest = dearest_opening(rules, counts, state.spreads[side])
        left = len(state.hands[state.turn]) - dearest.cards
        self.hopeless = False
        self.sure = False
        self._spare_points = -1
        self._wilds = dearest.wilds
        self._pairs = dearest.pairs[: dearest.wilds]  # those that get a wild card
        self._dearest_pair = 2 * values[dearest.pairs[0]] if dearest.pairs else 0
        self._joker_for_two = values[JOKER] - values[TWO] if dearest.surplus else 0
        if dearest.points < required:
            self.hopeless = not _can_go_out(state, required, below)
        elif state.permission is not True and left >= max(0, 2 - below):
            self._spare_points = dearest.points - required
            lost = len(self._pairs) * self._dearest_pair + self._wilds * self._joker_for_two
            self.sure = lost <= self._spare_points

    def allows(self, ways: tuple[Meld, ...]) -> Sequence[bool]:
        """For each way to lay one rank, whether the dearest plan reaches the minimum as far as it still stands then.

        False says only that it may not. Naturals of a rank that the plan lays anyway change nothing. Wild cards are
        missed by the pairs that had one each; and where there is no room for all of them, a two may take a joker's.
        """
        spare = self._spare_points
        if spare < 0:
            return (False,) * len(ways)
        others = len(self._pairs) - self._wilds  # negative: so many wild cards are missed by no pair
        if self._pairs and ways and ways[0].kind in self._pairs:
            others -= 1
        dearest_pair = self._dearest_pair
        joker_for_two = self._joker_for_two
        return [
            max(0, others + step.twos + step.jokers) * dearest_pair + step.twos * joker_for_two <= spare
            for step in ways
        ]


def _can_go_out(state: State, required: int, below: int) -> bool:
    """Whether the hand can be laid down in this very turn, be it without the minimum (`rules/classic.md 1.11`)."""
    if state.permission is False or below > 1:
        return False
    rules = state.rules
    waived = state.drew == "stock" and "concealed" in rules.open_waiver
    spread = state.spreads[state.side]
    counts = state.packed[state.turn]
    if below:
        return can_finish_with(rules, counts, spread, gathered_kind(state) or 0, points=required)
    return can_finish_plainly(rules, counts, spread, points=0 if waived else required)
