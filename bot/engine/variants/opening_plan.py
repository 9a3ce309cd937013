"""The plan of an initial meld: which steps towards it need no second thought (`rules/classic.md 1.11, 1.23`).

Most initial melds are either out of reach or safe whatever is laid first, which can be told from the counts of the
hand alone; what is left is tried out (`bot.engine.variants.reaching`).
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.actions import LayRun, Meld
from bot.engine.cards import ACE, JOKER, NATURAL_KINDS, TWO, Kind
from bot.engine.counts import tally
from bot.engine.queries import gathered_size
from bot.engine.state import State
from bot.engine.variants.bounds import cannot_finish, cards_for_runs
from bot.engine.variants.openings import CLEAN, Goal
from bot.engine.variants.reaching import most_points
from bot.engine.variants.standing import standing_of


class OpeningPlan:
    """What the seat in turn, whose side has not opened, can still reach, as far as its counts tell.

    `hopeless` tells that nothing it lays can lead to a lawful end of the turn.
    """

    def __init__(self, state: State, goals: Sequence[Goal], keep: int) -> None:
        self._state = state
        self._rules = rules = state.rules
        self._standing = standing_of(state)
        self._hand = hand = state.hands[state.turn]
        self._held = held = tally(state.packed[state.turn])
        self._goals = goals
        self._laid = state.laid_points
        self._keep = max(0, keep - (gathered_size(state) if state.aside else 0))
        self._needed = min([goal.points for goal in goals]) - self._laid
        self._reachable: bool | None = None
        families = self._standing.spread.families
        least = max(rules.meld_min, rules.min_naturals)
        self._complete = [
            kind
            for kind in NATURAL_KINDS
            if held[kind] and (held[kind] >= least or kind in families) and kind not in self._standing.closed
        ]
        self._worth = [count * value for count, value in zip(held, rules.card_values, strict=False)]
        self.hopeless = self._most() < self._needed and (not keep or cannot_finish(self._standing, hand, held))

    def _most(self) -> int:
        """No more points than these can be laid."""
        rules, held = self._rules, self._held
        wilds = self._worth[TWO] + self._worth[JOKER]
        families = self._standing.spread.families
        least = rules.min_naturals if wilds else max(rules.meld_min, rules.min_naturals)
        kinds = [kind for kind in NATURAL_KINDS if held[kind] >= least or (held[kind] and kind in families)]
        most = wilds + sum([self._worth[kind] for kind in kinds])
        if most < self._needed and "seq" in rules.meld_kinds:
            values = rules.card_values
            in_runs = cards_for_runs(self._standing, self._hand)
            most += sum([values[card >> 2] for card in self._hand if card in in_runs and card >> 2 not in kinds])
        return most

    def allows(self, step: Meld | LayRun) -> bool:
        """Whether the naturals that lie or make melds by themselves open the side after this step; False may be yes."""
        rules = self._rules
        if rules.meld_max is not None or any(not goal.wilds for goal in self._goals):
            return False
        values = rules.card_values
        if isinstance(step, Meld):
            kind = step.kind
            points = step.naturals * values[kind] if kind <= ACE else 0
            points += step.twos * values[TWO] + step.jokers * values[JOKER]
            others = [one for one in self._complete if one != kind]
            worth, cards = sum([self._worth[one] for one in others]), sum([self._held[one] for one in others])
        else:
            points = sum(values[step.low : step.high + 1])
            others = []
            worth = cards = 0
            least = max(rules.meld_min, rules.min_naturals)
            for one in self._complete:
                count = self._held[one] - (step.low <= one <= step.high)
                if count >= least or one in self._standing.spread.families:
                    others.append(one)
                    worth += count * values[one]
                    cards += count
        points += self._laid
        free = len(self._hand) - step.size - self._keep
        for goal in self._goals:
            if not self._met(goal, step, others if points < goal.points or goal.demand != "none" else ()):
                continue
            if free >= 0 and points >= goal.points:
                return True
            if free >= cards and points + worth >= goal.points:
                return True
        return False

    def _met(self, goal: Goal, step: Meld | LayRun, others: Sequence[Kind]) -> bool:
        """Whether what the goal demands lies there in any case."""
        if goal.demand == "none":
            return True
        if goal.demand != "clean":
            return False
        if isinstance(step, Meld) and step.kind <= ACE and step.naturals >= CLEAN and not step.twos + step.jokers:
            return step.place not in self._standing.melds
        lying = self._standing.spread.families
        return any(
            all(not meld.wilds and meld.naturals >= CLEAN for meld in lying[kind])
            if kind in lying
            else self._held[kind] >= CLEAN and len(self._hand) - step.size - self._keep >= self._held[kind]
            for kind in others
        )

    @property
    def reachable(self) -> bool:
        """Whether the hand as it is can reach one of the goals, or may go out without; worked out when it is asked."""
        if self._reachable is None:
            missing = [Goal(max(0, goal.points - self._laid), goal.demand, goal.wilds) for goal in self._goals]
            self._reachable = not cannot_finish(self._standing, self._hand, self._held) or any(
                most_points(self._standing, self._hand, goal, keep=self._keep) >= goal.points for goal in missing
            )
        return self._reachable
