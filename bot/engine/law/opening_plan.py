"""The plan of an initial meld: which steps towards it are legal.

A side that has not opened may only take steps after which its minimum can still be reached. What all the other families
come to, beside the one that a step lays, is worked out once for all steps (`bot.engine.reach.reaching.Sums`); what that
leaves open is asked step by step.

Decides `docs/law/classic.md 1.11, 1.23`. Reads `auto_win`, `canasta_size`, `dead_ranks`, `meld_kinds`, `open_waiver`,
`theme`, `wild_lock`.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul

from bot.engine.cards.cards import JOKER, TWO
from bot.engine.cards.counts import pack, tally
from bot.engine.cards.places import DEUCE_MELD, WILD_MELD
from bot.engine.cards.values import value
from bot.engine.law import hand_first
from bot.engine.law.initial_meld import waived_at
from bot.engine.law.keeping import kept
from bot.engine.moves.actions import LayRun, Meld
from bot.engine.reach.bounds import surely_stays_in
from bot.engine.reach.openings import Goal, top_apart
from bot.engine.reach.parting import free_wilds, wild_deals
from bot.engine.reach.reaching import Own, Sums
from bot.engine.reach.shortcuts import SWITCHED_OFF
from bot.engine.reach.standing import Standing
from bot.engine.table.queries import gathered_card, naturals_needed, still_to_gather
from bot.engine.table.state import State


@value
class _Aim:
    """A goal that may be reached, the points that it lacks, and sums for each way to part the wild cards.

    `sums` is empty where sums do not tell what the goal takes.
    """

    goal: Goal
    lacking: int
    sums: Sequence[Sums]


class OpeningPlan:
    """What the seat in turn, whose side has not opened, can still reach.

    `hopeless` tells that nothing it lays can lead to a lawful end of the turn. With `from_hand`, before the draw,
    nothing else is told.
    """

    def __init__(self, state: State, standing: Standing, goals: Sequence[Goal], *, from_hand: bool = False) -> None:
        self._state = state
        self._rules = state.rules
        self._standing = standing
        self._hand = state.hands[state.turn]
        self._counts = state.packed[state.turn]
        if from_hand and hand_first.only_with_naturals(state):  # what claims the top card then is not laid before
            self._counts -= naturals_needed(state, opened=True) << 8 * (state.pile[-1] >> 2)
        self._held = tally(self._counts)
        self._has_runs = "seq" in state.rules.meld_kinds
        self._binding = state.rules.wild_lock != "none"
        self._locked = bool(standing.locked())
        self._aims = [aim for goal in goals if (aim := self._aim_at(goal)) is not None]
        self._apart = top_apart(state.rules, state.claimed) is not None
        self._most_cards = len(self._hand) - max(0, kept(state) - self._below())
        self._otherwise: bool | None = False if from_hand else None
        self.hopeless = not self._aims and not self._may_end_otherwise()

    def told(self, step: Meld | LayRun) -> bool | None:
        """Whether the step is legal; None where that has to be asked of the law.

        The law has to be asked about a step after which sums reach no goal: the seat may still go out without the
        minimum, or need to keep fewer cards, because a card or a foot comes once the side has opened.
        """
        reached = [self._reaches(aim, step) for aim in self._aims]
        if True in reached:
            return None if self._apart else True
        return None if None in reached or self._may_end_otherwise() else False

    def _aim_at(self, goal: Goal) -> _Aim | None:
        """The goal with what it lacks; None where sums tell that it cannot be reached."""
        lacking = goal.points - self._state.laid_points
        standing = self._standing
        if sum(map(mul, self._held, self._rules.card_values)) < lacking:
            return None
        if "sums" in SWITCHED_OFF or goal.groups or standing.limits is not None:
            return _Aim(goal, lacking, ())
        deals = wild_deals(standing, *free_wilds(standing, self._held), wilds=goal.wilds)
        lies = goal.demand == "wild" and bool(standing.of_family(WILD_MELD))  # what is demanded is laid already
        sums = [Sums(standing, self._held, "none" if lies else goal.demand, deal) for deal in deals]
        if self._has_runs:
            return _Aim(goal, lacking, sums)
        sums = [one for one in sums if one.high >= lacking and (one.surely_but((), lacking) or one.most() >= lacking)]
        return _Aim(goal, lacking, sums) if sums else None

    def _below(self) -> int:
        """How many cards are sure to come once the side has opened."""
        return still_to_gather(self._state)

    def _may_end_otherwise(self) -> bool:
        """Whether the turn may end lawfully without the minimum: by going out, or with the pile's top in a canasta."""
        if self._otherwise is None:
            claims = waived_at(self._rules, self._state.claimed) is not None
            wins = self._rules.wins_at_once
            self._otherwise = claims or wins or (not self._never_finishes() and kept(self._state) > 0)
        return self._otherwise

    def _never_finishes(self) -> bool:
        """Whether the hand certainly cannot be laid down.

        The single card left of the pile counts with the hand where all have seen it.
        """
        hand, counts = self._hand, self._counts
        card = gathered_card(self._state) if self._below() == 1 else None
        if card is not None:
            hand, counts = (*hand, card), counts + pack((card,))
        return surely_stays_in(self._standing, hand, counts)

    def _reaches(self, aim: _Aim, step: Meld | LayRun) -> bool | None:
        """Whether the goal is reached after the step; None where sums do not tell.

        They tell neither of runs nor of wild cards that the step binds or frees. No means that the goal is not reached
        whatever is kept.
        """
        lacking = aim.lacking - self._points_of(step)
        most = self._most_cards
        if isinstance(step, LayRun):
            ranks = range(step.low, step.high + 1)
            return any(one.usable + step.size <= most and one.surely_but(ranks, lacking) for one in aim.sums) or None
        family = step.kind
        for one in aim.sums:
            if one.usable <= most and one.surely_but((family,), lacking):
                return True
        if not self._is_told(aim, step):
            return None
        reached: bool | None = None if self._has_runs else False
        for one in aim.sums:
            own = self._own_after(one, step)
            if own is None or one.most(family, own, (step.twos, step.jokers, 0)) < lacking:
                continue
            spare = max(0, one.usable - most)
            gone = step.twos, step.jokers, spare
            if not spare or (step.size <= most and one.most(family, own, gone) >= lacking):
                return True
            reached = None
        return reached

    def _points_of(self, step: Meld | LayRun) -> int:
        values = self._rules.card_values
        if isinstance(step, LayRun):
            return sum(values[step.low : step.high + 1])
        points = step.twos * values[TWO] + step.jokers * values[JOKER]
        return points + step.naturals * values[step.kind] if step.naturals else points

    def _is_told(self, aim: _Aim, step: Meld) -> bool:
        """Whether sums tell what the hand comes to after that step."""
        if not aim.sums or step.kind == DEUCE_MELD:
            return False
        if step.kind == WILD_MELD and (self._binding or aim.goal.demand == "wild"):  # it is what is demanded itself
            return False
        return not (step.twos or step.jokers) or (aim.goal.wilds and not self._locked)

    def _own_after(self, sums: Sums, step: Meld) -> Own | None:
        """What the family of the step comes to after it; None where the hand has too few of its cards."""
        family, naturals = step.kind, step.naturals
        melds = {meld.place: (meld.naturals, meld.wilds) for meld in self._standing.of_family(family)}
        lying = melds.get(step.place, (0, 0))
        lies = melds[step.place] = lying[0] + naturals, lying[1] + step.size - naturals
        if family == WILD_MELD:
            left, wilds = 0, sums.deal.most
        elif self._rules.dead_ranks and sum(lies) >= self._rules.canasta_size:
            left, wilds = 0, 0
        else:
            left, wilds = self._held[family] - naturals, sums.deal.spare
        return sums.table[family, tuple(melds.values()), left, wilds, False] if left >= 0 else None
