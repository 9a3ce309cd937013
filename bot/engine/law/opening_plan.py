"""The plan of an initial meld: which steps towards it are legal (`docs/law/classic.md 1.11, 1.23`).

A side that has not opened may only take steps after which its minimum can still be reached. What the ranks come to
beside the one of which a step lays cards is the same for all those steps (`bot.engine.reach.opening_sums`); what
that leaves open is tried out (`bot.engine.reach.reaching`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.cards.cards import JOKER, TWO
from bot.engine.cards.counts import pack, tally
from bot.engine.cards.places import DEUCE_MELD, WILD_MELD, Place, is_run
from bot.engine.cards.values import value
from bot.engine.law import foot, hand_first
from bot.engine.law.keeping import kept, may_keep_one
from bot.engine.melds.melds import points_of, without
from bot.engine.moves.actions import LayRun, Meld
from bot.engine.reach.bounds import cannot_finish, is_far_from_out
from bot.engine.reach.opening_sums import OpeningSums, adds_up
from bot.engine.reach.openings import Demand, Goal, top_apart
from bot.engine.reach.parting import free_wilds
from bot.engine.reach.reaching import reaches
from bot.engine.reach.standing import Standing
from bot.engine.table.chosen import cards_for
from bot.engine.table.queries import gathered_card, gathered_size
from bot.engine.table.state import State


@value
class _Aim:
    """A goal that may be reached, the points that it lacks, and the sums that tell about it, if they do."""

    goal: Goal
    lacking: int
    sums: OpeningSums | None


_OF_WILDS: Final = (WILD_MELD, DEUCE_MELD)


class OpeningPlan:
    """What the seat in turn, whose side has not opened, can still reach.

    Before it draws, when it opens from its hand (`from_hand`), it only tells whether that is hopeless.

    `hopeless` tells that nothing it lays can lead to a lawful end of the turn.
    """

    def __init__(self, state: State, standing: Standing, goals: Sequence[Goal], *, from_hand: bool = False) -> None:
        self._state = state
        self._rules = state.rules
        self._standing = standing
        self._hand = state.hands[state.turn]
        self._counts = state.packed[state.turn]
        if from_hand and hand_first.only_with_naturals(state):  # what claims the top card then is not laid before
            self._counts -= hand_first.claiming(state) << 8 * (state.pile[-1] >> 2)
        self._held = tally(self._counts)
        self._kept: int | None = None
        self._has_runs = "seq" in state.rules.meld_kinds
        self._binding = state.rules.wild_lock != "none"
        self._sums: dict[tuple[Demand, bool], OpeningSums] = {}
        self._found_bound: dict[tuple[Goal, Place], bool | None] = {}
        self._aims = [aim for goal in goals if (aim := self._aim_at(goal)) is not None]
        self._bound = self._binding and bool(self._aims) and bool(standing.locked())
        self._apart = top_apart(state.rules, state.claimed) is not None
        self._otherwise: bool | None = False if from_hand else None
        self.hopeless = not self._aims and not self._may_end_otherwise()

    def may_reach(self, step: Meld | LayRun) -> bool:
        """Whether a goal may be reached when the step has been taken, as far as sums tell."""
        if self._has_runs or isinstance(step, LayRun):
            return True
        points = self._points_of(step)
        return any(aim.sums is None or aim.sums.reach_after(step, aim.lacking - points) for aim in self._aims)

    def _points_of(self, step: Meld) -> int:
        values = self._rules.card_values
        points = step.twos * values[TWO] + step.jokers * values[JOKER]
        return points + step.naturals * values[step.kind] if step.naturals else points

    def allows(self, step: Meld | LayRun) -> bool | None:
        """Whether the step is legal; None where no goal is reached after it, but it may be legal all the same.

        A hand may go out without; and of cards too few to be kept one may go with the card or the foot that comes once
        the side has opened.
        """
        if isinstance(step, LayRun):
            points = sum(self._rules.card_values[step.low : step.high + 1])
        else:
            points = self._points_of(step)
        kept_too_few = False
        for aim in self._aims:
            found = self._reaches(aim, step, aim.lacking - points)
            if found:
                return None if self._apart else True
            kept_too_few = kept_too_few or found is None
        if self._may_end_otherwise():
            return None
        if not kept_too_few:
            return False
        state = self._state
        return None if foot.may_be_earned(state) or may_keep_one(state) or self._below() == 1 else False

    def told(self, steps: Sequence[Meld | LayRun]) -> Sequence[bool | None]:
        """What `allows` says of each of the steps; where sums alone decide that, they say it of all at once."""
        if self._has_runs or self._apart or len(self._aims) != 1 or (sums := self._aims[0].sums) is None:
            return [self.allows(step) for step in steps]
        aim = self._aims[0]
        binding = self._binding and aim.goal.wilds
        if binding and self._bound:
            return [self.allows(step) for step in steps]
        melds = [step for step in steps if isinstance(step, Meld)]
        spare = self._keep() - (len(self._hand) - sums.usable)
        if spare > 0:  # wild cards may be those that are kept; else it is asked step by step which are
            most = len(self._hand) - self._keep()
            reached = sums.reach_after_each(melds, aim.lacking, kept=spare)
            known: list[bool | None] = [
                True if found and step.size <= most and not (binding and step.kind in _OF_WILDS) else self.allows(step)
                for step, found in zip(melds, reached, strict=True)
            ]
            return known
        known = [*sums.reach_after_each(melds, aim.lacking)]
        if False in known and self._may_end_otherwise():
            known = [found or None for found in known]
        if not binding:
            return known
        return [
            self.allows(step) if step.kind in _OF_WILDS else found for step, found in zip(melds, known, strict=True)
        ]

    def _aim_at(self, goal: Goal) -> _Aim | None:
        """The goal, if it is in sight as far as bounds and sums tell."""
        lacking = goal.points - self._state.laid_points
        if not adds_up(self._standing, goal):
            return _Aim(goal, lacking, None)
        sums = self._sums_of(goal)
        return _Aim(goal, lacking, sums) if self._has_runs or sums.most() >= lacking else None

    def _sums_of(self, goal: Goal) -> OpeningSums:
        """The sums of the hand for that goal when no run is laid."""
        demand = goal.demand
        if self._has_runs and demand in ("canasta", "natural_canasta"):
            size = self._rules.canasta_size
            if any(is_run(place) and meld.size >= size for place, meld in self._standing.melds.items()):
                demand = "none"
        key = demand, goal.wilds
        if key not in self._sums:
            self._sums[key] = OpeningSums(self._standing, self._held, demand, wilds=goal.wilds)
        return self._sums[key]

    def _below(self) -> int:
        """How many cards are sure to come once the side has opened."""
        return gathered_size(self._state) if self._state.aside else 0

    def _keep(self) -> int:
        """How many cards have to stay in the hand until the side has opened."""
        if self._kept is None:
            self._kept = max(0, kept(self._state) - self._below())
        return self._kept

    def _may_end_otherwise(self) -> bool:
        """Whether the turn may end lawfully without the minimum: by going out, or with the pile's top in a canasta."""
        if self._otherwise is None:
            claims = self._state.claimed is not None and "first_canasta_top" in self._rules.open_waiver
            wins = self._rules.wins_at_once
            self._otherwise = claims or wins or (not self._never_finishes() and kept(self._state) > 0)
        return self._otherwise

    def _never_finishes(self) -> bool:
        """Whether the hand certainly cannot be laid down, with the only card that waits if all have seen it."""
        hand, counts = self._hand, self._counts
        card = gathered_card(self._state) if self._below() == 1 else None
        if card is not None:
            hand, counts = (*hand, card), counts + pack((card,))
        standing = self._standing
        far = is_far_from_out(standing.rules, standing.spread, hand, counts)
        return far or cannot_finish(standing, hand, counts)

    def _reaches(self, aim: _Aim, step: Meld | LayRun, lacking: int) -> bool | None:
        """Whether the goal can be reached when the step has been taken; None where it may be with fewer cards kept."""
        sums = aim.sums
        if sums is None:
            return self._reaches_after(aim.goal, step) or None
        if isinstance(step, LayRun):
            keeps = len(self._hand) - sums.usable - step.size >= self._keep()
            sure = keeps and sums.surely_reach_without(range(step.low, step.high + 1), lacking)
            return sure or self._reaches_after(aim.goal, step) or None
        if self._binding and aim.goal.wilds and (self._bound or step.kind in (WILD_MELD, DEUCE_MELD)):
            reached = self._reaches_bound(aim.goal, step, lacking)
            if reached is None and sums.reach_after(step, lacking):
                return self._reaches_after(aim.goal, step) or None
            return reached or ((self._reaches_after(aim.goal, step) or None) if self._has_runs else False)
        if not sums.reach_after(step, lacking):
            return (self._reaches_after(aim.goal, step) or None) if self._has_runs else False
        spare = self._keep() - (len(self._hand) - sums.usable)
        if spare <= 0:
            return True
        if len(self._hand) - step.size < self._keep():
            return None
        if sums.reach_keeping(step, lacking, spare) or sums.reach_dropping(step, lacking, spare):
            return True
        return self._reaches_after(aim.goal, step) or None

    def _reaches_bound(self, goal: Goal, step: Meld, lacking: int) -> bool | None:
        """Whether the goal is reached after a step that leaves wild cards bound; None where that has to be tried out.

        Naturals may reach it, and wild cards where they are bound. Nothing else can where all are bound, and they are
        too few to make a canasta of that meld, which would free the others.
        """
        key = goal, step.place
        if key in self._found_bound:
            return self._found_bound[key]
        demand: Demand = "none" if goal.demand == "wild" and step.kind == WILD_MELD else goal.demand
        place, laid = (step.place, step.size) if step.kind == WILD_MELD else (WILD_MELD, 0)
        more, room = self._more_wilds(place, laid, step)
        missing = lacking - sum(more[:room])
        if step.kind != WILD_MELD or len(more) >= room or demand not in ("none", "clean"):
            return self._reaches_naturally(Goal(goal.points, demand, wilds=False), step, missing, more, room)
        free = self._sums_of(goal)  # all wild cards lie there in the end, however many the step lays
        reached: bool | None = free.without_wilds(demanding=demand != "none") >= missing
        if reached and len(self._hand) - free.usable < self._keep():
            reached = self._reaches_naturally(Goal(goal.points, demand, wilds=False), step, missing, more, room)
        elif not reached and not self._binds_all():
            reached = None
        self._found_bound[key] = reached
        return reached

    def _reaches_naturally(self, goal: Goal, step: Meld, missing: int, more: Sequence[int], room: int) -> bool | None:
        """The same where naturals alone have to count the points that are missing."""
        sums = self._sums_of(goal)
        if sums.reach_after(step, missing):
            most_laid = sums.usable + step.size + len(more[:room])
            return len(self._hand) - most_laid >= self._keep() or None
        return False if self._binds_all() and len(more) < room else None

    def _binds_all(self) -> bool:
        return self._rules.wild_lock == "all" and "deuce" not in self._rules.meld_kinds

    def _more_wilds(self, place: Place, laid: int, step: Meld) -> tuple[Sequence[int], int]:
        """What the wild cards count that are left after the step, the dearest first.

        And for how many there is room in the meld of wild cards; where none lies there, for none.
        """
        values = self._rules.card_values
        lying = self._standing.melds.get(place)
        there = laid + (0 if lying is None else lying.size)
        twos, jokers = free_wilds(self._standing, self._held)
        left = [values[JOKER]] * (jokers - step.jokers) + [values[TWO]] * (twos - step.twos)
        return left, max(0, self._rules.canasta_size - there) if there else 0

    def _reaches_after(self, goal: Goal, step: Meld | LayRun) -> bool:
        """Whether the rest of the hand can reach the goal when the step has been taken, asked by itself."""
        cards = cards_for(self._state, step)
        missing = goal.less(self._state.laid_points + points_of(self._rules, cards))
        return reaches(
            self._standing.with_cards(step.place, cards), without(self._hand, cards), missing, keep=self._keep()
        )
