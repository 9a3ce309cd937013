"""The legal ways to lay cards, listed in a fixed order.

The order is: ranks from four to ace, twos as a rank, wild cards alone; runs by suit; two melds laid together; black
threes. Within a family, what joins a meld that lies there comes before a new one.

All that could lie somewhere is listed first, then what leads to no lawful end of the turn is taken out.
`bot.engine.law.melding` decides about a single step; the list gives the same answers sooner, by asking about many steps
at once.

Decides `docs/law/classic.md 1.23, 1.24`. Reads `auto_win`, `meld_kinds`, `meld_min`, `min_naturals`, `open_shape`,
`same_rank_melds`, `seq_rule`, `theme`.

The plan of an initial meld: which steps towards it are legal.

A side that has not opened may only take steps after which its minimum can still be reached. What all the other families
come to, beside the one that a step lays, is worked out once for all steps (`bot.engine.reach.reaching.Sums`); what that
leaves open is asked step by step.

Decides `docs/law/classic.md 1.11, 1.23`. Reads `auto_win`, `canasta_size`, `dead_ranks`, `meld_kinds`, `open_waiver`,
`theme`, `wild_lock`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from operator import mul

from bot.engine.cards.cards import ACE, BLACK_THREE, JOKER, TWO, value
from bot.engine.cards.counts import KINDS_OF, LANES_OF, RANKS, Counts, black_threes, pack, tally
from bot.engine.cards.places import DEUCE_MELD, WILD_MELD, Family
from bot.engine.law import foot, hand_first
from bot.engine.law.initial_meld import waived_at
from bot.engine.law.melding import (
    ends_anyhow,
    why_canasta_banned,
    why_not_combine,
    why_not_grow,
    why_not_lay_run,
    why_not_meld,
    why_spoiled,
)
from bot.engine.law.turn_end import could_finish, kept, may_keep_one
from bot.engine.melds.shapes import black_three_melds
from bot.engine.moves import phases
from bot.engine.moves.actions import Combine, LayRun, Meld, Step, meld
from bot.engine.moves.refusals import Refusal
from bot.engine.reach.bounds import SWITCHED_OFF, certainly_cannot_go_out
from bot.engine.reach.openings import NEEDING_CLEAN, Goal, goals_in, top_apart
from bot.engine.reach.parting import free_wilds, wild_deals
from bot.engine.reach.reaching import Own, Sums
from bot.engine.reach.regrouping import may_combine
from bot.engine.reach.runs import run_steps
from bot.engine.reach.set_steps import HELD, LYING, Held, free_for_sets, set_steps, usable_wilds, wilds_to_lay
from bot.engine.reach.standing import Standing, standing_of
from bot.engine.table.queries import (
    gathered_card,
    has_grown,
    melds_no_more,
    must_go_out,
    naturals_needed,
    still_to_gather,
)
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
        sums = [
            one
            for one in sums
            if one.high >= lacking and (one.surely_reach((), lacking) or one.most() >= lacking)
        ]
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
        return certainly_cannot_go_out(self._standing, hand, counts)

    def _reaches(self, aim: _Aim, step: Meld | LayRun) -> bool | None:
        """Whether the goal is reached after the step; None where sums do not tell.

        They tell neither of runs nor of wild cards that the step binds or frees. No means that the goal is not reached
        whatever is kept.
        """
        lacking = aim.lacking - self._points_of(step)
        most = self._most_cards
        if isinstance(step, LayRun):
            ranks = range(step.low, step.high + 1)
            return (
                any(one.usable + step.size <= most and one.surely_reach(ranks, lacking) for one in aim.sums)
                or None
            )
        family = step.kind
        for one in aim.sums:
            if one.usable <= most and one.surely_reach((family,), lacking):
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


def laying_steps(state: State) -> Sequence[Step]:
    """Every legal way to lay cards, or to lay melds together."""
    opens = not (state.opened[state.side] or state.permission is True or has_grown(state))
    goals = goals_in(state) if opens else None
    steps: Sequence[Step] = _melding(state, goals)
    blacks = black_threes(state.packed[state.turn])
    if blacks and len(state.hands[state.turn]) - blacks <= 1:  # they are laid in going out, with one card left at most
        laid = [meld(BLACK_THREE, count) for count in black_three_melds(state.rules)[1:] if blacks >= count]
        steps = [*steps, *[step for step in laid if why_not_meld(state, step) is None]]
    return steps


def _melding(state: State, goals: Sequence[Goal] | None) -> Sequence[Step]:
    """Every legal way to lay cards but black threes, or to lay melds together.

    `goals` are the ways in which a side opens that has not; None for one that has, or that has to go out.
    """
    rules = state.rules
    standing = standing_of(state)
    many = rules.same_rank_melds == "many"
    if melds_no_more(state):
        return _combining(state, standing) if many else ()
    plan = None if goals is None else _opening_plan(state, standing, goals)
    steps: Sequence[Step] = ()
    if plan is None or not plan.hopeless:
        found, most = _shaped(standing, state.packed[state.turn])
        if "seq" in rules.meld_kinds:
            most = max(most, _add_runs(found, state, standing))
        if standing.limits is not None:
            found = [step for step in found if why_canasta_banned(state, standing, step.place, step.size) is None]
        if (not most or ends_anyhow(state, most)) and not (standing.opening and rules.open_shape in NEEDING_CLEAN):
            steps = found
        elif found:
            steps = _lawful(state, standing, found, plan)
    return [*steps, *_combining(state, standing)] if many else steps


def _opening_plan(state: State, standing: Standing, goals: Sequence[Goal]) -> OpeningPlan | None:
    """The plan by which the side in turn can open.

    None where the seat has begun to open from its hand, or may win the game while it does.
    """
    from_hand = state.phase is not phases.PLAY
    if from_hand and (state.rules.wins_at_once or hand_first.is_pending(state)):
        return None
    return OpeningPlan(state, standing, goals, from_hand=from_hand)


def _add_runs(found: list[Meld | LayRun], state: State, standing: Standing) -> int:
    """Add the runs that may be laid to `found`; answers with the size of the largest."""
    runs = run_steps(standing, state.hands[state.turn])
    if runs and standing.rules.seq_rule == "grows_going_out":
        runs = [step for step in runs if why_not_grow(state, standing, step) is None]
    found += runs
    return max([step.high - step.low + 1 for step in runs]) if runs else 0


def _shaped(standing: Standing, counts: Counts) -> tuple[list[Meld | LayRun], int]:
    """Every way to lay cards that is no run, wherever it leads, and a size that none of them exceeds."""
    rules = standing.rules
    wilds = wilds_to_lay(standing, counts)
    for_sets = usable_wilds(rules, free_for_sets(standing, wilds)) if wilds else 0
    ways_of = set_steps(rules, opening=standing.opening)
    naturals = tally(counts)
    fewest = rules.min_naturals if for_sets else max(rules.meld_min, rules.min_naturals)  # that begin another meld
    single = rules.same_rank_melds == "one"
    found: list[Meld | LayRun] = []
    most = 0
    for family in _families(standing, counts, wilds):
        held = (for_sets | naturals[family] if family <= ACE else wilds) << HELD
        new = family
        melds = standing.spread.families.get(family)
        if melds is not None:
            for one in melds:
                size, ways, _ = ways_of[one.place | (one.wilds << 8 | one.naturals) << LYING | held]
                if size:
                    found += ways
                    most |= size  # not the largest, but no size exceeds it
            if family <= ACE and (single or naturals[family] < fewest):
                continue
            if not standing.may_begin(family):
                continue
            new = standing.new_place(family)
        size, ways, _ = ways_of[new | held]
        if size:
            found += ways
            most |= size
    return found, most


def _families(standing: Standing, counts: Counts, wilds: Held) -> Sequence[Family]:
    """The families of which the hand could lay something."""
    rules = standing.rules
    spread = standing.spread
    lanes = counts + (spread.wild if wilds else spread.plain) & RANKS
    if standing.closed:
        lanes &= ~LANES_OF[standing.closed]
    kinds: Sequence[Family] = KINDS_OF[lanes] if "set" in rules.meld_kinds else ()
    if wilds and "deuce" in rules.meld_kinds:
        kinds = (*kinds, DEUCE_MELD)
    enough = (wilds >> 8 & 127) + (wilds >> 16) >= rules.meld_min
    if wilds and "wild" in rules.meld_kinds and (enough or WILD_MELD in spread.families):
        kinds = (*kinds, WILD_MELD)
    return kinds


def _lawful(
    state: State, standing: Standing, steps: Sequence[Meld | LayRun], plan: OpeningPlan | None
) -> Sequence[Meld | LayRun]:
    """The steps after which the turn can end lawfully.

    Where enough cards stay in an open side's hand it always can; only the other steps are asked one by one.
    """
    if hand_first.is_on(state):
        return [step for step in steps if _why_not(state, step) is None]
    must = must_go_out(state) and not state.aside
    if not state.opened[state.side]:
        if must and could_finish(state):
            return [step for step in steps if _why_not(state, step) is None]
        plan = plan or OpeningPlan(state, standing, goals_in(state))
        told = [(step, plan.told(step)) for step in steps]
        return [step for step, legal in told if (_why_not(state, step) is None if legal is None else legal)]
    steps = [step for step in steps if isinstance(step, LayRun) or why_spoiled(state, standing, step) is None]
    finishes = could_finish(state)
    free = 0 if must and finishes else len(state.hands[state.turn]) - kept(state)
    otherwise = state.rules.wins_at_once or may_keep_one(state) or foot.may_be_earned(state)
    if not (finishes or state.aside or otherwise):
        return [step for step in steps if step.size <= free]  # others have to lead to going out
    return [step for step in steps if step.size <= free or _why_not(state, step) is None]


def _why_not(state: State, step: Meld | LayRun) -> Refusal | None:
    return why_not_meld(state, step) if isinstance(step, Meld) else why_not_lay_run(state, step)


def _combining(state: State, standing: Standing) -> Sequence[Combine]:
    """The ways to lay two melds of a rank together, the later one going to the earlier.

    The other way would come to the same.
    """
    found = [
        Combine(moved.place, onto.place)
        for lying in standing.spread.families.values()
        for onto, moved in combinations(lying, 2)
        if may_combine(standing, moved, onto)
    ]
    free = standing.limits is None and not (standing.opening and standing.rules.open_shape in NEEDING_CLEAN)
    if not found or (free and ends_anyhow(state, 0)):
        return found
    return [step for step in found if why_not_combine(state, step) is None]
