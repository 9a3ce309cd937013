"""The plan of an initial meld: which steps towards it need no second thought (`rules/classic.md 1.11, 1.23`).

Most initial melds are either out of reach or safe whatever is laid first, which can be told from the counts of the
hand alone; what is left is tried out (`bot.engine.variants.reaching`).
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.actions import LayRun, Meld
from bot.engine.cards import ACE, JOKER, NATURAL_KINDS, TWO, Kind
from bot.engine.counts import pack, tally
from bot.engine.places import WILD_MELD, Family
from bot.engine.queries import gathered_card, gathered_size
from bot.engine.state import State
from bot.engine.variants import foot
from bot.engine.variants.bounds import cards_for_runs
from bot.engine.variants.opening_bounds import may_be_clean, most_after
from bot.engine.variants.openings import CLEAN, NEEDING_CLEAN, Goal, is_clean
from bot.engine.variants.reaching import most_points
from bot.engine.variants.regrouping import never_finishes
from bot.engine.variants.standing import standing_of
from bot.engine.variants.ways import takes_wilds


class OpeningPlan:
    """What the seat in turn, whose side has not opened, can still reach, as far as its counts tell.

    `hopeless` tells that nothing it lays can lead to a lawful end of the turn.
    """

    def __init__(self, state: State, goals: Sequence[Goal], keep: int) -> None:
        self._rules = rules = state.rules
        self._standing = standing_of(state)
        self._hand = state.hands[state.turn]
        self._held = tally(state.packed[state.turn])
        self._goals = goals
        self._laid = state.laid_points
        self._keep = max(0, keep - (gathered_size(state) if state.aside else 0))
        self._needed = min([goal.points for goal in goals]) - self._laid
        self._least = max(rules.meld_min, rules.min_naturals)
        self._reachable: bool | None = None
        self._earns = foot.may_be_earned(state)
        out_of_reach = self._most() < self._needed or not any(self._may_be_met(goal) for goal in goals)
        self._cannot_go_out = not keep or self._never_finishes(state)
        self.hopeless = out_of_reach and self._cannot_go_out

    def _never_finishes(self, state: State) -> bool:
        """Whether the hand certainly cannot be laid down, with the only card that waits if all have seen it."""
        card = gathered_card(state) if state.aside and gathered_size(state) == 1 else None
        if card is None:
            return never_finishes(self._standing, self._hand, self._held)
        hand = (*self._hand, card)
        return never_finishes(self._standing, hand, tally(pack(hand)))

    def _most(self) -> int:
        """No more points than these can be laid: of pairs only as many as there are wild cards to help them."""
        held, values = self._held, self._rules.card_values
        wilds = held[TWO] + held[JOKER]
        families = self._standing.spread.families
        least = self._rules.min_naturals
        most = held[TWO] * values[TWO] + held[JOKER] * values[JOKER]
        pairs: list[int] = []
        for kind in NATURAL_KINDS:
            if held[kind] >= self._least or (held[kind] and kind in families):
                most += held[kind] * values[kind]
            elif least <= held[kind]:
                pairs.append(held[kind] * values[kind])
        most += sum(sorted(pairs, reverse=True)[:wilds])
        if most < self._needed and "seq" in self._rules.meld_kinds:
            in_runs = cards_for_runs(self._standing, self._hand)
            most += sum([values[card >> 2] for card in in_runs for _ in range(self._hand.count(card))])
        return most

    def _may_be_met(self, goal: Goal) -> bool:
        """Whether what the goal demands could lie there at all."""
        held = self._held
        families = self._standing.spread.families
        if goal.groups and not all(any(self._may_lie(family) for family in group) for group in goal.groups):
            return False
        if goal.demand == "clean":
            return any(held[kind] >= CLEAN or kind in families for kind in NATURAL_KINDS)
        if goal.demand == "wild":
            return WILD_MELD in families or held[TWO] + held[JOKER] >= self._rules.meld_min
        return True

    def _may_lie(self, family: Family) -> bool:
        """Whether a meld of that rank lies there or could be begun, as far as its naturals tell."""
        if family in self._standing.spread.families:
            return True
        return family not in self._standing.closed and self._held[family] >= self._rules.min_naturals

    def allows(self, step: Meld | LayRun) -> bool:
        """Whether a plain plan opens the side after this step: then it is legal. Where it does not, it still may be."""
        left, points = self._after(step)
        free = len(self._hand) - step.size - self._keep
        return free >= 0 and any(self._reaches(goal, step, left, points, free) for goal in self._goals)

    def forbids(self, step: Meld | LayRun) -> bool:
        """Whether certainly nothing opens the side after this step, nor lets the seat go out: then it is not legal."""
        rules = self._rules
        if (
            not self._cannot_go_out
            or self._earns
            or isinstance(step, LayRun)
            or "seq" in rules.meld_kinds
            or rules.theme
        ):
            return False
        if any(goal.demand not in ("none", "clean") for goal in self._goals):
            return False
        left, points = self._after(step)
        most = points + most_after(self._standing, step, left)
        return not any(
            most >= goal.points and (goal.demand == "none" or may_be_clean(self._standing, step, left))
            for goal in self._goals
        )

    def _after(self, step: Meld | LayRun) -> tuple[list[int], int]:
        """How many of each kind are left after a step, and what has been laid with it."""
        values = self._rules.card_values
        left = list(self._held)
        points = self._laid
        if isinstance(step, LayRun):
            for kind in range(step.low, step.high + 1):
                left[kind] -= 1
                points += values[kind]
            return left, points
        points += step.twos * values[TWO] + step.jokers * values[JOKER]
        left[TWO] -= step.twos
        left[JOKER] -= step.jokers
        if step.kind <= ACE:
            left[step.kind] -= step.naturals
            points += step.naturals * values[step.kind]
        return left, points

    def _reaches(self, goal: Goal, step: Meld | LayRun, left: Sequence[int], points: int, free: int) -> bool:
        """Whether all naturals that make melds alone, then with wild cards the dearest pairs, come to the goal."""
        if goal.demand not in ("none", "clean") or not goal.wilds:
            return False
        if self._standing.limits is not None:
            return False
        complete, worth, cards = self._complete(left, step)
        lying = {step.kind if isinstance(step, Meld) else step.place, *self._standing.spread.families}
        lies_now = all(group & lying for group in goal.groups)
        if not lies_now and not all(group & lying.union(complete) for group in goal.groups):
            return False
        if (
            goal.demand != "none"
            and not self._is_clean(step)
            and not self._clean_lies(step)
            and not any(self._stays_clean(kind, left) for kind in complete)
        ):
            return False
        if goal.demand == "none" and points >= goal.points and lies_now:
            return True
        if cards > free:
            return False
        joining = self._joining(left, step)
        if cards + joining <= free and isinstance(step, Meld) and joining:
            worth += joining * self._rules.card_values[step.kind]
            cards += joining
        if points + worth >= goal.points:
            return True
        rules = self._rules
        binds = rules.wild_lock != "none" and isinstance(step, Meld) and step.kind in (TWO, WILD_MELD)
        if rules.wild_ratio != "none" or binds or self._standing.locked():
            return False
        clean = goal.demand == "clean" and not self._is_clean(step) and not self._clean_lies(step)
        more, used = self._with_wilds(left, step, complete, clean=clean)
        return cards + used <= free and points + worth + more >= goal.points

    def _stays_clean(self, kind: Kind, left: Sequence[int]) -> bool:
        """Whether the naturals of a rank make a meld without a wild card, none lying there with one."""
        lying = self._standing.spread.families.get(kind, ())
        return left[kind] >= CLEAN and not any(meld.wilds for meld in lying)

    def _complete(self, left: Sequence[int], step: Meld | LayRun) -> tuple[list[Kind], int, int]:
        """The ranks whose naturals need no wild card, what those that can be laid count, and how many they are."""
        rules = self._rules
        families = self._standing.spread.families
        complete: list[Kind] = []
        worth = cards = 0
        for kind in NATURAL_KINDS:
            count = left[kind]
            if not count or kind in self._standing.closed or (isinstance(step, Meld) and kind == step.kind):
                continue
            if count >= self._least or kind in families:
                if rules.meld_max is not None:
                    count = min(count, rules.meld_max - sum([meld.size for meld in families.get(kind, ())]))
                complete.append(kind)
                worth += count * rules.card_values[kind]
                cards += count
        return complete, worth, cards

    def _with_wilds(
        self, left: Sequence[int], step: Meld | LayRun, complete: Sequence[Kind], *, clean: bool
    ) -> tuple[int, int]:
        """What pairs with a wild card each and further wild cards count, and how many cards they are."""
        rules = self._rules
        values = rules.card_values
        closed = self._standing.closed
        free_jokers = 0 if JOKER in closed else left[JOKER]
        wilds = free_jokers + (0 if TWO in closed else left[TWO])
        pairs = [
            kind
            for kind in reversed(NATURAL_KINDS)
            if max(rules.min_naturals, rules.meld_min - 1) <= left[kind] < self._least
            and kind not in complete
            and kind not in self._standing.closed
            and not (isinstance(step, Meld) and kind == step.kind)
            and takes_wilds(rules, kind, left[kind], opening=True)
        ][: wilds if rules.max_wilds else 0]
        room = rules.max_wilds * len(pairs)
        begun = [kind for kind in complete if kind not in self._standing.spread.families]
        takers = [kind for kind in begun if takes_wilds(rules, kind, left[kind], opening=True)]
        if clean and not any(self._stays_clean(kind, left) for kind in complete if kind not in takers):
            takers = takers[1:]  # one has to stay without
        room += sum([self._room_beside(left[kind]) for kind in takers])
        laid = min(wilds, room)
        jokers = min(free_jokers, laid)
        worth = (
            jokers * values[JOKER] + (laid - jokers) * values[TWO] + sum([left[kind] * values[kind] for kind in pairs])
        )
        return worth, laid + sum([left[kind] for kind in pairs])

    def _room_beside(self, naturals: int) -> int:
        """How many wild cards a new meld of so many naturals takes at least."""
        rules = self._rules
        if rules.open_shape in NEEDING_CLEAN:  # no mixed canasta is among the initial melds
            return max(0, min(rules.max_wilds, rules.canasta_size - 1 - naturals))
        if rules.meld_max is not None:
            return max(0, min(rules.max_wilds, min(rules.meld_max, rules.canasta_size) - naturals))
        return rules.max_wilds

    def _joining(self, left: Sequence[int], step: Meld | LayRun) -> int:
        """How many more naturals certainly can join the meld in which the step lays some."""
        if isinstance(step, LayRun) or step.kind > ACE or step.kind in self._standing.closed:
            return 0
        rules = self._rules
        lying = self._standing.melds.get(step.place)
        size = step.size + (0 if lying is None else lying.size)
        mixed = step.twos + step.jokers + (0 if lying is None else lying.wilds)
        most = rules.canasta_size - 1 if mixed and rules.open_shape in NEEDING_CLEAN else rules.meld_max
        return left[step.kind] if most is None else max(0, min(left[step.kind], most - size))

    def _clean_lies(self, step: Meld | LayRun) -> bool:
        """Whether what is demanded lies there already, and the step does not spoil it."""
        spoils = isinstance(step, Meld) and step.twos + step.jokers
        return any(
            is_clean(meld) and not (spoils and place == step.place) for place, meld in self._standing.melds.items()
        )

    def _is_clean(self, step: Meld | LayRun) -> bool:
        """Whether the step itself lays what is demanded as a new meld."""
        if not isinstance(step, Meld) or step.kind > ACE or step.twos + step.jokers:
            return False
        return step.naturals >= CLEAN and step.place not in self._standing.melds

    @property
    def reachable(self) -> bool:
        """Whether the hand as it is can reach one of the goals, or may go out without; worked out when it is asked."""
        if self._reachable is None:
            missing = [goal.less(self._laid) for goal in self._goals]
            self._reachable = (
                not self._cannot_go_out
                or self._earns
                or any(
                    most_points(self._standing, self._hand, goal, keep=self._keep) >= goal.points for goal in missing
                )
            )
        return self._reachable
