"""The plan of an initial meld: which steps towards it need no second thought.

A side that has not opened may only take steps from which its minimum can still be reached. Asking that anew for
every step is dear; most steps only lay cards that the dearest plan lays anyway, and after them it stands as before.
"""

from __future__ import annotations

from bot.engine.actions import Meld
from bot.engine.queries import gathered_size, minimum
from bot.engine.reach import can_finish, dearest_opening
from bot.engine.state import State


class OpeningPlan:
    """What the seat in turn, whose side has not opened, can still reach.

    `hopeless` tells that nothing it lays can lead to a lawful end of the turn, so that no meld is legal.
    """

    def __init__(self, state: State) -> None:
        rules = state.rules
        side = rules.side_by_seat[state.turn]
        counts = state.counts[state.turn]
        melds = state.melds[side]
        below = gathered_size(state) if state.aside else 0
        required = minimum(state, side) - state.laid_points
        dearest = dearest_opening(rules, counts, melds)
        self.hopeless = False
        self._stands = False
        self._wilds = dearest.wilds
        self._pairs = dearest.pairs
        self._ample = dearest.ample
        if dearest.points >= required:
            self._stands = (
                state.permission is None and len(state.hands[state.turn]) - dearest.cards >= max(0, 2 - below)
            )
        elif state.permission is False or below > 1:
            self.hopeless = True
        else:
            waived = state.drew == "stock" and "concealed" in rules.open_waiver
            self.hopeless = not can_finish(rules, counts, melds, spare=1 - below, points=0 if waived else required)

    def allows(self, step: Meld) -> bool:
        """Whether the dearest plan stands after the step as it stood before; False says only that it may not.

        Naturals of a rank that the plan lays anyway change nothing. Wild cards change nothing as long as one is
        left for each pair that needs it and every one found room.
        """
        if not self._stands:
            return False
        wilds = step.twos + step.jokers
        if not wilds:
            return True
        return self._ample and self._wilds - wilds >= len(self._pairs) - (step.kind in self._pairs)
